//! Comments in the HTML of a body that name the line of each block.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use crate::linker::Linker;

/// Counts the lines of a body up to the current block.
pub struct LineMarks<'a> {
    body: &'a str,
    counted: usize,
    line: usize,
}

impl<'a> LineMarks<'a> {
    /// Starts with the body that begins at byte `start` of the file.
    pub fn new(linker: &'a Linker<'_, '_>, start: usize) -> Self {
        Self { body: &linker.reader.source.text[start..], counted: 0, line: 1 }
    }

    /// Returns the comment for an event that starts a block. A comment changes neither the look of
    /// the page nor which rules of a style sheet apply.
    pub fn mark(&mut self, event: &Event<'_>, range: &Range<usize>) -> Option<String> {
        let starts_block = match event {
            Event::Rule => true,
            Event::Start(tag) => matches!(
                tag,
                Tag::Paragraph
                    | Tag::Heading { .. }
                    | Tag::Item
                    | Tag::CodeBlock(_)
                    | Tag::HtmlBlock
                    | Tag::Table(_)
                    | Tag::DefinitionListTitle
                    | Tag::DefinitionListDefinition
            ),
            _ => false,
        };
        if !starts_block {
            return None;
        }
        let passed = self.body.as_bytes().get(self.counted..range.start).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count();
        self.counted = self.counted.max(range.start);
        Some(format!("<!--line {}-->", self.line))
    }
}
