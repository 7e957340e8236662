//! The search itself: clauses to rows, rows in order, and the hits of one page.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::PoisonError;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::catalog::{Catalog, Entry, Row};
use super::document::Kind;
use super::expression::{Expression, is_decided};
use super::highlight::{Marker, Segment};
use super::index::{Index, IndexError};
use super::known_rows::KnownRows;
use super::position::{Position, Rank, Scoring};
use super::query::{Clause, Field, Query, QueryError, clauses};

/// How much a match in the title weighs when one in the content weighs 1.
const TITLE_WEIGHT: f64 = 8.0;

/// The weight of a word in the content that begins with a short last word of the query.
const BEGINNING_WEIGHT: f64 = 0.5;

/// The most matches that are scored by relevance, which takes about a microsecond each. A query that
/// matches more documents hardly tells them apart: those that match in the title come first, then the newest.
const RELEVANT_MAX: usize = 1000;

/// The most typos that a word of any length tolerates.
const TYPOS_MAX: usize = 2;

/// One page of results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// The cursor of the next page, when there is one.
    pub next_cursor: Option<String>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// With the id, what names the document.
    pub kind: Kind,
    /// Unique within the kind.
    pub id: String,
    /// The whole title.
    pub title: Vec<Segment>,
    /// Excerpts of the text, with `…` where text is left out.
    pub content_text: Vec<Segment>,
}

/// Why a search has no answer.
#[derive(Debug)]
pub enum SearchError {
    /// A parameter is not allowed.
    Query(QueryError),
    /// The index cannot be read.
    Index(IndexError),
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Query(error) => error.fmt(f),
            Self::Index(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<QueryError> for SearchError {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

impl From<rusqlite::Error> for SearchError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error.into())
    }
}

impl Index {
    /// The documents that match a query. Pages of one query neither repeat nor skip a document while
    /// nothing is written; a write in between may move one across the pages' border.
    ///
    /// # Errors
    ///
    /// When a parameter is not allowed, or the index cannot be read.
    pub fn search(&self, query: &Query<'_>) -> Result<Found, SearchError> {
        query.check()?;
        let identity = query.identity();
        let after = match query.cursor {
            Some(cursor) => Some(Position::read(cursor, identity).ok_or_else(|| QueryError {
                field: "next_cursor",
                message: "is none of this query: pass the one of its last answer, as it is".into(),
            })?),
            None => None,
        };
        let clauses = clauses(query.text);
        if clauses.is_empty() || query.fields.is_empty() {
            return Ok(Found::default());
        }
        let found = self.read(|connection, known| {
            let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
            let search = Search {
                connection,
                known: RefCell::new(known),
                catalog: &catalog,
                query,
                clauses: &clauses,
                after,
            };
            search.page(identity)
        })?;
        Ok(found)
    }
}

struct Search<'s> {
    connection: &'s Connection,
    known: RefCell<&'s mut KnownRows>,
    catalog: &'s Catalog,
    query: &'s Query<'s>,
    clauses: &'s [Clause],
    after: Option<Position>,
}

/// The matches with one number of typos.
struct Tier<'s> {
    typos: usize,
    /// For each clause the words of titles that it may be a misspelling of.
    alternatives: Vec<Vec<&'s str>>,
    /// The rows that match with fewer typos.
    earlier: &'s HashSet<Row>,
    rows: Vec<Row>,
}

impl<'s> Search<'s> {
    /// The hits after the cursor, tier by tier.
    fn page(&self, identity: u64) -> rusqlite::Result<Found> {
        let mut found = Found::default();
        let mut last = None;
        let mut near = Vec::new();
        let mut earlier = HashSet::new();
        for typos in 0..=TYPOS_MAX {
            if typos == 1 {
                near = self.near();
            }
            if typos > 0
                && !near
                    .iter()
                    .flatten()
                    .any(|&(distance, _)| distance == typos)
            {
                continue;
            }
            let tier = self.tier(typos, &near, &earlier)?;
            if self.after.as_ref().is_none_or(|after| after.typos <= typos)
                && self.fill(&tier, &mut found, &mut last)?
            {
                found.next_cursor = last.map(|last: Position| last.write(identity));
                break;
            }
            let rows = tier.rows;
            earlier.extend(rows);
        }
        Ok(found)
    }

    /// For each clause the words of titles that it may be a misspelling of, with their distances, when the
    /// query tolerates typos.
    fn near(&self) -> Vec<Vec<(usize, &'s str)>> {
        if !self.query.searches(Field::Title) || !self.clauses.iter().all(Clause::tolerates_typos) {
            return Vec::new();
        }
        let near = |clause: &Clause| match clause {
            Clause::Words { words, .. } if words.len() == 1 => self.catalog.titles.near(&words[0]),
            _ => Vec::new(),
        };
        self.clauses.iter().map(near).collect()
    }

    fn tier<'t>(
        &self,
        typos: usize,
        near: &[Vec<(usize, &'t str)>],
        earlier: &'t HashSet<Row>,
    ) -> rusqlite::Result<Tier<'t>> {
        let within = |words: &Vec<(usize, &'t str)>| {
            let words = words.iter().filter(|(distance, _)| *distance <= typos);
            words.map(|&(_, word)| word).collect()
        };
        let alternatives: Vec<Vec<&str>> = near.iter().map(within).collect();
        let mut rows = self.rows(
            &self
                .expression(&self.query.fields, &alternatives)
                .matching(),
        )?;
        rows.retain(|row| !earlier.contains(row));
        Ok(Tier {
            typos,
            alternatives,
            earlier,
            rows,
        })
    }

