//! Finds media that weigh too much, and those that nothing on the site names.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use super::Site;
use crate::model::{
    ContentLink, Diagnostic, FileReport, LinkTarget, MediaFile, Rule, Severity, SitePath,
};
use crate::site::Snapshot;
use crate::source::text::read_text;

/// Of a picture that is sent whole, in bytes.
const MOST: u64 = 4_000_000;

pub(super) fn media_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let mut found = large_pictures(root, site);
    found.extend(unused(site));
    found.extend(left_beside(root, site));
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
    let named = named(snapshot);
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let pages = snapshot.pages.iter().chain([&snapshot.not_found]);
    let events = || snapshot.calendars.bodies();
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

/// The files that items, Pages, events and the channel name.
fn named(snapshot: &Snapshot) -> HashSet<&str> {
    let items = snapshot.entries.iter().flat_map(|entry| &entry.item.media);
    let pages = snapshot.pages.iter().chain([&snapshot.not_found]);
    let pages = pages.flat_map(|entry| &entry.page.media);
    let events = snapshot.calendars.bodies();
    let events = events.flat_map(|event| &event.media);
    let all = items.chain(pages).chain(events);
    let all = all.chain(&snapshot.channel.media);
    all.map(|file| file.source.as_str()).collect()
}

/// What pages show, play and offer. A master in WAV, a drawing's layers and whatever else lies beside a text is its
/// author's own.
const SHOWN: [&str; 14] = [
    "avif", "gif", "jpeg", "jpg", "m4a", "mp3", "mp4", "ogg", "opus", "png", "srt", "vtt", "webm",
    "webp",
];

/// Media that lie directly beside an `index.md` and are named by nothing: they are not published, which may not be what
/// their author thinks. One warning a folder.
fn left_beside(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let (named, options) = (named(snapshot), &site.theme.options.files);
    let items = snapshot.entries.iter().map(|entry| &entry.item.source);
    let pages = snapshot.pages.iter();
    let pages = pages.filter_map(|entry| entry.page.source.as_ref());
    let texts = items.chain(pages);
    let mut found = FileReport::default();
    for text in texts.filter(|text| text.stem() == "index") {
        let Some(folder) = text.parent() else {
            continue;
        };
        let mut left = media_in(root, folder);
        left.retain(|file| !named.contains(file.as_str()) && !options.contains(file));
        if left.is_empty() {
            continue;
        }
        // In a comment, in code, in a text that is not shown: its author knows of it.
        let text = read_text(root, text).unwrap_or_default();
        left.retain(|file| !text.contains(file.file_name()));
        let Some(first) = left.first() else { continue };
        found.add(Severity::Warning, || {
            let message = match left.len() - 1 {
                0 => "nothing names this file, and it is not published".to_owned(),
                1 => "nothing names this file and one more of its folder, and they are not published".to_owned(),
                more => format!("nothing names this file and {more} more of its folder, and they are not published"),
            };
            let help = "name them in the text or in its front matter, move them into a folder beside it, or remove them";
            let warning = Diagnostic::warning(Rule::StrayFile, message).help(help);
            warning.file(first.as_str())
        });
    }
    found.finish("content")
}

/// The media that lie in a folder of the site, by name.
fn media_in(root: &Path, folder: &str) -> BTreeSet<SitePath> {
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let shown = names.filter(|name| !name.starts_with('.'));
    let paths = shown.filter_map(|name| SitePath::parse(&format!("{folder}/{name}")));
    paths
        .filter(|path| SHOWN.contains(&path.extension().as_str()))
        .collect()
}
