//! `feedwright build`: writes the site into the output folder.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::Failure;
use super::output::{
    Bar, changed_recordings, count, duration, fail, print_json, print_warnings, report_recordings,
    say,
};
use builder::{Outcome, Progress, run as build};
use project::{Options, warn_before_publishing};
use source::config::parse_base_url;

/// The arguments of `build`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright build
  feedwright build --show walks
  feedwright build --drafts --future --out ../preview")]
pub struct Arguments {
    #[command(flatten)]
    what: BuildSelection,
    /// Build only this show: the name of its folder in shows/
    #[arg(long, value_name = "NAME")]
    show: Option<String>,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// The options that select the content and the output folder of a build.
#[derive(Debug, Args)]
pub struct BuildSelection {
    /// Output folder, instead of `[output] dir` in site.toml
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Base URL, instead of `base_url` in site.toml
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Include unpublished items and pages
    #[arg(long)]
    drafts: bool,
    /// Include items and pages with a future date
    #[arg(long)]
    future: bool,
    /// Replace files in the output folder that no build wrote
    #[arg(long)]
    overwrite: bool,
}

impl BuildSelection {
    /// Returns the options for building the site at `root`.
    pub fn options(&self, root: PathBuf) -> Result<Options, Failure> {
        let mut options = super::options(root)?;
        options.out.clone_from(&self.out);
        options.overwrite = self.overwrite;
        options.visibility.drafts = self.drafts;
        options.visibility.future = self.future;
        if let Some(url) = &self.base_url {
            let base_url = parse_base_url(url)
                .map_err(|help| Failure::Usage(format!("invalid --base-url {url:?}: {help}")))?;
            options.base_url = Some(base_url);
        }
        Ok(options)
    }
}

pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let mut options = arguments.what.options(root)?;
    options.show = super::shows::option(&options.root, arguments.show.as_deref())?;
    let bar = Bar::new();
    let result = build(&options, &bar);
    bar.finish();
    let mut outcome = result.map_err(|report| fail(report, arguments.json))?;
    outcome.warnings.extend(warn_before_publishing(&options));
    report(&outcome, arguments.json);
    #[cfg(feature = "serve")]
    notify_webhooks(&options, &outcome)?;
    Ok(())
}

fn report(outcome: &Outcome, as_json: bool) {
    if as_json {
        print_json(&json!({
            "ok": true,
            "items": outcome.items,
            "pages": outcome.pages,
            "drafts": outcome.drafts,
            "waiting": outcome.waiting,
            "files": outcome.files,
            "rendered": outcome.rendered,
            "written": outcome.written,
            "removed": outcome.removed,
            "recordings": changed_recordings(outcome.recordings),
            "out": outcome.out,
            "milliseconds": outcome.elapsed.as_millis(),
            "warnings": outcome.warnings,
        }));
        return;
    }
    print_warnings(&outcome.warnings);
    report_recordings(outcome.recordings);
    let removed =
        if outcome.removed > 0 { format!(", {} removed", outcome.removed) } else { String::new() };
    let unpublished_summary = unpublished_summary(outcome);
    say!(
        "Built {} and {}{unpublished_summary} into {}: {}, {} written{removed}, in {}",
        count(outcome.items, "item", "items"),
        count(outcome.pages, "page", "pages"),
        outcome.out.display(),
        count(outcome.files, "file", "files"),
        outcome.written,
        duration(outcome.elapsed),
    );
}

/// Sends webhook messages about the build. The build is complete, so messages that cannot be
/// delivered now are queued.
#[cfg(feature = "serve")]
fn notify_webhooks(options: &Options, outcome: &Outcome) -> Result<(), Failure> {
    let (config, _) = project::read_config(options);
    let done = webhooks::Build {
        url: config.url("/"),
        items: outcome.items,
        files: outcome.files,
        written: outcome.written,
        removed: outcome.removed,
    };
    super::webhooks::report(&webhooks::tell(options, &config, "build.done", &done)?);
    Ok(())
}

/// Reports the numbers of drafts and scheduled items, which are missing from the output.
fn unpublished_summary(outcome: &Outcome) -> String {
    let mut parts = Vec::new();
    if outcome.drafts > 0 {
        parts.push(count(outcome.drafts, "draft", "drafts"));
    }
    if outcome.waiting > 0 {
        parts.push(format!("{} scheduled", outcome.waiting));
    }
    if parts.is_empty() { String::new() } else { format!(" (skipped: {})", parts.join(", ")) }
}
