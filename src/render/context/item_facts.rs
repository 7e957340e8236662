//! What an item's views are made of.

use mustache::Data;

use crate::model::{Attachment, Item};
use crate::render::inputs::{Shared, ShownItem, ShownTranscript};
use crate::render::text;
use crate::site::paths;

/// An item, with what its document may read beside it.
#[derive(Clone, Copy)]
pub struct ItemFacts<'a> {
    pub shared: &'a Shared<'a>,
    pub shown: &'a ShownItem<'a>,
    /// On its own page, what was said in it.
    pub transcript: Option<&'a ShownTranscript<'a>>,
}

impl<'a> ItemFacts<'a> {
    /// Of an item in a list.
    pub fn listed(shared: &'a Shared<'a>, shown: &'a ShownItem<'a>) -> Self {
        let transcript = None;
        Self {
            shared,
            shown,
            transcript,
        }
    }

    pub fn item(self) -> &'a Item {
        &self.shown.entry.item
    }

    pub fn attachment(self) -> Option<&'a Attachment> {
        self.item().attachment.as_ref()
    }

    /// The address of its page.
    pub fn web_url(self) -> String {
        let path = paths::item(&self.shown.entry.segment);
        self.shared.config.url(&path)
    }

    pub fn date_published_short(self) -> Option<String> {
        let zone = &self.shared.config.timezone;
        let date = self.item().date_published;
        date.map(|date| text::short_date(date, zone))
    }

    /// An untitled item in a list is named by its first words, or by its day.
    pub fn listed_title(self) -> Data<'a> {
        let item = self.item();
        if !item.title.is_empty() {
            return Data::from(&item.title);
        }
        let words = item.content.excerpt(60);
        if !words.is_empty() {
            return words.into();
        }
        match self.date_published_short() {
            Some(day) => day.into(),
            None => Data::from(&self.shown.entry.segment),
        }
    }
}
