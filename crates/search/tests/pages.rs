//! Tests of result pages, and of the cursors that link them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use search::{Document, Field, Index, Kind, Query, Status};

use super::{ids, index, item, many_documents, refused_field};

fn pages(index: &Index, query: &Query<'_>, limit: usize) -> Vec<String> {
    pages_with(index, query, limit, |_| {})
}

/// Reads all pages. Calls `between` after each page except the last, so that the test can change
/// the index.
fn pages_with(
    index: &Index,
    query: &Query<'_>,
    limit: usize,
    mut between: impl FnMut(usize),
) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor: Option<String> = None;
    for page_number in 0.. {
        let mut query = query.clone();
        query.limit = limit;
        query.cursor = cursor.as_deref();
        let page = index.search(&query).unwrap();
        assert!(page.hits.len() == limit || page.next_cursor.is_none());
        assert!(!page.hits.is_empty() || cursor.is_none());
        found.extend(ids(&page));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
        between(page_number);
    }
    found
}

#[test]
fn pages_neither_repeat_nor_skip_results() {
    let index = index(&many_documents());
    let query = Query::new("kubernetes");
    let whole = pages(&index, &query, 100);
    assert_eq!(whole.len(), 52);
    for limit in [1, 2, 3, 7, 20, 51, 52, 53] {
        assert_eq!(pages(&index, &query, limit), whole, "{limit} a page");
    }
}

#[test]
fn pages_are_stable_across_spellings() {
    let words = ["Café", "Cafe", "Caffe", "Notes", "Cafés"];
    let documents = |count: usize| {
        let documents = (0..count).map(|number| Document {
            date_published_ms: Some(number as i64 / 3),
            ..item(
                &format!("{number:04}"),
                words[number % words.len()],
                if number % 7 == 0 { "A café" } else { "text" },
            )
        });
        documents.collect::<Vec<_>>()
    };
    for count in [60, 2000] {
        let index = index(&documents(count));
        for text in ["cafe", "café", "caf", "caffé"] {
            let query = Query::new(text);
            let whole = pages(&index, &query, 100);
            let mut unique = whole.clone();
            unique.sort();
            unique.dedup();
            assert_eq!(unique.len(), whole.len(), "{text}");
            for limit in [7, 53] {
                assert_eq!(pages(&index, &query, limit), whole, "{text}, {limit} a page");
            }
        }
    }
}

#[test]
fn thousands_of_matches_are_paged() {
    let documents: Vec<_> = (0..2500)
        .map(|number| Document {
            date_published_ms: Some(i64::from(number % 100)),
            ..item(&format!("{number:04}"), if number == 7 { "Common" } else { "Title" }, "common")
        })
        .collect();
    let index = index(&documents);
    let whole = pages(&index, &Query::new("common"), 100);
    assert_eq!(whole[..3], ["0007", "0099", "0199"]);
    let mut unique = whole.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), 2500);
    assert_eq!(pages(&index, &Query::new("common"), 99), whole);
}

