//! The site's own addresses: a client sends them whole, as it was shown them, and the files hold
//! them as paths, so that what is written through a preview is right where the site is published.

use std::path::Path;

use crate::model::{Config, SitePath};
use crate::source::disk::Disk;
use crate::source::reference::{self, Reference};

/// What tells an address of this site from one elsewhere.
pub struct OwnAddresses<'a> {
    /// The site's root.
    pub root: &'a Path,
    /// How it is served.
    pub config: &'a Config,
}

impl OwnAddresses<'_> {
    /// An address of this site as a path; any other as it is.
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

    /// A body with the addresses of this site as paths: those that stand where HTML or Markdown
    /// begins one, after a quote or a bracket.
    pub fn body(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for opening in ['"', '\'', '(', '<'] {
            let own = format!("{opening}{}/", self.config.base_url);
            text = text.replace(&own, &format!("{opening}/"));
        }
        text
    }

    /// What an address or path in a file leads to, where it leads anywhere.
    pub fn reference(&self, from: &SitePath, text: &str) -> Option<Reference> {
        reference::resolve(&Disk::new(self.root), from, text, self.config).ok()
    }
}
