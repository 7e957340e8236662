//! Errors in front matter.

/// An error in a text: what is wrong, where, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {message} ({help})")]
pub struct Fault {
    /// Byte of the text at which the error is, at most the text's length.
    pub at: usize,
    /// What is wrong, in a few words without a full stop.
    pub message: String,
    /// How to fix it, in the same form.
    pub help: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: help.into() }
    }
}
