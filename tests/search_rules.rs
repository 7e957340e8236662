//! What a search finds, in which order, and what it shows of it.

use std::sync::atomic::{AtomicBool, Ordering};

use feedwright::search::{
    Document, Field, Found, Hit, Index, Kind, Query, QueryError, SearchError, Segment, Status,
};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

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

/// Items with the ids 0, 1, … of which each has one of these titles.
fn titles(titles: &[&str]) -> Index {
    let items = titles.iter().enumerate();
    let items: Vec<_> = items
        .map(|(number, title)| item(&number.to_string(), title, ""))
        .collect();
    index(&items)
}

fn found(index: &Index, text: &str) -> Vec<String> {
    ids(&index.search(&Query::new(text)).unwrap())
}

fn ids(found: &Found) -> Vec<String> {
    found.hits.iter().map(|hit| hit.id.clone()).collect()
}

fn finds(index: &Index, text: &str, expected: &[&str]) {
    let mut found = found(index, text);
    found.sort();
    assert_eq!(found, expected, "{text:?}");
}

/// The segments as one text, with what matched in brackets.
fn shown(segments: &[Segment]) -> String {
    let show = |segment: &Segment| match segment.matched {
        true => format!("[{}]", segment.text),
        false => segment.text.clone(),
    };
    segments.iter().map(show).collect()
}

fn joined(segments: &[Segment]) -> String {
    segments.iter().map(|segment| &*segment.text).collect()
}

fn only_hit(index: &Index, text: &str) -> Hit {
    let mut found = index.search(&Query::new(text)).unwrap();
    assert_eq!(found.hits.len(), 1, "{text:?}");
    found.hits.remove(0)
}

