//! Converts the items of a feed for the planet. Feeds from elsewhere are not trusted: texts become
//! plain text without control characters, and only `http:` and `https:` addresses are kept.

use std::cmp::Reverse;
use std::collections::HashSet;

use feeds::{Author, Feed, Item, Text};
use fetch::Url;
use jiff::Timestamp;

use crate::texts::plain;
use model::excerpt::excerpt;
use model::terminal::is_control;
use model::{Aggregate, PlanetFile, PlanetItem};

/// The circumstances under which a feed was loaded.
pub struct Items<'a> {
    pub aggregate: &'a Aggregate,
    /// Address of the feed after all redirects.
    pub url: &'a Url,
    pub now: Timestamp,
    /// The previous file of the feed.
    pub before: Option<&'a PlanetFile>,
}

/// Numbers of items that were skipped.
#[derive(Debug, Default)]
pub struct Skipped {
    without_address: usize,
    duplicates: usize,
    pub in_future: usize,
}

impl Skipped {
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let counts = [
            (self.without_address, "no web address"),
            (self.duplicates, "the id of another item"),
            (self.in_future, "a date in the future"),
        ];
        let told = counts.into_iter().filter(|(count, _)| *count > 0);
        told.map(|(count, why)| format!("{count} skipped: {why}"))
    }
}

impl Items<'_> {
    /// Converts a feed: its newest items up to the limit.
    pub fn of_feed(&self, feed: Feed) -> (PlanetFile, Skipped) {
        let channel = feed.channel;
        let link = channel.link.as_deref().and_then(|link| web_address(link, self.url));
        let site = link.as_deref().and_then(|link| Url::parse(link).ok());
        let base = channel.base.as_deref().and_then(|base| self.url.join(base).ok());
        let base = base.or(site).unwrap_or_else(|| self.url.clone());
        let (mut skipped, mut ids) = (Skipped::default(), HashSet::new());
        let mut items: Vec<PlanetItem> = Vec::new();
        for item in feed.items {
            let Some(item) = self.item(item, &base) else {
                skipped.without_address += 1;
                continue;
            };
            if !ids.insert(item.id.clone()) {
                skipped.duplicates += 1;
            } else if item.date > self.now {
                skipped.in_future += 1;
            } else {
                items.push(item);
            }
        }
        items.sort_by_key(|item| Reverse(item.date));
        items.truncate(self.aggregate.limit);
        let file = PlanetFile {
            feed: self.aggregate.feed.clone(),
            title: channel.title.map(|title| short(Text::Html(title), PlanetItem::MAX_TITLE)),
            link,
            limit: Some(self.aggregate.limit),
            items,
            ..PlanetFile::default()
        };
        (PlanetFile { title: file.title.filter(|title| !title.is_empty()), ..file }, skipped)
    }

    /// Converts an item. Returns `None` if it has no web address.
    fn item(&self, item: Item, base: &Url) -> Option<PlanetItem> {
        let base = item.base.as_deref().and_then(|own| base.join(own).ok()).unwrap_or(base.clone());
        let link = item.link.as_deref().or(item.external_url.as_deref())?;
        let url = web_address(link, &base)?;
        let id = item.guid.map(|id| clean(&id)).filter(|id| !id.is_empty());
        let id = id.filter(|id| id.chars().count() <= PlanetItem::MAX_ADDRESS);
        let id = id.unwrap_or_else(|| url.clone());
        let text = [item.summary, item.content].into_iter().flatten().find(|text| !text.is_empty());
        Some(PlanetItem {
            date: self.date(item.published.or(item.updated), &id),
            title: item.title.map_or_else(String::new, |title| short(title, PlanetItem::MAX_TITLE)),
            author: names(&item.authors),
            excerpt: text.map_or_else(String::new, |text| short(text, PlanetItem::MAX_EXCERPT)),
            id,
            url,
        })
    }

    /// Returns the date of an item in whole seconds. An item without a date has the time when it
    /// was first loaded.
    fn date(&self, date: Option<Timestamp>, id: &str) -> Timestamp {
        let known = || {
            let known = self.before?.items.iter().find(|known| known.id == id)?;
            Some(known.date)
        };
        // Some programs write the first moment of their calendar in place of a missing date.
        let date = date.filter(|date| date.as_second() > 0).or_else(known).unwrap_or(self.now);
        Timestamp::from_second(date.as_second()).unwrap_or(self.now)
    }
}

/// Returns the names of an item's authors.
fn names(authors: &[Author]) -> Option<String> {
    let names = authors.iter().map(|author| clean(&author.name));
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    let names = short(Text::Plain(names.join(", ")), PlanetItem::MAX_TITLE);
    (!names.is_empty()).then_some(names)
}

/// Returns the beginning of a text as one line of plain text.
fn short(text: Text, max: usize) -> String {
    clean(&excerpt(&plain(text), max))
}

/// Replaces control characters, including those that change the direction of text, and joins the
/// words with single spaces.
fn clean(text: &str) -> String {
    let words = text.split(|c: char| is_control(c) || c.is_whitespace());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Resolves an address. Returns `None` unless it is an `http:` or `https:` address without a user
/// name.
fn web_address(text: &str, base: &Url) -> Option<String> {
    let url = base.join(text.trim()).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_plain = url.username().is_empty() && url.password().is_none();
    let url = url.to_string();
    (is_web && is_plain && url.len() <= PlanetItem::MAX_ADDRESS).then_some(url)
}
