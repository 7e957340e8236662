//! The supported extensions of CommonMark, and the type of a parser event.

use std::ops::Range;

use pulldown_cmark::{Event, Options};

use model::MarkdownConfig;

/// A parser event, and the range of the body that it was read from.
pub type Spanned<'e> = (Event<'e>, Range<usize>);

pub fn options(config: &MarkdownConfig) -> Options {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES;
    options.set(Options::ENABLE_SMART_PUNCTUATION, config.smart_punctuation);
    options.set(Options::ENABLE_DEFINITION_LIST, config.definition_lists);
    options.set(Options::ENABLE_MATH, config.math);
    options
}
