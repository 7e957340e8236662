//! How a file of the output is sent, where it is not a server's configuration that says so: what storage keeps
//! beside each file.

use std::path::Path;

use super::rules;
use model::{Config, SiteFile};

/// The HTTP fields that a file is sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAs {
    /// `Content-Type`.
    pub media_type: String,
    /// `Cache-Control`.
    pub cache_control: &'static str,
}

/// Pages and feeds: readers see what is new within minutes.
const SHORT: &str = "public, max-age=300";

/// Media: an address may get other bytes, but rarely does.
const LONG: &str = "public, max-age=86400";

/// The media type of the file at a path below the output folder, which begins with these bytes.
pub fn sent_as(config: &Config, file: &str, start: &[u8]) -> SentAs {
    let path = format!("/{file}");
    let is_below = |folder: &&str| path.starts_with(*folder);
    let cache_control = if rules::KEPT_FOR_EVER.iter().any(is_below) {
        rules::IMMUTABLE
    } else if path.starts_with("/media/") {
        LONG
    } else {
        SHORT
    };
    SentAs {
        media_type: type_of_copy(file, start)
            .map_or_else(|| media_type(config, file, &path), str::to_owned),
        cache_control,
    }
}

/// The type of a feed or calendar that is copied to a former path, which is a folder.
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
    let rules = rules::types(config, true);
    if let Some(rule) = rules.iter().find(|rule| matches(rule.path, path)) {
        return rule.media_type.to_owned();
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

/// Whether a path fits a rule's, in which `*` stands for one part.
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
