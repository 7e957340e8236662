//! Queries of people who know the item that they look for: a few of its words.
//!
//! How one is made, after L. Azzopardi, M. de Rijke, K. Balog: Building simulated queries for known-item topics
//! (SIGIR 2007): an item is drawn, each as likely as any other; then two or three words of it, all different. Each
//! word is from the title in one case of three, else from the text. There a word is the likelier the rarer it is: by
//! the logarithm of the number of items divided by that of the items that have it. Numbers, and words of fewer than
//! three letters (of Han: two), are not drawn.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use rayon::prelude::*;
use serde_json::Value;

use super::corpus::words::Chance;
use super::site::Site;

/// How many queries there are.
pub const QUERIES: usize = 200;

/// Among how many items words are counted.
const SAMPLE: usize = 2_000;

/// An item and what it is looked for with.
pub struct KnownItem {
    /// Its path on the site, decoded, with a slash at both ends.
    pub path: String,
    pub query: String,
}

/// An item's words, each once.
struct Words {
    path: String,
    title: Vec<String>,
    text: Vec<String>,
}

/// The same queries in every run.
pub fn of(site: &Site) -> Vec<KnownItem> {
    let folder = site.public().join("i");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the site is built")
        .flatten()
        .map(|entry| entry.path().join("item.json"))
        // Those of the corpus. The others have a transcript, which Pagefind does not read.
        .filter(|path| path.to_string_lossy().contains("/i/b0"))
        .collect();
    files.sort();
    let mut chance = Chance::new(files.len());
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
    let mut chance = Chance::new(QUERIES);
    let known = known
        .into_iter()
        .map(|item| KnownItem { query: query(&item, &rarity, &mut chance), path: item.path });
    known.collect()
}

fn query(item: &Words, rarity: &impl Fn(&str) -> f64, chance: &mut Chance) -> String {
    let length = 2 + chance.below(2);
    let mut query: Vec<&str> = Vec::new();
    while query.len() < length {
        let words = match chance.below(3) {
            0 => &item.title,
            _ => &item.text,
        };
        let word = drawn(words, rarity, chance);
        if let Some(word) = word.filter(|word| !query.contains(word)) {
            query.push(word);
        }
    }
    query.join(" ")
}

/// One of some words, the rarer the likelier.
fn drawn<'w>(
    words: &'w [String],
    rarity: &impl Fn(&str) -> f64,
    chance: &mut Chance,
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
        title: different(text("title")),
        text: different(text("content_text")),
    }
}

/// The words of a text that queries may have, each once, in the order of the alphabet.
fn different(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| {
        let is_han = word.chars().any(|letter| letter >= '\u{4E00}');
        let is_long = word.chars().count() >= if is_han { 2 } else { 3 };
        is_long && !word.contains(|letter: char| letter.is_numeric())
    });
    let words: BTreeMap<String, ()> = words.map(|word| (word.to_lowercase(), ())).collect();
    words.into_keys().collect()
}
