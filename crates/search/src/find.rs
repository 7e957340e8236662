//! The search itself: finds the matching rows, orders them, and returns a page of hits.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::PoisonError;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::catalog::{Catalog, Entry, Row};
use super::document::Kind;
use super::excerpts::Segment;
use super::expression::{Expression, SpellingLookup, is_decided};
use super::highlight::Marker;
use super::index::{Index, IndexError};
use super::position::{Mark, RANKED, Rank, Scoring, ShownResults, Tier};
use super::query::{Clause, Field, Query, QueryError, clauses};
use super::row_cache::RowCache;

/// Weight of a match in the title. A match in the content weighs 1.
const TITLE_WEIGHT: f64 = 8.0;

/// Weight of a content word that begins with the query's last word, if that last word is short.
const PREFIX_WEIGHT: f64 = 0.5;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// Cursor of the next page, if there is one.
    pub next_cursor: Option<String>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Kind of the document. Kind and id together identify a document.
    pub kind: Kind,
    /// Id of the document, unique within its kind.
    pub id: String,
    pub title: Vec<Segment>,
    /// Excerpts of the content. `…` marks omitted text.
    pub content_text: Vec<Segment>,
}

/// The reason why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A parameter of the query is not allowed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The index cannot be read.
    #[error(transparent)]
    Index(IndexError),
}

impl From<rusqlite::Error> for SearchError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error.into())
    }
}

impl Index {
    /// Finds the documents that match a query.
    ///
    /// A document that keeps matching appears on exactly one page, even if the index changes while
    /// a client reads the pages. One exception: after the first 200 results, an edit that adds or
    /// removes a typo or an accent can repeat or skip the edited document.
    ///
    /// # Errors
    ///
    /// Fails when a parameter is not allowed, or when the index cannot be read.
    pub fn search(&self, query: &Query<'_>) -> Result<Found, SearchError> {
        query.check()?;
        let identity = query.identity();
        let shown = match query.cursor {
            Some(cursor) => ShownResults::read(cursor, identity).ok_or_else(|| QueryError {
                field: "next_cursor",
                message: "does not belong to this query: pass the unchanged next_cursor of the previous response".into(),
            })?,
            None => ShownResults::default(),
        };
        let clauses = clauses(query.text);
        if clauses.is_empty() || query.fields.is_empty() {
            return Ok(Found::default());
        }
        let found = self.read(|connection, cached| {
            let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
            let search = Search {
                connection,
                cached: RefCell::new(cached),
                catalog: &catalog,
                query,
                clauses: &clauses,
            };
            search.page(shown, identity)
        })?;
        Ok(found)
    }
}

struct Search<'s> {
    connection: &'s Connection,
    cached: RefCell<&'s mut RowCache>,
    catalog: &'s Catalog,
    query: &'s Query<'s>,
    clauses: &'s [Clause],
}

/// The matches of one [`Tier`].
struct Matches<'s> {
    tier: Tier,
    scoring: Scoring,
    /// For each clause, similar title words that the reader may have meant.
    alternatives: Vec<Vec<&'s str>>,
    /// Matching rows, in ascending order.
    rows: Vec<Row>,
}

/// The results collected so far for one page.
struct Page {
    hits: Vec<Hit>,
    /// The results shown on this page and on earlier pages.
    shown: ShownResults,
}

impl<'s> Search<'s> {
    /// Returns the next page: the results after those in `shown`.
    fn page(&self, shown: ShownResults, identity: u64) -> rusqlite::Result<Found> {
        let hits = Vec::new();
        let mut page = Page { hits, shown };
        let is_more = self.fill_page(&mut page)?;
        Ok(Found { hits: page.hits, next_cursor: is_more.then(|| page.shown.write(identity)) })
    }

    /// Adds hits until the page is full. Returns whether more hits are left.
    fn fill_page(&self, page: &mut Page) -> rusqlite::Result<bool> {
        if page.shown.last.is_none() {
            let is_more = self.each_tier(|matches| self.fill_ranked(matches, page))?;
            if !is_more || page.hits.len() == self.query.limit {
                return Ok(is_more);
            }
        }
        self.each_tier(|matches| self.fill_in_fixed_order(matches, page))
    }