    /// Adds a tier's hits after the cursor until the page is full. Answers whether a hit was left over.
    fn fill(
        &self,
        tier: &Tier<'_>,
        found: &mut Found,
        last: &mut Option<Position>,
    ) -> rusqlite::Result<bool> {
        let after = self
            .after
            .as_ref()
            .filter(|after| after.typos == tier.typos);
        let scoring = match after {
            Some(after) => after.scoring,
            None if tier.rows.len() > RELEVANT_MAX => Scoring::Title,
            None => Scoring::Relevance,
        };
        let ranked = self
            .scores(tier, scoring)?
            .into_iter()
            .filter_map(|(row, score)| {
                let entry = self.catalog.entry(row).filter(|entry| self.wants(entry))?;
                let rank = Rank {
                    score,
                    date_published_ms: entry.date_published_ms,
                    id: &entry.id,
                    kind: entry.kind,
                };
                after
                    .is_none_or(|after| rank > after.rank())
                    .then_some(Reverse((rank, row)))
            });
        let mut ranked: BinaryHeap<_> = ranked.collect();
        let undecided = self.clauses.iter().filter(|clause| !is_decided(clause));
        let undecided: Vec<Clause> = undecided.cloned().collect();
        let in_title = self.marker(Field::Title, &tier.alternatives);
        let in_content = self.marker(Field::Content, &[]);
        while let Some(Reverse((rank, row))) = ranked.pop() {
            let (Some(entry), Some(text)) = (self.catalog.entry(row), self.text(row)?) else {
                continue;
            };
            let title = &entry.title;
            if !self.holds(&undecided, title, &text) {
                continue;
            }
            if found.hits.len() == self.query.limit {
                return Ok(true);
            }
            found.hits.push(Hit {
                kind: rank.kind,
                id: rank.id.to_owned(),
                title: in_title.whole(title),
                content_text: in_content.excerpts(&text),
            });
            *last = Some(Position::new(tier.typos, scoring, rank));
        }
        Ok(false)
    }

    /// A marker of the query's matches in one field, which marks nothing where the field is not searched.
    fn marker<'m>(&'m self, field: Field, alternatives: &[Vec<&'m str>]) -> Marker<'m> {
        let searched = self.query.searches(field);
        Marker::new(if searched { self.clauses } else { &[] }, alternatives)
    }

    /// Whether the query's filters let a document through.
    fn wants(&self, entry: &Entry) -> bool {
        let query = self.query;
        let date = entry.date_published_ms;
        query.types.contains(&entry.kind)
            && query.statuses.contains(&entry.status)
            && query
                .published_after_ms
                .is_none_or(|bound| date.is_some_and(|date| date > bound))
            && query
                .published_before_ms
                .is_none_or(|bound| date.is_some_and(|date| date < bound))
    }

    /// Whether a document's text matches the clauses that the index alone [does not decide](is_decided).
    fn holds(&self, undecided: &[Clause], title: &str, text: &str) -> bool {
        let marker = Marker::new(undecided, &[]);
        let in_field = |field, text| {
            if self.query.searches(field) {
                marker.clauses(text)
            } else {
                0
            }
        };
        undecided.is_empty()
            || in_field(Field::Title, title) | in_field(Field::Content, text)
                == marker.all_clauses()
    }

    fn expression<'e>(
        &'e self,
        fields: &'e [Field],
        alternatives: &'e [Vec<&'e str>],
    ) -> Expression<'e> {
        Expression {
            fields,
            clauses: self.clauses,
            alternatives,
        }
    }

    fn rows(&self, expressions: &[String]) -> rusqlite::Result<Vec<Row>> {
        self.known
            .borrow_mut()
            .matching(self.connection, expressions)
    }

    /// The rows of a tier with their scores: the lower, the better.
    fn scores(&self, tier: &Tier<'_>, scoring: Scoring) -> rusqlite::Result<Vec<(Row, f64)>> {
        let fields = &self.query.fields;
        if scoring == Scoring::Title {
            let mut titles = HashSet::new();
            if fields.contains(&Field::Title) {
                let expression = self.expression(&[Field::Title], &tier.alternatives);
                titles.extend(self.rows(&expression.matching())?);
            }
            let score = |&row: &Row| (row, if titles.contains(&row) { -1.0 } else { 0.0 });
            return Ok(tier.rows.iter().map(score).collect());
        }
        let expression = self.expression(fields, &tier.alternatives).scoring();
        let mut statement = self.connection.prepare_cached(
            "SELECT rowid, bm25(words, ?2, 1.0, ?3) FROM words WHERE words MATCH ?1",
        )?;
        let mut rows = statement.query(params![expression, TITLE_WEIGHT, BEGINNING_WEIGHT])?;
        let mut scores = Vec::with_capacity(tier.rows.len());
        while let Some(row) = rows.next()? {
            let (row, score) = (row.get(0)?, row.get(1)?);
            if !tier.earlier.contains(&row) {
                scores.push((row, score));
            }
        }
        Ok(scores)
    }

    fn text(&self, row: Row) -> rusqlite::Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT text FROM texts WHERE row = ?1")?
            .query_row([row], |row| row.get(0))
            .optional()
    }
}
