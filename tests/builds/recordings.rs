//! Published recordings: their tags, and what is written again when tags change. `tests/independent` reads the
//! tags with other libraries.

use std::fs;

use feedwright::project;
use feedwright::render::{Body, Document};

use crate::support::media_fixture;
use crate::support::small_site::{SmallSite, site};

const WALK: &str = "content/items/walk/index.md";
const PUBLISHED: &str = "public/media/items/walk/walk.mp3";

fn text(title: &str, more: &str) -> String {
    format!(
        "+++\nid = \"w1\"\ntitle = \"{title}\"\ndate = 2026-03-01\nattachment = \"walk.mp3\"\nsummary = \"By the sea.\"\n{more}+++\nText.\n"
    )
}

/// A site with a cover and two episodes.
fn show() -> SmallSite {
    let sound = fs::read(media_fixture("cbr-info.mp3")).unwrap();
    site()
        .with("content/channel.md", "+++\ntitle = \"Walks\"\nicon = \"cover.jpg\"\n+++\nWalks.\n")
        .with("content/cover.jpg", fs::read(media_fixture("picture.jpg")).unwrap())
        .with(WALK, text("The pier", ""))
        .with("content/items/walk/walk.mp3", &sound)
        .with(
            "content/items/ferry.md",
            text("Ferry", "").replace("walk.mp3", "ferry.mp3").replace("w1", "w2"),
        )
        .with("content/items/ferry.mp3", sound)
}

fn is_untagged(site: &SmallSite) -> bool {
    fs::read(site.path(PUBLISHED)).unwrap()
        == fs::read(site.path("content/items/walk/walk.mp3")).unwrap()
}

#[test]
fn a_published_recording_has_the_tags_of_its_item() {
    let chapters = "[podcast]\nseason = 2\nepisode = 7\nchapters = [{startTime = 0, title = \"Start\"}, {startTime = 0.5, title = \"Sea\", url = \"https://sea.example/\"}]\n";
    let site = show().with(WALK, text("The pier", chapters));
    let own = fs::read(site.path("content/items/walk/walk.mp3")).unwrap();
    site.built();
    let tags = media_facts::tags(&site.path(PUBLISHED)).unwrap();
    assert_eq!(tags.title.as_deref(), Some("The pier"));
    assert_eq!((tags.season, tags.episode), (Some(2), Some(7)));
    assert_eq!(tags.cover.unwrap().extension, "jpg");
    let facts = media_facts::read(&site.path(PUBLISHED)).unwrap();
    let titles: Vec<&str> = facts.chapters.iter().filter_map(|one| one.title.as_deref()).collect();
    assert_eq!(titles, ["Start", "Sea"]);
    assert_eq!(facts.chapters[1].url.as_deref(), Some("https://sea.example/"));
    let published = fs::read(site.path(PUBLISHED)).unwrap();
    let holds = |text: &str| published.windows(text.len()).any(|part| part == text.as_bytes());
    for text in ["Walks", "By the sea.", "https://example.com/i/the-pier-w1/"] {
        assert!(holds(text), "{text}");
    }
    assert!(published.ends_with(&own[own.len() - 1000..]), "the audio is the same");
    assert_eq!(fs::read(site.path("content/items/walk/walk.mp3")).unwrap(), own);

    // Every document states the size of the published file.
    let length = published.len();
    assert_ne!(length, own.len());
    assert!(site.read("public/rss.xml").contains(&format!("walk.mp3\" length=\"{length}\"")));
    assert!(site.read("public/feed.json").contains(&format!("\"size_in_bytes\":{length}")));
    assert!(
        site.read("public/i/the-pier-w1/index.html")
            .contains(&format!("\"contentSize\":\"{length}\""))
    );
}

#[test]
fn only_recordings_whose_tags_change_are_written_again() {
    let site = show();
    site.built();
    assert_eq!(site.built().written, 0);
    let version = |path: &str| fs::metadata(site.path(path)).unwrap().modified().unwrap();
    let files = [PUBLISHED, "public/media/items/ferry.mp3"];
    let before = files.map(version);
    site.write(WALK, text("The pier", "tags = [\"sea\"]\n") + "More text.\n");
    site.built();
    assert_eq!(files.map(version), before, "no tag changed");
    site.write(WALK, text("The long pier", ""));
    site.built();
    let after = files.map(version);
    assert_ne!(after[0], before[0]);
    assert_eq!(after[1], before[1]);
    let tags = media_facts::tags(&site.path(PUBLISHED)).unwrap();
    assert_eq!(tags.title.as_deref(), Some("The long pier"));
    // A copy of the site, with other times and inodes, writes no recording again.
    for path in ["content/items/walk/walk.mp3", "content/items/ferry.mp3"] {
        let bytes = fs::read(site.path(path)).unwrap();
        site.remove(path);
        site.write(path, bytes);
    }
    site.built();
    assert_eq!(files.map(version), after);
}

