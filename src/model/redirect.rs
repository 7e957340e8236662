//! A path of the site that leads to another one.

use super::SitePath;

/// A path that leads to another one, permanently (301).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Redirect {
    /// The path, not percent-encoded.
    pub from: String,
    /// The path it leads to, not percent-encoded.
    pub to: String,
}

impl Redirect {
    /// A path that can lead elsewhere, as a request has it, percent-decoded. None where no static host
    /// can match it: a query, or no path of a site.
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
