//! How many typos a word of a query may have. Both indexes ask here.

/// The most words that a misspelled one may have meant.
pub(super) const ALTERNATIVES_MAX: usize = 32;

/// The fewest letters of a word that may be misspelled, or meant. Shorter ones are near too many others.
pub(super) const LENGTH_MIN: usize = 4;

/// The typos that a word of so many letters tolerates: none if it has a digit.
pub(super) fn tolerance(word: &str, length: usize) -> usize {
    match length {
        ..LENGTH_MIN => 0,
        _ if word.contains(char::is_numeric) => 0,
        LENGTH_MIN..8 => 1,
        _ => 2,
    }
}