fn refused(index: &Index, query: &Query<'_>) -> &'static str {
    match index.search(query) {
        Err(SearchError::Query(QueryError { field, message })) => {
            assert!(!message.is_empty());
            field
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn terms_are_combined_with_and_over_title_and_content() {
    let index = index(&[
        item("both", "Growing tomatoes", "In a greenhouse."),
        item("one", "Growing up", "In a town."),
    ]);
    finds(&index, "tomatoes greenhouse", &["both"]);
    finds(&index, "greenhouse growing", &["both"]);
    finds(&index, "growing", &["both", "one"]);
    finds(&index, "growing nothing", &[]);
}

#[test]
fn case_and_diacritics_are_folded() {
    let index = titles(&[
        "Café",
        "cafe\u{301}",
        "STRASSE",
        "Straße",
        "İstanbul",
        "ΟΔΟΣ",
        "Łódź",
        "Ångström",
        "हिन्दी",
        "עִבְרִית",
        "العَرَبِيَّة",
        "Ёлка",
    ]);
    for (text, expected) in [
        ("cafe", &["0", "1"][..]),
        ("CAFÉ", &["0", "1"]),
        ("cafe\u{301}", &["0", "1"]),
        ("straße", &["2", "3"]),
        ("strasse", &["2", "3"]),
        ("istanbul", &["4"]),
        ("İSTANBUL", &["4"]),
        ("οδος", &["5"]),
        ("οδός", &["5"]),
        ("lodz", &["6"]),
        ("angstrom", &["7"]),
        ("A\u{30a}ngstro\u{308}m", &["7"]),
        ("हिन्दी", &["8"]),
        ("हिन्द", &["8"]),
        ("हद", &[]),
        ("עברית", &["9"]),
        ("العربية", &["10"]),
        ("елка", &["11"]),
    ] {
        finds(&index, text, expected);
    }
}

#[test]
fn the_last_unquoted_word_is_also_a_prefix() {
    let index = titles(&["Podcasting today", "Podcast", "Today's pod"]);
    finds(&index, "podcas", &["0", "1"]);
    finds(&index, "today podcas", &["0"]);
    finds(&index, "podcas today", &[]);
    finds(&index, "pod \"today\"", &["0", "2"]);
    finds(&index, "\"podcas\"", &[]);
    assert_eq!(
        found(&index, "podcast"),
        ["1", "0"],
        "a whole word goes first"
    );
}

#[test]
fn quoted_clauses_are_exact_phrases() {
    let index = index(&[
        item(
            "a",
            "The quick brown fox",
            "Don't panic, it's only an e-mail.",
        ),
        item("b", "The brown quick fox", "Panic! Don't mail; e."),
        item("c", "Quick", "brown"),
    ]);
    for (text, expected) in [
        ("\"quick brown\"", &["a"][..]),
        ("'quick brown'", &["a"]),
        ("“quick brown”", &["a"]),
        ("\"QUICK, brown\" fox", &["a"]),
        ("\"quick bro\"", &[]),
        ("\"quick fox\"", &["b"]),
        ("quick brown", &["a", "b", "c"]),
        ("don't", &["a", "b"]),
        ("don’t panic", &["a", "b"]),
        ("'don't panic'", &["a"]),
        ("e-mail", &["a"]),
        ("e-m", &["a"]),
        ("e-mai", &["a"]),
        ("e-i", &[]),
        ("it's o", &["a"]),
        ("\"quick brown", &["a", "b", "c"]),
        ("\"quick brown\" \"fox\"", &["a"]),
        ("\"\" quick", &["a", "b", "c"]),
    ] {
        finds(&index, text, expected);
    }
}

#[test]
fn exact_matches_come_before_typos_in_titles() {
    let index = index(&[
        item("title", "Kubernetes", ""),
        item("near", "Kubernetex", ""),
        item("far", "Kuberentex", ""),
        item("content", "Something", "kubernetes is in the text"),
        item("typo in content", "Something", "kubernetex is in the text"),
    ]);
    assert_eq!(
        found(&index, "kubernetes"),
        ["title", "content", "near", "far"]
    );
    assert_eq!(found(&index, "ubernetes"), ["title", "near"]);
    let mut content = Query::new("kubernetex");
    content.fields = vec![Field::Content];
    assert_eq!(ids(&index.search(&content).unwrap()), ["typo in content"]);
}

#[test]
fn typos_are_tolerated_by_length() {
    let index = titles(&[
        "cat",
        "Rust",
        "Docker",
        "Kubernetes",
        "mp3s win10",
        "Café",
        "漢字",
    ]);
    for (text, expected) in [
        ("bat", &[][..]),
        ("rsut", &["1"]),
        ("dust", &["1"]),
        ("ruts", &["1"]),
        ("ursst", &[]),
        ("doker", &["2"]),
        ("dokre", &[]),
        ("qubernets", &["3"]),
        ("qubrnets", &[]),
        ("mp4s", &[]),
        ("win11", &[]),
        ("cafa", &["5"]),
        ("\"rsut\"", &[]),
        ("rsut docker", &[]),
    ] {
        finds(&index, text, expected);
    }
    let index = titles(&["Docker 漢字"]);
    finds(&index, "doker", &["0"]);
    finds(&index, "doker 漢", &["0"]);
    finds(&index, "doker 漢字", &[]);
    finds(&index, "doker \"漢\"", &["0"]);
    finds(&index, "doker \"docker\"", &[]);
}

#[test]
fn the_eight_scripts_match_as_substrings() {
    for (text, inside, absent) in [
        ("我们学习编程语言", "习编程", "习程"),
        ("これはひらがなです", "らがな", "らなが"),
        ("コンピューターの本", "ピュータ", "ピタ"),
        ("대한민국의 수도", "한민국", "한국"),
        ("ภาษาไทยง่ายมาก", "ไทยง่", "ไทยมาก"),
        ("ພາສາລາວງ່າຍ", "າລາວ", "ລາງ່"),
        ("ភាសាខ្មែរ", "សាខ្ម", "សាម"),
        ("မြန်မာဘာသာ", "န်မာဘ", "နဘာ"),
    ] {
        for index in [index(&[item("0", text, "")]), index(&[item("0", "", text)])] {
            finds(&index, inside, &["0"]);
            finds(&index, text, &["0"]);
            finds(&index, &format!("'{inside}'"), &["0"]);
            finds(&index, &inside.nfd().collect::<String>(), &["0"]);
            finds(&index, absent, &[]);
        }
    }
}

#[test]
fn substrings_are_literal() {
    let index = index(&[
        item("a", "入門Rust言語！", "Trust言語、東京 Tower"),
        item("b", "Rust 言語", "東京Tower"),
        item(
            "c",
            "か\u{3099}っこう",
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}",
        ),
        item("d", "Café東京", "言語"),
    ]);
    for (text, expected) in [
        ("rust言語", &["a"][..]),
        ("RUST言", &["a"]),
        ("言語！", &["a"]),
        ("\"東京 tower\"", &["a"]),
        ("東京tower", &["b"]),
        ("rust 言語", &["a", "b"]),
        ("がっこ", &["c"]),
        ("か\u{3099}っこ", &["c"]),
        ("かっこ", &[]),
        ("한글", &["c"]),
        ("caf\u{e9}東", &["d"]),
        ("cafe\u{301}東", &["d"]),
        ("cafe東", &[]),
        ("東京 言語", &["a", "b", "d"]),
        ("東京言語", &[]),
    ] {
        finds(&index, text, expected);
    }
}

#[test]
fn single_characters_match_as_words_and_prefixes() {
    let index = titles(&[
        "A plan", "Apple", "Banana", "東京", "上海", "x上", "5 things",
    ]);
    finds(&index, "a", &["0", "1"]);
    finds(&index, "\"a\"", &["0"]);
    finds(&index, "東", &["3"]);
    finds(&index, "海", &["4"]);
    finds(&index, "上", &["4", "5"]);
    finds(&index, "5", &["6"]);
    finds(&index, "z", &[]);
    let index = self::index(&[item("0", "", "Rust言語x 東京 über")]);
    for (text, found) in [
        ("r", true),
        ("言", true),
        ("語", true),
        ("京", true),
        ("t", false),
        ("x", true),
        ("u", true),
        ("ü", true),
    ] {
        finds(&index, text, if found { &["0"] } else { &[] });
    }
}

#[test]
fn nothing_typed_is_query_syntax() {
    let index = titles(&["AND or NOT near", "title content", "plain"]);
    for text in [
        "plain AND",
        "plain*",
        "^plain",
        "(plain",
        "plain)",
        "plain -",
        "\"plain",
        "plain \"",
        "+plain",
        "{plain}",
        "plain;",
        "'plain",
        "plain\0",
        "?plain",
        "%plain",
    ] {
        let expected: &[&str] = if text == "plain AND" { &[] } else { &["2"] };
        finds(&index, text, expected);
    }
    finds(&index, "AND", &["0"]);
    finds(&index, "NOT near", &["0"]);
    finds(&index, "NEAR(or not)", &[]);
    finds(&index, "NEAR/3", &[]);
    finds(&index, "title:content", &["1"]);
    finds(&index, "title : plain", &[]);
    for text in [
        "*", "\"", "\"\"", "-- ()", " ", "…", "🎉", "\u{301}", "\u{200d}",
    ] {
        finds(&index, text, &[]);
    }
}

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
        hits.map(|hit| format!("{:?} {}", hit.kind, hit.id))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        search(&|_| {}),
        ["Item 2", "Item 1", "Item 3"],
        "newest first"
    );
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
    assert_eq!(
        search(&|q| q.published_after_ms = Some(999)),
        ["Item 2", "Item 1"]
    );
    assert_eq!(search(&|q| q.published_before_ms = Some(2000)), ["Item 1"]);
    assert_eq!(
        search(&|q| q.published_before_ms = Some(2001)),
        ["Item 2", "Item 1"]
    );
    assert_eq!(search(&|q| q.fields = vec![Field::Content]), [""; 0]);
    assert_eq!(search(&|q| q.fields = vec![Field::Title]).len(), 3);
    assert_eq!(
        search(&|q| (q.text, q.fields) = ("other", vec![Field::Title])),
        [""; 0]
    );
    assert_eq!(
        search(&|q| (q.text, q.fields) = ("other", vec![Field::Content])).len(),
        3
    );
}

#[test]
fn parameters_out_of_bounds_are_named() {
    let index = titles(&["word"]);
    assert_eq!(refused(&index, &Query::new("")), "q");
    assert_eq!(refused(&index, &Query::new(&"é".repeat(201))), "q");
    assert!(index.search(&Query::new(&"é".repeat(200))).is_ok());
    let mut query = Query::new("word");
    for limit in [0, 101] {
        query.limit = limit;
        assert_eq!(refused(&index, &query), "limit");
    }
    query.limit = 100;
    let long = "a".repeat(2049);
    for cursor in ["", &long, "?", "AAAA", &long[..2048]] {
        query.cursor = Some(cursor);
        assert_eq!(refused(&index, &query), "next_cursor");
    }
}

/// Documents for several tiers, with equal scores and dates among them.
fn many() -> Vec<Document> {
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

#[test]
fn titles_are_shown_whole_with_what_matched() {
    for (title, text, expected) in [
        ("The Café & <b>", "cafe", "The [Café] & <b>"),
        ("The cafe\u{301}s", "cafe", "The [cafe\u{301}s]"),
        ("Straße nach Łódź", "lodz strasse", "[Straße] nach [Łódź]"),
        (
            "Quick brown, quick fox",
            "\"quick fox\"",
            "Quick brown, [quick fox]",
        ),
        (
            "Learn Kubernetes now",
            "kubrenetes",
            "Learn [Kubernetes] now",
        ),
        ("入門Rust言語！", "rust言", "入門[Rust言]語！"),
        ("か\u{3099}っこう", "がっ", "[か\u{3099}っ]こう"),
        ("İ東京İ", "東京i\u{307}", "İ[東京İ]"),
        ("東京と東京", "東", "[東]京と[東]京"),
        ("don’t stop", "don't", "[don’t] stop"),
        ("one two three", "three one", "[one] two [three]"),
        (
            "Rust 言語 guide rust guide",
            "'rust guide'",
            "Rust 言語 guide [rust guide]",
        ),
    ] {
        let hit = only_hit(&index(&[item("0", title, "")]), text);
        assert_eq!(shown(&hit.title), expected, "{text:?}");
        assert_eq!(joined(&hit.title), title);
        assert_eq!(hit.content_text, []);
    }
}

#[test]
fn content_is_shown_in_excerpts() {
    let filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(20);
    let text = format!("{filler}First needle here. {filler}Then a haystack. {filler}End");
    let hay = index(&[item("0", "Title", &text)]);
    let shown_content = |text: &str| shown(&only_hit(&hay, text).content_text);

    let one = shown_content("needle");
    assert!(one.starts_with('…') && one.ends_with('…'), "{one}");
    assert!(one.contains("First [needle] here."), "{one}");
    assert!((120..190).contains(&one.chars().count()), "{one}");

    let two = shown_content("needle haystack");
    assert!(
        two.contains("[needle]") && two.contains("[haystack]"),
        "{two}"
    );
    assert_eq!(two.matches(" … ").count(), 1, "{two}");

    let rare = shown_content("lorem haystack");
    assert!(rare.contains("[haystack]"), "every term is shown: {rare}");

    let end = shown_content("end");
    assert!(end.ends_with("[End]"), "{end}");
    let start = shown_content("title");
    assert!(
        start.starts_with("Lorem") && start.ends_with('…'),
        "{start}"
    );

    let short = index(&[item("0", "Title", "Short text.")]);
    let hit = only_hit(&short, "short");
    assert_eq!(shown(&hit.content_text), "[Short] text.");
    let mut query = Query::new("short title");
    query.fields = vec![Field::Title];
    assert!(short.search(&query).unwrap().hits.is_empty());

    let dense = index(&[item("0", "", &format!("{0}東京{0}", "ภาษาไทย".repeat(60)))]);
    let content = shown(&only_hit(&dense, "東京").content_text);
    assert!(content.contains("[東京]"), "{content}");
    assert!((120..190).contains(&content.chars().count()), "{content}");
}

#[test]
fn syncing_touches_only_what_changed() {
    let index = Index::in_memory().unwrap();
    let documents = many();
    let list = |documents: &[Document]| -> Vec<(Kind, String, u64)> {
        let keys = documents.iter();
        keys.map(|d| (d.kind, d.id.clone(), d.fingerprint))
            .collect()
    };
    let sync = |documents: &[Document]| {
        let listed = list(documents);
        let listed = listed
            .iter()
            .map(|(kind, id, print)| (*kind, id.as_str(), *print));
        let synced = index
            .sync(listed, |_, id| {
                documents.iter().find(|d| d.id == id).cloned()
            })
            .unwrap();
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
fn an_update_replaces_and_removes() {
    let index = index(&[item("a", "Zeppelin", "old"), item("b", "Balloon", "")]);
    let changed = [item("a", "Airship", "new"), item("a", "Blimp", "newer")];
    index
        .update(&changed, &[(Kind::Item, "b"), (Kind::Page, "a")])
        .unwrap();
    finds(&index, "blimp", &["a"]);
    finds(&index, "newer", &["a"]);
    for gone in ["zeppelin", "zepelin", "old", "airship", "new ", "balloon"] {
        let expected: &[&str] = if gone == "new " { &["a"] } else { &[] };
        finds(&index, gone, expected);
    }
}

#[test]
fn the_file_outlives_the_program_and_any_damage() {
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

    std::fs::write(
        &path,
        "this is no database, and long enough to be taken for one".repeat(99),
    )
    .unwrap();
    assert_eq!(open(), 1);
    assert_eq!(open(), 0);

    let size = std::fs::metadata(&path).unwrap().len();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(size / 2).unwrap();
    assert_eq!(open(), 1);

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch("PRAGMA user_version = 99")
        .unwrap();
    drop(connection);
    assert_eq!(open(), 1);

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE documents").unwrap();
    drop(connection);
    assert_eq!(open(), 1);
}

#[test]
fn two_processes_may_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.sqlite");
    let (one, two) = (Index::open(&path).unwrap(), Index::open(&path).unwrap());
    one.update(&[item("a", "Apple", "")], &[]).unwrap();
    two.update(&[item("b", "Banana", "")], &[]).unwrap();
    one.update(&[item("c", "Cherry", ""), item("b", "Blueberry", "")], &[])
        .unwrap();
    two.update(&[], &[(Kind::Item, "a")]).unwrap();
    let again = Index::open(&path).unwrap();
    for index in [&two, &again] {
        assert!(found(index, "apple").is_empty() && found(index, "banana").is_empty());
        assert_eq!(found(index, "blueberry"), ["b"]);
        assert_eq!(found(index, "cherry"), ["c"]);
    }
}

#[test]
fn searching_goes_on_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(&folder.path().join("search.sqlite")).unwrap();
    index.update(&many(), &[]).unwrap();
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

fn words(alphabet: &'static [&'static str], most: usize) -> impl Strategy<Value = String> + Clone {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..=most)
        .prop_map(|w| w.join(" "))
}

fn letters(
    alphabet: &'static [&'static str],
    most: usize,
) -> impl Strategy<Value = String> + Clone {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..=most).prop_map(|l| l.concat())
}

