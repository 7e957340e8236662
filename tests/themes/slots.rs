//! What themes are promised: the context of every slot, and the head that is written around them.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::support::{Output, SMALL_SITE, Site};

/// The small site drawn with a theme whose slots print what they see.
static PROBED_SITE: LazyLock<Output> =
    LazyLock::new(|| Site::fixture("small-site").theme("probe").build());

const SLOTS_AROUND: [&str; 3] = ["webHeader", "webBodyStart", "webBodyEnd"];

/// What a slot of a document saw under a name.
fn slot_value(path: &str, slot: &str, name: &str) -> String {
    PROBED_SITE
        .html(path)
        .attribute(&format!("meta[name={slot}]"), name)
        .unwrap_or_else(|| panic!("{path} has no {slot}"))
}

/// Each kind of document and the slot that draws it.
const DOCUMENT_SLOTS: [(&str, &str); 8] = [
    ("index.html", "webFeed"),
    ("page/2/index.html", "webFeed"),
    ("tags/first-tag/index.html", "webFeed"),
    ("i/hello/index.html", "webItem"),
    ("about/index.html", "webPage"),
    ("404.html", "webPage"),
    ("search/index.html", "webSearch"),
    ("rss.xsl", "rssStylesheet"),
];

#[test]
fn every_slot_gets_feed_year_theme_and_navigation() {
    for (path, slot) in DOCUMENT_SLOTS {
        let around: &[&str] = if slot == "rssStylesheet" { &[] } else { &SLOTS_AROUND };
        for slot in around.iter().chain([&slot]) {
            let see = |name| slot_value(path, slot, name);
            assert_eq!(see("title"), "Small & complete", "{path} {slot}");
            assert!(see("description").starts_with("<p>One of <em>each</em>"));
            assert_eq!(see("home"), "/");
            assert_eq!(see("feed"), "/feed.json");
            assert_eq!(see("language"), "en");
            assert_eq!(see("base"), "https://example.com");
            assert_eq!(see("year"), "2026");
            let theme = see("theme");
            assert!(theme.starts_with("test.probe 1.2.3 /assets/"));
            assert_eq!(
                see("navigation"),
                "contact0001 contact Contact Contact 1 /contact/;\
                 about000001 about About <this> site About 2 /about/;",
            );
        }
    }
}

#[test]
fn slots_get_the_items_of_the_document() {
    let newest = "hello000001 link0000001 photo000001 episode0001 ";
    for (path, slot, items) in [
        ("index.html", "webFeed", newest),
        ("page/2/index.html", "webFeed", "film0000001 paper000001 pointer0001 note0000001 "),
        ("tags/show/index.html", "webFeed", "episode0001 "),
        ("i/hello/index.html", "webItem", "hello000001 "),
        ("i/hello/index.html", "webHeader", "hello000001 "),
        ("i/an-item-that-is-unlisted-unlisted01/index.html", "webItem", "unlisted01 "),
        ("about/index.html", "webPage", newest),
        ("search/index.html", "webSearch", newest),
    ] {
        assert_eq!(slot_value(path, slot, "items"), items, "{path}");
    }
    assert_eq!(slot_value("i/hello/index.html", "webItem", "item"), "hello000001");
}

#[test]
fn slots_do_not_get_hidden_items() {
    for (path, slot) in DOCUMENT_SLOTS {
        let see = |name| slot_value(path, slot, name);
        assert_eq!(see("item").is_empty(), slot != "webItem", "{path}");
        assert_eq!(see("page").trim().is_empty(), slot != "webPage", "{path}");
        assert_eq!(see("query").is_empty(), slot != "webSearch", "{path}");
        assert_eq!(see("tag").is_empty(), !path.starts_with("tags/"), "{path}");
    }
    assert_eq!(slot_value("about/index.html", "webPage", "page"), "about000001 About <this> site");
    assert_eq!(slot_value("404.html", "webPage", "page"), "system-404 Nothing here");
    assert_eq!(slot_value("search/index.html", "webSearch", "query"), "[]");
}

#[test]
fn list_pages_link_to_adjacent_pages() {
    let home = |n| format!("/page/{n}/");
    for (path, prev, next) in [
        ("index.html", String::new(), home(2)),
        ("page/2/index.html", "/".into(), home(3)),
        ("page/3/index.html", home(2), String::new()),
        ("i/hello/index.html", String::new(), String::new()),
    ] {
        let slot = "webHeader";
        assert_eq!(slot_value(path, slot, "prev"), prev, "{path}");
        assert_eq!(slot_value(path, slot, "next"), next, "{path}");
    }
}

