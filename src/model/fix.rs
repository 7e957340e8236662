//! Automatic fixes of content files, which need no decision from the author.

use borsh::{BorshDeserialize, BorshSerialize};

/// A change to one file that fixes the problem that a [`Diagnostic`](super::Diagnostic) reports,
/// and changes nothing else.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// Sets a key of front matter to a string.
    Set { key: String, text: String },
    /// Adds a string to a list in front matter.
    Add {
        /// Key of the list.
        key: String,
        text: String,
    },
    /// Moves a value of front matter to another key, such as from another program's `season` to
    /// `podcast.season`.
    Move {
        from: String,
        /// Key to move the value to. Dots join the keys of nested tables.
        to: String,
    },
    /// Replaces a string in the file.
    Respell {
        /// Byte offset in the file from which to search for `from`.
        at: usize,
        /// String to replace.
        from: String,
        /// Replacement.
        to: String,
    },
    /// Several fixes. A fix that cannot be applied is skipped.
    All(Vec<Fix>),
}

impl Fix {
    /// Returns a description of the change, for people.
    pub fn description(&self) -> String {
        match self {
            Self::Set { key, text } => format!("set `{key}` to {text:?}"),
            Self::Add { key, text } => format!("added {text:?} to `{key}`"),
            Self::Move { from, to } => format!("moved `{from}` to `{to}`"),
            Self::Respell { from, to, .. } => format!("changed {from:?} to {to:?}"),
            Self::All(fixes) => {
                let description: Vec<String> = fixes.iter().map(Self::description).collect();
                description.join("; ")
            }
        }
    }
}
