//! Pages and social cards of soundbites.

use std::collections::BTreeMap;

use pictures::dimensions;

use crate::support::{Output, Site};

const ITEM: &str = "content/items/walk/index.md";

const SAID: &str = "WEBVTT\n\n\
    00:10.000 --> 00:14.000\n<v Ana>Before the passage.\n\n\
    00:20.000 --> 00:24.000\n<v Ana>Red to port, &lt;b&gt; to starboard.\n\n\
    00:24.000 --> 00:29.000\n<v Bo>And the blue one?\n\n\
    00:41.000 --> 00:45.000\n<v Bo>After the passage.\n";

/// A site with an episode that has these soundbites. The recording is on another host.
fn site(soundbites: &str) -> Site {
    let item = format!(
        "+++\nid = \"walk00000001\"\ntitle = \"A walk\"\nslug = \"walk\"\ndate_published = \"2026-03-01T10:00:00Z\"\n\
         attachment = {{ url = \"https://cdn.example/walk.mp3\", duration_in_seconds = 600 }}\n\n\
         [podcast]\ntranscripts = [\"said.vtt\"]\nsoundbites = [{soundbites}]\n+++\nNotes.\n"
    );
    Site::fixture("small-site").write(ITEM, &item).write("content/items/walk/said.vtt", SAID)
}

const TWO: &str = "{ startTime = 20, duration = 20.5 }, { startTime = 73, duration = 60.5, title = \"Late <light>\" }";

fn clips(output: &Output) -> Vec<String> {
    let files = output.files().into_iter().filter(|file| file.starts_with("i/walk/clips/"));
    files.filter_map(|file| file.strip_suffix("/index.html").map(str::to_owned)).collect()
}

