//! Imports the folder of another generator's site.
//!
//! 1. [`tree`] lists the files. Each generator has a module with its settings, its template language,
//!    and the rules that decide which files are content files. [`walk`] reads the content files into
//!    a [`source`], and the generator's module adds their addresses.
//! 2. [`fields`] converts front matter to feedwright's keys. A key without an equivalent is
//!    reported once.
//! 3. [`shown`] finds the shortcodes that hide the text between their tags. [`tags`] finds
//!    shortcodes and template tags. The generator's module translates supported tags. Any other tag
//!    stays unchanged and is reported.
//! 4. [`links`] resolves references to the new locations of their targets, and [`markdown`] changes
//!    them in place.
//!
//! No program in the folder is executed, and no file in the folder is changed.

mod data;
mod dates;
mod eleventy;
mod episode;
mod feeds;
mod fields;
mod former;
mod front;
mod globs;
mod hugo;
mod jekyll;
mod kramdown;
mod languages;
mod links;
mod liquid;
mod markdown;
mod shown;
mod slug;
mod source;
mod tags;
mod tree;
mod walk;
mod zola;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use links::{Links, TextReferences};
use source::{Source, TagContext, Text};
use tags::Tag;
use tree::Tree;

use jiff::Timestamp;

use data::Data;
pub use data::of_table;
use serde_json::{Map, Value};

use super::found::{Body, Entry, Fate, Found, Hidden, Note};
use model::{ItemId, PageSlug, Slug, is_reserved};

/// A generator whose folders can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    Hugo,
    Jekyll,
    Zola,
    Eleventy,
}

/// Reads the folder of another generator's site.
pub fn read(generator: Generator, folder: &Path) -> Result<Found, String> {
    let description = match generator {
        Generator::Hugo => &hugo::HUGO,
        Generator::Jekyll => &jekyll::JEKYLL,
        Generator::Zola => &zola::ZOLA,
        Generator::Eleventy => &eleventy::ELEVENTY,
    };
    let mut tree = Tree::of(folder, description.without)?;
    let source = (description.read)(&mut tree);
    let source = source.map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(found(source, &tree))
}

fn found(mut source: Source, tree: &Tree) -> Found {
    conditions(&mut source);
    former::assign_addresses(&mut source);
    let mut found = Found::new(source.description.kind);
    found.languages = languages::of(&mut source);
    found.is_foreign = false;
    found.notes = std::mem::take(&mut source.notes);
    found.hidden = std::mem::take(&mut source.skipped);
    tree.notes.iter().for_each(|note| found.note(&*note.message, &*note.place));
    found.base_url = source.base_url.clone();
    found.settings = std::mem::take(&mut source.settings);
    let zone = source.zone.iana_name().filter(|name| *name != "UTC");
    found.settings.extend(zone.map(|name| ("timezone", format!("\"{name}\""))));
    found.redirects = std::mem::take(&mut source.redirects);
    found.channel = Some(channel(std::mem::take(&mut source.channel)));
    let mut links = Links::of(&source, tree);
    let mut identities: HashSet<String> = HashSet::new();
    for text in &source.texts {
        let mut own = TextReferences { links: &mut links, text, files: own_files(text, tree) };
        let mut entry = entry(&source, &mut own, &mut found);
        if !identities.insert(entry.identity.clone()) {
            ensure_unique_guid(&mut entry, text, &mut found);
        }
        visibility(&mut entry, text, &mut found);
        match text.is_page {
            true => found.pages.push(entry),
            false => found.items.push(entry),
        }
    }
    found.defaults = inherited_values(&source, &found);
    found.files = links.shared;
    report_unreferenced(tree, &mut found);
    links.notes.into_iter().for_each(|note| super::found::add(&mut found.notes, note));
    found.items.sort_by_key(|entry| entry.fields.get("date_published").map(ToString::to_string));
    found
}

/// Hides content files with template tags that may hide a part of the body.
fn conditions(source: &mut Source) {
    let deciding = &source.deciding;
    for text in &mut source.texts {
        let engine = text.engine.unwrap_or(source.engine);
        let mut at = 0;
        let body = text.body.clone();
        while let Some(tag) = Tag::next(&body, at, engine.forms) {
            at = tag.span.end;
            if deciding.iter().any(|name| name == tag.name) {
                let line = text.line_of(&tag);
                let written = &body[tag.span.clone()];
                text.hide(format!("`{written}` on line {line} may hide text"));
                break;
            }
            if tag.form.0 != "{%" {
                continue;
            }
            // `{% set a = 1 %}` only sets a value, but `{% set a %}` captures the text after it.
            let is_value = tag.name == "set" && tag.inner.contains('=');
            if matches!(tag.name, "raw" | "verbatim" | "comment") {
                let end = tag.until(&format!("end{}", tag.name));
                at = end.map_or(at, |(_, end)| end);
            } else if engine.conditions.contains(&tag.name) && !is_value {
                let line = text.line_of(&tag);
                text.hide(format!("`{{% {} %}}` on line {line} may hide text", tag.inner));
                break;
            }
        }
    }
}

