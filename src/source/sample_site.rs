//! A site that has one of everything, embedded in the program. The names that templates can read are found
//! by rendering it.

use std::path::Path;
use std::sync::Arc;

use super::calendar::{self, CalendarFile};
use super::fields::Reader;
use super::sources::Sources;
use super::{channel, config, item, page};
use crate::model::{Config, SitePath, Source};

const SITE: &str = "base_url = \"https://example.com\"\n";

const CHANNEL: &str = r#"+++
title = "Sample"
homepage_url = "https://example.com/"
icon = "https://example.com/icon.png"
favicon = "https://example.com/favicon.png"
language = "en"
authors = [{ name = "A", url = "https://example.com/a" }]
copyright = "A"
categories = [{ name = "A", categories = ["B"] }]
publisher = { name = "A", url = "https://example.com/a" }
subscribe_methods = [{ name = "A", url = "https://example.com/a", image = "https://example.com/a.png" }]
[seo]
title = "A"
description = "A"
social_image = { url = "https://example.com/a.png", width = 1200, height = 630, mime_type = "image/png", alt = "A" }
[itunes]
title = "A"
explicit = false
[podcast]
people = ["A"]
podroll = [{ feedGuid = "29cdca4a-32d8-56ba-b48b-09a011c5daa9", feedUrl = "https://example.com/a", title = "A" }]
trailers = [{ title = "A", url = "https://example.com/a.mp3", pubdate = 2026-01-01, season = 1 }]
liveItems = [{ status = "live", start = 2026-01-01T00:00:00Z, title = "A", guid = "a", contentLinks = ["https://example.com/a"] }]
+++
About it.
"#;

const ITEM: &str = r#"+++
id = "sample"
title = "Sample"
status = "published"
date_published = 2026-01-01T00:00:00Z
date_modified = 2026-01-02T00:00:00Z
image = { url = "https://example.com/a.png", alt = "A" }
url = "https://example.org/a"
summary = "A"
language = "en"
translations = ["other"]
tags = ["a"]
authors = [{ name = "A", url = "https://example.com/a" }]
[attachment]
url = "https://example.com/a.mp4"
mime_type = "video/mp4"
size_in_bytes = 1
duration_in_seconds = 1
[seo]
title = "A"
description = "A"
social_image = { url = "https://example.com/a.png", width = 1200, height = 630, mime_type = "image/png", alt = "A" }
[podcast]
transcripts = [{ url = "https://example.com/a.vtt", type = "text/vtt", language = "en" }]
chapters = [{ startTime = 0, title = "A", img = "https://example.com/a.png", url = "https://example.com/a" }]
people = [{ name = "A", role = "host", group = "cast", img = "https://example.com/a.png", href = "https://example.com/a" }]
license = { identifier = "cc-by-4.0", url = "https://example.com/a" }
soundbites = [{ startTime = 0, duration = 60, title = "A" }]
season = { number = 1, name = "A" }
episode = { number = 1, display = "A" }
location = { name = "A", rel = "subject", osm = "R1" }
funding = "https://example.com/a"
contentLinks = "https://example.com/a"
alternateEnclosures = [{ type = "audio/mpeg", lang = "de", source = ["https://example.com/a.mp3", "ipfs://a"] }]
socialInteract = { protocol = "activitypub", uri = "https://example.com/a" }
chat = { server = "example.com", protocol = "irc", space = "a" }
[podcast.value]
type = "lightning"
method = "keysend"
recipients = [{ name = "A", type = "lnaddress", address = "a@example.com", split = 1 }]
+++
Text.
"#;

const PAGE: &str = r#"+++
id = "page"
title = "Sample"
show_in_navigation = true
navigation_label = "A"
navigation_group = "A"
language = "en"
translations = ["other-page"]
+++
Text.
"#;

const CALENDAR: &str = r#"summary = "Sample"
timeZone = "UTC"
primary = true
"#;

const EVENT: &str = r#"+++
id = "event"
summary = "Sample"
start = { dateTime = "2026-01-03T10:00:00Z" }
end = { dateTime = "2026-01-03T11:00:00Z" }
[live]
enclosure = { url = "https://example.com/a.mp3", type = "audio/mpeg", length = 0 }
contentLinks = ["https://example.com/a"]
+++
Text.
"#;

/// The site, read as any other is.
pub fn sample_site() -> (Config, Sources) {
    let (config, _) = config::read(Path::new(""), SITE);
    let texts = sample_texts();
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sources = sources_of(&config, &texts);
    (config, sources)
}

/// Its files by their paths, in order.
pub fn sample_texts() -> Vec<(String, String)> {
    // A list of seasons names more than one.
    let other = ITEM
        .replace("sample", "other")
        .replace("language = \"en\"\ntranslations", "language = \"de\"\ntranslations")
        .replace("number = 1, name", "number = 2, name");
    let other_page = PAGE.replace("\"page\"", "\"other-page\"").replace("\"en\"", "\"de\"");
    let texts = [
        ("content/channel.md", CHANNEL),
        ("content/items/other.md", &other),
        ("content/items/sample.md", ITEM),
        ("content/pages/other-page.md", &other_page),
        ("content/pages/sample.md", PAGE),
        ("content/calendars/sample/calendar.toml", CALENDAR),
        ("content/calendars/sample/event.md", EVENT),
    ];
    texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into()
}

/// A site whose files are in memory: each path with its text, in the order of the paths. What they name has to be
/// elsewhere.
pub fn sources_of(config: &Config, texts: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::default();
    let (mut items, mut pages, mut calendars) = (Vec::new(), Vec::new(), Vec::new());
    for (path, text) in texts {
        match path.split('/').nth(1) {
            Some("items") => items.extend(all(config, path, text, item::read)),
            Some("pages") => pages.extend(all(config, path, text, page::read)),
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
    fn nothing_is_wrong_with_the_sample() {
        let (config, sources) = sample_site();
        assert_eq!(config.base_url, "https://example.com");
        assert_eq!(sources.channel.title, "Sample");
        let found = (sources.items.len(), sources.pages.len(), sources.calendars.len());
        assert_eq!(found, (2, 2, 2));
        for (path, text) in [("content/channel.md", CHANNEL), ("content/items/sample.md", ITEM)] {
            let path = SitePath::parse(path).unwrap();
            let reader = Reader::new(Source { path: &path, text }, &config, Path::new(""));
            match path.as_str() {
                "content/channel.md" => drop(channel::read(&reader)),
                _ => drop(item::read(&reader)),
            }
            assert_eq!(reader.finish().0, []);
        }
    }
}
