//! Finds what directories of podcasts refuse or miss, and what apps cannot play.
//!
//! None of it keeps a site from being built. So only `check` asks.

use std::collections::HashMap;
use std::path::Path;

use super::Site;
use crate::model::podcast::categories::CATEGORIES;
use crate::model::{Channel, Diagnostic, EpisodeType, Item, Rule, SitePath, TopicCategory};
use crate::source::channel_file::channel_file;
use crate::source::fields::nearest;
use crate::source::place::place_of;

/// The media types that Apple Podcasts plays, and other apps with it.
const PLAYED: [&str; 9] = [
    "audio/mpeg",
    "audio/mp3",
    "audio/mp4",
    "audio/x-m4a",
    "audio/m4a",
    "audio/aac",
    "video/mp4",
    "video/x-m4v",
    "video/quicktime",
];

/// The media type of a file of unknown kind.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// What is wrong with a site's feed as that of a podcast.
pub(super) fn podcast_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let all = snapshot.published.iter().map(|entry| &*entry.item);
    let mut found = same_guids(root, all.clone());
    let episodes: Vec<&Item> = all.filter(|item| item.is_episode()).collect();
    let channel = &snapshot.channel;
    if !snapshot.config.feed.rss || episodes.is_empty() {
        return found;
    }
    let is_show = episodes.len() * 2 >= snapshot.published.len()
        || !channel.itunes.is_empty()
        || channel.podcast.medium.is_some();
    if let Some(file) = channel_file(root).filter(|_| is_show && !channel.itunes.block) {
        found.extend(of_channel(root, &file, channel));
    }
    let is_serial = is_show && channel.itunes.kind.as_deref() == Some("serial");
    for item in &episodes {
        found.extend(of_enclosure(root, site, item));
        found.extend(of_episode(root, item, is_serial));
    }
    found.extend(derived_ids(root, &episodes));
    found
}

fn of_channel(root: &Path, file: &SitePath, channel: &Channel) -> Vec<Diagnostic> {
    let tell = |rule, message: &str, help: &str| Diagnostic::warning(rule, message).help(help);
    let at = |key, warning| place_of(root, file, key, "", warning);
    let mut found = Vec::new();
    if channel.icon.is_none() {
        let message = "this podcast has no artwork: directories refuse it";
        let help = "name a square JPEG or PNG of 1400 to 3000 pixels a side as `icon`";
        found.push(at("title", tell(Rule::Artwork, message, help)));
    }
    if channel.description_text.trim().is_empty() {
        let message = "this podcast has no description: Apple Podcasts requires one";
        let help = "write it below the front matter";
        found.push(at("title", tell(Rule::Description, message, help)));
    }
    if channel.itunes.explicit.is_none() {
        let message =
            "this podcast does not say whether it is explicit: it is published as `false`";
        let help = "write `explicit = false` or `explicit = true` below [itunes]";
        found.push(at("itunes", tell(Rule::Explicit, message, help)));
    }
    if channel.itunes.email.is_none() {
        let message = "this podcast has no e-mail address: directories send a code to it before they hand over a show";
        let help = "write `email` below [itunes]; it is public";
        found.push(at("itunes", tell(Rule::OwnerEmail, message, help)));
    }
    if channel.categories.is_empty() {
        let message = "this podcast has no category: Apple Podcasts requires one";
        let help = "write `categories`, such as [\"Arts > Books\"]; the page of this rule leads to the list";
        found.push(at("title", tell(Rule::Category, message, help)));
    }
    for category in &channel.categories {
        if let Some((wrong, message, help)) = wrong_category(category) {
            let warning = tell(Rule::Category, &message, &help);
            found.push(place_of(root, file, "categories", wrong, warning));
        }
    }
    found
}

/// What is wrong with a category and those inside it: the first that Apple Podcasts does not know there.
fn wrong_category(category: &TopicCategory) -> Option<(&str, String, String)> {
    let name = category.name.as_str();
    let Some((_, inner)) = CATEGORIES.iter().find(|(known, _)| *known == name) else {
        let message = format!("{name:?} is no category of Apple Podcasts");
        return Some((name, message, instead_of(name)));
    };
    let child = category.categories.iter().map(|child| child.name.as_str());
    let child = child.into_iter().find(|child| !inner.contains(child))?;
    let message = format!("{child:?} is no subcategory of {name:?} in Apple Podcasts");
    let help = match nearest(child, inner) {
        Some(near) => format!("did you mean \"{name} > {near}\"?"),
        None => instead_of(child),
    };
    Some((child, message, help))
}

fn instead_of(name: &str) -> String {
    let parents = CATEGORIES.iter().map(|(parent, _)| (*parent, None));
    let children = CATEGORIES
        .iter()
        .flat_map(|(parent, inner)| inner.iter().map(|child| (*child, Some(*parent))));
    let all: HashMap<&str, Option<&str>> = children.chain(parents).collect();
    let mut names: Vec<&str> = all.keys().copied().collect();
    names.sort_unstable();
    match nearest(name, &names).map(|near| (near, all[near])) {
        Some((near, Some(parent))) => format!("did you mean \"{parent} > {near}\"?"),
        Some((near, None)) => format!("did you mean \"{near}\"?"),
        None => {
            let parents: Vec<&str> = CATEGORIES.iter().map(|(name, _)| *name).collect();
            format!("the categories are {}", parents.join(", "))
        }
    }
}

