//! The words, dates and numbers of pages are in the language of the page.

use crate::support::Site;

fn site(language: &str) -> Site {
    let item = |title: &str, more: &str| {
        format!(
            "+++\ntitle = {title:?}\ndate = 2026-01-05T09:00:00Z\ntags = [\"x\"]\n{more}\n[podcast]\nepisode = 3\n+++\nText.\n"
        )
    };
    let channel = format!("+++\ntitle = \"Walks\"\nlanguage = {language:?}\n+++\n");
    Site::empty()
        .write("site.toml", "base_url = \"https://walks.example\"\n")
        .write("content/channel.md", &channel)
        .write("content/items/own.md", &item("Own", "slug = \"own\""))
        .write("content/items/other.md", &item("Other", "slug = \"other\"\nlanguage = \"ja\""))
}

#[test]
fn pages_use_the_site_language_and_items_their_own() {
    for (language, skip, date, episode) in [
        ("de-AT", "Zum Inhalt springen", "5. Jän. 2026", "Folge 3"),
        ("ar", "انتقل إلى المحتوى", "5 يناير 2026", "الحلقة 3"),
        ("qx", "Skip to content", "Jan 5, 2026", "Episode 3"),
        ("lo", "Skip to content", "Jan 5, 2026", "Episode 3"),
    ] {
        let output = site(language).build();
        let own = output.html("i/own/index.html");
        assert_eq!(own.one(".skip"), skip, "{language}");
        assert_eq!(own.one(".rail time"), date, "{language}");
        assert_eq!(own.texts(".rail span")[0], episode, "{language}");
        let other = output.html("i/other/index.html");
        assert_eq!(other.one(".skip"), "本文へ移動");
        assert_eq!(other.one(".rail time"), "2026年1月5日");
    }
}

