//! The ids of projects, which clients choose freely.

use api_shared::ApiError;
use std::fmt;

/// The id of a project. Clients can use any id to refer to the site, and answers contain the same
/// id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectId(String);

/// Maximum length of an id, in bytes.
const MAX_LENGTH: usize = 128;

impl ProjectId {
    /// Parses an id: letters, digits, dashes and underscores. Dots and colons are permitted for ids
    /// with a domain.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        if (1..=MAX_LENGTH).contains(&text.len()) && text.chars().all(is_part) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ApiError::invalid(
                "projectId",
                format!(
                    "invalid project id {text:?}: use letters, digits and dashes; every id refers to this site"
                ),
            ))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
