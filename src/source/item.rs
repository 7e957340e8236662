//! Conversion of an item's file to an [`Item`].

use std::ops::Range;

use front_matter::{FrontMatter, Node, Value};
use jiff::Timestamp;
use jiff::civil::Date;

use super::attachment::attachment;
use super::body::content;
use super::chapters::embedded;
use super::check::validate_allowed;
use super::dates;
use super::fields::{Fields, Reader};
use super::records::{Found, Rules, one, read_section};
use super::reference::Reference;
use super::{key_advice, podcast, shared_fields};
use model::ArtworkRoles;
use model::{Category, Fix, ITEM, Item, ItemId, ItemItunes, Rule, Series, Slug, Status};

/// Maximum number of tags of an item. The output grows with the square of this number: each tag has
/// a page, and that page lists all tags of the item.
pub const MAX_TAGS: usize = 100;

/// Reads an item. Returns `None` if its front matter cannot be parsed or its id is invalid.
pub fn read(reader: &Reader<'_>) -> Option<Item> {
    read_front(reader, &reader.front_matter_with_defaults()?)
}

/// Reads an item from its front matter, which includes defaults.
pub fn read_front(reader: &Reader<'_>, front: &FrontMatter) -> Option<Item> {
    let fields = Fields::of_file(reader, &front.table, ITEM);
    fields.set_key_advice(key_advice::ITEM);
    let item = item(reader, &fields, front);
    validate_allowed(&fields);
    fields.finish();
    item
}

fn item(reader: &Reader<'_>, fields: &Fields<'_, '_>, front: &FrontMatter) -> Option<Item> {
    let named = id(fields, front);
    // An error in the id is already reported. The other fields are still read to find their errors.
    let is_known = named.is_some();
    let (id, id_is_derived) = named.unwrap_or_else(|| (ItemId::derive(""), true));
    let scope = id.to_string();
    let (slug, aliases, former_paths) = addresses(fields);
    let (attachment, reference) = attachment(fields, &front_span(front)).unzip();
    let mut tags = fields.table("podcast", podcast::item_podcast).unwrap_or_default();
    if let Some(facts) = reference.as_ref().and_then(Reference::facts) {
        tags.adopt_embedded_chapters(facts.chapters.iter().map(embedded).collect());
    }
    let is_audio = attachment.as_ref().is_some_and(|file| file.category == Category::Audio);
    if let Some(Reference::Local(recording)) = reference.filter(|_| is_audio) {
        reader.mark_clips(&recording.file.source, &mut tags.soundbites);
    }
    let summary = fields.first_of("summary", |key| fields.text(key));
    let (language, text_path) = shared_fields::text_language(fields);
    let mut item = Item {
        id,
        id_is_derived,
        source: reader.source.path.clone(),
        title: fields.string("title").unwrap_or_default().trim().to_owned(),
        status: match status(fields) {
            // Other generators keep drafts in this folder.
            _ if reader.source.path.as_str().contains("/_drafts/") => Status::Unpublished,
            status => status,
        },
        date_published: date(fields, "date_published").or_else(|| date_in_name(reader)),
        date_modified: date(fields, "date_modified"),
        date_created: date(fields, "date_created"),
        image: shared_fields::image(fields, "image"),
        banner_image: shared_fields::image(fields, "banner_image"),
        url: external_url(fields),
        language,
        text_path,
        translations: shared_fields::translations(fields),
        slug,
        aliases,
        former_paths,
        guid: fields.text("guid"),
        authors: shared_fields::authors(fields),
        tags: tags_of(fields),
        series: series(fields).map(Box::new),
        seo: shared_fields::seo(fields).into(),
        summary,
        attachment,
        audio_tags: fields.bool("audio_tags"),
        podcast: tags.into(),
        itunes: read_section(fields, "itunes").unwrap_or_default(),
        content: content(reader, front.body, &scope),
        media: Vec::new(),
    };
    item.content.links.extend(reader.take_links());
    let former = item.former_segment();
    item.former_paths.extend(former.map(|segment| format!("/i/{segment}/")));
    if item.is_episode() {
        let episode = ArtworkRoles { episode: true, ..ArtworkRoles::default() };
        reader.artwork_roles(item.image.as_ref(), episode);
    }
    is_known.then_some(item)
}

