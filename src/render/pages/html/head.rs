//! The data for the `<head>` of a document: title, description, address, picture and subject.

use std::borrow::Cow;

use crate::inputs::{
    Crumb, List, ListPage, SeriesPlace, Shared, ShownClip, ShownFacet, SwitchLanguage, Translation,
    Upcoming,
};
use crate::pages::context::{list_path, season_title};
use crate::pictures::cards::card_image;
use crate::pictures::shown::ShownPicture;
use crate::social_cards::CardSubject;
use crate::text;
use model::{Author, Image, MediaFile, Status};
use site::{FacetKind, ItemEntry, PageEntry, paths};

/// The data for the `<head>` of a document.
pub struct Head<'a> {
    pub title: String,
    /// A summary in plain text.
    pub description: String,
    pub canonical: String,
    /// The language, if it differs from the channel's.
    pub language: Option<&'a str>,
    /// A picture for shared links.
    pub image: Option<Cow<'a, Image>>,
    /// The social card, if the page has no picture.
    pub card: Option<Image>,
    /// Whether search engines must not index the document.
    pub no_index: bool,
    /// The translations of the page.
    pub translations: &'a [&'a Translation],
    /// The list that the document shows, in each language. Empty on pages of texts.
    pub list_in_languages: &'a [SwitchLanguage<'a>],
    /// The breadcrumbs above the page, starting with the home page.
    pub above: &'a [Crumb<'a>],
    /// The item's place in its series.
    pub series: Option<&'a SeriesPlace<'a>>,
    pub subject: Subject<'a>,
}

