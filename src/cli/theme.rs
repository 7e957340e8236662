//! `feedwright theme`: validates, creates, lists and shows themes.

mod list;
mod new;
#[cfg(feature = "serve")]
mod preview;
mod show;
mod test;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::output::{count, fail_with, print, print_json, say};
use super::{Failure, find_site};
use model::{Diagnostic, Report, SitePath};
use render::names;
use render::pages::context::NAMESPACE;
use source::fields::nearest;
use theme::{Theme, built_in_names, site_theme_names};

/// The arguments of `theme`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright theme list
  feedwright theme new mine --extends podcast")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Validate a theme package
    #[command(after_help = "Example:
  feedwright theme validate themes/mine")]
    Validate {
        /// Folder of the theme [default: the site's theme]
        dir: Option<PathBuf>,
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// Create a theme that extends another theme
    New(new::Arguments),
    /// List built-in and custom themes
    #[command(after_help = "Example:
  feedwright theme list")]
    List {
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// List the parts of a theme, or print one
    Show(show::Arguments),
    /// Preview every kind of page in a theme, with live reload
    #[cfg(feature = "serve")]
    Preview(preview::Arguments),
    /// Test a theme with built-in example sites
    Test(test::Arguments),
}

/// Runs a subcommand for themes.
pub fn run(site: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Validate { dir: Some(dir), json } if dir.is_dir() => {
            let label = label(dir);
            report_validation(Theme::read(dir, &label), &label, NAMESPACE, *json)
        }
        Command::Validate { dir: Some(dir), .. } => {
            Err(Failure::Usage(format!("{} is not a folder", dir.display())))
        }
        Command::Validate { dir: None, json } => {
            let root = find_site(site)?;
            let (config, _) = source::load::load_config(&root);
            let label = format!("themes/{}", config.theme);
            let theme = Theme::load(&root, &config.theme);
            report_validation(theme, &label, &config.namespace, *json)
        }
        Command::New(own) => new::run(&find_site(site)?, own),
        Command::List { json } => list::run(&find_site(site)?, *json),
        Command::Show(own) => show::run(site, own),
        #[cfg(feature = "serve")]
        Command::Preview(own) => preview::run(find_site(site)?, own),
        Command::Test(own) => test::run(site, own),
    }
}

/// Loads a theme by name, or the site's theme if no name is given. Returns the theme, its name and
/// the site's root. The root is empty if there is no site.
fn load_theme(
    site: Option<PathBuf>,
    name: Option<&str>,
) -> Result<(Theme, String, PathBuf), Failure> {
    // A built-in theme can be loaded without a site.
    let root = match (find_site(site), name) {
        (Ok(root), _) => root,
        (Err(_), Some(_)) => PathBuf::new(),
        (Err(failure), None) => return Err(failure),
    };
    let name = match name {
        Some(name) => {
            check_exists(&root, name)?;
            name.to_owned()
        }
        None => source::load::load_config(&root).0.theme,
    };
    match Theme::load(&root, &name) {
        Ok(theme) => Ok((theme, name, root)),
        Err(found) => {
            let mut report = Report::default();
            report.extend(found);
            Err(fail_with(report, false, ""))
        }
    }
}

/// Returns an error if no theme with this name exists, neither in the site nor built in.
fn check_exists(root: &Path, name: &str) -> Result<(), Failure> {
    let mut themes = site_theme_names(root);
    themes.extend(built_in_names().map(str::to_owned));
    let known: Vec<&str> = themes.iter().map(String::as_str).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, &known).map(|near| format!("; did you mean {near:?}?"));
    Err(Failure::Usage(format!(
        "theme {name:?} not found{}",
        near.unwrap_or_else(|| format!("; the themes are {}", known.join(", ")))
    )))
}

/// Returns the name of a theme package in messages: its path as given, or its folder name if the
/// path cannot be a path within a site (`/srv/plain`, `../plain`, `.`).
fn label(dir: &Path) -> String {
    let given = dir.to_string_lossy();
    let given = given.trim_start_matches("./").trim_end_matches('/');
    let name = || Some(dir.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned());
    SitePath::parse(given)
        .map(|path| path.to_string())
        .or_else(|| name().filter(|name| SitePath::parse(name).is_some()))
        .unwrap_or_else(|| "theme".to_owned())
}

/// Reports the result of validating a theme. `label` is the name of the package in messages, and
/// `namespace` is the site's prefix for extension fields in templates.
fn report_validation(
    theme: Result<Theme, Vec<Diagnostic>>,
    label: &str,
    namespace: &str,
    as_json: bool,
) -> Result<(), Failure> {
    let theme = theme.map_err(|found| {
        let mut report = Report::default();
        report.extend(found);
        fail_with(report, as_json, "")
    })?;
    let manifest = &theme.manifest;
    let mut warnings = manifest.warnings.clone();
    warnings.extend(names::warn_unknown_in_theme(&theme, label, namespace));
    if as_json {
        print_json(
            &json!({ "ok": true, "package_id": manifest.package_id, "version": manifest.version, "format": manifest.format, "hash": theme.hash, "warnings": warnings }),
        );
    } else {
        print(&warnings, None);
        let (slots, assets) = (
            count(theme.slots.len(), "slot", "slots"),
            count(theme.assets.len(), "asset", "assets"),
        );
        say!(
            "{} {} ({}) is a valid theme of format {}: {slots}, {assets}",
            manifest.name,
            manifest.version,
            manifest.package_id,
            manifest.format
        );
    }
    Ok(())
}
