//! Mistakes that new users make: each is told once, with its file, its line and what to do.

use crate::content::errors::site_with_theme;
use crate::support::program;
use crate::support::small_site::{SmallSite, site};

const PICTURE: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/picture.png");

fn item(text: &str) -> SmallSite {
    site().item(text)
}

/// Whether a build reports this with this remedy, and nothing else.
fn assert_remedy(site: &SmallSite, what: &str, remedy: &str) {
    let report = site.report();
    let place = report.split("\n  --> ").nth(1).unwrap_or_default();
    let place = place.split('\n').next().unwrap_or_default();
    assert_warning(site, what, place, remedy);
}

/// Whether a build reports this, at this place, with this remedy, and nothing else.
fn assert_warning(site: &SmallSite, what: &str, place: &str, remedy: &str) {
    let report = site.report();
    assert!(report.contains(what), "{what}: {report}");
    assert!(report.contains(&format!("\n  --> {place}\n")), "{place}: {report}");
    let help = report.split("\n  help: ").nth(1).unwrap_or_default();
    assert!(help.contains(remedy), "{remedy}: {report}");
    assert_eq!(report.matches("\n  help: ").count(), 1, "told once: {report}");
}

fn assert_no_warning(site: &SmallSite) {
    assert_eq!(site.report(), "built");
}

#[test]
fn a_top_level_key_below_a_table_is_reported() {
    for (key, line) in [
        ("title", "title = \"x\""),
        ("tags", "tags = [\"a\"]"),
        ("attachment", "attachment = \"https://example.com/a.mp3\""),
        ("aliases", "aliases = [\"b\"]"),
    ] {
        let text = format!("+++\nid = \"a\"\n[podcast]\nseason = 1\n{line}\n+++\nText.\n");
        assert_warning(
            &item(&text),
            &format!("warning[unknown-key]: unknown key `podcast.{key}`"),
            "content/items/a.md:5:1",
            &format!("move `{key}` above the first line in brackets"),
        );
    }
    // Whichever table it is, and however deep.
    assert_warning(
        &item(
            "+++\n[seo]\ndescription = \"d\"\n[podcast.license]\nidentifier = \"cc-by-4.0\"\nlanguage = \"en\"\n+++\n",
        ),
        "unknown key `podcast.license.language`",
        "content/items/a.md:6:1",
        "above the first line in brackets",
    );
    assert_warning(
        &site().with(
            "site.toml",
            "base_url = \"https://example.com\"\n[feed]\nlimit = 3\ntheme = \"default\"\n",
        ),
        "unknown key `feed.theme`",
        "site.toml:4:1",
        "move `theme` above",
    );
    assert_warning(
        &site().with("content/pages/p.md", "+++\ntitle = \"p\"\nslug = \"p\"\n+++\n").with(
            "content/channel.md",
            "+++\ntitle = \"a\"\n[itunes]\nexplicit = false\nlanguage = \"en\"\n+++\n",
        ),
        "unknown key `itunes.language`",
        "content/channel.md:5:1",
        "belong to `itunes`",
    );
    // YAML has no such trap: there it was indented.
    assert_warning(
        &item("---\ntitle: x\npodcast:\n  season: 1\n  tags: [a]\n---\n"),
        "unknown key `podcast.tags`",
        "content/items/a.md:5:3",
        "move `tags` out of `podcast`",
    );
    // A key that is like one of its own table is that.
    assert_warning(
        &item("+++\n[podcast]\nseasons = 1\n+++\n"),
        "unknown key `podcast.seasons`",
        "content/items/a.md:3:1",
        "did you mean `season`?",
    );
}

