//! The words of all titles, and a search for words similar to a misspelled word.

use std::collections::HashMap;

use super::text::{Run, fold_word, joined, runs};
use super::typos::{MAX_ALTERNATIVES, MIN_LENGTH, tolerance};

/// Folded words, with the number of times they occur.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashMap<String, Word>,
}

#[derive(Debug)]
struct Word {
    count: usize,
    length: usize,
    letters: u64,
}

impl Vocabulary {
    pub fn add(&mut self, title: &str) {
        each_word(title, |word| {
            if let Some(known) = self.words.get_mut(word) {
                known.count += 1;
            } else if let (length @ MIN_LENGTH.., letters) = measure(word)
                && !word.contains(char::is_numeric)
            {
                let new = Word { count: 1, length, letters };
                self.words.insert(word.to_owned(), new);
            }
        });
    }

    pub fn remove(&mut self, title: &str) {
        each_word(title, |word| {
            if let Some(known) = self.words.get_mut(word) {
                known.count -= 1;
                if known.count == 0 {
                    self.words.remove(word);
                }
            }
        });
    }

    /// Returns the words similar to `word`, nearest first, each with its distance. The length of
    /// `word` determines the maximum distance. The distance counts insertions, deletions,
    /// replacements and swaps of neighbouring letters.
    pub fn similar_words(&self, word: &str) -> Vec<(usize, &str)> {
        let (length, letters) = measure(word);
        let tolerance = tolerance(word, length);
        if tolerance == 0 {
            return Vec::new();
        }
        // Each edit accounts for at most one letter that is missing in either word.
        let mut similar_words: Vec<(usize, &str)> = self
            .words
            .iter()
            .filter(|(_, known)| {
                known.length.abs_diff(length) <= tolerance
                    && (known.letters & !letters).count_ones() as usize <= tolerance
                    && (letters & !known.letters).count_ones() as usize <= tolerance
            })
            .map(|(known, _)| (strsim::osa_distance(word, known), known.as_str()))
            .filter(|&(distance, _)| (1..=tolerance).contains(&distance))
            .collect();
        similar_words.sort_unstable();
        similar_words.truncate(MAX_ALTERNATIVES);
        similar_words
    }
}

fn each_word(title: &str, mut use_word: impl FnMut(&str)) {
    let mut folded = String::new();
    for (_, run) in runs(title) {
        if let Run::Word(word) = run {
            folded.clear();
            fold_word(word, &mut folded);
            use_word(&folded);
        }
    }
    for range in joined(title) {
        folded.clear();
        fold_word(&title[range], &mut folded);
        use_word(&folded);
    }
}

/// Returns a word's length in characters, and a bit set of its characters. Different characters can
/// share a bit.
fn measure(word: &str) -> (usize, u64) {
    word.chars().fold((0, 0), |(length, letters), character| {
        (length + 1, letters | 1 << (u32::from(character) % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerance_grows_with_length() {
        let mut titles = Vocabulary::default();
        titles.add("Kubernetes und Docker, Rust, cat, mp3s");
        for (word, expected) in [
            ("kubernets", Some((1, "kubernetes"))),
            ("ubernetse", Some((2, "kubernetes"))),
            ("qubernetse", Some((2, "kubernetes"))),
            ("qubernets", Some((2, "kubernetes"))),
            ("qubernes", None),
            ("dokcer", Some((1, "docker"))),
            ("dokce", None),
            ("rsut", Some((1, "rust"))),
            ("rust", None),
            ("bat", None),
            ("mp4s", None),
        ] {
            assert_eq!(titles.similar_words(word).first().copied(), expected, "{word}");
        }
        titles.remove("rust");
        assert_eq!(titles.similar_words("rsut"), []);
    }
}
