//! What items and the feed have in common.

use mustache::{Data, object};

use crate::model::{Author, Image, Seo};

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
    let view = (!seo.is_empty()).then(|| Data::object(SeoData(seo)));
    view.unwrap_or_default()
}

struct SeoData<'a>(&'a Seo);

object!(impl SeoData<'a>, |seo| {
    "title" if seo.0.title.is_some() => seo.0.title.as_deref(),
    "description" if seo.0.description.is_some() => seo.0.description.as_deref(),
    "social_image" if seo.0.social_image.is_some() => {
        seo.0.social_image.as_ref().map(|social| Data::object(SocialImageData(&social.image)))
    },
});

struct SocialImageData<'a>(&'a Image);

object!(impl SocialImageData<'a>, |image| {
    "url" => &image.0.url,
    "width" if image.0.dimensions.is_some() => image.0.dimensions.map(|(width, _)| width),
    "height" if image.0.dimensions.is_some() => image.0.dimensions.map(|(_, height)| height),
    "mime_type" if image.0.mime_type.is_some() => image.0.mime_type.as_deref(),
    "alt" if image.0.alt.is_some() => image.0.alt.as_deref(),
});

/// A picture of an item, with its size.
pub struct ImageData<'a>(pub &'a Image);

object!(impl ImageData<'a>, |image| {
    "url" => &image.0.url,
    "alt" => image.0.alt.as_deref().unwrap_or_default(),
    "width" => image.0.dimensions.map(|(width, _)| width),
    "height" => image.0.dimensions.map(|(_, height)| height),
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
