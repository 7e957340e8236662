//! What of Markdown is read beyond CommonMark.

use pulldown_cmark::Options;

use crate::model::MarkdownConfig;

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
