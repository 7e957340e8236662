//! Finds data that podcast directories reject or require, and media that apps cannot play.
//!
//! These faults do not prevent a build, so only `check` looks for them.

use std::collections::HashMap;
use std::path::Path;

use percent_encoding::percent_decode_str;

use super::Site;
use super::silenced_warnings::filter_silenced;
use model::podcast::categories::CATEGORIES;
use model::{
    Channel, Config, Diagnostic, EpisodeType, Item, Rule, ShowType, SitePath, Source, TopicCategory,
};
use source::channel_file::channel_file;
use source::fields::nearest;
use source::key_advice::has_under_other_key;
use source::notation::Notation;
use source::place::place_of;
use source::text::read_text;

/// Media types that Apple Podcasts and other apps can play.
const PLAYABLE_TYPES: [&str; 9] = [
    "audio/mpeg", "audio/mp3", "audio/mp4", "audio/x-m4a", "audio/m4a", "audio/aac", "video/mp4",
    "video/x-m4v", "video/quicktime",
];

/// Media types of transcripts in Podcasting 2.0, and `application/srt`, which apps also read.
const TRANSCRIPT_TYPES: [&str; 6] = [
    "text/vtt", "application/x-subrip", "application/srt", "application/json", "text/html",
    "text/plain",
];

/// File extensions that Apple Podcasts recognizes, and `aac`, which it also plays.
const EXTENSIONS: [&str; 6] = ["mp3", "m4a", "mp4", "m4v", "mov", "aac"];

/// Maximum length of a description in Apple Podcasts, in bytes.
pub(super) const MAX_DESCRIPTION: usize = 4000;

/// Media type of a file in an unknown format.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// Returns warnings about the podcast feed of a site.
pub(super) fn podcast_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let all = snapshot.published.iter().map(|entry| &*entry.item);
    let mut found = duplicate_guids(root, all.clone());
    let episodes: Vec<&Item> = all.filter(|item| item.is_episode()).collect();
    let (channel, config) = (&snapshot.channel, &snapshot.config);
    if !config.feed.rss || episodes.is_empty() {
        return found;
    }
    let is_show = is_show(site);
    if let Some(file) =
        channel_file(root, &snapshot.config.content).filter(|_| is_show && !channel.itunes.block)
    {
        found.extend(channel_faults(&Missing { root, config, file: &file }, channel));
    }
    found.extend(repeated_recordings(root, config, &episodes));
    let is_serial = is_show && channel.itunes.kind == Some(ShowType::Serial);
    for item in &episodes {
        let front = Missing { root, config, file: &item.source };
        found.extend(enclosure_faults(&front, item));
        found.extend(episode_faults(&front, item, is_serial));
    }
    found.extend(warn_derived_ids(root, &episodes));
    found
}

/// Returns whether directories may list the site as a podcast.
pub(super) fn is_show(site: &Site) -> bool {
    let snapshot = &site.snapshot;
    let episodes = snapshot.published.iter().filter(|entry| entry.item.is_episode()).count();
    let is_mostly_episodes = episodes * 2 >= snapshot.published.len();
    snapshot.config.feed.rss && episodes > 0 && (is_mostly_episodes || snapshot.channel.is_show())
}

