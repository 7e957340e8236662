//! The parsed form of a template: steps, and the names in them.

use std::ops::Range;

/// A step of rendering.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Text(Range<usize>),
    /// Write a partial's indentation before a tag at the start of a line. `Text` steps write their
    /// own indentation.
    Indent,
    Value {
        name: Name,
        escaped: bool,
        /// Whether the name is the same as the name of the innermost open section.
        is_same_as_section: bool,
        at: usize,
    },
    /// Enter the section, or jump to step `after`. `at` is the tag's offset in the source.
    Section {
        name: Name,
        after: usize,
        at: usize,
    },
    /// Jump to step `body` for the next list element, or leave the section after the last element.
    Next {
        body: usize,
        at: usize,
    },
    /// Continue if the value is false, otherwise jump to step `after`.
    Inverted {
        name: Name,
        after: usize,
        at: usize,
    },
    /// Include a partial. The number is an index into `partial_steps`.
    Partial(usize),
}

/// A dotted name, as a range of the template's keys. The range is empty for `.`, the context
/// itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
}

/// One key of a dotted name, such as `a` in `a.b`.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub text: Box<str>,
    /// The key as a list index, if it is a number without leading zeros.
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
    /// Whitespace before a tag that is alone on its line, or `None` for a tag within a line.
    pub indent: Option<Range<usize>>,
}
