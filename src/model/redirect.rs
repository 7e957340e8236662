//! Redirects from a path of the site to another path or to another site.

use super::SitePath;
use super::url::is_absolute;

/// A permanent redirect (301) from a path to another path or to another site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Redirect {
    /// Path to redirect from, not percent-encoded.
    pub from: String,
    /// Path to redirect to, or address on another site, not percent-encoded.
    pub to: String,
}

impl Redirect {
    /// Returns the redirect of a part of the site whose paths start at `mount`.
    pub fn below(self, mount: &str) -> Self {
        let below = |path: String| match is_absolute(&path) {
            true => path,
            false => [mount, &*path].concat(),
        };
        Self { from: below(self.from), to: below(self.to) }
    }

    /// Parses a path to redirect from, and percent-decodes it. Returns None if no static host can
    /// match the path, because it has a query or a fragment or is not a path of a site.
    pub fn path(text: &str) -> Option<String> {
        let path = percent_encoding::percent_decode_str(text).decode_utf8().ok()?.into_owned();
        let inner = path.trim_matches('/');
        let valid = !text.contains(['?', '#'])
            && !path.chars().any(char::is_control)
            && SitePath::parse(inner).is_some();
        let end = if path.ends_with('/') { "/" } else { "" };
        valid.then(|| format!("/{inner}{end}"))
    }
}