fn channel_faults(front: &Missing<'_>, channel: &Channel) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let file = front.file;
    if channel.icon.is_none() {
        let message = "this podcast has no artwork: directories reject it";
        found.extend(front.warn_missing(Rule::Artwork, "title", "icon", message, |_| {
            "set `icon` to a square JPEG or PNG of 1400 to 3000 pixels a side".to_owned()
        }));
    }
    if channel.description_text.trim().is_empty() {
        let message = "this podcast has no description: Apple Podcasts requires one";
        found.extend(front.warn_missing(
            Rule::Description,
            "title",
            "description",
            message,
            |_| "write it below the front matter".to_owned(),
        ));
    }
    if channel.description_text.len() > MAX_DESCRIPTION {
        let message = format!(
            "this podcast's description has {} bytes: Apple Podcasts accepts {MAX_DESCRIPTION}",
            channel.description_text.len()
        );
        let warning = Diagnostic::warning(Rule::LongText, message).help("shorten it");
        found.push(place_of(front.root, file, "title", "", warning));
    }
    if channel.language.is_none() {
        let message = "this podcast has no `language`: Apple Podcasts requires one";
        found.extend(front.warn_missing(
            Rule::Language,
            "title",
            "language",
            message,
            |notation| {
                format!("write the language, such as {}", notation.line("language", "\"de\""))
            },
        ));
    }
    if channel.authors.is_empty() {
        let message = "this podcast has no author: Spotify requires one";
        found.extend(front.warn_missing(Rule::Author, "title", "authors", message, |notation| {
            format!("write {}", notation.line("authors", "[\"Ada Lind\"]"))
        }));
    }
    if channel.itunes.explicit.is_none() {
        let message = "this podcast has no `explicit` setting: it is published as not explicit";
        found.extend(front.warn_missing(
            Rule::Explicit,
            "itunes",
            "itunes.explicit",
            message,
            |notation| {
                let line = notation.line("itunes.explicit", "false");
                format!("write {line}, or `true` if the show is explicit")
            },
        ));
    }
    if channel.itunes.email.is_none() {
        let message = "this podcast has no e-mail address: directories send a code to that address to verify the owner";
        found.extend(front.warn_missing(
            Rule::OwnerEmail,
            "itunes",
            "itunes.email",
            message,
            |notation| {
                format!(
                    "write {}; everyone can see this address in the feed",
                    notation.key("itunes.email")
                )
            },
        ));
    }
    if channel.categories.is_empty() {
        let message = "this podcast has no category: Apple Podcasts requires one";
        found.extend(front.warn_missing(Rule::Category, "title", "categories", message, |notation| {
            let line = notation.line("categories", "[\"Arts > Books\"]");
            format!("write `categories`, such as {line}; the documentation of this rule links to the list")
        }));
    }
    for category in &channel.categories {
        if let Some((wrong, message, help)) = wrong_category(category) {
            let warning = Diagnostic::warning(Rule::Category, message).help(help);
            found.push(place_of(front.root, file, "categories", wrong, warning));
        }
    }
    found
}

/// Returns the first unknown name in a category and its subcategories, with a message and a help
/// text. Apple Podcasts defines the known names.
fn wrong_category(category: &TopicCategory) -> Option<(&str, String, String)> {
    let name = category.name.as_str();
    let Some((_, inner)) = CATEGORIES.iter().find(|(known, _)| *known == name) else {
        let message = format!("{name:?} is not an Apple Podcasts category");
        return Some((name, message, suggest_category(name)));
    };
    let child = category.categories.iter().map(|child| child.name.as_str());
    let child = child.into_iter().find(|child| !inner.contains(child))?;
    let message = format!("{child:?} is not a subcategory of {name:?} in Apple Podcasts");
    let help = match nearest(child, inner) {
        Some(near) => format!("did you mean \"{name} > {near}\"?"),
        None => suggest_category(child),
    };
    Some((child, message, help))
}

fn suggest_category(name: &str) -> String {
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
            format!("use one of the categories: {}", parents.join(", "))
        }
    }
}

/// Warns if the type of an episode's file is unknown or unsupported, or its size or duration is
/// missing. Only external files can lack a size or duration, because feedwright reads both from the
/// site's files.
fn enclosure_faults(front: &Missing<'_>, item: &Item) -> Vec<Diagnostic> {
    const ENCLOSURE_KEY: &str = "attachment";
    let Some(file) = &item.attachment else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let kind = file.mime_type.split(';').next().unwrap_or_default().trim();
    if kind == UNKNOWN_TYPE {
        let message = "the type of this episode's file is unknown";
        let key = "attachment.mime_type";
        found.extend(front.warn_missing(
            Rule::Enclosure,
            ENCLOSURE_KEY,
            key,
            message,
            |notation| format!("write {}", notation.line(key, "\"audio/mpeg\"")),
        ));
    } else if !PLAYABLE_TYPES.contains(&kind.to_ascii_lowercase().as_str()) {
        let message = format!("Apple Podcasts and other apps cannot play {kind}");
        let help =
            "export it as MP3 or M4A; you can keep this file under `podcast.alternateEnclosures`";
        let warning = Diagnostic::warning(Rule::Enclosure, message).help(help);
        found.push(place_of(front.root, &item.source, ENCLOSURE_KEY, "", warning));
    } else if let Some((message, help)) = refused_address(&file.url) {
        let warning = Diagnostic::warning(Rule::Enclosure, message).help(help);
        found.push(place_of(front.root, &item.source, ENCLOSURE_KEY, "", warning));
    }
    let mut own = item.media.iter();
    if own.any(|medium| front.config.media_url(&medium.path) == file.url) {
        return found;
    }
    let mut warn_missing = |rule, key, message| {
        found.extend(front.warn_missing(rule, ENCLOSURE_KEY, key, message, |notation| {
            format!("write {}", notation.key(key))
        }));
    };
    if file.size_in_bytes.unwrap_or(0) == 0 {
        let message = "the size of this episode's file is unknown: RSS requires it";
        warn_missing(Rule::Enclosure, "attachment.size_in_bytes", message);
    }
    if file.duration_in_seconds.is_none() {
        let message = "the duration of this episode is unknown";
        warn_missing(Rule::Duration, "attachment.duration_in_seconds", message);
    }
    found
}

