//! The tags of published recordings.

use crate::transcript_files::local_transcripts;
use crate::view;
use crate::view::numbers::{Numbers, numbers};
use ::pictures::Format;
use jiff::tz::TimeZone;
use model::artwork::MIN_ARTWORK;
use model::chapter::Chapter;
use model::podcast::Soundbite;
use model::{
    Channel, Config, Content, Item, MediaFile, PublishedRecording, RecordingFacts, RecordingTags,
    Recordings, SitePath, Size, TagPicture,
};
use recording_tags::{Person, Tags};
use site::recordings::{ClipRecording, TaggedRecordings, recording};
use site::{ItemEntry, Snapshot, paths};

/// Maximum width of a cover in pixels: the minimum width of artwork in Apple's directory. Such a
/// JPEG is about as long as ten seconds of speech, and sharp on every phone and car display.
const COVER_WIDTH: u32 = MIN_ARTWORK;

/// Maximum width in pixels of a chapter's picture, and of the cover of a clip. A recording can have
/// a hundred of them.
const CHAPTER_WIDTH: u32 = 600;

/// The recordings of a site in the form in which they are published.
#[derive(Debug, Clone, Copy)]
pub struct PublishedRecordings<'a> {
    snapshot: &'a Snapshot,
    config: &'a Config,
    channel: &'a Channel,
    tagged: &'a TaggedRecordings,
    writer: Option<&'a dyn Recordings>,
}

