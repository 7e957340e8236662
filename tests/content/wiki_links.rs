//! Links by name, and links to the files of other texts.

use crate::support::{Output, Site};

/// A site with a text to link to.
fn site() -> Site {
    Site::empty()
        .write(
            "content/items/2026-03-04-late-tide.md",
            "+++\nid = \"tide\"\ntitle = \"Late tide\"\nslug = \"the-tide\"\naliases = [\"tides\"]\n+++\n## Part two\n\nText.\n",
        )
        .write(
            "content/pages/about.md",
            "+++\ntitle = \"Über uns\"\n+++\nAbout.\n",
        )
}

/// The HTML of the item `a`.
fn html(output: &Output) -> String {
    let feed = output.json("feed.json");
    let items = feed["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["id"] == "a").unwrap();
    item["content_html"].as_str().unwrap().to_owned()
}

fn with_text(site: Site, text: &str) -> Site {
    site.write("content/items/a.md", &format!("+++\nid = \"a\"\n+++\n{text}\n"))
}

fn warnings(output: &Output) -> Vec<String> {
    let told = output.outcome.warnings.iter();
    told.map(|warning| warning.to_string()).collect()
}

#[test]
fn a_wiki_link_resolves_to_the_item_or_page_of_that_name() {
    let link = |text: &str| format!("<a href=\"https://example.com/i/the-tide/\">{text}</a>");
    for (written_so, expected) in [
        ("[[Late tide]]", link("Late tide")),
        ("[[ late  TIDE]]", link("late  TIDE")),
        ("[[late-tide]]", link("late-tide")),
        ("[[2026-03-04-late-tide]]", link("2026-03-04-late-tide")),
        ("[[late-tide.md]]", link("late-tide")),
        ("[[items/late-tide]]", link("items/late-tide")),
        ("[[the-tide]]", link("the-tide")),
        ("[[tide]]", link("tide")),
        ("[[tides|a *text*]]", link("a <em>text</em>")),
        ("![[Late tide]]", link("Late tide")),
        (
            "[[Late tide#Part two]]",
            link("Late tide › Part two").replace("tide/\"", "tide/#part-two\""),
        ),
        (
            "[[UBER UNS]] [[U\u{308}ber uns]]",
            "UBER UNS <a href=\"https://example.com/about/\">U\u{308}ber uns</a>".to_owned(),
        ),
    ] {
        let output = with_text(site(), written_so).build();
        assert_eq!(html(&output), format!("<p>{expected}</p>"), "{written_so}");
        let unknown = usize::from(written_so.contains("UBER"));
        assert_eq!(output.outcome.warnings.len(), unknown, "{written_so}");
    }
}

#[test]
fn other_brackets_are_not_wiki_links() {
    for (text, expected) in [
        (
            "So [[1]](https://a.example/b_c) and *so*.",
            "<p>So <a href=\"https://a.example/b_c\">[1]</a> and <em>so</em>.</p>",
        ),
        ("[[1]](https://a.example/)", "<p><a href=\"https://a.example/\">[1]</a></p>"),
        (
            "So [[1]].\n\n[1]: https://a.example/ \"T\"",
            "<p>So [<a href=\"https://a.example/\" title=\"T\">1</a>].</p>",
        ),
        ("if [[ -f x ]]; then", "<p>if [[ -f x ]]; then</p>"),
        ("`[[x]]` \\[[x]] [[]] [[#]]", "<p><code>[[x]]</code> [[x]] [[]] [[#]]</p>"),
    ] {
        let output = with_text(site(), text).build();
        assert_eq!(html(&output), expected, "{text}");
        assert_eq!(warnings(&output), Vec::<String>::new(), "{text}");
    }
    let off = with_text(site(), "[[Late tide]]")
        .write("site.toml", "base_url = \"https://example.com\"\n[markdown]\nwiki_links = false\n");
    assert_eq!(html(&off.build()), "<p>[[Late tide]]</p>");
}

#[test]
fn an_unknown_or_ambiguous_name_is_text_and_a_warning() {
    let output = with_text(
        site().write("content/items/b.md", "+++\ntitle = \"Über uns\"\n+++\nx\n"),
        "One.\n\nSee [[Late tdie|*this*]], [[Über uns]] and [[C++ & <b>\"x\"]].",
    )
    .build();
    assert_eq!(
        html(&output),
        "<p>One.</p>\n<p>See <em>this</em>, Über uns and C++ &amp; &lt;b&gt;\"x\".</p>"
    );
    let told = warnings(&output);
    assert_eq!(told.len(), 3, "{told:#?}");
    assert!(told[0].contains("content/items/a.md:6:5"), "{}", told[0]);
    assert!(
        told[0].contains("broken link: no file, item or page is called \"Late tdie\"")
            && told[0].contains("did you mean [[Late tide]]?"),
        "{}",
        told[0]
    );
    assert!(
        told[1].contains(
            "ambiguous link: \"Über uns\" is the name of content/items/b.md and of content/pages/about.md"
        ) && told[1].contains("[[items/b]]"),
        "{}",
        told[1]
    );
    assert!(told[2].contains("no file, item or page"), "{}", told[2]);
}

#[test]
fn a_missing_heading_and_a_draft_are_warnings() {
    let output = with_text(
        site().write("content/items/draft.md", "+++\ntitle = \"Not yet\"\ndraft = true\n+++\n"),
        "[[Late tide#Part tow]] [[#Here]] [[Not yet]]\n\n## Here",
    )
    .build();
    let told = warnings(&output);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].contains("#part-tow") && told[0].contains("#part-two"));
    assert!(told[1].contains("content/items/draft.md, which is not published"));
    assert!(html(&output).contains("<a href=\"#here\">Here</a>"));
}