fn documents(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Vec<Document>> {
    proptest::collection::vec((text.clone(), text), 1..12).prop_map(|texts| {
        let texts = texts.into_iter().enumerate();
        texts
            .map(|(number, (title, text))| item(&format!("{number:02}"), &title, &text))
            .collect()
    })
}

const SHORT: &[&str] = &["a", "ab", "abc", "Ábc", "b", "ba", "bca", "c3", "é"];
const DENSE: &[&str] = &[
    "東", "京", "か", "\u{3099}", "が", "ー", "한", "\u{1112}", "\u{1161}", "\u{11ab}", "ไ", "ท",
    "ย", "R", "é", "e", "\u{301}", " ", "、", "-",
];

fn normal(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase()
}

fn unaccented(text: &str) -> String {
    let plain = text.to_lowercase();
    plain.replace('á', "a").replace('é', "e")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_query_is_answered(queries in proptest::collection::vec("\\PC{1,200}|[\"'*^:(){}a東 \u{301}-]{1,40}", 8)) {
        let index = index(&[
            item("0", "a東 \"quoted\" Title", "Some text 東京, e\u{301}tc."),
            item("1", "ß", "ΑΣ σ ς"),
        ]);
        for text in queries.iter().filter(|text| text.chars().count() <= 200) {
            for hit in index.search(&Query::new(text)).unwrap().hits {
                let title = if hit.id == "0" { "a東 \"quoted\" Title" } else { "ß" };
                prop_assert_eq!(joined(&hit.title), title);
            }
        }
    }

    #[test]
    fn any_text_is_shown_as_it_is(title in "\\PC{0,60}|[a東か\u{3099}\u{301}\u{ad} ]{0,40}", at in 0usize..40, length in 1usize..10) {
        let index = index(&[item("0", &title, &title.repeat(9))]);
        let query: String = title.chars().skip(at).take(length).collect();
        if !query.is_empty() {
            for hit in index.search(&Query::new(&query)).unwrap().hits {
                prop_assert_eq!(joined(&hit.title), &*title);
                for segment in hit.title.iter().chain(&hit.content_text) {
                    prop_assert!(!segment.text.is_empty());
                }
            }
        }
    }

    #[test]
    fn terms_find_what_a_scan_finds(documents in documents(words(SHORT, 6)), text in words(SHORT, 3)) {
        prop_assume!(!text.is_empty());
        let index = index(&documents);
        let wanted = unaccented(&text);
        let wanted: Vec<&str> = wanted.split(' ').collect();
        let expected: Vec<&str> = documents
            .iter()
            .filter(|document| {
                let words = unaccented(&format!("{} {}", document.title, document.text));
                let words: Vec<&str> = words.split(' ').collect();
                wanted.iter().all(|wanted| {
                    let last = wanted == &wanted_last(&text);
                    words.iter().any(|word| word == wanted || (last && word.starts_with(wanted)))
                })
            })
            .map(|document| document.id.as_str())
            .collect();
        let mut ids = found(&index, &text);
        ids.sort();
        prop_assert_eq!(ids, expected);
    }

    #[test]
    fn literals_find_what_a_scan_finds(documents in documents(letters(DENSE, 14)), text in letters(DENSE, 4)) {
        let text = format!("{text}京");
        let wanted = normal(text.trim());
        let index = index(&documents);
        let expected: Vec<&str> = documents
            .iter()
            .filter(|d| normal(&d.title).contains(&wanted) || normal(&d.text).contains(&wanted))
            .map(|document| document.id.as_str())
            .collect();
        let mut ids = found(&index, &format!("\"{text}\""));
        ids.sort();
        prop_assert_eq!(ids, expected);
    }
}

fn wanted_last(text: &str) -> String {
    unaccented(text.rsplit(' ').next().unwrap_or_default())
}
