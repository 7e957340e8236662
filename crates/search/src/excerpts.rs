//! Splits text into segments that show the matches of a query: a whole title, or excerpts of the
//! content.

use std::ops::Range;

use super::highlight::Marker;
use super::text::{compose, push_lower, starts_cluster};

/// Approximate length of an excerpt, in characters.
const EXCERPT_LENGTH: usize = 160;
/// Approximate maximum number of characters before the first match of an excerpt.
const MAX_LENGTH_BEFORE: usize = 40;
/// Maximum number of excerpts for a document's content.
const MAX_EXCERPTS: usize = 3;
/// Maximum distance, in bytes, by which an end of an excerpt is moved to a space to avoid cutting a
/// word.
const MAX_SPACE_DISTANCE: usize = 24;

/// A piece of plain text, without HTML and without escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The text exactly as its author wrote it.
    pub text: String,
    /// Whether this segment matches the query.
    pub matched: bool,
}

/// A matching byte range, and a bitmask of the clauses that it matches.
struct Mark {
    range: Range<usize>,
    clauses: u128,
}

impl Marker<'_> {
    /// Returns the whole text, split into segments at its matches.
    pub fn whole(&self, text: &str) -> Vec<Segment> {
        let mut segments = Segments::default();
        segments.push_marked(text, 0..text.len(), &self.marks(text));
        segments.0
    }

    /// Returns excerpts around the matches. If nothing matches, returns the beginning of the text.
    pub fn excerpts(&self, text: &str) -> Vec<Segment> {
        let marks = self.marks(text);
        let mut segments = Segments::default();
        let mut shown = 0;
        for Excerpt { range, .. } in selected_excerpts(excerpts(text, &marks)) {
            if range.start > shown {
                segments.push(if shown == 0 { "…" } else { " … " }, false);
            }
            shown = range.end;
            segments.push_marked(text, range, &marks);
        }
        if !text[shown..].trim().is_empty() {
            segments.push("…", false);
        }
        segments.0
    }

    /// Returns all matches in order. Overlapping matches are merged.
    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        if !self.phrases.is_empty() {
            self.mark_words(text, |range, clauses| marks.push(Mark { range, clauses }));
        }
        if !self.literals.is_empty() {
            let mapped = LiteralText::new(text);
            for &(clauses, literal) in &self.literals {
                marks.extend(mapped.find(literal).map(|range| Mark { range, clauses }));
            }
        }
        marks.sort_by_key(|mark| (mark.range.start, mark.range.end));
        marks.dedup_by(|mark, last| {
            let overlaps = mark.range.start < last.range.end;
            if overlaps {
                last.range.end = last.range.end.max(mark.range.end);
                last.clauses |= mark.clauses;
            }
            overlaps
        });
        marks
    }
}

#[derive(Default)]
struct Segments(Vec<Segment>);

impl Segments {
    fn push(&mut self, text: &str, matched: bool) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.matched == matched => last.text.push_str(text),
            _ => self.0.push(Segment { text: text.to_owned(), matched }),
        }
    }

    /// Appends a range of `text`, split into segments at `marks`.
    fn push_marked(&mut self, text: &str, range: Range<usize>, marks: &[Mark]) {
        let mut at = range.start;
        for mark in marks {
            if mark.range.start >= at && mark.range.end <= range.end {
                self.push(&text[at..mark.range.start], false);
                self.push(&text[mark.range.clone()], true);
                at = mark.range.end;
            }
        }
        self.push(&text[at..range.end], false);
    }
}

/// A range of the text to show, with the clauses and the number of matches in it.
struct Excerpt {
    range: Range<usize>,
    clauses: u128,
    marks: usize,
}

/// Returns every range that could be shown, in order and without overlaps. If nothing matches,
/// returns only the beginning of the text.
fn excerpts(text: &str, marks: &[Mark]) -> Vec<Excerpt> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for mark in marks {
        let shown = match excerpts.last_mut() {
            Some(last) if mark.range.end <= last.range.end => {
                last.clauses |= mark.clauses;
                last.marks += 1;
                continue;
            }
            Some(last) => {
                // A mark that the end of this excerpt would cut belongs to the next excerpt.
                last.range.end = last.range.end.min(mark.range.start);
                last.range.end
            }
            None => 0,
        };
        excerpts.push(Excerpt {
            range: range_around(text, shown, &mark.range),
            clauses: mark.clauses,
            marks: 1,
        });
    }
    if excerpts.is_empty() {
        excerpts.push(Excerpt { range: range_around(text, 0, &(0..0)), clauses: 0, marks: 0 });
    }
    excerpts
}

