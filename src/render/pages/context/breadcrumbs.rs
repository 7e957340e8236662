//! Breadcrumbs of a page in template contexts and structured data.

use std::borrow::Cow;

use mustache::{Data, object};

use super::facets::season_title;
use super::parts::each;
use crate::inputs::{Crumb, Shared};
use site::{FacetKind, paths};

/// Returns the breadcrumbs above a page, starting with the home page.
pub fn breadcrumbs<'a>(shared: &'a Shared<'a>, above: &'a [Crumb<'a>]) -> Data<'a> {
    each(above, move |crumb| breadcrumb(shared, Some(crumb)))
}

/// Returns one breadcrumb or neighbour of a page, or null.
pub fn breadcrumb<'a>(shared: &'a Shared<'a>, crumb: Option<&'a Crumb<'a>>) -> Data<'a> {
    let view = crumb.map(|crumb| Data::object(CrumbData { shared, crumb }));
    view.unwrap_or_default()
}

struct CrumbData<'a> {
    shared: &'a Shared<'a>,
    crumb: &'a Crumb<'a>,
}

object!(impl CrumbData<'a>, |this| {
    "name" => crumb_name(this.shared, this.crumb).into_owned(),
    "url" => crumb_url(this.shared, this.crumb),
    "is_home" => *this.crumb == Crumb::Home,
    "lang" => crumb_lang(this.shared, this.crumb),
});

/// Returns the language of a page's name, if the current page has another language.
pub fn crumb_lang<'a>(shared: &Shared<'a>, crumb: &Crumb<'a>) -> Option<&'a str> {
    let (Crumb::Page { language, .. } | Crumb::Item { language, .. }) = crumb else {
        return None;
    };
    let language = language.unwrap_or(shared.language());
    let is_own = language.eq_ignore_ascii_case(&shared.words.language);
    (!is_own).then_some(language)
}

/// Returns the name of a breadcrumb. The home page has the name of the site.
pub fn crumb_name<'a>(shared: &Shared<'a>, crumb: &Crumb<'a>) -> Cow<'a, str> {
    let words = shared.words;
    match crumb {
        Crumb::Home => shared.title().into(),
        Crumb::Archive => words.text("archive").into(),
        Crumb::Year(year) => year.to_string().into(),
        Crumb::Tags => words.text("tags").into(),
        Crumb::Albums => words.text("albums").into(),
        Crumb::Season { slug, name } => season_title(words, slug, name).into(),
        Crumb::Item { title, .. } => title.clone(),
        Crumb::Album { name, .. } | Crumb::Page { name, .. } => (*name).into(),
    }
}

pub fn crumb_url(shared: &Shared<'_>, crumb: &Crumb<'_>) -> String {
    shared.config.url(&match crumb {
        Crumb::Home => paths::home(1),
        Crumb::Archive => paths::archive(None),
        Crumb::Year(year) => paths::archive(Some(*year)),
        Crumb::Tags => paths::TAG_INDEX.into(),
        Crumb::Albums => paths::ALBUM_INDEX.into(),
        Crumb::Album { slug, .. } => paths::facet(FacetKind::Album, slug, 1),
        Crumb::Season { slug, .. } => paths::facet(FacetKind::Season, slug, 1),
        Crumb::Item { path, .. } => (*path).into(),
        Crumb::Page { slug, .. } => paths::page(slug),
    })
}
