//! Checks that every language has every word, and formats dates and numbers as CLDR specifies.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::process::Command;

use jiff::civil::Date;

use super::{KEYS, Word, Words, built_in, languages, locale::Locale, plural};
use model::WordTable;

fn words(language: &str) -> Words {
    Words::of(language, std::iter::empty(), false)
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|part| part.split('}').next()).collect()
}

#[test]
fn every_language_has_all_words_and_placeholders() {
    let english = built_in("en");
    assert_eq!(english.len(), KEYS.len());
    for language in languages() {
        let table: WordTable = built_in(language);
        let keys: Vec<_> = table.keys().collect();
        assert_eq!(keys, english.keys().collect::<Vec<_>>(), "{language}");
        for (key, word) in &table {
            match (word, &english[key]) {
                (Word::Text(text), Word::Text(model)) => {
                    assert!(!text.trim().is_empty(), "{language}: {key}");
                    let found = placeholders(text);
                    assert_eq!(found, placeholders(model), "{language}: {key}");
                }
                (Word::Counted(forms), Word::Counted(_)) => {
                    let of_language = Locale::of(language);
                    let categories = plural::categories(of_language.fact("plurals"));
                    let categories: BTreeSet<_> = categories.into_iter().collect();
                    let found: BTreeSet<_> = forms.keys().map(String::as_str).collect();
                    assert_eq!(found, categories, "{language}: {key}");
                    let other = placeholders(&forms["other"]);
                    assert_eq!(other, BTreeSet::from(["n"]), "{language}: {key}");
                }
                _ => panic!("{language}: `{key}` is counted in one language and not in the other"),
            }
        }
    }
}

#[test]
fn languages_fall_back() {
    for (language, search) in [
        ("de-AT", "Suche"),
        ("zh", "搜索"),
        ("zh-TW", "搜尋"),
        ("zh-Hant-HK", "搜尋"),
        ("no", "Søk"),
        ("pt-br", "Buscar"),
        ("pt_PT", "Pesquisar"),
        ("xx", "Search"),
        ("", "Search"),
    ] {
        assert_eq!(words(language).text("search"), search, "{language}");
    }
    assert_eq!(words("ar").format_count("results", 3), "3 نتائج");
    assert_eq!(words("de").format_count("results", 1234), "1.234 Ergebnisse");
}

#[test]
fn dates_follow_regional_formats() {
    let day: Date = "2026-01-05".parse().unwrap();
    for (language, text) in [
        ("en", "Jan 5, 2026"),
        ("en-GB", "5 Jan 2026"),
        ("de", "5. Jan. 2026"),
        ("de-AT", "5. Jän. 2026"),
        ("ja", "2026年1月5日"),
        ("fa", "۵ ژانویه ۲۰۲۶"),
        // The program has no words in Lao, so Lao dates would appear among English words.
        ("lo", "Jan 5, 2026"),
    ] {
        assert_eq!(words(language).date(day), text, "{language}");
    }
}

/// Languages and kinds of values that are not compared because Node uses another version of CLDR.
const NODE_DIFFERENCES: [(&str, &str); 0] = [];

#[test]
fn dates_numbers_and_durations_match_intl() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/words/intl.cjs");
    let regions = ["en-GB", "de-AT", "de-CH", "es-MX", "fr-CA"];
    let all = languages().into_iter().chain(regions);
    let Ok(answer) = Command::new("node").arg(script).args(all).output() else {
        return;
    };
    let mut wrong = Vec::new();
    let mut made: Option<Words> = None;
    let text = String::from_utf8(answer.stdout).unwrap();
    for line in text.lines() {
        let [language, kind, input, expected] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        if made.as_ref().is_none_or(|made| made.language != language) {
            made = Some(words(language));
        }
        let made = made.as_ref().unwrap();
        let day = || -> Date { input.parse().unwrap() };
        let n = || -> u64 { input.parse().unwrap() };
        let ours = match kind {
            "date" => made.date(day()),
            "day-date" => made.day_date(day()),
            "long-date" => made.long_date(day()),
            "month" => made.month(day()),
            "day" => made.day(day()),
            "plural" => made.locale.category(n()).to_owned(),
            "number" => made.number(n()),
            "size" => made.size(n()),
            "duration" => made.duration(input.parse().unwrap()),
            _ => panic!("{kind}"),
        };
        // In dates, V8 writes an ordinary space instead of a narrow one.
        let ours = ours.replace('\u{202f}', " ");
        let expected = expected.replace('\u{202f}', " ");
        if ours != expected && !NODE_DIFFERENCES.contains(&(language, kind)) {
            wrong.push(format!("{language} {kind} {input}: {ours:?}, not {expected:?}"));
        }
    }
    assert!(text.lines().count() > 1000, "node said too little");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
