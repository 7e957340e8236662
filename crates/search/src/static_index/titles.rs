//! The words of titles, grouped by length. A misspelled word is only compared with words of similar
//! length.

use std::collections::BTreeMap;

use super::shard::Record;
use super::words::is_marked;
use crate::scripts::is_dense;
use crate::typos::MIN_LENGTH;

/// Words of at least this many letters belong to the same group.
pub const MAX_LENGTH: u32 = 20;

/// Groups words by length. Each group has one word per line.
pub fn by_length<'r>(records: impl Iterator<Item = &'r Record<'r>>) -> BTreeMap<u32, String> {
    let mut lengths: BTreeMap<u32, String> = BTreeMap::new();
    for record in records {
        let word = record.word.as_str();
        let is_other = |c: char| c.is_numeric() || is_dense(c);
        let length = word.chars().count() as u32;
        if (length as usize) < MIN_LENGTH || is_marked(word) || word.contains(is_other) {
            continue;
        }
        let words = lengths.entry(length.min(MAX_LENGTH)).or_default();
        if !words.is_empty() {
            words.push('\n');
        }
        words.push_str(word);
    }
    lengths
}
