//! Tests that the index finds the same documents as a simple scan.

use proptest::prelude::*;
use search::{Document, Query};
use unicode_normalization::UnicodeNormalization as _;

use super::{found, index, item, join_segments};

fn words(alphabet: &'static [&'static str], max: usize) -> impl Strategy<Value = String> + Clone {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..=max).prop_map(|w| w.join(" "))
}

fn letters(alphabet: &'static [&'static str], max: usize) -> impl Strategy<Value = String> + Clone {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..=max).prop_map(|l| l.concat())
}

fn documents(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Vec<Document>> {
    proptest::collection::vec((text.clone(), text), 1..12).prop_map(|texts| {
        let texts = texts.into_iter().enumerate();
        texts.map(|(number, (title, text))| item(&format!("{number:02}"), &title, &text)).collect()
    })
}

const SHORT: &[&str] = &["a", "ab", "abc", "Ábc", "b", "ba", "bca", "c3", "é"];
const DENSE: &[&str] = &[
    "東", "京", "か", "\u{3099}", "が", "ー", "한", "\u{1112}", "\u{1161}", "\u{11ab}", "ไ", "ท",
    "ย", "R", "é", "e", "\u{301}", " ", "、", "-",
];

fn normalize(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase()
}

fn strip_accents(text: &str) -> String {
    let plain = text.to_lowercase();
    plain.replace('á', "a").replace('é', "e")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_query_is_answered_without_a_panic(queries in proptest::collection::vec("\\PC{1,200}|[\"'*^:(){}a東 \u{301}-]{1,40}", 8)) {
        let index = index(&[
            item("0", "a東 \"quoted\" Title", "Some text 東京, e\u{301}tc."),
            item("1", "ß", "ΑΣ σ ς"),
        ]);
        for text in queries.iter().filter(|text| text.chars().count() <= 200) {
            for hit in index.search(&Query::new(text)).unwrap().hits {
                let title = if hit.id == "0" { "a東 \"quoted\" Title" } else { "ß" };
                prop_assert_eq!(join_segments(&hit.title), title);
            }
        }
    }

    #[test]
    fn segments_join_to_the_original_text(title in "\\PC{0,60}|[a東か\u{3099}\u{301}\u{ad} ]{0,40}", at in 0usize..40, length in 1usize..10) {
        let index = index(&[item("0", &title, &title.repeat(9))]);
        let query: String = title.chars().skip(at).take(length).collect();
        if !query.is_empty() {
            for hit in index.search(&Query::new(&query)).unwrap().hits {
                prop_assert_eq!(join_segments(&hit.title), &*title);
                for segment in hit.title.iter().chain(&hit.content_text) {
                    prop_assert!(!segment.text.is_empty());
                }
            }
        }
    }

    #[test]
    fn terms_match_a_linear_scan(documents in documents(words(SHORT, 6)), text in words(SHORT, 3)) {
        prop_assume!(!text.is_empty());
        let index = index(&documents);
        let wanted = strip_accents(&text);
        let wanted: Vec<&str> = wanted.split(' ').collect();
        let expected: Vec<&str> = documents
            .iter()
            .filter(|document| {
                let words = strip_accents(&format!("{} {}", document.title, document.text));
                let words: Vec<&str> = words.split(' ').collect();
                wanted.iter().all(|wanted| {
                    let last = wanted == &last_word(&text);
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
    fn literals_match_a_linear_scan(documents in documents(letters(DENSE, 14)), text in letters(DENSE, 4)) {
        let text = format!("{text}京");
        let wanted = normalize(text.trim());
        let index = index(&documents);
        let expected: Vec<&str> = documents
            .iter()
            .filter(|d| normalize(&d.title).contains(&wanted) || normalize(&d.text).contains(&wanted))
            .map(|document| document.id.as_str())
            .collect();
        let mut ids = found(&index, &format!("\"{text}\""));
        ids.sort();
        prop_assert_eq!(ids, expected);
    }
}

fn last_word(text: &str) -> String {
    strip_accents(text.rsplit(' ').next().unwrap_or_default())
}
