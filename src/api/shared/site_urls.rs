//! Converts URLs of this site to paths. Clients send the full URLs that they received from the API.
//! Files contain paths, so that content written in a preview also works on the published site.

use std::path::Path;

use model::{Config, SitePath};
use source::disk::Disk;
use source::reference::{self, Reference};

/// Converts the URLs of one site to paths.
pub struct SiteUrls<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
}

impl SiteUrls<'_> {
    /// Converts a URL of this site to a path. Returns other URLs unchanged.
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

    /// Converts the URLs of this site in a body to paths. Converts only URLs after a quotation mark
    /// or an opening bracket, where HTML and Markdown can contain a URL.
    pub fn body(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for opening in ['"', '\'', '(', '<'] {
            let own = format!("{opening}{}/", self.config.base_url);
            text = text.replace(&own, &format!("{opening}/"));
        }
        text
    }

    /// Returns the target of a URL or path in the file `from`, or None if it has no target.
    pub fn reference(&self, from: &SitePath, text: &str) -> Option<Reference> {
        reference::resolve(&Disk::new(self.root), from, text, self.config).ok()
    }
}
