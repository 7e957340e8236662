//! Lists, a page at a time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::parameters::Parameters;
use api_shared::ApiError;

/// Entries on a page: at most, and by default.
const MOST: usize = 1000;
const USUAL: usize = 50;

/// A request for a page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    most: usize,
    /// The entry that ended the page before.
    after: Option<String>,
}

impl PageRequest {
    /// Reads `maxResults` and `pageToken`.
    pub fn parse(parameters: &Parameters) -> Result<Self, ApiError> {
        let most: Option<usize> = parameters.number("maxResults")?;
        Ok(Self {
            most: most.filter(|most| *most > 0).unwrap_or(USUAL).min(MOST),
            after: parameters.text("pageToken").map(open_token).transpose()?,
        })
    }

    /// The entries of the page and the token of the next page. `all` is in ascending order of the keys.
    pub fn of<T>(&self, all: Vec<T>, key: impl Fn(&T) -> String) -> (Vec<T>, Option<String>) {
        let is_later = |entry: &T| self.after.as_ref().is_none_or(|after| key(entry) > *after);
        let mut rest = all.into_iter().filter(is_later).peekable();
        let page: Vec<T> = rest.by_ref().take(self.most).collect();
        let last = page.last().filter(|_| rest.peek().is_some());
        let next = last.map(|last| token(&key(last)));
        (page, next)
    }
}

/// A token that holds a text.
pub fn token(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// The text in a token.
pub fn open_token(token: &str) -> Result<String, ApiError> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| {
        ApiError::invalid("pageToken", "this is no token of a page: begin again without")
    })
}

/// Adds the token of the next page to a list.
pub fn set_next(list: &mut Value, next: Option<String>) {
    if let Some(next) = next {
        list["nextPageToken"] = next.into();
    }
}
