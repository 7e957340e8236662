//! Queries of readers who look for an item that they know: a few of the item's words.
//!
//! The method follows L. Azzopardi, M. de Rijke, K. Balog: Building simulated queries for
//! known-item topics (SIGIR 2007). An item is drawn with equal probability, then two or three
//! different words of the item. Each word comes from the title with a probability of one third,
//! otherwise from the text. Within the title or text, rarer words are more likely: the weight is
//! the logarithm of the number of items divided by the number of items that contain the word.
//! Numbers and words of fewer than three letters (two for Han) are excluded.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use rayon::prelude::*;
use serde_json::Value;

use super::corpus::words::Random;
use super::site::Site;

/// Number of queries.
pub const QUERIES: usize = 200;

/// Number of items in the sample from which word frequencies are counted.
const SAMPLE: usize = 2_000;

/// An item and a query that looks for it.
pub struct KnownItem {
    /// Decoded path of the item's page, with a slash at both ends.
    pub path: String,
    pub query: String,
}

/// The different words of an item.
struct Words {
    path: String,
    title: Vec<String>,
    text: Vec<String>,
}

/// Builds the queries. They are identical in every run.
pub fn of(site: &Site) -> Vec<KnownItem> {
    let folder = site.public().join("i");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the site is built")
        .flatten()
        .map(|entry| entry.path().join("item.json"))
        // Only items of the corpus: other items have a transcript, which Pagefind does not read.
        .filter(|path| path.to_string_lossy().contains("/i/b0"))
        .collect();
    files.sort();
    let mut chance = Random::new(files.len());
    let mut draw = |count: usize| -> Vec<Words> {
        let numbers: Vec<usize> = (0..count).map(|_| chance.below(files.len())).collect();
        let read = numbers.par_iter().map(|number| {
            let content = fs::read(&files[*number]).expect("the item can be read");
            words(&serde_json::from_slice(&content).expect("the item is JSON"))
        });
        read.collect()
    };
    let (sample, known) = (draw(SAMPLE), draw(QUERIES));
    let mut frequencies = HashMap::<&str, usize>::new();
    for item in &sample {
        let all: HashSet<&String> = item.title.iter().chain(&item.text).collect();
        for word in all {
            *frequencies.entry(word).or_default() += 1;
        }
    }
    let rarity = |word: &str| {
        let frequency = frequencies.get(word).copied().unwrap_or_default();
        (SAMPLE as f64 / (frequency as f64 + 0.5)).ln().max(0.0)
    };
    let mut chance = Random::new(QUERIES);
    let known = known
        .into_iter()
        .map(|item| KnownItem { query: query(&item, &rarity, &mut chance), path: item.path });
    known.collect()
}

fn query(item: &Words, rarity: &impl Fn(&str) -> f64, chance: &mut Random) -> String {
    let length = 2 + chance.below(2);
    let mut query: Vec<&str> = Vec::new();
    while query.len() < length {
        let words = match chance.below(3) {
            0 => &item.title,
            _ => &item.text,
        };
        let word = draw_word(words, rarity, chance);
        if let Some(word) = word.filter(|word| !query.contains(word)) {
            query.push(word);
        }
    }
    query.join(" ")
}

/// Draws one of the words. Rarer words are more likely.
fn draw_word<'w>(
    words: &'w [String],
    rarity: &impl Fn(&str) -> f64,
    chance: &mut Random,
) -> Option<&'w str> {
    const STEPS: usize = 1 << 30;
    let sum: f64 = words.iter().map(|word| rarity(word)).sum();
    let mut left = chance.below(STEPS) as f64 / STEPS as f64 * sum;
    let mut words = words.iter();
    let found = words.find(|word| {
        left -= rarity(word);
        left < 0.0
    });
    found.map(String::as_str)
}

fn words(feed: &Value) -> Words {
    let item = &feed["items"][0];
    let text = |field: &str| item[field].as_str().unwrap_or_default();
    let url = percent_encoding::percent_decode_str(text("url")).decode_utf8_lossy();
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    Words {
        path: format!("/{path}"),
        title: unique_words(text("title")),
        text: unique_words(text("content_text")),
    }
}

/// Returns the different words of a text that may occur in queries, in alphabetical order.
fn unique_words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| {
        let is_han = word.chars().any(|letter| letter >= '\u{4E00}');
        let is_long = word.chars().count() >= if is_han { 2 } else { 3 };
        is_long && !word.contains(|letter: char| letter.is_numeric())
    });
    let words: BTreeMap<String, ()> = words.map(|word| (word.to_lowercase(), ())).collect();
    words.into_keys().collect()
}
