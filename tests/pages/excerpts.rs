//! One rule for every excerpt: lists, search, descriptions, feeds and social cards show the first paragraphs.

use serde_json::Value;

use crate::support::small_site::{SmallSite, site};

const FRONT: &str = "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"Walk\"\ndate = 2026-05-01\n+++\n";

/// The excerpts of an item with this body, wherever they are published.
fn published_excerpts(body: &str) -> Vec<(&'static str, String)> {
    let site = site()
        .item(format!("{FRONT}{body}"))
        .with("site-files/x.txt", "{{#items}}{{{_service.excerpt_text}}}{{/items}}");
    site.built();
    let page = site.read("public/i/a/index.html");
    let rss = site.read("public/rss.xml");
    let list = site.read("public/x.txt");
    vec![
        ("meta", meta_content(&page, "name=\"description\"")),
        ("social card", meta_content(&page, "property=\"og:description\"")),
        ("feed", between(rss.split("<item>").nth(1).unwrap(), "<description>", "</description>")),
        ("list", list.trim().to_owned()),
    ]
}

fn between(text: &str, start: &str, end: &str) -> String {
    let Some((_, rest)) = text.split_once(start) else {
        return String::new();
    };
    let found = rest.split_once(end).unwrap().0;
    found.replace("&#x27;", "'").replace("&quot;", "\"").replace("&amp;", "&")
}

fn meta_content(page: &str, name: &str) -> String {
    let tag = page.split("<meta ").find(|tag| tag.starts_with(name));
    tag.map_or_else(String::new, |tag| between(tag, "content=\"", "\""))
}

fn assert_excerpt(body: &str, expected: &str) {
    for (place, text) in published_excerpts(body) {
        assert_eq!(text, expected, "{place} of {body}");
    }
}

#[test]
fn an_excerpt_contains_only_paragraphs() {
    let code = "# Heap\n\nIndented with tabs.\n\n## The heap\n\n```rust\npub struct Heap {\n```\n\n| a | b |\n|---|---|\n| cell | cell |\n\nSecond one[^1], after it.\n\n[^1]: A note.\n\n- item\n";
    assert_excerpt(code, "Indented with tabs. Second one, after it.");
    assert_excerpt(
        "![A pier](pier.jpg)\n\n![A pier](https://a.example/x.jpg \"Caption\")\n\n> A quote.\n\nText ![alt](https://a.example/x.jpg) here.\n"
            .trim_start_matches("![A pier](pier.jpg)\n\n"),
        "A quote. Text here.",
    );
    assert_excerpt(
        "First\nline.\n\nSecond  paragraph\n\nThird\n",
        "First line. Second paragraph · Third",
    );
    assert_excerpt(
        "A note<sup class=\"footnote-reference\"><a href=\"#x\">1</a></sup>, the 1<sup>st</sup>.\n",
        "A note, the 1st.",
    );
    assert_excerpt("https://youtu.be/aqz-KE-bpKQ\n\nThe video.\n", "The video.");
    // What stands for players, for older browsers, and beside characters.
    assert_excerpt(
        "Hear <audio controls src=\"https://a.example/a.mp3\">no player</audio>it. <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字\n\n<noscript>No script.</noscript>\n\n<button>Press</button> here.\n",
        "Hear it. 漢字 · here.",
    );
    // Without paragraphs, what a list says.
    assert_excerpt("## Notes\n\n- one\n- two\n", "one · two");
    // HTML in Markdown.
    assert_excerpt(
        "<h2>Head</h2>\n\n<p>A <b>bold</b> one.</p>\n\n<pre>code</pre>\n\n<figure><img src=\"https://a.example/x.jpg\" alt=\"a\"><figcaption>Caption</figcaption></figure>\n\nMarkdown.\n",
        "A bold one. Markdown.",
    );
}

#[test]
fn an_excerpt_ends_at_the_more_comment() {
    for comment in ["<!--more-->", "<!-- more -->", "<!--more Read on-->", "<!-- MORE -->"] {
        assert_excerpt(&format!("# Head\n\nBefore.\n\n{comment}\n\nAfter.\n"), "Before.");
        assert_excerpt(&format!("Before {comment} after.\n\nThen.\n"), "Before");
    }
    // Nothing stands before it.
    assert_excerpt("<!--more-->\n\nAfter.\n", "After.");
    assert_excerpt("<!-- a note -->\n\nText.\n", "Text.");
}

