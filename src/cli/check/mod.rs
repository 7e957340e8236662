//! `feedwright check`: reports the faults of a site, and fixes some of them.

mod clauses;
mod explain;
mod fix;
mod forges;
mod sarif;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};

pub use explain::{explain, explain_values};
use forges::Found;
use sarif::sarif;

use super::Failure;
use super::output::{Bar, count, print, print_json, print_text, say};
use builder::{self, Checked, ExtraChecks, Progress};
use model::SitePath;
use project::{self, FixedFile, Live};

/// The arguments of `check`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("requests").multiple(true).args(["links", "live"])))]
#[command(after_help = "Examples:
  feedwright check --fix
  feedwright check --show walks
  feedwright check --live")]
pub struct Arguments {
    /// Apply safe fixes, then check again
    #[arg(long)]
    fix: bool,
    /// Print JSON on standard output (same as --format json)
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Compare with a published feed, sitemap, built folder or git revision
    #[arg(long, value_name = "URL|PATH|REVISION")]
    against: Option<String>,
    /// Check links to other sites too
    #[arg(long, hide = !cfg!(feature = "network"))]
    links: bool,
    /// Check the published server too [default address: base_url]
    #[arg(
        long,
        value_name = "URL",
        num_args = 0..=1,
        default_missing_value = "",
        hide = !cfg!(feature = "network")
    )]
    live: Option<String>,
    /// With --live, check every episode, not only a sample
    #[arg(long, requires = "live", hide = !cfg!(feature = "network"))]
    all: bool,
    /// With --links or --live, also check addresses in the local network
    #[arg(long, requires = "requests", hide = !cfg!(feature = "network"))]
    local: bool,
    /// Report only what the standard EN 301 549 requires
    #[arg(long)]
    accessibility: bool,
    /// Check only this show: the name of its folder in shows/
    #[arg(long, value_name = "NAME", conflicts_with_all = ["fix", "against"])]
    show: Option<String>,
    /// Explain a rule, or where the values of a file come from
    #[arg(long, value_name = "RULE|FILE")]
    pub explain: Option<String>,
}

/// The format of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Github,
    Gitlab,
}

impl Arguments {
    fn external_checks(&self) -> ExtraChecks {
        ExtraChecks {
            against: self.against.clone(),
            links: self.links,
            live: self.live.as_deref().map(|url| self.live(url)),
            local: self.local,
            accessibility: self.accessibility,
        }
    }

    fn live(&self, url: &str) -> Live {
        let url = Some(url.to_owned()).filter(|url| !url.is_empty());
        let live = Live { local: self.local, all: self.all, ..Live::new(url) };
        match self.all {
            true => Live { limit: live.limit * 6, ..live },
            false => live,
        }
    }

    /// Returns whether the output is JSON.
    pub fn is_json(&self) -> bool {
        self.format() == Format::Json
    }

    fn format(&self) -> Format {
        match self.format {
            Some(format) => format,
            None if self.json => Format::Json,
            None => Format::Text,
        }
    }
}

/// Returns whether the program runs in GitHub Actions or Forgejo Actions. In that case, the text
/// output also contains annotations.
fn is_in_action() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|set| set == "true")
}

pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let mut options = super::options(root)?;
    options.show = super::shows::option(&options.root, arguments.show.as_deref())?;
    if arguments.live.is_some() {
        let help = "run `feedwright check --live`, which covers it";
        super::shows::require_own_address(&options, help)?;
    }
    let external_checks = arguments.external_checks();
    let look = || {
        let bar = Bar::new();
        let checked = builder::check_with(&options, &external_checks, &bar);
        bar.finish();
        checked
    };
    let mut checked = look();
    let mut fixed: Vec<FixedFile> = Vec::new();
    if arguments.fix {
        // If there are many similar faults, each round reports and fixes only some of them. Repeat
        // until nothing is fixed.
        let unmended = loop {
            let (mended, unmended) = fix::apply_fixes(&options, &checked.report);
            if mended.is_empty() {
                break unmended;
            }
            fixed.extend(mended);
            checked = look();
        };
        // Write derived ids last, because an earlier fix may restore the former id of a renamed
        // file.
        let (frozen, found) = fix::freeze_ids(&options);
        if found.has_errors() {
            return Err(super::output::fail(found, arguments.format() != Format::Text));
        }
        if !frozen.is_empty() {
            fixed.extend(frozen);
            checked = look();
        }
        checked.report.extend(unmended);
    }
    if !checked.report.has_errors() {
        checked.report.extend(project::warn_before_publishing(&options));
    }
    let (errors, warnings) = (checked.report.errors(), checked.report.warnings());
    let diagnostics = std::mem::take(&mut checked.report).sorted();
    let found = Found::new(&diagnostics, &options.root);
    match arguments.format() {
        Format::Text => {
            print(&diagnostics, None);
            if is_in_action() {
                print_text(&forges::github(&found));
            }
            for (file, done) in &fixed {
                say!("{file}: {}", done.join("; "));
            }
            let fixed = arguments.fix.then(|| count_files(&fixed));
            if arguments.accessibility && errors == 0 {
                say!("{}", clauses::summary(&diagnostics));
            }
            say!("{}", summary(&checked, errors, warnings, fixed));
        }
        Format::Json => print_json(&json!({
            "ok": errors == 0,
            "errors": errors,
            "warnings": warnings,
            "silenced": checked.silenced,
            "fixed": count_files(&fixed),
            "changes": changes(&fixed),
            "drafts": checked.drafts,
            "waiting": checked.waiting,
            "diagnostics": diagnostics,
            "clauses": arguments.accessibility.then(|| clauses::json(&diagnostics)),
        })),
        Format::Sarif => print_json(&sarif(&found)),
        Format::Github => print_text(&forges::github(&found)),
        Format::Gitlab => print_json(&forges::gitlab(&found)),
    }
    if errors > 0 { Err(Failure::Errors) } else { Ok(()) }
}

/// Returns the number of fixed files. A file may be fixed in several rounds.
fn count_files(fixed: &[FixedFile]) -> usize {
    let files: BTreeSet<&SitePath> = fixed.iter().map(|(file, _)| file).collect();
    files.len()
}

/// Returns the changes made by `--fix` as JSON.
fn changes(fixed: &[FixedFile]) -> Vec<Value> {
    let change = |file: &SitePath, done: &String| json!({ "file": file, "change": done });
    let all = fixed.iter();
    all.flat_map(|(file, done)| done.iter().map(move |done| change(file, done))).collect()
}

/// Returns the summary at the end of the report: the numbers of errors, warnings, drafts and
/// scheduled items, and of fixed files.
fn summary(checked: &Checked, errors: usize, warnings: usize, fixed: Option<usize>) -> String {
    let found = [count(errors, "error", "errors"), count(warnings, "warning", "warnings")];
    let mut parts = vec![found.join(" and ")];
    let mut add = |number: usize, one, many| {
        if number > 0 {
            parts.push(count(number, one, many));
        }
    };
    add(checked.silenced, "silenced warning", "silenced warnings");
    add(checked.drafts, "draft skipped", "drafts skipped");
    add(checked.waiting, "scheduled entry skipped", "scheduled entries skipped");
    let summary_text = parts.join("; ");
    match fixed {
        Some(fixed) => {
            format!("{}\n{summary_text}", count(fixed, "file was fixed", "files were fixed"))
        }
        None => summary_text,
    }
}
