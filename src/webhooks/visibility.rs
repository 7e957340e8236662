//! The visibility of a resource.

use serde_json::Value;

use model::Status;
use state::Resource;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    Hidden,
    /// Visible only to those who know the address.
    Unlisted,
    Public,
}

impl Visibility {
    /// Returns the visibility of a resource in the ledger.
    pub fn of(known: &Resource) -> Self {
        let is_unlisted = || status_in(&known.data).as_deref() == Some(Status::Unlisted.as_str());
        match known.is_public {
            false => Self::Hidden,
            true if is_unlisted() => Self::Unlisted,
            true => Self::Public,
        }
    }

    /// Returns the status of an item or page with this visibility.
    pub fn status(self) -> &'static str {
        match self {
            Self::Hidden => Status::Unpublished.as_str(),
            Self::Unlisted => Status::Unlisted.as_str(),
            Self::Public => Status::Published.as_str(),
        }
    }

    /// Returns the event that reports a change to this visibility.
    pub fn event(self) -> &'static str {
        match self {
            Self::Hidden => "unpublished",
            Self::Unlisted => "unlisted",
            Self::Public => "published",
        }
    }
}

fn status_in(data: &str) -> Option<String> {
    let data: Value = serde_json::from_str(data).ok()?;
    Some(data.get("status")?.as_str()?.to_owned())
}

/// Returns the previous status of an item or page.
pub fn previous_status(before: &Resource) -> Option<&'static str> {
    matches!(&*before.kind, "item" | "page").then(|| Visibility::of(before).status())
}
