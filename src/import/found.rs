//! What an importer finds.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use fetch::Url;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use to_markdown::Looks;

/// What was found at a source.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it is: `RSS 2.0`, `a WordPress export`.
    pub kind: String,
    /// The address of the site, where it is known.
    pub base_url: Option<Url>,
    /// What of its HTML belongs to looks.
    pub looks: Looks,
    /// Whether its HTML may come from someone else than the author. Then it is sanitized. Folders are the author's
    /// own.
    pub is_foreign: bool,
    pub channel: Option<Entry>,
    pub items: Vec<Entry>,
    pub pages: Vec<Entry>,
    /// The addresses of its feeds.
    pub feeds: Vec<Url>,
    /// Former paths, and where they lead.
    pub redirects: Vec<(String, String)>,
    /// Files for `content/media/`, by their paths there.
    pub files: BTreeMap<String, PathBuf>,
    /// Texts that become files of the site, by their paths.
    pub texts: BTreeMap<String, String>,
    /// Lines for the `site.toml` of a site that is made: keys, and values as TOML.
    pub settings: Vec<(&'static str, String)>,
    /// Texts that are not public at the source.
    pub hidden: Vec<Hidden>,
    pub notes: Vec<Note>,
}

/// A text that is not public at the source, and what the import did with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    pub place: String,
    /// The reason why it is not public at the source.
    pub reason: String,
    pub fate: Fate,
}

/// The outcome for a text that is not public at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// No file is written.
    LeftOut,
    /// Its file says `status = "unpublished"`.
    Unpublished,
    /// Its `date_published` lies in the future.
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
    /// What it is known by when it is imported again.
    pub identity: String,
    pub fields: Map<String, Value>,
    pub body: Body,
    /// Its page until now.
    pub address: Option<Url>,
    /// The segment that its page has or had, if it says more than a number.
    pub segment: Option<String>,
    /// Where it was found: a line of a feed, a file.
    pub place: String,
    /// Files that come to lie beside it, by their paths there.
    pub files: BTreeMap<String, PathBuf>,
    /// Texts that become files beside it, by their names.
    pub texts: BTreeMap<String, String>,
}

/// A text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Body {
    #[default]
    None,
    Html(String),
    Markdown(String),
}

/// Something that did not come along, or is not what it seems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    /// Where it was found first.
    pub place: String,
    /// The other places where it was found.
    pub more: Vec<String>,
    pub count: usize,
}

impl Found {
    pub fn new(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            base_url: None,
            looks: Looks::Dropped,
            is_foreign: true,
            channel: None,
            items: Vec::new(),
            pages: Vec::new(),
            feeds: Vec::new(),
            redirects: Vec::new(),
            files: BTreeMap::new(),
            texts: BTreeMap::new(),
            settings: Vec::new(),
            hidden: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds what a further part of the same source holds.
    pub fn append(&mut self, mut part: Self) {
        let known: HashSet<&String> = self.items.iter().map(|entry| &entry.identity).collect();
        part.items.retain(|entry| !known.contains(&entry.identity));
        self.items.append(&mut part.items);
        self.pages.append(&mut part.pages);
        self.redirects.append(&mut part.redirects);
        self.hidden.append(&mut part.hidden);
        part.notes.into_iter().for_each(|note| add(&mut self.notes, note));
    }

    /// Bytes of all recordings, as the source says.
    pub fn announced(&self) -> u64 {
        let sizes = self
            .items
            .iter()
            .filter_map(|entry| entry.fields.get("attachment")?.get("size_in_bytes")?.as_u64());
        sizes.sum()
    }

    /// The theme that fits: most items of a show are recordings.
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

    /// All places where it was found.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        let first = Some(self.place.as_str()).filter(|place| !place.is_empty());
        first.into_iter().chain(self.more.iter().map(String::as_str))
    }
}

/// Adds a message about a place.
pub fn note(notes: &mut Vec<Note>, message: impl Into<String>, place: impl Into<String>) {
    add(notes, Note::new(message, place));
}

/// Adds a note. A known message only gets another place.
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
    /// The text of a key of its front matter.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_str()
    }

    /// Its `id`, empty if it has none.
    pub fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    /// Its name in messages: the title, or else the identity.
    pub fn name(&self) -> &str {
        self.text("title").unwrap_or(&self.identity)
    }

    /// The former paths in its front matter.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        let aliases = self.fields.get("aliases").and_then(Value::as_array);
        aliases.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Removes addresses that run a script or contain a document, which only hostile sources have. Returns whether
    /// there were any.
    pub fn remove_programs(&mut self) -> bool {
        let before = self.fields.clone();
        self.fields.retain(|key, value| keep_address(key, value));
        self.fields != before
    }

    /// Removes the text behind a paywall, which Substack marks in the texts of feeds for subscribers. Returns whether
    /// there was any.
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

    /// Sets a value that says something.
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

/// Keys of front matter that hold addresses, or lists of them.
const ADDRESSES: [&str; 16] = [
    "banner_image", "chapters", "favicon", "homepage_url", "href", "icon", "image", "img", "link",
    "new-feed-url", "social_image", "src", "transcripts", "uri", "url", "value",
];

/// Removes unsafe addresses from the value of a key. Returns whether any value is left.
fn keep_address(key: &str, value: &mut Value) -> bool {
    const FORBIDDEN: [&str; 6] =
        ["javascript:", "vbscript:", "data:", "file:", "blob:", "filesystem:"];
    match value {
        Value::String(text) if ADDRESSES.contains(&key) => {
            let seen = text.chars().filter(|c| !c.is_control() && !c.is_whitespace());
            let start: String = seen.take(12).flat_map(char::to_lowercase).collect();
            !FORBIDDEN.iter().any(|scheme| start.starts_with(scheme))
        }
        Value::Array(list) => {
            list.retain_mut(|value| keep_address(key, value));
            true
        }
        Value::Object(table) => {
            table.retain(|key, value| keep_address(key, value));
            true
        }
        _ => true,
    }
}

/// What a reference to another text of the source begins with, until that has a name here.
pub const TO: &str = "feedwright-import:";
/// What a reference begins with that is right as it stands, though nothing lies there yet.
pub const HERE: &str = "feedwright-here:";

/// A reference to what was found at a place. `bring` puts the path of its file there.
pub fn to_text(place: &str) -> String {
    const SAFE: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
    format!("{TO}{}", utf8_percent_encode(place, &SAFE))
}
