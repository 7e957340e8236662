//! `feedwright theme new`: creates a theme.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::{check_exists, load_theme};
use crate::Failure;
use crate::output::say;
use theme::Theme;

/// The arguments of `theme new`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright theme new mine --extends podcast")]
pub struct Arguments {
    /// Name of the theme and of its folder in themes/
    name: String,
    /// Theme to extend
    #[arg(long, value_name = "THEME", default_value = "default")]
    extends: String,
}

/// Creates a theme that can be built immediately, and that looks like the theme it extends.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { name, extends } = arguments;
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !is_name {
        return Err(Failure::Usage(format!(
            "invalid theme name {name:?}: use only a–z, 0–9 and -, and start with a letter or digit"
        )));
    }
    let folder = root.join("themes").join(name);
    if folder.exists() {
        return Err(Failure::Usage(format!("themes/{name} already exists")));
    }
    check_exists(root, extends)?;
    let (base, ..) = load_theme(Some(root.to_owned()), Some(extends))?;
    for (path, text) in files(name, extends, &base) {
        edit::create(&folder.join(path), text.as_bytes()).map_err(|error| {
            Failure::Usage(format!("themes/{name}/{path} cannot be written: {error}"))
        })?;
    }
    say!(
        "Created themes/{name}, which extends {extends}. Set theme = \"{name}\" in site.toml, then run `feedwright serve`; themes/{name}/README.md describes the next steps."
    );
    Ok(())
}

/// Returns the files of a new theme. The new theme extends the theme `base`, whose name is
/// `extends`.
fn files(name: &str, extends: &str, base: &Theme) -> Vec<(&'static str, String)> {
    let readme = include_str!("new/README.md");
    let readme = readme.replace("NAME", name).replace("BASE", extends);
    let mut files = vec![("README.md", readme)];
    let mut assets = json!([]);
    // If the base theme has the partial `head-more`, the new theme gets its own style sheet.
    if let Some(partial) = base.partials.get("head-more") {
        assets = json!(["assets/own.css"]);
        let lines = partial.source().lines();
        let lines = lines.filter(|line| !line.starts_with("{{!"));
        let of_base: String = lines.map(|line| format!("{line}\n")).collect();
        let head = include_str!("new/head-more.mustache");
        let sheet = include_str!("new/own.css");
        files.push(("assets/own.css", sheet.replace("BASE", extends)));
        files.push((
            "partials/head-more.mustache",
            head.replace("BASE", extends).replace("OF_IT\n", &of_base),
        ));
    }
    let lines = [
        ("formatVersion", json!(base.manifest.format)),
        ("packageId", json!(format!("own.{name}"))),
        ("name", json!(name)),
        ("version", json!("0.1.0")),
        ("author", json!("you")),
        ("license", json!("MIT")),
        ("extends", json!(extends)),
        ("assets", assets),
    ];
    let lines = lines.map(|(key, value)| format!("  {key:?}: {value}"));
    files.push(("theme.json", format!("{{\n{}\n}}\n", lines.join(",\n"))));
    files
}
