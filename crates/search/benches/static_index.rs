//! How long an index of a site takes, and how large it is: `cargo bench -p feedwright-search --bench static_index`.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss)]

use std::time::Instant;

use rayon::prelude::*;
use search::static_index::{Gathering, Listing, Older, Passage, Planned, Searchable, Shard, make};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The word of a rank: the more frequent, the shorter.
fn word(rank: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "a", "be", "co", "di", "en", "fo", "gu", "ha", "in", "jo", "ka", "lo", "me", "ni", "or",
        "pa", "que", "ri", "sto", "te", "un", "va", "we", "zi",
    ];
    let mut left = rank + 1;
    let mut word = String::new();
    while left > 0 {
        word.push_str(SYLLABLES[left % 24]);
        left /= 24;
    }
    word.push_str(["", "n", "s", "t"][rank % 4]);
    word
}

struct Document {
    title: String,
    text: String,
    passages: Vec<String>,
}

fn text(bytes: usize, random: &mut Random, words: &[String]) -> String {
    let mut out = String::new();
    let sum = (words.len() as f64).ln();
    while out.len() < bytes {
        let rank = ((random.unit() * sum).exp() as usize).min(words.len() - 1);
        out.push_str(&words[rank]);
        out.push(' ');
    }
    out
}

fn main() {
    let items: usize = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(10_000);
    let mut random = Random(7);
    let words: Vec<String> = (0..50_000).map(word).collect();
    let mut documents: Vec<Document> = (0..items)
        .map(|number| Document {
            title: text(36, &mut random, &words),
            text: text(4600, &mut random, &words),
            passages: if number % 20 == 0 {
                (0..50).map(|_| text(1200, &mut random, &words)).collect()
            } else {
                Vec::new()
            },
        })
        .collect();
    let bytes: usize = documents
        .iter()
        .map(|d| d.title.len() + d.text.len() + d.passages.iter().map(String::len).sum::<usize>())
        .sum();
    println!("{items} documents, {:.1} MB", bytes as f64 / 1e6);
    let plan = |documents: &[Document], gathering: &Gathering, old: Option<&Older>, changed: Option<usize>| -> Vec<Planned> {
        documents
            .par_iter()
            .enumerate()
            .map(|(number, document)| Planned {
                fingerprint: number as u64 * 2 + u64::from(changed == Some(number)),
                listing: Listing {
                    title: document.title.clone(),
                    path: format!("i/{}/", document.title.replace(' ', "-")),
                    date: Some("2026-11-22".into()),
                    text: Some(format!("i/{number:011x}/item.json")),
                    ..Listing::default()
                },
                words: (old.is_none() || changed == Some(number)).then(|| {
                    gathering.gather(&Searchable {
                        title: &document.title,
                        content: vec![&document.text],
                        transcripts: vec![document.passages.iter().enumerate().map(|(n, text)| Passage { text, seconds: Some(n as u32 * 60), start: n * 1400 }).collect()],
                    })
                }),
            })
            .collect()
    };
    let mut made = None;
    for _ in 0..3 {
        let start = Instant::now();
        let gathering = Gathering::default();
        let planned = plan(&documents, &gathering, None, None);
        let gathered = start.elapsed();
        made = Some(make(&planned(&plans), &gathering, None, &|_| false).unwrap());
        println!("gathered {gathered:?}, made after {:?}", start.elapsed());
    }
    let made = made.unwrap();
    let size: usize = made.shards.iter().filter_map(|s| Some(s.bytes.as_ref()?.len())).sum();
    println!("{} files, {:.2} MB ({:.3} of the text), entry {} B", made.shards.len() + 1, size as f64 / 1e6, size as f64 / bytes as f64, made.entry.len());
    documents[items / 2].text.push_str("something new");
    let find = |name: &str| made.shards.iter().find(|s: &&Shard| s.name == name)?.bytes.clone();
    for changed in [None, Some(items / 2)] {
        let start = Instant::now();
        let older = Older::open(&made.kept, &made.entry, Box::new(find)).unwrap();
        let gathering = Gathering::default();
        let planned = plan(&documents, &gathering, Some(&older), changed);
        let again = make(&planned(&plans), &gathering, Some(&older), &|name| find(name).is_some()).unwrap();
        let new = again.shards.iter().filter(|s| s.bytes.is_some()).count();
        println!("changed {changed:?}: {:?}, {new} new files", start.elapsed());
    }
}
