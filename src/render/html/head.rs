//! What the `<head>` of a document says: its title, description, address, picture and subject.

use crate::model::{Author, Image, Status};
use crate::render::{text, view};
use crate::site::{ItemEntry, PageEntry, Snapshot, paths};

/// The facts of a document that its head names.
pub struct Head<'a> {
    pub title: String,
    /// A summary in plain text.
    pub description: String,
    pub canonical: String,
    /// The language, where it is not the channel's.
    pub language: Option<&'a str>,
    /// A picture for shared links.
    pub image: Option<&'a Image>,
    /// Whether search engines are to leave it out.
    pub no_index: bool,
    pub subject: Subject<'a>,
}

/// The content that a document shows.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// The first page of the site.
    Home,
    Item(&'a ItemEntry),
    Page(&'a PageEntry),
    /// A list, or the search page.
    Other,
}

/// Longest description, in characters.
const DESCRIPTION: usize = 160;

impl<'a> Head<'a> {
    /// The head of a page of the home page, `number` from 1.
    pub fn home(snapshot: &'a Snapshot, number: usize) -> Self {
        let channel = &snapshot.channel;
        let name = channel
            .seo
            .title
            .as_deref()
            .unwrap_or(view::title(snapshot));
        Self {
            title: if number == 1 {
                name.to_owned()
            } else {
                format!("Page {number}")
            },
            description: channel
                .seo
                .description
                .clone()
                .unwrap_or_else(|| text::excerpt(&channel.description_text, DESCRIPTION)),
            canonical: snapshot.config.url(&paths::home(number)),
            language: None,
            image: channel_image(snapshot),
            no_index: false,
            subject: if number == 1 {
                Subject::Home
            } else {
                Subject::Other
            },
        }
    }

    /// The head of an item's page.
    pub fn item(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        let title = item.seo.title.as_deref().unwrap_or(&item.title);
        let described = item
            .seo
            .description
            .as_deref()
            .or(item.summary.as_deref())
            .unwrap_or(&item.content.beginning);
        let social = item.seo.social_image.as_ref().map(|social| &social.image);
        Self {
            title: if title.is_empty() {
                untitled(snapshot, entry)
            } else {
                title.to_owned()
            },
            description: text::excerpt(described, DESCRIPTION),
            canonical: item
                .url
                .clone()
                .unwrap_or_else(|| snapshot.config.url(&paths::item(&entry.segment))),
            language: item.language.as_deref(),
            image: social
                .or(item.image.as_ref())
                .or(item.banner_image.as_ref())
                .or_else(|| channel_image(snapshot)),
            no_index: entry.status == Status::Unlisted,
            subject: Subject::Item(entry),
        }
    }

    pub fn page(snapshot: &'a Snapshot, entry: &'a PageEntry) -> Self {
        let page = &entry.page;
        Self {
            title: page.title.clone(),
            description: page
                .meta_description
                .clone()
                .unwrap_or_else(|| text::excerpt(&page.content.beginning, DESCRIPTION)),
            canonical: snapshot.config.url(&paths::page(page.slug.as_str())),
            language: page.language.as_deref(),
            image: channel_image(snapshot),
            no_index: entry.status == Status::Unlisted || page.is_not_found_page(),
            subject: Subject::Page(entry),
        }
    }

    /// The head of anything else at a public path.
    pub fn other(snapshot: &'a Snapshot, title: String, path: &str, no_index: bool) -> Self {
        Self {
            description: format!("{title} – {}", view::title(snapshot)),
            title,
            canonical: snapshot.config.url(path),
            language: None,
            image: channel_image(snapshot),
            no_index,
            subject: Subject::Other,
        }
    }

    pub fn language(&self, snapshot: &'a Snapshot) -> &'a str {
        self.language
            .or(snapshot.channel.language.as_deref())
            .unwrap_or("en")
    }
}

/// An item's authors: those it names, or else the channel's.
pub fn authors<'a>(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> &'a [Author] {
    if entry.item.authors.is_empty() {
        &snapshot.channel.authors
    } else {
        &entry.item.authors
    }
}

/// The title of an untitled item where a title is required.
fn untitled(snapshot: &Snapshot, entry: &ItemEntry) -> String {
    let first = text::excerpt(&entry.item.content.beginning, 60);
    if first.is_empty() {
        view::title(snapshot).to_owned()
    } else {
        first
    }
}

fn channel_image(snapshot: &Snapshot) -> Option<&Image> {
    let channel = &snapshot.channel;
    channel
        .seo
        .social_image
        .as_ref()
        .map(|social| &social.image)
        .or(channel.icon.as_ref())
}