/// Gives an entry a new identity if another entry has the same guid.
fn ensure_unique_guid(entry: &mut Entry, text: &Text, found: &mut Found) {
    let identity = format!("{}#{}", entry.identity, text.path);
    let id = ItemId::derive(&identity).to_string();
    let message =
        format!("duplicate guid or address `{}`; this entry got a new id", entry.identity);
    found.note(message, &*text.path);
    entry.fields.remove("guid");
    entry.set("id", id.as_str());
    entry.identity = if text.is_page { id } else { identity };
}

/// Sets the status of an entry, and reports content that was not public.
fn visibility(entry: &mut Entry, text: &Text, found: &mut Found) {
    let mut report = |reason: String, fate| {
        found.hidden.push(Hidden { place: text.path.clone(), reason, fate });
    };
    let at = entry.fields.get("date_published").and_then(data::text);
    let instant = at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
    if let Some(reason) = &text.hidden {
        entry.set("status", "unpublished");
        report(reason.clone(), Fate::Unpublished);
    } else if entry.fields.get("status").is_some_and(|status| status == "unpublished") {
        report("its front matter hides it".to_owned(), Fate::Unpublished);
    } else if let (Some(at), true) = (at, instant.is_some_and(|at| at > Timestamp::now())) {
        report(format!("its date {at} is in the future"), Fate::Waits);
    } else if text.is_unlisted {
        entry.set("status", "unlisted");
        found.note("an entry that appears in no list got the status `unlisted`", &*text.path);
    }
}

/// Reports pictures, recordings and documents that no content file refers to.
fn report_unreferenced(tree: &Tree, found: &mut Found) {
    const KINDS: [&str; 21] = [
        "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "mp3", "m4a", "ogg", "opus", "wav",
        "flac", "mp4", "webm", "mov", "pdf", "epub", "zip", "vtt", "srt",
    ];
    let entries = found.items.iter().chain(&found.pages);
    let used: HashSet<&std::path::PathBuf> =
        entries.flat_map(|entry| entry.files.values()).chain(found.files.values()).collect();
    let is_media = |path: &str| KINDS.contains(&&*tree::ending(path).1.to_ascii_lowercase());
    let skipped = tree.files.iter().filter(|(path, file)| is_media(path) && !used.contains(file));
    let skipped: Vec<&str> = skipped.map(|(path, _)| path.as_str()).collect();
    if let [first, ..] = &skipped[..] {
        let message = format!("unreferenced files were not copied: {}", skipped.len());
        found.note(
            message,
            if skipped.len() < 20 { skipped.join(", ") } else { format!("{first}, …") },
        );
    }
}

/// Returns the files in a content file's folder that are not content files.
fn own_files(text: &Text, tree: &Tree) -> std::collections::BTreeMap<String, std::path::PathBuf> {
    let Some(folder) = &text.folder else {
        return Default::default();
    };
    let names = tree.below(folder).filter(|path| !tree::is_text(path));
    let files = names.filter_map(|path| {
        Some((path.strip_prefix(folder.as_str())?.to_owned(), tree.files.get(path)?.clone()))
    });
    files.collect()
}

/// Returns the values that the items in each folder inherit, if all these items have a value.
fn inherited_values(source: &Source, found: &Found) -> BTreeMap<String, Map<String, Value>> {
    let of_folder = |(folder, keys): (&String, &Vec<&'static str>)| {
        let below = format!("{folder}/");
        let is_own = |entry: &&Entry| entry.folder == *folder || entry.folder.starts_with(&below);
        let items: Vec<&Entry> = found.items.iter().filter(is_own).collect();
        let usual = |key: &&'static str| {
            let values: Option<Vec<&Value>> =
                items.iter().map(|item| item.fields.get(*key)).collect();
            let values = values?;
            let count = |value: &&Value| values.iter().filter(|other| other == &value).count();
            let usual = values.iter().copied().max_by_key(count)?;
            (count(&usual) > 1).then(|| ((*key).to_owned(), usual.clone()))
        };
        (folder.clone(), keys.iter().filter_map(usual).collect::<Map<_, _>>())
    };
    let all = source.inherited.iter().map(of_folder);
    all.filter(|(_, fields)| !fields.is_empty()).collect()
}

/// Returns the segment in the address that a content file states: the whole address of a page without
/// its language, or the last part of the address of an item.
fn stated_segment(text: &Text, language_path: &str) -> Option<String> {
    let address = text.address.as_deref().filter(|_| text.states_address)?;
    let rest = address.strip_prefix(language_path).filter(|rest| rest.starts_with('/'));
    let path = rest.unwrap_or(address).trim_matches('/');
    let segment = if text.is_page { path } else { path.rsplit('/').next()? };
    let is_valid = match text.is_page {
        true => PageSlug::parse(segment).is_ok() && !is_reserved(segment),
        false => Slug::parse(segment).is_ok() && !segment.contains('.'),
    };
    is_valid.then(|| segment.to_owned())
}

