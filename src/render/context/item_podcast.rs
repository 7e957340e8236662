//! An item's Podcasting 2.0 tags as templates read them.

use mustache::{Data, object};

use super::feed_shape::{AsData, FeedShape, Shaped};
use super::item_facts::ItemFacts;
use super::model_shapes::seconds;
use super::parts::each;
use super::transcript::TranscriptPage;
use crate::model::Category;
use crate::model::chapter::Chapter;
use crate::model::podcast::{ItemPodcast, License, Person, SharedPodcast, Soundbite, Transcript};
use crate::render::text;
use crate::site::{FacetKind, paths};

/// An item's `podcast`.
pub struct PodcastData<'a> {
    facts: ItemFacts<'a>,
    own: Shaped<'a, ItemPodcast>,
    transcript: Option<TranscriptPage<'a>>,
}

impl<'a> PodcastData<'a> {
    pub fn of(facts: ItemFacts<'a>) -> Self {
        let own = Shaped(&*facts.item().podcast);
        let transcript = facts.transcript.map(TranscriptPage::of);
        Self {
            facts,
            own,
            transcript,
        }
    }

    fn own(&self) -> &'a ItemPodcast {
        self.own.0
    }

    /// An episode's people and licence fall back to the channel's.
    fn fallback(&self) -> Option<&'a SharedPodcast> {
        let attachment = self.facts.attachment()?;
        let is_episode = matches!(attachment.category, Category::Audio | Category::Video);
        is_episode.then_some(&self.facts.shared.channel.podcast.shared)
    }

    fn people(&self) -> Option<Data<'a>> {
        let own = &self.own().shared.people;
        let all = match self.fallback() {
            Some(channel) if own.is_empty() => &channel.people,
            _ => own,
        };
        (!all.is_empty()).then(|| each(all, |person| Data::object(PersonData(person))))
    }

    fn license(&self) -> Option<Data<'a>> {
        let own = self.own().shared.license.as_ref();
        let license = own.or_else(|| self.fallback()?.license.as_ref())?;
        Some(Data::object(LicenseData(license)))
    }

    fn chapters(&self) -> Data<'a> {
        let all = self.own().chapters.iter();
        let listed = all.filter(|chapter| chapter.toc != Some(false));
        listed
            .map(|chapter| Data::object(ChapterData(chapter, self.facts)))
            .collect()
    }

    /// The transcript that a `<track>` can show.
    fn captions(&self) -> Option<Data<'a>> {
        let mut all = self.own().transcripts.iter();
        let captions = all.find(|transcript| transcript.media_type == "text/vtt")?;
        let language = captions.language.as_deref();
        Some(Data::from([
            ("url", Data::from(&captions.url)),
            ("language", language.into()),
        ]))
    }

    fn season(&self) -> Option<Data<'a>> {
        match &self.own().season {
            Some(season) => Some(Data::from([
                ("number", season.number.into()),
                ("text", self.numbered("season", &season.number)),
                ("name", season.name.as_deref().into()),
                ("page_url", self.season_page()),
            ])),
            None => {
                let number = self.facts.item().itunes.season?;
                Some(Data::from([
                    ("number", number.into()),
                    ("text", self.numbered("season", &number)),
                    ("name", Data::default()),
                    ("page_url", self.season_page()),
                ]))
            }
        }
    }

    /// The page of its season.
    fn season_page(&self) -> Data<'a> {
        let shown = self.facts.shown;
        let number = shown.entry.season().filter(|_| shown.has_season_page);
        let path = |number: i64| paths::facet(FacetKind::Season, &number.to_string(), 1);
        let url = number.map(|number| self.facts.shared.config.url(&path(number)));
        url.map_or_else(Data::default, Data::shared)
    }

    /// A season or an episode by its number: `Episode 3`.
    fn numbered(&self, key: &str, number: &impl ToString) -> Data<'a> {
        let words = self.facts.shared.words;
        words
            .filled(key, &[("n", &words.plain(&number.to_string()))])
            .into()
    }

    fn episode(&self) -> Option<Data<'a>> {
        match &self.own().episode {
            Some(episode) => Some(Data::from([
                ("number", episode.number.into()),
                ("display", episode.display.as_deref().into()),
                (
                    "text",
                    match &episode.display {
                        Some(display) => Data::from(display),
                        None => self.numbered("episode", &episode.number),
                    },
                ),
            ])),
            None => {
                let number = self.facts.item().itunes.episode?;
                Some(Data::from([
                    ("number", number.into()),
                    ("text", self.numbered("episode", &number)),
                    ("display", Data::default()),
                ]))
            }
        }
    }
}

fn listed<'a, T>(all: &'a [T], view: impl Fn(&'a T) -> Data<'a> + 'a) -> Option<Data<'a>> {
    (!all.is_empty()).then(|| each(all, view))
}

// What themes do not know is there in the shape that feeds have it.
object!(impl PodcastData<'a>, |this| {
    "people" => this.people(),
    "license" => this.license(),
    "locations" => this.own().field("locations"),
    "transcripts" => listed(&this.own().transcripts, |one| Data::object(TranscriptData(one))),
    "transcript" if this.transcript.is_some() => {
        this.transcript.as_ref().and_then(TranscriptPage::data)
    },
    "captions" => this.captions(),
    "chapters" => this.chapters(),
    "soundbites" => {
        let facts = this.facts;
        listed(&this.own().soundbites, move |one| Data::object(SoundbiteData(one, facts)))
    },
    "season" => this.season(),
    "episode" => this.episode(),
} else this.own);

struct PersonData<'a>(&'a Person);

object!(impl PersonData<'a>, |person| {
    "name" => &person.0.name,
    "role" => person.0.role.as_deref(),
    "group" => person.0.group.as_deref(),
    "img" => person.0.img.as_deref(),
    "href" => person.0.href.as_deref(),
});

struct LicenseData<'a>(&'a License);

object!(impl LicenseData<'a>, |license| {
    "identifier" => &license.0.identifier,
    "url" => license.0.url.as_deref(),
});

struct TranscriptData<'a>(&'a Transcript);

object!(impl TranscriptData<'a>, |transcript| {
    "url" => &transcript.0.url,
    "type" => &transcript.0.media_type,
    "type_text" => text::type_text(&transcript.0.media_type, &transcript.0.url),
    "language" => transcript.0.language.as_deref(),
    "rel" => transcript.0.rel.as_deref(),
});

struct SoundbiteData<'a>(&'a Soundbite, ItemFacts<'a>);

object!(impl SoundbiteData<'a>, |soundbite| {
    "startTime" => soundbite.0.start_time,
    "duration" => soundbite.0.duration,
    "title" => soundbite.0.title.as_deref(),
    "start_text" => soundbite.1.clock(soundbite.0.start_time),
    "start_hhmmss" => text::hhmmss(soundbite.0.start_time),
});

struct ChapterData<'a>(&'a Chapter, ItemFacts<'a>);

object!(impl ChapterData<'a>, |chapter| {
    "startTime" => seconds(&chapter.0.start_time),
    "endTime" => seconds(&chapter.0.end_time),
    "start_text" => chapter.1.clock(chapter.0.start_time),
    "start_hhmmss" => text::hhmmss(chapter.0.start_time),
    "title" => chapter.0.title.as_deref(),
    "img" => chapter.0.img.as_deref(),
    "url" => chapter.0.url.as_deref(),
    "toc" if chapter.0.toc.is_some() => chapter.0.toc,
    "location" if chapter.0.location.is_some() => chapter.0.location.as_data(),
});
