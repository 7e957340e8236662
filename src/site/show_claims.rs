//! Checks that nothing else of the site is published below the path of a show.

use std::path::Path;

use super::item_entry::Entries;
use super::snapshot::{Edition, PageEntry};
use model::{Diagnostic, Report};
use source::show::place_of_path;

/// Reports shows whose paths pages or items of the site use already.
pub fn check(
    root: &Path,
    shows: &[Edition],
    (entries, pages): (&Entries, &[PageEntry]),
    report: &mut Report,
) {
    for show in shows {
        let config = &show.snapshot.config;
        let mount = config.preview_mount();
        let below = [&*mount, "/"].concat();
        let uses = |path: &str| path.starts_with(&below) || path == mount;
        let page = pages.iter().find(|entry| {
            let aliases = entry.page.aliases.iter().map(|alias| alias.as_str());
            [entry.page.slug.as_str()]
                .into_iter()
                .chain(aliases)
                .any(|slug| uses(&["/", slug].concat()))
        });
        let page = page.and_then(|entry| entry.page.source.as_ref());
        // Only a chosen path can be below the path of a show.
        let item = || {
            let mut own = entries.iter().filter(|entry| entry.channel.is_none());
            own.find(|entry| uses(&entry.path)).map(|entry| &entry.item.source)
        };
        if let Some(other) = page.or_else(item) {
            let message = format!("the path {below} is already used by {other}");
            let help = match &config.own_url {
                None => format!("give the show another `path`, or change the address of {other}"),
                Some(_) => format!(
                    "rename the folder of the show, which a preview has at this path, or change the address of {other}"
                ),
            };
            report.push(place_of_path(root, config, Diagnostic::error(message).help(help)));
        }
    }
}
