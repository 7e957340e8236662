//! Faults of front matter.

/// What is wrong with a text, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {message} ({help})")]
pub struct Fault {
    /// The byte of the text that it is about; at most the text's length.
    pub at: usize,
    /// What is wrong, in a few words without a full stop.
    pub message: String,
    /// What to do about it, in the same way.
    pub help: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}
