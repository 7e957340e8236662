//! Search queries of the kinds that readers type. A query's words come from a document's title and
//! text, so their frequencies match the corpus.

use super::words::{Chance, VOCABULARY, nth_word};

/// A function that builds a query from the words of a document's title and the words of its text.
type Make = fn(&[&str], &[&str], &mut Chance) -> String;

/// Name and builder of each kind of query.
pub const KINDS: [(&str, Make); 12] = [
    ("one word of a title", |title, _, chance| any(title, chance)),
    ("two words of a title", |title, _, chance| following(title, 2, chance)),
    ("a word of a text", |_, text, chance| any(text, chance)),
    ("two words of a text", |_, text, chance| {
        format!("{} {}", any(text, chance), any(text, chance))
    }),
    ("three words of a text", |_, text, chance| {
        let two = format!("{} {}", any(text, chance), any(text, chance));
        format!("{two} {}", any(text, chance))
    }),
    ("two words, the last not typed to its end", |_, text, chance| {
        format!("{} {}", any(text, chance), begun(text, chance))
    }),
    ("one to three letters", |_, text, chance| {
        let letters = 1 + chance.below(3);
        any(text, chance).chars().take(letters).collect()
    }),
    ("a phrase of two or three words", |_, text, chance| {
        let words = 2 + chance.below(2);
        format!("\"{}\"", following(text, words, chance))
    }),
    ("a misspelled word of a title", |title, _, chance| {
        let mut letters: Vec<char> = any(title, chance).chars().collect();
        if letters.len() > 3 {
            letters.swap(1, 2);
        }
        letters.into_iter().collect()
    }),
    ("one of the twenty commonest words", |_, _, chance| among(20, chance)),
    ("two of the hundred commonest words", |_, _, chance| {
        format!("{} {}", among(100, chance), among(100, chance))
    }),
    ("any word of the vocabulary", |_, _, chance| among(VOCABULARY, chance)),
];

fn any(words: &[&str], chance: &mut Chance) -> String {
    words[chance.below(words.len())].to_owned()
}

/// Draws one of the `commonest` most frequent words, all with equal probability.
fn among(commonest: usize, chance: &mut Chance) -> String {
    nth_word(chance.below(commonest)).to_owned()
}

fn following(words: &[&str], count: usize, chance: &mut Chance) -> String {
    let first = chance.below(words.len() - count + 1);
    words[first..first + count].join(" ")
}

/// Returns a random prefix of a random word.
fn begun(words: &[&str], chance: &mut Chance) -> String {
    let word = any(words, chance);
    let letters = 1 + chance.below(word.chars().count());
    word.chars().take(letters).collect()
}
