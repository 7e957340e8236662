//! Published recordings: their tags, and what is written again when tags change. `tests/independent` reads the
//! tags with other libraries.

use std::fs;
use std::io::Write;
use std::sync::Arc;

use feedwright::builder::{self, Silent};
use feedwright::model::PublishedRecording;
use feedwright::project::{self, Options};
use feedwright::render::{Body, Document};

use crate::support::small_site::{SmallSite, feedwright, site};
use crate::support::{media_fixture, wait};

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
    let reason = "walk.mp3 is published unchanged, without tags: it contains no audio (at byte 0)";
    assert!(report.contains(reason), "{report}");
    assert!(report.contains("help: export it again as MP3 or M4A, or write"), "{report}");
    assert!(report.contains("content/items/walk/index.md:5"), "{report}");
    assert!(report.contains("audio_tags = false"), "{report}");
    assert!(is_untagged(&site));
    // A second build reports it too, from the stored facts.
    site.write(WALK, site.read(WALK) + "More.\n");
    assert!(site.report().contains("published unchanged"));
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

/// Returns the published form of the walk.
fn rendered(options: &Options) -> PublishedRecording {
    let (site, _) = project::read(options, &|| ());
    let site = site.unwrap();
    let walk = site.routes().routes.iter().find(|route| route.path.ends_with("walk.mp3")).unwrap();
    let [first, second] = [(); 2].map(|()| match site.renderer().render(&walk.document) {
        Ok(Body::Recording(recording)) => recording,
        _ => panic!("no recording"),
    });
    assert!(Arc::ptr_eq(&first.tagged, &second.tagged), "it is made once for all ranges");
    first
}

#[test]
fn a_preview_sends_the_published_bytes() {
    let site = show();
    site.built();
    let mut options = site.options();
    options.base_url = Some("http://127.0.0.1:8080".to_owned());
    options.is_preview = true;
    let shown = rendered(&options);
    let mut bytes = Vec::new();
    let mut source = fs::File::open(site.path("content/items/walk/walk.mp3")).unwrap();
    shown.tagged.copy(&mut source, &mut bytes).unwrap();
    assert!(bytes == fs::read(site.path(PUBLISHED)).unwrap());
}

#[test]
fn a_recording_does_not_change_when_a_scheduled_item_with_it_becomes_public() {
    let later = text("Again", "").replace("\"walk.mp3\"", "\"walk/walk.mp3\"").replace("w1", "w3");
    let later = later.replace("2026-03-01", "2026-07-01");
    let site = show().with("content/items/again.md", &later);
    site.built();
    assert!(is_untagged(&site));
    let draft = later.replace("summary", "status = \"unpublished\"\nsummary");
    site.write("content/items/again.md", draft);
    site.built();
    assert!(!is_untagged(&site), "a draft has no date of publication");
}

#[test]
fn an_empty_list_of_chapters_removes_those_in_the_recording() {
    let site = show();
    let mp3 = fs::read(media_fixture("chapters.mp3")).unwrap();
    site.write("content/items/walk/walk.mp3", mp3);
    let chapters = |more: &str| {
        site.write(WALK, text("The pier", more));
        site.built();
        let feed = site.read("public/rss.xml");
        assert_eq!(feed.contains("podcast:chapters"), more.is_empty());
        media_facts::read(&site.path(PUBLISHED)).unwrap().chapters.len()
    };
    assert!(chapters("") > 1);
    assert_eq!(chapters("[podcast]\nchapters = []\n"), 0);
}

#[test]
fn a_build_counts_the_recordings_that_change() {
    let site = show();
    let count = |site: &SmallSite| {
        let (code, out, error) = feedwright(site, &["build", "--json"]);
        assert_eq!(code, 0, "{error}");
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        (report["recordings"]["changed"].as_u64(), report["recordings"]["bytes"].as_u64())
    };
    let size = || {
        let files = [PUBLISHED, "public/media/items/ferry.mp3"];
        Some(files.map(|file| fs::metadata(site.path(file)).unwrap().len()).iter().sum::<u64>())
    };
    assert_eq!(count(&site), (Some(0), Some(0)), "new recordings do not change");
    site.write("content/channel.md", site.read("content/channel.md").replace("Walks", "Hikes"));
    assert_eq!(count(&site), (Some(2), size()));
    assert_eq!(count(&site), (Some(0), Some(0)));
    site.write("content/channel.md", site.read("content/channel.md").replace("Hikes", "Tours"));
    let (_, out, error) = feedwright(&site, &["build"]);
    let told = out + &error;
    assert!(told.contains("2 recordings (") && told.contains("get new tags or audio"), "{told}");
}