/// Returns the `id`, or an id derived from the path, and whether the id was derived. The derived id
/// is the same for `a.md` and `a/index.md`.
pub fn id(fields: &Fields<'_, '_>, front: &FrontMatter) -> Option<(ItemId, bool)> {
    let Some(text) = fields.string("id").filter(|text| !text.is_empty()) else {
        return Some((ItemId::derive(fields.reader.source.path.page_path()), true));
    };
    match ItemId::parse(&text) {
        Ok(id) => Some((id, false)),
        Err(error) => {
            let span = front.table.get("id").map_or(0..0, |node| node.span.clone());
            fields.reader.error(
                &span,
                error.to_string(),
                "correct `id`, or remove it to derive one from the path",
            );
            None
        }
    }
}

/// Reads a date under any spelling of a key. If several spellings have a valid date, returns the
/// first. An invalid date in any spelling is reported.
pub fn date(fields: &Fields<'_, '_>, key: &str) -> Option<Timestamp> {
    let dates: Vec<Timestamp> = fields.spellings(key).filter_map(|key| fields.date(key)).collect();
    dates.first().copied()
}

/// Reads `status`, or `draft` and `published` as other generators write them.
pub fn status(fields: &Fields<'_, '_>) -> Status {
    let status = match foreign_status(fields) {
        Some(status) => Some(status),
        None => fields.choice("status", Status::NAMES, Status::parse),
    };
    let (draft, published) = (fields.bool("draft"), published(fields));
    let draft = draft == Some(true) || published == Some(false);
    if let Some(shown) = status.filter(|status| draft && *status != Status::Unpublished) {
        let span = fields.node("status").map_or(0..0, |node| node.span.clone());
        let message = format!(
            "`status` is {}, but another key marks this content as a draft",
            shown.as_str()
        );
        let help = "remove `draft` or `published`, and keep only `status`";
        fields.reader.error(&span, message, help);
    }
    status.unwrap_or(if draft { Status::Unpublished } else { Status::Published })
}

/// Reads `published` as other generators write it: true or false. Some generators write a date,
/// which is an error.
fn published(fields: &Fields<'_, '_>) -> Option<bool> {
    const KEY: &str = "published";
    let node = fields.node(KEY)?;
    let is_date = |text: &str| dates::parse(text, &fields.reader.config.timezone).is_ok();
    match &node.value {
        Value::String(text) | Value::Plain(_, text) if is_date(text) => {
            let key = fields.reader.notation().key("date_published");
            let message = "`published` must be true or false, not a date".to_owned();
            let help = format!("write {key}: content with a future date is published on that date");
            let fix = Fix::Move { from: KEY.to_owned(), to: "date_published".to_owned() };
            let reader = fields.reader;
            reader.report_with(None, &node.span, || (message, help, Some(fix)));
            None
        }
        _ => fields.bool(KEY),
    }
}

/// Reads a `status` value of another program, which is an error: the meaning of the value is nearly
/// certain, but feedwright does not publish content on a guess.
fn foreign_status(fields: &Fields<'_, '_>) -> Option<Status> {
    let node = fields.node("status")?;
    let (Value::String(text) | Value::Plain(_, text)) = &node.value else {
        return None;
    };
    let status = key_advice::foreign_status_meaning(text)?;
    let (message, meant) = (format!("`status` cannot be {text:?}"), status.as_str());
    let fix = Fix::Respell { at: node.span.start, from: text.clone(), to: meant.to_owned() };
    let help = match status {
        Status::Published => {
            format!("write \"{meant}\": content with a future date is published on that date")
        }
        _ => format!("write \"{meant}\""),
    };
    let reader = fields.reader;
    reader.report_with(None, &node.span, || (message, help, Some(fix)));
    Some(status)
}

/// Returns the date at the start of the file's or folder's name: `2026-11-20-title.md`.
fn date_in_name(reader: &Reader<'_>) -> Option<Timestamp> {
    let date: Date = reader.source.path.name().get(..10)?.parse().ok()?;
    Some(date.at(0, 0, 0, 0).to_zoned(reader.config.timezone.clone()).ok()?.timestamp())
}

/// Reads `url` if it is an external address. A path is skipped here, because it is a former address
/// of the item, as other generators write it.
fn external_url(fields: &Fields<'_, '_>) -> Option<String> {
    let text = fields.string("url")?;
    if text.starts_with('/') { None } else { fields.http_url("url") }
}

