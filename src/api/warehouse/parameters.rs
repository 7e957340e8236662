//! The parameters of a call. Unknown ones are ignored, as clients expect.

use std::str::FromStr;

use api_shared::ApiError;
use warp::http::StatusCode;

/// Longest query, in bytes.
const LONGEST: usize = 8 * 1024;

/// The parameters of a call. Empty ones count as left out. Of several values the last counts.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the part after `?`.
    pub fn parse(raw: &str) -> Result<Self, ApiError> {
        if raw.len() > LONGEST {
            let message =
                format!("a query has at most {LONGEST} bytes, and this one {}", raw.len());
            return Err(ApiError::new(StatusCode::URI_TOO_LONG, message).because("uriTooLong"));
        }
        let pairs = form_urlencoded::parse(raw.as_bytes())
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()));
        Ok(Self(pairs.collect()))
    }

    /// The text of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().rev().filter(|(own, _)| own == name);
        values.next().map(|(_, value)| value.as_str())
    }

    /// Every text of a parameter that may be repeated.
    pub fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        let named = self.0.iter().filter(move |(own, _)| own == name);
        named.map(|(_, value)| value.as_str())
    }

    /// A parameter that is true or false. False if left out.
    pub fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.text(name).map(str::to_ascii_lowercase).as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(other) => {
                Err(ApiError::invalid(name, format!("it is true or false, not {other:?}")))
            }
        }
    }

    pub fn number<N: FromStr>(&self, name: &str) -> Result<Option<N>, ApiError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            ApiError::invalid(name, format!("it is a whole number from 0 on, not {text:?}"))
        })
    }
}
