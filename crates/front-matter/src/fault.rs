//! Errors in front matter.

/// An error in front matter: what is wrong, where, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {message} ({help})")]
pub struct Fault {
    /// Position of the error in bytes, at most the length of the text.
    pub at: usize,
    /// What is wrong, in a few words without a full stop.
    pub message: String,
    /// How to fix the error, in a few words without a full stop.
    pub help: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}
