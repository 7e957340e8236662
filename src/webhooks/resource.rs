//! The resources of a snapshot that webhooks report. Listing the resources is fast. To find the
//! parts of a resource, its file must be read, so this is done only if the resource may have
//! changed.
//!
//! A message must describe a single version of the file. For each item and page, the snapshot
//! contains the hash of the file that it was read from. If the file has changed since then, the
//! resource counts as unchanged for now, and the next comparison reports the change. The data of
//! events and of the channel are read directly from the file.
//!
//! Parts belong to the author's file, not to the rendered page. Therefore a preview on another
//! port, or another version of feedwright, causes no changes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hash;
use std::path::Path;

use front_matter::{Entry as Key, FrontMatter, Table, Value};
use jiff::Timestamp;
use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::payload::{
    CalendarData, ChannelData, Entry, EventData, NavigationData, SiteFileData, ThemeData,
    shorten_text,
};
use super::visibility::Visibility as Visible;
use model::calendar::{Calendar, EventStatus};
use model::{
    Access, Channel, Config, Content, ContentFolder, MediaFile, Page, SiteFile, SitePath, Source,
    Status, Visibility,
};
use site::calendar::Series;
use site::{ItemEntry, Snapshot, paths};
use source::channel_file::channel_file;
use source::text::read_text;
use theme::Theme;

/// A hash for each part of a resource's file, by the name of the part.
pub type Parts = BTreeMap<String, u64>;

/// A resource in a snapshot.
pub struct SnapshotResource<'s> {
    /// The prefix of the resource's event types.
    pub kind: &'static str,
    pub id: Cow<'s, str>,
    /// A fingerprint of the resource. If the fingerprint changes while this process is running, the
    /// resource's file is read again.
    pub mark: u64,
    pub is_public: bool,
    /// Whether the status is `unlisted`.
    is_unlisted: bool,
    pub(super) entity: Entity<'s>,
}

/// The kind of the resource for navigation.
pub const NAVIGATION: &str = "navigation";

/// The kind of the resource for the site's theme.
pub const THEME: &str = "theme";

