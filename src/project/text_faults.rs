//! Finds pictures without alternative text, and titles and summaries that are too long for apps.

use std::path::Path;

use front_matter::{Node, Table, Value};
use rayon::prelude::*;

use super::Site;
use super::podcast_faults::MAX_DESCRIPTION;
use model::{
    Category, Config, Diagnostic, FileReport, Image, Item, MarkdownConfig, Rule, Severity,
    SitePath, Source, Status,
};
use source::alternatives::pictures_without_alternatives;
use source::channel_file::channel_file;
use source::notation::Notation;
use source::place::place_of;
use source::text::read_text;

/// Maximum length of a title in characters. YouTube refuses longer titles; most programs truncate
/// them earlier.
const MAX_TITLE_LENGTH: usize = 100;

/// Returns warnings about events, the channel, and all items and pages that are not drafts.
pub(super) fn text_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let is_meant = |status: Status| status != Status::Unpublished;
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let items: Vec<_> = items.filter(|item| is_meant(item.status)).collect();
    let pages = snapshot.pages.iter().map(|entry| &*entry.page);
    let pages = pages.filter(|page| is_meant(page.status));
    let events = snapshot.calendars.bodies().map(|event| &event.source);
    let channel = channel_file(root, &snapshot.config.content);
    let mut found: Vec<Diagnostic> = items
        .iter()
        .filter_map(|item| {
            let length = item.title.chars().count();
            let title = (length, "characters", MAX_TITLE_LENGTH);
            warn_too_long(root, &item.source, "title", title).or_else(|| {
                let summary = item.summary.as_deref().unwrap_or_default();
                let summary = (summary.len(), "bytes", MAX_DESCRIPTION);
                warn_too_long(root, &item.source, "summary", summary)
            })
        })
        .collect();
    let of_fields: Vec<Diagnostic> = items
        .par_iter()
        .flat_map_iter(|item| field_pictures_without_alt(root, &snapshot.config, item))
        .collect();
    // Several items can have the same default.
    for one in of_fields {
        if one.file.as_deref() != Some("site.toml") || !found.contains(&one) {
            found.push(one);
        }
    }
    let markdown = &snapshot.config.markdown;
    let mut files: Vec<&SitePath> = items.iter().map(|item| &item.source).collect();
    files.extend(pages.filter_map(|page| page.source.as_ref()));
    files.extend(events);
    files.extend(channel.as_ref());
    found.par_extend(files.into_par_iter().flat_map_iter(|path| {
        let text = read_text(root, path).unwrap_or_default();
        pictures_without_alt(Source { path, text: &text }, markdown)
    }));
    found
}

fn warn_too_long(
    root: &Path,
    file: &SitePath,
    key: &str,
    (length, unit, max): (usize, &str, usize),
) -> Option<Diagnostic> {
    let message = format!("`{key}` has {length} {unit}: apps may cut it off after {max}");
    let warning = Diagnostic::warning(Rule::LongText, message).help("shorten it");
    (length > max).then(|| place_of(root, file, key, "", warning))
}

/// Warns about pictures in an item's front matter without alternative text. The cover of an episode
/// needs no alternative text, because pages show it as decoration next to the title.
fn field_pictures_without_alt(root: &Path, config: &Config, item: &Item) -> Vec<Diagnostic> {
    let has_words = |image: Option<&Image>| image.is_some_and(|image| image.alt.is_some());
    let is_attached = item.attachment.as_ref().is_some_and(|file| file.category == Category::Image);
    let mut keys = Vec::new();
    if item.image.is_some() && !has_words(item.image.as_ref()) && !item.is_episode() {
        keys.push("image");
    } else if item.image.is_none() && is_attached {
        keys.push("attachment");
    }
    if item.banner_image.is_some() && !has_words(item.banner_image.as_ref()) {
        keys.push("banner_image");
    }
    if keys.is_empty() {
        return Vec::new();
    }
    let text = read_text(root, &item.source).unwrap_or_default();
    let source = Source { path: &item.source, text: &text };
    let front = source.front_matter().ok();
    keys.retain(|key| !front.as_ref().is_some_and(|front| is_decoration(&front.table, key)));
    let notation = Notation::of(source);
    let found = keys.into_iter().filter_map(|key| {
        let written = if key == "attachment" { "image" } else { key };
        let table = notation.table(&[("url", "…"), ("alt", "\"Two boats in the harbour\"")]);
        let help = format!("describe the picture: {}", notation.pair(written, &table));
        let message = format!("the picture in `{key}` has no alternative text");
        let warning = Diagnostic::warning(Rule::AltText, message).help(help);
        let is_own = front.as_ref().is_some_and(|front| front.table.get(key).is_some());
        match config.defaults.of_file(&config.languages, &item.source).filter(|_| !is_own) {
            Some(defaults) if is_decoration(&defaults.table, key) => None,
            Some(defaults) => Some(place_in_site(root, defaults.table.get(key), warning)),
            None => Some(place_of(root, &item.source, key, "", warning)),
        }
    });
    found.collect()
}

/// Adds the position of a default in `site.toml` to a warning.
fn place_in_site(root: &Path, default: Option<&Node>, warning: Diagnostic) -> Diagnostic {
    let Some(path) = SitePath::parse("site.toml") else { return warning };
    let text = read_text(root, &path).unwrap_or_default();
    let at = default.map_or(0, |node| node.span.start);
    warning.at(Source { path: &path, text: &text }, at)
}

/// Returns whether an empty `alt` marks a picture as decorative.
fn is_decoration(front: &Table, key: &str) -> bool {
    match front.get(key).map(|node| &node.value) {
        Some(Value::Table(image)) => {
            let alt = image.get("alt").map(|node| &node.value);
            matches!(alt, Some(Value::String(text)) if text.trim().is_empty())
        }
        _ => false,
    }
}

/// Warns about pictures in a file's body without alternative text.
fn pictures_without_alt(source: Source<'_>, config: &MarkdownConfig) -> Vec<Diagnostic> {
    let mut found = FileReport::default();
    for place in pictures_without_alternatives(source, config) {
        found.add(Severity::Warning, || {
            let message = "this picture has no alternative text";
            let help = "describe the picture: ![Two boats in the harbour](boats.jpg); for a decorative picture, write <img alt=\"\">";
            let warning = Diagnostic::warning(Rule::AltText, message).help(help);
            warning.at(source, place)
        });
    }
    found.finish(source.path.as_str())
}