/// Returns a grey PNG file of noise, or a damaged one that is larger than a tag.
fn noise(width: u32, is_damaged: bool) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut state = 1_u32;
    for at in 0..width * (width + 1) {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let filter = at % (width + 1) == 0;
        packed.write_all(&[if filter { 0 } else { (state >> 24) as u8 }]).unwrap();
    }
    let pixels = if is_damaged { vec![7; 1_500_000] } else { packed.finish().unwrap() };
    let head = [&width.to_be_bytes()[..], &width.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", head), (b"IDAT", pixels), (b"IEND", Vec::new())] {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(&content);
        file.extend((content.len() as u32).to_be_bytes());
        file.extend(kind);
        file.extend(&content);
        file.extend(crc.sum().to_be_bytes());
    }
    file
}

fn checked(site: &SmallSite) -> String {
    let found = builder::check(&site.options(), &Silent).report.sorted();
    let found = found.iter().filter(|one| one.message.contains("tags of"));
    found.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn with_pictures(count: usize) -> SmallSite {
    let chapters: Vec<_> = (0..count)
        .map(|at| serde_json::json!({ "startTime": at as f64 / 1000.0, "title": "Sea", "img": "noise.png" }))
        .collect();
    let chapters = serde_json::json!(chapters).to_string();
    show()
        .with(WALK, text("The pier", "[podcast]\nchapters = \"chapters.json\"\n"))
        .with("content/items/walk/chapters.json", chapters)
        .with("content/items/walk/noise.png", noise(700, false))
}

#[test]
fn pictures_of_chapters_get_smaller_until_they_fit() {
    let site = with_pictures(20);
    site.built();
    let published = fs::read(site.path(PUBLISHED)).unwrap();
    let pictures = published.windows(4).filter(|part| part == b"APIC").count();
    assert_eq!(pictures, 21, "the cover, and a picture of each chapter");
    assert!((500_000..=2 << 20).contains(&published.len()), "{}", published.len());
    assert_eq!(checked(&site), "");
}

#[test]
fn pictures_that_do_not_fit_are_left_out_with_a_warning() {
    let site = with_pictures(3000);
    let found = checked(&site);
    assert!(found.contains(" pictures of chapters are not in the tags of content/items/walk/walk.mp3: together, they would be larger than 2 MB"), "{found}");
    assert!(found.contains("content/items/walk/chapters.json:1:"), "{found}");
    assert!(found.contains("help: use fewer or simpler pictures"), "{found}");
    site.built();
    let tags = media_facts::tags(&site.path(PUBLISHED)).unwrap();
    assert!(tags.title.is_some() && tags.cover.is_some());
    assert!(fs::metadata(site.path(PUBLISHED)).unwrap().len() < 3 << 20);
}

#[test]
fn a_cover_that_cannot_get_smaller_is_reported_once() {
    let site = show().with("content/cover.png", noise(700, true));
    site.write("content/channel.md", site.read("content/channel.md").replace(".jpg", ".png"));
    let found = checked(&site);
    let message = "content/cover.png is not in the tags of recordings: it is larger than 1 MB, and cannot be made smaller";
    assert_eq!(found.matches(message).count(), 1, "{found}");
    assert!(found.contains("content/channel.md:3:"), "{found}");
}

#[test]
fn a_long_transcript_is_left_out_before_other_tags() {
    let cue = |at: usize| {
        let (start, words) = (at % 60, "words ".repeat(200));
        format!("{:02}:{start:02}.000 --> {:02}:{start:02}.900\n{words}\n\n", at / 60, at / 60)
    };
    let vtt = format!("WEBVTT\n\n{}", (0..7000).map(cue).collect::<String>());
    assert!((4 << 20..10 << 20).contains(&vtt.len()));
    let site = show()
        .with("site.toml", "base_url = \"https://example.com\"\n[audio]\nlyrics = true\n")
        .with(WALK, text("The pier", "[podcast]\ntranscript = \"walk.vtt\"\n"))
        .with("content/items/walk/walk.vtt", vtt);
    let found = checked(&site);
    assert!(
        found.contains("the transcript is not in the tags of content/items/walk/walk.mp3"),
        "{found}"
    );
    assert!(found.contains("content/items/walk/index.md:8:"), "{found}");
    site.built();
    let tags = media_facts::tags(&site.path(PUBLISHED)).unwrap();
    assert_eq!(tags.title.as_deref(), Some("The pier"));
    assert!(tags.cover.is_some());
}

#[test]
fn check_stores_facts_about_recordings() {
    let site = show();
    wait::settled(site.root());
    let stored = || fs::read_dir(site.path(".feedwright/recordings")).unwrap().count();
    checked(&site);
    assert_eq!(stored(), 2);
    checked(&site);
    assert_eq!(stored(), 2, "a build and later checks use the same facts");
    site.built();
    assert_eq!(stored(), 2);
}