#[test]
fn misspelled_keys_are_reported_with_a_suggestion() {
    for (key, right) in [
        ("audio", "`attachment`"),
        ("enclosure", "`attachment`"),
        ("transcript", "`transcripts` below [podcast]"),
        ("chapters", "`chapters` below [podcast]"),
        ("episode", "`episode` below [podcast]"),
        ("season", "`season` below [podcast]"),
        ("explicit", "`explicit` below [itunes]"),
        ("duration", "feedwright reads it from a file of this site"),
        ("cover", "`image`"),
        ("keywords", "`tags`"),
        ("lang", "`language`"),
        ("content", "below the front matter"),
    ] {
        let text = format!("+++\ntitle = \"x\"\n{key} = \"y\"\n+++\nText.\n");
        assert_warning(
            &item(&text),
            &format!("warning[unknown-key]: unknown key `{key}`"),
            "content/items/a.md:3:1",
            right,
        );
    }
    for (line, right) in [
        ("title = \"x\"", "content/channel.md"),
        ("language = \"en\"", "content/channel.md"),
        ("description = \"x\"", "content/channel.md"),
        ("url = \"https://example.com\"", "`base_url`"),
        ("items_per_page = 3", "[feed]"),
    ] {
        let text = format!("base_url = \"https://example.com\"\n{line}\n");
        assert_warning(
            &site().with("site.toml", text),
            "warning[unknown-key]: unknown key",
            "site.toml:2:1",
            right,
        );
    }
    for (line, right) in [("theme = \"x\"", "site.toml"), ("url = \"x\"", "`homepage_url`")] {
        let text = format!("+++\ntitle = \"a\"\n{line}\n+++\n");
        assert_warning(
            &site().with("content/channel.md", text),
            "unknown key",
            "content/channel.md:3:1",
            right,
        );
    }
    assert_warning(
        &site().with("content/pages/p.md", "+++\ntitle = \"p\"\ndescription = \"x\"\n+++\n"),
        "unknown key `description`",
        "content/pages/p.md:3:1",
        "`meta_description`",
    );
}

/// A front matter in each notation.
fn in_each_notation(toml: &str, yaml: &str, json: &str) -> [String; 3] {
    [
        format!("+++\n{toml}\n+++\nText.\n"),
        format!("---\n{yaml}\n---\nText.\n"),
        format!("{json}\nText.\n"),
    ]
}

#[test]
fn a_remedy_uses_the_notation_of_the_file() {
    let files = in_each_notation("season = 2", "season: 2", "{\"season\": 2}");
    let written = [
        "write `season` below [podcast]",
        "write `season:`, indented below `podcast:`",
        "write `season` in the object `podcast`",
    ];
    for (text, remedy) in files.iter().zip(written) {
        assert_remedy(&item(text), "unknown key `season`", remedy);
    }
    let files = in_each_notation("bonus = true", "bonus: true", "{\"bonus\": true}");
    let written = [
        "write `episodeType = \"bonus\"` below [itunes]",
        "write `episodeType: \"bonus\"`, indented below `itunes:`",
        "write `\"episodeType\": \"bonus\"` in the object `itunes`",
    ];
    for (text, remedy) in files.iter().zip(written) {
        assert_remedy(&item(text), "unknown key `bonus`", remedy);
    }
    let files = in_each_notation(
        "podcast.transcripts = \"https://a.example/words\"",
        "podcast:\n  transcripts: https://a.example/words",
        "{\"podcast\": {\"transcripts\": \"https://a.example/words\"}}",
    );
    let written = [
        "as in { url = …, type = \"text/vtt\" }",
        "as in { url: …, type: \"text/vtt\" }",
        "as in { \"url\": …, \"type\": \"text/vtt\" }",
    ];
    for (text, remedy) in files.iter().zip(written) {
        assert_remedy(&item(text), "the media type of", remedy);
    }
    let files = in_each_notation(
        "podcast.license = \"mine\"", "podcast:\n  license: mine",
        "{\"podcast\": {\"license\": \"mine\"}}",
    );
    let written = [
        "license = { identifier = …, url = … }",
        "license: { identifier: …, url: … }",
        "\"license\": { \"identifier\": …, \"url\": … }",
    ];
    for (text, remedy) in files.iter().zip(written) {
        assert_remedy(&item(text), "is not a known public licence", remedy);
    }
}