/// Returns a message and a help text about the address of a recording that Apple Podcasts refuses.
fn refused_address(url: &str) -> Option<(String, &'static str)> {
    let path = model::url::split_suffix(url).0;
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    if !extension.is_some_and(|extension| EXTENSIONS.contains(&&*extension)) {
        let message = format!("{name:?} has no extension that Apple Podcasts recognizes");
        return Some((message, "end the file name in .mp3, .m4a, .mp4, .m4v or .mov"));
    }
    if percent_decode_str(path).any(|byte| !byte.is_ascii()) {
        let message = "the address of this recording is not ASCII: Apple Podcasts may refuse it";
        return Some((message.to_owned(), "use the letters a to z and digits in the file name"));
    }
    None
}

/// Warns about episodes with the recording of another episode in the same feed. Each language has its
/// own feed.
fn repeated_recordings(root: &Path, config: &Config, episodes: &[&Item]) -> Vec<Diagnostic> {
    let mut known: HashMap<(usize, &str), &Item> = HashMap::new();
    let repeated = episodes.iter().filter_map(|item| {
        let feed = config.languages.index(item.language.as_deref());
        let other = known.insert((feed, &item.attachment.as_ref()?.url), item)?;
        let message =
            format!("{} has the same recording: Apple Podcasts ignores one of them", other.source);
        let help = "publish a separate file for each episode";
        let warning = Diagnostic::warning(Rule::Enclosure, message).help(help);
        Some(place_of(root, &item.source, "attachment", "", warning))
    });
    repeated.collect()
}

/// Returns whether a title starts with the number of its episode: `Episode 3: The ferry`.
fn is_numbered_title(title: &str, item: &Item) -> bool {
    let ends = [":", "–", "—", "|", ")", "]", " - "].iter().filter_map(|end| title.find(end)).min();
    let start = title[..ends.unwrap_or(title.len())].trim_end();
    let name = start.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number: Option<u32> = start[name.len()..].parse().ok();
    number.is_some_and(|number| item.episode() == Some(f64::from(number)))
        && start.split_whitespace().count() <= 4
}

fn episode_faults(front: &Missing<'_>, item: &Item, is_serial: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if item.date_published.is_none() {
        let (key, message) =
            ("date_published", "this episode has no date: apps sort episodes by date");
        found.extend(front.warn_missing(Rule::EpisodeDate, "title", key, message, |notation| {
            format!("write {}", notation.line(key, "2026-11-20T09:30:00Z"))
        }));
    }
    if item.title.is_empty() {
        let (key, message) = ("title", "this episode has no title: Apple Podcasts requires one");
        found.extend(front.warn_missing(
            Rule::Description,
            "attachment",
            key,
            message,
            |notation| format!("write {}", notation.line(key, "\"The last ferry\"")),
        ));
    }
    if is_numbered_title(&item.title, item) {
        let message = "this title contains the episode's number: Apple Podcasts shows it twice";
        let help = "remove the number from `title`; apps read it from `itunes.episode`";
        let warning = Diagnostic::warning(Rule::EpisodeNumber, message).help(help);
        found.push(place_of(front.root, front.file, "title", "", warning));
    }
    if item.summary.is_none() && item.content.beginning.is_empty() {
        let (key, message) = ("summary", "this episode has no description");
        found.extend(front.warn_missing(Rule::Description, "title", key, message, |_| {
            "describe it below the front matter, or in `summary`".to_owned()
        }));
    }
    for transcript in &item.podcast.transcripts {
        let kind = transcript.media_type.split(';').next().unwrap_or_default().trim();
        if !TRANSCRIPT_TYPES.contains(&&*kind.to_ascii_lowercase()) {
            let message = format!("apps cannot read transcripts of type {kind:?}");
            let warning = Diagnostic::warning(Rule::Transcript, message)
                .help("publish it as WebVTT, and set `type` if the address has another extension");
            found.push(place_of(front.root, front.file, "podcast", "", warning));
        }
    }
    let is_full = matches!(item.itunes.episode_type, None | Some(EpisodeType::Full));
    let is_numbered = item.itunes.episode.is_some() || item.podcast.episode.is_some();
    if is_serial && is_full && !is_numbered {
        let message = "this episode of a serial show has no number";
        let key = "itunes.episode";
        found.extend(front.warn_missing(Rule::EpisodeNumber, "itunes", key, message, |notation| {
            let kind = notation.key("itunes.episodeType");
            format!("write {}, or mark it as a trailer or bonus: {kind}", notation.key(key))
        }));
    }
    found
}

