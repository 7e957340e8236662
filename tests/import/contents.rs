//! Imports neither lose nor change what texts say: cases of real exports and feeds, and counts before and after.

use std::collections::BTreeMap;

use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::import::command::{files, notes, ok, rss};
use crate::support::fixtures;
use crate::support::small_site::bare;
use crate::support::xml_tree::parse;

/// Imports a text with a command and builds the site: the report, the files of items by name, and what the feed says of each.
fn import_and_build(kind: &str, text: &str) -> (Value, BTreeMap<String, String>, Vec<String>) {
    let folder = bare();
    let name = if text.trim_start().starts_with('{') { "in.json" } else { "in.xml" };
    folder.write(name, text);
    let (source, site) = (folder.path(name), folder.path("new"));
    let site = site.to_str().unwrap();
    let said = ok(&[
        "import",
        kind,
        source.to_str().unwrap(),
        "--json",
        "--base-url",
        "https://tides.example",
        "--site",
        site,
    ]);
    let report = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
    ok(&["build", "--future", "--site", site]);
    let items = files(&folder.path("new"))
        .into_iter()
        .filter(|(path, _)| path.starts_with("content/items/"));
    let items = items
        .map(|(path, text)| (path.trim_start_matches("content/items/").to_owned(), text))
        .collect();
    let feed = parse(&folder.read("new/public/rss.xml"));
    let bodies = feed.child("channel").all("item").map(|item| {
        let whole = item.all("content:encoded").chain(item.all("description")).next();
        whole.map(|body| body.text.clone()).unwrap_or_default()
    });
    (report, items, bodies.collect())
}

fn import_fixture(kind: &str, name: &str) -> (Value, BTreeMap<String, String>, Vec<String>) {
    let file = fixtures().join("import/cases").join(format!("{name}.xml"));
    import_and_build(kind, &std::fs::read_to_string(file).unwrap())
}

#[test]
fn each_wordpress_video_is_a_separate_paragraph() {
    let (_, items, bodies) = import_fixture("wordpress", "wxr-embed");
    let text: String = items.into_values().collect();
    for line in ["https://www.youtube.com/watch?v=aqz-KE-bpKQ", "https://vimeo.com/76979871"] {
        assert!(text.lines().any(|own| own == line), "{text}");
    }
    assert_eq!(
        text.matches("\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ\n").count(),
        2,
        "{text}"
    );
    assert!(bodies.iter().all(|body| body.contains("<a href=\"https://")), "{bodies:#?}");
}

#[test]
fn bare_urls_stay_urls() {
    let (_, items, bodies) = import_fixture("rss", "plain-urls");
    let text: String = items.into_values().collect();
    assert!(
        text.contains("01:30 Next https://x.example/y")
            && text.contains("More at https://x.example/z"),
        "{text}"
    );
    let bodies = bodies.concat();
    for address in ["https://x.example/y", "https://x.example/z"] {
        assert!(bodies.contains(&format!("<a href=\"{address}\">{address}</a>")), "{bodies}");
    }
}

#[test]
fn percent_encoded_names_in_urls_are_decoded() {
    let (_, items, _) = import_fixture("wordpress", "wxr-slug");
    assert!(items["прилив-в-гавани.md"].contains("slug = \"прилив-в-гавани\""), "{items:#?}");
}

#[test]
fn term_names_have_no_html_entities() {
    let (_, items, _) = import_fixture("wordpress", "wxr-category-entity");
    let text: String = items.into_values().collect();
    assert!(text.contains("tags = [\"R&B\"]"), "{text}");
}

#[test]
fn a_wordpress_gallery_keeps_its_pictures() {
    let (_, items, bodies) = import_fixture("wordpress", "wxr-gallery");
    let text: String = items.into_values().collect();
    assert!(text.contains("![Alt one](https://tides.example/one.png \"Caption one\")\n![](https://tides.example/two.png)"), "{text}");
    assert!(text.contains("alt = \"Alt one\"") && !text.contains("gallery ids"), "{text}");
    assert!(bodies[0].contains("class=\"gallery\""), "{bodies:#?}");
}

