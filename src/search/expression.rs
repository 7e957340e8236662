//! Clauses in the query language of FTS5. Nothing a reader types becomes part of that language:
//! tokens hold letters, digits and marks only, and stand in quotes.

use super::query::{Clause, Field};
use super::scripts::is_dense;
use super::text::{Run, push_pairs, runs};

impl Field {
    /// What its tokens begin with in the index. A token is then of one field, and asking for a title's
    /// word does not cost a walk through all the contents that hold it, as FTS5's columns do. The
    /// prefix is in no word, and stands in the way of no tokenizer that takes whatever is not ASCII.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Title => "\u{80}",
            Self::Content => "",
        }
    }
}

/// What is looked up in the index.
pub(super) struct Expression<'a> {
    pub fields: &'a [Field],
    pub clauses: &'a [Clause],
    /// The words that each clause may have meant instead, in a title.
    pub alternatives: &'a [Vec<&'a str>],
}

impl Expression<'_> {
    /// Finds the documents that match every clause, or may match a literal that is not one run.
    pub fn matching(&self) -> String {
        self.write(false)
    }

    /// The same for the score: a whole word counts beside the words that it only begins.
    pub fn scoring(&self) -> String {
        self.write(true)
    }

    fn write(&self, scored: bool) -> String {
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
        every.join(" AND ")
    }

    fn words(&self, words: &[String], prefix: bool, near: &[&str], scored: bool) -> String {
        let mut any = Vec::new();
        for field in self.fields {
            let phrase: Vec<String> = words
                .iter()
                .map(|word| format!("{}{word}", field.prefix()))
                .collect();
            let phrase = phrase.join(" ");
            if prefix {
                any.push(format!("\"{phrase}\"*"));
            }
            if scored || !prefix {
                any.push(format!("\"{phrase}\""));
            }
        }
        let title = Field::Title.prefix();
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
            let of_field = |field: &Field| {
                let mut pairs = String::new();
                push_pairs(text, at, run, field.prefix(), &mut pairs);
                match pairs.is_empty() {
                    true => format!("\"{}{run}\"*", field.prefix()),
                    false => format!("\"{pairs}\""),
                }
            };
            let any: Vec<String> = self.fields.iter().map(of_field).collect();
            format!("({})", any.join(" OR "))
        })
    }
}

/// A literal of more than one run, which must be looked up in the text.
pub(super) fn undecided(clause: &Clause) -> Option<&str> {
    match clause {
        Clause::Literal(text) if !text.chars().all(is_dense) => Some(text),
        _ => None,
    }
}
