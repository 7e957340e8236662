//! Tests of the index: its file, its updates, and concurrent use.

use std::sync::atomic::{AtomicBool, Ordering};

use search::{Document, Index, Kind};

use super::{assert_finds, found, index, item, many_documents};

#[test]
fn syncing_writes_only_changed_documents() {
    let index = Index::in_memory().unwrap();
    let documents = many_documents();
    let list = |documents: &[Document]| -> Vec<(Kind, String, u64)> {
        let keys = documents.iter();
        keys.map(|d| (d.kind, d.id.clone(), d.fingerprint)).collect()
    };
    let sync = |documents: &[Document]| {
        let listed = list(documents);
        let listed = listed.iter().map(|(kind, id, print)| (*kind, id.as_str(), *print));
        let synced =
            index.sync(listed, |_, id| documents.iter().find(|d| d.id == id).cloned()).unwrap();
        (synced.written, synced.removed)
    };
    assert_eq!(sync(&documents), (60, 0));
    assert_eq!(sync(&documents), (0, 0));
    let mut documents = documents[10..].to_vec();
    documents[0].title = "Renamed".into();
    documents[0].fingerprint = 2;
    documents.push(item("added", "Added", ""));
    assert_eq!(sync(&documents), (2, 10));
    assert_eq!(found(&index, "renamed"), [documents[0].id.as_str()]);
    assert_eq!(found(&index, "added"), ["added"]);
    assert_eq!(sync(&[]), (0, 51));
    assert!(found(&index, "kubernetes").is_empty());
}

#[test]
fn an_update_replaces_and_removes_documents() {
    let index = index(&[item("a", "Zeppelin", "old"), item("b", "Balloon", "")]);
    let changed = [item("a", "Airship", "new"), item("a", "Blimp", "newer")];
    index.update(&changed, &[(Kind::Item, "b"), (Kind::Page, "a")]).unwrap();
    assert_finds(&index, "blimp", &["a"]);
    assert_finds(&index, "newer", &["a"]);
    for gone in ["zeppelin", "zepelin", "old", "airship", "new ", "balloon"] {
        let expected: &[&str] = if gone == "new " { &["a"] } else { &[] };
        assert_finds(&index, gone, expected);
    }
}

#[test]
fn cached_frequent_words_are_invalidated_by_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.sqlite");
    let [index, other] = [(); 2].map(|()| Index::open(&path).unwrap());
    let ids: Vec<String> = (0..1500).map(|number| format!("{number:04}")).collect();
    let documents: Vec<Document> = ids.iter().map(|id| item(id, "", "river stone")).collect();
    index.update(&documents, &[]).unwrap();
    for text in ["river", "stone river", "river stone"] {
        assert_eq!(found(&index, text)[0], "0000", "{text}");
        assert_eq!(found(&index, text)[0], "0000", "{text}");
    }
    let changed = [item("0000", "", "river"), item("-", "", "river stone")];
    index.update(&changed, &[(Kind::Item, "0001")]).unwrap();
    assert_eq!(found(&index, "stone river")[..2], ["-", "0002"]);
    assert_eq!(found(&index, "river")[..3], ["-", "0000", "0002"]);
    let listed = documents[1000..].iter();
    let listed = listed.map(|d| (d.kind, &*d.id, d.fingerprint));
    other.sync(listed.clone(), |_, _| None).unwrap();
    index.sync(listed, |_, _| None).unwrap();
    assert_eq!(found(&index, "stone river")[0], "1000");
}

#[test]
fn the_index_file_is_reopened_or_rebuilt_when_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/search.sqlite");
    let listed = || [(Kind::Item, "a", 1)];
    let document = |_: Kind, _: &str| Some(item("a", "Kept", "for later"));
    let open = || {
        let index = Index::open(&path).unwrap();
        let written = index.sync(listed(), document).unwrap().written;
        assert_eq!(found(&index, "kept later"), ["a"]);
        written
    };
    assert_eq!(open(), 1);
    assert_eq!(open(), 0);

    std::fs::write(&path, "this is no database, and long enough to be taken for one".repeat(99))
        .unwrap();
    assert_eq!(open(), 1);
    assert_eq!(open(), 0);

    let size = std::fs::metadata(&path).unwrap().len();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(size / 2).unwrap();
    assert_eq!(open(), 1);

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(connection);
    assert_eq!(open(), 1);

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE documents").unwrap();
    drop(connection);
    assert_eq!(open(), 1);
}

#[test]
fn two_processes_can_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.sqlite");
    let (one, two) = (Index::open(&path).unwrap(), Index::open(&path).unwrap());
    one.update(&[item("a", "Apple", "")], &[]).unwrap();
    two.update(&[item("b", "Banana", "")], &[]).unwrap();
    one.update(&[item("c", "Cherry", ""), item("b", "Blueberry", "")], &[]).unwrap();
    two.update(&[], &[(Kind::Item, "a")]).unwrap();
    let again = Index::open(&path).unwrap();
    for index in [&two, &again] {
        assert!(found(index, "apple").is_empty() && found(index, "banana").is_empty());
        assert_eq!(found(index, "blueberry"), ["b"]);
        assert_eq!(found(index, "cherry"), ["c"]);
    }
}

#[test]
fn searches_work_during_writes() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(&folder.path().join("search.sqlite")).unwrap();
    index.update(&many_documents(), &[]).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(found(&index, "kubernetes").len() >= 20);
                }
            });
        }
        for number in 0..50 {
            let id = format!("new {number}");
            index.update(&[item(&id, "Fresh", &id)], &[]).unwrap();
            assert!(found(&index, "fresh").contains(&id) || number >= 20);
        }
        done.store(true, Ordering::Relaxed);
    });
}