#[test]
fn substack_widgets_are_removed() {
    let (report, items, bodies) = import_fixture("rss", "substack");
    let text: String = items.into_values().collect();
    for gone in ["<form", "<svg", "Subscribe now", "<input", "subscription-widget"] {
        assert!(!text.contains(gone) && !bodies[0].contains(gone), "{gone}: {text}");
    }
    assert!(
        text.contains("![A pier](https://substackcdn.example/image/x_1024x683.jpeg \"The pier\")")
            && !text.contains("<figure"),
        "{text}"
    );
    assert!(text.contains("\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ\n"), "{text}");
    assert!(notes(&report).iter().all(|note| !note.contains("<div>")));
}

#[test]
fn month_names_are_parsed_in_the_channel_language() {
    let (report, items, _) = import_fixture("rss", "rss-local-dates");
    for (name, date) in [
        ("pt.md", "2018-09-24T22:42:40Z"),
        ("de.md", "2026-03-02T08:00:00Z"),
        ("fr.md", "2026-02-02T08:00:00Z"),
    ] {
        assert!(
            items[name].contains(&format!("date_published = \"{date}\"")),
            "{name}: {items:#?}"
        );
    }
    assert!(notes(&report).iter().all(|note| !note.contains("is not a valid date")));
}

#[test]
fn invalid_values_are_reported_with_their_entry() {
    let items = "<item><title>Long</title><guid>a</guid><itunes:duration>1:99:99</itunes:duration><itunes:season>-1</itunes:season>\
        <pubDate>Wed, 30 Nov -0001 00:00:00 +0000</pubDate><enclosure url='https://a.example/a.mp3' length='-3' type='audio/mpeg'/></item>\
        <item><title>Four</title><guid>b</guid><itunes:duration>01:02:03:04</itunes:duration><pubDate>Mon, 05 Oct 2020 24:00:00 GMT</pubDate>\
        <enclosure url='https://a.example/b.mp3' length='9' type='audio/mpeg'/></item>";
    let (report, items, _) = import_and_build("rss", &rss("<language>en_US</language>", items));
    let notes = notes(&report);
    for field in ["itunes:duration", "itunes:season", "pubDate", "enclosure length"] {
        let is_told = |note: &&str| note.starts_with("“Long”") && note.contains(field);
        assert!(notes.iter().any(is_told), "{field}: {notes:#?}");
    }
    let (long, four) = (&items["long.md"], &items["four.md"]);
    assert!(
        !long.contains("duration_in_seconds")
            && !long.contains("date_published")
            && !long.contains("season"),
        "{long}"
    );
    assert!(
        four.contains("duration_in_seconds = 3723") && four.contains("2020-10-06T00:00:00Z"),
        "{four}"
    );
}

#[test]
fn a_channel_keeps_at_most_a_hundred_categories() {
    let categories: String =
        (0..150).map(|at| format!("<category>Topic {at}</category>")).collect();
    let folder = bare();
    folder.write("in.xml", rss(&categories, "<item><title>A</title><guid>a</guid></item>"));
    let report = crate::import::command::import(
        folder.path("in.xml").to_str().unwrap(),
        &folder.path("new"),
        &[],
    );
    let channel = folder.read("new/content/channel.md");
    assert!(channel.contains("Topic 99") && !channel.contains("Topic 100"), "{channel}");
    assert!(notes(&report).iter().any(|note| note.contains("150 categories")), "{report:#}");
}

/// The parts of a text that a reader would miss.
const BODY: &str = "<p>First with <a href=\"https://a.example/1\">one</a>.</p><p>Second with <a href=\"https://a.example/2\">two</a> and <em>more</em>.</p>\
    <p><img src=\"https://a.example/a.jpg\" alt=\"A\"></p><figure><img src=\"https://a.example/b.jpg\" alt=\"B\"><figcaption>Said</figcaption></figure>\
    <ul><li>One</li><li>Two</li></ul><p>Noted.<sup id=\"fnref1\"><a href=\"#fn1\">1</a></sup></p>\
    <ol><li id=\"fn1\">The note <a href=\"#fnref1\">↩</a></li></ol>";

