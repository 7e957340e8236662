//! The options of the theme as a page reads them: each link among them knows whether it leads here.

use std::rc::Rc;

use mustache::{Data, Object};
use serde_json::Value as Json;

use super::breadcrumbs::crumb_url;
use crate::inputs::{Crumb, Shared};

pub struct Here {
    url: String,
    /// The addresses of what it belongs to.
    above: Vec<String>,
    home: String,
}

impl Here {
    pub fn of(shared: &Shared<'_>, url: String, above: &[Crumb<'_>]) -> Self {
        let above = above.iter().filter(|crumb| **crumb != Crumb::Home);
        Self {
            url,
            above: above.map(|crumb| crumb_url(shared, crumb)).collect(),
            home: shared.config.url("/"),
        }
    }

    /// Whether an address leads to this page.
    fn is_at(&self, url: &str) -> bool {
        url == self.url
    }

    /// Whether an address leads to what this page is a part of.
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

/// The options, read on a page.
pub struct Options<'a> {
    pub values: &'a Json,
    pub here: Rc<Here>,
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

/// One of a list: a link, or what else has an address.
struct Link<'a> {
    link: &'a Json,
    here: Rc<Here>,
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
