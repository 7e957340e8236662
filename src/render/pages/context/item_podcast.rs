//! An item's Podcasting 2.0 tags in template contexts.

use std::path::Path;

use media_facts::media_type;
use mustache::{Data, object};

use super::item_facts::ItemFacts;
use super::links;
use super::map_links;
use super::podcast_tags::{Overlay, SharedTags, optional_list};
use super::record_data::{RecordObject, RecordWithNulls};
use super::transcript::TranscriptPage;
use super::versions::VersionData;
use crate::text;
use crate::transcript_files::{caption_file, webvtt_captions};
use model::chapter::{Chapter, ChapterLocation};
use model::podcast::{ItemPodcast, Soundbite, Transcript};
use model::record::seconds_as_json;
use site::recordings::ClipRecording;
use site::{FacetKind, paths};
use words::native_name;

/// An item's `podcast`.
pub struct PodcastData<'a> {
    facts: ItemFacts<'a>,
    own: &'a ItemPodcast,
    tags: Overlay<SharedTags<'a>, RecordObject<'a>>,
    transcript: Option<TranscriptPage<'a>>,
}

impl<'a> PodcastData<'a> {
    pub fn of(facts: ItemFacts<'a>) -> Self {
        let own = &*facts.item().podcast;
        let channel = &facts.shared.channel.podcast.shared;
        let tags = SharedTags::of_item(
            facts.shared,
            &own.shared,
            is_episode(facts).then_some(channel),
            &facts.item().media,
        );
        let transcript = facts.transcript.map(|shown| TranscriptPage::of(shown, facts));
        Self { facts, own, tags: Overlay(Some(tags), RecordObject(own)), transcript }
    }

    fn chapters(&self) -> Data<'a> {
        let all = self.own.chapters.iter();
        let optional_list = all.filter(|chapter| chapter.toc != Some(false));
        optional_list.map(|chapter| Data::object(ChapterData(chapter, self.facts))).collect()
    }

    /// Returns captions that a `<track>` can show: a WebVTT transcript, or the captions that
    /// feedwright writes.
    fn captions(&self) -> Option<Data<'a>> {
        let (item, config) = (self.facts.item(), &self.facts.shared.config);
        let (url, transcript) = match webvtt_captions(config, item) {
            Some(own) => (Data::from(&own.url), own),
            None => {
                let path = paths::captions(self.facts.shown.entry);
                (config.url(&path).into(), caption_file(config, item)?.transcript)
            }
        };
        Some(Data::from([("url", url), ("language", transcript.language.as_deref().into())]))
    }

    fn season(&self) -> Option<Data<'a>> {
        let own = self.own.season.as_ref();
        let itunes = self.facts.item().itunes.season.map(i64::from);
        let number = own.map(|season| season.number).or(itunes)?;
        Some(Data::from([
            ("number", number.into()),
            ("text", self.numbered("season", &number)),
            ("name", own.and_then(|season| season.name.as_deref()).into()),
            ("page_url", self.season_page()),
        ]))
    }

    /// Returns the address of the season's page.
    fn season_page(&self) -> Data<'a> {
        let shown = self.facts.shown;
        let number = shown.entry.item.season().filter(|_| shown.has_season_page);
        let path = |number: i64| paths::facet(FacetKind::Season, &number.to_string(), 1);
        let url = number.map(|number| self.facts.shared.config.url(&path(number)));
        url.map_or_else(Data::default, Data::shared)
    }

    /// Formats the number of a season or an episode: `Episode 3`.
    fn numbered(&self, key: &str, number: &impl ToString) -> Data<'a> {
        let words = self.facts.shared.words;
        words.fill_placeholders(key, &[("n", &words.ungrouped(&number.to_string()))]).into()
    }

    fn episode(&self) -> Option<Data<'a>> {
        let own = self.own.episode.as_ref();
        let (number, text) = match own {
            Some(episode) => (episode.number.into(), self.numbered("episode", &episode.number)),
            None => {
                let number = self.facts.item().itunes.episode?;
                (number.into(), self.numbered("episode", &number))
            }
        };
        let display = own.and_then(|episode| episode.display.as_deref());
        Some(Data::from([
            ("number", number),
            ("display", display.into()),
            ("text", display.map_or(text, Data::from)),
        ]))
    }
}

