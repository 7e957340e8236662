//! The transcripts of items that are files of the site.

use transcripts::Format;

use model::podcast::Transcript;
use model::{Config, Item, SitePath};

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

/// Returns the transcript from which feedwright writes captions for an item's video, because no
/// WebVTT file of this site can be its captions: browsers read captions only in WebVTT, and from the
/// site of the page.
pub fn caption_file<'a>(config: &Config, item: &'a Item) -> Option<LocalTranscript<'a>> {
    if item.podcast.transcripts.is_empty()
        || !item.has_video()
        || webvtt_captions(config, item).is_some()
    {
        return None;
    }
    let has_times = |file: &LocalTranscript<'_>| file.format as u8 <= Format::Json as u8;
    transcript_files(config, item).find(has_times)
}

/// Returns the item's first transcript that is a WebVTT file of this site.
pub fn webvtt_captions<'a>(config: &Config, item: &'a Item) -> Option<&'a Transcript> {
    item.podcast.transcripts.iter().find(|transcript| {
        transcript.media_type == "text/vtt" && config.local_path(&transcript.url).is_some()
    })
}

pub fn is_same_language(language: &Option<String>, other: &Option<String>) -> bool {
    match (language, other) {
        (Some(language), Some(other)) => language.eq_ignore_ascii_case(other),
        _ => language == other,
    }
}
