//! Files that a first query fetches with an empty cache, and whether the query finds its item.

use search::static_index::{Found, Reader};

use super::folder::{Fetch, Folder, Kind};
use super::known_items::KnownItem;
use super::site::Site;
use super::table::{group_digits, print};

/// Number of results on the first page of results.
const RESULTS_PER_PAGE: usize = 10;

/// Estimated size in bytes of a passage in a transcript file: 200 words and their times.
const PASSAGE_BYTES: u64 = 1_600;

/// Measurements of one query.
struct QueryMeasurement {
    fetches: Vec<Fetch>,
    /// Bytes of the texts from which the excerpts of the shown results are taken.
    excerpts: u64,
    is_found: bool,
}

/// Prints the table of first queries.
pub fn run(site: &Site, known: &[KnownItem]) {
    let folder = Folder::new(&site.public());
    let asked: Vec<QueryMeasurement> = known.iter().map(|item| run_query(&folder, item)).collect();
    println!("\nThe first query, nothing cached: {} known items", known.len());
    let of = |is_wanted: fn(Kind) -> bool| {
        let wanted = asked.iter().map(|one| {
            let wanted = one.fetches.iter().filter(|fetch| is_wanted(fetch.kind));
            bytes(wanted)
        });
        wanted.collect()
    };
    let fetches_to_first_results = asked.iter().map(|one| bytes(one.fetches_to_first_results()));
    let with_texts = asked.iter().map(|one| bytes(one.fetches_to_first_results()) + one.excerpts);
    let mut rows = vec![
        row("bytes of the entry", of(|kind| kind == Kind::Entry), ""),
        row("bytes of words", of(|kind| kind == Kind::Words), ""),
        row("bytes of listings", of(|kind| kind == Kind::Listings), ""),
        row("bytes of words of titles", of(|kind| kind == Kind::Titles), ""),
        row(
            "bytes to the first results",
            fetches_to_first_results.collect(),
            "100,000 (100,000 items: 250,000)",
        ),
        row("bytes with the texts of ten results", with_texts.collect(), ""),
        row("bytes with similar words, if asked for", of(|_| true), ""),
        row(
            "fetches, with similar words",
            asked.iter().map(|one| one.fetches.len() as u64).collect(),
            "",
        ),
        row(
            "fetches one behind the other, to the first results",
            asked.iter().map(|one| round_trips(one.fetches_to_first_results())).collect(),
            "3",
        ),
        row(
            "fetches one behind the other, with similar words",
            asked.iter().map(|one| round_trips(&one.fetches)).collect(),
            "",
        ),
    ];
    let found = asked.iter().filter(|one| one.is_found).count();
    rows.push(vec![
        "the item is among the first three".to_owned(),
        percentage(found, asked.len()),
        String::new(),
        String::new(),
    ]);
    rows.push(vec![
        "bytes of the script, compressed, when search is used".to_owned(),
        group_digits(folder.compressed_size("search/search.js")),
        String::new(),
        "10,240".to_owned(),
    ]);
    print(&["feedwright", "median", "most", "aim"], &rows);
}

fn run_query(folder: &Folder, item: &KnownItem) -> QueryMeasurement {
    folder.take_fetches();
    let reader = Reader::open(folder).expect("the index can be read");
    let found = reader.search(&item.query, RESULTS_PER_PAGE);
    let found = found.expect("the index can be read");
    let path = |one: &Found| {
        let path = percent_encoding::percent_decode_str(&one.listing.path);
        format!("/{}", path.decode_utf8_lossy())
    };
    QueryMeasurement {
        fetches: folder.take_fetches(),
        excerpts: found.iter().map(|one| excerpt(folder, one)).sum(),
        is_found: found.iter().take(3).any(|one| path(one) == item.path),
    }
}

fn excerpt(folder: &Folder, found: &Found) -> u64 {
    let text = found.listing.text.as_ref();
    let text = text.map_or(0, |path| folder.compressed_size(path));
    text + found.passages.len() as u64 * PASSAGE_BYTES
}

impl QueryMeasurement {
    /// Returns the fetches until the first page of results is complete, up to the listings of the
    /// documents that match without typos. Later fetches only serve similar words, which are
    /// requested separately: every known item matches its query exactly.
    fn fetches_to_first_results(&self) -> &[Fetch] {
        let is_listing = |fetch: &Fetch| fetch.kind == Kind::Listings;
        let first = self.fetches.iter().position(is_listing);
        let first = first.unwrap_or(self.fetches.len());
        let listings = self.fetches[first..].iter().take_while(|fetch| is_listing(fetch));
        &self.fetches[..first + listings.count()]
    }
}

/// Returns the number of sequential round trips. Consecutive fetches of one kind are sent in
/// parallel, because the files fetched before them name all of them.
fn round_trips(fetches: &[Fetch]) -> u64 {
    let mut kinds: Vec<Kind> = fetches.iter().map(|fetch| fetch.kind).collect();
    kinds.dedup();
    kinds.len() as u64
}

fn bytes<'f>(fetches: impl IntoIterator<Item = &'f Fetch>) -> u64 {
    fetches.into_iter().map(|fetch| fetch.bytes).sum()
}

/// Formats a table row with the median and the maximum of the numbers.
pub fn row(name: &str, mut numbers: Vec<u64>, aim: &str) -> Vec<String> {
    numbers.sort_unstable();
    let at = |at: usize| group_digits(numbers.get(at).copied().unwrap_or_default());
    vec![
        name.to_owned(),
        at(numbers.len() / 2),
        at(numbers.len().saturating_sub(1)),
        aim.to_owned(),
    ]
}

/// Formats `part` as a percentage of `whole`.
pub fn percentage(part: usize, whole: usize) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole as f64)
}
