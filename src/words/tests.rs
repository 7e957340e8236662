//! Checks that every language has every word, and formats dates and numbers as CLDR specifies.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::process::Command;

use jiff::civil::Date;

use super::{
    KEYS, NOTES, Note, RENAMED, Word, Words, built_in, chain, languages, locale::Locale, plural,
};
use model::WordTable;

/// Kinds of words and sentences.
const KINDS: [&str; 9] =
    ["aria-label", "button", "heading", "label", "link", "name", "option", "pattern", "sentence"];

fn words(language: &str) -> Words {
    Words::of(language, &chain(language), std::iter::empty(), false)
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|part| part.split('}').next()).collect()
}

/// All forms of a word: its plural forms, or its only form.
fn texts(word: &Word) -> Vec<&str> {
    match word {
        Word::Text(text) => vec![text],
        Word::Counted(forms) => forms.values().map(String::as_str).collect(),
    }
}

/// The parent language, whose words a variant uses for the keys it omits: `pt` for `pt-PT`.
fn parent(language: &str) -> Option<String> {
    chain(language).into_iter().skip(1).find(|name| languages().contains(&name.as_str()))
}

#[test]
fn every_language_has_all_words_and_placeholders() {
    let english = built_in("en");
    assert_eq!(english.len(), KEYS.len());
    for language in languages() {
        let mut table: WordTable = built_in(language);
        let keys: Vec<_> = table.keys().collect();
        let is_complete = table.len() == english.len();
        match parent(language).filter(|_| !is_complete) {
            Some(parent) => {
                let parent = built_in(&parent);
                for (key, word) in &table {
                    assert!(parent.contains_key(key), "{language}: `{key}` is unknown");
                    assert_ne!(*word, parent[key], "{language}: leave out `{key}`");
                }
                table = parent.into_iter().chain(table).collect();
            }
            None => assert_eq!(keys, english.keys().collect::<Vec<_>>(), "{language}"),
        }
        for (key, word) in &table {
            let model = texts(&english[key]).into_iter().map(placeholders).next_back().unwrap();
            for text in texts(word) {
                assert!(!text.trim().is_empty(), "{language}: {key}");
            }
            match (word, &english[key]) {
                (Word::Text(_), Word::Counted(_)) => panic!("{language}: `{key}` has no plural"),
                (Word::Text(text), _) => assert_eq!(placeholders(text), model, "{language}: {key}"),
                (Word::Counted(forms), _) => {
                    let of_language = Locale::of(language);
                    let categories = plural::categories(of_language.fact("plurals"));
                    let categories: BTreeSet<_> = categories.into_iter().collect();
                    let found: BTreeSet<_> = forms.keys().map(String::as_str).collect();
                    assert_eq!(found, categories, "{language}: {key}");
                    assert_eq!(placeholders(&forms["other"]), model, "{language}: {key}");
                }
            }
        }
    }
}

#[test]
fn punctuation_and_numbers_are_in_patterns_only() {
    for language in languages() {
        for (key, word) in built_in(language) {
            let note = NOTES.iter().find(|note| note.key == key).unwrap();
            for text in texts(&word) {
                let has_digit = text.chars().any(char::is_numeric);
                assert!(!has_digit, "{language}: `{key}` has a digit: fill it in for {{n}}");
                // Sentences may end with a colon, because a sentence may introduce a list.
                let is_free = matches!(note.kind, "pattern" | "sentence");
                let ends_so = text.trim_end().ends_with([':', '：', '՝', ',', '、', '，']);
                assert!(is_free || !ends_so, "{language}: `{key}`: `labelled` adds the colon");
                assert!(text.trim() == text, "{language}: `{key}` has a space around it");
            }
        }
    }
}

#[test]
fn every_key_has_a_note_for_translators() {
    for Note { key, group, kind, place, .. } in &*NOTES {
        assert!(!group.is_empty() && !place.is_empty(), "{key}");
        assert!(KINDS.contains(kind), "{key}: {kind:?} is none of {KINDS:?}");
    }
    for (old, present) in RENAMED {
        assert!(!KEYS.contains(&old) && KEYS.contains(&present), "{old}");
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
        ("pt", "Buscar"),
        ("pt_PT", "Pesquisar"),
        ("pt-AO", "Pesquisar"),
        ("de-x-formal", "Suche"),
        ("xx", "Search"),
        ("", "Search"),
    ] {
        assert_eq!(words(language).text("search"), search, "{language}");
    }
    for (language, key, text) in [
        ("en", "license", "License"),
        ("en-US", "license", "License"),
        ("en-GB", "license", "Licence"),
        ("en-AU", "license", "Licence"),
        ("es", "video", "Vídeo"),
        ("es-MX", "video", "Video"),
        ("es-MX", "search_button", "Buscar"),
        ("de-x-formal", "scan_address", "Oder scannen Sie sie mit Ihrem Handy."),
    ] {
        assert_eq!(words(language).text(key), text, "{language}");
    }
    assert_eq!(words("ar").format_count("results", 3), "3 نتائج");
    assert_eq!(words("de").format_count("results", 1234), "1.234 Ergebnisse");
}

#[test]
fn labels_lists_and_numbers_are_written_as_each_language_does() {
    let french = words("fr");
    assert_eq!(french.labelled("Licence", "CC0"), "Licence\u{a0}: CC0");
    assert_eq!(french.colon(), "\u{a0}: ");
    assert_eq!(words("ja").labelled("場所", "京都"), "場所：京都");
    assert_eq!(words("ar").comma(), "، ");
    assert_eq!(words("de").percent("2.5"), "2,5\u{a0}%");
    assert_eq!(words("tr").percent("5"), "%5");
    assert_eq!(words("ar-EG").numerals().unwrap(), "٠١٢٣٤٥٦٧٨٩٫");
    assert_eq!(words("en").numerals(), None);
    for (language, count, before) in
        [("en", 2, "By "), ("ru", 1, "Автор: "), ("ru", 2, "Авторы: "), ("ja", 1, "著者：")]
    {
        let (start, end) = words(language).around_authors(count);
        assert_eq!((&*start, &*end), (before, ""), "{language}");
    }
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
        // The program has no words in Lao, so the words are English. The date is English too, to
        // match them.
        ("lo", "Jan 5, 2026"),
    ] {
        assert_eq!(words(language).date(day), text, "{language}");
    }
}

/// Languages and kinds of values that are not compared because Node uses another version of CLDR.
/// Node adds a hyphen after the Hebrew "and" if a name in Latin letters follows.
const NODE_DIFFERENCES: [(&str, &str); 1] = [("he", "list")];

#[test]
fn dates_numbers_and_durations_match_intl() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/words/intl.cjs");
    let regions = ["en-AU", "en-IN", "de-AT", "de-CH", "es-MX", "fr-CA"];
    let with_own_formats = languages().into_iter().filter(|name| !name.contains("-x-"));
    let all = with_own_formats.chain(regions);
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
            "percent" => made.percent(input),
            "list" => {
                let names = &["A", "B", "C", "D"][..input.parse().unwrap()];
                let after = |at| made.after_name(at, names.len());
                names.iter().enumerate().map(|(at, name)| format!("{name}{}", after(at))).collect()
            }
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