/// Counts of paragraphs outside of lists, links, pictures, films, list items and marks of footnotes.
fn count_elements(html: &str) -> BTreeMap<&'static str, usize> {
    let html = Html::parse_fragment(html);
    let count = |selector: &str| html.select(&Selector::parse(selector).unwrap()).count();
    BTreeMap::from([
        ("links", count("a[href^='https://a.example/']")),
        ("pictures", count("img")),
        ("films", count("a[href*='youtube.com/watch'], iframe[src*='youtube']")),
        ("list items", count("li")),
        ("footnotes", count("sup a")),
        (
            "paragraphs",
            // A footnote is a paragraph in a list.
            html.select(&Selector::parse(":not(li) > p").unwrap())
                .filter(|p| p.text().any(|text| !text.trim().is_empty()))
                .count(),
        ),
    ])
}

#[test]
fn every_importer_keeps_all_elements() {
    let frame = "<p><iframe src=\"https://www.youtube.com/embed/aqz-KE-bpKQ\"></iframe></p>";
    let line = "<p><a href=\"https://www.youtube.com/watch?v=aqz-KE-bpKQ\">https://www.youtube.com/watch?v=aqz-KE-bpKQ</a></p>";
    let html = format!("{BODY}{frame}");
    let expected = count_elements(&format!("{BODY}{line}"));
    let cdata = |html: &str| format!("<![CDATA[{html}]]>");
    let escaped = |html: &str| html.replace('&', "&amp;").replace('<', "&lt;");
    let block = "<!-- wp:embed {\"url\":\"https://www.youtube.com/watch?v=aqz-KE-bpKQ\"} --><figure class=\"wp-block-embed\"><div class=\"wp-block-embed__wrapper\">\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ\n</div></figure><!-- /wp:embed -->";
    let post = |html: &str| {
        rss(
            "",
            &format!(
                "<item><title>A</title><guid>a</guid><content:encoded>{}</content:encoded><wp:post_id>1</wp:post_id><wp:post_name>a</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>",
                cdata(html)
            ),
        )
        .replace("xmlns:content", "xmlns:wp='http://wordpress.org/export/1.2/' xmlns:content")
    };
    let lexical =
        json!({ "root": { "type": "root", "children": [{ "type": "html", "html": html }] } });
    let ghost = |post: Value| {
        json!({ "db": [{ "data": { "posts": [post], "settings": [] } }] }).to_string()
    };
    let sources = [
        ("rss", rss("", &format!("<item><title>A</title><guid>a</guid><content:encoded>{}</content:encoded></item>", cdata(&html)))),
        ("rss", rss("", &format!("<item><title>A</title><guid>a</guid><description>{}</description></item>", escaped(&html)))),
        ("rss", format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>a</id><title>A</title><content type='html'>{}</content></entry></feed>", escaped(&html))),
        ("rss", json!({ "version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{ "id": "a", "content_html": html }] }).to_string()),
        ("microfeed", json!({ "version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{ "id": "a", "content_html": html, "_microfeed": { "status": "published" } }] }).to_string()),
        ("wordpress", post(&html)),
        ("wordpress", post(&format!("<!-- wp:html -->{BODY}<!-- /wp:html -->{block}"))),
        ("wordpress", post(&format!("{BODY}\n\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ\n\n"))),
        ("wordpress", post(&format!("{BODY}[embed]https://www.youtube.com/watch?v=aqz-KE-bpKQ[/embed]"))),
        ("wordpress", post(&format!("{BODY}[youtube=https://www.youtube.com/watch?v=aqz-KE-bpKQ]"))),
        ("podlove", post(&html)),
        ("ghost", ghost(json!({ "id": "a1", "title": "A", "slug": "a", "status": "published", "html": html }))),
        ("ghost", ghost(json!({ "id": "a1", "title": "A", "slug": "a", "status": "published", "lexical": lexical.to_string() }))),
    ];
    for (kind, source) in sources {
        let (report, items, bodies) = import_and_build(kind, &source);
        assert_eq!(
            count_elements(&bodies[0]),
            expected,
            "{kind}: {source}\n=> {items:#?}\n{:#}",
            report["notes"]
        );
    }
}

#[test]
fn wordpress_imports_keep_fields_besides_the_text() {
    let meta = |key: &str, value: &str| {
        format!(
            "<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"
        )
    };
    let power = "https://a.example/a.MP3\n123\naudio/mpeg\na:3:{s:8:\"duration\";s:8:\"00:10:00\";s:6:\"season\";s:1:\"2\";s:10:\"episode_no\";s:1:\"7\";}";
    let text = "<!-- wp:paragraph --><p>Said<sup data-fn=\"n1\" class=\"fn\"><a href=\"#n1\" id=\"n1-link\">1</a></sup></p><!-- /wp:paragraph -->\
        <!-- wp:block {\"ref\":50} /--><!-- wp:more --><!--more--><!-- /wp:more -->\
        <!-- wp:gallery {\"linkTo\":\"none\"} --><figure class=\"wp-block-gallery has-nested-images\"><!-- wp:image {\"id\":7} --><figure class=\"wp-block-image\"><img src=\"https://tides.example/x.jpg\" alt=\"\" class=\"wp-image-7\"/></figure><!-- /wp:image -->\
        <!-- wp:image {\"id\":8} --><figure class=\"wp-block-image\"><img src=\"https://tides.example/y.jpg\" alt=\"Own\" class=\"wp-image-8\"/><figcaption class=\"wp-element-caption\">Two</figcaption></figure><!-- /wp:image --></figure><!-- /wp:gallery -->\
        <!-- wp:footnotes /--><!-- wp:latest-posts /-->[audio src=\"https://a.example/B.MP3\"]";
    let items = format!(
        "<item><title>A</title><guid>a</guid><content:encoded><![CDATA[{text}]]></content:encoded><wp:post_id>1</wp:post_id><wp:post_name>a</wp:post_name>\
         <wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt><wp:post_date>2020-09-11 12:00:00</wp:post_date><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>{}\
         <category domain=\"post_format\" nicename=\"post-format-video\">Video</category><category domain=\"language\" nicename=\"pt_BR\">Português</category></item>\
         <item><title>Shared</title><guid>b</guid><content:encoded><![CDATA[<!-- wp:paragraph --><p>Shared words</p><!-- /wp:paragraph -->]]></content:encoded><wp:post_id>50</wp:post_id><wp:status>publish</wp:status><wp:post_type>wp_block</wp:post_type></item>\
         <item><title>x</title><guid>c</guid><wp:post_id>7</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:attachment_url>https://tides.example/x.jpg</wp:attachment_url>{}</item>",
        [
            meta("enclosure", power),
            meta("footnotes", "[{\"content\":\"The <em>note</em>\",\"id\":\"n1\"}]"),
            meta("_yoast_wpseo_metadesc", "For engines"),
            meta("_yoast_wpseo_title", "%%title%% %%sep%%"),
        ]
        .concat(),
        meta("_wp_attachment_image_alt", "From the library"),
    );
    let export = rss("", &items)
        .replace("xmlns:content", "xmlns:wp='http://wordpress.org/export/1.2/' xmlns:content");
    let (report, items, bodies) = import_and_build("wordpress", &export);
    let text = &items["a.md"];
    for said in [
        "Shared words",
        "<!--more-->",
        "![From the library](https://tides.example/x.jpg)\n![Own](https://tides.example/y.jpg \"Two\")",
        "duration_in_seconds = 600",
        "season = 2",
        "episode = 7",
        "description = \"For engines\"",
        "2020-09-11T12:00:00Z",
        "language = \"pt-BR\"",
        "https://a.example/B.MP3",
        "The ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("%%") && !text.contains("Video"), "{text}");
    assert_eq!(count_elements(&bodies[0])["footnotes"], 1, "{text}");
    assert!(notes(&report).iter().any(|note| note.contains("`latest-posts`")), "{report:#}");
}
