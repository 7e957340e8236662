//! Finds the known name that an author meant by a mistyped name or a synonym.

/// Returns the known name that is most similar to a mistyped name.
pub fn nearest<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    // Longer names are not compared, because a comparison takes memory for each pair of characters.
    const MAX_NAME_LENGTH: usize = 200;
    if text.len() > MAX_NAME_LENGTH {
        return None;
    }
    names
        .iter()
        .map(|name| {
            (strsim::damerau_levenshtein(&text.to_lowercase(), &name.to_lowercase()), *name)
        })
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, name)| name)
}

/// Returns a key in lower case, without the characters between its words.
pub(super) fn folded_key(key: &str) -> String {
    key.replace(['_', '-', ' '], "").to_lowercase()
}

/// Groups of words that authors confuse, in lower case.
const SYNONYMS: [&str; 7] = [
    "url uri href link src address file path website",
    "title name label text caption headline",
    "starttime start begin begins from startsat offset time at",
    "endtime end until to stop endsat",
    "duration length seconds",
    "pubdate date published datepublished",
    "type mimetype mediatype contenttype mime format",
];

/// Returns whether a written key is a synonym of a known key: `href` for `url`, or `start` for
/// `startTime`.
pub(super) fn is_synonym(written: &str, key: &str) -> bool {
    const MIN_WORD_LENGTH: usize = 3;
    let (written, key) = (folded_key(written), folded_key(key));
    let begins = |one: &str, other: &str| one.len() >= MIN_WORD_LENGTH && other.starts_with(one);
    begins(&written, &key)
        || begins(&key, &written)
        || SYNONYMS.iter().any(|group| {
            let has = |word: &str| group.split(' ').any(|known| known == word);
            has(&written) && has(&key)
        })
}
