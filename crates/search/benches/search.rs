//! Where the figures of the search come from: `cargo bench -p feedwright-search --bench search [-- DOCUMENTS]`.
//!
//! Indexes documents of about 4 KB, one in five of them Chinese, whose words are as unevenly frequent as
//! those of a language, and prints how long queries of each kind take.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::time::{Duration, Instant};

use search::{Document, Index, Kind, Query, Status};

const QUERIES: usize = 500;

fn main() {
    let documents = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(10_000);
    let mut chance = Chance(7);
    let words = Words::new(&mut chance);
    let documents: Vec<Document> = (0..documents)
        .map(|number| document(number, &words, &mut chance))
        .collect();
    let size: usize = documents.iter().map(|document| document.text.len()).sum();
    println!("{} documents, {} MB", documents.len(), size / 1_000_000);

    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    let folder = folder.expect("a temporary folder");
    let path = folder.path().join("search.sqlite");
    let index = timed("first indexing", || {
        let index = Index::open(&path).expect("an index");
        sync(&index, &documents);
        index
    });
    drop(index);
    let bytes = std::fs::metadata(&path).expect("the index's file").len();
    println!("{:>10} MB on disk", bytes / 1_000_000);
    let index = timed("open, nothing changed", || {
        let index = Index::open(&path).expect("an index");
        sync(&index, &documents);
        index
    });

    percentiles("update of one document", || {
        let mut changed = documents[chance.below(documents.len())].clone();
        changed.text.push_str(" changed");
        let start = Instant::now();
        index.update(&[changed], &[]).expect("an update");
        start.elapsed()
    });
    for (name, make) in kinds() {
        let mut hits = 0;
        percentiles(name, || {
            let document = &documents[chance.below(documents.len())];
            let text = make(document, &words, &mut chance);
            let query = Query::new(&text);
            hits += index.search(&query).expect("an answer").hits.len();
            best(|| index.search(&query))
        });
        println!("{:>10.1} hits", hits as f64 / QUERIES as f64);
    }
}

type Make = fn(&Document, &Words, &mut Chance) -> String;

/// Makes the text of a query from a document that is to be found.
fn kinds() -> Vec<(&'static str, Make)> {
    fn nth(text: &str, number: usize) -> &str {
        text.split(' ').nth(number).unwrap_or("word")
    }
    vec![
        ("one word of a title", |d, _, c| {
            nth(&d.title, c.below(6)).into()
        }),
        ("two words of a title", |d, _, c| {
            let at = c.below(5);
            format!("{} {}", nth(&d.title, at), nth(&d.title, at + 1))
        }),
        ("two words of a text", |d, _, c| {
            format!(
                "{} {}",
                nth(&d.text, c.below(40)),
                nth(&d.text, c.below(40))
            )
        }),
        ("two letters of a word", |d, _, c| {
            nth(&d.title, c.below(6)).chars().take(2).collect()
        }),
        ("three letters of a word", |d, _, c| {
            nth(&d.title, c.below(6)).chars().take(3).collect()
        }),
        ("one letter", |d, _, c| {
            nth(&d.title, c.below(6)).chars().take(1).collect()
        }),
        ("the commonest word", |_, w, _| w.words[0].clone()),
        ("a misspelled word of a title", |d, _, c| {
            let mut word: Vec<char> = nth(&d.title, c.below(6)).chars().collect();
            if word.len() > 3 {
                word.swap(1, 2);
            }
            word.into_iter().collect()
        }),
        ("a phrase of three words", |d, _, c| {
            let at = c.below(38);
            let words: Vec<_> = (at..at + 3).map(|at| nth(&d.text, at)).collect();
            format!("\"{}\"", words.join(" "))
        }),
        ("two Chinese characters", |_, w, c| w.chinese(1, c)),
        ("four Chinese characters", |_, w, c| w.chinese(2, c)),
        ("a word and Chinese without a space", |_, w, c| {
            format!("{}{}", w.pick(c), w.chinese(1, c))
        }),
    ]
}

fn document(number: usize, words: &Words, chance: &mut Chance) -> Document {
    let text = |count: usize, chance: &mut Chance| {
        let words: Vec<&str> = (0..count).map(|_| words.pick(chance)).collect();
        words.join(" ")
    };
    Document {
        kind: Kind::Item,
        id: format!("item-{number}"),
        title: text(6, chance),
        text: if number % 5 == 4 {
            format!("{} {}", text(40, chance), words.chinese(600, chance))
        } else {
            text(700, chance)
        },
        status: Status::Published,
        date_published_ms: Some(number as i64 * 1000),
        fingerprint: number as u64,
    }
}

fn sync(index: &Index, documents: &[Document]) {
    let listed = documents.iter().map(|d| (d.kind, &*d.id, d.fingerprint));
    let synced = index.sync(listed, |_, id| {
        documents
            .get(id.strip_prefix("item-")?.parse::<usize>().ok()?)
            .cloned()
    });
    synced.expect("a synced index");
}

fn timed<T>(name: &str, case: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = case();
    println!("{:>10.1} ms  {name}", milliseconds(start.elapsed()));
    made
}

/// The best of five runs: what the search takes when nothing else has the processor.
fn best<T>(case: impl Fn() -> T) -> Duration {
    let run = || {
        let start = Instant::now();
        std::hint::black_box(case());
        start.elapsed()
    };
    (0..5).map(|_| run()).min().unwrap_or_default()
}

fn percentiles(name: &str, mut case: impl FnMut() -> Duration) {
    let mut times: Vec<Duration> = (0..QUERIES).map(|_| case()).collect();
    times.sort();
    let at = |share: usize| milliseconds(times[QUERIES * share / 100]);
    println!("{name}: {:.2} ms, 99th percentile {:.2} ms", at(50), at(99));
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A generator of numbers that is the same on every run (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// Words, shorter and commoner first: the nth is met about 1/n as often as the first (Zipf's law).
struct Words {
    words: Vec<String>,
    sums: Vec<usize>,
}

impl Words {
    fn new(chance: &mut Chance) -> Self {
        let syllable = |chance: &mut Chance| {
            let consonant = b"bcdfghjklmnprstvwz"[chance.below(18)];
            [char::from(consonant), char::from(b"aeiou"[chance.below(5)])]
        };
        let mut words: Vec<String> = (0..40_000)
            .map(|number| {
                let syllables = 1 + chance.below(4).max((number > 500).into());
                (0..syllables).flat_map(|_| syllable(chance)).collect()
            })
            .collect();
        words.sort_by_key(String::len);
        words.dedup();
        let mut sum = 0;
        let sums = (0..words.len())
            .map(|number| {
                sum += 10_000_000 / (number + 3);
                sum
            })
            .collect();
        Self { words, sums }
    }

    fn rank(&self, chance: &mut Chance) -> usize {
        let point = chance.below(*self.sums.last().expect("there are words"));
        self.sums.partition_point(|&sum| sum <= point)
    }

    fn pick(&self, chance: &mut Chance) -> &str {
        &self.words[self.rank(chance)]
    }

    /// Words of two characters, one after the other.
    fn chinese(&self, words: usize, chance: &mut Chance) -> String {
        let character = |number: usize| char::from_u32(0x4E00 + (number % 3000) as u32);
        let word = |rank: usize| {
            character(rank * 7)
                .into_iter()
                .chain(character(rank * rank + 1))
        };
        (0..words).flat_map(|_| word(self.rank(chance))).collect()
    }
}
