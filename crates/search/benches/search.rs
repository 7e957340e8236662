//! Measures the search index: `cargo bench -p feedwright-search --bench search [-- DOCUMENTS]`.
//!
//! Indexes documents of about 4 KB, one in five of them Chinese. Word frequencies are as uneven as
//! in a natural language. For each kind of query, and for all kinds together, prints how long
//! searches take.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../../benches/corpus/queries.rs"]
mod queries;
#[path = "../../../benches/corpus/words.rs"]
mod words;

use std::path::Path;
use std::time::{Duration, Instant};

use queries::KINDS;
use search::{Document, Index, Kind, Query, Status};
use words::Random;

/// Query words are shorter than this number of bytes. Longer words are Chinese text without spaces.
const MAX_WORD_BYTES: usize = 100;

/// Number of queries of each kind.
const QUERIES: usize = 500;

fn main() {
    let documents =
        std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let documents: Vec<Document> = (0..documents).map(document).collect();
    let size: usize = documents.iter().map(|document| document.text.len()).sum();
    println!("{} documents, {} MB", documents.len(), size / 1_000_000);

    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let folder = folder.expect("a temporary folder");
    let path = folder.path().join("search.sqlite");
    let index = measure("first indexing", || {
        let index = Index::open(&path).expect("an index");
        sync(&index, &documents);
        index
    });
    drop(index);
    let bytes = std::fs::metadata(&path).expect("the index's file").len();
    println!("{:>10} MB on disk", bytes / 1_000_000);
    let index = measure("open, nothing changed", || {
        let index = Index::open(&path).expect("an index");
        sync(&index, &documents);
        index
    });

    let mut chance = Random::new(7);
    let update = || {
        let mut changed = documents[chance.below(documents.len())].clone();
        changed.text.push_str(" changed");
        let start = Instant::now();
        index.update(&[changed], &[]).expect("an update");
        start.elapsed()
    };
    percentiles("update of one document", repeat(update));
    let mut all = Vec::new();
    for (name, make) in KINDS {
        let query = || {
            let document = &documents[chance.below(documents.len())];
            let title: Vec<&str> = document.title.split(' ').collect();
            let text = document.text.split(' ');
            let text: Vec<&str> = text.filter(|word| word.len() < MAX_WORD_BYTES).collect();
            make(&title, &text, &mut chance)
        };
        all.extend(percentiles(name, measure_searches(&index, query)));
    }
    percentiles("all of these", all);
    percentiles(
        "two Chinese characters",
        measure_searches(&index, || chinese_text(1, &mut chance)),
    );
    percentiles(
        "four Chinese characters",
        measure_searches(&index, || chinese_text(2, &mut chance)),
    );
    let mixed = || format!("{}{}", chance.word(), chinese_text(1, &mut chance));
    percentiles("a word and Chinese without a space", measure_searches(&index, mixed));
}

fn measure_searches(index: &Index, mut query: impl FnMut() -> String) -> Vec<Duration> {
    repeat(|| {
        let text = query();
        let query = Query::new(&text);
        let start = Instant::now();
        std::hint::black_box(index.search(&query).expect("an answer"));
        start.elapsed()
    })
}

fn document(number: usize) -> Document {
    let mut chance = Random::new(number);
    let text = |count: usize, chance: &mut Random| {
        let words: Vec<&str> = (0..count).map(|_| chance.word()).collect();
        words.join(" ")
    };
    Document {
        kind: Kind::Item,
        id: format!("item-{number}"),
        title: text(6, &mut chance),
        text: if number % 5 == 4 {
            format!("{} {}", text(40, &mut chance), chinese_text(600, &mut chance))
        } else {
            text(700, &mut chance)
        },
        status: Status::Published,
        date_published_ms: Some(number as i64 * 1000),
        fingerprint: number as u64,
    }
}

/// Returns Chinese text: `words` words of two characters each, without spaces.
fn chinese_text(words: usize, chance: &mut Random) -> String {
    let character = |number: usize| char::from_u32(0x4E00 + (number % 3000) as u32);
    let word = |rank: usize| [character(rank * 7), character(rank * rank + 1)];
    let ranks = std::iter::repeat_with(|| chance.rank()).take(words);
    ranks.flat_map(word).flatten().collect()
}

fn sync(index: &Index, documents: &[Document]) {
    let listed = documents.iter().map(|d| (d.kind, &*d.id, d.fingerprint));
    let synced = index.sync(listed, |_, id| {
        documents.get(id.strip_prefix("item-")?.parse::<usize>().ok()?).cloned()
    });
    synced.expect("a synced index");
}

fn measure<T>(name: &str, case: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = case();
    println!("{:>10.1} ms  {name}", milliseconds(start.elapsed()));
    made
}

fn repeat(case: impl FnMut() -> Duration) -> Vec<Duration> {
    std::iter::repeat_with(case).take(QUERIES).collect()
}

/// Prints the median and the 99th percentile, and returns the sorted times.
fn percentiles(name: &str, mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort();
    let at = |share: usize| milliseconds(times[times.len() * share / 100]);
    println!("{name}: {:.2} ms, 99th percentile {:.2} ms", at(50), at(99));
    times
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