/// Returns whether the item is an episode. An episode inherits people, licence, funding and value
/// from the channel.
fn is_episode(facts: ItemFacts<'_>) -> bool {
    facts.item().is_episode()
}

// Tags that themes do not know have the same structure as in feeds.
object!(impl PodcastData<'a>, |this| {
    "transcripts" => optional_list(&this.own.transcripts, |one| Data::object(TranscriptData(one))),
    "transcript" if this.transcript.is_some() => {
        this.transcript.as_ref().and_then(TranscriptPage::data)
    },
    "captions" => this.captions(),
    "chapters" => this.chapters(),
    "soundbites" => {
        let facts = this.facts;
        optional_list(&this.own.soundbites, move |one| Data::object(SoundbiteData(one, facts)))
    },
    "season" => this.season(),
    "episode" => this.episode(),
    "alternateEnclosures" => {
        let facts = this.facts;
        let versions = &this.own.alternate_enclosures;
        optional_list(versions, move |version| Data::object(VersionData { version, facts }))
    },
    "contentLinks" => optional_list(&this.own.content_links, links::alternate_link),
} else this.tags);

struct TranscriptData<'a>(&'a Transcript);

object!(impl TranscriptData<'a>, |transcript| {
    "type_text" => text::type_text(&transcript.0.media_type, &transcript.0.url),
    "language_text" => transcript.0.language.as_deref().map(native_name),
} else RecordWithNulls(transcript.0));

struct SoundbiteData<'a>(&'a Soundbite, ItemFacts<'a>);

impl SoundbiteData<'_> {
    /// Returns the address of the clip's page.
    fn page_url(&self) -> Option<String> {
        let ItemFacts { shared, shown, .. } = self.1;
        let clip = shown.entry.clip(self.0).filter(|_| shared.config.audio.clips)?;
        Some(self.url(&clip.path(shown.entry)))
    }

    /// Returns the address of the clip's recording.
    fn clip_url(&self) -> Option<String> {
        let ItemFacts { shared, shown, .. } = self.1;
        Some(self.url(&ClipRecording::of(shared.config, shown.entry, self.0)?.path))
    }

    fn url(&self, path: &str) -> String {
        let ItemFacts { shared, shown, .. } = self.1;
        shared.config.original_url(shown.entry.item.language.as_deref(), path)
    }
}

object!(impl SoundbiteData<'a>, |soundbite| {
    "page_url" => soundbite.page_url(),
    "clip_url" => soundbite.clip_url(),
    "clip_type" => soundbite.clip_url().map(|url| media_type(Path::new(&url))),
    "clip_size" => {
        let ItemFacts { shared, shown, .. } = soundbite.1;
        let clip = shared.recordings.clip(shown.entry, soundbite.0);
        clip.and_then(|(_, tags)| shared.recordings.facts(&tags)).map(|facts| facts.length)
    },
    "endTime" => seconds_as_json(soundbite.0.start_time + soundbite.0.duration),
    "duration_text" => soundbite.1.shared.words.duration(soundbite.0.duration),
    "start_text" => soundbite.1.clock(soundbite.0.start_time),
    "start_hhmmss" => text::hhmmss(soundbite.0.start_time),
} else RecordWithNulls(soundbite.0));

struct ChapterData<'a>(&'a Chapter, ItemFacts<'a>);

object!(impl ChapterData<'a>, |chapter| {
    "start_text" => chapter.1.clock(chapter.0.start_time),
    "start_hhmmss" => text::hhmmss(chapter.0.start_time),
    "title" => chapter.0.title.as_deref(),
    "img" => chapter.0.img.as_deref(),
    "url" => chapter.0.url.as_deref(),
    "endTime" => chapter.0.end_time.and_then(seconds_as_json),
    "location" if chapter.0.location.is_some() => {
        chapter.0.location.as_ref().map(|place| Data::object(PlaceData(place)))
    },
} else RecordObject(chapter.0));

struct PlaceData<'a>(&'a ChapterLocation);

object!(impl PlaceData<'a>, |this| {
    "map_url" => map_links::map(this.0.osm.as_deref(), Some(&this.0.geo)),
} else RecordObject(this.0));
