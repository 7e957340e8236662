//! Data that items and the feed have in common.

use mustache::{Data, object};

use super::record_data::RecordObject;
use model::{Author, Image, Seo};

/// Returns a list with a view of each element of a slice.
pub fn each<'a, T>(all: &'a [T], view: impl Fn(&'a T) -> Data<'a> + 'a) -> Data<'a> {
    Data::list(all.len(), move |at| view(&all[at]))
}

pub struct AuthorData<'a> {
    pub author: &'a Author,
    /// Whether the data includes schema.org's type.
    pub has_type: bool,
    /// Whether `url` is null instead of missing, so that a template does not find an outer `url`.
    pub fills_url: bool,
}

object!(impl AuthorData<'a>, |this| {
    "name" => &this.author.name,
    "type" if this.has_type => this.author.kind.as_str(),
    "url" if this.fills_url || this.author.url.is_some() => this.author.url.as_deref(),
});

/// Returns `seo`, or null if nothing is set.
pub fn seo(seo: &Seo) -> Data<'_> {
    let view = (!seo.is_empty()).then(|| Data::object(RecordObject(seo)));
    view.unwrap_or_default()
}

/// A picture of an item, with its dimensions.
pub struct ImageData<'a>(pub &'a Image);

object!(impl ImageData<'a>, |image| {
    "url" => &image.0.url,
    "alt" => image.0.alt.as_deref().unwrap_or_default(),
    "width" => image.0.width,
    "height" => image.0.height,
});

/// The position of an element in a site file's list.
#[derive(Clone, Copy)]
pub struct Loop {
    /// The index, starting at 0.
    pub index: usize,
    /// The number of elements.
    pub count: usize,
}

object!(impl Loop, |this| {
    "index" => this.index + 1,
    "index0" => this.index,
    "first" => this.index == 0,
    "last" => this.index + 1 == this.count,
});
