//! Limits for typos in the words of a query, used by both indexes.

/// Maximum number of similar words that are tried for a misspelled word.
pub(super) const MAX_ALTERNATIVES: usize = 32;

/// Minimum number of letters in a misspelled word and in the similar word. Shorter words resemble
/// too many other words.
pub(super) const MIN_LENGTH: usize = 4;

/// Returns the maximum number of typos in a word of `length` letters. A word with a digit tolerates
/// none.
pub(super) fn tolerance(word: &str, length: usize) -> usize {
    match length {
        ..MIN_LENGTH => 0,
        _ if word.contains(char::is_numeric) => 0,
        MIN_LENGTH..8 => 1,
        _ => 2,
    }
}
