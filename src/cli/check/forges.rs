//! Formats the results of `check` for forges, which show the results next to the changed lines: as
//! GitHub workflow commands or a GitLab Code Quality report.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use model::{Diagnostic, Rule, Severity};

/// The results of `check`, and the location of the site's folder.
pub(super) struct Found<'a> {
    pub all: &'a [Diagnostic],
    /// The site's folder relative to the current folder, with a trailing slash. Empty if both
    /// folders are the same.
    prefix: String,
}

impl<'a> Found<'a> {
    pub fn new(all: &'a [Diagnostic], root: &Path) -> Self {
        let current_folder =
            std::env::current_dir().and_then(|current_folder| current_folder.canonicalize());
        let root = root.canonicalize();
        let below = current_folder.ok().zip(root.ok()).and_then(|(current_folder, root)| {
            let below = root.strip_prefix(current_folder).ok()?;
            below.to_str().map(|below| below.replace('\\', "/"))
        });
        let prefix = match below {
            Some(below) if !below.is_empty() => below + "/",
            _ => String::new(),
        };
        Self { all, prefix }
    }

    /// Returns the file of a diagnostic, relative to the current folder. Returns `site.toml` if the
    /// diagnostic has no file, because the diagnostic then applies to the whole site.
    pub fn file(&self, one: &Diagnostic) -> String {
        let file = one.file.as_deref().unwrap_or("site.toml");
        format!("{}{file}", self.prefix)
    }
}

/// Returns a unique fingerprint for each diagnostic. The fingerprint does not depend on the line
/// number.
pub(super) fn fingerprints(found: &Found<'_>) -> Vec<String> {
    let mut known = HashSet::new();
    let name = |one: &Diagnostic| {
        let rule = one.rule.map_or("", Rule::name);
        let line = one.source_line.as_deref().unwrap_or_default();
        let text = format!("{rule}\n{}\n{}\n{line}", found.file(one), one.message);
        let mut number = xxh3_64(text.as_bytes());
        while !known.insert(number) {
            number = number.wrapping_add(1);
        }
        format!("{number:016x}")
    };
    found.all.iter().map(name).collect()
}

/// Formats the diagnostics as annotations for GitHub and Forgejo, one per line.
pub(super) fn github(found: &Found<'_>) -> String {
    let line = |one: &Diagnostic| {
        let command = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut place = format!("file={}", property(&found.file(one)));
        if let (Some(line), Some(column)) = (one.line, one.column) {
            place += &format!(",line={line},col={column}");
        }
        if let Some(rule) = one.rule {
            place += &format!(",title={}", rule.name());
        }
        let text = match &one.help {
            Some(help) => format!("{}\n{help}", one.message),
            None => one.message.clone(),
        };
        format!("::{command} {place}::{}\n", data(&text))
    };
    found.all.iter().map(line).collect()
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns a GitLab Code Quality report, which is a subset of the Code Climate format.
pub(super) fn gitlab(found: &Found<'_>) -> Value {
    let issues = found.all.iter().zip(fingerprints(found));
    let issues = issues.map(|(one, fingerprint)| {
        let severity = match one.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
        };
        json!({
            "description": one.message,
            "check_name": one.rule.map_or("error", Rule::name),
            "fingerprint": fingerprint,
            "severity": severity,
            "location": { "path": found.file(one), "lines": { "begin": one.line.unwrap_or(1) } },
        })
    });
    issues.collect()
}
