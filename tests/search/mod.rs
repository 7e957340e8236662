//! What a search finds, in which order, and what it shows of it.

mod highlights;
mod index;
mod pages;
mod parameters;
mod rules;
mod scans;

use feedwright::search::{
    Document, Found, Hit, Index, Kind, Query, QueryError, SearchError, Segment, Status,
};

pub fn item(id: &str, title: &str, text: &str) -> Document {
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

pub fn index(documents: &[Document]) -> Index {
    let index = Index::in_memory().unwrap();
    index.update(documents, &[]).unwrap();
    index
}

/// Items with the ids 0, 1, … of which each has one of these titles.
pub fn titles(titles: &[&str]) -> Index {
    let items = titles.iter().enumerate();
    let items: Vec<_> = items
        .map(|(number, title)| item(&number.to_string(), title, ""))
        .collect();
    index(&items)
}

pub fn found(index: &Index, text: &str) -> Vec<String> {
    ids(&index.search(&Query::new(text)).unwrap())
}

pub fn ids(found: &Found) -> Vec<String> {
    found.hits.iter().map(|hit| hit.id.clone()).collect()
}

pub fn finds(index: &Index, text: &str, expected: &[&str]) {
    let mut found = found(index, text);
    found.sort();
    assert_eq!(found, expected, "{text:?}");
}

/// The segments as one text, with what matched in brackets.
pub fn shown(segments: &[Segment]) -> String {
    let show = |segment: &Segment| match segment.matched {
        true => format!("[{}]", segment.text),
        false => segment.text.clone(),
    };
    segments.iter().map(show).collect()
}

pub fn joined(segments: &[Segment]) -> String {
    segments.iter().map(|segment| &*segment.text).collect()
}

pub fn only_hit(index: &Index, text: &str) -> Hit {
    let mut found = index.search(&Query::new(text)).unwrap();
    assert_eq!(found.hits.len(), 1, "{text:?}");
    found.hits.remove(0)
}

pub fn refused(index: &Index, query: &Query<'_>) -> &'static str {
    match index.search(query) {
        Err(SearchError::Query(QueryError { field, message })) => {
            assert!(!message.is_empty());
            field
        }
        other => panic!("{other:?}"),
    }
}

/// Documents for several tiers, with equal scores and dates among them.
pub fn many() -> Vec<Document> {
    let titles = [
        "Kubernetes",
        "Kubernetex",
        "Kuberentex",
        "Other",
        "Kubernetes Kubernetes",
    ];
    (0..60)
        .map(|number| Document {
            date_published_ms: (number % 4 > 0).then_some(number / 10),
            ..item(
                &format!("{number:02}"),
                titles[number as usize % titles.len()],
                if number % 3 == 0 {
                    "Kubernetes"
                } else {
                    "text"
                },
            )
        })
        .collect()
}
