//! The words of the corpus, as unevenly frequent as those of a language: the nth is met about 1/n as often as the
//! first (Zipf's law). They are made from their ranks, so that no list of them is kept.

use std::sync::LazyLock;

/// How many words there are.
pub const VOCABULARY: usize = 50_000;

/// Every word, the commonest first.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| (0..VOCABULARY).map(spelled).collect());

/// For each word how often it and the commoner ones are met.
static SUMS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let mut sum = 0;
    let met = (1..=VOCABULARY).map(|rank| 100_000_000 / rank);
    met.map(|often| {
        sum += often;
        sum
    })
    .collect()
});

/// A generator of numbers that are the same in every run (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: usize) -> Self {
        Self(seed as u64)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as usize % end
    }

    /// The rank of a word of a text, from 0.
    pub fn rank(&mut self) -> usize {
        let point = self.below(SUMS[VOCABULARY - 1]);
        SUMS.partition_point(|&sum| sum <= point)
    }

    /// A word of a text.
    pub fn word(&mut self) -> &'static str {
        nth_word(self.rank())
    }
}

/// The word of a rank.
pub fn nth_word(rank: usize) -> &'static str {
    &WORDS[rank]
}

/// Eighteen consonants and five vowels.
type Letters = (&'static str, &'static str);

const LATIN: Letters = ("bdfghjklmnprstvwyz", "aeiou");
const ACCENTED: Letters = ("bdfghjklmnprstvwyz", "áéíöü");
const GREEK: Letters = ("βγδζθκλμνξπρστφχψς", "αεηιο");
const CYRILLIC: Letters = ("бвгджзклмнпрстфхцч", "аеиоу");

/// The commoner a word, the shorter. Of the others one in ten has accents, one in twenty each is Greek and Cyrillic,
/// and so many of the rarest are Han.
fn spelled(rank: usize) -> String {
    let syllables = match rank {
        0..60 => 1,
        60..1_500 => 2,
        1_500..15_000 => 3,
        _ => 4,
    };
    // No two ranks of one length have the same number.
    let number = rank * 48_271 % 90_usize.pow(syllables);
    match rank % 20 {
        _ if rank < 60 => letters(LATIN, number, syllables),
        7 | 13 => letters(ACCENTED, number, syllables),
        17 => letters(GREEK, number, syllables),
        18 => letters(CYRILLIC, number, syllables),
        19 if rank >= 15_000 => [rank % 1_999, rank / 1_999 + 2_000]
            .into_iter()
            .filter_map(|at| char::from_u32(0x4E00 + at as u32))
            .collect(),
        _ => letters(LATIN, number, syllables),
    }
}

/// Syllables of a consonant and a vowel, and in one of three words another consonant in the end.
fn letters((consonants, vowels): Letters, mut number: usize, syllables: u32) -> String {
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
