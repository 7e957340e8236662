//! How something that is wrong in a content file can be mended without asking its author.

use borsh::{BorshDeserialize, BorshSerialize};

/// A change of one file that mends what a [`Diagnostic`](super::Diagnostic) tells of it, and nothing else.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// A key of front matter gets a text.
    Set { key: String, text: String },
    /// A list of front matter gets one more text.
    Add {
        /// The key of the list.
        key: String,
        text: String,
    },
    /// What stands under a key of front matter moves to where another program has it: `season` to `podcast.season`.
    Move {
        from: String,
        /// The keys that lead there, joined by dots.
        to: String,
    },
    /// A text is spelled otherwise.
    Respell {
        /// The byte of the file from which on it is looked for.
        at: usize,
        /// What is there.
        from: String,
        /// What it becomes.
        to: String,
    },
    /// Several, each as far as it fits.
    All(Vec<Fix>),
}

impl Fix {
    /// A description of the change, for people.
    pub fn done(&self) -> String {
        match self {
            Self::Set { key, text } => format!("set `{key}` to {text:?}"),
            Self::Add { key, text } => format!("added {text:?} to `{key}`"),
            Self::Move { from, to } => format!("moved `{from}` to `{to}`"),
            Self::Respell { from, to, .. } => format!("changed {from:?} to {to:?}"),
            Self::All(fixes) => {
                let done: Vec<String> = fixes.iter().map(Self::done).collect();
                done.join("; ")
            }
        }
    }
}
