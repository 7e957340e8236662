//! The HTTP fields of each output file, for storage services that keep the fields with every file
//! instead of in a server configuration.

use std::path::Path;

use super::rules;
use model::{Config, SiteFile};

/// The HTTP fields to send with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFields {
    /// `Content-Type`.
    pub media_type: String,
    /// `Cache-Control`.
    pub cache_control: &'static str,
}

/// The `Cache-Control` value of pages and feeds. Readers see changes within five minutes.
const SHORT_CACHE: &str = "public, max-age=300";

/// Returns the HTTP fields of a file. `file` is its path below the output folder, and `start`
/// contains its first bytes.
pub fn sent_as(config: &Config, file: &str, start: &[u8]) -> HttpFields {
    let path = format!("/{file}");
    let media_type =
        type_of_copy(file, start).map_or_else(|| media_type(config, file, &path), str::to_owned);
    let is_below = |folder: &String| path.starts_with(&**folder);
    let cache_control = if rules::immutable_folders(config).iter().any(is_below) {
        rules::IMMUTABLE
    } else if path.starts_with("/media/") || media_type.starts_with("audio/") {
        rules::MEDIA_CACHE
    } else {
        SHORT_CACHE
    };
    HttpFields { media_type, cache_control }
}

/// Returns the media type of a feed or calendar that is copied to a former path as `index.html`.
fn type_of_copy(file: &str, start: &[u8]) -> Option<&'static str> {
    let is_folder = file.rsplit('/').next() == Some("index.html");
    let start = std::str::from_utf8(start).ok().filter(|_| is_folder)?;
    Some(match start.get(..1)? {
        "<" if start.starts_with("<?xml") => rules::RSS,
        "B" if start.starts_with("BEGIN:VCALENDAR") => rules::CALENDAR,
        "{" if start.contains("//jsonfeed.org/") => rules::JSON_FEED,
        "{" => "application/json; charset=utf-8",
        _ => return None,
    })
}

fn media_type(config: &Config, file: &str, path: &str) -> String {
    if let Some(own) = config.site_file(file).content_type {
        return format!("{own}; charset=utf-8");
    }
    let rules = rules::types(config, rules::Has { calendars: true, clips: true });
    if let Some(rule) = rules.iter().find(|rule| matches(&rule.path, path)) {
        return rule.media_type.to_owned();
    }
    // The feeds of sections.
    match path.rsplit('/').next() {
        Some("feed.json") => return rules::JSON_FEED.to_owned(),
        Some("rss.xml") => return rules::RSS.to_owned(),
        _ => {}
    }
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = rules::MEDIA.iter().find(|(name, _)| *name == ending);
    let media_type = match known {
        Some((_, media_type)) => (*media_type).to_owned(),
        None if path.matches('/').count() == 1 && ending != "html" => {
            SiteFile::content_type_of(file)
                .map_or_else(|| media_facts::media_type(Path::new(file)), str::to_owned)
        }
        None => media_facts::media_type(Path::new(file)),
    };
    let is_text = media_type.starts_with("text/")
        || matches!(
            media_type.as_str(),
            "application/json" | "application/xml" | "application/manifest+json"
        );
    if is_text && !path.starts_with("/media/") || media_type.starts_with("text/") {
        format!("{media_type}; charset=utf-8")
    } else {
        media_type
    }
}

/// Returns whether a path matches a rule's path, in which `*` matches one path segment.
fn matches(rule: &str, path: &str) -> bool {
    let (mut rule, mut path) = (rule.split('/'), path.split('/'));
    loop {
        match (rule.next(), path.next()) {
            (None, None) => return true,
            (Some("*"), Some(part)) if !part.is_empty() => {}
            (Some(one), Some(other)) if one == other => {}
            _ => return false,
        }
    }
}