#[test]
fn keys_of_other_generators_are_reported_with_their_equivalent() {
    for (line, right) in [
        ("status: draft", "write \"unpublished\""),
        ("status: publish", "content with a future date is published on that date"),
        ("type: bonus", "`episodeType:`, indented below `itunes:`"),
        ("episode_type: bonus", "`episodeType:`, indented below `itunes:`"),
        ("itunes_duration: 600", "`duration_in_seconds:`, indented below `attachment:`"),
        ("feature_image: a.jpg", "write `image`"),
        ("meta_title: A", "`title:`, indented below `seo:`"),
        ("og-image: a.jpg", "`social_image:`, indented below `seo:`"),
        ("custom_excerpt: A", "write `summary`"),
        ("expiryDate: 2030-01-01", "nothing is unpublished automatically"),
        ("post_status: private", "`status: \"unpublished\"`"),
        ("publishDate: 2026-01-01", "write `date_published`"),
        ("updated_at: 2026-01-01", "write `date_modified`"),
        ("weight: 3", "sorted by date"),
        ("layout: post", "the theme decides"),
        ("math: true", "in site.toml, for the whole site"),
        ("eleventyNavigation: {key: A}", "only pages, in content/pages/"),
        ("extra: {a: 1}", "to the top level"),
        ("paginate_by: 3", "of another generator"),
        ("lexical: x", "below the front matter"),
    ] {
        let text = format!("---\ntitle: A\n{line}\n---\nText.\n");
        assert_remedy(&item(&text), "`", right);
    }
    // Inside a table, too.
    for (line, right) in [
        ("attachment: {url: 'https://a.example/a.mp3', length: 3}", "`size_in_bytes`"),
        ("itunes: {guests: [A]}", "`people:`, indented below `podcast:`"),
    ] {
        let text = format!("---\ntitle: A\n{line}\n---\nText.\n");
        assert_remedy(&item(&text), "unknown key", right);
    }
    let page = "---\ntitle: A\nweight: 3\n---\n";
    assert_warning(
        &site().with("content/pages/a.md", page),
        "unknown key `weight`",
        "content/pages/a.md:3:1",
        "write `navigation_order`",
    );
}

