//! `feedwright check`

mod explain;
mod fix;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::Failure;
use super::output::{Bar, count, print, print_json, say};
use crate::build::{self, Progress};
use crate::project;

/// What `check` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Write down what can be written down safely: ids that were derived from paths
    #[arg(long)]
    fix: bool,
    /// Report as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Print what a rule is about, and check nothing
    #[arg(long, value_name = "RULE")]
    pub explain: Option<String>,
}

/// Checks the site.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let options = super::options(root)?;
    let mut fixed = 0;
    if arguments.fix {
        let (frozen, found) = fix::freeze_ids(&options);
        fixed = frozen;
        if found.has_errors() {
            return Err(super::output::fail(found, arguments.json));
        }
    }
    let bar = Bar::new();
    let mut checked = build::check(&options, &bar);
    bar.finish();
    if !checked.report.has_errors() {
        checked.report.extend(project::before_publishing(&options));
    }
    let (errors, warnings) = (checked.report.errors(), checked.report.warnings());
    let diagnostics = checked.report.sorted();
    if arguments.json {
        print_json(&json!({
            "ok": errors == 0,
            "errors": errors,
            "warnings": warnings,
            "silenced": checked.silenced,
            "fixed": fixed,
            "drafts": checked.drafts,
            "waiting": checked.waiting,
            "diagnostics": diagnostics,
        }));
    } else {
        print(&diagnostics, None);
        if arguments.fix {
            say!(
                "{} written down",
                count(fixed, "derived id was", "derived ids were")
            );
        }
        let mut summary = format!(
            "{} and {}",
            count(errors, "error", "errors"),
            count(warnings, "warning", "warnings")
        );
        if checked.silenced > 0 {
            summary += &format!("; {} silenced", checked.silenced);
        }
        if checked.drafts > 0 {
            summary += &format!(
                "; {} left out",
                count(checked.drafts, "draft is", "drafts are")
            );
        }
        if checked.waiting > 0 {
            let waiting = count(
                checked.waiting,
                "text waits for its date",
                "texts wait for their dates",
            );
            summary += &format!("; {waiting}");
        }
        say!("{summary}");
    }
    if errors > 0 {
        Err(Failure::Errors)
    } else {
        Ok(())
    }
}

pub use explain::explain;