#[test]
fn the_site_and_each_item_can_turn_tags_off() {
    let site = show();
    let switch = |of_site: &str, of_item: &str| {
        site.write("site.toml", format!("base_url = \"https://example.com\"\n{of_site}"));
        site.write(WALK, text("The pier", of_item));
        site.built();
        is_untagged(&site)
    };
    assert!(!switch("", ""));
    assert!(switch("", "audio_tags = false\n"));
    assert!(switch("[audio]\ntags = false\n", ""));
    assert!(!switch("[audio]\ntags = false\n", "audio_tags = true\n"));
}

#[test]
fn lyrics_are_written_only_on_request() {
    let site = show().with(WALK, text("The pier", "[podcast]\ntranscript = \"walk.vtt\"\n")).with(
        "content/items/walk/walk.vtt",
        "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ana>Gulls everywhere.\n",
    );
    let has_lyrics = || {
        site.built();
        let bytes = fs::read(site.path(PUBLISHED)).unwrap();
        bytes.windows(21).any(|part| part == b"Ana: Gulls everywhere")
    };
    assert!(!has_lyrics());
    site.write("site.toml", "base_url = \"https://example.com\"\n[audio]\nlyrics = true\n");
    assert!(has_lyrics());
}

/// Its size and hash are stated elsewhere too, and must stay true.
#[test]
fn a_recording_that_the_feed_names_twice_is_published_unchanged() {
    let site = show();
    site.built();
    assert!(!is_untagged(&site));
    let hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    let alternate = format!(
        "[[podcast.alternateEnclosures]]\nsources = [\"walk.mp3\"]\nintegrity = {{type = \"sri\", value = \"{hash}\"}}\n"
    );
    site.write(WALK, text("The pier", &alternate));
    site.built();
    assert!(is_untagged(&site));
    let length = fs::metadata(site.path(PUBLISHED)).unwrap().len();
    assert!(site.read("public/rss.xml").contains(&format!("walk.mp3\" length=\"{length}\"")));
    let counted = "https://count.example/e/example.com/media/items/walk/walk.mp3?from=feed";
    site.write(WALK, text("The pier", &alternate.replace("walk.mp3", counted)));
    site.built();
    assert!(is_untagged(&site), "a download counter is asked first");

    site.write(WALK, text("The pier", ""));
    let again = text("Again", "").replace("\"walk.mp3\"", "\"walk/walk.mp3\"").replace("w1", "w3");
    site.write("content/items/again.md", again);
    site.built();
    assert!(is_untagged(&site), "two items name it");
    site.write(
        "content/items/again.md",
        "+++\ntitle = \"Again\"\n+++\n[The walk](walk/walk.mp3)\n",
    );
    site.built();
    assert!(!is_untagged(&site), "a link states no size");
}

#[test]
fn a_recording_that_cannot_get_tags_is_published_unchanged_with_a_warning() {
    let noise: Vec<u8> = (0..5000_u32).map(|at| (at * at / 7) as u8).collect();
    let front = text("The pier", "")
        .replace("\"walk.mp3\"", "{url = \"walk.mp3\", duration_in_seconds = 5}");
    let site = show().with(WALK, front).with("content/items/walk/walk.mp3", noise);
    let report = site.report();
    assert!(report.contains("walk.mp3 is published without tags: "), "{report}");
    assert!(report.contains("content/items/walk/index.md:5"), "{report}");
    assert!(report.contains("audio_tags = false"), "{report}");
    assert!(is_untagged(&site));
    // A second build reports it too, from the stored facts.
    site.write(WALK, site.read(WALK) + "More.\n");
    assert!(site.report().contains("published without tags"));
}

#[test]
fn a_recording_that_changes_during_a_build_is_noticed() {
    let site = show();
    let (read, _) = project::read(&site.options(), &|| ());
    let read = read.unwrap();
    let renderer = read.renderer();
    let routes = &read.routes().routes;
    let feed = routes.iter().find(|route| route.document == Document::Rss(1)).unwrap();
    renderer.render(&feed.document).unwrap();
    assert!(read.outdated().is_none());
    let other = fs::read(media_fixture("vbr-xing.mp3")).unwrap();
    site.write("content/items/walk/walk.mp3", other);
    let walk = routes.iter().find(|route| route.path.ends_with("walk.mp3")).unwrap();
    assert!(matches!(renderer.render(&walk.document), Ok(Body::Recording(_))));
    let outdated = read.outdated().unwrap();
    assert_eq!(outdated.file.as_deref(), Some("content/items/walk/walk.mp3"));
}