#[test]
fn one_mistake_is_reported_once() {
    // A mistyped key that had to be there is not also missing.
    assert_warning(
        &site().with("content/pages/p.md", "+++\ntitel = \"p\"\n+++\n"),
        "error: `title` is missing, and `titel` is an unknown key",
        "content/pages/p.md:2:1",
        "did you mean `title`?",
    );
    assert_warning(
        &item("+++\nauthors = [{ nam = \"x\" }]\n+++\n"),
        "error: `authors.name` is missing, and `nam` is an unknown key",
        "content/items/a.md:2:14",
        "did you mean `name`?",
    );
    // Another word for a required key is that key.
    for (table, key, meant) in [
        ("soundbites: [{ start: 5, duration: 30 }]", "start", "startTime"),
        ("soundbites: [{ startTime: 5, length: 30 }]", "length", "duration"),
        ("people: [{ title: Ada }]", "title", "name"),
        ("transcripts: [{ href: \"https://a.example/a.vtt\" }]", "href", "url"),
        ("season: { no: 1, nummer: 2 }", "nummer", "number"),
        ("socialInteract: [{ protocol: activitypub, url: \"https://a.example/1\" }]", "url", "uri"),
        (
            "alternateEnclosures: [{ sources: [{ url: \"https://a.example/a.mp3\" }] }]",
            "url",
            "uri",
        ),
    ] {
        let report = item(&format!("---\ntitle: x\npodcast:\n  {table}\n---\n")).report();
        assert_eq!(report.matches(&format!("`{key}`")).count(), 1, "{report}");
        assert!(
            report.contains(&format!("{meant}` is missing, and `{key}` is an unknown key")),
            "{report}"
        );
        assert!(report.contains(&format!("did you mean `{meant}`?")), "{report}");
    }
    assert_warning(
        &site().with("content/channel.md", "+++\ntitel = \"p\"\n+++\n"),
        "warning[unknown-key]: unknown key `titel`",
        "content/channel.md:2:1",
        "did you mean `title`?",
    );
    assert_warning(
        &site_with_theme()
            .with("themes/mine/item.html", "{{#titel}}{{titel}}{{/titel}}\n{{titel}}"),
        "unknown name `titel`",
        "themes/mine/item.html:1:1",
        "did you mean `title`?",
    );
    // A file that is there is not also one that nothing names: what means it is what has to be mended.
    assert_warning(
        &item("+++\nimage = \"Photo.PNG\"\n+++\n").with("content/items/photo.png", PICTURE),
        "error: content/items/Photo.PNG does not exist",
        "content/items/a.md:2:9",
        "write content/items/photo.png",
    );
    assert_warning(
        &item("+++\naudio = \"a b.mp3\"\n+++\n").with("content/items/a b.mp3", "x"),
        "unknown key `audio`",
        "content/items/a.md:2:1",
        "`attachment`",
    );
    for text in [
        "+++\ntitle = \"x\nattachment = \"b.pdf\"\n+++\n![y](sub/c%20d.png) <img src=e.png>\n",
        "---\ntitle: [x\nattachment: b.pdf\n---\n![y](<sub/c d.png>)\n\n[z]: e.png\n",
    ] {
        let site = item(text)
            .with("content/items/b.pdf", "x")
            .with("content/items/sub/c d.png", PICTURE)
            .with("content/items/e.png", PICTURE);
        let report = site.report();
        assert_eq!(report.matches("\n  --> ").count(), 1, "{report}");
    }
    // What nothing means is told as ever.
    let report = item("+++\ntitle = \"x\n+++\n").with("content/items/b.pdf", "x").report();
    assert!(report.contains("no content refers to this file"), "{report}");
    // Nor are links wrong that lead to what cannot be read.
    assert_warning(
        &site()
            .with("content/items/b.md", "\n+++\nslug = \"b\"\ntags = [\"t\"]\n+++\n## Head\n")
            .item("[x](b.md) [y](b.md#head) [z](/i/b/) [t](/tags/t/)\n")
            .with("content/pages/p.md", "+++\ntitle = \"p\"\n+++\n[x](../items/b.md)\n"),
        "does not start on the first line",
        "content/items/b.md:2:1",
        "remove the blank lines and spaces before it",
    );
    assert_warning(
        &item("[x](/b/)\n").with("content/pages/b.md", "+++\ntitle = 1\n+++\n"),
        "must be text",
        "content/pages/b.md:2:9",
        "quotes",
    );
    let report = item("[x](/c/)\n").with("content/items/b.md", "+++\ntitle = 1\n+++\n").report();
    assert!(report.contains("the site has nothing at /c/"), "{report}");
    for key in ["base_ulr", "baseURL", "url"] {
        assert_warning(
            &site().with("site.toml", format!("{key} = \"https://walks.example\"\n")),
            &format!("error: `base_url` is missing, and `{key}` is an unknown key"),
            "site.toml:1:1",
            "did you mean `base_url`?",
        );
    }
    // What is wrong with one key does not make others unknown.
    for (key, column) in [("id", 6), ("slug", 8)] {
        let rest =
            "title = \"x\"\nlanguage = \"en\"\naliases = [\"q\"]\ndate_modified = 2026-01-01\n";
        let of_page = "show_in_navigation = true\nnavigation_label = \"y\"\n";
        let item_text = format!("+++\n{key} = \"a b\"\ntags = [\"x\"]\n{rest}+++\n");
        let page_text = format!("+++\n{key} = \"a b\"\n{of_page}{rest}+++\n");
        assert_warning(&item(&item_text), "\"a b\"", &format!("content/items/a.md:2:{column}"), "");
        let page = site().with("content/pages/p.md", page_text);
        assert_warning(&page, "\"a b\"", &format!("content/pages/p.md:2:{column}"), "");
    }
    assert_warning(
        &site().with("content/pages/p.md", "+++\ntitle = 3\nshow_in_navigation = true\n+++\n"),
        "`title` must be text",
        "content/pages/p.md:2:9",
        "quotes",
    );
    // What is missing and like nothing is said where the table is.
    assert_warning(
        &site().with("content/pages/p.md", "+++\nstatus = \"published\"\n+++\n"),
        "error: `title` is missing",
        "content/pages/p.md:1:1",
        "add `title`",
    );
}