/// The files that differ between two outputs.
fn changed(one: &Output, other: &Output) -> Vec<String> {
    let all = |output: &Output| -> BTreeMap<String, Vec<u8>> {
        let read = |file: &String| std::fs::read(output.folder().join(file)).unwrap();
        output.files().into_iter().map(|file| (file.clone(), read(&file))).collect()
    };
    let (one, other) = (all(one), all(other));
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

#[test]
fn a_soundbite_has_a_page_with_its_words() {
    let output = site(TWO).build();
    assert_eq!(clips(&output), ["i/walk/clips/20-40.5", "i/walk/clips/73-133.5"]);
    let page = output.html("i/walk/clips/20-40.5/index.html");
    let of = |selector, attribute| page.attribute(selector, attribute).unwrap_or_default();
    assert_eq!(page.one("h1"), "Red to port, <b> to starboard.");
    assert_eq!(
        page.texts(".clip blockquote p"),
        ["AnaRed to port, <b> to starboard.", "BoAnd the blue one?"]
    );
    assert_eq!(of("link[rel=canonical]", "href"), "https://example.com/i/walk/clips/20-40.5/");
    assert_eq!(of("audio", "src"), "https://cdn.example/walk.mp3#t=20,40.5");
    assert_eq!(
        of("meta[property='og:audio']", "content"),
        "https://cdn.example/walk.mp3#t=20,40.5"
    );
    assert_eq!(of("meta[name='twitter:card']", "content"), "summary_large_image");
    assert_eq!(of(".clip a", "href"), "/i/walk/#t=20");
    assert_eq!(of("link[rel=next]", "href"), "/i/walk/clips/73-133.5/");
    assert_eq!(page.all(".breadcrumbs a", "href").last().unwrap(), "/i/walk/");
    for link in ["oembed", "markdown"] {
        assert!(page.all(&format!("link[type*='{link}']"), "href").is_empty());
    }
    assert!(page.all(".facts a[href$='.json'], .facts a[href$='.rss']", "href").is_empty());
    insta::assert_snapshot!(serde_json::to_string_pretty(&page.json_ld()).unwrap());
    let titled = output.html("i/walk/clips/73-133.5/index.html");
    assert_eq!(titled.one("h1"), "Late <light>");
    assert!(titled.all("blockquote", "class").is_empty());
    assert!(output.text("sitemap.xml").contains("https://example.com/i/walk/clips/20-40.5/"));
    assert!(!output.text("rss.xml").contains("/clips/20-40.5/\""));
}

#[test]
fn the_episode_links_to_its_clips() {
    let output = site(TWO).build();
    let page = output.html("i/walk/index.html");
    let links = ["/i/walk/clips/20-40.5/", "/i/walk/clips/73-133.5/"];
    assert_eq!(page.all(".chapter-link", "href"), links);
    assert_eq!(page.all(".chapter[data-duration]", "href"), links);
    // Only the words of the first passage are in the transcript.
    assert_eq!(page.all(".clip-mark", "href"), links[..1]);
    assert_eq!(page.texts(".in-clip"), ["Red to port, <b> to starboard.", "And the blue one?"]);
    let parts = page.json_ld()["hasPart"].clone();
    assert_eq!(parts[1]["url"], "https://example.com/i/walk/?t=73");
    assert_eq!((&parts[1]["startOffset"], &parts[1]["endOffset"]), (&73.into(), &133.5.into()));
}

#[test]
fn a_card_quotes_the_words() {
    let output = site(TWO).build();
    let page = output.html("i/walk/clips/20-40.5/index.html");
    let of = |property: &str| {
        let selector = format!("meta[property='{property}']");
        page.attribute(&selector, "content").unwrap()
    };
    let address = of("og:image");
    let (path, version) = address.split_once('?').unwrap();
    let path = path.strip_prefix("https://example.com/").unwrap();
    let card = std::fs::read(output.folder().join(path)).unwrap();
    assert_eq!(dimensions(&card), Some((1200, 630)));
    assert!(of("og:image:alt").starts_with("Red to port, <b> to starboard. And the blue one? – "));
    let other =
        site(TWO).write("content/items/walk/said.vtt", &SAID.replace("blue", "late")).build();
    let page = other.text("i/walk/clips/20-40.5/index.html");
    assert!(page.contains(path) && !page.contains(version), "the words change the card");
}

#[test]
fn a_card_shows_the_waveform_of_a_local_recording() {
    let samples: Vec<u8> = (0..32_000_u32).map(|at| (at % 251) as u8).collect();
    let length = u32::try_from(samples.len()).unwrap();
    let mut wav =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x20\x03\0\0\x20\x03\0\0\x01\0\x08\0data"
            .to_vec();
    wav[4..8].copy_from_slice(&(length + 36).to_le_bytes());
    wav.extend(length.to_le_bytes());
    wav.extend(samples);
    let external = "{ url = \"https://cdn.example/walk.mp3\", duration_in_seconds = 600 }";
    let site = site("{ startTime = 1, duration = 16 }").replace(ITEM, external, "\"a.wav\"");
    std::fs::write(site.root().join("content/items/walk/a.wav"), wav).unwrap();
    let card = |site: &Site| {
        let output = site.build();
        let card =
            output.files().into_iter().find(|file| file.starts_with("i/walk/clips/1-17/card."));
        std::fs::read(output.folder().join(card.unwrap())).unwrap()
    };
    let with = card(&site);
    assert_ne!(with, card(&site.config("audio.waveform = false\n")));
}

#[test]
fn only_public_passages_within_the_recording_have_pages() {
    let odd = "{ startTime = 20, duration = 20 }, { startTime = 20.0001, duration = 20, title = \"Again\" }, \
        { startTime = 590, duration = 30 }, { startTime = 700, duration = 20 }";
    assert_eq!(clips(&site(odd).build()), ["i/walk/clips/20-40"]);
    let unknown = ", duration_in_seconds = 600";
    let without = site(odd).replace(ITEM, unknown, "");
    assert_eq!(clips(&without.build()).len(), 3);
    let vast = "{ startTime = 1e9, duration = 20 }";
    assert!(clips(&site(vast).replace(ITEM, unknown, "").build()).is_empty());
    for status in ["unpublished", "unlisted"] {
        let changed = site(TWO).replace(ITEM, "slug =", &format!("status = \"{status}\"\nslug ="));
        let output = changed.build();
        assert_eq!(clips(&output).len(), if status == "unlisted" { 2 } else { 0 });
        assert!(!output.text("sitemap.xml").contains("/clips/"));
        if status == "unlisted" {
            let page = output.html("i/walk/clips/20-40.5/index.html");
            assert_eq!(page.attribute("meta[name=robots]", "content").unwrap(), "noindex");
        }
    }
    let scheduled = site(TWO).replace(ITEM, "2026-03-01", "2999-03-01");
    assert!(clips(&scheduled.build()).is_empty());
    assert!(clips(&site(TWO).config("access = \"headless\"\n").build()).is_empty());
}

#[test]
fn a_setting_turns_clips_off() {
    let output = site(TWO).config("audio.clips = false\n").build();
    assert!(clips(&output).is_empty());
    let page = output.html("i/walk/index.html");
    assert!(page.all(".chapter-link, .clip-mark, .in-clip", "class").is_empty());
    assert_eq!(page.json_ld()["hasPart"], serde_json::Value::Null);
    let passage = "https://cdn.example/walk.mp3#t=20,40.5";
    assert_eq!(page.all(".chapter[data-duration]", "href")[0], passage);
    assert!(!output.text("sitemap.xml").contains("/clips/"));
}

#[test]
fn a_changed_soundbite_changes_only_pages_that_show_it() {
    let three = "{ startTime = 20, duration = 20 }, { startTime = 73, duration = 60, title = \"Two\" }, \
        { startTime = 200, duration = 60, title = \"Three\" }";
    let before = site(three).build();
    let after = site(&three.replace("Three", "Four")).build();
    let pages = changed(&before, &after).into_iter().filter(|file| file.contains("/clips/"));
    // The page before links to it.
    assert_eq!(
        pages.collect::<Vec<_>>(),
        [
            "i/walk/clips/200-260/card.jpg", "i/walk/clips/200-260/index.html",
            "i/walk/clips/73-133/index.html"
        ]
    );
}

#[test]
fn a_theme_without_templates_for_clips_shows_them_as_items() {
    let item = "{{#item}}<main><h1>{{title}}</h1><audio src=\"{{attachments.0.url}}\"></audio>{{{_service.article_html}}}</main>{{/item}}";
    let output = site(TWO)
        .write("themes/plain/theme.json", "{\"formatVersion\": 2, \"packageId\": \"plain\", \"name\": \"Plain\", \"version\": \"1.0.0\", \"author\": \"A\", \"license\": \"MIT\", \"extends\": \"default\", \"files\": {\"webItem\": \"item.mustache\"}}")
        .write("themes/plain/item.mustache", item)
        .config("theme = \"plain\"")
        .build();
    let page = output.html("i/walk/clips/20-40.5/index.html");
    assert_eq!(page.one("h1"), "Red to port, <b> to starboard.");
    assert_eq!(
        page.texts("blockquote p"),
        ["AnaRed to port, <b> to starboard.", "BoAnd the blue one?"]
    );
    assert_eq!(page.one("main a"), "Full episode: A walk");
    assert_eq!(page.attribute("main a", "href").unwrap(), "/i/walk/#t=20");
}

#[test]
fn two_hundred_soundbites_have_two_hundred_pages() {
    let all: Vec<String> =
        (0..200).map(|at| format!("{{ startTime = {at}, duration = 20 }}")).collect();
    let output = site(&all.join(", ")).build();
    assert_eq!(clips(&output).len(), 200);
    assert_eq!(output.html("i/walk/index.html").all(".chapter-link", "href").len(), 200);
}
