//! The number of typos that a word of a query may have, for both indexes.

/// Maximum number of words that a misspelled word may mean.
pub(super) const MAX_ALTERNATIVES: usize = 32;

/// Minimum length of a misspelled word and of the word it may mean, in letters. Shorter words
/// resemble too many others.
pub(super) const MIN_LENGTH: usize = 4;

/// Returns the number of typos that a word of `length` letters tolerates: none if it has a digit.
pub(super) fn tolerance(word: &str, length: usize) -> usize {
    match length {
        ..MIN_LENGTH => 0,
        _ if word.contains(char::is_numeric) => 0,
        MIN_LENGTH..8 => 1,
        _ => 2,
    }
}