#[test]
fn front_matter_after_the_first_line_is_reported() {
    for (text, place) in [
        ("\n+++\ntitle = \"x\"\nstatus = \"unpublished\"\n+++\nText.\n", "2:1"),
        ("\n\n---\ntitle: x\n---\nText.\n", "3:1"),
        (" \n{\"title\": \"x\"}\nText.\n", "2:1"),
        (" ---\ntitle: x\n---\nText.\n", "1:2"),
        ("\r\n+++\r\ntitle = \"x\"\r\n+++\r\nText.\r\n", "2:1"),
        ("\u{feff}\n+++\ntitle = \"x\"\n+++\nText.\n", "2:1"),
    ] {
        assert_warning(
            &item(text),
            "error: this front matter does not start on the first line, and would be published as text",
            &format!("content/items/a.md:{place}"),
            "remove the blank lines and spaces before it",
        );
    }
    // Rules, code and texts that are no front matter are text.
    for text in [
        "\n---\n\nText.\n\n---\n",
        "\n\nText.\n",
        "\n    +++\n    title = \"x\"\n    +++\n",
        "\n+++\n",
        "\n{not json}\n",
        "\u{feff}+++\ntitle = \"x\"\n+++\nText.\n",
    ] {
        assert_no_warning(&item(text));
    }
}

#[test]
fn unread_files_are_reported() {
    for (path, place, remedy) in [
        ("content/items/notes.txt", "content/items/notes.txt", "refer to it in a content file"),
        ("content/items/photo.jpg", "content/items/photo.jpg", "content/media/"),
        ("content/pages/notes.txt", "content/pages/notes.txt", "refer to it in a content file"),
        ("content/foo.md", "content/foo.md", "put items in content/items/"),
        ("content/chanel.md", "content/chanel.md", "did you mean content/channel.md?"),
        ("content/posts/x.md", "content/posts", "put items in content/items/"),
        ("content/item/x.md", "content/item", "did you mean content/items?"),
        ("content/Items/x/index.md", "content/Items", "did you mean content/items?"),
    ] {
        assert_warning(&site().with(path, "x"), "warning[stray-file]: ", place, remedy);
    }
    let report = site().with("content/posts/a.md", "x").with("content/posts/b/c.md", "y").report();
    assert!(report.contains("this folder is ignored, with 2 files"), "{report}");

    // What content names is read, wherever it lies; and so is what no author wrote.
    let named = site()
        .with("content/items/a.md", "[x](a.pdf) [y](../stuff/b.pdf) <img src=\"c.svg\">\n")
        .with("content/items/a.pdf", "x")
        .with("content/stuff/b.pdf", "x")
        .with(
            "content/items/c.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>",
        )
        .with("content/items/.DS_Store", "x")
        .with("content/items/.hidden/x.txt", "x")
        .with("content/items/a.md~", "x")
        .with("content/items/a.md.bak", "x")
        .with("content/items/#a.md#", "x")
        .with("content/Thumbs.db", "x")
        .with("content/media/unnamed.txt", "x");
    assert_no_warning(&named);
    #[cfg(unix)]
    assert_no_warning(
        &site().with("content/shared/b.md", "x").link("content/items/b.md", "../shared/b.md"),
    );
    // The folder of an item is its author's desk.
    let desk =
        site().with("content/items/b/index.md", "x").with("content/items/b/cut/raw.wav", "x");
    assert_no_warning(&desk);
}

