//! Finds media that weigh too much, and those that nothing on the site names.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::Site;
use crate::model::{ContentLink, Diagnostic, FileReport, LinkTarget, MediaFile, Rule, Severity};

/// Of a picture that is sent whole, in bytes.
const MOST: u64 = 4_000_000;

pub(super) fn media_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let mut found = large_pictures(root, site);
    found.extend(unused(site));
    found
}

/// Pictures without smaller sizes that take long to load.
fn large_pictures(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let has_sizes = |file: &MediaFile| file.still.is_some() && snapshot.config.images.enabled;
    let is_picture = |file: &MediaFile| {
        let kinds = [
            "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "heic", "heif",
        ];
        kinds.contains(&file.source.extension().as_str())
    };
    let files = snapshot.media.iter();
    let files = files.filter(|file| is_picture(file) && !has_sizes(file));
    let large = files.filter_map(|file| {
        let length = fs::metadata(file.source.on_disk(root)).ok()?.len();
        (length > MOST).then_some((file, length))
    });
    let told = large.map(|(file, length)| {
        let megabytes = length / 1_000_000;
        let message =
            format!("this picture has {megabytes} MB, and no smaller sizes are made of it");
        let help = match file.source.extension().as_str() {
            "gif" => "save it as MP4: a moving picture has a tenth of the size so",
            _ => "save it with 2400 pixels a side at most, as JPEG, PNG or WebP",
        };
        let warning = Diagnostic::warning(Rule::LargePicture, message).help(help);
        warning.file(file.source.as_str())
    });
    told.collect()
}

/// The files of `content/media/` that no text, no Site File and no option of the theme names.
fn unused(site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let pages = snapshot.pages.iter().chain([&snapshot.not_found]);
    let events = || snapshot.calendars.bodies();
    let media = items.clone().flat_map(|item| &item.media);
    let media = media.chain(pages.clone().flat_map(|entry| &entry.page.media));
    let media = media.chain(events().flat_map(|event| &event.media));
    let media = media.chain(&snapshot.channel.media);
    let named: HashSet<&str> = media.map(|file| file.source.as_str()).collect();
    let links = items.flat_map(|item| &item.content.links);
    let links = links.chain(pages.flat_map(|entry| &entry.page.content.links));
    let links = links.chain(events().flat_map(|event| &event.content.links));
    let path = |link: &'_ ContentLink| match &link.target {
        LinkTarget::Path(path) => Some(path.clone()),
        _ => None,
    };
    let linked: HashSet<String> = links
        .chain(&snapshot.channel.links)
        .filter_map(path)
        .collect();
    let options = &site.theme.options.files;
    let is_used = |file: &MediaFile| {
        let in_site_file = |template: &str| template.contains(file.source.file_name());
        named.contains(file.source.as_str())
            || linked.contains(&file.path)
            || options.contains(&file.source)
            || snapshot
                .site_files
                .iter()
                .any(|own| in_site_file(&own.template))
    };
    let files = snapshot.media.iter();
    let files = files.filter(|file| file.source.as_str().starts_with("content/media/"));
    let mut found = FileReport::default();
    for file in files.filter(|file| !is_used(file)) {
        found.add(Severity::Warning, || {
            let message = "nothing on the site names this file; it is published all the same";
            let help = "remove it, or name it somewhere; where it is linked from elsewhere, silence this below [check.paths]";
            let warning = Diagnostic::warning(Rule::UnusedMedia, message).help(help);
            warning.file(file.source.as_str())
        });
    }
    found.finish("content/media")
}
