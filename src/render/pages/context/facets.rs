//! The tag, season, author, album, series or section of a list in template contexts.

use mustache::{Data, object};

use super::albums::album;
use super::live_streams;
use super::page::PageData;
use super::parts::each;
use crate::inputs::{ListedSeason, Shared, ShownFacet};
use site::{FacetKind, paths};
use words::Words;

/// A tag, season, author, album, series or section whose items a page lists.
pub struct FacetData<'a> {
    shared: &'a Shared<'a>,
    facet: ShownFacet<'a>,
}

impl<'a> FacetData<'a> {
    pub fn of(shared: &'a Shared<'a>, facet: ShownFacet<'a>) -> Data<'a> {
        match facet.kind {
            FacetKind::Tag => Data::object(TagPage(Self { shared, facet })),
            FacetKind::Season => Data::object(SeasonPage(Self { shared, facet })),
            FacetKind::Author => Data::object(AuthorPage(Self { shared, facet })),
            FacetKind::Album => facet.album.map(|listed| album(shared, listed)).into(),
            FacetKind::Series => Data::object(SeriesPage(Self { shared, facet })),
            FacetKind::Section => {
                let section = facet.section.map(|entry| SectionPage {
                    page: PageData::of_section(shared, entry),
                    feeds: Self { shared, facet },
                });
                section.map(Data::object).unwrap_or_default()
            }
        }
    }

    fn url(&self) -> String {
        let path = paths::facet(self.facet.kind, self.facet.slug, 1);
        self.shared.config.url(&path)
    }

    fn rss_url(&self) -> Option<String> {
        let (facet, config) = (self.facet, self.shared.config);
        let has_one = facet.has_feeds && config.feed.rss;
        has_one.then(|| config.url(&paths::facet_rss(facet.kind, facet.slug)))
    }

    fn json_url(&self) -> Option<String> {
        let (facet, config) = (self.facet, self.shared.config);
        facet.has_feeds.then(|| config.url(&paths::facet_json(facet.kind, facet.slug)))
    }
}

struct TagPage<'a>(FacetData<'a>);

object!(impl TagPage<'a>, |this| {
    "name" => this.0.facet.name,
    "url" => this.0.url(),
    "rss_url" => this.0.rss_url(),
    "json_url" => this.0.json_url(),
});

/// The page of a section, with the section's feeds.
struct SectionPage<'a> {
    page: PageData<'a>,
    feeds: FacetData<'a>,
}

object!(impl SectionPage<'a>, |this| {
    "name" => this.feeds.facet.name,
    "rss_url" => this.feeds.rss_url(),
    "json_url" => this.feeds.json_url(),
} else this.page);

struct SeasonPage<'a>(FacetData<'a>);

object!(impl SeasonPage<'a>, |this| {
    "number" => this.0.facet.slug,
    "name" => (!this.0.facet.name.is_empty()).then_some(this.0.facet.name),
    "text" => season_text(this.0.shared.words, this.0.facet.slug),
    "url" => this.0.url(),
    "trailers" => live_streams::season_trailers(this.0.shared, this.0.facet.slug),
});

struct AuthorPage<'a>(FacetData<'a>);

object!(impl AuthorPage<'a>, |this| {
    "name" => this.0.facet.name,
    "url" => this.0.url(),
    "image" => this.0.facet.author.and_then(|author| author.picture),
    "own_url" => this.0.facet.author.and_then(|author| author.url),
});

struct SeriesPage<'a>(FacetData<'a>);

object!(impl SeriesPage<'a>, |this| {
    "name" => this.0.facet.name,
    "url" => this.0.url(),
});

pub fn seasons<'a>(shared: &'a Shared<'a>, all: &'a [ListedSeason<'a>]) -> Data<'a> {
    each(all, move |season| Data::object(SeasonData { shared, season }))
}

struct SeasonData<'a> {
    shared: &'a Shared<'a>,
    season: &'a ListedSeason<'a>,
}

object!(impl SeasonData<'a>, |this| {
    "number" => this.season.slug,
    "name" => (!this.season.name.is_empty()).then_some(this.season.name),
    "text" => season_text(this.shared.words, this.season.slug),
    "url" => this.shared.config.url(&paths::facet(FacetKind::Season, this.season.slug, 1)),
    "count" => this.season.count,
    "is_current" => this.season.is_current,
});

/// Formats the number of a season in the language of `words`: `Season 2`.
fn season_text(words: &Words, number: &str) -> String {
    words.fill_placeholders("season", &[("n", &words.ungrouped(number))])
}

/// Formats the number and name of a season in the language of `words`: `Season 2: The sea`.
pub fn season_title(words: &Words, number: &str, name: &str) -> String {
    let text = season_text(words, number);
    match name {
        "" => text,
        name => words.labelled(&text, name),
    }
}
