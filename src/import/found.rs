//! The data that an importer returns.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use fetch::Url;
use model::{Languages, PageSlug};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use to_markdown::DesignParts;

use super::naming::below;

/// All content found at a source.
#[derive(Debug, Clone)]
pub struct Found {
    /// Kind of source: `RSS 2.0`, `WordPress export`.
    pub kind: String,
    /// Address of the site, if it is known.
    pub base_url: Option<Url>,
    /// How much of the presentational markup in the source's HTML to keep.
    pub design: DesignParts,
    /// Whether the HTML comes from someone other than the site's author. Such HTML is sanitized.
    /// Folders on this machine are not foreign.
    pub is_foreign: bool,
    pub channel: Option<Entry>,
    pub items: Vec<Entry>,
    pub pages: Vec<Entry>,
    /// Addresses of the source's feeds.
    pub feeds: Vec<Url>,
    /// Former paths, and the targets of their redirects.
    pub redirects: Vec<(String, String)>,
    /// Files for `content/media/`, by path in that folder.
    pub files: BTreeMap<String, PathBuf>,
    /// Contents of text files to create in the site, by path.
    pub texts: BTreeMap<String, String>,
    /// Lines for the `site.toml` of a new site: each key with its value as TOML.
    pub settings: Vec<(&'static str, String)>,
    /// Languages of the source, if it has several.
    pub languages: Option<SourceLanguages>,
    /// Front matter that the items in a folder share, by path below `content/items`.
    pub defaults: BTreeMap<String, Map<String, Value>>,
    /// Items and pages that are not public at the source.
    pub hidden: Vec<Hidden>,
    pub notes: Vec<Note>,
}

/// The languages of a source.
#[derive(Debug, Clone, Default)]
pub struct SourceLanguages {
    pub languages: Languages,
    pub others: Vec<OtherLanguage>,
}

/// A language other than the default language of a source.
#[derive(Debug, Clone, Default)]
pub struct OtherLanguage {
    /// Language tag.
    pub tag: String,
    /// Start of the former paths in this language, such as `/de`.
    pub path: String,
    /// Title and description of the site in this language.
    pub channel: Option<Entry>,
}

/// An item or page that is not public at the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    pub place: String,
    /// The reason why the item or page is not public at the source.
    pub reason: String,
    pub fate: Fate,
}

/// How the import handles an item or page that is not public at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// No file is written.
    LeftOut,
    /// The file has `status = "unpublished"`.
    Unpublished,
    /// The item or page has a `date_published` in the future.
    Waits,
}

impl Fate {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LeftOut => "left out",
            Self::Unpublished => "unpublished",
            Self::Waits => "waits for its date",
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Identity by which a later import recognizes the entry. It does not change between imports.
    pub identity: String,
    pub fields: Map<String, Value>,
    pub body: Body,
    /// Former address of the entry's page.
    pub address: Option<Url>,
    /// Former URL segment of the entry's page.
    pub segment: Option<String>,
    /// Location in the source: a line of a feed, or a file.
    pub place: String,
    /// Files to copy next to the entry, by path in its folder.
    pub files: BTreeMap<String, PathBuf>,
    /// Contents of text files to create next to the entry, by file name.
    pub texts: BTreeMap<String, String>,
    /// Key that the entry shares with its translations.
    pub translation_key: Option<String>,
    /// Start of the former address that contains the language, such as `/de`.
    pub language_path: String,
    /// Folder of an item or section below `content/items`. Empty if the item is in no section.
    pub folder: String,
    /// Folder of an item at the source, for patterns of addresses. Empty if the source has no folders.
    pub source_folder: String,
    /// Whether the entry states its former address itself, independently of other entries.
    pub states_address: bool,
    /// Whether the entry is the text of a section.
    pub is_section: bool,
}

/// The body of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Body {
    #[default]
    None,
    Html(String),
    Markdown(String),
}