/// Selects at most [`MAX_EXCERPTS`] excerpts, and returns them in the order of the text. Prefers
/// excerpts with the most clauses that are not shown yet, then excerpts with the most matches.
fn selected_excerpts(mut excerpts: Vec<Excerpt>) -> Vec<Excerpt> {
    let mut selected_excerpts: Vec<Excerpt> = Vec::new();
    let mut shown = 0;
    while selected_excerpts.len() < MAX_EXCERPTS && !excerpts.is_empty() {
        let value = |e: &Excerpt| ((e.clauses & !shown).count_ones(), e.marks);
        let mut best = 0;
        for (number, excerpt) in excerpts.iter().enumerate() {
            if value(excerpt) > value(&excerpts[best]) {
                best = number;
            }
        }
        let excerpt = excerpts.remove(best);
        shown |= excerpt.clauses;
        selected_excerpts.push(excerpt);
    }
    selected_excerpts.sort_by_key(|excerpt| excerpt.range.start);
    selected_excerpts
}

/// Returns a range that begins at `from` or later, contains the match, and is cut between words
/// where possible.
fn range_around(text: &str, from: usize, mark: &Range<usize>) -> Range<usize> {
    let before = &text[from..mark.start];
    let start = match before.char_indices().rev().nth(MAX_LENGTH_BEFORE) {
        Some((at, _)) => {
            let space = before[at..]
                .char_indices()
                .take_while(|&(offset, _)| offset <= MAX_SPACE_DISTANCE)
                .find(|(_, c)| c.is_whitespace());
            let start = space.map_or(at, |(offset, c)| at + offset + c.len_utf8());
            from + before[start..]
                .find(starts_cluster)
                .map_or(before.len(), |offset| start + offset)
        }
        None => from,
    };
    let rest = &text[mark.end..];
    let length = EXCERPT_LENGTH.saturating_sub(text[start..mark.end].chars().count());
    let Some((at, first_left_out)) = rest.char_indices().nth(length) else {
        return start..text.len();
    };
    let space = rest[..at]
        .char_indices()
        .rev()
        .take_while(|&(offset, _)| at - offset <= MAX_SPACE_DISTANCE)
        .find(|(_, c)| c.is_whitespace());
    let end = match space {
        Some((offset, _)) => offset,
        None => rest[..at + first_left_out.len_utf8()]
            .char_indices()
            .rev()
            .find(|&(_, c)| starts_cluster(c))
            .map_or(at, |(offset, _)| offset),
    };
    start..mark.end + end
}

/// Text in [literal](super::text::literal) form, with the original position of each cluster: a
/// character with its combining marks.
pub(super) struct LiteralText {
    text: String,
    /// For each cluster, the positions of its first byte in `text` and in the original. The last
    /// pair holds the lengths of `text` and of the original.
    clusters: Vec<(usize, usize)>,
}

impl LiteralText {
    /// Converts `original` to [literal](super::text::literal) form.
    pub fn new(original: &str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut clusters = Vec::with_capacity(original.len() / 2);
        let mut begin = 0;
        while begin < original.len() {
            let rest = &original[begin..];
            let end = rest
                .char_indices()
                .skip(1)
                .find(|&(_, c)| starts_cluster(c))
                .map_or(original.len(), |(length, _)| begin + length);
            clusters.push((text.len(), begin));
            push_lower(&compose(&original[begin..end]), &mut text);
            begin = end;
        }
        clusters.push((text.len(), original.len()));
        Self { text, clusters }
    }

    /// Returns the ranges of the original text that match `literal`, a substring in literal form.
    /// The matches do not overlap.
    pub fn find<'a>(&'a self, literal: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        self.text.match_indices(literal).map(|(at, found)| {
            let last = at + found.len();
            let first = self.clusters.partition_point(|&(here, _)| here <= at);
            let end = self.clusters.partition_point(|&(here, _)| here < last);
            let original = |cluster: usize| self.clusters.get(cluster).map_or(0, |c| c.1);
            original(first.saturating_sub(1))..original(end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::literal;
    use super::*;

    #[test]
    fn half_width_letters_and_emoji_are_found_in_any_form() {
        for (text, query) in [
            ("ｶﾞｲﾄﾞ", "ガイド"),
            ("ガイド", "ｶﾞｲﾄﾞ"),
            ("❤\u{fe0f}👍", "❤👍"),
            ("❤👍", "❤\u{fe0f}👍"),
            ("👩\u{200d}💻", "💻"),
        ] {
            let mapped = LiteralText::new(text);
            let found: Vec<_> = mapped.find(&literal(query)).map(|r| &text[r]).collect();
            assert_eq!(found.len(), 1, "{text} {query}");
            assert!(text.ends_with(found[0]), "{text} {query}");
        }
    }

    #[test]
    fn substrings_are_found_in_the_original() {
        let text = "x か\u{3099}っこう İ한글 \u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}";
        let mapped = LiteralText::new(text);
        let found: Vec<_> = mapped.find(&literal("がっ")).map(|r| &text[r]).collect();
        assert_eq!(found, ["か\u{3099}っ"]);
        let found: Vec<_> = mapped.find("한글").map(|r| &text[r]).collect();
        assert_eq!(found, ["한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"]);
        let found: Vec<_> = mapped.find("i\u{307}한").map(|r| &text[r]).collect();
        assert_eq!(found, ["İ한"]);
    }
}
