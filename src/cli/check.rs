//! `feedwright check`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::Failure;
use super::output::{Bar, count, print, print_json, say};
use crate::build::{self, Progress};
use crate::edit;
use crate::model::{ItemId, Report, SitePath};
use crate::project::{self, Options};

/// What `check` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Write down what can be written down safely: ids that were derived from paths
    #[arg(long)]
    fix: bool,
    /// Report as JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Checks the site.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let options = super::options(root)?;
    let mut fixed = 0;
    if arguments.fix {
        let (frozen, found) = freeze_ids(&options);
        fixed = frozen;
        if found.has_errors() {
            return Err(super::output::fail(found, arguments.json));
        }
    }
    let bar = Bar::new();
    let mut report = build::check(&options, &bar);
    bar.finish();
    if !report.has_errors() {
        report.extend(project::before_publishing(&options));
    }
    let (errors, warnings) = (report.errors(), report.warnings());
    let diagnostics = report.sorted();
    if arguments.json {
        print_json(
            &json!({ "ok": errors == 0, "errors": errors, "warnings": warnings, "fixed": fixed, "diagnostics": diagnostics }),
        );
    } else {
        print(&diagnostics, None);
        if arguments.fix {
            say!(
                "{} written down",
                count(fixed, "derived id was", "derived ids were")
            );
        }
        say!(
            "{} and {}",
            count(errors, "error", "errors"),
            count(warnings, "warning", "warnings")
        );
    }
    if errors > 0 {
        Err(Failure::Errors)
    } else {
        Ok(())
    }
}

/// Writes every derived id into its file.
fn freeze_ids(options: &Options) -> (usize, Report) {
    let (site, _) = project::read(options, &|| ());
    let mut report = Report::default();
    let Some(site) = site else { return (0, report) };
    let items = site
        .snapshot
        .entries
        .iter()
        .map(|entry| &entry.item)
        .filter(|item| item.id_is_derived)
        .map(|item| (&item.source, &item.id));
    let pages = site
        .snapshot
        .pages
        .iter()
        .map(|entry| &entry.page)
        .filter(|page| page.id_is_derived);
    let pages = pages.filter_map(|page| Some((page.source.as_ref()?, &page.id)));
    // One time of a series is known by the id of the series and the time: it has no id of its own.
    let events = site.snapshot.calendars.all.iter();
    let events = events
        .flat_map(|calendar| &calendar.series)
        .map(|series| &series.event)
        .filter(|event| event.id_is_derived)
        .map(|event| (&event.source, &event.id));
    let mut fixed = 0;
    for (source, id) in items.chain(pages).chain(events) {
        match freeze(&options.root, source, id) {
            Ok(()) => fixed += 1,
            Err(diagnostic) => report.push(diagnostic),
        }
    }
    (fixed, report)
}

fn freeze(root: &Path, source: &SitePath, id: &ItemId) -> Result<(), crate::model::Diagnostic> {
    edit::insert_id(root, source, id)
}
