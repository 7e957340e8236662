//! The order of results, and cursors.
//!
//! A cursor lists the results that were already shown, in a form that only this index can read. It
//! is not a position in the order: relevance depends on all documents, so writes between two pages
//! move results. A position would then skip or repeat some of them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use xxhash_rust::xxh3::Xxh3;

use super::document::Kind;

/// The quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Tier {
    /// The document has every word as it was typed.
    Exact,
    /// The document has every word, but some of them only with other accents.
    OtherAccents,
    /// The title has words similar to the query's words, with at most one typo each.
    OneTypo,
    /// The title has words similar to the query's words, with at most two typos each.
    TwoTypos,
}

impl Tier {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Exact, Self::OtherAccents, Self::OneTypo, Self::TwoTypos]
            .into_iter()
            .nth(number.into())
    }
}

/// The order of results within one tier: by score, then newest first, then by id and kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank<'a> {
    /// Score of the result. Lower is better.
    pub score: f64,
    pub date_published_ms: Option<i64>,
    pub id: &'a str,
    pub kind: Kind,
}

impl Ord for Rank<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then(other.date_published_ms.cmp(&self.date_published_ms))
            .then(self.id.cmp(other.id))
            .then(self.kind.cmp(&other.kind))
    }
}

impl PartialOrd for Rank<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank<'_> {}

/// Maximum number of matches that are scored by relevance, which takes about a microsecond per
/// match. If there are more matches, relevance hardly distinguishes them. Title matches then come
/// first, followed by the newest documents.
const MAX_SCORED: usize = 1000;

/// The meaning of a result's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scoring {
    /// Relevance: BM25 as SQLite computes it, which is negative.
    Relevance,
    /// Whether the title matches. Used if very many documents match: computing their relevance
    /// would be slow, and would hardly distinguish them.
    Title,
}

impl Scoring {
    /// Returns the scoring to use for this number of matches.
    pub fn of(matches: usize) -> Self {
        if matches > MAX_SCORED { Self::Title } else { Self::Relevance }
    }
}

/// Number of results of a query that are ordered by relevance. The cursor lists each of them that
/// was shown. Later results follow in an order that no edit changes, so the cursor contains only
/// the last of them.
pub(super) const RANKED: usize = 200;

/// Identifier of a document in a cursor: 48 bits of a hash, which are enough to distinguish a
/// query's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mark(u64);

impl Mark {
    const MARK_BYTES: usize = 6;

    pub fn of(kind: Kind, id: &str) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&[kind as u8]);
        hash.update(id.as_bytes());
        Self(hash.digest() & 0xffff_ffff_ffff)
    }

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(&self.0.to_le_bytes()[..Self::MARK_BYTES]);
    }

    fn read(bytes: &[u8]) -> Self {
        let mut number = [0; 8];
        number[..Self::MARK_BYTES].copy_from_slice(bytes);
        Self(u64::from_le_bytes(number))
    }
}

/// The results of a query that have been shown so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShownResults {
    /// The results that are ordered by relevance, at most [`RANKED`].
    pub ranked: BTreeSet<Mark>,
    /// The last result shown after the ranked results. Such results are ordered by tier and mark.
    pub last: Option<(Tier, Mark)>,
}

impl ShownResults {
    /// Returns the cursor for the next page. `identity` identifies the query.
    pub fn write(&self, identity: u64) -> String {
        let mut bytes = Vec::with_capacity(16 + (self.ranked.len() + 1) * Mark::MARK_BYTES);
        bytes.extend(identity.to_le_bytes());
        for mark in &self.ranked {
            mark.write(&mut bytes);
        }
        if let Some((tier, mark)) = self.last {
            mark.write(&mut bytes);
            bytes.push(tier as u8);
        }
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor. Returns None if the cursor is broken or belongs to another query.
    pub fn read(cursor: &str, identity: u64) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (query, marks) = bytes.split_first_chunk()?;
        (u64::from_le_bytes(*query) == identity).then_some(())?;
        let (marks, last) = match marks.len() % Mark::MARK_BYTES {
            0 => (marks, None),
            1 => {
                let (&tier, marks) = marks.split_last()?;
                let (marks, mark) = marks.split_at(marks.len().checked_sub(Mark::MARK_BYTES)?);
                let last = (Tier::from_number(tier)?, Mark::read(mark));
                (marks, Some(last))
            }
            _ => return None,
        };
        let ranked: BTreeSet<Mark> = marks.chunks(Mark::MARK_BYTES).map(Mark::read).collect();
        let is_whole = ranked.len() * Mark::MARK_BYTES == marks.len() && ranked.len() <= RANKED;
        is_whole.then_some(Self { ranked, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::MAX_CURSOR_LENGTH;

    #[test]
    fn a_cursor_is_valid_only_for_its_query() {
        let marks = |count: usize| {
            let ids = (0..count).map(|number| Mark::of(Kind::Page, &number.to_string()));
            ids.collect::<BTreeSet<_>>()
        };
        for (ranked, last) in [
            (marks(0), None),
            (marks(1), None),
            (marks(RANKED), None),
            (marks(RANKED), Some((Tier::TwoTypos, Mark::of(Kind::Item, "a/ü")))),
        ] {
            let shown = ShownResults { ranked, last };
            let cursor = shown.write(7);
            assert!(cursor.len() <= MAX_CURSOR_LENGTH, "{}", cursor.len());
            assert_eq!(ShownResults::read(&cursor, 7), Some(shown));
            assert_eq!(ShownResults::read(&cursor, 8), None);
            assert_eq!(ShownResults::read(&cursor[..cursor.len() - 2], 7), None);
            assert_eq!(ShownResults::read(&format!("{cursor}AAAA"), 7), None);
        }
    }
}
