//! Translates clauses into the query language of FTS5.
//!
//! No user input becomes FTS5 syntax: tokens contain only letters, digits and marks, and are
//! quoted.

use super::pairs::{mark, push_pairs};
use super::query::{Clause, Field};
use super::scripts::is_dense;
use super::text::{Run, runs};
use super::tokens::{MAX_PREFIX_LETTERS, OTHER_SPELLING_MARK, PREFIX_MARK, SPELLING_MARK};

/// A query to translate into FTS5 expressions.
pub(super) struct Expression<'a> {
    pub fields: &'a [Field],
    pub clauses: &'a [Clause],
    /// For each clause, similar title words that the reader may have meant.
    pub alternatives: &'a [Vec<&'a str>],
}

impl Expression<'_> {
    /// Returns FTS5 expressions. A document that matches every clause also matches every
    /// expression. Other documents can match them too if the index alone does not
    /// [decide](is_decided) a clause.
    pub fn matching(&self) -> Vec<String> {
        self.parts(false)
    }

    /// Returns one FTS5 expression for scoring, which counts a whole word both as itself and as a
    /// prefix.
    pub fn scoring(&self) -> String {
        self.parts(true).join(" AND ")
    }

    fn parts(&self, scored: bool) -> Vec<String> {
        let mut every = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            match clause {
                Clause::Words { words, prefix, .. } => {
                    let similar_words =
                        self.alternatives.get(number).map_or(&[][..], Vec::as_slice);
                    every.push(self.words(words, *prefix, similar_words, scored));
                }
                Clause::Literal(text) => every.extend(self.runs(text)),
            }
        }
        every
    }

    fn words(
        &self,
        words: &[String],
        prefix: bool,
        similar_words: &[&str],
        scored: bool,
    ) -> String {
        let mut any = Vec::new();
        for &field in self.fields {
            let marked: Vec<String> =
                words.iter().map(|word| mark(field).to_owned() + word).collect();
            let phrase = format!("\"{}\"", marked.join(" "));
            if prefix && field == Field::Content && is_short(words) {
                any.push(prefix_expression(words));
            } else if prefix {
                any.push(format!("{phrase}*"));
            }
            if scored || !prefix {
                any.push(phrase);
            }
        }
        let title = mark(Field::Title);
        any.extend(similar_words.iter().map(|word| format!("\"{title}{word}\"")));
        format!("({})", any.join(" OR "))
    }

    /// Returns an expression for every run of dense-script characters in a literal: a phrase of
    /// pairs or, for a single character, a prefix.
    fn runs<'t>(&'t self, text: &'t str) -> impl Iterator<Item = String> + 't {
        let dense = runs(text).filter_map(|(at, run)| match run {
            Run::Dense(run) => Some((at, run)),
            Run::Word(_) => None,
        });
        dense.map(move |(at, run)| {
            let of_field = |&field: &Field| {
                let mut pairs = String::new();
                push_pairs(text, at, run, field, &mut pairs);
                match field {
                    _ if !pairs.is_empty() => format!("\"{pairs}\""),
                    Field::Title => format!("\"{}{run}\"*", mark(field)),
                    Field::Content => format!("\"{PREFIX_MARK}{run}\""),
                }
            };
            let any: Vec<String> = self.fields.iter().map(of_field).collect();
            format!("({})", any.join(" OR "))
        })
    }
}

/// FTS5 expressions that check whether a document contains a query's word exactly as typed.
pub(super) enum SpellingLookup {
    /// For a word typed without accents. Documents that match `other_spelling` contain the word
    /// only in other spellings. If such documents exist, people usually write the word with
    /// accents. If the word may also be the prefix of longer words, only documents that match
    /// `whole` but not `other_spelling` spell it as typed.
    Not { other_spelling: String, whole: Option<String> },
    /// For a word typed with accents. Documents that match this expression contain the word as
    /// typed or, if it may be a prefix, a longer word that begins with that spelling.
    So(String),
}

impl SpellingLookup {
    /// Returns the lookups for every word in `clauses`.
    pub fn of(clauses: &[Clause]) -> Vec<Self> {
        let mut all = Vec::new();
        for clause in clauses {
            let Clause::Words { words, spellings, prefix, .. } = clause else {
                continue;
            };
            for (number, (word, spelling)) in words.iter().zip(spellings).enumerate() {
                let is_beginning = *prefix && number + 1 == words.len();
                all.push(match spelling {
                    None => Self::Not {
                        other_spelling: format!("\"{OTHER_SPELLING_MARK}{word}\""),
                        whole: is_beginning
                            .then(|| format!("(\"{word}\" OR \"{}{word}\")", mark(Field::Title))),
                    },
                    Some(typed) if is_beginning && typed.chars().count() >= MAX_PREFIX_LETTERS => {
                        Self::So(format!("\"{SPELLING_MARK}{typed}\"*"))
                    }
                    Some(typed) => Self::So(format!("\"{SPELLING_MARK}{typed}\"")),
                });
            }
        }
        all
    }

    /// Joins the `other_spelling` expressions of all words with OR. The result matches nothing if
    /// no document has any of these words only in other spellings.
    pub fn any_other_spelling(all: &[Self]) -> String {
        let other_spelling = all.iter().filter_map(|spelled| match spelled {
            Self::Not { other_spelling, .. } => Some(other_spelling.as_str()),
            Self::So(_) => None,
        });
        other_spelling.collect::<Vec<_>>().join(" OR ")
    }
}

/// Returns whether the last word is so short that very many words begin with it. FTS5 would have to
/// collect them all.
fn is_short(words: &[String]) -> bool {
    let last = words.last();
    last.is_some_and(|word| word.chars().nth(MAX_PREFIX_LETTERS).is_none())
}

/// Returns an expression for content that contains all words but the last as a phrase, and a word
/// that begins with the last one. The phrase and this word need not be adjacent.
fn prefix_expression(words: &[String]) -> String {
    let Some((last, before)) = words.split_last() else {
        return String::new();
    };
    let last = format!("\"{PREFIX_MARK}{last}\"");
    match before {
        [] => last,
        _ => format!("(\"{}\" AND {last})", before.join(" ")),
    }
}

/// Returns whether the index alone decides if a document matches a clause. If not, the search also
/// checks the text of the documents found. Of a literal, the index contains only the runs of
/// dense-script characters. If the last word is a short prefix, the index cannot show whether it
/// follows the other words.
pub(super) fn is_decided(clause: &Clause) -> bool {
    match clause {
        Clause::Words { words, prefix, .. } => words.len() == 1 || !prefix || !is_short(words),
        Clause::Literal(text) => text.chars().all(is_dense),
    }
}