pub(super) enum Entity<'s> {
    /// An item, and its address if its show is published as a separate site.
    Item(&'s ItemEntry, Option<String>),
    Page(&'s Page),
    /// The published template and its draft, if they exist.
    SiteFile(Option<&'s SiteFile>, Option<&'s SiteFile>),
    Event(&'s Series),
    Calendar(&'s Calendar),
    Channel(&'s Channel),
    /// The ids of the pages in navigation, in order.
    Navigation(Vec<&'s str>),
    Theme(&'s str),
}

/// The current description of a resource.
pub struct ResourceDescription {
    pub file: String,
    pub parts: Parts,
    /// The data of messages about the resource, as JSON.
    pub data: String,
}

/// Lists the resources of a snapshot, with their visibility to the public at the time `now`.
pub fn snapshot_resources(snapshot: &Snapshot, now: Timestamp) -> Vec<SnapshotResource<'_>> {
    let public = Visibility { now, drafts: false, future: false };
    let is_online = snapshot.config.access != Access::Offline;
    let is_public =
        |status, date| is_online && public.effective(status, date) != Status::Unpublished;
    let items = snapshot.entries.iter().map(|entry| SnapshotResource {
        kind: "item",
        id: entry.item.id.as_str().into(),
        mark: entry.fingerprint,
        is_public: is_public(entry.item.status, entry.item.date_published),
        is_unlisted: entry.item.status == Status::Unlisted,
        entity: Entity::Item(entry, snapshot.url_on_own_site(entry)),
    });
    // The built-in 404 page has no file.
    let pages = snapshot.all_pages();
    let pages = pages.filter(|entry| entry.page.source.is_some());
    let pages = pages.map(|entry| SnapshotResource {
        kind: "page",
        id: entry.page.id.as_str().into(),
        mark: entry.fingerprint,
        is_public: is_public(entry.page.status, entry.page.date_published),
        is_unlisted: entry.page.status == Status::Unlisted,
        entity: Entity::Page(&entry.page),
    });
    let calendars = snapshot.calendars.all.iter().map(|entry| SnapshotResource {
        kind: "calendar",
        id: entry.calendar.id.as_str().into(),
        mark: hash_calendar(&entry.calendar),
        is_public: is_online && entry.calendar.is_public,
        is_unlisted: false,
        entity: Entity::Calendar(&entry.calendar),
    });
    let events = snapshot.calendars.all.iter().flat_map(|calendar| {
        let is_public = is_online && calendar.calendar.is_public;
        calendar.series.iter().map(move |series| {
            let exceptions = series.exceptions.iter().map(|one| one.fingerprint);
            SnapshotResource {
                kind: "event",
                id: format!("{}/{}", calendar.calendar.id.as_str(), series.event.id).into(),
                mark: hash(&(series.fingerprint, exceptions.collect::<Vec<_>>())),
                is_public: is_public && series.is_published(),
                is_unlisted: false,
                entity: Entity::Event(series),
            }
        })
    });
    // The channel equals the default if its file does not exist.
    let channel = Some(&*snapshot.channel).filter(|channel| **channel != Channel::default());
    let channel = channel.map(|channel| SnapshotResource {
        kind: "channel",
        id: "primary".into(),
        mark: hash(channel),
        is_public: is_online,
        is_unlisted: false,
        entity: Entity::Channel(channel),
    });
    let shown = snapshot.pages.iter().filter(|entry| {
        let status = public.effective(entry.page.status, entry.page.date_published);
        status == Status::Published && entry.page.show_in_navigation
    });
    let navigation: Vec<&str> = shown.map(|entry| entry.page.id.as_str()).collect();
    let navigation = SnapshotResource {
        kind: NAVIGATION,
        id: NAVIGATION.into(),
        mark: hash(&navigation),
        is_public: is_online,
        is_unlisted: false,
        entity: Entity::Navigation(navigation),
    };
    let theme = SnapshotResource {
        kind: THEME,
        id: snapshot.config.theme.as_str().into(),
        mark: 0,
        is_public: is_online,
        is_unlisted: false,
        entity: Entity::Theme(&snapshot.config.theme),
    };
    let all = items.chain(pages).chain(site_files(snapshot, is_online));
    let all = all.chain(calendars).chain(events).chain(channel);
    all.chain([navigation, theme]).collect()
}

/// Lists the site files. A template and its draft are a single site file.
fn site_files(snapshot: &Snapshot, is_online: bool) -> impl Iterator<Item = SnapshotResource<'_>> {
    type Pair<'s> = (Option<&'s SiteFile>, Option<&'s SiteFile>);
    let mut files: BTreeMap<&str, Pair<'_>> = BTreeMap::new();
    for file in &snapshot.site_files {
        files.entry(&file.filename).or_default().0 = Some(file);
    }
    for draft in &snapshot.site_file_drafts {
        files.entry(&draft.filename).or_default().1 = Some(draft);
    }
    files.into_iter().map(move |(name, (template, draft))| SnapshotResource {
        kind: "site_file",
        id: SiteFile::id(name).into(),
        mark: hash(&(template, draft)),
        is_public: is_online && template.is_some() && snapshot.config.site_file(name).enabled,
        is_unlisted: false,
        entity: Entity::SiteFile(template, draft),
    })
}

impl SnapshotResource<'_> {
    pub fn visibility(&self) -> Visible {
        match (self.is_public, self.is_unlisted) {
            (false, _) => Visible::Hidden,
            (true, true) => Visible::Unlisted,
            (true, false) => Visible::Public,
        }
    }

    /// Reads the resource's file. Returns `None` if the file currently cannot be read. In that
    /// case, the resource counts as unchanged.
    pub fn describe(&self, root: &Path, config: &Config) -> Option<ResourceDescription> {
        let status = |status: Status| status.as_str().to_owned();
        match &self.entity {
            Entity::Item(entry, own_url) => {
                let item = &entry.item;
                let data = Entry {
                    id: self.id.to_string(),
                    title: shorten_text(&item.title),
                    url: own_url.clone().unwrap_or_else(|| config.url(&entry.path)),
                    status: status(item.status),
                    public: self.is_public,
                    date_published: item.date_published,
                    file: item.source.to_string(),
                    changed: None,
                };
                let text =
                    Text::of(root, &item.source).filter(|text| text.is_source_of(&item.content))?;
                text.describe(root, &item.media, &data)
            }
            Entity::Page(page) => {
                let file = page.source.as_ref()?;
                let data = Entry {
                    id: self.id.to_string(),
                    title: shorten_text(&page.title),
                    url: config.url(&paths::page_in_site(config, page)),
                    status: status(page.status),
                    public: self.is_public,
                    date_published: page.date_published,
                    file: file.to_string(),
                    changed: None,
                };
                let text = Text::of(root, file).filter(|text| text.is_source_of(&page.content))?;
                text.describe(root, &page.media, &data)
            }
            Entity::SiteFile(template, draft) => self.site_file(*template, *draft, config),
            Entity::Calendar(calendar) => self.calendar(root, calendar),
            Entity::Event(series) => {
                let event = &series.event;
                let text = Text::of(root, &event.source)?;
                let status = text.value("status");
                let data = EventData {
                    id: event.id.to_string(),
                    calendar: event.calendar.as_str().to_owned(),
                    title: shorten_text(&text.value("summary").unwrap_or_default()),
                    status: status.unwrap_or_else(|| EventStatus::default().as_str().to_owned()),
                    public: self.is_public,
                    file: event.source.to_string(),
                    changed: None,
                };
                let mut description = text.describe(root, &event.media, &data)?;
                let mut instances = Xxh3Default::new();
                for exception in &series.exceptions {
                    let text = Text::of(root, &exception.event.source)?;
                    (exception.event.source.as_str(), text.text).hash(&mut instances);
                }
                if !series.exceptions.is_empty() {
                    let hash = instances.digest();
                    description.parts.insert("instances".into(), hash);
                }
                Some(description)
            }
            Entity::Channel(channel) => {
                let file = channel_file(root, &ContentFolder::default())?;
                let text = Text::of(root, &file)?;
                let data = ChannelData {
                    id: self.id.to_string(),
                    title: shorten_text(&text.value("title").unwrap_or_default()),
                    url: config.url("/"),
                    public: self.is_public,
                    file: file.to_string(),
                    changed: None,
                };
                text.describe(root, &channel.media, &data)
            }
            Entity::Navigation(ids) => Some(ResourceDescription {
                file: String::new(),
                parts: [("page_ids".to_owned(), hash(ids))].into(),
                data: json(&NavigationData {
                    id: NAVIGATION.to_owned(),
                    page_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
                })?,
            }),
            Entity::Theme(name) => {
                let manifest = Theme::load(root, name).ok()?.manifest;
                let version = manifest.version;
                Some(ResourceDescription {
                    // A resource whose file exists does not count as deleted, and the folder of the
                    // old theme may remain after a change of themes. Therefore this path is empty.
                    file: String::new(),
                    parts: [("version".to_owned(), hash(&version))].into(),
                    data: json(&ThemeData {
                        id: (*name).to_owned(),
                        name: shorten_text(&manifest.name),
                        package_id: manifest.package_id,
                        version,
                    })?,
                })
            }
        }
    }

    fn site_file(
        &self,
        template: Option<&SiteFile>,
        draft: Option<&SiteFile>,
        config: &Config,
    ) -> Option<ResourceDescription> {
        let file = template.or(draft)?;
        let data = SiteFileData {
            id: self.id.to_string(),
            filename: file.filename.clone(),
            url: config.url(&format!("/{}", file.filename)),
            content_type: file.content_type.to_owned(),
            public: self.is_public,
            file: file.source.to_string(),
            changed: None,
        };
        let part = |name: &str, file: Option<&SiteFile>| {
            Some((name.to_owned(), xxh3_64(file?.template.as_bytes())))
        };
        let own_type = config.site_file(&file.filename).content_type;
        let own_type = own_type.map(|own| ("content_type".to_owned(), xxh3_64(own.as_bytes())));
        let parts = [part("template", template), part("draft", draft), own_type];
        Some(ResourceDescription {
            // The draft of a site file moves when it is published. To report this only as a
            // publication, the file is always the path of the published template.
            file: format!("{}/{}", SiteFile::FOLDER, file.filename),
            parts: parts.into_iter().flatten().collect(),
            data: json(&data)?,
        })
    }

    /// Describes a calendar. A calendar can be a folder without a settings file.
    fn calendar(&self, root: &Path, calendar: &Calendar) -> Option<ResourceDescription> {
        let mut parts = Parts::new();
        if let Some(file) = &calendar.source {
            let text = read_text(root, file).ok().filter(|text| !text.is_empty())?;
            let source = Source { path: file, text: &text };
            parts = parts_of(&source.toml().ok()?);
        }
        let file = calendar.id.file();
        let data = CalendarData {
            id: self.id.to_string(),
            title: shorten_text(&calendar.summary),
            public: self.is_public,
            file: file.clone(),
            changed: None,
        };
        Some(ResourceDescription { file, parts, data: json(&data)? })
    }

    /// Returns the files that contain the resource, but not the files that they refer to.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let (one, two): (Option<&SitePath>, _) = match &self.entity {
            Entity::Item(entry, _) => (Some(&entry.item.source), None),
            Entity::Page(page) => (page.source.as_ref(), None),
            Entity::SiteFile(template, draft) => {
                (template.map(|file| &file.source), draft.map(|file| &file.source))
            }
            Entity::Event(series) => (Some(&series.event.source), None),
            Entity::Calendar(calendar) => (calendar.source.as_ref(), None),
            Entity::Channel(_) | Entity::Navigation(_) | Entity::Theme(_) => (None, None),
        };
        [one, two].into_iter().flatten().map(SitePath::as_str)
    }
}

/// The contents of a file, with its parsed front matter.
struct Text<'f> {
    file: &'f SitePath,
    text: String,
    front: FrontMatter,
}