#[test]
fn a_named_file_is_embedded_or_linked() {
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"1\"/>";
    let site = site()
        .write("content/items/a pier (1).svg", picture)
        .write("content/media/boat.svg", picture)
        .write("content/media/paper.pdf", "%PDF-1.4\n");
    let output = with_text(
        site,
        "So ![[a pier (1).svg|A pier]] and ![[boat.svg|300]], [[paper.pdf]] and [[a pier (1).svg]].",
    )
    .build();
    assert_eq!(
        html(&output),
        "<p>So <img src=\"https://example.com/media/items/a%20pier%20(1).svg\" alt=\"A pier\" width=\"3\" height=\"1\" loading=\"lazy\"> \
         and <img src=\"https://example.com/media/boat.svg\" alt=\"boat.svg\" width=\"3\" height=\"1\" loading=\"lazy\">, \
         <a href=\"https://example.com/media/paper.pdf\">paper.pdf</a> \
         and <a href=\"https://example.com/media/items/a%20pier%20(1).svg\">a pier (1).svg</a>.</p>"
    );
    assert!(output.has("media/items/a pier (1).svg") && output.has("media/paper.pdf"));
    let missing = with_text(self::site(), "![[none.png]]").build();
    assert_eq!(html(&missing), "<p>none.png</p>");
    assert!(
        warnings(&missing)[0].contains("broken link: no file, item or page is called \"none.png\"")
    );
}

#[test]
fn wiki_links_work_in_all_markdown_fields() {
    let output = site()
        .write(
            "content/channel.md",
            "+++\ntitle = \"Channel\"\n+++\nAll of [[late tide]], [none](items/no.md).\n",
        )
        .replace("content/channel.md", ", [none](items/no.md)", "")
        .write(
            "content/pages/more.md",
            "+++\ntitle = \"More\"\n+++\n[[Late tide]], [home](../channel.md), [a folder](../items/deep), [another](../items/deep/).\n",
        )
        .write("content/items/deep/index.md", "+++\nid = \"deep\"\nslug = \"deep\"\n+++\n[[More]]\n")
        .write("content/calendars/c/calendar.toml", "summary = \"C\"\n")
        .write(
            "content/calendars/c/meet.md",
            "+++\nid = \"meet\"\nsummary = \"Meet\"\nstart = \"2026-05-01T10:00\"\n+++\nOn the [[late tide]].\n",
        )
        .write(
            "content/items/with space/index.html",
            "+++\nid = \"html\"\n+++\n<a href=\"../deep/\">x</a> <a href='../2026-03-04-late-tide.md#part-two'>y</a> <a href=\"../with%20space/index.html\">z</a> [[Late tide]]\n",
        )
        .build();
    assert_eq!(warnings(&output), Vec::<String>::new());
    let tide = "href=\"/i/the-tide/\"";
    assert!(output.text("index.html").contains(tide));
    let more = output.text("more/index.html");
    assert!(more.contains(tide) && more.contains("<a href=\"/\">home</a>"));
    assert_eq!(more.matches("href=\"/i/deep/\">a").count(), 2);
    assert!(output.text("i/deep/index.html").contains("href=\"/more/\">More"));
    let feed = output.json("feed.json");
    let items = feed["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["id"] == "html").unwrap();
    assert_eq!(
        item["content_html"].as_str().unwrap(),
        "<a href=\"https://example.com/i/deep/\">x</a> <a href=\"https://example.com/i/the-tide/#part-two\">y</a> \
         <a href=\"https://example.com/i/html/\">z</a> [[Late tide]]"
    );
}

#[test]
fn a_link_to_an_event_is_a_warning() {
    let output = with_text(site(), "[x](../calendars/c/meet.md)")
        .write("content/calendars/c/calendar.toml", "summary = \"C\"\n")
        .write(
            "content/calendars/c/meet.md",
            "+++\nid = \"meet\"\nstart = \"2026-05-01T10:00\"\nvisibility = \"private\"\n+++\nSecret.\n",
        )
        .build();
    let told = warnings(&output);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("has no page: it is part of a calendar"), "{}", told[0]);
    assert!(output.files().iter().all(|file| !file.contains("meet")));
}

#[test]
fn ten_thousand_wiki_links_are_resolved() {
    let many: String = (0..10_000).map(|at| format!("[[nobody {at}]] [[late tide]]\n")).collect();
    let output = with_text(site(), &many).build();
    let text = html(&output);
    assert_eq!(text.matches("<a href=").count(), 10_000);
    assert!(text.contains("nobody 9999") && !text.contains("feedwright-content"));
    assert_eq!(output.outcome.warnings.len(), 101);
}
