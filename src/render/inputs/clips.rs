//! The inputs of a clip's page and social card.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use super::transcript::{ShownTranscript, are_in};
use super::{CardOf, Crumb, FrameInputs, Provider, PublishedRecordings};
use crate::text;
use model::podcast::ItemPodcast;
use model::{Category, Content, Item, Rare, RecordingTags, SitePath, SocialCard};
use site::{Clip, ItemEntry};
use source::stamp::Stamp;
use theme::Slot;

/// Maximum length in bytes of the words that a page shows.
const MAX_WORDS: usize = 10_000;

/// A clip in the form of an item, which themes without templates for clips show too.
#[derive(Debug)]
pub struct ShownClip<'a> {
    /// The clip with the address of its page. Its title is the author's, and its body is empty.
    pub entry: ItemEntry,
    pub clip: Clip<'a>,
    /// The path and the title of the clip's item.
    pub episode: (&'a str, Cow<'a, str>),
    /// The recording, if it is a file of the site.
    pub file: Option<&'a SitePath>,
    /// The version of the recording, which the waveform depends on.
    version: Option<Stamp>,
    /// The public path and the tags of the clip's own recording, if it can be cut.
    pub cut: Option<(String, RecordingTags<'a>)>,
    transcript: Option<ShownTranscript<'a>>,
    /// The social card without words, if the page has a card.
    card: Option<SocialCard<'a>>,
}

impl Hash for ShownClip<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { entry, clip, episode, file, version, cut, transcript, card } = self;
        // The item contains only what the page shows.
        borsh::to_vec(&*entry.item).unwrap_or_default().hash(state);
        (&entry.segment, entry.status, clip.fragment(), clip.title).hash(state);
        (episode, file, transcript, card).hash(state);
        (cut.as_ref().map(|(path, _)| path), version).hash(state);
    }
}

/// Words of one speaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The speaker, if it differs from the previous speaker.
    pub speaker: Option<String>,
    pub text: String,
}

/// The page of a clip.
#[derive(Debug, Hash)]
pub struct ClipPage<'a> {
    pub shown: ShownClip<'a>,
    pub has_season_page: bool,
    /// The slugs of the authors that have pages.
    pub authors: Vec<Option<&'a model::Slug>>,
    /// The paths of the previous and next clips, with their titles and starts.
    pub neighbours: [Option<ClipLink<'a>>; 2],
    /// The breadcrumbs above the clip, which end with the clip's item.
    pub above: Vec<Crumb<'a>>,
    pub frame: FrameInputs<'a>,
}

/// A link to another clip of the same recording.
#[derive(Debug)]
pub struct ClipLink<'a> {
    pub path: String,
    pub clip: Clip<'a>,
}

impl Hash for ClipLink<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.path, self.clip.title).hash(state);
    }
}

impl<'a> Provider<'a> {
    /// Returns the inputs of a clip's page. Returns None if the soundbite has no page.
    pub(super) fn clip_page(&self, at: usize, soundbite: usize) -> Option<ClipPage<'a>> {
        let entry: &'a ItemEntry = &self.snapshot.entries[at];
        let shown = self.shown_clip(at, soundbite)?;
        let link = |at| {
            let clip = entry.clip_at(at)?;
            Some(ClipLink { path: clip.path(entry), clip })
        };
        let last = entry.item.podcast.soundbites.len();
        let item = self.shown(entry);
        let mut above = self.above_item(&item);
        let (path, title) = shown.episode.clone();
        above.push(Crumb::Item { path, title, language: entry.item.language.as_deref() });
        Some(ClipPage {
            has_season_page: item.has_season_page,
            authors: item.authors,
            neighbours: [(0..soundbite).rev().find_map(link), (soundbite + 1..last).find_map(link)],
            above,
            frame: self.frame_of_item(Slot::WebItem, entry),
            shown,
        })
    }

    /// Returns a clip. Returns None if the soundbite has no page.
    pub(super) fn shown_clip(&self, at: usize, soundbite: usize) -> Option<ShownClip<'a>> {
        let entry: &'a ItemEntry = &self.snapshot.entries[at];
        let clip = entry.clip_at(soundbite)?;
        let (item, config) = (&*entry.item, &self.snapshot.config);
        let audio = item.attachment.as_ref().filter(|file| file.category == Category::Audio);
        let file = audio.and_then(|audio| config.medium(&item.media, &audio.url));
        Some(ShownClip {
            entry: entry.below(clip.segment(entry), as_item(item, clip)),
            clip,
            episode: (&entry.path, title(item, &entry.segment)),
            file: file.map(|file| &file.source),
            version: file.map(|file| Stamp::of(&file.source.on_disk(&self.snapshot.root))),
            cut: self
                .recordings()
                .clip(entry, &item.podcast.soundbites[soundbite])
                .map(|(recording, tags)| (recording.path, tags)),
            transcript: ShownTranscript::of(self.snapshot, entry),
            card: self.public().card(CardOf::Clip(at, soundbite)),
        })
    }
}

