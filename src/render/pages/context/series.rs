//! The series of an item in template contexts.

use mustache::{Data, object};

use super::item_links::LinkedData;
use crate::inputs::{LinkedItem, SeriesPlace, Shared};
use site::{FacetKind, paths};

/// Returns the series of an item, or null.
pub fn series<'a>(shared: &'a Shared<'a>, place: Option<&'a SeriesPlace<'a>>) -> Data<'a> {
    let view = place.map(|place| Data::object(SeriesData { shared, place }));
    view.unwrap_or_default()
}

/// Returns the address of a series, if series have pages.
pub fn series_url(shared: &Shared<'_>, place: &SeriesPlace<'_>) -> Option<String> {
    place.slug.map(|slug| shared.config.url(&paths::facet(FacetKind::Series, slug, 1)))
}

struct SeriesData<'a> {
    shared: &'a Shared<'a>,
    place: &'a SeriesPlace<'a>,
}

impl<'a> SeriesData<'a> {
    /// Formats the place of a part, counted from 0: `2 of 5`.
    fn text(&self, at: usize) -> String {
        let [n, total] = [at + 1, self.place.count].map(|n| self.shared.words.number(n as u64));
        self.shared.words.fill_placeholders("place_of", &[("n", &n), ("total", &total)])
    }

    /// Returns a part with its place, which is counted from 0.
    fn part(&self, at: usize, item: &'a LinkedItem<'a>) -> Data<'a> {
        Data::object(PartData {
            item: LinkedData { shared: self.shared, item },
            text: self.text(at),
            is_current: at == self.place.at,
        })
    }
}

object!(impl SeriesData<'a>, |this| {
    "name" => this.place.name,
    "url" => series_url(this.shared, this.place),
    "number" => this.place.at + 1,
    "count" => this.place.count,
    "text" => this.text(this.place.at),
    "parts" => {
        let series = SeriesData { shared: this.shared, place: this.place };
        Data::list(series.place.parts.len(), move |at| series.part(at, &series.place.parts[at]))
    },
    "previous" => this.place.previous.as_ref().map(|item| this.part(this.place.at - 1, item)),
    "next" => this.place.next.as_ref().map(|item| this.part(this.place.at + 1, item)),
});

/// A part of a series, with its place.
struct PartData<'a> {
    item: LinkedData<'a>,
    text: String,
    is_current: bool,
}

object!(impl PartData<'a>, |this| {
    "text" => this.text.clone(),
    "is_current" => this.is_current,
} else this.item);
