//! One table of queries and what they find, in `tests/search/queries.json`, for every search of a site: the API's, the
//! static index read here, and the browser's script, which reads the same table.
//!
//! The corpus is the site of `tests/fixtures/search`. A row has the `query` and the ids that it finds, in groups: all
//! of a group come before those of the next. Within a group the order is open, as the rules only say what comes first:
//! the spelling that was typed, then other accents, one typo, two typos. Further groups stand only where relevance is
//! beyond doubt. `"where": "static"` marks rows for the static index alone, which also knows tags, authors, names
//! of seasons and episodes, and what was said.

mod folder;

use std::collections::BTreeSet;
use std::process::Command;

use search::static_index::{Found, Reader};
use serde::Deserialize;
use serde_json::Value;

use crate::support::needs::has;
use crate::support::served::{Served, serve_with};
use crate::support::small_site::{SmallSite, bare, tree};
use crate::support::{Output, Site, fixtures};
use folder::Folder;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    query: String,
    /// Ids in groups.
    found: Vec<Vec<String>>,
    #[serde(default)]
    r#where: SearchPlace,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SearchPlace {
    #[default]
    Everywhere,
    Static,
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("queries.json")).unwrap()
}

/// What is wrong with what a search found, if anything.
fn find_mismatch(row: &Row, found: &[String]) -> Option<String> {
    let mut groups = Vec::new();
    let mut rest = found;
    for group in &row.found {
        let (own, after) = rest.split_at(group.len().min(rest.len()));
        groups.push(own.to_vec());
        rest = after;
    }
    let sorted = |groups: &[Vec<String>]| -> Vec<Vec<String>> {
        let groups = groups.iter().cloned();
        groups
            .map(|mut group| {
                group.sort();
                group
            })
            .collect()
    };
    let is_right = rest.is_empty() && sorted(&groups) == sorted(&row.found);
    (!is_right).then(|| format!("{:?}: {found:?} is not {:?}", row.query, row.found))
}

fn check(rows: &[&Row], find: impl Fn(&str) -> Vec<String>) {
    let faults = rows.iter().filter_map(|row| find_mismatch(row, &find(&row.query)));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The same site, to be served.
fn corpus_site() -> SmallSite {
    let folder = fixtures().join("search");
    let files = tree(&folder).into_iter();
    files.fold(bare(), |site, (path, bytes)| site.with(&path, bytes))
}

fn search_by_api(served: &Served, query: &str) -> Vec<String> {
    let q: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let path = format!("/search/?types=items,pages&status=published&limit=100&q={q}");
    let answer = served.read(&path).ok();
    let found = answer["items"].as_array().unwrap();
    let id = |found: &Value| found["id"].as_str().unwrap().to_owned();
    found.iter().map(id).collect()
}

fn reader(built: &Output) -> Reader<Folder> {
    let folder = Folder { root: built.folder().to_owned(), base: "/blog/" };
    Reader::open(folder).unwrap()
}

fn id(found: Found) -> String {
    let listing = found.listing;
    let path = match &listing.text {
        Some(text) => text.trim_start_matches("i/").trim_end_matches("/item.json"),
        None => listing.path.trim_end_matches('/'),
    };
    path.to_owned()
}

#[test]
fn the_api_matches_the_rules_table() {
    let site = corpus_site();
    let options = site.options();
    let served = serve_with(site, options);
    let all = rows();
    let rows: Vec<&Row> = all.iter().filter(|row| row.r#where == SearchPlace::Everywhere).collect();
    assert!(rows.len() >= 80, "{} rows", rows.len());
    check(&rows, |query| search_by_api(&served, query));
}

#[test]
fn the_static_index_matches_the_rules_table() {
    let built = Site::fixture("search").build();
    let reader = reader(&built);
    let all = rows();
    let rows: Vec<&Row> = all.iter().collect();
    check(&rows, |query| {
        let found = reader.search(query, 100).unwrap();
        found.into_iter().map(id).collect()
    });
}

/// The browser's script, in a JavaScript engine. `tests/browser/search.cjs` holds the search page to the same table.
#[test]
fn the_search_script_matches_the_rules_table() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/search.test.cjs");
    let built = Site::fixture("search").build();
    let mut node = Command::new("node");
    node.args(["--test", tests]).env("SEARCH_SITE", built.folder());
    if !has("node") {
        return;
    }
    let ran = node.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
}

/// Words of the corpus, whole, begun, misspelled and in phrases, and substrings of its dense texts.
fn corpus_queries() -> BTreeSet<String> {
    let files = tree(&fixtures().join("search/content/items")).into_iter();
    let files = files.filter(|(path, _)| path.ends_with(".md"));
    let mut queries = BTreeSet::new();
    for (_, bytes) in files {
        let file = String::from_utf8(bytes).unwrap();
        let title = file.lines().find_map(|line| line.strip_prefix("title = "));
        let text = file.rsplit("+++").next().unwrap();
        for text in [title.unwrap(), text] {
            let words: Vec<&str> = text.split_whitespace().collect();
            for pair in words.windows(2) {
                queries.extend([pair.join(" "), format!("\"{}\"", pair.join(" "))]);
            }
            for word in words {
                let letters: Vec<char> = word.chars().collect();
                for length in 1..=letters.len() {
                    queries.insert(letters[..length].iter().collect());
                    let without = |(at, _): &(usize, &char)| at + 1 != length;
                    let left = letters.iter().enumerate().filter(without);
                    queries.insert(left.map(|(_, letter)| letter).collect());
                    let pair = &letters[length - 1..(length + 1).min(letters.len())];
                    queries.insert(pair.iter().collect());
                }
            }
        }
    }
    queries.remove("");
    queries
}

#[test]
fn the_api_and_the_static_index_agree() {
    let site = corpus_site();
    let options = site.options();
    let served = serve_with(site, options);
    let built = Site::fixture("search").build();
    let reader = reader(&built);
    // What only the static index knows.
    let tags = ["coffee", "energy", "clusters"];
    let known = |query: &str| {
        let words = query.to_lowercase();
        let mut words = words.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| !word.is_empty() && tags.iter().any(|tag| tag.starts_with(word)))
    };
    let mut differences = Vec::new();
    for query in corpus_queries() {
        if known(&query) {
            continue;
        }
        let found = reader.search(&query, 100).unwrap().into_iter().map(id);
        let sorted = |found: Vec<String>| -> BTreeSet<String> {
            found.into_iter().filter(|id| id != "talk").collect()
        };
        let (by_api, by_index) = (sorted(search_by_api(&served, &query)), sorted(found.collect()));
        if by_api != by_index {
            differences.push(format!("{query:?}: {by_api:?}, {by_index:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
