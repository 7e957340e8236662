//! What items and the feed have in common.

use mustache::{Data, object};

use super::shaped::Shaped;
use model::{Author, Image, Seo};

/// A list whose elements are views of a slice's.
pub fn each<'a, T>(all: &'a [T], view: impl Fn(&'a T) -> Data<'a> + 'a) -> Data<'a> {
    Data::list(all.len(), move |at| view(&all[at]))
}

pub struct AuthorData<'a> {
    pub author: &'a Author,
    /// Whether it says schema.org's type.
    pub has_type: bool,
    /// Whether there is a `url` without one, so that a template does not find an outer one.
    pub fills_url: bool,
}

object!(impl AuthorData<'a>, |this| {
    "name" => &this.author.name,
    "type" if this.has_type => this.author.kind.as_str(),
    "url" if this.fills_url || this.author.url.is_some() => this.author.url.as_deref(),
});

/// `seo`, or null where nothing is set.
pub fn seo(seo: &Seo) -> Data<'_> {
    let view = (!seo.is_empty()).then(|| Data::object(Shaped(seo)));
    view.unwrap_or_default()
}

/// A picture of an item, with its size.
pub struct ImageData<'a>(pub &'a Image);

object!(impl ImageData<'a>, |image| {
    "url" => &image.0.url,
    "alt" => image.0.alt.as_deref().unwrap_or_default(),
    "width" => image.0.width,
    "height" => image.0.height,
});

/// Where an element of a Site File's list stands.
#[derive(Clone, Copy)]
pub struct Loop {
    /// From 0.
    pub index: usize,
    /// How many elements there are.
    pub count: usize,
}

object!(impl Loop, |this| {
    "index" => this.index + 1,
    "index0" => this.index,
    "first" => this.index == 0,
    "last" => this.index + 1 == this.count,
});
