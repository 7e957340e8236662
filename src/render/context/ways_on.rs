//! Other items that a page leads to, as templates read them.

use mustache::{Data, object};

use super::parts::each;
use crate::render::inputs::{LinkedItem, Shared};
use crate::render::text;
use crate::site::paths;

/// An item that a page leads to, or null.
pub fn linked<'a>(shared: &'a Shared<'a>, item: Option<&'a LinkedItem<'a>>) -> Data<'a> {
    let view = item.map(|item| Data::object(LinkedData { shared, item }));
    view.unwrap_or_default()
}

/// Items that a page leads to.
pub fn linked_items<'a>(shared: &'a Shared<'a>, all: &'a [LinkedItem<'a>]) -> Data<'a> {
    each(all, move |item| linked(shared, Some(item)))
}

struct LinkedData<'a> {
    shared: &'a Shared<'a>,
    item: &'a LinkedItem<'a>,
}

impl LinkedData<'_> {
    fn date_published_short(&self) -> Option<String> {
        let zone = &self.shared.config.timezone;
        let date = self.item.date_published;
        date.map(|date| text::short_date(date, zone))
    }

    /// An untitled item is named by its first words, or by its day.
    fn untitled(&self) -> String {
        let words = self.item.words.clone().filter(|words| !words.is_empty());
        words
            .or_else(|| self.date_published_short())
            .unwrap_or_else(|| self.item.segment.to_owned())
    }
}

object!(impl LinkedData<'a>, |this| {
    "title" => match this.item.title {
        "" => Data::from(this.untitled()),
        title => Data::from(title),
    },
    "url" => this.shared.config.url(&paths::item(this.item.segment)),
    "date_published" => this.item.date_published.map(text::rfc3339),
    "date_published_short" => this.date_published_short(),
});
