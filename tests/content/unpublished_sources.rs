//! Which files of a site a text may name: those that are made for readers, and none that the site reads as something else.

use std::collections::BTreeMap;

use crate::support::small_site::{SmallSite, site};

const SECRET: &str = "the secret of the harbour";

/// Files that are not published, with their paths from `content/items/`.
const SOURCES: [&str; 12] = [
    "../../site.toml", "../channel.md", "../redirects.toml", "../media.json", "draft.md",
    "../pages/draft.html", "../calendars/private/event.md", "../calendars/private/calendar.toml",
    "../../site-files/a.txt.draft", "../../themes/mine/theme.json", "../../.feedwright/key.txt",
    "../../.git/notes",
];

fn with_sources() -> SmallSite {
    let draft = format!("+++\ntitle = \"Draft\"\nstatus = \"unpublished\"\n+++\n{SECRET}\n");
    let event = format!("+++\nsummary = \"Private\"\nstart = 2026-11-20\n+++\n{SECRET}\n");
    let calendar = format!("# {SECRET}\ntimeZone = \"Europe/Berlin\"\n");
    site()
        .with("content/items/draft.md", &draft)
        .with("content/pages/draft.html", &draft)
        .with("content/calendars/private/event.md", event)
        .with("content/calendars/private/calendar.toml", calendar)
        .with("content/redirects.toml", "\"/old/\" = \"/\"\n")
        .with("content/media.json", "{}")
        .with("site-files/a.txt.draft", SECRET)
        .with("themes/mine/theme.json", "{}")
        .with(".feedwright/key.txt", SECRET)
        .with(".git/notes", SECRET)
}

/// An item that names a file in one of the ways in which texts name files.
fn items_naming_file(file: &str) -> BTreeMap<&'static str, String> {
    let item = |front: String, body: String| {
        format!("+++\nid = \"a\"\ntitle = \"A\"\n{front}\n+++\n{body}\n")
    };
    let front = |front: String| item(front, String::new());
    let body = |body: String| item(String::new(), body);
    BTreeMap::from([
        (
            "transcript",
            front(format!("[[podcast.transcripts]]\nurl = \"{file}\"\ntype = \"text/plain\"")),
        ),
        ("chapters", front(format!("[podcast]\nchapters = \"{file}\""))),
        ("chapters, a table", front(format!("[podcast]\nchapters = {{ url = \"{file}\" }}"))),
        ("chapter image", front(format!("[[podcast.chapters]]\nstartTime = 0\nimg = \"{file}\""))),
        (
            "alternate enclosure",
            front(format!(
                "[[podcast.alternateEnclosures]]\ntype = \"audio/mpeg\"\nsources = [\"{file}\"]"
            )),
        ),
        ("attachment", front(format!("attachment = \"{file}\""))),
        ("image", front(format!("image = \"{file}\""))),
        ("banner", front(format!("banner_image = \"{file}\""))),
        ("picture in the text", body(format!("![x]({file})"))),
        ("HTML in the text", body(format!("<audio controls src=\"{file}\"></audio>"))),
    ])
}

#[test]
fn no_text_publishes_a_source_file() {
    for source in SOURCES {
        for (way, text) in items_naming_file(source) {
            let site = with_sources().with("content/items/a.md", text);
            let report = site.report();
            assert!(report.starts_with("not built"), "{way} names {source}: {report}");
            assert!(report.contains("content/items/a.md:"), "{way} names {source}: {report}");
            assert!(!report.contains(SECRET), "{way} names {source}: {report}");
        }
    }
}

#[test]
#[cfg(unix)]
fn no_link_publishes_a_source_file() {
    for source in SOURCES {
        let target = format!("../items/{source}");
        for (way, text) in items_naming_file("../media/linked.txt") {
            let site = with_sources()
                .with("content/items/a.md", text)
                .link("content/media/linked.txt", &target);
            let report = site.report();
            assert!(report.starts_with("not built"), "{way} names a link to {source}: {report}");
            assert!(!report.contains(SECRET), "{way} names a link to {source}: {report}");
        }
    }
}

#[test]
fn files_for_readers_are_published_from_any_folder() {
    let site = site()
        .with("content/items/a/index.md", "+++\nid = \"a\"\ntitle = \"A\"\nimage = \"../../calendars/walks/pic.svg\"\n[podcast]\ntranscripts = [\"said.html\", \"../../../assets/said.vtt\"]\n+++\n")
        .with("content/items/a/said.html", "<p>Said</p>")
        .with("assets/said.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nSaid\n")
        .with("content/calendars/walks/pic.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\"/>");
    site.built();
    let published = site.output();
    for file in
        ["media/items/a/said.html", "media/assets/said.vtt", "media/calendars/walks/pic.svg"]
    {
        assert!(published.contains_key(file), "{file}: {:?}", published.keys());
    }
}
