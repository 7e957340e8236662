//! JSON Schemas of `site.toml` and of front matter, for editors.
//!
//! No list of keys stands here that could differ from what is read: the readers themselves are asked. They read small
//! texts, and what they look for and refuse is noted ([`probe`]). What a key means is taken from the Pages that
//! document it ([`documented`]).

mod documented;
mod probe;
mod survey;

use serde_json::{Map, Value as Json, json};

use super::fields::Reader;
use super::{calendar, channel, config, item, page};

/// What a schema is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Site,
    Item,
    Page,
    Channel,
    Calendar,
    Event,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Site, Self::Item, Self::Page, Self::Channel, Self::Calendar, Self::Event];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Item => "item",
            Self::Page => "page",
            Self::Channel => "channel",
            Self::Calendar => "calendar",
            Self::Event => "event",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Site => "site.toml of feedwright",
            Self::Item => "Front matter of an item of feedwright",
            Self::Page => "Front matter of a Page of feedwright",
            Self::Channel => "Front matter of content/channel.md of feedwright",
            Self::Calendar => "calendar.toml of feedwright",
            Self::Event => "Front matter of an event of feedwright",
        }
    }

    /// A file of this kind.
    fn path(self) -> &'static str {
        match self {
            Self::Site => "site.toml",
            Self::Item => "content/items/probe.md",
            Self::Page => "content/pages/probe.md",
            Self::Channel => "content/channel.md",
            Self::Calendar => "content/calendars/probe/calendar.toml",
            Self::Event => "content/calendars/probe/probe.md",
        }
    }

    /// Whether the whole file is TOML, as editors take schemas for.
    pub fn is_toml(self) -> bool {
        matches!(self, Self::Site | Self::Calendar)
    }

    fn read(self, reader: &Reader<'_>) {
        match self {
            Self::Site => config::check(reader),
            Self::Item => drop(item::read(reader)),
            Self::Page => drop(page::read(reader)),
            Self::Channel => drop(channel::read(reader)),
            Self::Calendar | Self::Event => drop(calendar::read(reader)),
        }
    }
}

/// The schema of a kind of file, by JSON Schema draft 2020-12.
pub fn schema(kind: Kind) -> Json {
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!(kind.title()));
    schema.append(&mut survey::table(kind));
    Json::Object(schema)
}
