//! Chapters in RSS: Simple Chapters, and times in the text for apps that read them there.
#![allow(clippy::unwrap_used)]

use serde_json::json;

use crate::import::command::{files, import, ok};
use crate::support::media_fixture;
use crate::support::small_site::{SmallSite, bare};
use crate::support::xml_tree::{Element, parse};

const CONFIG: &str = "base_url = \"https://example.com\"\n";
const SHOW: &str = "+++\ntitle = \"Tides\"\n[itunes]\nexplicit = false\n+++\nA show.\n";
const THREE: [(f64, &str); 3] = [(0.0, "Late"), (94.5, "The long way round"), (300.0, "Home")];

/// A show with an episode of 20,000 seconds.
fn episode(chapters: &[(f64, &str)], body: &str) -> SmallSite {
    let chapters =
        chapters.iter().map(|(start, title)| json!({ "startTime": start, "title": title }));
    let chapters = json!(chapters.collect::<Vec<_>>());
    with_chapters(&chapters.to_string(), body)
}

fn with_chapters(json: &str, body: &str) -> SmallSite {
    let file = "url = \"https://cdn.example/a.mp3\"\nmime_type = \"audio/mpeg\"\nsize_in_bytes = 1\nduration_in_seconds = 20000";
    bare()
        .with("site.toml", CONFIG)
        .with("content/channel.md", SHOW)
        .with("content/items/one/chapters.json", json)
        .with(
            "content/items/one/index.md",
            format!(
                "+++\nid = \"one\"\ntitle = \"One\"\ntags = [\"Sea\"]\ndate_published = 2026-01-01\npodcast.chapters = \"chapters.json\"\n[attachment]\n{file}\n+++\n{body}\n"
            ),
        )
}

/// The item in the feed of the site.
fn item(site: &SmallSite) -> Element {
    site.built();
    parse(&site.read("public/rss.xml")).child("channel").child("item").clone()
}

fn simple_chapters(item: &Element) -> Vec<[Option<&str>; 4]> {
    let chapters = item.children.iter().filter(|child| child.name == "psc:chapters");
    let chapters = chapters.flat_map(|list| &list.children);
    chapters.map(|one| ["start", "title", "href", "image"].map(|key| one.attribute(key))).collect()
}

/// The lines of times in the text of an item.
fn times(item: &Element) -> Vec<String> {
    let text = item.all("content:encoded").next().map(|content| content.text.clone());
    let text = text.unwrap_or_default();
    let Some((_, list)) = text.split_once("<p class=\"chapter-times\" dir=\"auto\">") else {
        return Vec::new();
    };
    let list = list.strip_suffix("</p>").unwrap();
    list.split("<br>\n").map(str::to_owned).collect()
}

#[test]
fn every_rss_feed_has_simple_chapters_and_times() {
    let site = episode(&THREE, "A text.");
    site.built();
    let expected = [
        [Some("00:00:00"), Some("Late"), None, None],
        [Some("00:01:34.500"), Some("The long way round"), None, None],
        [Some("00:05:00"), Some("Home"), None, None],
    ];
    for path in ["rss.xml", "i/one/item.rss", "tags/sea/rss.xml"] {
        let feed = parse(&site.read(&format!("public/{path}")));
        let item = feed.child("channel").child("item");
        assert_eq!(simple_chapters(item), expected, "{path}");
        let list = item.children.iter().find(|child| child.name == "psc:chapters").unwrap();
        assert_eq!(list.attribute("xmlns:psc"), Some("http://podlove.org/simple-chapters"));
        assert_eq!(list.attribute("version"), Some("1.2"));
        assert_eq!(times(item), ["00:00 Late", "01:34 The long way round", "05:00 Home"], "{path}");
        let description = &item.child("description").text;
        assert!(description.starts_with("A text.\n<p class=\"chapter-times\""), "{description}");
    }
    for path in ["feed.json", "i/one/index.html", "i/one/item.json"] {
        assert!(!site.read(&format!("public/{path}")).contains("chapter-times"), "{path}");
    }
}

#[test]
fn hidden_and_untitled_chapters_are_left_out_and_values_are_escaped() {
    let chapters = json!([
        { "startTime": 0, "title": "Salt & <sand> \"x\"\n next", "url": "https://a.example/?a=1&b=2", "img": "https://a.example/p.png" },
        { "startTime": 10, "title": "Silent", "toc": false },
        { "startTime": 20.0004, "title": " " },
        { "startTime": 3599.9996, "title": "קו החוף" },
        { "startTime": 7322.25, "title": "Listed", "toc": true },
    ]);
    let item = item(&with_chapters(&chapters.to_string(), "A text."));
    assert_eq!(
        simple_chapters(&item),
        [
            [
                Some("00:00:00"),
                Some("Salt & <sand> \"x\"\n next"),
                Some("https://a.example/?a=1&b=2"),
                Some("https://a.example/p.png"),
            ],
            [Some("01:00:00"), Some("קו החוף"), None, None],
            [Some("02:02:02.250"), Some("Listed"), None, None],
        ]
    );
    let expected =
        ["00:00:00 Salt &amp; &lt;sand&gt; \"x\" next", "00:59:59 קו החוף", "02:02:02 Listed"];
    assert_eq!(times(&item), expected);
}