#[test]
fn template_tags_of_other_generators_are_reported() {
    for (text, place, help) in [
        (
            "{{< youtube abc >}}\n",
            "1:1",
            "write the address of the video on a separate line: https://youtu.be/abc",
        ),
        (
            "One {{% note %}}two{{% /note %}}\n",
            "1:5",
            "write a block quote that starts with > [!NOTE]",
        ),
        (
            "{{<figure src=\"a.jpg\">}}\n",
            "1:1",
            "write the picture in Markdown: ![alternative text](pier.jpg",
        ),
        ("- a {% include x.html %}\n", "1:5", "write its content in Markdown or HTML"),
    ] {
        let report = item(text).report();
        for told in [
            "warning[foreign-syntax]: this is a template tag of another generator: readers see it as plain text",
            &format!("--> content/items/a.md:{place}\n"),
            &format!("help: {help}"),
        ] {
            assert!(report.contains(told), "{report}");
        }
    }
    for text in [
        "`{{< youtube abc >}}` {{ this }} {{< never closed\n",
        "```\n{{< youtube abc >}}\n{% raw %}\n```\n",
        "    {{% note %}}\n",
        "5 {% and { 6 %\n",
    ] {
        assert_no_warning(&item(text));
    }
}

#[test]
fn links_to_missing_anchors_are_reported() {
    let body = |text: &str| {
        format!(
            "+++\ntitle = \"x\"\nslug = \"x\"\n+++\n## A heading\n\n<a name=\"old\"></a><p id='own'>Text[^1]</p>\n\n[^1]: Note.\n\n{text}\n"
        )
    };
    let about = "+++\ntitle = \"About\"\n+++\n## Who we are\n\n## Wörter\n";
    let with = |text: &str| item(&body(text)).with("content/pages/about.md", about);
    for (link, what, remedy) in [
        (
            "[x](#nope)",
            "broken link: this page has no anchor #nope",
            "write the words of the heading",
        ),
        (
            "[x](#a-headin)",
            "broken link: this page has no anchor #a-headin",
            "did you mean #a-heading?",
        ),
        ("[x](/about/#who-are-we)", "broken link: the linked page has no anchor #who-are-we", "#"),
        (
            "[x](../pages/about.md#nope)",
            "broken link: the linked page has no anchor #nope",
            "write the words of the heading",
        ),
        (
            "[x](/about#nope)",
            "broken link: the linked page has no anchor #nope",
            "write the words of the heading",
        ),
        (
            "[x](/i/x/#nope)",
            "broken link: the linked page has no anchor #nope",
            "write the words of the heading",
        ),
    ] {
        assert_warning(
            &with(link),
            &format!("warning[dead-anchor]: {what}"),
            "content/items/a.md:11:1",
            remedy,
        );
    }
    assert_warning(
        &with("<a href=\"#nope\">x</a>"),
        "warning[dead-anchor]: broken link: this page has no anchor #nope",
        "content/items/a.md:11:9",
        "write the words of the heading",
    );
    for link in [
        "[x](#a-heading) [x](#own) [x](#old) [x](#) [x](#top)",
        "[x](/about/#who-we-are) [x](../pages/about.md#who-we-are) [x](/i/x/#a-heading)",
        "[x](/about/#w%C3%B6rter) [x](/about/#wörter) [x](/#anything) [x](https://e.example/#x)",
        "[x](#t=30) [x](#:~:text=word) [x](#/route)",
        "`[x](#nope)`",
    ] {
        assert_no_warning(&with(link));
    }
    // Anchors of the theme are there too.
    let themed = site_with_theme()
        .with("themes/mine/item.html", "<main id=\"main\"></main>")
        .item(body("[x](#main)"));
    assert_no_warning(&themed);
}