/// A message about content that was not imported, or that needs attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    /// The first location that the message refers to.
    pub place: String,
    /// Further locations that the message refers to.
    pub more: Vec<String>,
    pub count: usize,
}

impl Found {
    pub fn new(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            base_url: None,
            design: DesignParts::Dropped,
            is_foreign: true,
            channel: None,
            items: Vec::new(),
            pages: Vec::new(),
            feeds: Vec::new(),
            redirects: Vec::new(),
            files: BTreeMap::new(),
            texts: BTreeMap::new(),
            settings: Vec::new(),
            languages: None,
            defaults: BTreeMap::new(),
            hidden: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds the content of another part of the same feed.
    pub fn append(&mut self, mut part: Self) {
        let known: HashSet<&String> = self.items.iter().map(|entry| &entry.identity).collect();
        part.items.retain(|entry| !known.contains(&entry.identity));
        self.items.append(&mut part.items);
        self.pages.append(&mut part.pages);
        self.redirects.append(&mut part.redirects);
        self.hidden.append(&mut part.hidden);
        part.notes.into_iter().for_each(|note| add(&mut self.notes, note));
    }

    /// Returns the total size of all recordings in bytes, as stated by the source.
    pub fn announced(&self) -> u64 {
        let sizes = self
            .items
            .iter()
            .filter_map(|entry| entry.fields.get("attachment")?.get("size_in_bytes")?.as_u64());
        sizes.sum()
    }

    /// Returns a suitable theme: `podcast` if most items have a recording, otherwise `default`.
    pub fn theme(&self) -> &'static str {
        let is_recording = |entry: &&Entry| {
            let Some(file) = entry.fields.get("attachment") else {
                return false;
            };
            let kind = file.get("mime_type").and_then(Value::as_str);
            let name = file.as_str().or_else(|| file.get("url")?.as_str());
            let ending = name.and_then(|name| name.rsplit_once('.'));
            kind.is_some_and(|kind| kind.starts_with("audio/") || kind.starts_with("video/"))
                || ending.is_some_and(|(_, ending)| {
                    ["mp3", "m4a", "ogg", "opus", "flac", "wav", "mp4", "m4v"].contains(&ending)
                })
        };
        let recordings = self.items.iter().filter(is_recording).count();
        if recordings * 2 > self.items.len() { "podcast" } else { "default" }
    }

    pub fn note(&mut self, message: impl Into<String>, place: impl Into<String>) {
        note(&mut self.notes, message, place);
    }
}

impl Note {
    pub fn new(message: impl Into<String>, place: impl Into<String>) -> Self {
        Self { message: message.into(), place: place.into(), more: Vec::new(), count: 1 }
    }

    /// Returns all locations that the message refers to.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        let first = Some(self.place.as_str()).filter(|place| !place.is_empty());
        first.into_iter().chain(self.more.iter().map(String::as_str))
    }
}

/// Adds a message with a location.
pub fn note(notes: &mut Vec<Note>, message: impl Into<String>, place: impl Into<String>) {
    add(notes, Note::new(message, place));
}

/// Adds a note. If a note with the same message exists, only the location is added to it.
pub fn add(notes: &mut Vec<Note>, note: Note) {
    let Some(known) = notes.iter_mut().find(|known| known.message == note.message) else {
        notes.push(note);
        return;
    };
    known.count += note.count;
    for place in std::iter::once(note.place).chain(note.more) {
        let is_last = known.more.last().unwrap_or(&known.place) == &place;
        if !place.is_empty() && !is_last {
            known.more.push(place);
        }
    }
}

