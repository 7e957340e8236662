//! Pages of results, and the cursors between them.

use search::{Document, Field, Index, Kind, Query, Status};

use super::{ids, index, item, many, refused};

fn pages(index: &Index, query: &Query<'_>, limit: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut query = query.clone();
        query.limit = limit;
        query.cursor = cursor.as_deref();
        let page = index.search(&query).unwrap();
        assert!(page.hits.len() == limit || page.next_cursor.is_none());
        assert!(!page.hits.is_empty() || cursor.is_none());
        found.extend(ids(&page));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return found;
        }
    }
}

#[test]
fn pages_neither_repeat_nor_skip() {
    let index = index(&many());
    let query = Query::new("kubernetes");
    let whole = pages(&index, &query, 100);
    assert_eq!(whole.len(), 52);
    for limit in [1, 2, 3, 7, 20, 51, 52, 53] {
        assert_eq!(pages(&index, &query, limit), whole, "{limit} a page");
    }
}

#[test]
fn pages_hold_across_spellings() {
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
                assert_eq!(
                    pages(&index, &query, limit),
                    whole,
                    "{text}, {limit} a page"
                );
            }
        }
    }
}

#[test]
fn very_many_matches_are_paged_too() {
    let documents: Vec<_> = (0..2500)
        .map(|number| Document {
            date_published_ms: Some(i64::from(number % 100)),
            ..item(
                &format!("{number:04}"),
                if number == 7 { "Common" } else { "Title" },
                "common",
            )
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
fn a_cursor_outlives_writes_and_belongs_to_its_query() {
    let documents = many();
    let index = index(&documents);
    let mut query = Query::new("kubernetes");
    query.limit = 10;
    let first = index.search(&query).unwrap();
    let cursor = first.next_cursor.clone().unwrap();
    query.cursor = Some(&cursor);
    index
        .update(
            &[item("new", "Kubernetes", "")],
            &[(Kind::Item, &first.hits[9].id)],
        )
        .unwrap();
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
        assert_eq!(refused(&index, &other), "next_cursor");
    }
}
