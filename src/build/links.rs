//! Finds links that lead nowhere, once every public path is known.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::path::Path;

use super::Site;
use crate::model::{Diagnostic, FileReport, LinkTarget, Severity, Source};
use crate::source::load::{channel_file, read_text};

/// Links between content and to public paths that lead nowhere.
pub fn broken(root: &Path, site: &Site) -> Vec<Diagnostic> {
    if site.snapshot.has_no_links() {
        return Vec::new();
    }
    let sources: HashSet<&str> = site
        .snapshot
        .entries
        .iter()
        .filter(|entry| entry.is_public())
        .map(|entry| entry.item.source.as_str())
        .chain(
            site.snapshot
                .pages
                .iter()
                .chain([&site.snapshot.not_found])
                .filter_map(|entry| Some(entry.page.source.as_ref()?.as_str())),
        )
        .collect();
    let items = site
        .snapshot
        .entries
        .iter()
        .map(|entry| (Some(&entry.item.source), &entry.item.content.links));
    let pages = site
        .snapshot
        .pages
        .iter()
        .chain([&site.snapshot.not_found])
        .map(|entry| (entry.page.source.as_ref(), &entry.page.content.links));
    let events = site
        .snapshot
        .calendars
        .bodies()
        .map(|event| (Some(&event.source), &event.content.links));
    let channel = channel_file(root);
    let channel = [(channel.as_ref(), &site.snapshot.channel.links)];
    let mut found = Vec::new();
    for (source, links) in items.chain(pages).chain(events).chain(channel) {
        let Some(source) = source else { continue };
        let text = LazyCell::new(|| read_text(root, source).unwrap_or_default());
        let mut of_file = FileReport::default();
        for link in links {
            let message = match &link.target {
                LinkTarget::File(file) if !sources.contains(file.as_str()) => {
                    format!("this links to {file}, which is not public")
                }
                LinkTarget::Path(path) if site.find(path).is_none() => {
                    format!("this links to {path}, and the site has no such path")
                }
                _ => continue,
            };
            of_file.add(Severity::Warning, || {
                let file = Source {
                    path: source,
                    text: &text,
                };
                Diagnostic::warning(message)
                    .at(file, link.offset)
                    .help("correct the link")
            });
        }
        found.extend(of_file.finish(source.as_str()));
    }
    found
}