#[test]
fn a_cursor_survives_writes_and_belongs_to_its_query() {
    let documents = many_documents();
    let index = index(&documents);
    let mut query = Query::new("kubernetes");
    query.limit = 10;
    let first = index.search(&query).unwrap();
    let cursor = first.next_cursor.clone().unwrap();
    query.cursor = Some(&cursor);
    index.update(&[item("new", "Kubernetes", "")], &[(Kind::Item, &first.hits[9].id)]).unwrap();
    let second = index.search(&query).unwrap();
    assert_eq!(second.hits.len(), 10);
    query.limit = 3;
    assert!(index.search(&query).is_ok(), "the limit may change");
    let changes: [&dyn Fn(&mut Query<'_>); 6] = [
        &|q| q.text = "kubernetex",
        &|q| q.types = vec![Kind::Page],
        &|q| q.fields = vec![Field::Title],
        &|q| q.statuses = vec![Status::Published],
        &|q| q.published_after_ms = Some(0),
        &|q| q.published_before_ms = Some(0),
    ];
    for change in changes {
        let mut other = query.clone();
        change(&mut other);
        assert_eq!(refused_field(&index, &other), "next_cursor");
    }
}

#[test]
fn unranked_results_are_paged_across_writes() {
    let common = |number: usize| {
        let text = format!("common {}", "word ".repeat(number % 13));
        item(&format!("{number:04}"), "Title", &text)
    };
    let index = index(&(0..700).map(common).collect::<Vec<_>>());
    let query = Query::new("common");
    let found = pages_with(&index, &query, 37, |page| {
        let unrelated = item(&format!("new{page}"), "Other", "words of another kind");
        let edited = (0..9).map(|step| Document {
            date_published_ms: Some(page as i64),
            ..common((page * 97 + step * 41) % 650)
        });
        let edited: Vec<_> = edited
            .map(|one| Document { text: format!("{} common common", one.text), ..one })
            .chain([unrelated])
            .collect();
        let gone = format!("{:04}", 650 + page);
        index.update(&edited, &[(Kind::Item, &gone)]).unwrap();
    });
    let unique: BTreeSet<_> = found.iter().collect();
    assert_eq!(unique.len(), found.len(), "one is repeated");
    let kept = |number: &usize| unique.contains(&format!("{number:04}"));
    assert_eq!((0..650).find(|number| !kept(number)), None, "one is skipped");
}

#[derive(Debug, Clone)]
enum Change {
    Put(u8, u8),
    Remove(u8),
}

/// Titles and texts that match `harbour walk` exactly, with an accent, with a typo, or not at all.
const FORMS: [(&str, &str); 7] = [
    ("Harbour walk", ""),
    ("A walk", "to the harbour, and back to the harbour"),
    ("Hárbour", "walk walk walk walk"),
    ("Harbuor walk", ""),
    ("Something else", "of which nobody asked"),
    ("Walk", "a text without it"),
    ("Long", "harbour walk and very many other words that say nothing, and nothing, and nothing"),
];

fn matches(form: u8) -> bool {
    !matches!(usize::from(form) % FORMS.len(), 4 | 5)
}

fn document_of_form(id: u8, form: u8) -> Document {
    let (title, text) = FORMS[usize::from(form) % FORMS.len()];
    Document {
        date_published_ms: (!form.is_multiple_of(3)).then_some(i64::from(form)),
        ..item(&id.to_string(), title, text)
    }
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (any::<u8>(), any::<u8>()).prop_map(|(id, form)| Change::Put(id, form)),
        1 => any::<u8>().prop_map(Change::Remove),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Adds, edits and removes matching and other items while the pages are read.
    #[test]
    fn constant_matches_appear_on_exactly_one_page(
        before in prop::collection::vec(any::<(u8, u8)>(), 1..70),
        changes in prop::collection::vec(prop::collection::vec(change(), 0..12), 1..20),
        limit in 1..9_usize,
    ) {
        let mut forms: BTreeMap<u8, u8> = before.into_iter().collect();
        let index = index(&forms.iter().map(|(id, form)| document_of_form(*id, *form)).collect::<Vec<_>>());
        let matching = |forms: &BTreeMap<u8, u8>| -> BTreeSet<u8> {
            forms.iter().filter(|(_, form)| matches(**form)).map(|(id, _)| *id).collect()
        };
        let mut throughout = matching(&forms);
        let mut came_back = BTreeSet::new();
        let found = pages_with(&index, &Query::new("harbour walk"), limit, |page| {
            let Some(changes) = changes.get(page) else { return };
            for change in changes {
                match *change {
                    Change::Put(id, form) => {
                        forms.insert(id, form);
                        index.update(&[document_of_form(id, form)], &[]).unwrap();
                    }
                    Change::Remove(id) => {
                        forms.remove(&id);
                        index.update(&[], &[(Kind::Item, &id.to_string())]).unwrap();
                        came_back.insert(id);
                    }
                }
            }
            let now = matching(&forms);
            throughout.retain(|id| now.contains(id));
        });
        let unique: BTreeSet<u8> = found.iter().map(|id| id.parse().unwrap()).collect();
        prop_assert_eq!(unique.len(), found.len(), "one is repeated");
        let skipped: Vec<&u8> = throughout.difference(&unique).filter(|id| !came_back.contains(id)).collect();
        prop_assert!(skipped.is_empty(), "skipped: {:?}", skipped);
    }
}