#[test]
fn an_untitled_item_does_not_show_the_channel_title() {
    let titles = slot_value("page/2/index.html", "webFeed", "titles");
    assert_eq!(titles, "[A film][A document][A pointer][A note without a title.]");
    for path in ["page/2/index.html", "page/3/index.html", "i/note0000001/index.html"] {
        let page = SMALL_SITE.html(path);
        for heading in page.texts("article h1, article h2") {
            assert_ne!(heading, "Small & complete", "{path}");
        }
    }
}

#[test]
fn the_head_describes_the_document() {
    for (path, title, description, canonical) in [
        (
            "index.html",
            "Small & complete: every kind of document",
            "A site that holds one of each.",
            Some("https://example.com/"),
        ),
        (
            "page/2/index.html",
            "Page 2 of 3 – Small & complete",
            "A site that holds one of each.",
            Some("https://example.com/page/2/"),
        ),
        (
            "i/hello/index.html",
            "Hello for search engines – Small & complete",
            "What search engines read.",
            Some("https://example.com/i/hello/"),
        ),
        (
            "i/a-link-link0000001/index.html",
            "A link – Small & complete",
            "Why it is worth reading.",
            Some("https://elsewhere.example/article?x=1&y=2"),
        ),
        (
            "i/note0000001/index.html",
            "A note without a title. – Small & complete",
            "A note without a title.",
            Some("https://example.com/i/note0000001/"),
        ),
        (
            "about/index.html",
            "About <this> site – Small & complete",
            "What \"this\" is.",
            Some("https://example.com/about/"),
        ),
        ("404.html", "Nothing here – Small & complete", "Try the home page.", None),
    ] {
        let page = SMALL_SITE.html(path);
        assert_eq!(page.one("title"), title);
        let content = |name: &str| page.attribute(&format!("meta[{name}]"), "content");
        assert_eq!(content("name=description").as_deref(), Some(description));
        assert_eq!(content("property='og:description'").as_deref(), Some(description));
        assert_eq!(page.attribute("link[rel=canonical]", "href").as_deref(), canonical);
        assert_eq!(content("name=robots").is_some(), canonical.is_none());
        for (kind, url) in [
            ("application/rss+xml", "https://example.com/rss.xml"),
            ("application/feed+json", "https://example.com/feed.json"),
        ] {
            let found = page.attribute(&format!("link[rel=alternate][type='{kind}']"), "href");
            assert_eq!(found.as_deref(), Some(url), "{path}");
        }
    }
    let unlisted = SMALL_SITE.html("i/an-item-that-is-unlisted-unlisted01/index.html");
    assert_eq!(unlisted.attribute("meta[name=robots]", "content").as_deref(), Some("noindex"));
}

#[test]
fn open_graph_describes_the_document() {
    let graph = |path: &str, property: &str| {
        SMALL_SITE.html(path).attribute(&format!("meta[property='{property}']"), "content")
    };
    for (path, property, content) in [
        ("index.html", "og:type", "website"),
        ("index.html", "og:site_name", "Small & complete"),
        ("index.html", "og:image:width", "1200"),
        ("i/hello/index.html", "og:type", "article"),
        ("i/hello/index.html", "og:title", "Hello for search engines"),
        ("i/hello/index.html", "og:image", "https://cdn.example/social.png"),
        ("i/hello/index.html", "og:image:alt", "A wave"),
        ("i/hello/index.html", "og:locale", "en_GB"),
        ("i/hello/index.html", "article:published_time", "2026-03-09T10:00:00.000Z"),
        ("i/hello/index.html", "article:modified_time", "2026-03-12T11:30:15.250Z"),
        ("i/a-link-link0000001/index.html", "og:url", "https://example.com/i/a-link-link0000001/"),
        ("i/an-episode/index.html", "og:audio", "https://example.com/media/items/episode/talk.m4a"),
        ("i/a-film-film0000001/index.html", "og:video:type", "video/mp4"),
        ("i/مرحبا-بالعالم-arabic00001/index.html", "og:locale", "ar"),
    ] {
        assert_eq!(graph(path, property).as_deref(), Some(content), "{path} {property}");
    }
    assert_eq!(
        SMALL_SITE.html("i/hello/index.html").all("meta[property='article:tag']", "content"),
        ["First Tag", "C++"]
    );
    assert_eq!(
        SMALL_SITE.html("i/hello/index.html").all("meta[name=author]", "content"),
        ["Bo Writer", "The Guild"]
    );
    // Who writes the channel writes an item that names nobody.
    assert_eq!(
        SMALL_SITE.html("i/a-link-link0000001/index.html").all("meta[name=author]", "content"),
        ["Ada Example", "The Guild"]
    );
}

