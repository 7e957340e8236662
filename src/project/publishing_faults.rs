//! Checks that only `feedwright check` runs, because they are too slow for a build, or because the
//! faults do not prevent a build.

use std::collections::HashSet;
use std::path::Path;

use super::cards::card_faults;
use super::date_faults::date_faults;
use super::media_faults::media_faults;
use super::page_links::page_links;
use super::picture_faults::picture_faults;
use super::podcast_faults::podcast_faults;
use super::renamed_files::warn_renamed_since_commit;
use super::season_faults::season_faults;
use super::sound_faults::sound_faults;
use super::text_faults::text_faults;
use super::{Addresses, Options, Site};
use model::{Access, Diagnostic, Report};

/// Adds the warnings of `check` to the diagnostics of a build. `changed` contains groups of
/// warnings about changed addresses and ids, the most reliable group first. A file with errors gets
/// no further warnings until the errors are fixed.
pub fn add_publishing_faults(
    options: &Options,
    site: &Site,
    addresses: &Addresses,
    mut changed: Vec<Vec<Diagnostic>>,
    report: &mut Report,
) {
    changed.push(warn_renamed_since_commit(options, site, addresses));
    report.extend(deduplicate(changed));
    let mut found = publishing_faults(&options.root, site);
    let faulty = report.faulty_files();
    found.retain(|one| {
        let file = one.file.as_deref();
        file.is_none_or(|file| !faulty.contains(file))
    });
    report.extend(found);
    if site.snapshot.config.access == Access::Public {
        let links = page_links(&options.root, site, report);
        report.extend(links);
    }
}

/// Joins groups of warnings. Drops a warning if an earlier group contains a warning of the same
/// rule about the same file.
fn deduplicate(groups: Vec<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    let mut told = HashSet::new();
    let mut all = Vec::new();
    for mut sort in groups {
        sort.retain(|one| !told.contains(&(one.rule, one.file.clone())));
        told.extend(sort.iter().map(|one| (one.rule, one.file.clone())));
        all.extend(sort);
    }
    all
}

fn publishing_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    if site.snapshot.config.access == Access::Offline {
        return Vec::new();
    }
    let of_site = [sound_faults, card_faults, media_faults];
    let of_channel = [season_faults, picture_faults, podcast_faults, date_faults, text_faults];
    let parts = site.with_own_channels();
    let parts: Vec<&Site> = if parts.is_empty() { vec![site] } else { parts.iter().collect() };
    let found = parts.iter().flat_map(|part| of_channel.iter().flat_map(|rule| rule(root, part)));
    of_site.iter().flat_map(|rule| rule(root, site)).chain(found).collect()
}
