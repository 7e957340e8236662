//! Tests of the parameters that narrow a search, and of the parameters that are rejected.

use search::{Document, Field, Kind, Query, Status};

use super::{index, item, refused_field, titles};

#[test]
fn filters_narrow_the_search() {
    let mut documents = Vec::new();
    for (id, kind, status, date) in [
        ("1", Kind::Item, Status::Published, Some(1000)),
        ("2", Kind::Item, Status::Unlisted, Some(2000)),
        ("3", Kind::Item, Status::Unpublished, None),
        ("1", Kind::Page, Status::Published, Some(3000)),
    ] {
        documents.push(Document {
            kind,
            status,
            date_published_ms: date,
            ..item(id, "Word", "other")
        });
    }
    let index = index(&documents);
    let search = |change: &dyn Fn(&mut Query<'_>)| {
        let mut query = Query::new("word");
        change(&mut query);
        let hits = index.search(&query).unwrap().hits.into_iter();
        hits.map(|hit| format!("{:?} {}", hit.kind, hit.id)).collect::<Vec<_>>()
    };
    assert_eq!(search(&|_| {}), ["Item 2", "Item 1", "Item 3"], "newest first");
    assert_eq!(search(&|q| q.types = vec![Kind::Page]), ["Page 1"]);
    assert_eq!(
        search(&|q| q.types = vec![Kind::Page, Kind::Item]),
        ["Page 1", "Item 2", "Item 1", "Item 3"]
    );
    assert_eq!(
        search(&|q| q.statuses = vec![Status::Unlisted, Status::Unpublished]),
        ["Item 2", "Item 3"]
    );
    assert_eq!(search(&|q| q.published_after_ms = Some(1000)), ["Item 2"]);
    assert_eq!(search(&|q| q.published_after_ms = Some(999)), ["Item 2", "Item 1"]);
    assert_eq!(search(&|q| q.published_before_ms = Some(2000)), ["Item 1"]);
    assert_eq!(search(&|q| q.published_before_ms = Some(2001)), ["Item 2", "Item 1"]);
    assert_eq!(search(&|q| q.fields = vec![Field::Content]), [""; 0]);
    assert_eq!(search(&|q| q.fields = vec![Field::Title]).len(), 3);
    assert_eq!(search(&|q| (q.text, q.fields) = ("other", vec![Field::Title])), [""; 0]);
    assert_eq!(search(&|q| (q.text, q.fields) = ("other", vec![Field::Content])).len(), 3);
}

#[test]
fn invalid_parameters_are_named_in_the_error() {
    let index = titles(&["word"]);
    assert_eq!(refused_field(&index, &Query::new("")), "q");
    assert_eq!(refused_field(&index, &Query::new(&"é".repeat(201))), "q");
    assert!(index.search(&Query::new(&"é".repeat(200))).is_ok());
    let mut query = Query::new("word");
    for limit in [0, 101] {
        query.limit = limit;
        assert_eq!(refused_field(&index, &query), "limit");
    }
    query.limit = 100;
    let long = "a".repeat(2049);
    for cursor in ["", &long, "?", "AAAA", &long[..2048]] {
        query.cursor = Some(cursor);
        assert_eq!(refused_field(&index, &query), "next_cursor");
    }
}