/// Returns a clip of an item in the form of an item.
fn as_item(item: &Item, clip: Clip<'_>) -> Item {
    let ItemPodcast { season, episode, .. } = &*item.podcast;
    let podcast =
        ItemPodcast { season: season.clone(), episode: episode.clone(), ..ItemPodcast::default() };
    Item {
        title: clip.title.unwrap_or_default().to_owned(),
        date_modified: None,
        date_created: None,
        banner_image: None,
        url: None,
        translations: Vec::new(),
        aliases: Vec::new(),
        former_paths: Vec::new(),
        guid: None,
        tags: Vec::new(),
        series: None,
        seo: Rare::default(),
        summary: None,
        podcast: podcast.into(),
        content: Content::default(),
        ..item.clone()
    }
}

/// Returns the title of an item, or its first words.
fn title<'a>(item: &'a Item, segment: &'a str) -> Cow<'a, str> {
    if !item.title.is_empty() {
        return (&item.title).into();
    }
    let words = item.content.name(Content::MAX_NAME);
    if words.is_empty() { segment.into() } else { words.into() }
}

impl<'a> ShownClip<'a> {
    /// Reads the words of the passage from the transcript.
    pub fn words(&self) -> Vec<Said> {
        let Some(transcript) = &self.transcript else {
            return Vec::new();
        };
        let file = transcript.read();
        let mut read = transcripts::read(&file, transcript.format);
        let mut paragraphs = read.paragraphs(ShownTranscript::PARAGRAPH_WORDS).peekable();
        let (mut said, mut length) = (Vec::<Said>::new(), 0);
        let mut speaker = None;
        while let Some(paragraph) = paragraphs.next() {
            let is_other = paragraph.speaker.is_some();
            speaker = paragraph.speaker.or(speaker);
            let next = paragraphs.peek().and_then(|next| next.lines.first()?.start);
            let are_in = are_in(&paragraph.lines, next, &self.clip);
            let lines = paragraph.lines.iter().zip(are_in).filter(|(_, is_in)| *is_in);
            let text: String = lines.map(|(line, _)| line.text.as_str()).collect();
            let text = text.trim_end().to_owned();
            length += text.len();
            if length > MAX_WORDS {
                break;
            }
            if !text.is_empty() {
                let is_named = is_other || said.is_empty();
                said.push(Said { speaker: speaker.clone().filter(|_| is_named), text });
            }
        }
        said
    }

    /// Returns the title of the clip: the author's, or else its first words, or else the title of
    /// its item.
    pub fn title(&self, words: &[Said]) -> String {
        const MAX_TITLE: usize = 80;
        match (self.clip.title, words.first()) {
            (Some(title), _) => title.to_owned(),
            (None, Some(first)) => text::excerpt(&first.text, MAX_TITLE),
            (None, None) => self.episode.1.clone().into_owned(),
        }
    }

    /// Returns the waveform of the passage, or an empty string.
    pub fn waveform(&self, recordings: PublishedRecordings<'_>) -> String {
        let waveform = || recordings.waveform(self.file?, (self.clip.start, self.clip.end));
        waveform().unwrap_or_default()
    }

    /// Returns the social card with the words, if the page has a card.
    pub fn card(
        &self,
        words: &[Said],
        recordings: PublishedRecordings<'_>,
    ) -> Option<SocialCard<'a>> {
        /// Maximum length of the words in characters. Longer words are too small to read.
        const MAX_QUOTATION: usize = 240;
        let mut card = self.card.clone()?;
        if !words.is_empty() {
            let texts: Vec<&str> = words.iter().map(|said| said.text.as_str()).collect();
            card.title = text::excerpt(&texts.join(" "), MAX_QUOTATION);
        }
        Some(SocialCard { passage: Some(self.waveform(recordings)), ..card })
    }

    /// Returns the path of a card of the clip.
    pub fn card_path(&self, card: &SocialCard<'_>) -> String {
        [&*self.entry.path, "card.", card.extension()].concat()
    }
}