/// Reports keys that are missing from the front matter of a file.
pub(super) struct Missing<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    pub file: &'a SitePath,
}

impl Missing<'_> {
    /// Returns a warning that `key` is missing, at the position of the key `at`. Returns `None` if
    /// the key exists in a wrong position or is misspelt, because such a key gets a separate
    /// warning.
    pub fn warn_missing(
        &self,
        rule: Rule,
        at: &str,
        key: &str,
        message: &str,
        help: impl FnOnce(Notation) -> String,
    ) -> Option<Diagnostic> {
        let warning = Diagnostic::warning(rule, message);
        let Ok(text) = read_text(self.root, self.file) else {
            return Some(warning.file(self.file.as_str()));
        };
        let source = Source { path: self.file, text: &text };
        let table = source.front_matter().ok().map(|front| front.table);
        let table = table.unwrap_or_default();
        if has_under_other_key(self.file, &table, key) && self.reports_unknown_keys() {
            return None;
        }
        let place = table.get(at).map_or(0, |node| node.span.start);
        Some(warning.help(help(Notation::of(source))).at(source, place))
    }

    /// Returns whether warnings about unknown keys are enabled for the file.
    fn reports_unknown_keys(&self) -> bool {
        let of_key = Diagnostic::warning(Rule::UnknownKey, "").file(self.file.as_str());
        let (told, _) = filter_silenced(self.root, &self.config.check, [of_key]);
        !told.is_empty()
    }
}

/// Warns about the first episode whose guid derives from its file name. The warning contains the
/// number of such episodes.
fn warn_derived_ids(root: &Path, episodes: &[&Item]) -> Option<Diagnostic> {
    let is_derived = |item: &&&Item| item.id_is_derived && item.guid.is_none();
    let derived: Vec<_> = episodes.iter().filter(is_derived).collect();
    let first = derived.iter().min_by_key(|item| &item.source)?;
    let which = match derived.len() - 1 {
        0 => "this episode has".to_owned(),
        more => format!("this episode and {more} more have"),
    };
    let message =
        format!("{which} no `id`: if the file is renamed, apps show the episode as a new one");
    let help = "run `feedwright check --fix` to write the current ids";
    let warning = Diagnostic::warning(Rule::DerivedId, message).help(help);
    Some(place_of(root, &first.source, "id", "", warning))
}

/// Warns about items that have the same guid as another item.
fn duplicate_guids<'a>(root: &Path, items: impl Iterator<Item = &'a Item>) -> Vec<Diagnostic> {
    let mut known: HashMap<&str, &Item> = HashMap::new();
    let mut found = Vec::new();
    for item in items {
        let guid = item.guid.as_deref().unwrap_or(item.id.as_str());
        let Some(other) = known.insert(guid, item) else {
            continue;
        };
        // Report the item that sets the guid explicitly.
        let (one, other) = match item.guid {
            Some(_) => (item, other),
            None => (other, item),
        };
        let message = format!("the guid {guid:?} is already used by {}", other.source);
        let help = "change one of the two: apps treat both as one item";
        let warning = Diagnostic::warning(Rule::Guid, message).help(help);
        found.push(place_of(root, &one.source, "guid", "", warning));
    }
    found
}