#[test]
fn json_ld_has_the_type_of_the_document() {
    for (path, kind) in [
        ("i/hello/index.html", "BlogPosting"),
        ("i/a-link-link0000001/index.html", "BlogPosting"),
        ("i/an-episode/index.html", "PodcastEpisode"),
        ("i/a-film-film0000001/index.html", "BlogPosting"),
        ("about/index.html", "WebPage"),
    ] {
        let graph = SMALL_SITE.html(path).json_ld();
        assert_eq!(graph["@context"], "https://schema.org", "{path}");
        assert_eq!(graph["@type"], kind, "{path}");
    }
    let home = SMALL_SITE.html("index.html").json_ld();
    let kinds: Vec<&Value> =
        home["@graph"].as_array().unwrap().iter().map(|node| &node["@type"]).collect();
    assert_eq!(kinds, ["WebSite", "PodcastSeries"]);
    let hello = SMALL_SITE.html("i/hello/index.html").json_ld();
    assert_eq!(
        hello["author"],
        json!([
            { "@type": "Person", "name": "Bo Writer" },
            { "@type": "Organization", "name": "The Guild", "url": "https://guild.example/" },
        ])
    );
    let link = SMALL_SITE.html("i/a-link-link0000001/index.html").json_ld();
    assert_eq!(link["author"][0]["name"], "Ada Example");
    let episode = SMALL_SITE.html("i/an-episode/index.html").json_ld();
    assert_eq!(episode["episodeNumber"], 3);
    assert_eq!(episode["associatedMedia"]["@type"], "AudioObject");
    assert_eq!(episode["partOfSeries"]["@id"], home["@graph"][1]["@id"]);
    let film = SMALL_SITE.html("i/a-film-film0000001/index.html").json_ld();
    assert_eq!(film["video"]["@type"], "VideoObject");
    assert_eq!(film["video"]["thumbnailUrl"], "https://example.com/media/items/film/poster.webp");
}

#[test]
fn hostile_text_is_escaped() {
    let path = "i/script-alert-1-script-title-title-hostile0001/index.html";
    let page = SMALL_SITE.html(path);
    let title = "\"><script>alert(1)</script> {{title}} </title>";
    assert_eq!(page.one("title"), format!("{title} – Small & complete"));
    assert_eq!(page.one("h1"), title);
    assert_eq!(page.attribute("meta[property='og:title']", "content").as_deref(), Some(title));
    assert_eq!(
        page.attribute("meta[name=description]", "content").as_deref(),
        Some("</script><!-- ]]> & \"quoted\"")
    );
    assert_eq!(page.json_ld()["headline"], title);
    assert_eq!(page.json_ld()["author"][0]["name"], "O'Brien </script> \"x\"");
    assert_eq!(page.all("meta[name=author]", "content"), ["O'Brien </script> \"x\""]);
    assert_eq!(page.all("meta[property='article:tag']", "content"), ["<i>", "a\"b"]);
    for path in [path, "page/3/index.html"] {
        let scripts = SMALL_SITE.html(path).texts("script");
        assert!(scripts.iter().all(|text| !text.starts_with("alert")), "{path}");
        assert!(!SMALL_SITE.text(path).contains("&amp;amp;"), "{path}");
        assert!(!SMALL_SITE.text(path).contains("&amp;lt;"), "{path}");
    }
}

#[test]
fn a_document_has_the_language_and_direction_of_its_content() {
    for (path, language, direction) in [
        ("index.html", "en", None),
        ("i/hello/index.html", "en-GB", None),
        ("i/مرحبا-بالعالم-arabic00001/index.html", "ar", Some("rtl")),
    ] {
        let page = SMALL_SITE.html(path);
        assert_eq!(page.attribute("html", "lang").as_deref(), Some(language));
        assert_eq!(page.attribute("html", "dir").as_deref(), direction);
    }
}

