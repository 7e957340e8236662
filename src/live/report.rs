//! Converts findings to diagnostics.

use std::collections::BTreeMap;
use std::path::Path;

use super::Place;
use super::finding::{Finding, Need};
use super::remedy::{Host, remedy};
use model::{Config, Diagnostic, SitePath};
use source::place::place_of;

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
        positioned(root, &one, warning)
    })
    .collect()
}

/// Adds the position of the value that causes a finding, if a file of the site contains it.
fn positioned(root: &Path, one: &Finding, warning: Diagnostic) -> Diagnostic {
    let site = SitePath::parse("site.toml").filter(|_| one.source.is_none());
    match (&one.source, site, one.need) {
        (Some(source), ..) => place_of(root, source, "attachment", "", warning),
        (None, Some(site), Need::BaseUrl) => place_of(root, &site, "base_url", "", warning),
        (None, Some(site), Need::Hub) => place_of(root, &site, "deploy", "", warning),
        _ => warning,
    }
}
