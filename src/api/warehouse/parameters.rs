//! The query parameters of a call. Unknown parameters are ignored, as clients expect.

use std::str::FromStr;

use api_shared::ApiError;
use warp::http::StatusCode;

/// Maximum length of a query string, in bytes.
const MAX_QUERY_LENGTH: usize = 8 * 1024;

/// The query parameters of a call. Empty parameters count as missing. If a parameter is repeated,
/// its last value counts.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses the part of a URL after `?`.
    pub fn parse(raw: &str) -> Result<Self, ApiError> {
        if raw.len() > MAX_QUERY_LENGTH {
            let message = format!(
                "the query string has {} bytes; the maximum is {MAX_QUERY_LENGTH}",
                raw.len()
            );
            return Err(ApiError::new(StatusCode::URI_TOO_LONG, message).with_reason("uriTooLong"));
        }
        let pairs = form_urlencoded::parse(raw.as_bytes())
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()));
        Ok(Self(pairs.collect()))
    }

    /// Returns the value of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().rev().filter(|(own, _)| own == name);
        values.next().map(|(_, value)| value.as_str())
    }

    /// Returns every value of a parameter that may be repeated.
    pub fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        let named = self.0.iter().filter(move |(own, _)| own == name);
        named.map(|(_, value)| value.as_str())
    }

    /// Returns a boolean parameter. A missing parameter is false.
    pub fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.text(name).map(str::to_ascii_lowercase).as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(other) => {
                Err(ApiError::invalid(name, format!("must be true or false, not {other:?}")))
            }
        }
    }

    pub fn number<N: FromStr>(&self, name: &str) -> Result<Option<N>, ApiError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            ApiError::invalid(name, format!("must be a whole number of at least 0, not {text:?}"))
        })
    }
}
