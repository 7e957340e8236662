//! `feedwright theme test`: renders test sites with a theme.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::{label, load_theme};
use crate::Failure;
use crate::output::{count, fail_with, print, print_json, say};
use model::{Diagnostic, Report, Severity};
use project::theme_test;
use render::names;
use render::pages::context::NAMESPACE;
use theme::Theme;

/// The arguments of `theme test`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright theme test mine")]
pub struct Arguments {
    /// Name or folder of the theme [default: the site's theme]
    theme: Option<String>,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(site: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    let folder = arguments.theme.as_deref().map(PathBuf::from);
    let folder = folder.filter(|folder| folder.is_dir() && folder.components().count() > 1);
    let (theme, label) = match &folder {
        Some(folder) => {
            let label = label(folder);
            let theme = Theme::read(folder, &label).map_err(|found| {
                let mut report = Report::default();
                report.extend(found);
                fail_with(report, arguments.json, "")
            })?;
            (theme, label)
        }
        None => {
            let (theme, name, _) = load_theme(site, arguments.theme.as_deref())?;
            (theme, format!("themes/{name}"))
        }
    };
    let mut theme = theme;
    theme.rename_namespace(NAMESPACE, "service");
    let mut warnings = theme.manifest.warnings.clone();
    warnings.extend(names::warn_unknown_in_theme(&theme, &label, NAMESPACE));
    let tested = theme_test::test(&Arc::new(theme), &label);
    let pages = count(tested.pages, "page", "pages");
    let sites = count(tested.sites, "site", "sites");
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    if !tested.found.iter().any(is_error) {
        warnings.extend(tested.found);
    } else {
        let mut report = Report::default();
        report.extend(warnings);
        report.extend(tested.found);
        return Err(fail_with(
            report,
            arguments.json,
            &format!("; {pages} of {sites} were rendered"),
        ));
    }
    if arguments.json {
        print_json(
            &json!({ "ok": true, "pages": tested.pages, "sites": tested.sites, "warnings": warnings }),
        );
    } else {
        print(&warnings, None);
        say!(
            "{label} renders {pages} of {sites} without errors: empty, minimal, full, paged, media, missing fields, authors, hostile input"
        );
    }
    Ok(())
}
