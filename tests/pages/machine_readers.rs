//! Markdown versions of items and pages, and preferences about AI.

use feedwright::model::HostingTarget;

use crate::lint::site_pairs::grey_picture;
use crate::support::{Output, SMALL_SITE, Site, media_fixture};

const BODY: &str = r#"# Part {#part}

[*Other*](../other.md#x "A \"title\""), [[Other]], [[other|a label]], [[Other#Deep part]], [ref][r], [r], [page](/about/), [out][o].

![Pier](pier.jpg "Cap") [![linked](pier.jpg)](../other.md)

![[pier.jpg|300]]

[A recording](x.mp3)

![Sound](x.mp3)

<p><a href="../other.md">raw</a></p>

> [!NOTE]
> See [the other](../other.md).

| [[other\|t]] | [x](../other.md) |
|---|---|

`[not](../other.md)` <https://example.org/y> [^1]

[^1]: A [note](../other.md).

[r]: ../other.md "Ref"
[o]: https://example.org/z
"#;

fn item(id: &str, rest: &str) -> String {
    format!("+++\nid = \"{id}\"\nslug = \"{id}\"\ntitle = \"The *{id}*\"\n{rest}")
}

const DATE: &str = "date_published = 2026-01-01T10:00:00Z\n";

fn walks() -> Site {
    let attachment = "attachment = { url = \"https://cdn.example.net/walk_a.mp3\", mime_type = \"audio/mpeg\", size_in_bytes = 1000, duration_in_seconds = 600 }\n";
    let walk = format!("{DATE}{attachment}[podcast]\ntranscripts = [\"said.vtt\"]\n+++\n{BODY}");
    let said = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ana>1. Is it *late* [yet]?\n\n00:05.000 --> 00:09.000\n<v Bo>- It is_\n";
    Site::empty()
        .write(
            "site.toml",
            "base_url = \"https://walks.example/blog\"\n[output]\nmarkdown = true\n",
        )
        .write("content/channel.md", "+++\ntitle = \"Walks\"\nlanguage = \"de\"\n+++\n")
        .write("content/items/walk/index.md", &item("walk", &walk))
        .write("content/items/walk/said.vtt", said)
        .copy(media_fixture("picture.jpg"), "content/items/walk/pier.jpg")
        .copy(media_fixture("cbr-info.mp3"), "content/items/walk/x.mp3")
        .write(
            "content/items/other.md",
            &item("other", &format!("{DATE}+++\n# x\n\n## Deep part\n")),
        )
        .write("content/items/draft.md", &item("draft", "status = \"unpublished\"\n+++\nSecret.\n"))
        .write(
            "content/items/late.md",
            &item("late", "date_published = 2999-01-01\n+++\nSecret.\n"),
        )
        .write(
            "content/items/hidden.md",
            &item("hidden", &format!("{DATE}status = \"unlisted\"\n+++\nSecret.\n")),
        )
        .write("content/pages/about.md", &item("about", "+++\n[Walk](../items/walk/index.md)\n"))
        .write(
            "content/pages/raw.html",
            &item("raw", "+++\n<p>A <a href=\"../items/other.md\">link</a></p>\n"),
        )
}

fn markdown_files(output: &Output) -> Vec<String> {
    output.files().into_iter().filter(|file| file.ends_with(".md")).collect()
}

#[test]
fn the_markdown_version_is_the_authors_text_with_absolute_addresses() {
    let output = walks().build();
    insta::assert_snapshot!("item-markdown", output.text("i/walk/index.md"));
    insta::assert_snapshot!("llms-markdown", output.text("llms.txt"));
    let raw = output.text("raw/index.md");
    assert!(
        raw.contains("<p>A <a href=\"https://walks.example/blog/i/other/\">link</a></p>"),
        "{raw}"
    );
    let about = output.text("about/index.md");
    assert!(about.contains("[Walk](https://walks.example/blog/i/walk/)"), "{about}");
}

#[test]
fn only_published_content_has_a_markdown_version() {
    let output = walks().build();
    let files = ["about/index.md", "i/other/index.md", "i/walk/index.md", "raw/index.md"];
    assert_eq!(markdown_files(&output), files);
    let link = "link[rel=alternate][type=\"text/markdown\"]";
    let url = "https://walks.example/blog/i/walk/index.md";
    assert_eq!(output.html("i/walk/index.html").attribute(link, "href").as_deref(), Some(url));
    for page in ["i/hidden/index.html", "index.html", "404.html"] {
        assert_eq!(output.html(page).attribute(link, "href"), None, "{page}");
    }
    assert!(!output.text("llms.txt").contains("hidden"));
    assert_eq!(markdown_files(&SMALL_SITE), [""; 0], "the setting is off by default");
}

/// A picture that only bodies show is published only in its smaller sizes, which the Markdown shows too.
#[test]
fn pictures_in_markdown_exist() {
    let site = walks();
    std::fs::write(site.root().join("content/items/walk/wide.png"), grey_picture(2000, 1000))
        .unwrap();
    let walk = site.root().join("content/items/walk/index.md");
    let body = std::fs::read_to_string(&walk).unwrap() + "\n![Wide](wide.png)\n";
    std::fs::write(walk, body).unwrap();
    let output = site.build();
    let text = output.text("i/walk/index.md");
    assert!(text.contains("![Wide](https://walks.example/blog/media/sizes/"), "{text}");
    let addresses = text.split(['(', ')', ' ', '\n']);
    let own = addresses.filter_map(|part| part.strip_prefix("https://walks.example/blog/media/"));
    let own: Vec<&str> = own.collect();
    assert!(own.len() >= 5, "{text}");
    for file in own {
        assert!(output.has(&format!("media/{file}")), "{file} is missing");
    }
}

fn preferences(config: &str) -> Output {
    Site::empty()
        .write("site.toml", &format!("base_url = \"https://example.com\"\n{config}"))
        .write("content/channel.md", "+++\ntitle = \"Walks\"\n+++\n")
        .build()
}

#[test]
fn ai_preferences_are_in_robots_headers_and_pages() {
    let targets = "netlify\", \"nginx\", \"caddy\", \"apache\", \"vercel";
    let config =
        format!("[ai]\ntrain = false\nsearch = true\n[hosting]\ntargets = [\"{targets}\"]\n");
    let built = preferences(&config);
    let usage = "train-ai=n, search=y";
    let robots = built.text("robots.txt");
    assert_eq!(
        robots,
        format!(
            "User-agent: *\nAllow: /\nContent-Usage: {usage}\n\nSitemap: https://example.com/sitemap.xml\n"
        )
    );
    for (file, lines) in [
        ("_headers", ["/*\n  Content-Usage: train-ai=n, search=y\n", "  tdm-reservation: 1\n"]),
        (
            "feedwright.caddy",
            ["header Content-Usage \"train-ai=n, search=y\"\n", "header tdm-reservation \"1\"\n"],
        ),
        (
            ".htaccess",
            [
                "Header set Content-Usage \"train-ai=n, search=y\"\n",
                "Header set tdm-reservation \"1\"\n",
            ],
        ),
        ("vercel.json", ["\"key\": \"Content-Usage\"", "\"key\": \"tdm-reservation\""]),
    ] {
        let text = built.text(file);
        for line in lines {
            assert!(text.contains(line), "{file} lacks {line:?}: {text}");
        }
    }
    // nginx applies outer headers only where no inner ones are set.
    let nginx = built.text("feedwright.nginx.conf");
    for line in nginx.lines().filter(|line| line.contains("add_header")) {
        assert!(line.contains("Content-Usage \"train-ai=n, search=y\""), "{line}");
    }
    assert!(built.text("index.html").contains("<meta name=\"tdm-reservation\" content=\"1\">"));
}

#[test]
fn a_site_without_preferences_states_none() {
    let targets = HostingTarget::NAMES.join("\", \"");
    for config in ["", "[ai]\ntrain = true\n"] {
        let config = format!("{config}[hosting]\ntargets = [\"{targets}\"]\n");
        let built = preferences(&config);
        let stated = built.text("robots.txt").contains("Content-Usage: train-ai=y");
        assert_eq!(stated, config.contains("[ai]"));
        for file in ["index.html", "_headers", ".htaccess", "feedwright.nginx.conf"] {
            assert!(!built.text(file).contains("tdm-reservation"), "{file}");
        }
    }
}
