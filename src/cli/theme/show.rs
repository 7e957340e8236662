//! `feedwright theme show`: prints a file of a theme.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::load_theme;
use crate::Failure;
use crate::output::say;
use source::fields::nearest;
use theme::{Theme, origin_of};

/// The arguments of `theme show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright theme show
  feedwright theme show rail > themes/mine/partials/rail.mustache")]
pub struct Arguments {
    /// Slot (webItem), partial (rail) or file (assets/style.css) [default: list all]
    part: Option<String>,
    /// Name of the theme [default: the site's theme]
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
}

/// Prints a file of a theme, or lists the theme's files.
pub fn run(site: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    let (theme, name, root) = load_theme(site, arguments.theme.as_deref())?;
    let parts = parts(&theme);
    let Some(part) = &arguments.part else {
        for (part, file) in &parts {
            crate::output::answer(&format!("{part:<28}{file}"));
        }
        return Ok(());
    };
    let found = parts.iter().find(|(own, file)| own == part || file == part);
    let Some((_, file)) = found else {
        let names: Vec<&str> =
            parts.iter().flat_map(|(part, file)| [part.as_str(), file]).collect();
        let help = match nearest(part, &names) {
            Some(near) => format!("did you mean {near}?"),
            None => "run `feedwright theme show` to list them".to_owned(),
        };
        return Err(Failure::Usage(format!(
            "the theme {name} has no slot, partial or file {part:?}: {help}"
        )));
    };
    let Some(origin) = origin_of(&root, &name, file) else {
        return Err(Failure::Usage(format!("{file} cannot be read")));
    };
    let place = if origin.is_built_in {
        format!("the built-in theme {}", origin.theme)
    } else {
        format!("themes/{}/{file}", origin.theme)
    };
    say!("from {place}; to override it in your own theme, create themes/<name>/{file}");
    let mut out = io::stdout().lock();
    // Ignore write errors, because programs such as `head` may close the pipe early.
    let _ = out.write_all(&origin.bytes).and_then(|()| out.flush());
    Ok(())
}

/// Lists the names and files of a theme's slots, partials and assets.
fn parts(theme: &Theme) -> Vec<(String, String)> {
    let slots = theme.manifest.files.iter();
    let slots = slots.map(|(slot, file)| (slot.name().to_owned(), file.clone()));
    let partials = theme.partial_files.iter();
    let partials = partials.map(|(name, file)| (name.clone(), file.clone()));
    let assets = theme.manifest.assets.iter();
    let assets = assets.map(|file| (file.clone(), file.clone()));
    slots.chain(partials).chain(assets).collect()
}
