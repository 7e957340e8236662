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
        .write(
            "content/items/other.md",
            &item("Other", "slug = \"other\"\nlanguage = \"ja\""),
        )
}

#[test]
fn a_page_speaks_the_language_of_the_site_and_an_item_its_own() {
    for (language, skip, date, episode) in [
        ("de-AT", "Zum Inhalt springen", "5. Jän. 2026", "Folge 3"),
        ("ar", "انتقل إلى المحتوى", "5 يناير 2026", "الحلقة 3"),
        ("qx", "Skip to content", "Jan 5, 2026", "Episode 3"),
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
fn an_author_changes_words() {
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
fn a_theme_brings_words() {
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
    assert_eq!(
        output.html("index.html").texts("p")[0].trim(),
        "Hello Suchen"
    );
    assert_eq!(
        output.html("i/other/index.html").texts("p")[0].trim(),
        "今日は 検索"
    );
}

#[test]
fn a_word_that_is_no_text_is_an_error() {
    let site = site("de").write(
        "site.toml",
        "base_url = \"https://walks.example\"\n[words]\nserch = \"Suchen\"\nresults = 3\n",
    );
    let told = site.errors();
    assert!(told.contains("`words.results` has to be a text"), "{told}");
    assert!(told.contains("unknown word `serch`"), "{told}");
}
