//! Checks of the albums in `site.toml` that depend on the items.

use std::path::Path;

use super::facets::FacetKind;
use super::items::Items;
use model::{Album, AlbumContents, Config, Diagnostic, Report, Rule, SitePath, folded};
use source::place::place_in_list;

/// Warns about albums without items, and about covers that cannot be shown.
pub fn check(root: &Path, config: &Config, items: &Items, report: &mut Report) {
    let Some(file) = SitePath::parse("site.toml").filter(|_| !config.albums.is_empty()) else {
        return;
    };
    for (album, at) in config.albums.iter().zip(0..) {
        let found = match items.facets.position(FacetKind::Album, album.slug.as_str()) {
            None => Some(emptiness(album)),
            Some(_) => album.cover.as_deref().and_then(|cover| cover_problem(items, cover)),
        };
        if let Some((key, message, help)) = found {
            let warning = Diagnostic::warning(Rule::Album, message).help(help);
            report.push(place_in_list(root, &file, ["albums", key], at, warning));
        }
    }
}

/// A key of an album, with the message and the help of its warning.
type AlbumProblem = (&'static str, String, &'static str);

fn emptiness(album: &Album) -> AlbumProblem {
    let (key, message) = match &album.contents {
        AlbumContents::Tag(tag) => ("tag", format!("no published item has the tag \"{tag}\"")),
        AlbumContents::Folder(path) => ("folder", format!("no published item is in {path}")),
    };
    (
        key,
        message,
        "correct the name, or remove the album; it has no page until an item is published",
    )
}

fn cover_problem(items: &Items, cover: &str) -> Option<AlbumProblem> {
    let message = match items.keys.owners.get(&folded(cover)) {
        None => format!("no item has the address or id {cover:?}"),
        Some(entry) if !entry.is_published() => format!("the item {cover:?} is not published"),
        Some(entry) if entry.picture().is_none() => format!("the item {cover:?} has no picture"),
        Some(_) => return None,
    };
    let help = "write the last part of the address of an item with a picture, or remove `cover`";
    Some(("cover", message, help))
}
