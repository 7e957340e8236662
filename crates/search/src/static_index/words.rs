//! The tokens of an index: words, and what is noted of one beside it under a mark.

/// Ends the token of a folded word that a document has only in other spellings. Marks sort before all letters, so that
/// the tokens with them follow their word, and stand in its shard.
pub(super) const SPELLED_OTHERWISE: char = '\u{1}';

/// Stands between a folded word and its exact spelling, where that is another.
pub(super) const SPELLING: char = '\u{2}';

/// Ends the token of the beginning of longer words, see [`beginnings`](super::beginnings).
pub(super) const BEGINNING: char = '\u{3}';

const MARKS: [char; 3] = [SPELLED_OTHERWISE, SPELLING, BEGINNING];

/// A token up to its mark.
pub(super) fn plain(token: &str) -> &str {
    let mut parts = token.split(MARKS);
    parts.next().unwrap_or_default()
}

/// Whether a token has a mark: then it is no word.
pub(super) fn is_marked(token: &str) -> bool {
    token.contains(MARKS)
}

/// The most letters of a token. What is longer is cut.
pub(super) const LETTERS_MAX: usize = 64;

/// Cuts a token that is too long.
pub(super) fn cut(token: &mut String) {
    if token.len() > LETTERS_MAX
        && let Some((end, _)) = token.char_indices().nth(LETTERS_MAX)
    {
        token.truncate(end);
    }
}