fn addresses(fields: &Fields<'_, '_>) -> (Option<Slug>, Vec<Slug>, Vec<String>) {
    let mut former: Vec<String> = Vec::new();
    let mut aliases = Vec::new();
    for node in fields.list("aliases") {
        let Some(text) = list_text(fields, "aliases", node) else {
            continue;
        };
        if text.starts_with('/') {
            former.push(text);
            continue;
        }
        match Slug::parse(&text) {
            Ok(slug) => aliases.push(slug),
            // In note-taking programs, an alias is another title.
            Err(error) => fields.reader.warning(
                Rule::Alias,
                &node.span,
                format!("invalid alias: {error}"),
                slug_help(&text),
            ),
        }
    }
    for node in fields.list("redirect_from") {
        let text = list_text(fields, "redirect_from", node);
        former.extend(text.filter(|text| text.starts_with('/')));
    }
    // Eleventy writes no page for `permalink: false`.
    if let Some(node) = fields.node("permalink")
        && *node.value.bare() == Value::Bool(false)
    {
        let line = fields.reader.notation().line("status", "\"unpublished\"");
        let message = "`permalink` does not hide this content";
        let help = format!("write {line}, or remove the key");
        fields.reader.error(&node.span, message, help);
    }
    for key in ["url", "permalink"] {
        former.extend(
            fields
                .node(key)
                .and_then(text_of)
                .filter(|text| text.starts_with('/') && !text.contains(':')),
        );
    }
    let own = fields
        .node("slug")
        .and_then(|node| fields.as_string("slug", node).map(|text| (node, text)));
    let own =
        own.filter(|(_, text)| !text.is_empty()).and_then(|(node, text)| slug(fields, node, &text));
    (own, aliases, former)
}

fn text_of(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

pub(super) fn slug(fields: &Fields<'_, '_>, node: &Node, text: &str) -> Option<Slug> {
    match Slug::parse(text) {
        Ok(slug) => Some(slug),
        Err(error) => {
            fields.reader.error(&node.span, error.to_string(), slug_help(text));
            None
        }
    }
}

/// Returns a help message that suggests a valid slug instead of an invalid one.
fn slug_help(text: &str) -> String {
    match Slug::from_title(text) {
        Some(near) => format!("write, for example, \"{near}\""),
        None => "use letters, digits and hyphens".into(),
    }
}

/// Reads an element of a list as text. Null is skipped.
fn list_text(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<String> {
    (node.value != Value::Null).then(|| fields.as_string(key, node)).flatten()
}

/// Returns the `tags`, and the `categories` of other generators, without duplicates.
fn tags_of(fields: &Fields<'_, '_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for text in ["tags", "categories", "category"].into_iter().flat_map(|key| fields.strings(key)) {
        for tag in text.split(',').map(str::trim) {
            if tag.is_empty() || tags.iter().any(|known| known == tag) {
                continue;
            }
            if tags.len() == MAX_TAGS {
                let keys = ["tags", "categories", "category"];
                let node = keys.iter().find_map(|key| fields.node(key));
                let span = node.map_or(0..0, |node| node.span.clone());
                let message = format!("an item can have at most {MAX_TAGS} tags");
                fields.reader.error(&span, message, "remove the rest");
                return tags;
            }
            if Slug::from_tag(tag).is_none() {
                let span = fields.node("tags").map_or(0..0, |node| node.span.clone());
                let message = format!("the tag {tag:?} has no letter or digit, so it gets no page");
                fields.reader.warning(
                    Rule::Tag,
                    &span,
                    message,
                    "add a letter or digit, or keep the tag: items show it without a link",
                );
            }
            tags.push(tag.to_owned());
        }
    }
    tags
}

fn front_span(front: &FrontMatter) -> Range<usize> {
    front
        .table
        .get("attachment")
        .or_else(|| front.table.get("attachments"))
        .map_or(0..0, |node| node.span.clone())
}

impl Rules for ItemItunes {}

impl Rules for Series {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        if Slug::from_tag(&self.name).is_some() {
            return Some(self);
        }
        let message = format!("the name of a series cannot be {:?}", self.name);
        let help = "write a name with at least one letter or digit";
        found.fields.reader.error(&found.node.span, message, help);
        None
    }
}

/// Reads `series`. A list, as in Hugo's taxonomy, must have only one name.
fn series(fields: &Fields<'_, '_>) -> Option<Series> {
    if let [_, second, ..] = fields.list("series") {
        let message = "an item can be part of only one series".to_owned();
        fields.reader.error(&second.span, message, "keep one name, and write the others as `tags`");
    }
    one(fields, "series")
}
