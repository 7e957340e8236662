//! Finds media that are too large, and media that the site does not use.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use super::Site;
use model::content_folder::MEDIA;
use model::{
    ContentFolder, ContentLink, Diagnostic, FileReport, LinkTarget, MediaFile, Rule, Severity,
    SitePath, folded,
};
use site::Snapshot;
use source::text::read_text;

/// Maximum size in bytes of a picture that has no smaller versions.
const MAX_PICTURE_SIZE: u64 = 4_000_000;

pub(super) fn media_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let mut found = large_pictures(root, site);
    found.extend(unused_media(root, site));
    found.extend(unpublished_siblings(root, site));
    found
}

/// Warns about large pictures that have no smaller versions and take long to load.
fn large_pictures(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let has_sizes = |file: &MediaFile| file.still.is_some() && snapshot.config.images.enabled;
    let is_picture = |file: &MediaFile| {
        let kinds = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "heic", "heif"];
        kinds.contains(&file.source.extension().as_str())
    };
    let files = snapshot.media.iter();
    let files = files.filter(|file| is_picture(file) && !has_sizes(file));
    let large = files.filter_map(|file| {
        let length = fs::metadata(file.source.on_disk(root)).ok()?.len();
        (length > MAX_PICTURE_SIZE).then_some((file, length))
    });
    let told = large.map(|(file, length)| {
        let megabytes = length / 1_000_000;
        let message = format!("this picture is {megabytes} MB, and has no smaller versions");
        let help = match file.source.extension().as_str() {
            "gif" => "save it as MP4; it will be about a tenth of the size",
            _ => "save it as JPEG, PNG or WebP with at most 2400 pixels a side",
        };
        let warning = Diagnostic::warning(Rule::LargePicture, message).help(help);
        warning.file(file.source.as_str())
    });
    told.collect()
}

/// Warns about files in `media/` of the site and its shows that no content, template, site file or theme option
/// refers to.
fn unused_media(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let referenced_files = referenced_files(snapshot);
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let pages = snapshot.with_shows().flat_map(|own| own.all_pages());
    let events = snapshot.with_shows().flat_map(|own| own.calendars.bodies());
    let channels = snapshot.with_shows().flat_map(|own| &own.channel.links);
    let links = items.flat_map(|item| &item.content.links);
    let links = links.chain(pages.flat_map(|entry| &entry.page.content.links));
    let links = links.chain(events.flat_map(|event| &event.content.links));
    let path = |link: &'_ ContentLink| match &link.target {
        LinkTarget::Path(path) => Some(path.clone()),
        _ => None,
    };
    let linked: HashSet<String> = links.chain(channels).filter_map(path).collect();
    let others = texts_outside_content(root, site);
    let of_options: HashSet<&SitePath> = site.theme.option_files().collect();
    let is_used = |file: &MediaFile| {
        let name = file.source.file_name();
        referenced_files.contains(file.source.as_str())
            || linked.contains(&file.path)
            || of_options.contains(&file.source)
            || others.iter().any(|text| text.contains(name))
            || snapshot.with_shows().flat_map(|own| &**own.redirects).any(|one| one.to == file.path)
    };
    let files = snapshot.media.iter();
    let files = files.filter(|file| ContentFolder::inner(MEDIA, file.source.as_str()).is_some());
    let mut found = FileReport::default();
    for file in files.filter(|file| !is_used(file)) {
        found.add(Severity::Warning, || {
            let message = "unused file: nothing on the site links to it, but it is published";
            let help = "remove it, or link to it; if only other sites link to it, turn this rule off under [check.paths]";
            let warning = Diagnostic::warning(Rule::UnusedMedia, message).help(help);
            warning.file(file.source.as_str())
        });
    }
    found.finish("content/media")
}

