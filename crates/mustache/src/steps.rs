//! What a template is read into: steps, and the names in them.

use std::ops::Range;

/// What rendering does next. Text is a range of the source.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Text(Range<usize>),
    /// A line starts with a tag: write a partial's indentation. Text looks for its line starts itself.
    Indent,
    Value {
        name: Name,
        escaped: bool,
        /// Whether it names what the section right around it names.
        is_of_section: bool,
        at: usize,
    },
    /// Enter the section, or go to step `after`. `at` is the tag's offset in the source.
    Section {
        name: Name,
        after: usize,
        at: usize,
    },
    /// Go to step `body` for the next element of the list, or leave the section.
    Next {
        body: usize,
        at: usize,
    },
    /// Go on when the value is false, or go to step `after`.
    Inverted {
        name: Name,
        after: usize,
        at: usize,
    },
    /// An index into `partial_steps`.
    Partial(usize),
}

/// A dotted name: a range of the template's keys, empty for `.`, the context itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
}

/// One part of a dotted name.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub text: Box<str>,
    /// The key as a list index, when it is written as one (`0`, `12`, not `012`).
    pub index: Option<usize>,
}

impl Key {
    pub fn new(text: &str) -> Self {
        let is_index = text.bytes().all(|byte| byte.is_ascii_digit())
            && (text.len() == 1 || !text.starts_with('0'));
        Key { text: text.into(), index: if is_index { text.parse().ok() } else { None } }
    }
}

#[derive(Debug, Clone)]
pub(super) struct PartialStep {
    pub name: Box<str>,
    pub at: usize,
    /// The whitespace before a tag that stands alone on its line; `None` for a tag within a line.
    pub indent: Option<Range<usize>>,
}
