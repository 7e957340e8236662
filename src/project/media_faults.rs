//! Finds media that weigh too much, and those that nothing on the site names.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use super::Site;
use model::{
    ContentLink, Diagnostic, FileReport, LinkTarget, MediaFile, Rule, Severity, SitePath, folded,
};
use site::Snapshot;
use source::text::read_text;

/// Of a picture that is sent whole, in bytes.
const MOST: u64 = 4_000_000;

pub(super) fn media_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let mut found = large_pictures(root, site);
    found.extend(unused(root, site));
    found.extend(left_beside(root, site));
    found
}

/// Pictures without smaller sizes that take long to load.
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
fn unused(root: &Path, site: &Site) -> Vec<Diagnostic> {
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
    let linked: HashSet<String> = links.chain(&snapshot.channel.links).filter_map(path).collect();
    let others = other_texts(root, site);
    let is_used = |file: &MediaFile| {
        let name = file.source.file_name();
        named.contains(file.source.as_str())
            || linked.contains(&file.path)
            || site.theme.options.files.contains(&file.source)
            || others.iter().any(|text| text.contains(name))
            || snapshot.redirects.iter().any(|one| one.to == file.path)
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

/// What may name a file without a word of it in any content: templates, and the style sheets and pieces of HTML among the
/// options of the theme.
fn other_texts<'a>(root: &Path, site: &'a Site) -> Vec<Cow<'a, str>> {
    let own = site.snapshot.site_files.iter().map(|file| &*file.template);
    let of_theme = site.theme.templates().map(|(_, template)| template.source());
    let options = site.theme.options.files.iter();
    let options = options.filter(|file| matches!(&*file.extension(), "css" | "html" | "js"));
    let options = options.filter_map(|file| read_text(root, file).ok());
    let all = own.chain(of_theme).map(Cow::from);
    all.chain(options.map(Cow::from)).collect()
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
        // In a comment, in code, in another spelling or under a wrong key, of which is told by itself.
        let text = read_text(root, text).unwrap_or_default();
        let text = folded(&text);
        left.retain(|file| !text.contains(&*folded(file.file_name())));
        let Some(first) = left.first() else { continue };
        found.add(Severity::Warning, || {
            let (what, which, them) = match left.len() - 1 {
                0 => (String::new(), "it is", "it"),
                1 => (" and one more of its folder".to_owned(), "they are", "them"),
                more => (format!(" and {more} more of its folder"), "they are", "them"),
            };
            let message = format!("nothing names this file{what}, and {which} not published");
            let help = format!(
                "name {them} in the text or in its front matter, move {them} into a folder beside it, or remove {them}"
            );
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
    paths.filter(|path| SHOWN.contains(&path.extension().as_str())).collect()
}
