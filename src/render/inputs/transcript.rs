//! The transcripts of items.

use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use transcripts::Format;

use model::podcast::Transcript;
use model::{Config, Item, SitePath};
use site::{ItemEntry, Snapshot};
use source::stamp::Stamp;

/// An item's transcript, stored as a file of the site.
#[derive(Debug, Hash)]
pub struct LocalTranscript<'a> {
    pub transcript: &'a Transcript,
    pub file: &'a SitePath,
    pub format: Format,
}

/// Returns an item's transcripts that are files of the site.
pub fn transcript_files<'a>(
    config: &Config,
    item: &'a Item,
) -> impl Iterator<Item = LocalTranscript<'a>> {
    item.podcast.transcripts.iter().filter_map(|transcript| {
        let mut media = item.media.iter();
        let medium = media.find(|file| config.media_url(&file.path) == transcript.url)?;
        Some(LocalTranscript {
            transcript,
            file: &medium.source,
            format: Format::of(&transcript.media_type, medium.source.as_str(), b""),
        })
    })
}

/// Returns an item's transcripts that are files of the site, one for each language. If a language
/// has several, the first one in the most detailed format is chosen.
pub fn local_transcripts<'a>(config: &Config, item: &'a Item) -> Vec<LocalTranscript<'a>> {
    let mut all: Vec<LocalTranscript<'a>> = Vec::new();
    for found in transcript_files(config, item) {
        let in_its_language = |own: &&mut LocalTranscript<'_>| {
            is_same_language(&own.transcript.language, &found.transcript.language)
        };
        match all.iter_mut().find(in_its_language) {
            Some(known) if known.format as u8 > found.format as u8 => *known = found,
            Some(_) => {}
            None => all.push(found),
        }
    }
    all
}

fn is_same_language(language: &Option<String>, other: &Option<String>) -> bool {
    match (language, other) {
        (Some(language), Some(other)) => language.eq_ignore_ascii_case(other),
        _ => language == other,
    }
}

/// The transcript that an item's page shows: the one in the item's language, or else the first.
#[derive(Debug)]
pub struct ShownTranscript<'a> {
    /// The language of the transcript, or else of the item.
    pub language: Option<&'a str>,
    pub url: &'a str,
    pub format: Format,
    path: PathBuf,
}

impl<'a> ShownTranscript<'a> {
    /// Maximum size in bytes of a transcript that a page shows. A page only links to a larger one.
    /// The captions of a ten-hour recording take a tenth of this size.
    pub const LIMIT: u64 = 10 << 20;

    /// Approximate number of words in a paragraph.
    pub const PARAGRAPH_WORDS: usize = 60;

    pub(super) fn of(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> Option<Self> {
        let item = &entry.item;
        if item.podcast.transcripts.is_empty() {
            return None;
        }
        let mut all = local_transcripts(&snapshot.config, item);
        let language = &item.language;
        let its = all.iter().position(|own| is_same_language(&own.transcript.language, language));
        let at = its.unwrap_or(0);
        (at < all.len()).then(|| {
            let own = all.swap_remove(at);
            Self {
                language: own.transcript.language.as_deref().or(item.language.as_deref()),
                url: &own.transcript.url,
                format: own.format,
                path: own.file.on_disk(&snapshot.root),
            }
        })
    }

    /// Returns the transcript's bytes. Returns no bytes if the transcript is too large for a page
    /// or cannot be read. The build reports an unreadable file when it copies the file.
    pub fn read(&self) -> Vec<u8> {
        let is_short = |facts: fs::Metadata| facts.is_file() && facts.len() <= Self::LIMIT;
        if fs::metadata(&self.path).is_ok_and(is_short) {
            fs::read(&self.path).unwrap_or_default()
        } else {
            Vec::new()
        }
    }
}

/// Hashes the stamp of the file instead of its content, unless the file changed so recently that
/// its stamp is not reliable.
impl Hash for ShownTranscript<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.language, self.url, self.format).hash(state);
        match Stamp::of(&self.path) {
            Stamp::Young => self.read().hash(state),
            stamp => stamp.hash(state),
        }
    }
}
