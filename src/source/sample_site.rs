//! A sample site with every declared key of content files, except keys that exclude each other.
//! feedwright renders the sample site to find all names that templates can read.

use std::path::Path;
use std::sync::Arc;

use super::calendar::{self, CalendarFile};
use super::examples::{Entry, table};
use super::fields::Reader;
use super::sources::Sources;
use super::{channel, config, item, page, planet};
use model::calendar::{CALENDAR, EVENT};
use model::shape::{Field, Need, Shape};
use model::{CHANNEL, Config, ITEM, PAGE, PLANET_FILE, Planet, PlanetFile, SitePath, Source};

const BASE_URL: &str = "base_url = \"https://example.com\"\n";

/// The feed of the sample site's planet in `site.toml`.
pub const AGGREGATE: &str = "[[aggregate]]\nfeed = \"https://example.com/a\"\n";

/// A value of the sample in TOML: the name of a declaration, a key, and the value. If the value is
/// empty, the key is left out.
type SampleValue = (&'static str, &'static str, &'static str);

/// Values that cannot be derived from the key alone, because they depend on each other or on the
/// site.
const SAMPLE_VALUES: &[SampleValue] = &[
    ("CHANNEL", "title", "\"Sample\""),
    ("CHANNEL", "language", "\"en\""),
    ("CHANNEL", "description", ""),
    ("CHANNEL", "expired", ""),
    ("CHANNEL", "allow", ""),
    ("ChannelItunes", "complete", ""),
    ("SubscribeMethod", "id", ""),
    ("ITEM", "title", "\"Sample\""),
    ("ITEM", "date_modified", "2026-01-02T00:00:00Z"),
    ("ITEM", "status", "\"published\""),
    ("ITEM", "slug", ""),
    ("ITEM", "aliases", ""),
    ("ITEM", "allow", ""),
    ("AlternateEnclosure", "sources", "[\"https://example.com/a.mp3\", \"ipfs://a\"]"),
    ("ATTACHMENT", "category", "\"video\""),
    ("ATTACHMENT", "url", "\"https://example.com/a.mp4\""),
    ("Publisher", "medium", ""),
    ("ValueTimeSplit", "recipients", ""),
    ("PAGE", "title", "\"Sample\""),
    ("PAGE", "status", "\"published\""),
    ("PAGE", "slug", ""),
    ("PAGE", "aliases", ""),
    ("PAGE", "allow", ""),
    ("CALENDAR", "summary", "\"Sample\""),
    ("CALENDAR", "timeZone", "\"UTC\""),
    ("EVENT", "id", "\"event\""),
    ("EVENT", "start", "{ dateTime = \"2026-01-03T10:00:00Z\" }"),
    ("EVENT", "end", "{ dateTime = \"2026-01-03T11:00:00Z\" }"),
    ("EVENT", "recurrence", ""),
    ("EVENT", "recurringEventId", ""),
    ("EVENT", "originalStartTime", ""),
    ("EVENT", "birthdayProperties", ""),
    ("EVENT", "focusTimeProperties", ""),
    ("EVENT", "outOfOfficeProperties", ""),
    ("EVENT", "workingLocationProperties", ""),
    ("EVENT", "allow", ""),
    ("REMINDERS", "useDefault", ""),
    ("LIVE", "app", ""),
    ("LIVE", "meeting", ""),
    ("LIVE", "item", ""),
];

/// The declarations of live streams, whose tables also have the podcast tags of an item.
const LIVE_DECLARATIONS: [&str; 2] = ["LIVE", "LiveItem"];

/// Returns whether the live streams of the sample include a field: a field that items do not have,
/// or the links to the stream.
fn is_direct(shape: &'static Shape, field: &Field) -> bool {
    field.key == "contentLinks" || shape.fields.iter().any(|own| own.key == field.key)
}

/// Writes every key of a declaration. Values in `own` override the values in [`SAMPLE_VALUES`].
fn every_key(shape: &'static Shape, own: &[SampleValue]) -> String {
    let choose = |shape: &'static Shape, field: &'static Field| {
        let mut known = own.iter().chain(SAMPLE_VALUES);
        match known.find(|(table, key, _)| *table == shape.name && *key == field.key) {
            Some((.., "")) => Entry::Nothing,
            Some((.., value)) => Entry::Value((*value).to_owned()),
            None if matches!(field.need, Need::Instead | Need::Foreign) => Entry::Nothing,
            // The sample item already has the same podcast tags.
            None if LIVE_DECLARATIONS.contains(&shape.name) && !is_direct(shape, field) => {
                Entry::Nothing
            }
            None => Entry::Example(field.key),
        }
    };
    table(shape, &choose, "\n")
}

fn text(shape: &'static Shape, own: &[SampleValue]) -> String {
    format!("+++\n{}\n+++\nText.\n", every_key(shape, own))
}

/// Returns the sample site, read like any other site.
pub fn sample_site() -> (Config, Sources) {
    let (config, _) = config::read(Path::new(""), &[BASE_URL, AGGREGATE].concat());
    let texts = sample_texts();
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sources = sources_of(&config, &texts);
    (config, sources)
}

/// Returns the path and content of each file of the sample site, in path order.
pub fn sample_texts() -> Vec<(String, String)> {
    let item = [
        ("ITEM", "id", "\"sample\""),
        ("ITEM", "language", "\"en\""),
        ("ITEM", "series", "{ name = \"A\", part = 1 }"),
        ("ITEM", "translations", "[\"other\"]"),
    ];
    // A list of seasons needs more than one season, and a series more than one part.
    let other = r#"+++
id = "other"
title = "Other"
date_published = 2026-01-01
language = "de"
tags = ["A"]
series = "A"
podcast.season = 2
+++
"#;
    let page = [
        ("PAGE", "id", "\"page\""),
        ("PAGE", "language", "\"en\""),
        ("PAGE", "translations", "[\"other-page\"]"),
    ];
    let other_page = r#"+++
id = "other-page"
title = "Other"
language = "de"
show_in_navigation = true
navigation_label = "B"
navigation_group = "A"
+++
"#;
    let texts = [
        ("content/channel.md", text(CHANNEL, &[])),
        ("content/items/other.md", other.to_owned()),
        ("content/items/sample.md", text(ITEM, &item)),
        ("content/pages/other-page.md", other_page.to_owned()),
        ("content/pages/sample.md", text(PAGE, &page)),
        ("content/planet/example-com-a.toml", every_key(PLANET_FILE, &[])),
        ("content/calendars/sample/calendar.toml", every_key(CALENDAR, &[])),
        ("content/calendars/sample/event.md", text(EVENT, &[])),
    ];
    texts.map(|(path, text)| (path.to_owned(), text)).into()
}

/// Returns a site whose files are in memory: each path with the content of its file, in path order.
/// The files must not refer to local files.
pub fn sources_of(config: &Config, texts: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::default();
    let (mut items, mut pages, mut calendars) = (Vec::new(), Vec::new(), Vec::new());
    let mut feeds: Vec<(_, Option<PlanetFile>)> =
        config.aggregate.iter().map(|aggregate| (aggregate, None)).collect();
    for (path, text) in texts {
        match path.split('/').nth(1) {
            Some("items") => items.extend(all(config, path, text, item::read)),
            Some("pages") => pages.extend(all(config, path, text, page::read)),
            Some("planet") => {
                for (aggregate, file) in &mut feeds {
                    if aggregate.file.as_str() == *path {
                        *file =
                            read(config, path, text, |reader| planet::of_feed(reader, aggregate));
                    }
                }
            }
            Some("calendars") => {
                calendars.extend(all::<CalendarFile>(config, path, text, calendar::read))
            }
            _ => {
                let channel = read(config, path, text, channel::read);
                sources.channel = channel.unwrap_or_default().into();
            }
        }
    }
    Sources {
        items: items.into_iter().collect(),
        pages: pages.into_iter().collect(),
        calendars: calendars.into_iter().collect(),
        planet: Planet::of(feeds).into(),
        ..sources
    }
}

fn all<T>(
    config: &Config,
    path: &str,
    text: &str,
    content: impl Fn(&Reader<'_>) -> Option<T>,
) -> Vec<(Arc<T>, u64)> {
    let value = read(config, path, text, content);
    value.map(|value| (Arc::new(value), 0)).into_iter().collect()
}

fn read<T>(
    config: &Config,
    path: &str,
    text: &str,
    content: impl Fn(&Reader<'_>) -> Option<T>,
) -> Option<T> {
    let path = SitePath::parse(path)?;
    let source = Source { path: &path, text };
    content(&Reader::new(source, config, Path::new("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_has_only_declared_keys() {
        let mut shapes = Vec::new();
        for shape in [CHANNEL, ITEM, PAGE, CALENDAR, EVENT] {
            shape.collect_tables(&mut shapes);
        }
        for (table, key, _) in SAMPLE_VALUES {
            let shape = shapes.iter().find(|shape| shape.name == *table);
            assert!(shape.is_some_and(|shape| shape.field(key).is_some()), "{table}.{key}");
        }
    }

    #[test]
    fn the_sample_has_no_errors() {
        let (config, sources) = sample_site();
        assert_eq!(sources.planet.items.len(), 1);
        assert_eq!(config.base_url, "https://example.com");
        assert_eq!(sources.channel.title, "Sample");
        let found = (sources.items.len(), sources.pages.len(), sources.calendars.len());
        assert_eq!(found, (2, 2, 2));
        for (path, text) in sample_texts() {
            let path = SitePath::parse(&path).unwrap();
            let reader = Reader::new(Source { path: &path, text: &text }, &config, Path::new(""));
            match path.as_str().split('/').nth(1) {
                Some("items") => drop(item::read(&reader)),
                Some("pages") => drop(page::read(&reader)),
                Some("calendars") => drop(calendar::read(&reader)),
                Some("planet") => drop(planet::of_feed(&reader, &config.aggregate[0])),
                _ => drop(channel::read(&reader)),
            }
            assert_eq!(reader.finish().0, [], "{text}");
        }
    }
}
