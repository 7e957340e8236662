//! Tokens of dense scripts, which have no spaces between words: pairs of neighbouring characters.

use super::query::Field;
use super::text::{is_word, lower};

/// Returns the mark at the start of a field's tokens.
pub(super) fn mark(field: Field) -> &'static str {
    match field {
        Field::Title => "\u{80}",
        Field::Content => "",
    }
}

/// Appends the tokens of a run of dense-script characters: its pairs, and its last character alone
/// if no word follows.
pub(super) fn push_run(text: &str, at: usize, run: &str, field: Field, out: &mut String) {
    push_pairs(text, at, run, field, out);
    if !text[at + run.len()..].starts_with(is_word) {
        out.push_str(mark(field));
        out.extend(run.chars().next_back());
        out.push(' ');
    }
}

/// Appends every pair of neighbouring characters in a run of dense-script characters. A letter
/// directly before or after the run counts as a neighbour: in `Rust言語`, the pair with `t`
/// distinguishes `Rust言語` from other words with `言語`. A pair begins with a dense-script character,
/// so it is never the prefix of a word.
pub(super) fn push_pairs(text: &str, at: usize, run: &str, field: Field, out: &mut String) {
    let mut push = |first: char, second: char| {
        out.push_str(mark(field));
        out.extend([first, second, ' ']);
    };
    let before = text[..at].chars().next_back().filter(|&c| is_word(c));
    if let (Some(first), Some(before)) = (run.chars().next(), before.and_then(|c| lower(c).last()))
    {
        push(first, before);
    }
    let after = text[at + run.len()..].chars().next().filter(|&c| is_word(c));
    let after = after.and_then(|c| lower(c).next());
    for (first, second) in run.chars().zip(run.chars().skip(1).chain(after)) {
        push(first, second);
    }
}