    /// Calls `fill` with the matches of each tier, best tier first, until `fill` returns true.
    /// Returns whether `fill` returned true.
    fn each_tier(
        &self,
        mut fill: impl FnMut(&Matches<'_>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<bool> {
        let rows = self.rows(&self.expression(&self.query.fields, &[]).matching())?;
        let mut earlier = HashSet::new();
        for matches in self.split_by_spelling(rows)? {
            if fill(&matches)? {
                return Ok(true);
            }
            earlier.extend(matches.rows);
        }
        let similar_words = self.similar_words();
        for (tier, typos) in [(Tier::OneTypo, 1), (Tier::TwoTypos, 2)] {
            let mut words = similar_words.iter().flatten();
            if words.all(|&(distance, _)| distance != typos) {
                continue;
            }
            let matches = self.misspelled(tier, typos, &similar_words, &earlier)?;
            if fill(&matches)? {
                return Ok(true);
            }
            earlier.extend(matches.rows);
        }
        Ok(false)
    }

    /// Splits the matches without typos into two tiers. Matches in the first tier spell every word
    /// as it was typed.
    fn split_by_spelling(&self, rows: Vec<Row>) -> rusqlite::Result<Vec<Matches<'s>>> {
        // Both tiers use the same scoring, so the limit on scoring covers both together.
        let scoring = Scoring::of(rows.len());
        let of = |tier, rows| Matches { tier, scoring, alternatives: Vec::new(), rows };
        let mut exact = rows;
        let mut other = Vec::new();
        for expected in self.rows_by_spelling(&SpellingLookup::of(self.clauses))? {
            let (rows, is_so) = expected;
            other.extend(exact.extract_if(.., |row| rows.binary_search(row).is_ok() != is_so));
        }
        other.sort_unstable();
        Ok(vec![of(Tier::Exact, exact), of(Tier::OtherAccents, other)])
    }

    /// Returns sets of rows, each with a flag: whether the documents in its rows spell a word as it
    /// was typed.
    fn rows_by_spelling(
        &self,
        words: &[SpellingLookup],
    ) -> rusqlite::Result<Vec<(Vec<Row>, bool)>> {
        let rows = |expression: &String| self.rows(std::slice::from_ref(expression));
        let any = SpellingLookup::any_other_spelling(words);
        let is_otherwise = !any.is_empty() && !rows(&any)?.is_empty();
        let mut all = Vec::new();
        for word in words {
            match word {
                SpellingLookup::So(so) => all.push((rows(so)?, true)),
                SpellingLookup::Not { other_spelling, whole } if is_otherwise => {
                    let other_spelling = rows(other_spelling)?;
                    if let Some(whole) = whole.as_ref().filter(|_| !other_spelling.is_empty()) {
                        all.push((rows(whole)?, true));
                    }
                    all.push((other_spelling, false));
                }
                SpellingLookup::Not { .. } => {}
            }
        }
        Ok(all)
    }

    /// Returns, for each clause, similar title words and their distances from the typed word.
    /// Returns an empty list if the query does not tolerate typos.
    fn similar_words(&self) -> Vec<Vec<(usize, &'s str)>> {
        if !self.query.searches(Field::Title) || !self.clauses.iter().all(Clause::tolerates_typos) {
            return Vec::new();
        }
        let similar_words = |clause: &Clause| match clause {
            Clause::Words { words, .. } if words.len() == 1 => {
                self.catalog.titles.similar_words(&words[0])
            }
            _ => Vec::new(),
        };
        self.clauses.iter().map(similar_words).collect()
    }

    /// Returns the matches with at most `typos` typos per word, without the rows of earlier tiers.
    fn misspelled(
        &self,
        tier: Tier,
        typos: usize,
        similar_words: &[Vec<(usize, &'s str)>],
        earlier: &HashSet<Row>,
    ) -> rusqlite::Result<Matches<'s>> {
        let within = |words: &Vec<(usize, &'s str)>| {
            let words = words.iter().filter(|(distance, _)| *distance <= typos);
            words.map(|&(_, word)| word).collect()
        };
        let alternatives: Vec<Vec<&str>> = similar_words.iter().map(within).collect();
        let expression = self.expression(&self.query.fields, &alternatives);
        let mut rows = self.rows(&expression.matching())?;
        rows.retain(|row| !earlier.contains(row));
        Ok(Matches { tier, scoring: Scoring::of(rows.len()), alternatives, rows })
    }

    /// Adds a tier's hits in order of relevance, until the page is full or [`RANKED`] results have
    /// been shown. Returns whether more hits are left.
    fn fill_ranked(&self, matches: &Matches<'_>, page: &mut Page) -> rusqlite::Result<bool> {
        if matches.rows.is_empty() {
            return Ok(false);
        }
        let scores = self.scores(matches)?.into_iter();
        let ranked = scores.filter_map(|(row, score)| {
            let entry = self.catalog.entry(row).filter(|entry| self.passes_filters(entry))?;
            let rank = Rank {
                score,
                date_published_ms: entry.date_published_ms,
                id: &entry.id,
                kind: entry.kind,
            };
            let mark = Mark::of(entry.kind, &entry.id);
            (!page.shown.ranked.contains(&mark)).then_some(Reverse((rank, mark, row)))
        });
        let mut ranked: BinaryHeap<_> = ranked.collect();
        let hits = self.hits(matches);
        while let Some(Reverse((_, mark, row))) = ranked.pop() {
            let Some(hit) = hits.of(row)? else { continue };
            if page.hits.len() == self.query.limit || page.shown.ranked.len() == RANKED {
                return Ok(true);
            }
            page.hits.push(hit);
            page.shown.ranked.insert(mark);
        }
        Ok(false)
    }

    /// Adds a tier's hits that follow the first [`RANKED`] results, until the page is full. Edits
    /// do not change the order of these hits. Returns whether more hits are left.
    fn fill_in_fixed_order(
        &self,
        matches: &Matches<'_>,
        page: &mut Page,
    ) -> rusqlite::Result<bool> {
        let tier = matches.tier;
        let marked = matches.rows.iter().filter_map(|&row| {
            let entry = self.catalog.entry(row).filter(|entry| self.passes_filters(entry))?;
            let mark = Mark::of(entry.kind, &entry.id);
            let is_new = page.shown.last.is_none_or(|last| (tier, mark) > last)
                && !page.shown.ranked.contains(&mark);
            is_new.then_some(Reverse((mark, row)))
        });
        let mut marked: BinaryHeap<_> = marked.collect();
        let hits = self.hits(matches);
        while let Some(Reverse((mark, row))) = marked.pop() {
            let Some(hit) = hits.of(row)? else { continue };
            if page.hits.len() == self.query.limit {
                return Ok(true);
            }
            page.hits.push(hit);
            page.shown.last = Some((tier, mark));
        }
        Ok(false)
    }

    /// Returns a converter from the rows of these matches to hits.
    fn hits<'h>(&'h self, matches: &'h Matches<'_>) -> Hits<'h, 's> {
        let undecided = self.clauses.iter().filter(|clause| !is_decided(clause));
        Hits {
            search: self,
            undecided: undecided.cloned().collect(),
            in_title: self.marker(Field::Title, &matches.alternatives),
            in_content: self.marker(Field::Content, &[]),
        }
    }