#[test]
fn generated_text_is_in_the_language_of_the_site() {
    let output = site("de").build();
    for (path, title) in [
        ("archive/index.html", "Archiv"),
        ("tags/index.html", "Schlagwörter"),
        ("search/index.html", "Suche"),
        ("404.html", "Seite nicht gefunden"),
    ] {
        let page = output.html(path);
        let found = page.one("title");
        assert!(found.starts_with(title), "{path}: {found}");
    }
    let missing = output.html("404.html");
    assert_eq!(missing.one("h1"), "Seite nicht gefunden");
    assert_eq!(missing.one(".prose"), "Unter dieser Adresse gibt es nichts.");
    let said = output.html("index.html").attribute("[data-words]", "data-words");
    let said: serde_json::Value = serde_json::from_str(&said.unwrap()).unwrap();
    for key in ["offline", "missing", "version", "broken", "atLeast"] {
        assert!(said[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
}

#[test]
fn a_custom_404_page_is_not_translated() {
    let page = "+++\ntitle = \"Gone\"\n+++\nLook elsewhere.\n";
    let output = site("de").write("content/pages/404.md", page).build();
    assert_eq!(output.html("404.html").one("h1"), "Gone");
}

#[test]
fn content_in_another_language_has_a_lang_attribute() {
    let output = site("de").build();
    let lang = |path: &str, selector: &str| output.html(path).attribute(selector, "lang");
    let some = |text: &str| Some(text.to_owned());
    let own = "i/own/index.html";
    let other = "i/other/index.html";
    assert_eq!(lang(own, ".related a"), some("ja"));
    assert_eq!(lang(own, ".neighbours a > span:not(.kicker)"), some("ja"));
    assert_eq!(lang(own, ".brand"), None);
    assert_eq!(lang(other, "html"), some("ja"));
    assert_eq!(lang(other, ".related a"), some("de"));
    assert_eq!(lang(other, ".brand"), some("de"));
    assert_eq!(lang(other, ".footer-note"), some("de"));
    let listed = output.html("archive/index.html");
    assert_eq!(listed.all(".archive-items a[lang]", "lang"), ["ja"]);
    let cards = output.html("index.html");
    assert_eq!(cards.all(".entry .body[lang]", "lang"), ["ja"]);
}

#[test]
fn an_author_can_override_words() {
    let output = site("de")
        .write(
            "site.toml",
            "base_url = \"https://walks.example\"\n[words]\nskip = \"Los <geht's>\"\n[words.ja]\nskip = \"飛ばす\"\n",
        )
        .build();
    assert_eq!(output.html("i/own/index.html").one(".skip"), "Los <geht's>");
    assert_eq!(output.html("i/other/index.html").one(".skip"), "飛ばす");
}

#[test]
fn dates_use_a_language_added_by_the_author() {
    let config = "base_url = \"https://walks.example\"\n[words]\nskip = \"ຂ້າມ\"\n";
    let output = site("lo").write("site.toml", config).build();
    let page = output.html("i/own/index.html");
    assert_eq!(page.one(".skip"), "ຂ້າມ");
    assert_eq!(page.one(".rail time"), "5 ມ.ກ. 2026");
}

#[test]
fn a_theme_can_define_words() {
    let slot = "{{_words.hello}} {{_words.search}} {{_words.site}} {{_words.by}} {{_words.nothing_of_the_kind}}";
    let manifest = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT",
        "files": {"webFeed": "a.m", "webItem": "a.m", "webPage": "a.m", "webSearch": "a.m", "webHeader": "e.m", "webBodyStart": "e.m", "webBodyEnd": "e.m", "rssStylesheet": "x.xsl"}, "assets": []}"#;
    let output = site("de")
        .write(
            "site.toml",
            "base_url = \"https://walks.example\"\ntheme = \"own\"\n[words.ja]\nhello = \"今日は\"\n",
        )
        .write("themes/own/theme.json", manifest)
        .write("themes/own/a.m", &format!("<p>{slot}</p>"))
        .write("themes/own/e.m", "")
        .write("themes/own/x.xsl", "<x/>")
        .write("themes/own/words/en.toml", "hello = \"Hello\"")
        .write("themes/own/words/de.toml", "search = \"Suchen\"")
        .build();
    assert_eq!(output.html("index.html").texts("p")[0].trim(), "Hello Suchen Hauptmenü Von");
    assert_eq!(
        output.html("i/other/index.html").texts("p")[0].trim(),
        "今日は 検索 メインメニュー 著者："
    );
}

/// An episode with two authors, a place, a licence, chapters, a transcript and people.
fn show(language: &str) -> Site {
    let episode = r#"+++
title = "Walk"
slug = "walk"
date = 2026-01-05T09:00:00Z
authors = ["Ann", "Bo"]
attachment = { url = "https://walks.example/walk.mp3", mime_type = "audio/mpeg", size_in_bytes = 4200000, duration_in_seconds = 100 }
[podcast]
license = "CC-BY-4.0"
locations = [{ name = "Paris", rel = "subject" }]
people = [{ name = "Ann", role = "host" }, { name = "Bo", role = "foley artist" }, { name = "Cy", role = "walker" }]
value = [{ type = "lightning", method = "keysend", recipients = [{ type = "node", address = "a", split = 5, fee = true }, { type = "node", address = "b", split = 95 }] }]
chapters = [{ startTime = 12, title = "One" }]
transcripts = ["walk.vtt"]
+++
Text.
"#;
    let transcript = "WEBVTT\n\n00:12.000 --> 00:20.000\nWords that are said.\n";
    site(language)
        .write("content/items/walk/index.md", episode)
        .write("content/items/walk/walk.vtt", transcript)
}

#[test]
fn punctuation_and_numbers_are_those_of_the_language() {
    let mut shown = String::new();
    for language in ["en", "de", "fr", "ja", "ar-EG"] {
        let page = show(language).build().html("i/walk/index.html");
        let mut line = |name: &str, text: String| {
            shown.push_str(&format!("{language} {name}: {text}\n"));
        };
        line("numerals", page.attribute("html", "data-numerals").unwrap_or_default());
        for selector in
            [".byline", ".places li", ".shares .muted", ".chapters .at", ".said-text .at"]
        {
            line(selector, page.texts(selector).first().cloned().unwrap_or_default());
        }
        line("skip", page.attribute("[data-controls] [data-skip=\"-15\"]", "aria-label").unwrap());
        line("speeds", page.texts("[data-controls] [data-rate] option").join(" "));
        line("elapsed", page.one("[data-controls] [data-elapsed]"));
        line("file", page.one(".facts [download]"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn no_label_for_screen_readers_ends_in_a_colon() {
    for language in ["en", "fr", "ja", "hy", "ar"] {
        let output = show(language).build();
        for path in ["index.html", "i/walk/index.html", "search/index.html"] {
            for label in output.html(path).all("[aria-label]", "aria-label") {
                let ends_so = label.trim_end().ends_with([':', '：', '՝']);
                assert!(!ends_so, "{language} {path}: {label}");
            }
        }
    }
}

#[test]
fn a_role_without_a_word_is_marked_as_english() {
    let roles = |language: &str| {
        let page = show(language).build().html("i/walk/index.html");
        (page.texts(".role").join(", "), page.all(".role[lang]", "lang"))
    };
    assert_eq!(roles("en"), ("Host, foley artist, walker".to_owned(), vec![]));
    assert_eq!(
        roles("fr"),
        ("Présentation, foley artist, walker".to_owned(), vec!["en".to_owned()])
    );
}

#[test]
fn english_words_on_a_page_in_a_language_without_words_are_marked() {
    let output = show("lo").build();
    let page = output.html("i/walk/index.html");
    assert_eq!(page.attribute("html", "lang").as_deref(), Some("lo"));
    assert_eq!(page.attribute("html", "data-words-lang").as_deref(), Some("en"));
    for selector in [
        ".skip", "[data-controls]", "#theme-chapters", ".facts > :first-child dt",
        "dialog[data-words]",
    ] {
        assert_eq!(page.attribute(selector, "lang").as_deref(), Some("en"), "{selector}");
    }
    assert_eq!(page.attribute("dialog ol", "lang").as_deref(), Some("lo"));
    let german = show("de").build().html("i/walk/index.html");
    assert_eq!(german.attribute("html", "data-words-lang"), None);
    assert_eq!(german.attribute(".skip", "lang"), None);
}

#[test]
fn a_site_addresses_its_visitors_formally() {
    let config = "base_url = \"https://walks.example\"\n[words]\nformal = true\n";
    let text =
        |site: Site| site.build().html("subscribe/index.html").texts(".address ~ p").join(" ");
    let formal = text(site("de-AT").write("site.toml", config));
    assert!(formal.contains("Fügen Sie sie"), "{formal}");
    assert!(text(site("de-AT")).contains("Füge sie"));
    let own = format!("{config}paste_address = \"Hierher\"\n");
    let own = text(site("de").write("site.toml", &own));
    assert!(own.contains("Hierher"), "{own}");
    // A language without a choice keeps its words.
    assert!(text(site("en").write("site.toml", config)).contains("Paste it"));
}

#[test]
fn a_renamed_word_works_and_check_names_the_present_key() {
    let config = "base_url = \"https://walks.example\"\ntheme_options.menu = [{ text = \"A\", url = \"/archive/\" }]\n[words]\nsite = \"Wege\"\n";
    let wrong = site("de").write("site.toml", &format!("{config}results = 3\n"));
    let told = wrong.errors();
    let site = site("de").write("site.toml", config);
    assert!(told.contains("the word `site` is now `main_menu`"), "{told}");
    let page = site.build().html("index.html");
    let labels = page.all("nav[aria-label]", "aria-label");
    assert!(labels.contains(&"Wege".to_owned()), "{labels:?}");
}

#[test]
fn a_label_of_an_author_loses_its_colon_since_pages_add_it() {
    let config = "base_url = \"https://walks.example\"\n[words]\nupdated = \"Neu:\"\n";
    let faulty = format!("{config}formal = \"yes\"\n");
    let told = site("de").write("site.toml", &faulty).errors();
    assert!(told.contains("the word `updated` ends in a colon"), "{told}");
    assert!(told.contains("`words.formal` must be true or false"), "{told}");
    let item = "+++\ntitle = \"New\"\nslug = \"new\"\ndate = 2026-01-05\ndate_modified = 2026-02-01\n+++\nText.\n";
    let output = site("de").write("site.toml", config).write("content/items/new.md", item).build();
    let lines = output.html("i/new/index.html").texts(".byline");
    assert!(lines.contains(&"Neu: 1. Feb. 2026".to_owned()), "{lines:?}");
}

#[test]
fn a_pattern_without_its_placeholder_is_an_error() {
    let config =
        "base_url = \"https://walks.example\"\n[words]\nlabelled = \"x\"\njoined = \"{first}\"\n";
    let told = site("de").write("site.toml", config).errors();
    assert!(told.contains("the word `labelled` lacks {label}"), "{told}");
    assert!(told.contains("the word `joined` lacks {second}"), "{told}");
}

#[test]
fn a_word_of_two_letters_is_not_a_language() {
    let config = "base_url = \"https://walks.example\"\n[words]\nby = { one = \"Von {names}\" }\n";
    let told = site("de").write("site.toml", config).errors();
    assert!(told.contains("`words.by` must be text"), "{told}");
}

#[test]
fn only_labels_lose_a_colon() {
    let config = "base_url = \"https://walks.example\"\n[words]\nfeed_address = \"Adresse:\"\n";
    let output = site("de").write("site.toml", config).build();
    let headings = output.html("subscribe/index.html").texts("h2");
    assert!(headings.contains(&"Adresse:".to_owned()), "{headings:?}");
}

#[test]
fn a_word_that_is_not_a_string_is_an_error() {
    let site = site("de").write(
        "site.toml",
        "base_url = \"https://walks.example\"\n[words]\nserch = \"Suchen\"\nresults = 3\n",
    );
    let told = site.errors();
    assert!(told.contains("`words.results` must be text"), "{told}");
    assert!(told.contains("unknown word `serch`"), "{told}");
    assert!(told.contains("did you mean `search`?"), "{told}");
}

#[test]
fn words_of_a_custom_theme_are_accepted() {
    let config = "base_url = \"https://walks.example\"\ntheme = \"own\"\n[words]\nhello = \"Hallo\"\nhelo = \"Hallo\"\nserch = \"Suchen\"\nresults = 3\n";
    let site = site("de")
        .write("site.toml", config)
        .write("themes/own/words/en.toml", "hello = \"Hello\"");
    let told = site.errors();
    assert!(!told.contains("unknown word `hello`"), "{told}");
    assert!(!told.contains("`hello` is no name"), "{told}");
    assert!(told.contains("did you mean `hello`?"), "{told}");
    assert!(told.contains("did you mean `search`?"), "{told}");
}
