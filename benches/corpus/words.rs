//! The words of the corpus, with frequencies like a natural language: word n occurs about 1/n times
//! as often as word 1 (Zipf's law). Words are generated from their rank, so no word list is stored.

use std::sync::LazyLock;

/// Number of different words.
pub const VOCABULARY: usize = 50_000;

/// All words, the most frequent first.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| (0..VOCABULARY).map(spell_word).collect());

/// Cumulative frequencies: for each word, the sum of the frequencies of all words up to its rank.
static CUMULATIVE_FREQUENCIES: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let mut sum = 0;
    let met = (1..=VOCABULARY).map(|rank| 100_000_000 / rank);
    met.map(|often| {
        sum += often;
        sum
    })
    .collect()
});

/// A pseudorandom number generator with the same sequence in every run (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: usize) -> Self {
        Self(seed as u64)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as usize % end
    }

    /// Draws the rank of a word, from 0, by the words' frequencies.
    pub fn rank(&mut self) -> usize {
        let point = self.below(CUMULATIVE_FREQUENCIES[VOCABULARY - 1]);
        CUMULATIVE_FREQUENCIES.partition_point(|&sum| sum <= point)
    }

    /// Draws a word by the words' frequencies.
    pub fn word(&mut self) -> &'static str {
        nth_word(self.rank())
    }
}

/// Returns the word with this rank.
pub fn nth_word(rank: usize) -> &'static str {
    &WORDS[rank]
}

/// The consonants (18) and vowels (5) of a script.
type Alphabet = (&'static str, &'static str);

const LATIN: Alphabet = ("bdfghjklmnprstvwyz", "aeiou");
const ACCENTED: Alphabet = ("bdfghjklmnprstvwyz", "áéíöü");
const GREEK: Alphabet = ("βγδζθκλμνξπρστφχψς", "αεηιο");
const CYRILLIC: Alphabet = ("бвгджзклмнпрстфхцч", "аеиоу");

/// Spells the word of a rank. Frequent words are shorter. After the first 60 words, one in ten has
/// accents, one in twenty is Greek and one in twenty is Cyrillic. From rank 15,000 on, one in
/// twenty is Han.
fn spell_word(rank: usize) -> String {
    let syllables = match rank {
        0..60 => 1,
        60..1_500 => 2,
        1_500..15_000 => 3,
        _ => 4,
    };
    // Different ranks with the same number of syllables have different numbers.
    let number = rank * 48_271 % 90_usize.pow(syllables);
    match rank % 20 {
        _ if rank < 60 => join_syllables(LATIN, number, syllables),
        7 | 13 => join_syllables(ACCENTED, number, syllables),
        17 => join_syllables(GREEK, number, syllables),
        18 => join_syllables(CYRILLIC, number, syllables),
        19 if rank >= 15_000 => [rank % 1_999, rank / 1_999 + 2_000]
            .into_iter()
            .filter_map(|at| char::from_u32(0x4E00 + at as u32))
            .collect(),
        _ => join_syllables(LATIN, number, syllables),
    }
}

/// Joins syllables of a consonant and a vowel. One word in three ends with an additional consonant.
fn join_syllables((consonants, vowels): Alphabet, mut number: usize, syllables: u32) -> String {
    let mut word = String::new();
    let end = consonants.chars().nth(number % 18).filter(|_| number % 3 == 1);
    for _ in 0..syllables {
        word.extend(consonants.chars().nth(number % 18));
        word.extend(vowels.chars().nth(number / 18 % 5));
        number /= 90;
    }
    word.extend(end);
    word
}