/// Returns the text of files outside the content that may refer to media: templates, site files,
/// and the style sheets, scripts and HTML files among the theme's options.
fn texts_outside_content<'a>(root: &Path, site: &'a Site) -> Vec<Cow<'a, str>> {
    let own = site.snapshot.site_files.iter().map(|file| &*file.template);
    let of_theme = site.theme.templates().map(|(_, template)| template.source());
    let options = site.theme.option_files();
    let options = options.filter(|file| matches!(&*file.extension(), "css" | "html" | "js"));
    let options = options.filter_map(|file| read_text(root, file).ok());
    let all = own.chain(of_theme).map(Cow::from);
    all.chain(options.map(Cow::from)).collect()
}

/// Returns the files that items, pages, events and the channel refer to.
fn referenced_files(snapshot: &Snapshot) -> HashSet<&str> {
    let items = snapshot.entries.iter().flat_map(|entry| &entry.item.media);
    let pages = snapshot.with_shows().flat_map(|own| own.all_pages());
    let pages = pages.flat_map(|entry| &entry.page.media);
    let events = snapshot.with_shows().flat_map(|own| own.calendars.bodies());
    let events = events.flat_map(|event| &event.media);
    let all = items.chain(pages).chain(events);
    let all = all.chain(snapshot.with_shows().flat_map(|own| &own.channel.media));
    all.map(|file| file.source.as_str()).collect()
}

/// Extensions of files that pages can display, play or offer for download. Other files next to an
/// `index.md`, such as a WAV master or the layers of a drawing, are the author's working files.
const SHOWN_EXTENSIONS: [&str; 14] = [
    "avif", "gif", "jpeg", "jpg", "m4a", "mp3", "mp4", "ogg", "opus", "png", "srt", "vtt", "webm",
    "webp",
];

/// Warns about media next to an `index.md` that no content refers to. Such media are not published,
/// which the author may not expect. Each folder gets one warning.
fn unpublished_siblings(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let (referenced_files, options) =
        (referenced_files(snapshot), site.theme.option_files().collect::<HashSet<_>>());
    let items = snapshot.entries.iter().map(|entry| &entry.item.source);
    let pages = snapshot.with_shows().flat_map(|own| &own.pages);
    let pages = pages.filter_map(|entry| entry.page.source.as_ref());
    let texts = items.chain(pages);
    let mut found = FileReport::default();
    for text in texts.filter(|text| text.stem() == "index") {
        let Some(folder) = text.parent() else {
            continue;
        };
        let mut left = media_in(root, folder);
        left.retain(|file| !referenced_files.contains(file.as_str()) && !options.contains(file));
        if left.is_empty() {
            continue;
        }
        // Skip media whose names appear in the `index.md` after all: in a comment, in code, with a
        // different spelling or under a wrong key. These cases have separate warnings.
        let text = read_text(root, text).unwrap_or_default();
        let text = folded(&text);
        left.retain(|file| !text.contains(&*folded(file.file_name())));
        let Some(first) = left.first() else { continue };
        found.add(Severity::Warning, || {
            let (what, which, them) = match left.len() - 1 {
                0 => (String::new(), "it is", "it"),
                1 => (" and one more in its folder".to_owned(), "they are", "them"),
                more => (format!(" and {more} more in its folder"), "they are", "them"),
            };
            let message = format!("no content refers to this file{what}, so {which} not published");
            let help = format!(
                "use {them} in the text or its front matter, move {them} into a subfolder, or remove {them}"
            );
            let warning = Diagnostic::warning(Rule::StrayFile, message).help(help);
            warning.file(first.as_str())
        });
    }
    found.finish("content")
}

/// Returns the media in a folder of the site, sorted by name.
fn media_in(root: &Path, folder: &str) -> BTreeSet<SitePath> {
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let shown = names.filter(|name| !name.starts_with('.'));
    let paths = shown.filter_map(|name| SitePath::parse(&format!("{folder}/{name}")));
    paths.filter(|path| SHOWN_EXTENSIONS.contains(&path.extension().as_str())).collect()
}
