//! The data from which the template contexts of an item are built.

use jiff::Timestamp;
use mustache::Data;

use super::parts::Loop;
use crate::inputs::{Shared, ShownItem, ShownTranscript};
use crate::text;
use model::{Attachment, Item};

/// The place where an item is shown.
#[derive(Clone, Copy)]
pub enum Place {
    Own,
    /// On the page of a clip, which has the form of an item. The number is the clip's duration in
    /// seconds.
    Clip(f64),
    /// In a list on a page.
    List,
    /// In a list that highlights the item.
    Lead,
    /// In the list of a site file.
    SiteFile(Loop),
}

/// An item with the other data that its document may read.
#[derive(Clone, Copy)]
pub struct ItemFacts<'a> {
    pub shared: &'a Shared<'a>,
    pub shown: &'a ShownItem<'a>,
    /// The item's transcript, only on the item's own page.
    pub transcript: Option<&'a ShownTranscript<'a>>,
}

impl<'a> ItemFacts<'a> {
    /// Returns the data of an item in a list.
    pub fn listed(shared: &'a Shared<'a>, shown: &'a ShownItem<'a>) -> Self {
        let transcript = None;
        Self { shared, shown, transcript }
    }

    pub fn item(self) -> &'a Item {
        &self.shown.entry.item
    }

    /// Returns the size of the attachment in bytes.
    pub fn size_in_bytes(self) -> Option<u64> {
        self.shared.recordings.size_in_bytes(self.shown.entry)
    }

    pub fn attachment(self) -> Option<&'a Attachment> {
        self.item().attachment.as_ref()
    }

    /// Returns the address of the item's page.
    pub fn web_url(self) -> String {
        let path = self.shown.entry.path.clone();
        self.shared.config.url(&path)
    }

    pub fn date_published_short(self) -> Option<String> {
        let zone = &self.shared.config.timezone;
        let date = self.item().date_published;
        date.map(|date| text::short_date(date, zone))
    }

    /// Returns the day of publication in the format of the page's language.
    pub fn date_published_text(self) -> Option<String> {
        self.item().date_published.map(|time| self.date_text(time))
    }

    pub fn date_text(self, time: Timestamp) -> String {
        let zone = &self.shared.config.timezone;
        self.shared.words.date(zone.to_datetime(time).date())
    }

    /// Formats a number of seconds as in a player: `21:02`.
    pub fn clock(self, seconds: f64) -> String {
        self.shared.words.localize_digits(&text::clock(seconds))
    }

    /// Returns the title for a list. For an item without a title, returns the first words of the
    /// body, or else the date of publication.
    pub fn listed_title(self) -> Data<'a> {
        let item = self.item();
        if !item.title.is_empty() {
            return Data::from(&item.title);
        }
        let words = item.content.name(60);
        if !words.is_empty() {
            return words.into();
        }
        match self.date_published_text() {
            Some(day) => day.into(),
            None => Data::from(&self.shown.entry.segment),
        }
    }
}
