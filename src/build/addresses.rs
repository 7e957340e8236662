//! The addresses and ids that readers have: those of the last build. What has others now, and leaves
//! nothing behind that leads to them, is told before readers find out.
//!
//! Kept in `.feedwright/addresses`, a line an item or Page. A build without that file has nothing to
//! compare with, and says nothing.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use super::Site;
use crate::model::{Access, Content, Diagnostic, ItemId, SitePath, Slug, Source, Status};
use crate::render::{Document, Found};
use crate::site::{Entry, PageEntry, Snapshot, paths};
use crate::source::front_matter::{self, Format, FrontMatter};
use crate::source::load::{place_of, read_text};
use crate::source::value::Value;

const FILE: &str = ".feedwright/addresses";
const HEADER: &str = "feedwright addresses 1";

/// Most that is said at once: a folder that was renamed moves all that is in it.
const MOST: usize = 100;

/// Bytes of a text by which it is known again.
const BEGINNING: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    Item,
    Page,
}

/// What the public has of one item or Page.
#[derive(Debug, Clone)]
struct Known {
    segment: String,
    source: String,
    id_is_derived: bool,
    /// Hashes of its title and of the beginning of its text, by which a file that was renamed is known
    /// again; 0 where there is none.
    title: u64,
    text: u64,
}

/// What the public has, by id.
#[derive(Debug, Clone, Default)]
pub struct Addresses(HashMap<(Kind, String), Known>);

impl Addresses {
    /// What a snapshot shows to the public.
    pub fn of(snapshot: &Snapshot) -> Self {
        let is_out = |status: Status, date: Option<jiff::Timestamp>| {
            status != Status::Unpublished && date.is_none_or(|date| date <= snapshot.now)
        };
        let items = snapshot
            .entries
            .iter()
            .filter(|entry| entry.is_public())
            .filter(|entry| is_out(entry.item.status, entry.item.date_published))
            .map(|entry| known_item(entry));
        let pages = snapshot
            .pages
            .iter()
            .filter(|entry| entry.status != Status::Unpublished)
            .filter(|entry| is_out(entry.page.status, entry.page.date_published))
            .filter_map(known_page);
        Self(items.chain(pages).collect())
    }

    /// What the last build of the site at `root` showed.
    pub fn load(root: &Path) -> Self {
        let text = fs::read_to_string(root.join(FILE)).unwrap_or_default();
        let mut lines = text.lines();
        match lines.next() {
            Some(HEADER) => Self(lines.filter_map(known).collect()),
            _ => Self::default(),
        }
    }

    /// Keeps it for later. What cannot be kept is not compared with.
    pub fn save(&self, root: &Path) {
        let mut lines: Vec<_> = self.0.iter().collect();
        lines.sort_by_key(|(key, _)| *key);
        let mut text = format!("{HEADER}\n");
        for ((kind, id), known) in lines {
            let kind = match kind {
                Kind::Item => "item",
                Kind::Page => "page",
            };
            let _ = writeln!(
                text,
                "{kind} {id} {} {} {:x} {:x} {}",
                known.segment,
                u8::from(known.id_is_derived),
                known.title,
                known.text,
                known.source.replace(['\n', '\r'], " "),
            );
        }
        let _ = keep(&root.join(FILE), &text);
    }

    /// The same, with what only `others` know.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (key, known) in &others.0 {
            self.0.entry(key.clone()).or_insert_with(|| known.clone());
        }
        self
    }

    /// What readers look for at another address, or by another id, than a site has it now.
    pub fn moved(&self, root: &Path, site: &Site) -> Vec<Diagnostic> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let now = Self::of(&site.snapshot);
        let newcomers = Newcomers::of(&now, self);
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|(key, _)| *key);
        let told = Telling { root, site };
        let mut found = Vec::new();
        let mut more = 0;
        for ((kind, id), known) in all {
            let moved = match now.0.get(&(*kind, id.clone())) {
                Some(now) if now.segment != known.segment => told.address(*kind, known, now),
                Some(_) => None,
                None if told.is_there(*kind, id) => None,
                None => newcomers
                    .find(*kind, known)
                    .and_then(|now| told.id(*kind, id, known, now)),
            };
            match moved {
                Some(_) if found.len() >= MOST => more += 1,
                moved => found.extend(moved),
            }
        }
        if more > 0 {
            found.push(Diagnostic::warning(format!(
                "{more} more addresses or ids that readers have are others now"
            )));
        }
        found
    }
}