/// Returns the folder of an item with valid names.
fn source_folder(text: &Text) -> String {
    let parts = text.item_folder.split('/').filter(|part| !part.is_empty());
    let parts = parts.filter_map(PageSlug::from_title).map(|part| part.to_string());
    parts.collect::<Vec<_>>().join("/")
}

fn channel(mut fields: Data) -> Entry {
    let mut entry = Entry { place: "the site's settings".to_owned(), ..Entry::default() };
    if let Some(description) = fields.remove("description").as_ref().and_then(data::text) {
        entry.body = Body::Markdown(format!("{description}\n"));
    }
    for (key, value) in fields {
        entry.set(&key, value);
    }
    entry
}

fn entry(source: &Source, own: &mut TextReferences<'_, '_>, found: &mut Found) -> Entry {
    let text = own.text;
    let address = text.address.as_deref().zip(source.base_url.as_ref());
    let address = address.and_then(|(path, base)| {
        fetch::Url::parse(&format!("{}{path}", base.as_str().trim_end_matches('/'))).ok()
    });
    let mut entry =
        Entry { place: text.path.clone(), segment: text.segment.clone(), ..Entry::default() };
    entry.translation_key = text.same.clone();
    entry.folder.clone_from(&text.section);
    entry.source_folder = source_folder(text);
    entry.states_address = text.states_address;
    entry.is_section = text.is_section;
    entry.language_path = source.language_path(text);
    entry.segment = stated_segment(text, &entry.language_path).or(entry.segment);
    fields::fill(&mut entry, source, own, found);
    let known = entry.fields.get("guid").and_then(data::text).or_else(|| text.guid.clone());
    let known = known.or_else(|| address.as_ref().map(ToString::to_string));
    let identity =
        known.clone().unwrap_or_else(|| text.address.clone().unwrap_or_else(|| text.path.clone()));
    let id = ItemId::derive(&identity);
    entry.set("id", id.to_string());
    if !text.is_page {
        entry.set("guid", known);
    }
    let mut aliases = text.aliases.clone();
    if address.is_none() {
        // Without a base address, the former path is kept as an alias.
        aliases.extend(text.address.clone().filter(|path| path != "/"));
    }
    entry.set("aliases", aliases);
    entry.identity = if text.is_page { id.to_string() } else { identity };
    entry.address = address;
    let first = match std::mem::take(&mut entry.body) {
        Body::Markdown(first) => first,
        _ => String::new(),
    };
    let body = translated_body(source, text, found);
    let mut change = |role, reference: &str| own.reference(role, reference);
    let is_empty = body.trim().is_empty();
    entry.body = match text.is_html {
        true => Body::Html(markdown::in_html(&body, &mut change)),
        false if is_empty && first.is_empty() => Body::None,
        false => Body::Markdown(format!(
            "{first}{}",
            markdown::rewrite(body.trim_start_matches('\n'), &mut change)
        )),
    };
    entry.files = std::mem::take(&mut own.files);
    entry
}

/// Returns the body of a content file with translated tags. Each unsupported tag is reported.
fn translated_body(source: &Source, text: &Text, found: &mut Found) -> String {
    let body = &*text.body;
    let asked = TagContext { source, text };
    let mut out = String::with_capacity(body.len());
    let mut at = 0;
    let forms = text.engine.unwrap_or(source.engine).forms;
    while let Some(tag) = Tag::next(body, at, forms) {
        out += &body[at..tag.span.start];
        let instead =
            (source.description.translate)(&tag, &asked).filter(|(_, end)| *end >= tag.span.end);
        if let Some(("", end)) = instead.as_ref().map(|(new, end)| (new.as_str(), *end))
            && (end > tag.span.end || tag.form.0 == "{#" || tag.inner.starts_with('#'))
        {
            let line = text.line_of(&tag);
            let name = if tag.name.is_empty() { "comment" } else { tag.name };
            let message = format!("text hidden by `{name}` was left out");
            found.note(message, format!("{}:{line}", text.path));
        }
        let (new, end) = instead.unwrap_or_else(|| {
            if !tag.is_end() {
                let line = text.line_of(&tag);
                let written: String = body[tag.span.clone()].chars().take(100).collect();
                let message = format!(
                    "`{}` is not supported; it was kept in {}, line {line}",
                    written.replace('\n', " "),
                    text.path
                );
                found.notes.push(Note::new(message, String::new()));
            }
            (body[tag.span.clone()].to_owned(), tag.span.end)
        });
        out += &new;
        at = end;
    }
    out + &body[at..]
}
