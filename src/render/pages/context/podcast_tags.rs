//! The Podcasting 2.0 tags that channels and items share, for display on pages.

use mustache::{Data, Object, object};

use super::licenses;
use super::links::{self, NamedLink};
use super::map_links;
use super::parts::each;
use super::picture::picture;
use super::record_data::{RecordObject, RecordWithNulls};
use super::value::ValueData;
use crate::inputs::Shared;
use model::MediaFile;
use model::podcast::vocabulary::roles;
use model::podcast::{ChannelPodcast, License, Location, LocationRel, Person, SharedPodcast};
use words::{ENGLISH, Words};

/// Maximum number of people that a page shows without folding the list.
const MAX_UNFOLDED_PEOPLE: usize = 12;

/// Common roles of the Podcast Taxonomy, with the keys of their translations.
const ROLES: [(&str, &str); 24] = [
    ("host", "role_host"),
    ("co host", "role_co_host"),
    ("guest host", "role_guest_host"),
    ("guest", "role_guest"),
    ("narrator", "role_narrator"),
    ("voice actor", "role_voice_actor"),
    ("reporter", "role_reporter"),
    ("author", "role_author"),
    ("writer", "role_writer"),
    ("editor", "role_editor"),
    ("researcher", "role_researcher"),
    ("translator", "role_translator"),
    ("director", "role_director"),
    ("producer", "role_producer"),
    ("executive producer", "role_executive_producer"),
    ("audio editor", "role_audio_editor"),
    ("sound designer", "role_sound_designer"),
    ("composer", "role_composer"),
    ("cover art designer", "role_cover_art_designer"),
    ("audio engineer", "role_audio_engineer"),
    ("fact checker", "role_fact_checker"),
    ("theme music", "role_theme_music"),
    ("camera operator", "role_camera_operator"),
    ("graphic designer", "role_graphic_designer"),
];

/// The podcast tags that channels and items have in common, for display on a page.
pub struct SharedTags<'a> {
    shared: &'a Shared<'a>,
    own: &'a SharedPodcast,
    /// The channel's tags. An episode without people, licence, funding or value inherits them from
    /// the channel.
    channel: Option<&'a SharedPodcast>,
    /// The media files of the item.
    media: &'a [MediaFile],
}

impl<'a> SharedTags<'a> {
    pub fn of_channel(shared: &'a Shared<'a>, own: &'a ChannelPodcast) -> Self {
        Self { shared, own: &own.shared, channel: None, media: &[] }
    }

    pub fn of_item(
        shared: &'a Shared<'a>,
        own: &'a SharedPodcast,
        channel: Option<&'a SharedPodcast>,
        media: &'a [MediaFile],
    ) -> Self {
        Self { shared, own, channel, media }
    }

    fn inherited_list<T>(&self, of: impl Fn(&'a SharedPodcast) -> &'a Vec<T>) -> &'a [T] {
        let own = of(self.own);
        match self.channel {
            Some(channel) if own.is_empty() => of(channel),
            _ => own,
        }
    }

    fn people(&self) -> &'a [Person] {
        self.inherited_list(|tags| &tags.people)
    }

    fn people_data(&self, people: &'a [Person]) -> Option<Data<'a>> {
        let (shared, media) = (self.shared, self.media);
        optional_list(people, move |person| Data::object(PersonData { shared, media, person }))
    }

    fn license(&self) -> Option<Data<'a>> {
        let own = self.own.license.as_ref();
        let license = own.or_else(|| self.channel?.license.as_ref())?;
        let words = self.shared.words;
        Some(Data::object(LicenseData { license, words }))
    }
}