#[test]
fn pictures_have_alternative_text() {
    let alt = |path: &str| SMALL_SITE.html(path).all("img.u-photo", "alt");
    assert_eq!(alt("i/a-photo-photo000001/index.html"), ["A leaf on stone"]);
    // The only text there is describes the photo, whatever file it was given for.
    let output = Site::empty()
        .write("content/items/a.md", "+++\ntitle = \"A\"\nimage = { url = \"https://cdn.example/cover.png\", alt = \"The cover\" }\nattachment = \"https://cdn.example/photo.png\"\nid = \"a\"\n+++\n")
        .build();
    assert_eq!(output.html("i/a-a/index.html").all("img.u-photo", "alt"), ["The cover"]);
}

#[test]
fn footnote_ids_of_several_texts_do_not_collide() {
    let page = SMALL_SITE.html("page/3/index.html");
    assert_eq!(page.all("li[id]", "id"), ["fn-note0000002-1"]);
    let hello = SMALL_SITE.html("i/hello/index.html");
    assert_eq!(hello.all(".footnote-ref a", "href"), ["#fn-hello000001-1"]);
    assert_eq!(hello.all("[role=doc-backlink]", "href"), ["#fnref-hello000001-1"]);
}

#[test]
fn links_to_content_files_become_page_links() {
    let hello = SMALL_SITE.html("i/hello/index.html");
    let links = hello.all(".prose a[href^='/']", "href");
    assert_eq!(links, ["/i/a-photo-photo000001/", "/about/",]);
    let about = SMALL_SITE.html("index.html").all(".channel-about a", "href");
    assert_eq!(about, ["/i/hello/#notes", "/about/"]);
    for file in SMALL_SITE
        .files()
        .iter()
        .filter(|file| !file.starts_with("media/") && !file.starts_with("assets/"))
    {
        assert!(!SMALL_SITE.text(file).contains("feedwright-content"), "{file}");
    }
}

#[test]
fn an_item_with_its_own_url_is_not_a_link_item() {
    let output = Site::empty()
        .write(
            "content/items/a.md",
            "+++\nid = \"a\"\ntitle = \"A\"\nurl = \"https://example.com/i/a-a\"\n+++\nText.\n",
        )
        .build();
    let item = &output.json("feed.json")["items"][0];
    assert_eq!(item["url"], "https://example.com/i/a-a/");
    assert_eq!(item.get("external_url"), None);
    assert!(output.html("i/a-a/index.html").texts(".outlink").is_empty());
}

#[test]
fn all_template_data_is_unchanged() {
    let calendar = "summary = \"Shows\"\ntimeZone = \"Europe/Berlin\"\n";
    let event = "+++\nid = \"meet01\"\nsummary = \"A <meeting>\"\nlocation = \"Pier 1\"\n\
        start = 2026-05-01T20:00:00\nend = 2026-05-01T22:00:00\n\
        recurrence = [\"RRULE:FREQ=WEEKLY;COUNT=3\"]\n+++\nCome to [our page](https://example.com/about/).\n";
    let with_calendar = |site: Site| {
        site.write("content/calendars/shows/calendar.toml", calendar)
            .write("content/calendars/shows/meet.md", event)
    };
    let small = with_calendar(Site::fixture("small-site")).theme("everything").build();
    for (name, path) in [
        ("home", "index.html"),
        ("tag", "tags/show/index.html"),
        ("episode", "i/an-episode/index.html"),
        ("page", "about/index.html"),
        ("search", "search/index.html"),
        ("stylesheet", "rss.xsl"),
    ] {
        insta::assert_snapshot!(format!("everything-{name}"), small.stable(path));
    }
    let podcast = Site::fixture("every-podcast-tag")
        .write("site.toml", "base_url = \"https://example.com/show\"\n")
        .write("site-files/whole.txt", "{{{.}}}\n{{#items}}{{{.}}}\n{{/items}}{{{pages}}}\n")
        .theme("everything")
        .build_with(|options| options.visibility.future = true);
    for (name, path) in [
        ("podcast-home", "index.html"),
        ("podcast-episode", "i/one-only-one/index.html"),
        ("site-file", "whole.txt"),
    ] {
        insta::assert_snapshot!(format!("everything-{name}"), podcast.stable(path));
    }
}