#[test]
fn a_long_paragraph_is_cut_after_a_sentence_or_a_word() {
    let sentence = "The ferry leaves at nine in the morning, when the tide is high. ";
    for (place, text) in published_excerpts(&format!("{}\n\nSecond.\n", sentence.repeat(20))) {
        assert!(text.ends_with("the tide is high."), "{place}: {text}");
    }
    for (place, text) in published_excerpts(&"word ".repeat(300)) {
        assert!(text.ends_with("word…"), "{place}: {text}");
        assert!(text.chars().count() <= 500, "{place}: {text}");
    }
}

#[test]
fn a_body_of_html_has_the_same_excerpt() {
    let html = "<h1>Head</h1><p>One.</p><pre><code>x</code></pre><ul><li>item</li></ul><p>Two.</p><!--more--><p>Three.</p>";
    let site: SmallSite = site().with("content/items/a.html", format!("{FRONT}{html}"));
    site.built();
    let page = site.read("public/i/a/index.html");
    assert_eq!(meta_content(&page, "name=\"description\""), "One. Two.");
}

#[test]
fn descriptions_are_excerpts_of_the_text() {
    let site = site()
        .with(
            "content/channel.md",
            "+++\ntitle = \"T\"\n+++\n# About\n\nA show.\n\n## More\n\nOn tides.\n",
        )
        .with("content/pages/p.md", "+++\ntitle = \"P\"\n+++\n# Head\n\n- list\n\nA page.\n")
        .with(
            "content/items/b.md",
            "+++\nid = \"b\"\ndate = 2026-05-01\n+++\n# Heading\n\nJust words.\n",
        )
        .with("content/items/c.md", "+++\nid = \"c\"\ndate = 2026-05-02\n+++\n# Only a heading\n");
    site.built();
    let description = |path: &str| meta_content(&site.read(path), "name=\"description\"");
    assert_eq!(description("public/index.html"), "A show. On tides.");
    assert_eq!(description("public/p/index.html"), "A page.");
    let title = |path: &str| between(&site.read(path), "<title>", "</title>");
    assert!(title("public/i/b/index.html").starts_with("Just words."));
    assert!(title("public/i/c/index.html").starts_with("Only a heading"));
}

#[test]
fn emphasis_next_to_cjk_punctuation_is_rendered() {
    let site =
        site().item(format!("{FRONT}**太字「重要」**です。これは**強調（かっこ）**テスト。\n"));
    site.built();
    let feed: Value = serde_json::from_str(&site.read("public/feed.json")).unwrap();
    assert_eq!(
        feed["items"][0]["content_html"],
        "<p><strong>太字「重要」</strong>です。これは<strong>強調（かっこ）</strong>テスト。</p>"
    );
}

#[test]
fn items_of_one_date_are_ordered_by_file_name() {
    let file = |name: &str, id: &str, date: &str| {
        let text = format!("+++\nid = \"{id}\"\ntitle = \"{name}\"\ndate = {date}\n+++\n");
        (format!("content/items/{name}.md"), text)
    };
    let mut small = site();
    for (name, id, date) in [
        ("part-10", "a", "2026-05-01"),
        ("part-2", "c", "2026-05-01"),
        ("part-1", "b", "2026-05-01"),
        ("newer", "z", "2026-05-02"),
    ] {
        let (path, text) = file(name, id, date);
        small = small.with(&path, text);
    }
    small.built();
    let titles = || {
        let feed: Value = serde_json::from_str(&small.read("public/feed.json")).unwrap();
        let items = feed["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(), ["newer", "part-1", "part-2", "part-10"]);
}

#[test]
fn a_slug_cut_within_a_word_redirects_to_the_item() {
    let title =
        "How the harbour master kept the boats apart in the storm of the third of november again";
    let site = site()
        .item(format!("+++\nid = \"x\"\ntitle = \"{title}\"\ndate = 2026-05-01\n+++\nText.\n"));
    site.built();
    let short = "how-the-harbour-master-kept-the-boats-apart-in-the-storm-of-the-third-of";
    assert!(site.exists(&format!("public/i/{short}-x/index.html")));
    let former = site.read(&format!("public/i/{short}-novembe-x/index.html"));
    assert!(former.contains(&format!("/i/{short}-x/")), "{former}");
}