/// The content that a document shows.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// The first page of the home list, whose structured data includes these events.
    Home(Option<&'a Upcoming>),
    Item(&'a ItemEntry),
    /// A clip, also in the form of an item.
    Clip(&'a ShownClip<'a>, &'a ItemEntry),
    Page(&'a PageEntry),
    /// A page that lists a facet's items.
    Facet(ShownFacet<'a>),
    /// A page of the planet.
    Planet,
    /// Another list, or the search page.
    Other,
}

/// Maximum length of a description, in characters.
const MAX_DESCRIPTION_LENGTH: usize = 160;

impl<'a> Head<'a> {
    /// Returns the data for a page of a list.
    pub fn list(shared: &Shared<'a>, page: &'a ListPage<'a>) -> Self {
        match page.of {
            List::Home => Self::home(shared, page),
            List::Facet(ShownFacet { section: Some(entry), .. }) => {
                Self::section(shared, page, entry)
            }
            List::Facet(facet) => {
                let words = shared.words;
                let mut title = match facet.kind {
                    FacetKind::Tag => words.labelled(words.text("tag"), facet.name),
                    FacetKind::Season => season_title(words, facet.slug, facet.name),
                    FacetKind::Author
                    | FacetKind::Album
                    | FacetKind::Series
                    | FacetKind::Section => facet.name.to_owned(),
                };
                if page.number > 1 {
                    title = words.joined(&title, &page.text(words));
                }
                let path = list_path(page.of, page.number);
                Self {
                    subject: Subject::Facet(facet),
                    above: &page.above,
                    list_in_languages: &page.frame.switch,
                    ..Self::other(shared, title, &path, false)
                }
            }
        }
    }

    /// Returns the data for a page of a section. The first page has the data of the section's page.
    fn section(shared: &Shared<'a>, page: &'a ListPage<'a>, entry: &'a PageEntry) -> Self {
        let mut head = Self::page(shared, entry);
        if page.number > 1 {
            head.list_in_languages = &page.frame.switch;
            head.title = shared.words.joined(&head.title, &page.text(shared.words));
            head.canonical = shared.config.url(&list_path(page.of, page.number));
        }
        if let List::Facet(facet) = page.of {
            head.subject = Subject::Facet(facet);
        }
        Self { translations: &page.translations, above: &page.above, ..head }
    }

    fn home(shared: &Shared<'a>, page: &'a ListPage<'a>) -> Self {
        let number = page.number;
        let channel = shared.channel;
        let name = channel.seo.title.as_deref();
        let name = name.unwrap_or(shared.title());
        Self {
            title: if number == 1 { name.to_owned() } else { page.text(shared.words) },
            description: channel.seo.description.clone().unwrap_or_else(|| {
                text::excerpt(&channel.description_lead, MAX_DESCRIPTION_LENGTH)
            }),
            canonical: shared.config.url(&paths::home(number)),
            language: None,
            image: channel_image(shared),
            card: card_image(shared, CardSubject::Home),
            no_index: false,
            translations: &[],
            list_in_languages: &page.frame.switch,
            above: &[],
            series: None,
            subject: if number == 1 { Subject::Home(page.events) } else { Subject::Other },
        }
    }

    /// Returns the data for an item's page.
    pub fn item(shared: &Shared<'a>, entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        let title = item.seo.title.as_deref().unwrap_or(&item.title);
        let described = item.seo.description.as_deref();
        let described = described.or(item.summary.as_deref());
        let social = item.seo.social_image.as_ref();
        Self {
            title: if title.is_empty() { untitled(shared, entry) } else { title.to_owned() },
            description: described.map_or_else(
                || item.content.excerpt(MAX_DESCRIPTION_LENGTH),
                |described| text::excerpt(described, MAX_DESCRIPTION_LENGTH),
            ),
            canonical: item.url.clone().unwrap_or_else(|| {
                shared.config.original_url(item.language.as_deref(), &entry.path)
            }),
            language: item.language.as_deref(),
            image: social
                .or(item.image.as_ref())
                .or(item.banner_image.as_ref())
                .map(|image| sharing_image(shared, &item.media, image))
                .or_else(|| channel_image(shared)),
            card: card_image(shared, CardSubject::Item(entry)),
            no_index: entry.status == Status::Unlisted,
            translations: &[],
            list_in_languages: &[],
            above: &[],
            series: None,
            subject: Subject::Item(entry),
        }
    }

    pub fn page(shared: &Shared<'a>, entry: &'a PageEntry) -> Self {
        let page = &entry.page;
        Self {
            title: page.title.clone(),
            description: page
                .meta_description
                .clone()
                .unwrap_or_else(|| page.content.excerpt(MAX_DESCRIPTION_LENGTH)),
            canonical: shared
                .config
                .original_url(page.language.as_deref(), &paths::page(page.slug.as_str())),
            language: page.language.as_deref(),
            image: channel_image(shared),
            card: card_image(shared, CardSubject::Page(entry)),
            no_index: entry.status == Status::Unlisted || page.is_not_found_page(),
            translations: &[],
            list_in_languages: &[],
            above: &[],
            series: None,
            subject: Subject::Page(entry),
        }
    }

    /// Returns the data for any other document at a public path.
    pub fn other(shared: &Shared<'a>, title: String, path: &str, no_index: bool) -> Self {
        Self {
            description: format!("{title} – {}", shared.title()),
            title,
            canonical: shared.config.url(path),
            language: None,
            image: channel_image(shared),
            card: card_image(shared, CardSubject::Home),
            no_index,
            translations: &[],
            list_in_languages: &[],
            above: &[],
            series: None,
            subject: Subject::Other,
        }
    }

    /// Returns the name of the document in breadcrumbs. Items use their own title, tags only their
    /// name.
    pub fn name(&self) -> &str {
        match self.subject {
            Subject::Item(entry) if !entry.item.title.is_empty() => &entry.item.title,
            Subject::Facet(facet) if facet.kind == FacetKind::Tag => facet.name,
            _ => &self.title,
        }
    }

    /// Returns the document's address on this site. The canonical address may be on another site.
    pub fn url(&self, shared: &Shared<'a>) -> String {
        match self.subject {
            Subject::Item(entry) => shared.config.url(&entry.path),
            Subject::Page(entry) => shared.config.url(&paths::page(entry.page.slug.as_str())),
            _ => self.canonical.clone(),
        }
    }

    /// Returns the item or clip that the document shows.
    pub fn entry(&self) -> Option<&'a ItemEntry> {
        match self.subject {
            Subject::Item(entry) | Subject::Clip(_, entry) => Some(entry),
            _ => None,
        }
    }

    pub fn language(&self, shared: &Shared<'a>) -> &'a str {
        self.language.or(shared.channel.language.as_deref()).unwrap_or("en")
    }
}

/// Returns an item's authors: its own, or else the channel's.
pub fn authors<'a>(shared: &Shared<'a>, entry: &'a ItemEntry) -> &'a [Author] {
    if entry.item.authors.is_empty() { &shared.channel.authors } else { &entry.item.authors }
}

/// Returns a title for an untitled item.
fn untitled(shared: &Shared<'_>, entry: &ItemEntry) -> String {
    let first = entry.item.content.name(60);
    if first.is_empty() { shared.title().to_owned() } else { first }
}

fn channel_image<'a>(shared: &Shared<'a>) -> Option<Cow<'a, Image>> {
    let channel = shared.channel;
    let social = channel.seo.social_image.as_ref();
    let image = social.or(channel.icon.as_ref());
    image.map(|image| sharing_image(shared, &channel.media, image))
}

/// Minimum width in pixels of a picture for shared links.
const SOCIAL_WIDTH: u32 = 1200;

/// Returns a picture for social networks: no wider than necessary, and in a format that all
/// networks support.
fn sharing_image<'a>(shared: &Shared<'_>, media: &[MediaFile], image: &'a Image) -> Cow<'a, Image> {
    let shown = ShownPicture::at(shared, media, &image.url);
    let sized = shown.and_then(|shown| {
        let size = shown.portable_size(SOCIAL_WIDTH)?;
        Some(shown.in_size(size, image))
    });
    sized.map_or(Cow::Borrowed(image), Cow::Owned)
}
