//! Links that are a paragraph of their own: players, pictures and cards of videos.

use crate::support::{Output, Site, media_fixture};

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"1\"/>";

fn site(text: &str) -> Site {
    Site::empty()
        .write("content/items/walk/pier.svg", PICTURE)
        .write("content/items/walk/index.md", &format!("+++\nid = \"a\"\n+++\n{text}\n"))
        .copy(media_fixture("cbr-info.mp3"), "content/items/walk/walk.mp3")
        .copy(media_fixture("silent.mp4"), "content/items/walk/a b.mp4")
}

fn html(output: &Output) -> String {
    let feed = output.json("feed.json");
    feed["items"][0]["content_html"].as_str().unwrap().to_owned()
}

fn text(output: &Output) -> String {
    let feed = output.json("feed.json");
    feed["items"][0]["content_text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_link_in_its_own_paragraph_is_embedded() {
    let here = "https://example.com/media/items/walk";
    let cases = [
        "https://a.example/walk.mp3",
        "<https://a.example/walk.opus?dl=1>",
        "[The walk & *talk*](walk.mp3)",
        "[The walk](walk.mp3#t=30 \"A title\")",
        "[](walk.mp3)",
        "![](walk.mp3)",
        "![The walk](walk.mp3 \"On the quay\")",
        "So ![the walk](walk.mp3) goes.",
        "[A film](<a b.mp4>)",
        "https://a.example/film.webm",
        "[The pier](pier.svg)",
        "https://a.example/Late%20tide.jpg",
        "> [The walk](walk.mp3)\n\n- one\n\n- https://a.example/walk.mp3",
        "[The walk][w]\n\n[w]: walk.mp3",
        "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
        "[Big *Buck* Bunny](https://youtu.be/aqz-KE-bpKQ?t=1m5s)",
        "<https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv>",
        "https://www.youtube.com/shorts/aqz-KE-bpKQ",
    ];
    let mut all = String::new();
    for case in cases {
        let output = site(case).build();
        assert_eq!(output.outcome.warnings.len(), 0, "{case}");
        let (html, text) = (html(&output).replace(here, "HERE"), text(&output));
        all.push_str(&format!("{case}\n--\n{html}\n--\n{text}\n\n"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn links_within_text_stay_links() {
    for case in [
        "Hear https://a.example/walk.mp3",
        "[a](https://a.example/walk.mp3) [b](https://a.example/walk.mp3)",
        "https://a.example/walk.mp3\nhttps://a.example/walk.mp3",
        "# https://a.example/walk.mp3",
        "[![x](https://a.example/x.png)](https://youtu.be/aqz-KE-bpKQ)",
        "[a](https://a.example/walk.mp3)[^1]\n\n[^1]: x",
        "[a <b>x</b>](https://a.example/walk.mp3)",
        "<someone@a.example>",
        "https://a.example/mp3",
        "[x](javascript:alert(1)//walk.mp3)",
        "[x](data:audio/mpeg,walk.mp3)",
        "`https://a.example/walk.mp3`",
        "    https://a.example/walk.mp3",
        "![A tide](https://a.example/tide.png)",
    ] {
        let html = html(&site(case).build());
        for shown in ["<figure", "<audio", "<video", "video-card"] {
            assert!(!html.contains(shown), "{case}: {html}");
        }
    }
}

#[test]
fn each_kind_of_embed_can_be_disabled() {
    let off = |key: &str, text: &str| {
        let config = format!("base_url = \"https://example.com\"\n[markdown]\n{key} = false\n");
        html(&site(text).write("site.toml", &config).build())
    };
    let sound = off("media_players", "[a](walk.mp3)\n\n![b](walk.mp3)");
    assert_eq!(
        sound.replace("https://example.com/media/items/walk/", ""),
        "<p><a href=\"walk.mp3\">a</a></p>\n<p><img src=\"walk.mp3\" alt=\"b\" loading=\"lazy\"></p>"
    );
    let video = off("video_cards", "[a](https://youtu.be/aqz-KE-bpKQ)");
    assert_eq!(video, "<p><a href=\"https://youtu.be/aqz-KE-bpKQ\">a</a></p>");
}

#[test]
fn hostile_urls_are_escaped_in_attributes() {
    for case in [
        "[x](<https://a.example/\"onload=\"alert(1).mp3>)",
        "[x](<https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv?start=\"onload=\"alert(1)>)",
        "[x](<https://a.example/'\"&lt;.jpg>)",
    ] {
        let output = site(case).build();
        let page = output.html("i/a/index.html");
        assert_eq!(page.texts("[onload], .prose script").len(), 0, "{case}: {}", html(&output));
    }
}

#[test]
fn a_missing_media_file_is_one_error() {
    for case in ["[x](none.mp3)", "![x](none.mp3)", "[x](none.jpg)"] {
        let errors = site(case).errors();
        assert_eq!(errors.matches("does not exist").count(), 1, "{case}: {errors}");
    }
}

#[test]
fn a_page_with_only_a_card_defers_its_script() {
    let output = site("https://youtu.be/aqz-KE-bpKQ").build();
    let page = output.text("i/a/index.html");
    let in_head = page.split("</head>").next().unwrap();
    assert!(!in_head.contains("youtube") && !page.contains("<iframe"), "{page}");
}

#[test]
fn the_title_of_a_standalone_picture_is_its_caption() {
    let text = "![A *white* ferry](https://x.example/ferry.jpg \"At <nine>\")\n\n\
        Beside ![A gull](https://x.example/gull.jpg \"words\")\n\n\
        ![Plain](https://x.example/plain.jpg)";
    let site =
        Site::empty().write("content/items/a.md", &format!("+++\nid = \"a\"\n+++\n{text}\n"));
    let html = |site: &Site| site.build().json("feed.json")["items"][0]["content_html"].clone();
    assert_eq!(
        html(&site),
        "<figure><img src=\"https://x.example/ferry.jpg\" alt=\"A white ferry\" loading=\"lazy\">\
         <figcaption>At &lt;nine&gt;</figcaption></figure>\n\
         <p>Beside <img src=\"https://x.example/gull.jpg\" alt=\"A gull\" title=\"words\" loading=\"lazy\"></p>\n\
         <p><img src=\"https://x.example/plain.jpg\" alt=\"Plain\" loading=\"lazy\"></p>"
    );
    let off = "base_url = \"https://example.com\"\n[markdown]\ngalleries = false\n";
    let site = site.write("site.toml", off);
    assert!(!html(&site).to_string().contains("figcaption"));
}
