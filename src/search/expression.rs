//! Clauses in the query language of FTS5. Nothing a reader types becomes part of that language:
//! words hold letters, digits and marks only, and stand in quotes.

use std::fmt::Write as _;

use super::query::{Clause, Field};
use super::scripts::is_dense;
use super::text::{Run, push_pairs, runs};

/// Finds the documents that match every clause, or may match a literal that is not one run.
/// `alternatives` are the words a clause may have meant instead, in a title.
pub(super) fn matching(fields: &[Field], clauses: &[Clause], alternatives: &[Vec<&str>]) -> String {
    all_of(fields, clauses, alternatives, false)
}

/// The same for the score: a whole word counts beside the words that it only begins.
pub(super) fn scoring(fields: &[Field], clauses: &[Clause], alternatives: &[Vec<&str>]) -> String {
    all_of(fields, clauses, alternatives, true)
}

fn all_of(
    fields: &[Field],
    clauses: &[Clause],
    alternatives: &[Vec<&str>],
    scored: bool,
) -> String {
    let mut out = String::new();
    match (
        fields.contains(&Field::Title),
        fields.contains(&Field::Content),
    ) {
        (true, false) => out.push_str("{title} : ("),
        (false, true) => out.push_str("{content} : ("),
        _ => out.push('('),
    }
    for (number, clause) in clauses.iter().enumerate() {
        if number > 0 {
            out.push_str(" AND ");
        }
        match clause {
            Clause::Words { words, prefix, .. } => {
                let alternatives = alternatives.get(number).map_or(&[][..], Vec::as_slice);
                push_words(words, *prefix, alternatives, scored, &mut out);
            }
            Clause::Literal(text) => push_runs(text, &mut out),
        }
    }
    out.push(')');
    out
}

fn push_words(
    words: &[String],
    prefix: bool,
    alternatives: &[&str],
    scored: bool,
    out: &mut String,
) {
    let phrase = words.join(" ");
    let star = if prefix { "*" } else { "" };
    let _ = write!(out, "(\"{phrase}\"{star}");
    if prefix && scored {
        let _ = write!(out, " OR \"{phrase}\"");
    }
    for alternative in alternatives {
        let _ = write!(out, " OR {{title}} : \"{alternative}\"");
    }
    out.push(')');
}

/// Every dense run of a literal: as a phrase of pairs, or as the beginning of a pair.
fn push_runs(text: &str, out: &mut String) {
    let dense = runs(text).filter_map(|(_, run)| match run {
        Run::Dense(run) => Some(run),
        Run::Word(_) => None,
    });
    for (number, run) in dense.enumerate() {
        if number > 0 {
            out.push_str(" AND ");
        }
        let single = run.chars().nth(1).is_none();
        out.push('"');
        if single {
            out.push_str(run);
        } else {
            push_pairs(run, out);
        }
        out.push_str(if single { "\"*" } else { "\"" });
    }
}

/// A literal of more than one run, which must be looked up in the text.
pub(super) fn undecided(clause: &Clause) -> Option<&str> {
    match clause {
        Clause::Literal(text) if !text.chars().all(is_dense) => Some(text),
        _ => None,
    }
}
