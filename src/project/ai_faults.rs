//! Compares the author's own `robots.txt` with `[ai]` in `site.toml`.

use super::Site;
use model::{Access, AiPreferences, Diagnostic, GeneratedKind, Rule, SiteFile};

/// Returns a warning if the author's `robots.txt` contradicts the preferences in `site.toml`, or
/// does not contain them.
pub(super) fn ai_faults(site: &Site) -> Option<Diagnostic> {
    let config = &site.snapshot.config;
    let usage = config.ai.content_usage().filter(|_| config.access == Access::Public)?;
    let mut files = site.snapshot.site_files.iter();
    let name = GeneratedKind::Robots.filename();
    let file = files.find(|file| file.filename == name && config.site_file(name).enabled)?;
    let line = format!("{}: {usage}", AiPreferences::FIELD);
    let (message, at) = match contradiction(file, &config.ai) {
        Some((label, at)) => (format!("`{label}` contradicts `[ai]` in site.toml"), Some(at)),
        None if states_all(file, &config.ai) => return None,
        None => ("this robots.txt does not contain the preferences of `[ai]`".to_owned(), None),
    };
    let warning = Diagnostic::warning(Rule::AiPreferences, message)
        .file(file.source.as_str())
        .help(format!("write below `User-agent: *`: {line}"));
    Some(match at {
        Some(at) => {
            let text = file.template.lines().nth(at).unwrap_or_default();
            warning.position(at + 1, 1, text)
        }
        None => warning,
    })
}

/// Iterates over the preferences that a `robots.txt` states: the number of the line, the label, and
/// the value.
fn stated(file: &SiteFile) -> impl Iterator<Item = (usize, &str, &str)> {
    let rules = file.template.lines().enumerate().filter_map(|(at, line)| {
        let (name, value) = line.split('#').next().unwrap_or_default().split_once(':')?;
        let is_usage = name.trim().eq_ignore_ascii_case(AiPreferences::FIELD);
        is_usage.then_some((at, value))
    });
    // A path can precede the preferences.
    let parts = rules.flat_map(|(at, value)| {
        let parts = value.split([',', ' ', '\t']);
        parts.filter(|part| !part.starts_with('/')).map(move |part| (at, part))
    });
    parts.filter_map(|(at, part)| part.split_once('=').map(|(label, value)| (at, label, value)))
}

/// Returns the label and the line of the first preference with another value than `own`.
fn contradiction<'f>(file: &'f SiteFile, own: &AiPreferences) -> Option<(&'f str, usize)> {
    let other = |(_, label, value): &(usize, &str, &str)| {
        own.stated().any(|(own, allowed)| own == *label && (*value == "y") != allowed)
    };
    stated(file).find(other).map(|(at, label, _)| (label, at))
}

/// Returns whether a `robots.txt` states each preference of `own`.
fn states_all(file: &SiteFile, own: &AiPreferences) -> bool {
    own.stated().all(|(own, _)| stated(file).any(|(_, label, _)| label == own))
}
