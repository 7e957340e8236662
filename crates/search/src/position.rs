//! The total order of results, and cursors: positions in it as text that only this index reads.

use std::cmp::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::document::Kind;

/// How well a document matches, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Tier {
    /// Every word is there as it was typed.
    Exact,
    /// Every word is there, but for its accents.
    OtherAccents,
    /// Words of its title may be meant, with one typo each.
    OneTypo,
    /// The same with two typos.
    TwoTypos,
}

impl Tier {
    fn from_number(number: u8) -> Option<Self> {
        [
            Self::Exact,
            Self::OtherAccents,
            Self::OneTypo,
            Self::TwoTypos,
        ]
        .into_iter()
        .nth(number.into())
    }
}

/// The order of results of one tier: by score, then the newest first, then by id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank<'a> {
    /// The lower, the better.
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

/// The most matches that are scored by relevance, which takes about a microsecond each. A query that
/// matches more documents hardly tells them apart: those that match in the title come first, then the newest.
const RELEVANT_MAX: usize = 1000;

/// What the score of a result measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scoring {
    /// Its relevance: BM25 as SQLite computes it, which is negative.
    Relevance,
    /// Whether its title matches. Where very many documents match, relevance would take long and hardly tell
    /// them apart.
    Title,
}

impl Scoring {
    /// That of so many matches.
    pub fn of(matches: usize) -> Self {
        if matches > RELEVANT_MAX {
            Self::Title
        } else {
            Self::Relevance
        }
    }
}

/// The last result of a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Position {
    pub tier: Tier,
    pub scoring: Scoring,
    score: f64,
    date_published_ms: Option<i64>,
    id: String,
    kind: Kind,
}

impl Position {
    pub fn new(tier: Tier, scoring: Scoring, rank: Rank<'_>) -> Self {
        Self {
            tier,
            scoring,
            score: rank.score,
            date_published_ms: rank.date_published_ms,
            id: rank.id.to_owned(),
            kind: rank.kind,
        }
    }

    pub fn rank(&self) -> Rank<'_> {
        Rank {
            score: self.score,
            date_published_ms: self.date_published_ms,
            id: &self.id,
            kind: self.kind,
        }
    }

    /// The cursor to this position in the results of the query with that identity.
    pub fn write(&self, identity: u64) -> String {
        let mut bytes = Vec::with_capacity(25 + self.id.len());
        bytes.extend(identity.to_le_bytes());
        bytes.extend(self.score.to_le_bytes());
        bytes.extend(self.date_published_ms.unwrap_or(i64::MIN).to_le_bytes());
        let by_title = u8::from(self.scoring == Scoring::Title);
        bytes.push(by_title << 4 | (self.kind as u8) << 3 | self.tier as u8);
        bytes.extend(self.id.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor. None when it is broken or of another query.
    pub fn read(cursor: &str, identity: u64) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (query, rest) = bytes.split_first_chunk()?;
        let (score, rest) = rest.split_first_chunk()?;
        let (date, rest) = rest.split_first_chunk()?;
        let (&flags, id) = rest.split_first()?;
        let date = i64::from_le_bytes(*date);
        (u64::from_le_bytes(*query) == identity && flags < 32).then_some(())?;
        Some(Self {
            tier: Tier::from_number(flags & 7)?,
            scoring: if flags & 16 == 0 {
                Scoring::Relevance
            } else {
                Scoring::Title
            },
            score: f64::from_le_bytes(*score),
            date_published_ms: (date != i64::MIN).then_some(date),
            id: String::from_utf8(id.to_vec()).ok()?,
            kind: Kind::from_number(flags >> 3 & 1)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_for_its_own_query_alone() {
        for (tier, scoring, date) in [
            (Tier::Exact, Scoring::Relevance, None),
            (Tier::TwoTypos, Scoring::Title, Some(1_700_000_000_000)),
        ] {
            let rank = Rank {
                score: -1.25e-6,
                date_published_ms: date,
                id: "a/ü",
                kind: Kind::Page,
            };
            let position = Position::new(tier, scoring, rank);
            let cursor = position.write(7);
            assert_eq!(Position::read(&cursor, 7), Some(position));
            assert_eq!(Position::read(&cursor, 8), None);
            assert_eq!(Position::read(&cursor[..20], 7), None);
        }
    }
}
