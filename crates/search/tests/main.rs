//! Tests of searches: the documents that are found, their order, and the text that is shown.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod highlights;
mod index;
mod pages;
mod parameters;
mod rules;
mod scans;
mod static_index;

use search::{Document, Found, Hit, Index, Kind, Query, QueryError, SearchError, Segment, Status};

fn item(id: &str, title: &str, text: &str) -> Document {
    Document {
        kind: Kind::Item,
        id: id.into(),
        title: title.into(),
        text: text.into(),
        status: Status::Published,
        date_published_ms: None,
        fingerprint: 1,
    }
}

fn index(documents: &[Document]) -> Index {
    let index = Index::in_memory().unwrap();
    index.update(documents, &[]).unwrap();
    index
}

/// Returns an index of items with these titles, and with consecutive ids from 0.
fn titles(titles: &[&str]) -> Index {
    let items = titles.iter().enumerate();
    let items: Vec<_> = items.map(|(number, title)| item(&number.to_string(), title, "")).collect();
    index(&items)
}

fn found(index: &Index, text: &str) -> Vec<String> {
    ids(&index.search(&Query::new(text)).unwrap())
}

fn ids(found: &Found) -> Vec<String> {
    found.hits.iter().map(|hit| hit.id.clone()).collect()
}

fn assert_finds(index: &Index, text: &str, expected: &[&str]) {
    let mut found = found(index, text);
    found.sort();
    assert_eq!(found, expected, "{text:?}");
}

/// Returns the segments as one string, with matches in brackets.
fn mark_matches(segments: &[Segment]) -> String {
    let show = |segment: &Segment| {
        if segment.matched { format!("[{}]", segment.text) } else { segment.text.clone() }
    };
    segments.iter().map(show).collect()
}

fn join_segments(segments: &[Segment]) -> String {
    segments.iter().map(|segment| &*segment.text).collect()
}

fn only_hit(index: &Index, text: &str) -> Hit {
    let mut found = index.search(&Query::new(text)).unwrap();
    assert_eq!(found.hits.len(), 1, "{text:?}");
    found.hits.remove(0)
}

fn refused_field(index: &Index, query: &Query<'_>) -> &'static str {
    match index.search(query) {
        Err(SearchError::Query(QueryError { field, message })) => {
            assert!(!message.is_empty());
            field
        }
        other => panic!("{other:?}"),
    }
}

/// Returns documents for several tiers, some of them with equal scores and dates.
fn many_documents() -> Vec<Document> {
    let titles = ["Kubernetes", "Kubernetex", "Kuberentex", "Other", "Kubernetes Kubernetes"];
    (0..60)
        .map(|number| Document {
            date_published_ms: (number % 4 > 0).then_some(number / 10),
            ..item(
                &format!("{number:02}"),
                titles[number as usize % titles.len()],
                if number % 3 == 0 { "Kubernetes" } else { "text" },
            )
        })
        .collect()
}
