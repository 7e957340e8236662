//! Tests of the highlighted text in a hit.

use search::{Field, Query};

use super::{index, item, join_segments, mark_matches, only_hit};

#[test]
fn titles_are_shown_whole_with_highlights() {
    for (title, text, expected) in [
        ("The Café & <b>", "cafe", "The [Café] & <b>"),
        ("The cafe\u{301}s", "cafe", "The [cafe\u{301}s]"),
        ("Straße nach Łódź", "lodz strasse", "[Straße] nach [Łódź]"),
        ("Quick brown, quick fox", "\"quick fox\"", "Quick brown, [quick fox]"),
        ("Learn Kubernetes now", "kubrenetes", "Learn [Kubernetes] now"),
        ("入門Rust言語！", "rust言", "入門[Rust言]語！"),
        ("か\u{3099}っこう", "がっ", "[か\u{3099}っ]こう"),
        ("İ東京İ", "東京i\u{307}", "İ[東京İ]"),
        ("東京と東京", "東", "[東]京と[東]京"),
        ("don’t stop", "don't", "[don’t] stop"),
        ("one two three", "three one", "[one] two [three]"),
        ("Rust 言語 guide rust guide", "'rust guide'", "Rust 言語 guide [rust guide]"),
    ] {
        let hit = only_hit(&index(&[item("0", title, "")]), text);
        assert_eq!(mark_matches(&hit.title), expected, "{text:?}");
        assert_eq!(join_segments(&hit.title), title);
        assert_eq!(hit.content_text, []);
    }
}

#[test]
fn content_is_shown_in_excerpts() {
    let filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(20);
    let text = format!("{filler}First needle here. {filler}Then a haystack. {filler}End");
    let hay = index(&[item("0", "Title", &text)]);
    let shown_content = |text: &str| mark_matches(&only_hit(&hay, text).content_text);

    let one = shown_content("needle");
    assert!(one.starts_with('…') && one.ends_with('…'), "{one}");
    assert!(one.contains("First [needle] here."), "{one}");
    assert!((120..190).contains(&one.chars().count()), "{one}");

    let two = shown_content("needle haystack");
    assert!(two.contains("[needle]") && two.contains("[haystack]"), "{two}");
    assert_eq!(two.matches(" … ").count(), 1, "{two}");

    let rare = shown_content("lorem haystack");
    assert!(rare.contains("[haystack]"), "every term is shown: {rare}");

    let end = shown_content("end");
    assert!(end.ends_with("[End]"), "{end}");
    let start = shown_content("title");
    assert!(start.starts_with("Lorem") && start.ends_with('…'), "{start}");

    let short = index(&[item("0", "Title", "Short text.")]);
    let hit = only_hit(&short, "short");
    assert_eq!(mark_matches(&hit.content_text), "[Short] text.");
    let mut query = Query::new("short title");
    query.fields = vec![Field::Title];
    assert!(short.search(&query).unwrap().hits.is_empty());

    let dense = index(&[item("0", "", &format!("{0}東京{0}", "ภาษาไทย".repeat(60)))]);
    let content = mark_matches(&only_hit(&dense, "東京").content_text);
    assert!(content.contains("[東京]"), "{content}");
    assert!((120..190).contains(&content.chars().count()), "{content}");
}
