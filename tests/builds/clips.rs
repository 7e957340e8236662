//! Clips: the recordings that are cut out for soundbites. `tests/independent` compares their sound with the whole
//! recordings.

use std::fs;

use crate::support::media_fixture;
use crate::support::preview_server::serve;
use crate::support::small_site::{SmallSite, site};

const WALK: &str = "content/items/walk.md";
const FIRST: &str = "public/i/walk/clips/0.2-1/clip.mp3";

/// Two passages: one with a title, and one without.
const SOUNDBITES: &str =
    "{startTime = 0.2, duration = 0.8, title = \"Gulls\"}, {startTime = 1.1, duration = 0.3}";

fn text(recording: &str, soundbites: &str) -> String {
    format!(
        "+++\nid = \"w1\"\nslug = \"walk\"\ntitle = \"The pier\"\ndate = 2026-03-01\nattachment = \"{recording}\"\n[[authors]]\nname = \"Ana\"\n[podcast]\nseason = 2\nepisode = 7\nchapters = [{{startTime = 0, title = \"Start\"}}]\nsoundbites = [{soundbites}]\n+++\nText.\n"
    )
}

/// A show with an episode. `recording` is a file of media-facts.
fn show(recording: &str, soundbites: &str) -> SmallSite {
    site()
        .with("content/channel.md", "+++\ntitle = \"Walks\"\nicon = \"cover.jpg\"\n+++\nWalks.\n")
        .with("content/cover.jpg", fs::read(media_fixture("picture.jpg")).unwrap())
        .with(WALK, text(recording, soundbites))
        .with(&format!("content/items/{recording}"), fs::read(media_fixture(recording)).unwrap())
}

/// Returns the paths of all clips of the built site.
fn clips(site: &SmallSite) -> Vec<String> {
    let files = site.output().into_keys();
    files.filter(|path| path.contains("/clip.")).collect()
}

#[test]
fn each_soundbite_gets_a_recording_with_tags() {
    for (recording, extension) in [("cbr-info.mp3", "mp3"), ("tone.m4a", "m4a")] {
        let site = show(recording, SOUNDBITES);
        site.built();
        assert_eq!(
            clips(&site),
            ["0.2-1", "1.1-1.4"].map(|name| format!("i/walk/clips/{name}/clip.{extension}"))
        );
        let path = site.path(&FIRST.replace("mp3", extension));
        let tags = media_facts::tags(&path).unwrap();
        assert_eq!(tags.title.as_deref(), Some("Gulls"));
        assert_eq!((tags.season, tags.episode), (None, None));
        assert_eq!(tags.cover.unwrap().extension, "jpg");
        let facts = media_facts::read(&path).unwrap();
        assert!((facts.duration.unwrap() - 0.8).abs() < 0.05, "{:?}", facts.duration);
        assert!(facts.chapters.is_empty());
        let bytes = fs::read(&path).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        for text in ["Walks", "Ana", "2026", "https://example.com/i/walk/clips/0.2-1/"] {
            assert!(holds(text), "{text}");
        }
        let other = media_facts::tags(
            &path.parent().unwrap().with_file_name("1.1-1.4").join(format!("clip.{extension}")),
        );
        assert_eq!(other.unwrap().title.as_deref(), Some("The pier"));
        assert_eq!(site.built().written, 0);
    }
}

#[test]
fn only_the_clip_whose_soundbite_changes_is_written_again() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    site.built();
    let second = FIRST.replace("0.2-1", "1.1-1.4");
    let version = |path: &str| fs::metadata(site.path(path)).unwrap().modified().unwrap();
    let before = [FIRST, &second].map(version);
    site.write(WALK, text("cbr-info.mp3", SOUNDBITES) + "More text.\n");
    site.built();
    assert_eq!([FIRST, &second].map(version), before);
    site.write(WALK, text("cbr-info.mp3", &SOUNDBITES.replace("Gulls", "Waves")));
    site.built();
    assert_ne!(version(FIRST), before[0]);
    assert_eq!(version(&second), before[1]);
    site.write(WALK, text("cbr-info.mp3", &SOUNDBITES.replace("0.8", "0.7")));
    site.built();
    assert_eq!(clips(&site), ["i/walk/clips/0.2-0.9/clip.mp3", "i/walk/clips/1.1-1.4/clip.mp3"]);
    // Another recording, with the same times.
    site.write("content/items/cbr-info.mp3", fs::read(media_fixture("vbr-xing.mp3")).unwrap());
    site.built();
    assert_ne!(version(&second), before[1]);
}