    /// Returns a marker for the query's matches in one field. It marks nothing if the query does
    /// not search that field.
    fn marker<'m>(&'m self, field: Field, alternatives: &[Vec<&'m str>]) -> Marker<'m> {
        let searched = self.query.searches(field);
        Marker::new(if searched { self.clauses } else { &[] }, alternatives)
    }

    /// Returns whether a document passes the query's filters.
    fn passes_filters(&self, entry: &Entry) -> bool {
        let query = self.query;
        let date = entry.date_published_ms;
        query.types.contains(&entry.kind)
            && query.statuses.contains(&entry.status)
            && query.published_after_ms.is_none_or(|bound| date.is_some_and(|date| date > bound))
            && query.published_before_ms.is_none_or(|bound| date.is_some_and(|date| date < bound))
            && query.filter.is_none_or(|filter| (filter.accepts)(entry.kind, &entry.id))
    }

    /// Returns whether a document's title and text match the `undecided` clauses. For these
    /// clauses, the index alone [does not decide](is_decided).
    fn matches_clauses(&self, undecided: &[Clause], title: &str, text: &str) -> bool {
        let marker = Marker::new(undecided, &[]);
        let in_field = |field, text| {
            if self.query.searches(field) { marker.clauses(text) } else { 0 }
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
        Expression { fields, clauses: self.clauses, alternatives }
    }

    fn rows(&self, expressions: &[String]) -> rusqlite::Result<Vec<Row>> {
        self.cached.borrow_mut().matching(self.connection, expressions)
    }

    /// Returns the rows of a tier with their scores. Lower scores are better.
    fn scores(&self, matches: &Matches<'_>) -> rusqlite::Result<Vec<(Row, f64)>> {
        let fields = &self.query.fields;
        if matches.scoring == Scoring::Title {
            let mut titles = HashSet::new();
            if fields.contains(&Field::Title) {
                let expression = self.expression(&[Field::Title], &matches.alternatives);
                titles.extend(self.rows(&expression.matching())?);
            }
            let score = |&row: &Row| (row, if titles.contains(&row) { -1.0 } else { 0.0 });
            return Ok(matches.rows.iter().map(score).collect());
        }
        let expression = self.expression(fields, &matches.alternatives).scoring();
        let mut statement = self.connection.prepare_cached(
            "SELECT rowid, bm25(words, ?2, 1.0, ?3) FROM words WHERE words MATCH ?1",
        )?;
        let mut rows = statement.query(params![expression, TITLE_WEIGHT, PREFIX_WEIGHT])?;
        let mut scores = Vec::with_capacity(matches.rows.len());
        while let Some(row) = rows.next()? {
            let row_number = row.get(0)?;
            if matches.rows.binary_search(&row_number).is_ok() {
                scores.push((row_number, row.get(1)?));
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

/// Converts the rows of one tier to hits.
struct Hits<'h, 's> {
    search: &'h Search<'s>,
    /// Clauses that must also be checked against the document's title and text.
    undecided: Vec<Clause>,
    in_title: Marker<'h>,
    in_content: Marker<'h>,
}

impl Hits<'_, '_> {
    /// Returns the hit for a row, or None if the row is gone or its text does not match.
    fn of(&self, row: Row) -> rusqlite::Result<Option<Hit>> {
        let search = self.search;
        let (Some(entry), Some(text)) = (search.catalog.entry(row), search.text(row)?) else {
            return Ok(None);
        };
        let title = &entry.title;
        let is_hit = search.matches_clauses(&self.undecided, title, &text);
        Ok(is_hit.then(|| Hit {
            kind: entry.kind,
            id: entry.id.clone(),
            title: self.in_title.whole(title),
            content_text: self.in_content.excerpts(&text),
        }))
    }
}