impl<'a> PublishedRecordings<'a> {
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            config: &snapshot.config,
            channel: &snapshot.channel,
            tagged: snapshot.tagged_recordings(),
            writer: snapshot.recordings.as_deref(),
        }
    }

    /// Returns the tags of an item's recording. Returns `None` if the recording is published
    /// unchanged, or if the item has none.
    pub fn tags(self, entry: &'a ItemEntry) -> Option<RecordingTags<'a>> {
        let file = recording(self.config, &entry.item)?;
        let owner = self.tagged.owner(&file.path)?;
        if owner.item.id != entry.item.id {
            return None;
        }
        match self.snapshot.edition_of_item(owner) {
            Some(edition) => Self::of(edition).tags_at(&file.path),
            None => Some(self.tags_of(owner, file)),
        }
    }

    /// Returns the clip of a soundbite and its tags.
    pub fn clip(
        self,
        entry: &'a ItemEntry,
        soundbite: &Soundbite,
    ) -> Option<(ClipRecording<'a>, RecordingTags<'a>)> {
        let clip = ClipRecording::of(self.config, entry, soundbite)?;
        let Soundbite { start_time: start, duration, title, .. } =
            entry.item.podcast.soundbites.get(clip.index)?;
        let whole = self.tags_of(entry, clip.file);
        let page = paths::clip(entry, *start, start + duration);
        let tags = Tags {
            title: title.clone().or(whole.tags.title),
            address: Some(self.config.published_url_of(&page)),
            number: None,
            season: None,
            description: None,
            chapters: Vec::new(),
            ..whole.tags
        };
        let cover = whole.cover.map(|TagPicture { file, size }| {
            let width = size.width.min(CHAPTER_WIDTH);
            TagPicture { file, size: Size { width, ..size } }
        });
        let has_tags = entry.item.audio_tags.unwrap_or(self.config.audio.tags);
        let tags = RecordingTags {
            clip: Some(soundbite.milliseconds()),
            tags: if has_tags { tags } else { Tags::default() },
            cover: cover.filter(|_| has_tags),
            chapter_images: Vec::new(),
            lyrics: None,
            ..whole
        };
        Some((clip, tags))
    }

    /// Returns the tags of the clip of the soundbite with this index.
    pub fn clip_at(self, entry: &'a ItemEntry, index: usize) -> Option<RecordingTags<'a>> {
        Some(self.clip(entry, entry.item.podcast.soundbites.get(index)?)?.1)
    }

    /// Returns the tags of the recording at a public path.
    pub fn tags_at(self, path: &str) -> Option<RecordingTags<'a>> {
        self.tags(self.tagged.owner(path)?)
    }

    /// Returns the published form of a recording. Returns `None` if it is published unchanged.
    pub fn published(self, tags: &RecordingTags<'_>) -> Option<PublishedRecording> {
        self.writer?.published(tags)
    }

    /// Returns facts about the published form of a recording.
    pub fn facts(self, tags: &RecordingTags<'_>) -> Option<RecordingFacts> {
        self.writer?.facts(tags)
    }

    /// Returns the size of an item's attachment in bytes: of the published file, if the file is
    /// part of the site.
    pub fn size_in_bytes(self, entry: &'a ItemEntry) -> Option<u64> {
        let facts = || self.facts(&self.tags(entry)?);
        let of_source = || entry.item.attachment.as_ref()?.size_in_bytes;
        facts().map(|facts| facts.length).or_else(of_source)
    }

    /// Returns the waveform of a passage of a recording, in seconds.
    pub fn waveform(self, file: &SitePath, passage: (f64, f64)) -> Option<String> {
        let is_wanted = self.config.audio.waveform;
        self.writer.filter(|_| is_wanted)?.waveform(file, passage)
    }

    fn tags_of(self, entry: &'a ItemEntry, file: &'a MediaFile) -> RecordingTags<'a> {
        let (config, channel, item) = (self.config, self.channel, &entry.item);
        let covers = [(&item.image, &*item.media), (&channel.icon, &*channel.media)];
        let cover = covers
            .into_iter()
            .find_map(|(image, media)| self.picture(&image.as_ref()?.url, media, COVER_WIDTH));
        let chapters = match item.podcast.are_embedded {
            // The recording keeps its own chapters, which can have pictures.
            true => &[],
            false => &*item.podcast.chapters,
        };
        let image =
            |chapter: &Chapter| self.picture(chapter.img.as_ref()?, &item.media, CHAPTER_WIDTH);
        let date = item.date_published;
        let Numbers { season, episode } = numbers(item);
        let tags = Tags {
            title: Some(title(item)).filter(|title| !title.is_empty()),
            show: Some(view::title(config, channel).to_owned()),
            people: people(channel, item),
            number: episode,
            season,
            date: date.map(|date| date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            description: Some(description(item)).filter(|text| !text.is_empty()),
            address: Some(config.published_url_of(&entry.path)),
            language: item.language.clone().or_else(|| channel.language.clone()),
            publisher: channel.publisher.as_ref().map(|one| one.name.clone()),
            // The year of publication, so that old recordings do not change every January.
            copyright: date.map(|date| {
                let year = date.to_zoned(TimeZone::UTC).year();
                view::copyright(channel, view::title(config, channel), year)
            }),
            genre: Some("Podcast".to_owned()),
            chapters: tag_chapters(chapters, duration_ms(item)),
            removes_chapters: item.podcast.without_chapters,
            ..Tags::default()
        };
        let lyrics = || local_transcripts(config, item).into_iter().next();
        RecordingTags {
            file: &file.source,
            clip: None,
            tags,
            cover,
            chapter_images: chapters.iter().map(image).collect(),
            lyrics: (config.audio.lyrics.then(lyrics).flatten())
                .map(|own| (own.file, &*own.transcript.media_type)),
        }
    }

    /// Returns a picture of the site as a baseline JPEG of at most this width.
    fn picture(&self, address: &str, media: &'a [MediaFile], most: u32) -> Option<TagPicture<'a>> {
        let file = self.config.medium(media, address)?;
        let width = file.still?.width.min(most);
        let format = Format::BaselineJpeg { quality: self.config.images.quality };
        Some(TagPicture { file, size: Size { width, format } })
    }
}

fn title(item: &Item) -> String {
    if item.title.is_empty() { item.content.name(Content::MAX_NAME) } else { item.title.clone() }
}

/// Returns the description that RSS has too.
fn description(item: &Item) -> String {
    match &item.summary {
        Some(summary) => summary.trim().to_owned(),
        None => item.content.excerpt(Content::MAX_LEAD),
    }
}

/// Returns the people in an item's tags, or else in the channel's, or else the authors.
fn people(channel: &Channel, item: &Item) -> Vec<Person> {
    let people = [&item.podcast.shared.people, &channel.podcast.shared.people];
    if let Some(people) = people.into_iter().find(|people| !people.is_empty()) {
        let person = |one: &model::podcast::Person| Person {
            name: one.name.clone(),
            role: one.role.clone(),
        };
        return people.iter().map(person).collect();
    }
    let authors = if item.authors.is_empty() { &channel.authors } else { &item.authors };
    authors.iter().map(|author| Person { name: author.name.clone(), role: None }).collect()
}

/// Converts chapters. A chapter ends where the next one starts, or with the recording.
fn tag_chapters(chapters: &[Chapter], end_ms: Option<u64>) -> Vec<recording_tags::Chapter> {
    let next = chapters.iter().skip(1).map(|chapter| Some(milliseconds(chapter.start_time)));
    let ends = next.chain([end_ms]);
    let chapter = |(chapter, next): (&Chapter, Option<u64>)| {
        let start_ms = milliseconds(chapter.start_time);
        let end = chapter.end_time.map(milliseconds).or(next);
        recording_tags::Chapter {
            start_ms,
            end_ms: end.unwrap_or(start_ms).max(start_ms),
            title: chapter.title.clone().unwrap_or_default(),
            url: chapter.url.clone(),
            image: None,
            is_hidden: chapter.toc == Some(false),
        }
    };
    chapters.iter().zip(ends).map(chapter).collect()
}

fn duration_ms(item: &Item) -> Option<u64> {
    item.attachment.as_ref()?.duration_in_seconds.map(milliseconds)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}
