//! The columns of a table.

use pulldown_cmark::Alignment;

/// The columns of a table. The HTML contains their alignment as an attribute, because a content
/// security policy may block inline styles.
#[derive(Default)]
pub struct Columns {
    alignments: Vec<Alignment>,
    next: usize,
    are_heads: bool,
}

impl Columns {
    pub fn of(alignments: Vec<Alignment>) -> Self {
        Self { alignments, ..Self::default() }
    }

    pub fn start_row(&mut self, are_heads: bool) {
        self.next = 0;
        self.are_heads = are_heads;
    }

    /// Returns the start tag of the next cell, or `None` if the cell needs no alignment.
    pub fn cell(&mut self) -> Option<&'static str> {
        let alignment = self.alignments.get(self.next).copied();
        self.next += 1;
        match (alignment?, self.are_heads) {
            (Alignment::None, _) => None,
            (Alignment::Left, true) => Some("<th align=\"left\">"),
            (Alignment::Center, true) => Some("<th align=\"center\">"),
            (Alignment::Right, true) => Some("<th align=\"right\">"),
            (Alignment::Left, false) => Some("<td align=\"left\">"),
            (Alignment::Center, false) => Some("<td align=\"center\">"),
            (Alignment::Right, false) => Some("<td align=\"right\">"),
        }
    }
}