#[test]
fn a_link_differing_only_in_case_is_reported() {
    for text in ["[x](photo.pdf)", "[x](PHOTO.pdf)"] {
        assert_warning(
            &item(text)
                .with("content/items/Photo.PDF", "x")
                .with("content/items/b.md", "[x](Photo.PDF)"),
            "does not exist",
            "content/items/a.md:1:1",
            "write content/items/Photo.PDF",
        );
    }
    assert_warning(
        &item("+++\nattachment = \"Show/one.pdf\"\n+++\n")
            .with("content/items/show/One.pdf", "x")
            .with("content/items/b.md", "[x](show/One.pdf)"),
        "content/items/Show/one.pdf does not exist",
        "content/items/a.md:2:14",
        "write content/items/show/One.pdf",
    );
    assert_warning(
        &item("![x](/media/a.png)").with("content/media/A.png", "x"),
        "no file of the site is published as /media/a.png",
        "content/items/a.md:1:1",
        "write content/media/A.png",
    );
    // Accents that are written in another form are another name.
    assert_warning(
        &item("[x](cafe\u{301}.pdf)")
            .with("content/items/caf\u{e9}.pdf", "x")
            .with("content/items/b.md", "[x](caf\u{e9}.pdf)"),
        "does not exist",
        "content/items/a.md:1:1",
        "write content/items/caf\u{e9}.pdf",
    );
    assert_warning(
        &item("[x](/About/)").with("content/pages/about.md", "+++\ntitle = \"a\"\n+++\n"),
        "broken link: the site has nothing at /About/",
        "content/items/a.md:1:1",
        "write /about/: paths are case-sensitive",
    );
}

#[test]
fn unknown_template_variables_are_reported() {
    assert_warning(
        &site_with_theme().with("themes/mine/item.html", "<h1>\n  {{item.titel}}</h1>"),
        "warning[template-name]: unknown name `titel`: templates print nothing for it",
        "themes/mine/item.html:2:3",
        "did you mean `title`?",
    );
    assert_warning(
        &site_with_theme().with("themes/mine/feed.html", "{{^itmes}}none{{/itmes}}"),
        "unknown name `itmes`",
        "themes/mine/feed.html:1:1",
        "did you mean `items`?",
    );
    assert_warning(
        &site().with("site-files/a.txt", "{{#items}}{{_site.webb_url}}{{/items}}"),
        "unknown name `webb_url`",
        "site-files/a.txt:1:11",
        "did you mean `web_url`?",
    );
    assert_warning(
        &site().with("site-files/a.txt", "{{qwertz}}"),
        "unknown name `qwertz`",
        "site-files/a.txt:1:1",
        "the documentation's page on templates",
    );
    let renamed = site()
        .with("site.toml", "base_url = \"https://example.com\"\nnamespace = \"mine\"\n")
        .with(
            "site-files/a.txt",
            "{{_mine.mine_version}} {{_mine.base_url}} {{_service.base_url}}",
        );
    assert_no_warning(&renamed);
}

/// Names that a context may have, though no sample is at hand: the fields of every type, and what
/// templates alone see.
#[test]
fn variables_of_any_context_are_not_reported() {
    let names = "title home_page_url icon favicon language authors.0.name current_year next_url expired \
        navigation_pages.0.navigation_label navigation_pages.0.is_current _theme.asset_base_url _theme.package_id \
        tag.name tag.url search.query search.results page.content_html page.meta_description item.title \
        items.0.content_text items.length items.0.attachments.0.duration_in_seconds items.0.tags.0 \
        items.0._service.podcast.people.0.href items.0._service.podcast.chapters.0.start_hhmmss \
        items.0._service.podcast.transcripts.0.type_text items.0._service.podcast.captions.url \
        items.0._service.podcast.soundbites.0.start_text items.0._service.itunes:episodeType \
        items.0._service.attachment.file_name items.0._service.image.alt items.0._service.excerpt_text \
        items.0._service.seo.social_image.mime_type items.0._service.date_updated_short \
        items.0._service.podcast.value items.0._service.podcast.alternateEnclosures items.0._service.podcast.socialInteract \
        _service.podcast.funding _service.podcast.liveItems _service.podcast.trailers _service.podcast.podroll \
        _service.podcast.locked _service.podcast.medium _service.calendar_url _service.search_url \
        _service.page_number _service.page_count _service.subscribe_methods.0.editable _service.service_version \
        _service.itunes:new-feed-url _service.categories.0.categories _service.copyright _service.publisher.type \
        upcoming_events.0.range_text upcoming_events.0.calendar.summary upcoming_events.0.is_live_now";
    let of_site_files = " pages.0._loop.first items.0._loop.index0 items.0._site.images.0.url \
        items.0._site.videos.0.thumbnail_url _site.generated_at _site.json_feed _site.origin _site.filename";
    let tags = |names: &str| {
        names.split_whitespace().map(|name| format!("{{{{{name}}}}}\n")).collect::<String>()
    };
    assert_no_warning(&site_with_theme().with("themes/mine/item.html", tags(names)));
    assert_no_warning(&site().with("site-files/a.txt", tags(&format!("{names}{of_site_files}"))));
}