#[test]
fn times_follow_the_rules_of_spotify_and_youtube() {
    let lines = |chapters: &[(f64, &str)]| times(&item(&episode(chapters, "A text.")));
    // At least three chapters, from the start.
    assert_eq!(lines(&THREE[..2]), [""; 0]);
    assert_eq!(lines(&[(12.0, "A"), (30.0, "B"), (60.0, "C")]), [""; 0]);
    // At least 10 s long: a jingle belongs to the next chapter, a short chapter to the previous one.
    let jingle =
        [(0.0, "Jingle"), (7.0, "A"), (60.0, "B"), (65.0, "Short"), (70.0, "C"), (90.0, "D")];
    assert_eq!(lines(&jingle), ["00:00 A", "01:00 B", "01:10 C", "01:30 D"]);
    assert_eq!(lines(&[(0.0, "A"), (30.0, "B"), (19_995.0, "End")]), [""; 0]);
}

#[test]
fn three_hundred_chapters_are_listed_and_a_long_list_is_not_in_the_description() {
    let titles: Vec<String> = (0..300).map(|n| format!("Chapter {n} of a long walk")).collect();
    let starts = (0_u32..).map(|n| f64::from(n) * 60.0);
    let all: Vec<(f64, &str)> = starts.zip(titles.iter().map(String::as_str)).collect();
    let item = item(&episode(&all, "A text."));
    assert_eq!(simple_chapters(&item).len(), 300);
    assert_eq!(times(&item).len(), 300);
    assert_eq!(times(&item)[299], "04:59:00 Chapter 299 of a long walk");
    assert_eq!(item.child("description").text, "A text.");
}

#[test]
fn times_are_not_repeated() {
    for listed in [
        "A text.\n\n- (0:00) Late\n- [01:34] The long way\n- 5:00 Home",
        "00:00: Late  \n01:34: The long way  \n05:00: Home",
        "00:00: Late  \n1:35: The long way  \n05:01: Home",
        "0m Late, 1m34s The long way, 5 min Home",
    ] {
        assert_eq!(times(&item(&episode(&THREE, listed))), [""; 0]);
    }
    let mentioned = "At 5:00 the sea, at 10:00 the hills, 11:34 in the morning.";
    assert_eq!(times(&item(&episode(&THREE, mentioned))).len(), 3);
    let site = episode(&THREE, "A text.");
    let front = site.read("content/items/one/index.md");
    let summary = "summary = \"00:00 Late, 1:34 Round, 00:05:00 Home\"\ntitle";
    site.write("content/items/one/index.md", front.replacen("title", summary, 1));
    assert_eq!(times(&item(&site)), [""; 0]);
}

#[test]
fn chapters_out_of_order_are_sorted_in_every_form() {
    let [late, round, home] = THREE;
    let titles = ["Late", "The long way round", "Home"];
    let site = episode(&[late, home, round], "A text.");
    site.write("content/items/one/a.mp3", std::fs::read(media_fixture("chapters.mp3")).unwrap());
    let front = site.read("content/items/one/index.md");
    let front = front.replace("https://cdn.example/a.mp3", "a.mp3");
    site.write("content/items/one/index.md", front);
    let item = item(&site);
    let simple = simple_chapters(&item).into_iter().map(|one| one[1].unwrap().to_owned());
    assert_eq!(simple.collect::<Vec<_>>(), titles);
    assert_eq!(times(&item), ["00:00 Late", "01:34 The long way round", "05:00 Home"]);
    let document: serde_json::Value =
        serde_json::from_str(&site.read("public/i/one/chapters.json")).unwrap();
    let document = document["chapters"].as_array().unwrap().iter();
    assert!(document.map(|one| one["title"].as_str().unwrap()).eq(titles));
    let file = media_facts::read(&site.path("public/media/items/one/a.mp3")).unwrap();
    assert!(file.chapters.iter().map(|one| one.title.as_deref().unwrap()).eq(titles));
    let report = site.report();
    assert!(report.contains("chapter 3 starts before the previous chapter"), "{report}");
}

#[test]
fn a_setting_selects_the_items_with_times() {
    let channels = [SHOW, "+++\ntitle = \"A blog\"\n+++\nA blog.\n"];
    for (setting, expected) in [("", [3, 0]), ("shows", [3, 0]), ("all", [3, 3]), ("none", [0, 0])]
    {
        let feed = format!("{CONFIG}[feed]\nchapter_times = \"{setting}\"\n");
        let config = if setting.is_empty() { CONFIG } else { &feed };
        let counts = channels.map(|channel| {
            let site = episode(&THREE, "A text.").with("site.toml", config);
            let item = item(&site.with("content/channel.md", channel));
            assert_eq!(simple_chapters(&item).len(), 3);
            times(&item).len()
        });
        assert_eq!(counts, expected, "{setting}");
    }
}

#[test]
fn an_import_reads_chapters_once() {
    for body in ["A text.", ""] {
        let (site, folder) = (episode(&THREE, body), bare());
        let before = item(&site);
        assert_eq!(times(&before).len(), 3);
        import(site.path("public/rss.xml").to_str().unwrap(), &folder.path("new"), &[]);
        let text = files(&folder.path("new")).into_iter();
        let text: String =
            text.filter(|(path, _)| path.contains("/items/")).map(|(_, text)| text).collect();
        assert_eq!(text.matches("The long way round").count(), 1, "{text}");
        assert!(!text.contains("01:34"), "{text}");
        ok(&["build", "--site", folder.path("new").to_str().unwrap()]);
        let after = parse(&folder.read("new/public/rss.xml"));
        let after = after.child("channel").child("item");
        assert_eq!(simple_chapters(after), simple_chapters(&before));
        assert_eq!(times(after), times(&before));
    }
}
