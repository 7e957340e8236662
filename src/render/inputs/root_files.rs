//! The inputs of documents that are not pages or feeds: the sitemap, `llms.txt`, calendars and
//! files for hosts.

use jiff::Timestamp;

use super::{Provider, SwitchLanguage, Translation};
use model::{Attachment, Category, Image, Item, Redirect, Status};
use site::calendar::CalendarEntry;
use site::{Clip, ItemEntry, PageEntry, paths};

/// An iCalendar document.
#[derive(Debug, Hash)]
pub enum IcsInputs<'a> {
    /// All calendars with public events.
    All(Vec<&'a CalendarEntry>),
    One(&'a CalendarEntry),
}

/// The inputs of `llms.txt`.
#[derive(Debug, Hash)]
pub struct LlmsInputs<'a> {
    pub items: Vec<&'a ItemEntry>,
    pub pages: Vec<&'a PageEntry>,
}

#[derive(Debug, Hash)]
pub enum SitemapInputs<'a> {
    /// The number of sitemap parts.
    Index(usize),
    Urls(Vec<Location<'a>>),
}

/// A URL listed in a sitemap.
#[derive(Debug, Hash)]
pub enum Location<'a> {
    Home {
        changed: Option<Timestamp>,
        languages: Vec<SwitchLanguage<'a>>,
    },
    Subscribe {
        languages: Vec<SwitchLanguage<'a>>,
    },
    Planet,
    Page {
        slug: &'a str,
        changed: Option<Timestamp>,
        languages: InLanguages<'a>,
    },
    Item {
        path: &'a str,
        changed: Option<Timestamp>,
        languages: InLanguages<'a>,
        images: Vec<&'a str>,
        /// The item, if it is a video. The sitemap includes details of a video, such as its title
        /// and description.
        video: Option<&'a ItemEntry>,
    },
    /// The page of a clip, with the last change of its item.
    Clip {
        path: String,
        changed: Option<Timestamp>,
    },
}

impl Location<'_> {
    pub fn has_translations(&self) -> bool {
        match self {
            Self::Home { languages, .. } | Self::Subscribe { languages } => {
                languages.iter().filter(|one| one.has_page).count() > 1
            }
            Self::Planet | Self::Clip { .. } => false,
            Self::Page { languages, .. } | Self::Item { languages, .. } => {
                !languages.others.is_empty()
            }
        }
    }
}

/// The language of a page, if it differs from the site's, and its translations. Empty if the page's
/// canonical address is on another site.
#[derive(Debug, Default, Hash)]
pub struct InLanguages<'a> {
    pub own: Option<&'a str>,
    pub others: Vec<&'a Translation>,
}

/// A file for a static host.
#[derive(Debug, Hash)]
pub struct HostingInputs<'a> {
    pub name: &'static str,
    pub redirects: &'a [Redirect],
    /// Whether the site or one of its shows has calendars.
    pub has_calendars: bool,
    /// Whether the site has recordings of clips.
    pub has_clips: bool,
}

impl<'a> Provider<'a> {
    pub(super) fn all_calendars(&self) -> IcsInputs<'a> {
        IcsInputs::All(self.snapshot.calendars.published().collect())
    }

    pub(super) fn hosting(&self, name: &'static str) -> HostingInputs<'a> {
        let has_clips = self.public().has_clips();
        let has_calendars =
            self.snapshot.with_shows().any(|own| own.calendars.published().next().is_some());
        HostingInputs { name, redirects: &self.table().0.redirects, has_calendars, has_clips }
    }

    /// Returns the sitemap, or the index of its parts.
    pub(super) fn sitemap(&self) -> SitemapInputs<'a> {
        match self.public().sitemap_parts() {
            0 => SitemapInputs::Urls(self.locations().collect()),
            parts => SitemapInputs::Index(parts),
        }
    }

    /// Returns the `n`th part of the sitemap, starting at 1.
    pub(super) fn sitemap_part(&self, n: usize) -> SitemapInputs<'a> {
        let max = self.public().urls_of_sitemap_part();
        let part = self.locations().skip((n - 1) * max).take(max);
        SitemapInputs::Urls(part.collect())
    }

    fn locations(&self) -> impl Iterator<Item = Location<'a>> + use<'a> {
        let (snapshot, provider, shared) = (self.snapshot, *self, self.shared());
        let home =
            Location::Home { changed: snapshot.last_changed(), languages: self.switch("/", &[]) };
        let pages = snapshot.pages.iter();
        let pages = pages.filter(move |entry| {
            let is_untranslated = shared.is_untranslated(entry.page.language.as_deref());
            entry.status == Status::Published && !is_untranslated
        });
        let pages = pages.map(move |entry| Location::Page {
            slug: entry.page.slug.as_str(),
            changed: entry.page.updated(),
            languages: InLanguages {
                own: entry.page.language.as_deref(),
                others: canonical(provider.translations_of_page(entry)),
            },
        });
        let subscribe = self.public().has_subscribe();
        let subscribe = subscribe
            .then(|| Location::Subscribe { languages: self.switch(paths::SUBSCRIBE, &[]) });
        let planet = self.public().has_planet().then_some(Location::Planet);
        // An item that is shown in another language has its canonical address there.
        let published = || {
            let all = snapshot.published.iter();
            all.filter(move |entry| {
                let is_untranslated = shared.is_untranslated(entry.item.language.as_deref());
                entry.mount.is_empty() && !is_untranslated
            })
        };
        let items = published().map(move |entry| Location::Item {
            path: &entry.path,
            changed: entry.item.updated(),
            languages: InLanguages {
                own: entry.item.language.as_deref(),
                others: match entry.item.url {
                    None => canonical(provider.translations_of_item(entry)),
                    Some(_) => Vec::new(),
                },
            },
            images: images(&entry.item),
            video: attached(&entry.item, Category::Video).map(|_| entry.as_ref()),
        });
        let own = std::iter::once(home).chain(subscribe).chain(planet);
        let with_clips = snapshot.config.audio.clips;
        let clips = published().filter(move |_| with_clips).flat_map(|entry| {
            let clip = |(_, clip): (usize, Clip<'_>)| Location::Clip {
                path: clip.path(entry),
                changed: entry.item.updated(),
            };
            entry.clips().map(clip)
        });
        own.chain(pages).chain(items).chain(clips)
    }
}

/// Keeps only translations whose canonical page is on this site.
fn canonical(mut all: Vec<&Translation>) -> Vec<&Translation> {
    all.retain(|one| one.is_canonical);
    all
}

/// Returns the URLs of an item's pictures, without duplicates.
pub fn images(item: &Item) -> Vec<&str> {
    let pictures = [item.image.as_ref(), item.banner_image.as_ref()];
    let pictures = pictures.into_iter().flatten();
    let own = attached(item, Category::Image).map(|attachment| attachment.url.as_str());
    let mut urls = Vec::new();
    for url in pictures.map(|image: &Image| image.url.as_str()).chain(own) {
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

/// Returns an item's attachment if the attachment has this category.
pub fn attached(item: &Item, category: Category) -> Option<&Attachment> {
    let attachment = item.attachment.as_ref();
    attachment.filter(|attachment| attachment.category == category)
}
