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
    let slot = "{{_words.hello}} {{_words.search}} {{_words.nothing_of_the_kind}}";
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
    assert_eq!(output.html("index.html").texts("p")[0].trim(), "Hello Suchen");
    assert_eq!(output.html("i/other/index.html").texts("p")[0].trim(), "今日は 検索");
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
