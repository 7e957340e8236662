//! The tokens of an index: words, and marked tokens that hold additional facts about a word.

/// Mark at the end of the token of a folded word that a document has only in other spellings. Marks
/// sort before all letters, so that marked tokens follow their word and are in the same shard.
pub(super) const SPELLED_OTHERWISE: char = '\u{1}';

/// Mark between a folded word and its exact spelling, if the two differ.
pub(super) const SPELLING: char = '\u{2}';

/// Mark at the end of the token of a prefix of longer words, see [`beginnings`](super::beginnings).
pub(super) const BEGINNING: char = '\u{3}';

const MARKS: [char; 3] = [SPELLED_OTHERWISE, SPELLING, BEGINNING];

/// Returns the part of a token before its mark.
pub(super) fn plain(token: &str) -> &str {
    let mut parts = token.split(MARKS);
    parts.next().unwrap_or_default()
}

/// Returns whether a token has a mark, and is therefore not a word.
pub(super) fn is_marked(token: &str) -> bool {
    token.contains(MARKS)
}

/// Maximum length of a token, in characters. Longer tokens are cut.
pub(super) const LETTERS_MAX: usize = 64;

/// Cuts a token to its maximum length.
pub(super) fn cut(token: &mut String) {
    if token.len() > LETTERS_MAX
        && let Some((end, _)) = token.char_indices().nth(LETTERS_MAX)
    {
        token.truncate(end);
    }
}