#[test]
fn a_new_site_and_this_repository_have_no_warnings() {
    let new = crate::support::small_site::bare();
    let run = |arguments: &[&str]| {
        let mut command = program::command();
        let command = command.args(arguments).current_dir(new.root());
        program::run(command.env_remove("SOURCE_DATE_EPOCH")).err
    };
    run(&["init"]);
    let config = std::fs::read_to_string(new.path("site.toml")).unwrap();
    std::fs::write(
        new.path("site.toml"),
        config.replace("https://example.com", "https://walks.example"),
    )
    .unwrap();
    assert_eq!(run(&["check"]), "0 errors and 0 warnings\n");
    assert_eq!(crate::support::REPOSITORY_SITE.outcome.warnings, []);
    assert_eq!(crate::support::SHOW.outcome.warnings, []);
    assert_eq!(crate::support::SMALL_SITE.outcome.warnings, []);
}

#[test]
fn paths_in_front_matter_are_checked() {
    let files = || site().with("content/items/b.md", "+++\nslug = \"b\"\n+++\nText.\n");
    for (line, path) in [
        ("image = \"/content/media/x.jpg\"", "/content/media/x.jpg"),
        ("banner_image = { url = \"/x.jpg\", alt = \"X\" }", "/x.jpg"),
        ("attachment = \"/files/x.mp3\"", "/files/x.mp3"),
        ("[attachment]\nurl = \"/files/x.mp3\"", "/files/x.mp3"),
        ("[podcast]\ntranscripts = \"/files/x.vtt\"", "/files/x.vtt"),
        ("[podcast]\nchapters = \"/files/x.json\"", "/files/x.json"),
        ("[podcast]\npeople = [{ name = \"Ada\", img = \"/ada.png\" }]", "/ada.png"),
        ("[seo]\nsocial_image = \"/x.png\"", "/x.png"),
        ("attachment = \"/i/b/#nope\"", "#nope"),
    ] {
        let report = files().item(format!("+++\nslug = \"a\"\n{line}\n+++\nText.\n")).report();
        assert!(report.starts_with("built\nwarning[dead-"), "{line}: {report}");
        assert!(report.lines().nth(1).unwrap().ends_with(&format!(" {path}")), "{line}: {report}");
        assert!(report.contains("--> content/items/a.md:"), "{line}: {report}");
        assert_eq!(report.matches("warning[").count(), 1, "{line}: {report}");
    }
    let report = item("+++\nimage = \"/content/media/x.jpg\"\n+++\n").report();
    assert!(report.contains("write /media/x.jpg: paths that start with / are paths"), "{report}");
    let channel =
        files().with("content/channel.md", "+++\ntitle = \"T\"\nicon = \"/cover.png\"\n+++\n");
    assert!(channel.report().contains("broken link: the site has nothing at /cover.png"));
    // What the site has is right.
    assert_no_warning(
        &files()
            .with("content/media/x.png", PICTURE)
            .item("+++\nslug = \"a\"\nimage = { url = \"/media/x.png\", alt = \"X\" }\nattachment = \"/i/b/\"\n+++\nText.\n"),
    );
}

#[test]
fn unclosed_yaml_is_reported_at_its_start() {
    for (text, place, help) in [
        ("---\ntitle: [x\ntags: [a]\n---\n", "2:8", "close it with ]"),
        ("---\ntags:\n  - {a: b\ntitle: x\n---\n", "3:5", "close it with }"),
        ("---\ntitle: \"x\ntags: [a]\n---\n", "2:8", "close it with \""),
    ] {
        assert_warning(
            &item(text),
            "that is not closed",
            &format!("content/items/a.md:{place}"),
            help,
        );
    }
}
