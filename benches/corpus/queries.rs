//! Search queries of the kinds that readers type. A query's words come from a document's title and
//! text, so their frequencies match the corpus.

use super::words::{Random, VOCABULARY, nth_word};

/// A function that builds a query from the words of a document's title and the words of its text.
type BuildQuery = fn(&[&str], &[&str], &mut Random) -> String;

/// Name and builder of each kind of query.
pub const KINDS: [(&str, BuildQuery); 12] = [
    ("one word of a title", |title, _, chance| random_word(title, chance)),
    ("two words of a title", |title, _, chance| consecutive_words(title, 2, chance)),
    ("a word of a text", |_, text, chance| random_word(text, chance)),
    ("two words of a text", |_, text, chance| {
        format!("{} {}", random_word(text, chance), random_word(text, chance))
    }),
    ("three words of a text", |_, text, chance| {
        let two = format!("{} {}", random_word(text, chance), random_word(text, chance));
        format!("{two} {}", random_word(text, chance))
    }),
    ("two words, the last not typed to its end", |_, text, chance| {
        format!("{} {}", random_word(text, chance), random_prefix(text, chance))
    }),
    ("one to three letters", |_, text, chance| {
        let letters = 1 + chance.below(3);
        random_word(text, chance).chars().take(letters).collect()
    }),
    ("a phrase of two or three words", |_, text, chance| {
        let words = 2 + chance.below(2);
        format!("\"{}\"", consecutive_words(text, words, chance))
    }),
    ("a misspelled word of a title", |title, _, chance| {
        let mut letters: Vec<char> = random_word(title, chance).chars().collect();
        if letters.len() > 3 {
            letters.swap(1, 2);
        }
        letters.into_iter().collect()
    }),
    ("one of the twenty commonest words", |_, _, chance| frequent_word(20, chance)),
    ("two of the hundred commonest words", |_, _, chance| {
        format!("{} {}", frequent_word(100, chance), frequent_word(100, chance))
    }),
    ("any word of the vocabulary", |_, _, chance| frequent_word(VOCABULARY, chance)),
];

fn random_word(words: &[&str], chance: &mut Random) -> String {
    words[chance.below(words.len())].to_owned()
}

/// Draws one of the `commonest` most frequent words, all with equal probability.
fn frequent_word(commonest: usize, chance: &mut Random) -> String {
    nth_word(chance.below(commonest)).to_owned()
}

fn consecutive_words(words: &[&str], count: usize, chance: &mut Random) -> String {
    let first = chance.below(words.len() - count + 1);
    words[first..first + count].join(" ")
}

/// Returns a random prefix of a random word.
fn random_prefix(words: &[&str], chance: &mut Random) -> String {
    let word = random_word(words, chance);
    let letters = 1 + chance.below(word.chars().count());
    word.chars().take(letters).collect()
}
