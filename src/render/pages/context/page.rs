//! Pages and the navigation in template contexts.

use jiff::Timestamp;
use mustache::{Data, object};

use super::body::LazyBody;
use super::parts::{Loop, each};
use crate::inputs::{NavigationPage, Shared};
use crate::text;
use model::Page;
use site::{PageEntry, paths};

pub struct PageData<'a> {
    shared: &'a Shared<'a>,
    entry: &'a PageEntry,
    /// The page's position in the list of a site file.
    position: Option<Loop>,
    /// The date to use if the page has no date.
    date: Option<Timestamp>,
    body: LazyBody<'a>,
}

impl<'a> PageData<'a> {
    /// Returns a page in a list, with its position.
    pub fn listed(shared: &'a Shared<'a>, entry: &'a PageEntry, position: Loop) -> Data<'a> {
        Data::object(Self::of(shared, entry, Some(position), None))
    }

    /// Returns the page that a document shows. `date` is used if the page has no date.
    pub fn shown_page(
        shared: &'a Shared<'a>,
        entry: &'a PageEntry,
        date: Option<Timestamp>,
    ) -> Data<'a> {
        Data::object(Self::of(shared, entry, None, date))
    }

    /// Returns the page of a section.
    pub fn of_section(shared: &'a Shared<'a>, entry: &'a PageEntry) -> Self {
        Self::of(shared, entry, None, None)
    }

    fn of(
        shared: &'a Shared<'a>,
        entry: &'a PageEntry,
        position: Option<Loop>,
        date: Option<Timestamp>,
    ) -> Self {
        let body = LazyBody::of(shared, &entry.page.content, &entry.page.media);
        Self { shared, entry, position, date, body }
    }

    fn page(&self) -> &'a Page {
        &self.entry.page
    }

    fn date_modified(&self) -> Option<Timestamp> {
        let page = self.page();
        page.updated().or(page.date_created).or(self.date)
    }

    fn date_created(&self) -> Option<Timestamp> {
        let page = self.page();
        let first = page.date_created.or(page.date_published);
        first.or_else(|| self.date_modified())
    }

    fn url(&self) -> String {
        page_url(self.shared, self.page().slug.as_str())
    }
}

fn page_url(shared: &Shared<'_>, slug: &str) -> String {
    shared.config.url(&paths::page(slug))
}

object!(impl PageData<'a>, |this| {
    "id" => this.page().id.as_str(),
    "title" => &this.page().title,
    "slug" => this.page().slug.as_str(),
    "status" => this.entry.status.as_str(),
    "content_html" => this.body.html(),
    "content_text" => this.body.text(),
    "article_html" if this.position.is_none() => this.body.article(),
    "contents" if this.position.is_none() => this.body.contents(),
    "meta_description" => this.page().meta_description.as_deref(),
    "show_in_navigation" => this.page().show_in_navigation,
    "navigation_label" => this.page().navigation_label.as_deref().unwrap_or_default(),
    "navigation_order" => this.page().navigation_order.unwrap_or_default(),
    "date_published" => this.page().date_published.map(text::rfc3339),
    "date_created" => this.date_created().map(text::rfc3339),
    "date_modified" => this.date_modified().map(text::rfc3339),
    "language" => this.page().language.as_deref(),
    "is_not_found_page" => this.page().is_not_found_page(),
    "url" => this.url(),
    "absolute_url" => this.url(),
    "_loop" if this.position.is_some() => this.position.map(Data::object),
});

/// Returns the pages in the navigation. `current` is the slug of the page being shown.
pub fn navigation<'a>(shared: &'a Shared<'a>, current: Option<&'a str>) -> Data<'a> {
    each(shared.navigation, move |page| {
        Data::object(NavigationData {
            shared,
            page,
            is_current: current == Some(page.slug.as_str()),
        })
    })
}

struct NavigationData<'a> {
    shared: &'a Shared<'a>,
    page: &'a NavigationPage,
    is_current: bool,
}

object!(impl NavigationData<'a>, |this| {
    "id" => &this.page.id,
    "slug" => &this.page.slug,
    "title" => &this.page.title,
    "navigation_label" => this.page.label.as_ref().unwrap_or(&this.page.title),
    "navigation_order" => this.page.order.unwrap_or_default(),
    "url" => page_url(this.shared, &this.page.slug),
    "is_current" => this.is_current,
});