/// What apps and directories miss of an episode's file. Of a file of the site all is known.
fn of_enclosure(root: &Path, site: &Site, item: &Item) -> Vec<Diagnostic> {
    let Some(file) = &item.attachment else {
        return Vec::new();
    };
    let tell = |rule, message: String, help: &str| {
        let warning = Diagnostic::warning(rule, message).help(help);
        place_of(root, &item.source, "attachment", "", warning)
    };
    let mut found = Vec::new();
    let kind = file.mime_type.split(';').next().unwrap_or_default().trim();
    if kind == UNKNOWN_TYPE {
        let message = "the type of this episode's file is not known".to_owned();
        found.push(tell(
            Rule::Enclosure,
            message,
            "write `mime_type`, such as audio/mpeg",
        ));
    } else if !PLAYED.contains(&kind.to_ascii_lowercase().as_str()) {
        let message = format!("Apple Podcasts and other apps do not play {kind}");
        let help =
            "export it as MP3 or M4A; this file may stay as one of `podcast.alternateEnclosures`";
        found.push(tell(Rule::Enclosure, message, help));
    }
    let config = &site.snapshot.config;
    let mut own = item.media.iter();
    if own.any(|medium| config.media_url(&medium.path) == file.url) {
        return found;
    }
    if file.size_in_bytes.unwrap_or(0) == 0 {
        let message = "the length of this episode's file is not known: RSS requires it".to_owned();
        found.push(tell(
            Rule::Enclosure,
            message,
            "write `size_in_bytes` below [attachment]",
        ));
    }
    if file.duration_in_seconds.is_none() {
        let message = "how long this episode plays is not known".to_owned();
        found.push(tell(
            Rule::Duration,
            message,
            "write `duration_in_seconds` below [attachment]",
        ));
    }
    found
}

fn of_episode(root: &Path, item: &Item, is_serial: bool) -> Vec<Diagnostic> {
    let tell = |rule, key, message: &str, help: &str| {
        let warning = Diagnostic::warning(rule, message).help(help);
        place_of(root, &item.source, key, "", warning)
    };
    let mut found = Vec::new();
    if item.date_published.is_none() {
        let message = "this episode has no date: apps sort by it";
        let help = "write `date_published`, like 2026-11-20T09:30:00Z";
        found.push(tell(Rule::EpisodeDate, "title", message, help));
    }
    if item.summary.is_none() && item.content.beginning.is_empty() {
        let message = "this episode has no description";
        let help = "write what it is about below the front matter, or as `summary`";
        found.push(tell(Rule::Description, "title", message, help));
    }
    let is_full = matches!(item.itunes.episode_type, None | Some(EpisodeType::Full));
    let is_numbered = item.itunes.episode.is_some() || item.podcast.episode.is_some();
    if is_serial && is_full && !is_numbered {
        let message = "this show is serial, and the episode has no number";
        let help = "write `episode` below [itunes], or what it is: `episodeType`";
        found.push(tell(Rule::EpisodeNumber, "itunes", message, help));
    }
    found
}

/// The first episode whose guid hangs on the name of its file, and how many there are.
fn derived_ids(root: &Path, episodes: &[&Item]) -> Option<Diagnostic> {
    let is_derived = |item: &&&Item| item.id_is_derived && item.guid.is_none();
    let derived: Vec<_> = episodes.iter().filter(is_derived).collect();
    let first = derived.iter().min_by_key(|item| &item.source)?;
    let and = match derived.len() - 1 {
        0 => String::new(),
        more => format!(", and so have {more} more"),
    };
    let message = format!(
        "this episode has no `id`{and}: under another file name it would be a new one to every app"
    );
    let help = "`feedwright check --fix` writes the present ids down";
    let warning = Diagnostic::warning(Rule::DerivedId, message).help(help);
    Some(place_of(root, &first.source, "id", "", warning))
}

/// Items with a guid that another has.
fn same_guids<'a>(root: &Path, items: impl Iterator<Item = &'a Item>) -> Vec<Diagnostic> {
    let mut known: HashMap<&str, &Item> = HashMap::new();
    let mut found = Vec::new();
    for item in items {
        let guid = item.guid.as_deref().unwrap_or(item.id.as_str());
        let Some(other) = known.insert(guid, item) else {
            continue;
        };
        // The one at fault is the one that says it.
        let (one, other) = match item.guid {
            Some(_) => (item, other),
            None => (other, item),
        };
        let message = format!("the guid {guid:?} is that of {} too", other.source);
        let help = "correct one of the two: apps take both for one item";
        let warning = Diagnostic::warning(Rule::Guid, message).help(help);
        found.push(place_of(root, &one.source, "guid", "", warning));
    }
    found
}
