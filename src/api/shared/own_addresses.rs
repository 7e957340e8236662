//! The site's own addresses. Clients send whole URLs, as they were shown them. Files hold paths, so that
//! what is written through a preview is right on the published site too.

use std::path::Path;

use model::{Config, SitePath};
use source::disk::Disk;
use source::reference::{self, Reference};

/// Tells addresses of this site from others.
pub struct OwnAddresses<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
}

impl OwnAddresses<'_> {
    /// Turns an address of this site into a path. Leaves others as they are.
    pub fn path(&self, url: &str) -> String {
        if let Some(base) = &self.config.media_base_url
            && let Some(path) = url.strip_prefix(base.as_str())
            && path.starts_with('/')
        {
            return format!("/media{path}");
        }
        match url.strip_prefix(self.config.base_url.as_str()) {
            Some(path) if path.starts_with('/') => path.to_owned(),
            _ => url.to_owned(),
        }
    }

    /// Turns the addresses of this site in a body into paths. It looks where HTML or Markdown begins an
    /// address: after a quote or a bracket.
    pub fn body(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for opening in ['"', '\'', '(', '<'] {
            let own = format!("{opening}{}/", self.config.base_url);
            text = text.replace(&own, &format!("{opening}/"));
        }
        text
    }

    /// What an address or path in a file leads to, if anything.
    pub fn reference(&self, from: &SitePath, text: &str) -> Option<Reference> {
        reference::resolve(&Disk::new(self.root), from, text, self.config).ok()
    }
}
