//! The tokens of an index: words, and marked tokens with additional information about a word.

/// Mark at the end of a token: the document has this folded word only in other spellings. Marks
/// sort before all letters, so marked tokens follow their word and are in the same shard.
pub(super) const OTHER_SPELLING_MARK: char = '\u{1}';

/// Mark between a folded word and its exact spelling, if the two differ.
pub(super) const SPELLING_MARK: char = '\u{2}';

/// Mark at the end of the token for a prefix, see [`prefixes`](super::prefixes).
pub(super) const PREFIX_MARK: char = '\u{3}';

const MARKS: [char; 3] = [OTHER_SPELLING_MARK, SPELLING_MARK, PREFIX_MARK];

/// Returns the part of a token before its mark.
pub(super) fn plain(token: &str) -> &str {
    let mut parts = token.split(MARKS);
    parts.next().unwrap_or_default()
}

/// Returns whether a token has a mark, and is therefore not a word.
pub(super) fn is_marked(token: &str) -> bool {
    token.contains(MARKS)
}

/// Maximum length of a token, in characters. Longer tokens are truncated.
pub(super) const MAX_TOKEN_LENGTH: usize = 64;

/// Truncates a token to its maximum length.
pub(super) fn truncate_token(token: &mut String) {
    if token.len() > MAX_TOKEN_LENGTH
        && let Some((end, _)) = token.char_indices().nth(MAX_TOKEN_LENGTH)
    {
        token.truncate(end);
    }
}