#[test]
fn a_site_can_turn_clips_off() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    site.write("site.toml", "base_url = \"https://example.com\"\n[audio]\nclips = false\n");
    site.built();
    assert!(clips(&site).is_empty());
    site.write("site.toml", "base_url = \"https://example.com\"\n");
    site.built();
    assert_eq!(clips(&site).len(), 2);
    site.write(WALK, text("cbr-info.mp3", SOUNDBITES).replace("slug", "draft = true\nslug"));
    site.built();
    assert!(clips(&site).is_empty(), "an unpublished item has no clips");
}

#[test]
fn soundbites_that_cannot_be_cut_have_no_recording() {
    let invalid = "{startTime = 0.2, duration = 0.5}, {startTime = 0.2, duration = 0.5, title = \"Again\"}, {startTime = 0.4, duration = 0}, {startTime = 90, duration = 20}, {startTime = 0, duration = 43200}, {startTime = 1e300, duration = 1e300}";
    let site = show("cbr-info.mp3", invalid);
    site.built();
    assert_eq!(clips(&site), ["i/walk/clips/0.2-0.7/clip.mp3"]);
    let report = site.report();
    assert!(report.contains("this soundbite is 0 seconds long"), "{report}");
    for recording in ["tone.flac", "chapters.opus", "fragmented.mp4"] {
        let site = show(recording, SOUNDBITES);
        site.built();
        assert!(clips(&site).is_empty(), "{recording}");
    }
    // A recording that ends in the middle of a clip.
    let whole = fs::read(media_fixture("cbr-info.mp3")).unwrap();
    site.write("content/items/cbr-info.mp3", &whole[..whole.len() / 3]);
    site.write(WALK, text("cbr-info.mp3", SOUNDBITES));
    site.built();
    assert_eq!(clips(&site), ["i/walk/clips/0.2-1/clip.mp3"]);
    let facts = media_facts::read(&site.path(FIRST)).unwrap();
    assert!(facts.damage.is_none() && facts.duration.unwrap() < 0.6, "{:?}", facts.duration);
}

#[test]
fn hosts_get_rules_for_clips_only_if_there_are_some() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    let targets = ["netlify", "vercel", "nginx", "caddy", "apache"];
    let config = format!("base_url = \"https://example.com\"\n[hosting]\ntargets = {targets:?}\n");
    site.write("site.toml", &config);
    site.built();
    let files =
        ["_headers", "vercel.json", "feedwright.nginx.conf", "feedwright.caddy", ".htaccess"];
    for (file, rule) in files.iter().zip([
        "/i/:id/clips/:clip/clip.mp3\n  Content-Type: audio/mpeg\n  Access-Control-Allow-Origin: *\n",
        "\"source\": \"/i/:id/clips/:clip/clip.mp3\"",
        "location ~ \"^/i/[^/]+/clips/[^/]+/clip\\\\.mp3$\" { types {} default_type audio/mpeg; add_header Access-Control-Allow-Origin *;",
        "path \"/i/*/clips/*/clip.mp3\"",
        "<Files \"clip.mp3\">",
    ]) {
        let text = site.read(&format!("public/{file}"));
        assert!(text.contains(rule), "{file}: {text}");
    }
    site.write("site.toml", format!("{config}[audio]\nclips = false\n"));
    site.built();
    for file in files {
        assert!(!site.read(&format!("public/{file}")).contains("clip."), "{file}");
    }
}

