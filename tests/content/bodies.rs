//! Bodies of odd content.

use crate::support::Site;

#[test]
fn control_characters_are_removed_from_documents() {
    let output = Site::empty()
        .write("content/items/a.md", "+++\nid = \"a\"\n+++\nBe\u{1}fore\u{ffff} `co\u{7}de`\n")
        .write("content/items/b.html", "+++\nid = \"b\"\n+++\n<p>Be\u{1}fore</p>\n")
        .build();
    for file in output.files() {
        let Ok(text) = std::fs::read_to_string(output.folder().join(&file)) else {
            continue;
        };
        let bad = text.find(|c: char| (c.is_control() && !"\t\n\r".contains(c)) || c == '\u{ffff}');
        assert_eq!(bad, None, "{file}");
        if file.ends_with("a/index.html") {
            assert!(text.contains("Before <code>code</code>"), "{text}");
        }
    }
}

#[test]
fn a_build_warns_of_broken_links() {
    let output = Site::empty()
        .write("content/items/a.md", "[x](b.md) [y](/nowhere/) [z](/feed.json)\n")
        .write("content/items/b.md", "+++\nstatus = \"unpublished\"\n+++\n")
        .build();
    let messages: Vec<&str> =
        output.outcome.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("content/items/b.md"), "{messages:?}");
    assert!(messages[1].contains("/nowhere/"), "{messages:?}");
}

#[test]
fn a_broken_link_in_an_html_channel_has_its_position() {
    let output = Site::empty()
        .remove("content/channel.md")
        .write(
            "content/channel.html",
            "+++\ntitle = \"Channel\"\n+++\n<a href=\"/nowhere/\">x</a>\n",
        )
        .build();
    let warning = &output.outcome.warnings[0];
    assert_eq!(warning.file.as_deref(), Some("content/channel.html"));
    assert_eq!((warning.line, output.outcome.warnings.len()), (Some(4), 1));
}

#[test]
fn both_spellings_of_a_key_are_accepted() {
    let output = Site::empty()
        .write("content/items/a.md", "---\nsummary: one\nexcerpt: two\ndescription: three\n---\n")
        .build();
    assert_eq!(output.outcome.warnings, []);
    let feed = std::fs::read_to_string(output.folder().join("feed.json")).unwrap();
    assert!(feed.contains("\"summary\":\"one\""), "{feed}");
}

#[test]
fn pictures_in_their_own_paragraph_become_a_captioned_gallery() {
    let output = Site::empty()
        .write(
            "content/items/a.md",
            "+++\nid = \"a\"\n+++\n\
             ![One](https://other.example/1.png) [![Two](https://other.example/2.png \"The <second>\")](https://other.example/)\n\n\
             ![Alone](https://other.example/3.png \"Its caption\")\n\n\
             ![No caption](https://other.example/4.png)\n\n\
             Words ![and](https://other.example/5.png \"a title\") ![two](https://other.example/6.png)\n",
        )
        .build();
    let html = output.html("i/a/index.html");
    assert_eq!(html.all(".gallery img", "src").len(), 2);
    assert_eq!(html.all(".gallery > figure > a > img", "src").len(), 1);
    assert_eq!(html.texts("figcaption"), ["The <second>", "Its caption"]);
    assert_eq!(html.all("p > img", "src").len(), 3);
    assert_eq!(html.all("img", "title"), ["a title"]);
}
