//! Links to other items in template contexts.

use std::slice::from_ref;

use mustache::{Data, object};

use super::parts::each;
use super::picture::{picture, shown_address};
use crate::inputs::{LinkedItem, Shared, SwitchLanguage, Translation};
use crate::text;
use model::MediaFile;
use words::native_name;

/// Returns an item that a page links to, or null.
pub fn linked<'a>(shared: &'a Shared<'a>, item: Option<&'a LinkedItem<'a>>) -> Data<'a> {
    let view = item.map(|item| Data::object(LinkedData { shared, item }));
    view.unwrap_or_default()
}

/// Returns the items that a page links to.
pub fn linked_items<'a>(shared: &'a Shared<'a>, all: &'a [LinkedItem<'a>]) -> Data<'a> {
    each(all, move |item| linked(shared, Some(item)))
}

pub(super) struct LinkedData<'a> {
    pub shared: &'a Shared<'a>,
    pub item: &'a LinkedItem<'a>,
}

impl<'a> LinkedData<'a> {
    fn date_published_short(&self) -> Option<String> {
        let zone = &self.shared.config.timezone;
        let date = self.item.date_published;
        date.map(|date| text::short_date(date, zone))
    }

    fn date_published_text(&self) -> Option<String> {
        let zone = &self.shared.config.timezone;
        let date = self.item.date_published;
        date.map(|date| self.shared.words.date(zone.to_datetime(date).date()))
    }

    /// Returns the language of the item's title, if the current page has another language.
    fn lang(&self) -> Option<&'a str> {
        let language = self.item.language.unwrap_or(self.shared.language());
        let is_own = language.eq_ignore_ascii_case(&self.shared.words.language);
        (!is_own).then_some(language)
    }

    /// Returns the address of the item's picture, and the picture's file.
    fn picture(&self) -> Option<(&'a str, &'a [MediaFile])> {
        let picture = self.item.picture?;
        Some((picture.address, picture.file.map(from_ref).unwrap_or_default()))
    }

    /// Returns a title for an untitled item: the first words of the body, or else the date of
    /// publication.
    fn untitled(&self) -> String {
        let words = self.item.words.clone().filter(|words| !words.is_empty());
        words.or_else(|| self.date_published_text()).unwrap_or_else(|| self.item.segment.to_owned())
    }
}

object!(impl LinkedData<'a>, |this| {
    "title" => match this.item.title {
        "" => Data::from(this.untitled()),
        title => Data::from(title),
    },
    "url" => this.shared.config.url(this.item.path),
    "date_published" => this.item.date_published.map(text::rfc3339),
    "date_published_short" => this.date_published_short(),
    "date_published_text" => this.date_published_text(),
    "lang" => this.lang(),
    "image" => this.picture().map(|(address, media)| shown_address(this.shared, media, address)),
    "picture" => this.picture().and_then(|(address, media)| picture(this.shared, media, address)),
});

/// Returns the language switch.
pub fn switch<'a>(shared: &'a Shared<'a>, all: &'a [SwitchLanguage<'a>]) -> Data<'a> {
    all.iter().map(|one| Data::object(SwitchData { shared, one })).collect()
}

struct SwitchData<'a> {
    shared: &'a Shared<'a>,
    one: &'a SwitchLanguage<'a>,
}

object!(impl SwitchData<'a>, |this| {
    "language" => &this.one.language.tag,
    "language_name" => &this.one.language.name,
    "url" => this.one.url(this.shared.config),
    "is_current" => this.one.language.is_current,
});

/// Returns the language of a text that is not translated into the language of the page.
pub fn untranslated<'a>(shared: &'a Shared<'a>, language: Option<&'a str>) -> Data<'a> {
    let own = language.filter(|_| shared.is_untranslated(language));
    own.map_or_else(Data::default, |language| {
        Data::from([
            ("language", Data::from(language)),
            ("language_name", native_name(language).into()),
        ])
    })
}

/// Returns links to the translations.
pub fn translations<'a>(all: &'a [&'a Translation]) -> Data<'a> {
    each(all, |one| Data::object(TranslationData { one }))
}

struct TranslationData<'a> {
    one: &'a Translation,
}

object!(impl TranslationData<'a>, |this| {
    "title" => &this.one.title,
    "url" => &this.one.url,
    "language" => &this.one.language,
    "language_name" => &this.one.language_name,
});
