//! Social cards: which pages have one, and what it shows.

use crate::text::is_right_to_left;
use crate::view;
use model::{Access, CardStyle, Channel, Config, Content, Item, MediaFile, SocialCard, url};
use site::{Clip, ItemEntry, PageEntry, paths};
use theme::Theme;

/// The page that a card belongs to.
#[derive(Debug, Clone, Copy)]
pub enum CardSubject<'a> {
    /// The home page. Lists of items also use its card.
    Home,
    Item(&'a ItemEntry),
    Clip(&'a ItemEntry, Clip<'a>),
    Page(&'a PageEntry),
}

impl CardSubject<'_> {
    /// Returns whether the default language has the card, because a text is not translated.
    pub fn is_original(self, config: &Config) -> bool {
        let language = match self {
            Self::Home => return false,
            Self::Item(entry) | Self::Clip(entry, _) => entry.item.language.as_deref(),
            Self::Page(entry) => entry.page.language.as_deref(),
        };
        config.is_untranslated(language)
    }
}

/// The data that all cards of a site share.
#[derive(Debug, Clone, Copy)]
pub struct SiteCards<'a> {
    title: &'a str,
    host: &'a str,
    language: &'a str,
    artwork: Option<&'a MediaFile>,
    style: &'a CardStyle,
}

impl<'a> SiteCards<'a> {
    /// Returns the data for cards. Returns `None` if the site has no cards: if they are disabled,
    /// if the site has no pages, or if the author chose a social image for the whole site.
    pub fn of(config: &'a Config, channel: &'a Channel, theme: &'a Theme) -> Option<Self> {
        let is_wanted = config.social.cards && config.access == Access::Public;
        if !is_wanted || channel.seo.social_image.is_some() {
            return None;
        }
        let icon = channel.icon.as_ref();
        let artwork = icon.and_then(|icon| config.medium(&channel.media, &icon.url));
        Some(Self {
            title: view::title(config, channel),
            host: url::host(&config.base_url),
            language: channel.language.as_deref().unwrap_or("en"),
            artwork: artwork.filter(|file| file.still.is_some()),
            style: theme.options_of(&config.content).card_style.as_ref()?,
        })
    }

    /// Returns the card of a page. Returns `None` for an item with a picture, and for the 404 page.
    pub fn card(&self, subject: CardSubject<'a>) -> Option<SocialCard<'a>> {
        let (title, language) = match subject {
            CardSubject::Home => (self.title.to_owned(), None),
            CardSubject::Item(entry) if has_picture(&entry.item) => return None,
            CardSubject::Item(entry) => (item_title(&entry.item), entry.item.language.as_deref()),
            CardSubject::Clip(entry, clip) => {
                let title = clip.title.map_or_else(|| item_title(&entry.item), str::to_owned);
                (title, entry.item.language.as_deref())
            }
            CardSubject::Page(entry) if entry.page.is_not_found_page() => return None,
            CardSubject::Page(entry) => (entry.page.title.clone(), entry.page.language.as_deref()),
        };
        let language = language.unwrap_or(self.language);
        Some(SocialCard {
            title,
            name: if matches!(subject, CardSubject::Home) { self.host } else { self.title },
            language,
            is_rtl: is_right_to_left(language),
            artwork: self.artwork,
            style: self.style,
            passage: matches!(subject, CardSubject::Clip(..)).then(String::new),
        })
    }

    /// Returns the path of a card.
    pub fn path(card: &SocialCard<'_>, subject: CardSubject<'_>) -> String {
        let extension = card.extension();
        match subject {
            CardSubject::Home => paths::card(extension),
            CardSubject::Item(entry) => paths::item_card(entry, extension),
            CardSubject::Clip(entry, clip) => [&*clip.path(entry), "card.", extension].concat(),
            CardSubject::Page(entry) => paths::page_card(entry.page.slug.as_str(), extension),
        }
    }
}

fn has_picture(item: &Item) -> bool {
    let own = [&item.seo.social_image, &item.image, &item.banner_image];
    item.is_photo() || own.into_iter().any(Option::is_some)
}

/// Returns the title of an item, or the beginning of an untitled item.
fn item_title(item: &Item) -> String {
    let title = item.seo.title.as_deref().unwrap_or(&item.title);
    if title.is_empty() { item.content.name(Content::MAX_NAME) } else { title.to_owned() }
}
