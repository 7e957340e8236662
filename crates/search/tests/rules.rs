//! Tests of the matching rules, one test per rule.

use search::{Field, Query};
use unicode_normalization::UnicodeNormalization as _;

use super::{assert_finds, found, ids, index, item, titles};

#[test]
fn terms_are_combined_with_and_over_title_and_content() {
    let index = index(&[
        item("both", "Growing tomatoes", "In a greenhouse."),
        item("one", "Growing up", "In a town."),
    ]);
    assert_finds(&index, "tomatoes greenhouse", &["both"]);
    assert_finds(&index, "greenhouse growing", &["both"]);
    assert_finds(&index, "growing", &["both", "one"]);
    assert_finds(&index, "growing nothing", &[]);
}

#[test]
fn case_and_diacritics_are_folded() {
    let index = titles(&[
        "Café", "cafe\u{301}", "STRASSE", "Straße", "İstanbul", "ΟΔΟΣ", "Łódź", "Ångström",
        "हिन्दी", "עִבְרִית", "العَرَبِيَّة", "Ёлка",
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
        assert_finds(&index, text, expected);
    }
}

#[test]
fn the_exact_spelling_ranks_first() {
    let index = index(&[
        item("accent", "Café", ""),
        item("plain", "A cafe of which the title says more than that", ""),
        item("both", "Notes", "Of a café, or cafe."),
        item("typo", "Caffe", ""),
        item("longer", "Cafés", ""),
    ]);
    for (text, expected) in [
        ("cafe", "both plain, accent longer, typo"),
        ("café", "accent both longer, plain, typo"),
        ("CAFE\u{301}", "accent both longer, plain, typo"),
        ("\"café\"", "accent both, plain"),
        ("\"cafe\"", "both plain, accent"),
        ("caf", "accent both longer plain typo"),
        ("cafés", "longer, accent plain"),
        ("café cafe", "both, accent plain, longer typo"),
    ] {
        let mut rest = found(&index, text);
        for group in expected.split(", ") {
            let expected: Vec<&str> = group.split(' ').collect();
            let others = rest.split_off(expected.len().min(rest.len()));
            rest.sort();
            assert_eq!(rest, expected, "{text}");
            rest = others;
        }
        assert!(rest.is_empty(), "{text}: {rest:?}");
    }
}

#[test]
fn the_last_unquoted_word_is_also_a_prefix() {
    let index = titles(&["Podcasting today", "Podcast", "Today's pod"]);
    assert_finds(&index, "podcas", &["0", "1"]);
    assert_finds(&index, "today podcas", &["0"]);
    assert_finds(&index, "podcas today", &[]);
    assert_finds(&index, "pod \"today\"", &["0", "2"]);
    assert_finds(&index, "\"podcas\"", &[]);
    assert_eq!(found(&index, "podcast"), ["1", "0"], "a whole word goes first");
}

#[test]
fn quoted_clauses_are_exact_phrases() {
    let index = index(&[
        item("a", "The quick brown fox", "Don't panic, it's only an e-mail."),
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
        assert_finds(&index, text, expected);
    }
}

#[test]
fn exact_matches_rank_before_typos_in_titles() {
    let index = index(&[
        item("title", "Kubernetes", ""),
        item("near", "Kubernetex", ""),
        item("far", "Kuberentex", ""),
        item("content", "Something", "kubernetes is in the text"),
        item("typo in content", "Something", "kubernetex is in the text"),
    ]);
    assert_eq!(found(&index, "kubernetes"), ["title", "content", "near", "far"]);
    assert_eq!(found(&index, "ubernetes"), ["title", "near"]);
    let mut content = Query::new("kubernetex");
    content.fields = vec![Field::Content];
    assert_eq!(ids(&index.search(&content).unwrap()), ["typo in content"]);
}

#[test]
fn typos_are_tolerated_by_length() {
    let index = titles(&["cat", "Rust", "Docker", "Kubernetes", "mp3s win10", "Café", "漢字"]);
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
        assert_finds(&index, text, expected);
    }
    let index = titles(&["Docker 漢字"]);
    assert_finds(&index, "doker", &["0"]);
    assert_finds(&index, "doker 漢", &["0"]);
    assert_finds(&index, "doker 漢字", &[]);
    assert_finds(&index, "doker \"漢\"", &["0"]);
    assert_finds(&index, "doker \"docker\"", &[]);
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
            assert_finds(&index, inside, &["0"]);
            assert_finds(&index, text, &["0"]);
            assert_finds(&index, &format!("'{inside}'"), &["0"]);
            assert_finds(&index, &inside.nfd().collect::<String>(), &["0"]);
            assert_finds(&index, absent, &[]);
        }
    }
}

#[test]
fn substrings_are_literal() {
    let index = index(&[
        item("a", "入門Rust言語！", "Trust言語、東京 Tower"),
        item("b", "Rust 言語", "東京Tower"),
        item("c", "か\u{3099}っこう", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
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
        assert_finds(&index, text, expected);
    }
}

#[test]
fn single_characters_match_as_words_and_prefixes() {
    let index = titles(&["A plan", "Apple", "Banana", "東京", "上海", "x上", "5 things"]);
    assert_finds(&index, "a", &["0", "1"]);
    assert_finds(&index, "\"a\"", &["0"]);
    assert_finds(&index, "東", &["3"]);
    assert_finds(&index, "海", &["4"]);
    assert_finds(&index, "上", &["4", "5"]);
    assert_finds(&index, "5", &["6"]);
    assert_finds(&index, "z", &[]);
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
        assert_finds(&index, text, if found { &["0"] } else { &[] });
    }
}

#[test]
fn input_is_never_query_syntax() {
    let index = titles(&["AND or NOT near", "title content", "plain"]);
    for text in [
        "plain AND", "plain*", "^plain", "(plain", "plain)", "plain -", "\"plain", "plain \"",
        "+plain", "{plain}", "plain;", "'plain", "plain\0", "?plain", "%plain",
    ] {
        let expected: &[&str] = if text == "plain AND" { &[] } else { &["2"] };
        assert_finds(&index, text, expected);
    }
    assert_finds(&index, "AND", &["0"]);
    assert_finds(&index, "NOT near", &["0"]);
    assert_finds(&index, "NEAR(or not)", &[]);
    assert_finds(&index, "NEAR/3", &[]);
    assert_finds(&index, "title:content", &["1"]);
    assert_finds(&index, "title : plain", &[]);
    for text in ["*", "\"", "\"\"", "-- ()", " ", "…", "🎉", "\u{301}", "\u{200d}"] {
        assert_finds(&index, text, &[]);
    }
}