fn known_item(entry: &Entry) -> ((Kind, String), Known) {
    let item = &entry.item;
    let known = Known {
        segment: entry.segment.clone(),
        source: item.source.to_string(),
        id_is_derived: item.id_is_derived,
        title: hash(&item.title),
        text: beginning(&item.content),
    };
    ((Kind::Item, item.id.to_string()), known)
}

fn known_page(entry: &PageEntry) -> Option<((Kind, String), Known)> {
    let page = &entry.page;
    let known = Known {
        segment: page.slug.to_string(),
        source: page.source.as_ref()?.to_string(),
        id_is_derived: page.id_is_derived,
        title: hash(&page.title),
        text: beginning(&page.content),
    };
    Some(((Kind::Page, page.id.to_string()), known))
}

fn hash(text: &str) -> u64 {
    match text {
        "" => 0,
        text => xxh3_64(text.as_bytes()),
    }
}

fn beginning(content: &Content) -> u64 {
    let bytes = content.text.as_bytes();
    match bytes.get(..BEGINNING).unwrap_or(bytes) {
        [] => 0,
        bytes => xxh3_64(bytes),
    }
}

fn known(line: &str) -> Option<((Kind, String), Known)> {
    let mut parts = line.splitn(7, ' ');
    let kind = match parts.next()? {
        "item" => Kind::Item,
        "page" => Kind::Page,
        _ => return None,
    };
    let id = parts.next()?.to_owned();
    let segment = parts.next()?.to_owned();
    let id_is_derived = parts.next()? == "1";
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let (title, text) = (number()?, number()?);
    let known = Known {
        segment,
        source: parts.next()?.to_owned(),
        id_is_derived,
        title,
        text,
    };
    Some(((kind, id), known))
}

fn keep(file: &Path, text: &str) -> io::Result<()> {
    if fs::read(file).is_ok_and(|kept| kept == text.as_bytes()) {
        return Ok(());
    }
    let temporary = file.with_extension("new");
    fs::write(&temporary, text)?;
    fs::rename(&temporary, file)
}

/// The items and Pages whose ids nobody knew before.
struct Newcomers<'a> {
    sources: HashMap<(Kind, &'a str), &'a Known>,
    texts: HashMap<(Kind, u64), &'a Known>,
    titles: HashMap<(Kind, u64), &'a Known>,
    /// The files that are there.
    files: HashSet<&'a str>,
}

impl<'a> Newcomers<'a> {
    fn of(now: &'a Addresses, before: &Addresses) -> Self {
        let new = now.0.iter().filter(|(key, known)| {
            // An id that its author wrote is the one that is meant.
            known.id_is_derived && !before.0.contains_key(*key)
        });
        let mut newcomers = Self {
            sources: HashMap::new(),
            texts: HashMap::new(),
            titles: HashMap::new(),
            files: now.0.values().map(|known| known.source.as_str()).collect(),
        };
        for ((kind, _), known) in new {
            newcomers.sources.insert((*kind, &known.source), known);
            newcomers.texts.insert((*kind, known.text), known);
            newcomers.titles.insert((*kind, known.title), known);
        }
        newcomers
    }

    /// What has another id now: in the same file, or in one that was renamed.
    fn find(&self, kind: Kind, before: &Known) -> Option<&'a Known> {
        if let Some(now) = self.sources.get(&(kind, before.source.as_str())) {
            return Some(now);
        }
        if !before.id_is_derived || self.files.contains(before.source.as_str()) {
            return None;
        }
        let by = |known: &HashMap<(Kind, u64), &'a Known>, hash: u64| match hash {
            0 => None,
            hash => known.get(&(kind, hash)).copied(),
        };
        by(&self.texts, before.text).or_else(|| by(&self.titles, before.title))
    }
}

/// Says what is another now.
struct Telling<'a> {
    root: &'a Path,
    site: &'a Site,
}

