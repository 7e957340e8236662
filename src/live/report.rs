//! Converts findings to diagnostics.

use std::collections::BTreeMap;
use std::path::Path;

use super::Place;
use super::finding::{Finding, Need};
use super::remedy::{Host, remedy};
use model::{Config, Diagnostic};
use source::place::place_of;
use source::show_folders::settings_file;

/// Converts findings to warnings. Merges equal problems of a host.
pub fn diagnostics(
    root: &Path,
    config: &Config,
    place: &Place,
    found: Vec<Finding>,
) -> Vec<Diagnostic> {
    let mut merged: BTreeMap<_, (Finding, usize)> = BTreeMap::new();
    for one in found {
        let key = (one.need, one.host(), one.problem.clone());
        merged.entry(key).and_modify(|(_, others)| *others += 1).or_insert((one, 0));
    }
    let all = merged.into_values();
    all.map(|(one, others)| {
        let more = match others {
            0 => String::new(),
            1 => " (and 1 other address)".to_owned(),
            others => format!(" (and {others} other addresses)"),
        };
        let message = format!("{} {}{more}", one.url, one.problem);
        let host = Host::of(config, place, &one);
        let warning = Diagnostic::warning(one.need.rule(), message).help(remedy(one.need, host));
        positioned(root, config, &one, warning)
    })
    .collect()
}

/// Adds the position of the value that causes a finding, if a file of the site contains it.
fn positioned(root: &Path, config: &Config, one: &Finding, warning: Diagnostic) -> Diagnostic {
    let settings = settings_file(&config.content).filter(|_| one.source.is_none());
    match (&one.source, settings, one.need) {
        (Some(source), ..) => place_of(root, source, "attachment", "", warning),
        (None, Some(file), Need::BaseUrl) => place_of(root, &file, "base_url", "", warning),
        (None, Some(file), Need::Hub) => place_of(root, &file, "deploy", "", warning),
        _ => warning,
    }
}