impl Entry {
    /// Returns the string value of a front matter key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_str()
    }

    /// Returns the `id`, or an empty string if there is none.
    pub fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    /// Returns the name of the entry for messages: its title, or else its identity.
    pub fn name(&self) -> &str {
        self.text("title").unwrap_or(&self.identity)
    }

    /// Returns the former path of the page at the source, if it was on this site.
    pub fn former_path(&self, base_url: &str) -> Option<String> {
        let path = below(self.address.as_ref()?, base_url)?;
        Some(percent_decode_str(&path).decode_utf8_lossy().into_owned())
    }

    /// Returns a path at the source without the part that contains the language.
    pub fn without_language<'p>(&self, path: &'p str) -> &'p str {
        let rest = path.strip_prefix(&*self.language_path);
        rest.filter(|rest| rest.starts_with('/')).unwrap_or(path)
    }

    /// Returns the slug of a section: its former path without the language, or else its folder.
    pub fn section_slug(&self, base_url: &str) -> String {
        let path = self.former_path(base_url);
        let path = path.as_deref().map(|path| self.without_language(path).trim_matches('/'));
        let path = path.filter(|path| !path.is_empty()).unwrap_or(&self.folder);
        let parts = path.split('/').filter_map(PageSlug::from_title);
        parts.map(|part| part.to_string()).collect::<Vec<_>>().join("/")
    }

    /// Returns the former paths that are listed in the front matter.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        let aliases = self.fields.get("aliases").and_then(Value::as_array);
        aliases.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Removes addresses with unsafe schemes, such as `javascript:` or `data:`, which only hostile
    /// sources contain. Returns whether an address was removed.
    pub fn remove_unsafe_addresses(&mut self) -> bool {
        let before = self.fields.clone();
        self.fields.retain(|key, value| is_safe_address(key, value));
        self.fields != before
    }

    /// Removes the text behind a paywall from the body. Substack marks the start of this text in
    /// feeds for subscribers. Returns whether text was removed.
    pub fn remove_paid_part(&mut self) -> bool {
        let Body::Html(html) = &mut self.body else {
            return false;
        };
        let tag = html.match_indices("paywall-jump").find_map(|(at, _)| {
            let start = html[..at].rfind('<')?;
            (!html[start..at].contains('>')).then_some(start)
        });
        if let Some(start) = tag {
            html.truncate(start);
        }
        tag.is_some()
    }

    /// Sets a front matter value, unless the value is empty.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        let is_empty = match &value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(table) => table.is_empty(),
            _ => false,
        };
        if !is_empty {
            self.fields.insert(key.to_owned(), value);
        }
    }
}

/// Front matter keys whose values are addresses, or lists of addresses.
const ADDRESSES: [&str; 16] = [
    "banner_image", "chapters", "favicon", "homepage_url", "href", "icon", "image", "img", "link",
    "new-feed-url", "social_image", "src", "transcripts", "uri", "url", "value",
];

/// Removes unsafe addresses from lists and tables in a value. Returns whether the value itself is
/// safe.
fn is_safe_address(key: &str, value: &mut Value) -> bool {
    const FORBIDDEN: [&str; 6] =
        ["javascript:", "vbscript:", "data:", "file:", "blob:", "filesystem:"];
    match value {
        Value::String(text) if ADDRESSES.contains(&key) => {
            let seen = text.chars().filter(|c| !c.is_control() && !c.is_whitespace());
            let start: String = seen.take(12).flat_map(char::to_lowercase).collect();
            !FORBIDDEN.iter().any(|scheme| start.starts_with(scheme))
        }
        Value::Array(list) => {
            list.retain_mut(|value| is_safe_address(key, value));
            true
        }
        Value::Object(table) => {
            table.retain(|key, value| is_safe_address(key, value));
            true
        }
        _ => true,
    }
}

/// Prefix of a link to another entry of the source. The link is a placeholder until the path of
/// that entry's file is known.
pub const TEXT_PREFIX: &str = "feedwright-import:";
/// Prefix of a link that is already correct, although its target does not exist yet.
pub const FINAL_PREFIX: &str = "feedwright-here:";

/// Returns a placeholder for a link to the entry found at a location. `bring` replaces the
/// placeholder with the path of the entry's file.
pub fn to_text(place: &str) -> String {
    const UNENCODED: AsciiSet =
        NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
    format!("{TEXT_PREFIX}{}", utf8_percent_encode(place, &UNENCODED))
}