impl Telling<'_> {
    /// Whether an id is still one of the site's, be it of a draft.
    fn is_there(&self, kind: Kind, id: &str) -> bool {
        let snapshot = &self.site.snapshot;
        match kind {
            Kind::Item => snapshot
                .find(id)
                .is_some_and(|entry| entry.item.id.as_str() == id),
            Kind::Page => snapshot.page(id).is_some(),
        }
    }

    /// The address of something that has another now. None where something leads there.
    fn address(&self, kind: Kind, before: &Known, now: &Known) -> Option<Diagnostic> {
        let (what, path): (_, fn(&str) -> String) = match kind {
            Kind::Item => ("item", paths::item),
            Kind::Page => ("Page", paths::page),
        };
        let snapshot = &self.site.snapshot;
        if snapshot.config.access != Access::Public {
            return None;
        }
        let (old, new) = (path(&before.segment), path(&now.segment));
        let source = SitePath::parse(&now.source)?;
        let taken_by = match self.site.find(&old) {
            None => None,
            Some(Found::Redirect(_)) => return None,
            Some(Found::Document(Document::Item(at))) => {
                Some(snapshot.entries[at].item.source.to_string())
            }
            Some(Found::Document(Document::Page(at))) => {
                let source = snapshot.pages[at].page.source.as_ref();
                Some(source.map(ToString::to_string).unwrap_or_default())
            }
            Some(Found::Document(_)) => return None,
        };
        let (how, also) = match taken_by {
            None => ("leads nowhere".to_owned(), String::new()),
            Some(file) => (
                format!("is that of {file}"),
                format!("give {file} another `slug`, and "),
            ),
        };
        let former = match kind == Kind::Page || Slug::parse(&before.segment).is_ok() {
            true => before.segment.clone(),
            // An address that no slug can have is written whole.
            false => old.clone(),
        };
        let line = self.line(&source, "aliases", &former);
        let diagnostic = Diagnostic::warning(format!(
            "the address {old}, which readers have, {how}: this {what} is at {new} now"
        ))
        .help(format!(
            "{also}keep the old address with this line in the front matter: {line}"
        ));
        let key = match self.front_matter(&source) {
            Some(front) if front.table.get("slug").is_some() => "slug",
            _ => "title",
        };
        Some(place_of(self.root, &source, key, "", diagnostic))
    }

    /// The id of something that has another now.
    fn id(&self, kind: Kind, id: &str, before: &Known, now: &Known) -> Option<Diagnostic> {
        let source = SitePath::parse(&now.source)?;
        let was = match before.source == now.source {
            true => format!("the id of this file was `{id}`"),
            false => format!(
                "this file was {}, and its id, which derives from the path, was `{id}`",
                before.source
            ),
        };
        let so = match kind {
            Kind::Item => "now it is another, and feed readers show the item again",
            Kind::Page => "now it is another",
        };
        let line = self.line(&source, "id", ItemId::parse(id).ok()?.as_str());
        let diagnostic = Diagnostic::warning(format!("{was}: {so}")).help(format!(
            "keep the old id with this line in the front matter: {line}"
        ));
        Some(place_of(self.root, &source, "id", "", diagnostic))
    }

    /// A line of a file's front matter, with what a list there has already.
    fn line(&self, source: &SitePath, key: &str, value: &str) -> String {
        let front = self.front_matter(source);
        let node = front.as_ref().and_then(|front| front.table.get(key));
        let listed = match node.map(|node| &node.value) {
            Some(Value::List(list)) => list
                .iter()
                .filter_map(|node| text_of(&node.value))
                .collect(),
            Some(value) => text_of(value).into_iter().collect(),
            None => Vec::new(),
        };
        let value = match key {
            "aliases" => {
                let all = listed.into_iter().chain([value]);
                let all: Vec<String> = all.map(|text| json!(text).to_string()).collect();
                format!("[{}]", all.join(", "))
            }
            _ => json!(value).to_string(),
        };
        match front.and_then(|front| front.format) {
            Some(Format::Yaml) => format!("{key}: {value}"),
            Some(Format::Json) => format!("\"{key}\": {value},"),
            Some(Format::Toml) | None => format!("{key} = {value}"),
        }
    }

    fn front_matter(&self, path: &SitePath) -> Option<FrontMatter> {
        let text = read_text(self.root, path).ok()?;
        front_matter::parse(Source { path, text: &text }).ok()
    }
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::Plain(_, text) => Some(text),
        _ => None,
    }
}
