//! Splits lists into pages, and encodes page tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::parameters::Parameters;
use api_shared::ApiError;

/// Maximum number of entries on a page.
const MAX_PAGE_SIZE: usize = 1000;

/// Default number of entries on a page.
const DEFAULT_PAGE_SIZE: usize = 50;

/// A request for a page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    most: usize,
    /// The key of the last entry on the previous page.
    after: Option<String>,
}

impl PageRequest {
    /// Reads `maxResults` and `pageToken`.
    pub fn parse(parameters: &Parameters) -> Result<Self, ApiError> {
        let most: Option<usize> = parameters.number("maxResults")?;
        Ok(Self {
            most: most.filter(|most| *most > 0).unwrap_or(DEFAULT_PAGE_SIZE).min(MAX_PAGE_SIZE),
            after: parameters.text("pageToken").map(open_token).transpose()?,
        })
    }

    /// Returns the entries of the page and the token of the next page. `all` must be sorted by key,
    /// in ascending order.
    pub fn of<T>(&self, all: Vec<T>, key: impl Fn(&T) -> String) -> (Vec<T>, Option<String>) {
        let is_later = |entry: &T| self.after.as_ref().is_none_or(|after| key(entry) > *after);
        let mut rest = all.into_iter().filter(is_later).peekable();
        let page: Vec<T> = rest.by_ref().take(self.most).collect();
        let last = page.last().filter(|_| rest.peek().is_some());
        let next = last.map(|last| token(&key(last)));
        (page, next)
    }
}

/// Encodes a string as a page token.
pub fn token(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// Decodes the string in a page token.
pub fn open_token(token: &str) -> Result<String, ApiError> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| ApiError::invalid("pageToken", "invalid page token: start again without it"))
}

/// Adds the token of the next page to a list.
pub fn set_next(list: &mut Value, next: Option<String>) {
    if let Some(next) = next {
        list["nextPageToken"] = next.into();
    }
}