#[test]
fn the_preview_serves_ranges_of_clips() {
    for (recording, extension, media_type) in
        [("cbr-info.mp3", "mp3", "audio/mpeg"), ("tone.m4a", "m4a", "audio/x-m4a")]
    {
        let site = show(recording, SOUNDBITES);
        let served = serve(site.root());
        let path = format!("/i/walk/clips/0.2-1/clip.{extension}");
        let whole = served.get(&path);
        let length = whole.body.len();
        assert_eq!((whole.status, whole.field("content-type")), (200, media_type));
        for (first, last) in [(0, 9), (3, length - 1), (length - 50, length - 1)] {
            let part = served.ask("GET", &path, &[("range", &format!("bytes={first}-{last}"))]);
            assert_eq!(part.status, 206);
            assert_eq!(part.body, &whole.body[first..=last]);
            assert_eq!(part.field("content-range"), format!("bytes {first}-{last}/{length}"));
        }
        let known = [("if-none-match", whole.field("etag"))];
        assert_eq!(served.ask("GET", &path, &known).status, 304);
        let other = path.replace(extension, "wav");
        assert_eq!(served.get(&other).status, 404);
        assert!(!site.exists("public"), "nothing is written");
    }
}

#[test]
fn templates_can_link_to_clips() {
    let theme = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT", "extends": "default"}"#;
    let partial = "{{#_service.podcast.soundbites}}[{{{clip_url}}}|{{{clip_type}}}|{{{clip_size}}}]{{/_service.podcast.soundbites}}";
    let site = show("cbr-info.mp3", &format!("{SOUNDBITES}, {{startTime = 90, duration = 20}}"))
        .with("site.toml", "base_url = \"https://example.com\"\ntheme = \"own\"\n")
        .with("themes/own/theme.json", theme)
        .with("themes/own/partials/soundbites.mustache", partial);
    site.built();
    let url = "/i/walk/clips/0.2-1/clip.mp3";
    let size = fs::metadata(site.path(FIRST)).unwrap().len();
    let page = site.read("public/i/walk/index.html");
    assert!(page.contains(&format!("[{url}|audio/mpeg|{size}]")), "{page}");
    assert!(page.contains("[||]"), "{page}");
}

/// Machines without the recordings build the same site.
#[test]
fn recordings_on_a_media_host_have_no_clips() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    let config = site.read("site.toml") + "[media]\nbase_url = \"https://media.example\"\n";
    site.write("site.toml", config);
    site.built();
    assert!(clips(&site).is_empty());
    let page = site.read("public/i/walk/clips/0.2-1/index.html");
    assert!(page.contains("https://media.example/items/cbr-info.mp3#t=0.2,1"), "{page}");
}

/// An alias of the item leads to its clips too.
#[test]
fn a_new_slug_keeps_the_addresses_of_clips() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    site.built();
    let moved = site.read(WALK).replace("slug = \"walk\"", "slug = \"pier\"\naliases = [\"walk\"]");
    site.write(WALK, moved);
    site.built();
    let former = site.read("public/i/walk/clips/0.2-1/index.html");
    assert!(former.contains("url=/i/pier/clips/0.2-1/"), "{former}");
    let preview = serve(site.root());
    let reply = preview.ask("GET", "/i/walk/clips/0.2-1/", &[]);
    assert_eq!(reply.header("location"), Some("/i/pier/clips/0.2-1/"));
}

/// A clip has no tags if its recording has none.
#[test]
fn clips_have_tags_only_if_the_recording_has_tags() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    let untagged = site.read(WALK).replace("slug = ", "audio_tags = false\nslug = ");
    site.write(WALK, untagged);
    site.built();
    assert_eq!(media_facts::tags(&site.path(FIRST)).unwrap().title, None);
}

/// A page shows the waveform of the recording that it plays.
#[test]
fn a_replaced_recording_changes_the_pages_of_its_clips() {
    let site = show("cbr-info.mp3", SOUNDBITES);
    site.built();
    let other = fs::read(media_fixture("cbr-bare.mp3")).unwrap();
    site.write("content/items/cbr-info.mp3", &other);
    site.built();
    let fresh = show("cbr-info.mp3", SOUNDBITES).with("content/items/cbr-info.mp3", &other);
    fresh.built();
    assert!(site.output() == fresh.output());
}
