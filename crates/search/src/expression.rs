//! Clauses in the query language of FTS5. Nothing a reader types becomes part of that language:
//! tokens hold letters, digits and marks only, and stand in quotes.

use super::pairs::{mark, push_pairs};
use super::query::{Clause, Field};
use super::scripts::is_dense;
use super::text::{Run, runs};
use super::tokens::{BEGINNING, BEGINNING_MAX, SPELLED_OTHERWISE, SPELLING};

/// A look-up in the index.
pub(super) struct Expression<'a> {
    pub fields: &'a [Field],
    pub clauses: &'a [Clause],
    /// For each clause the words of titles that it may be a misspelling of.
    pub alternatives: &'a [Vec<&'a str>],
}

impl Expression<'_> {
    /// What the documents that match every clause match all of. They may be more when a clause [is not
    /// decided](is_decided).
    pub fn matching(&self) -> Vec<String> {
        self.parts(false)
    }

    /// The same for the score, which counts a whole word both as itself and as a beginning.
    pub fn scoring(&self) -> String {
        self.parts(true).join(" AND ")
    }

    fn parts(&self, scored: bool) -> Vec<String> {
        let mut every = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            match clause {
                Clause::Words { words, prefix, .. } => {
                    let near = self.alternatives.get(number).map_or(&[][..], Vec::as_slice);
                    every.push(self.words(words, *prefix, near, scored));
                }
                Clause::Literal(text) => every.extend(self.runs(text)),
            }
        }
        every
    }

    fn words(&self, words: &[String], prefix: bool, near: &[&str], scored: bool) -> String {
        let mut any = Vec::new();
        for &field in self.fields {
            let marked: Vec<String> =
                words.iter().map(|word| mark(field).to_owned() + word).collect();
            let phrase = format!("\"{}\"", marked.join(" "));
            if prefix && field == Field::Content && is_short(words) {
                any.push(beginning(words));
            } else if prefix {
                any.push(format!("{phrase}*"));
            }
            if scored || !prefix {
                any.push(phrase);
            }
        }
        let title = mark(Field::Title);
        any.extend(near.iter().map(|word| format!("\"{title}{word}\"")));
        format!("({})", any.join(" OR "))
    }

    /// Every dense run of a literal: as a phrase of pairs, or as the beginning of a token.
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
                    Field::Content => format!("\"{BEGINNING}{run}\""),
                }
            };
            let any: Vec<String> = self.fields.iter().map(of_field).collect();
            format!("({})", any.join(" OR "))
        })
    }
}

/// How the look-ups tell whether a document spells a word as it was typed, in its title or its content.
pub(super) enum Spelled {
    /// Documents that match this have it only in other spellings. Where there are such documents, the word is one that
    /// people write with accents. Then, if it may also be the beginning of longer words, only documents that match
    /// `whole` and have it at all spell it as it was typed.
    Not { otherwise: String, whole: Option<String> },
    /// Documents that match this spell it so, or have a longer word that begins so.
    So(String),
}

impl Spelled {
    /// The look-ups of every word of some clauses.
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
                        otherwise: format!("\"{SPELLED_OTHERWISE}{word}\""),
                        whole: is_beginning
                            .then(|| format!("(\"{word}\" OR \"{}{word}\")", mark(Field::Title))),
                    },
                    Some(typed) if is_beginning && typed.chars().count() >= BEGINNING_MAX => {
                        Self::So(format!("\"{SPELLING}{typed}\"*"))
                    }
                    Some(typed) => Self::So(format!("\"{SPELLING}{typed}\"")),
                });
            }
        }
        all
    }

    /// One look-up that finds nothing where every word that was typed without accents is always spelled so.
    pub fn any_otherwise(all: &[Self]) -> String {
        let otherwise = all.iter().filter_map(|spelled| match spelled {
            Self::Not { otherwise, .. } => Some(otherwise.as_str()),
            Self::So(_) => None,
        });
        otherwise.collect::<Vec<_>>().join(" OR ")
    }
}

/// Whether the last word is so short that very many words begin with it, which FTS5 would all have to gather.
fn is_short(words: &[String]) -> bool {
    let last = words.last();
    last.is_some_and(|word| word.chars().nth(BEGINNING_MAX).is_none())
}

/// The words that precede the last one, and its beginning, wherever they stand in a content.
fn beginning(words: &[String]) -> String {
    let Some((last, before)) = words.split_last() else {
        return String::new();
    };
    let last = format!("\"{BEGINNING}{last}\"");
    match before {
        [] => last,
        _ => format!("(\"{}\" AND {last})", before.join(" ")),
    }
}

/// Whether the index alone decides if a document matches a clause. Otherwise the texts that it finds are looked
/// through: the index knows only the runs of a literal, and cannot tell whether several words with a short
/// beginning are neighbours.
pub(super) fn is_decided(clause: &Clause) -> bool {
    match clause {
        Clause::Words { words, prefix, .. } => words.len() == 1 || !prefix || !is_short(words),
        Clause::Literal(text) => text.chars().all(is_dense),
    }
}
