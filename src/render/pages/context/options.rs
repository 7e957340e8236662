//! The theme's options in the context of a page. Each link in the options states whether it points
//! to the current page.

use std::rc::Rc;

use mustache::{Data, Object};
use serde_json::Value as Json;

use super::breadcrumbs::crumb_url;
use crate::inputs::{Crumb, Shared};

pub struct CurrentPage {
    url: String,
    /// The addresses of the pages above the current one.
    above: Vec<String>,
    home: String,
}

impl CurrentPage {
    pub fn of(shared: &Shared<'_>, url: String, above: &[Crumb<'_>]) -> Self {
        let above = above.iter().filter(|crumb| **crumb != Crumb::Home);
        Self {
            url,
            above: above.map(|crumb| crumb_url(shared, crumb)).collect(),
            home: shared.config.url("/"),
        }
    }

    /// Returns whether an address points to the current page.
    fn is_at(&self, url: &str) -> bool {
        url == self.url
    }

    /// Returns whether an address points to a section that contains the current page.
    fn is_below(&self, url: &str) -> bool {
        let rest = self.url.strip_prefix(url).unwrap_or_default();
        let is_part = if url == self.home {
            rest.starts_with("page/")
        } else {
            url.ends_with('/') && !rest.is_empty()
        };
        is_part || !self.is_at(url) && self.above.iter().any(|above| above == url)
    }
}

/// The options in the context of a page.
pub struct Options<'a> {
    pub values: &'a Json,
    pub here: Rc<CurrentPage>,
}

impl<'a> Object<'a> for Options<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let value = self.values.get(key)?;
        let Json::Array(links) = value else {
            return Some(Data::from(value));
        };
        let here = Rc::clone(&self.here);
        let link = move |at: usize| {
            let here = Rc::clone(&here);
            Data::object(Link { link: &links[at], here })
        };
        Some(Data::list(links.len(), link))
    }

    fn keys(&self) -> Vec<String> {
        let options = self.values.as_object().into_iter();
        options.flat_map(|options| options.keys().cloned()).collect()
    }
}

/// An element of a list option: a link, or another object with an address.
struct Link<'a> {
    link: &'a Json,
    here: Rc<CurrentPage>,
}

impl<'a> Object<'a> for Link<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let url = || {
            let url = self.link.get("url").and_then(Json::as_str).unwrap_or_default();
            url.split(['?', '#']).next().unwrap_or_default()
        };
        match key {
            "is_current" => Some(Data::from(self.here.is_at(url()))),
            "is_section" => Some(Data::from(self.here.is_below(url()))),
            _ => self.link.get(key).map(Data::from),
        }
    }

    fn keys(&self) -> Vec<String> {
        let own = self.link.as_object().into_iter().flat_map(|own| own.keys().cloned());
        own.chain(["is_current", "is_section"].map(str::to_owned)).collect()
    }
}
