//! Compares a query with a text that is in no index.

use super::excerpts::Segment;
use super::highlight::Marker;
use super::query::{Clause, clauses};

/// A query for texts that are in no index. It has the same syntax, but tolerates no typos.
///
/// ```
/// let query = search::TextQuery::new("ferry \"long way\"");
/// assert!(query.find("It is a long way to the Ferry.").is_some());
/// assert!(query.find("The ferry has a way as long.").is_none());
/// ```
#[derive(Debug)]
pub struct TextQuery(Vec<Clause>);

impl TextQuery {
    /// Parses the text that a reader typed.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(clauses(text))
    }

    /// Returns excerpts of a text that has everything in the query.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Vec<Segment>> {
        let marker = Marker::new(&self.0, &[]);
        let all = marker.all_clauses();
        (all != 0 && marker.clauses(text) == all).then(|| marker.excerpts(text))
    }
}