impl<'f> Text<'f> {
    /// Reads a file. Returns `None` if the file cannot be read or is being saved.
    fn of(root: &Path, file: &'f SitePath) -> Option<Self> {
        let text = read_text(root, file).ok().filter(|text| !text.is_empty())?;
        let source = Source { path: file, text: &text };
        let front = source.front_matter().ok()?;
        Some(Self { file, text, front })
    }

    /// Whether the content of an item or page was read from this version of the file.
    fn is_source_of(&self, content: &Content) -> bool {
        let place = content.place();
        place.is_none_or(|place| place.file_hash == xxh3_64(self.text.as_bytes()))
    }

    /// Returns the string value of a front matter key.
    fn value(&self, key: &str) -> Option<String> {
        match &self.front.table.get(key)?.value {
            Value::String(text) | Value::Plain(_, text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Describes the resource and its parts: the front matter keys, the body, and the files that it
    /// refers to.
    fn describe(
        &self,
        root: &Path,
        media: &[MediaFile],
        data: &impl Serialize,
    ) -> Option<ResourceDescription> {
        let mut parts = parts_of(&self.front.table);
        let body = self.text.get(self.front.body..).unwrap_or_default();
        parts.insert("body".into(), xxh3_64(body.trim().as_bytes()));
        if !media.is_empty() {
            parts.insert("media".into(), media_of(root, media));
        }
        Some(ResourceDescription { file: self.file.to_string(), parts, data: json(data)? })
    }
}

/// Returns a hash for the value of each key.
fn parts_of(table: &Table) -> Parts {
    let part = |entry: &Key| {
        let mut hash = Xxh3Default::new();
        hash_value(&entry.node.value, &mut hash);
        (entry.key.clone(), hash.digest())
    };
    table.entries.iter().map(part).collect()
}

/// Returns a hash of the sizes of all files that a content file refers to. Modification times are
/// ignored, because they change when files are cloned or copied.
fn media_of(root: &Path, media: &[MediaFile]) -> u64 {
    let facts: Vec<(&str, u64)> = media
        .iter()
        .map(|file| {
            let size = fs::metadata(file.source.on_disk(root)).map_or(0, |facts| facts.len());
            (file.source.as_str(), size)
        })
        .collect();
    hash(&facts)
}

/// Returns a hash of a calendar. It includes the modification time of the calendar's file, so that
/// it also changes if a setting changes that is not hashed, such as reminders.
fn hash_calendar(calendar: &Calendar) -> u64 {
    let texts = (&calendar.summary, &calendar.description, &calendar.location);
    hash(&(&calendar.source, calendar.written, texts))
}

fn hash(entity: &impl Hash) -> u64 {
    let mut hash = Xxh3Default::new();
    entity.hash(&mut hash);
    hash.digest()
}

/// Hashes a value. Different notations of the same value have the same hash.
fn hash_value(value: &Value, hash: &mut Xxh3Default) {
    value.kind().hash(hash);
    match value {
        Value::Null => {}
        Value::Bool(flag) => flag.hash(hash),
        Value::Integer(number) => number.hash(hash),
        Value::Float(number) => number.to_bits().hash(hash),
        Value::String(text) | Value::Plain(_, text) => text.hash(hash),
        Value::List(list) => {
            list.len().hash(hash);
            list.iter().for_each(|node| hash_value(&node.value, hash));
        }
        Value::Table(table) => {
            let mut entries: Vec<_> = table.entries.iter().collect();
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            entries.len().hash(hash);
            for entry in entries {
                entry.key.hash(hash);
                hash_value(&entry.node.value, hash);
            }
        }
    }
}

fn json(data: &impl Serialize) -> Option<String> {
    serde_json::to_string(data).ok()
}
