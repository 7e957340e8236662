//! Edits to items in brackets, separated by commas: JSON, YAML's flow style, TOML's arrays and
//! inline tables.

use std::ops::Range;

use super::splice::{
    Splice, indent, line_start, next_line, removal_splices, rest_of_line, starts_line,
};

/// A list or table in brackets, and its items.
pub(super) struct Bracketed<'a> {
    pub text: &'a str,
    /// Ranges of the existing items in the text, including their keys.
    pub items: Vec<Range<usize>>,
    /// Whitespace to write between a comma and the next item on the same line.
    pub gap: &'a str,
    /// Whether `#` starts a comment.
    pub comments: bool,
}

impl Bracketed<'_> {
    /// Inserts items before position `index`. The list or table must already have at least one
    /// item.
    pub fn insert(&self, index: usize, new: &[String]) -> Vec<Splice> {
        let Some(before) = index.checked_sub(1) else {
            return self.insert_first(new);
        };
        let item = &self.items[before];
        let gap = format!(",{}", self.gap_at(before));
        if !starts_line(self.text, item.start) {
            return match self.comma(before) {
                Some(comma) => vec![Splice::new(
                    comma + 1..comma + 1,
                    new.iter().map(|new| format!("{}{new},", &gap[1..])).collect::<String>(),
                )],
                None => vec![Splice::new(item.end..item.end, format!("{gap}{}", new.join(&gap)))],
            };
        }
        let line = format!("\n{}", indent(self.text, item.start));
        let (separated, after) = match self.comma(before) {
            Some(comma) => (true, comma + 1),
            None => (false, item.end),
        };
        let rest = rest_of_line(self.text, after);
        // A comment after the comma stays on its line. The next item or the closing bracket moves
        // to a line below the new items.
        let place = if self.is_blank(rest.clone()) { rest.end } else { after };
        let all = new.iter().map(|new| format!("{line}{new},")).collect::<String>();
        if separated {
            return vec![Splice::new(place..place, all)];
        }
        let all = all.trim_end_matches(',').to_owned();
        if place == after {
            return vec![Splice::new(after..after, format!(",{all}"))];
        }
        vec![Splice::new(after..after, ","), Splice::new(place..place, all)]
    }

    fn insert_first(&self, new: &[String]) -> Vec<Splice> {
        let Some(first) = self.items.first() else {
            return Vec::new();
        };
        let gap = if starts_line(self.text, first.start) {
            format!(",\n{}", indent(self.text, first.start))
        } else {
            format!(",{}", self.gap_at(0))
        };
        let text = new.iter().map(|new| format!("{new}{gap}")).collect::<String>();
        vec![Splice::new(first.start..first.start, text)]
    }

    pub fn remove(&self, index: usize) -> Vec<Splice> {
        let item = &self.items[index];
        let comma = self.comma(index);
        let mut ranges = Vec::new();
        let after = comma.map_or(item.end, |comma| comma + 1);
        let spaces = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
        if starts_line(self.text, item.start) && self.is_blank(rest_of_line(self.text, after)) {
            ranges.push(line_start(self.text, item.start)..next_line(self.text, after));
        } else if comma.is_some() {
            ranges.push(item.start..after + spaces(&self.text[after..]));
        } else {
            let start = self.text[..item.start].trim_end_matches([' ', '\t']).len();
            let start = if index == 0 { item.start } else { start };
            ranges.push(start..item.end);
        }
        if comma.is_none()
            && let Some(before) = index.checked_sub(1).and_then(|before| self.comma(before))
        {
            ranges.push(before..before + 1);
        }
        removal_splices(ranges)
    }

    /// Returns the whitespace between the comma after an item and the next item.
    fn gap_at(&self, index: usize) -> &str {
        let Some(comma) = self.comma(index) else {
            return self.gap;
        };
        let Some(next) = self.items.get(index + 1) else {
            return self.gap;
        };
        let gap = &self.text[comma + 1..next.start];
        if gap.trim_matches([' ', '\t']).is_empty() { gap } else { self.gap }
    }

    /// Returns the position of the comma after an item.
    fn comma(&self, index: usize) -> Option<usize> {
        let mut at = self.items[index].end;
        loop {
            let rest = &self.text[at..];
            at += rest.len() - rest.trim_start().len();
            match self.text[at..].bytes().next() {
                Some(b',') => return Some(at),
                Some(b'#') if self.comments => at = next_line(self.text, at),
                _ => return None,
            }
        }
    }

    fn is_blank(&self, range: Range<usize>) -> bool {
        let rest = self.text[range].trim_start();
        rest.is_empty() || self.comments && rest.starts_with('#')
    }
}
