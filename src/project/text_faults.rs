//! Finds what readers miss in texts: what a picture shows, and titles that are cut.

use std::path::Path;

use rayon::prelude::*;

use super::Site;
use crate::model::{Diagnostic, FileReport, Rule, Severity, SitePath, Source, Status};
use crate::source::alternatives::without_alternatives;
use crate::source::channel_file::channel_file;
use crate::source::place::place_of;
use crate::source::text::read_text;

/// YouTube refuses longer titles; most programs cut them earlier.
const TITLE: usize = 100;

/// Apple Podcasts cuts longer descriptions.
const SUMMARY: usize = 4000;

/// What is wrong with the texts of items, Pages, events and the channel that are public, or will be.
pub(super) fn text_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let is_meant = |status: Status| status != Status::Unpublished;
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let items: Vec<_> = items.filter(|item| is_meant(item.status)).collect();
    let pages = snapshot.pages.iter().map(|entry| &*entry.page);
    let pages = pages.filter(|page| is_meant(page.status));
    let events = snapshot.calendars.bodies().map(|event| &event.source);
    let channel = channel_file(root);
    let mut found: Vec<Diagnostic> = items
        .iter()
        .filter_map(|item| {
            let length = item.title.chars().count();
            too_long(root, &item.source, "title", length, TITLE).or_else(|| {
                let summary = item.summary.as_deref().unwrap_or_default();
                let length = summary.chars().count();
                too_long(root, &item.source, "summary", length, SUMMARY)
            })
        })
        .collect();
    let mut files: Vec<&SitePath> = items.iter().map(|item| &item.source).collect();
    files.extend(pages.filter_map(|page| page.source.as_ref()));
    files.extend(events);
    files.extend(channel.as_ref());
    found.par_extend(files.into_par_iter().flat_map_iter(|path| {
        let text = read_text(root, path).unwrap_or_default();
        pictures_without_words(Source { path, text: &text })
    }));
    found
}

fn too_long(
    root: &Path,
    file: &SitePath,
    key: &str,
    length: usize,
    most: usize,
) -> Option<Diagnostic> {
    let message = format!("`{key}` has {length} characters, and apps may cut it after {most}");
    let warning = Diagnostic::warning(Rule::LongText, message).help("shorten it");
    (length > most).then(|| place_of(root, file, key, "", warning))
}

/// The pictures of a file's body that have no alternative text.
fn pictures_without_words(source: Source<'_>) -> Vec<Diagnostic> {
    let mut found = FileReport::default();
    for place in without_alternatives(source) {
        found.add(Severity::Warning, || {
            let message = "this picture has no alternative text";
            let help = "say what it shows: ![Two boats in the harbour](boats.jpg); of one that only decorates, write <img alt=\"\">";
            let warning = Diagnostic::warning(Rule::AltText, message).help(help);
            warning.at(source, place)
        });
    }
    found.finish(source.path.as_str())
}