object!(impl SharedTags<'a>, |this| {
    "people" => this.people_data(this.people()),
    "first_people" => {
        let people = this.people();
        this.people_data(&people[..people.len().min(MAX_UNFOLDED_PEOPLE)])
    },
    "other_people" => this.people_data(this.people().get(MAX_UNFOLDED_PEOPLE..).unwrap_or_default()),
    "other_people_text" => {
        let others = this.people().len().saturating_sub(MAX_UNFOLDED_PEOPLE) as u64;
        (others > 0).then(|| this.shared.words.format_count("more_people", others))
    },
    "license" => this.license(),
    "locations" => {
        let words = this.shared.words;
        optional_list(&this.own.locations, move |place| Data::object(LocationData { place, words }))
    },
    "funding" => {
        optional_list(this.inherited_list(|tags| &tags.funding), |funding| Data::object(RecordWithNulls(funding)))
    },
    "value" => {
        let words = this.shared.words;
        let values = this.inherited_list(|tags| &tags.value);
        optional_list(values, move |value| Data::object(ValueData { value, words }))
    },
    "comments" => {
        let links = links::comments(&this.own.social_interact);
        (!links.is_empty()).then(|| links.into_iter().map(NamedLink::data).collect::<Data<'a>>())
    },
    "chat_url" => this.own.chat.as_ref().and_then(links::chat),
    "chat_name" => this.own.chat.as_ref().map(links::chat_name),
});

/// Returns a list, or None if it is empty.
pub fn optional_list<'a, T>(
    all: &'a [T],
    view: impl Fn(&'a T) -> Data<'a> + 'a,
) -> Option<Data<'a>> {
    (!all.is_empty()).then(|| each(all, view))
}

/// Merges two objects: the page's view of tags and the feed's view. The page's view takes
/// precedence.
pub struct Overlay<A, B>(pub Option<A>, pub B);

impl<'a, A: Object<'a>, B: Object<'a>> Object<'a> for Overlay<A, B> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let first = self.0.as_ref().and_then(|first| first.get(key));
        first.or_else(|| self.1.get(key))
    }

    fn keys(&self) -> Vec<String> {
        let mut keys = self.0.as_ref().map_or_else(Vec::new, Object::keys);
        keys.extend(self.1.keys());
        keys
    }
}

/// Returns the key of the translation of a role.
fn word_of_role(role: &str) -> Option<&'static str> {
    let name = role.trim().replace('-', " ");
    let known = ROLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
    known.map(|(_, word)| *word)
}

struct PersonData<'a> {
    shared: &'a Shared<'a>,
    media: &'a [MediaFile],
    person: &'a Person,
}

impl<'a> PersonData<'a> {
    /// Returns the role in the page's language, or unchanged if it has no translation.
    fn role_text(&self) -> Option<&'a str> {
        let role = self.person.role.as_deref()?;
        Some(word_of_role(role).map_or(role, |word| self.shared.words.text(word)))
    }

    /// Returns English as the language of a role without a translation, if the role is in the
    /// taxonomy and the page is in another language. A role that an author made up is in the
    /// language of the site.
    fn role_lang(&self) -> Option<&'static str> {
        let role = self.person.role.as_deref()?.trim();
        let is_known = || roles().iter().any(|known| known.eq_ignore_ascii_case(role));
        let words = self.shared.words;
        let is_english = words.other_language().is_none()
            && !words.is_english()
            && word_of_role(role).is_none()
            && is_known();
        is_english.then_some(ENGLISH)
    }
}

object!(impl PersonData<'a>, |this| {
    "role_text" => this.role_text(),
    "role_lang" => this.role_lang(),
    "picture" => {
        let (shared, img) = (this.shared, this.person.img.as_deref());
        let media = [this.media, &*shared.channel.media];
        img.and_then(|img| media.into_iter().find_map(|media| picture(shared, media, img)))
    },
    "letter" => {
        let letter = this.person.name.chars().find(|c| c.is_alphanumeric());
        letter.map(|letter| letter.to_uppercase().to_string())
    },
} else RecordWithNulls(this.person));

struct LicenseData<'a> {
    license: &'a License,
    words: &'a Words,
}

object!(impl LicenseData<'a>, |this| {
    "url" => match &this.license.url {
        Some(url) => Data::from(url),
        None => licenses::url(&this.license.identifier).into(),
    },
    "name" => licenses::name(&this.license.identifier, this.words),
} else RecordWithNulls(this.license));

struct LocationData<'a> {
    place: &'a Location,
    words: &'a Words,
}

object!(impl LocationData<'a>, |this| {
    "rel_text" => this.place.rel.map(|rel| this.words.text(match rel {
        LocationRel::Subject => "about_place",
        LocationRel::Creator => "recorded_at",
    })),
    "map_url" => map_links::map(this.place.osm.as_deref(), this.place.geo.as_deref()),
} else RecordObject(this.place));
