//! The archive and the index of tags in template contexts.

use mustache::{Data, object};

use super::breadcrumbs::breadcrumbs;
use super::item_links::linked_items;
use super::parts::each;
use crate::inputs::{ArchivePage, ArchiveYear, ListedTag, Shared, TagIndexPage};
use site::{FacetKind, paths};

/// Returns the context of the archive page, or of the archive page of one year.
pub fn archive<'a>(shared: &'a Shared<'a>, page: &'a ArchivePage<'a>) -> Data<'a> {
    Data::from([
        ("archive", Data::object(ArchiveData { shared, page })),
        ("breadcrumbs", breadcrumbs(shared, &page.above)),
    ])
}

/// Returns the context of the index of tags.
pub fn tag_index<'a>(shared: &'a Shared<'a>, page: &'a TagIndexPage<'a>) -> Data<'a> {
    let tags = each(&page.tags, move |tag| Data::object(TagData { shared, tag }));
    Data::from([("tag_index", Data::from([("tags", tags)]))])
}

struct ArchiveData<'a> {
    shared: &'a Shared<'a>,
    page: &'a ArchivePage<'a>,
}

object!(impl ArchiveData<'a>, |this| {
    "url" => this.shared.config.url(&paths::archive(None)),
    "year" => this.page.year,
    "years" => {
        let (shared, current) = (this.shared, this.page.year);
        each(&this.page.years, move |year| {
            let is_current = current.is_some() && year.year == current;
            Data::object(YearData { shared, year, is_current })
        })
    },
});

struct YearData<'a> {
    shared: &'a Shared<'a>,
    year: &'a ArchiveYear<'a>,
    is_current: bool,
}

object!(impl YearData<'a>, |this| {
    "year" => this.year.year,
    "count" => this.year.count,
    "url" => {
        let has_page = this.year.has_page;
        has_page.then(|| this.shared.config.url(&paths::archive(this.year.year)))
    },
    "is_current" => this.is_current,
    "items" => linked_items(this.shared, &this.year.items),
});

struct TagData<'a> {
    shared: &'a Shared<'a>,
    tag: &'a ListedTag<'a>,
}

object!(impl TagData<'a>, |this| {
    "name" => this.tag.name,
    "url" => this.shared.config.url(&paths::facet(FacetKind::Tag, this.tag.slug, 1)),
    "count" => this.tag.count,
});
