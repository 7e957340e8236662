//! HLS playlists of a site: every file that a playlist names is published with it, and faults have a place.

use feedwright::model::{Category, Config};
use feedwright::source::library::Library;

use crate::support::small_site::{SmallSite, feedwright, site};

const SEGMENTS: &str = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"init.mp4\"\n\
    #EXT-X-KEY:METHOD=AES-128,URI=\"../key.bin\"\n#EXTINF:6,\n0.m4s?x=1\n#EXTINF:4.5,\nsub%20folder/1.m4s\n#EXT-X-ENDLIST\n";

const VARIANTS: &str = "#EXTM3U\n\
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English\",URI=\"walk.en.m3u8\"\n\
    #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS=\"avc1.4d401e,mp4a.40.2\",SUBTITLES=\"s\"\n\
    low/index.m3u8\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI=\"frames.m3u8\"\n";

fn list(segment: &str) -> String {
    format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{segment}\n#EXT-X-ENDLIST\n")
}

/// An item with this front matter, in a folder with a complete playlist.
fn stream(front: &str) -> SmallSite {
    let item = format!(
        "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"Walk\"\ndate_published = 2026-01-01T10:00:00Z\n{front}\n+++\nText.\n"
    );
    let files = [
        ("walk.m3u8", VARIANTS),
        ("walk.en.m3u8", &list("en.vtt")),
        ("en.vtt", "WEBVTT\n"),
        ("low/index.m3u8", SEGMENTS),
        ("low/init.mp4", "init"),
        ("key.bin", "0123456789abcdef"),
        ("low/0.m4s", "zero"),
        ("low/sub folder/1.m4s", "one"),
        ("frames.m3u8", &list("frames.ts")),
        ("frames.ts", "frames"),
        ("unused.ts", "unused"),
    ];
    let site = site().with("content/items/walk/index.md", item);
    files
        .iter()
        .fold(site, |site, (name, text)| site.with(&format!("content/items/walk/{name}"), text))
}

/// The kind of the only item's attachment.
fn category(site: &SmallSite) -> Category {
    let (sources, _) = Library::read(site.root(), Config::default(), &|| ()).sources();
    sources.items.first().unwrap().0.attachment.as_ref().unwrap().category
}

fn assert_is_complete(site: &SmallSite) {
    for file in [
        "walk.m3u8", "walk.en.m3u8", "en.vtt", "low/index.m3u8", "low/init.mp4", "key.bin",
        "low/0.m4s", "low/sub folder/1.m4s", "frames.m3u8", "frames.ts",
    ] {
        let published = site.read(&format!("public/media/items/walk/{file}"));
        assert_eq!(published, site.read(&format!("content/items/walk/{file}")));
    }
    assert!(!site.exists("public/media/items/walk/unused.ts"));
}

#[test]
fn all_files_of_an_attached_playlist_are_published() {
    let site = stream("attachment = \"walk.m3u8\"");
    site.built();
    assert_is_complete(&site);
    let rss = site.read("public/rss.xml");
    let enclosure = "walk/walk.m3u8\" length=\"0\" type=\"application/vnd.apple.mpegurl\"/>";
    assert!(rss.contains(enclosure) && rss.contains("<itunes:duration>10<"), "{rss}");
    // The playlists of variants and subtitles are no versions.
    assert!(!rss.contains("alternateEnclosure"), "{rss}");
    let json = site.read("public/feed.json");
    assert!(
        json.contains("\"duration_in_seconds\":10.5") && !json.contains("size_in_bytes"),
        "{json}"
    );
    assert_eq!(category(&site), Category::Video);
}

#[test]
fn a_playlist_can_be_a_version() {
    let sound = std::fs::read(crate::support::media_fixture("cbr-info.mp3")).unwrap();
    for front in ["", "podcast.alternateEnclosures = \"walk.m3u8\""] {
        let site = stream(&format!("attachment = \"walk.mp3\"\n{front}"))
            .with("content/items/walk/walk.mp3", &sound)
            .with(
                "content/items/walk/walk.de.m3u8",
                "#EXTM3U\n#EXTINF:200,Band - Song\nsong.mp3\n",
            );
        site.built();
        assert_is_complete(&site);
        let rss = site.read("public/rss.xml");
        let tag = "<podcast:alternateEnclosure type=\"application/vnd.apple.mpegurl\" length=\"0\" \
            height=\"360\" codecs=\"avc1.4d401e,mp4a.40.2\">";
        assert!(rss.contains(tag), "{rss}");
        assert_eq!(rss.matches("<podcast:source ").count(), 1, "{rss}");
        assert!(!rss.contains("podcast:integrity"), "{rss}");
    }
}

#[test]
fn a_playlist_of_audio_is_audio() {
    let site = site()
        .item("+++\nid = \"a\"\ntitle = \"A\"\nattachment = \"a.m3u8\"\n+++\n")
        .with("content/items/a.m3u8", list("a.aac"))
        .with("content/items/a.aac", "sound");
    assert_eq!(category(&site), Category::Audio);
}

#[test]
fn a_missing_segment_is_found_when_it_appears() {
    let site = stream("attachment = \"walk.m3u8\"").without("content/items/walk/low/0.m4s");
    assert!(
        feedwright(&site, &["build"]).2.contains("content/items/walk/low/0.m4s does not exist")
    );
    site.write("content/items/walk/low/0.m4s", "zero");
    site.built();
    assert_is_complete(&site);
    let with_more = SEGMENTS.replace("#EXT-X-ENDLIST", "#EXTINF:1,\n../unused.ts\n#EXT-X-ENDLIST");
    site.write("content/items/walk/low/index.m3u8", with_more);
    site.built();
    assert!(site.exists("public/media/items/walk/unused.ts"));
    assert!(site.read("public/feed.json").contains("\"duration_in_seconds\":11.5"));
}

#[test]
fn faults_of_playlists_have_a_place() {
    let cases = [
        ("error", list("gone.ts"), "4:1", "content/items/walk/gone.ts does not exist"),
        ("error", list("../../../../gone.ts"), "4:1", "points outside the site"),
        ("error", list("../../../site.toml"), "4:1", "is the configuration of the site"),
        ("error", list("/media/items/walk/frames.ts"), "4:1", "starts with a slash"),
        ("error", list("javascript:alert(1)"), "4:1", "an address cannot start with javascript:"),
        ("error", list("../../media/far.ts"), "4:1", "is published in another folder"),
        (
            "error",
            list("frames.ts").replace("#EXTINF:6,", "#EXT-X-MAP:URI=\"gone.mp4\"\n#EXTINF:6,"),
            "3:17",
            "content/items/walk/gone.mp4 does not exist",
        ),
        ("error", VARIANTS.replace("low/index.m3u8", "walk.m3u8"), "4:1", "names itself"),
        ("error", VARIANTS.replace("low/index.m3u8", "low/loop.m3u8"), "3:1", "names itself"),
        (
            "warning",
            list("frames.ts").replace("#EXT-X-ENDLIST\n", ""),
            "2:1",
            "#EXT-X-ENDLIST is missing",
        ),
        (
            "warning",
            list("frames.ts").replace("frames.ts", "#EXT-X-BYTERANGE:10@0\nframes.ts"),
            "5:1",
            "ends at byte 6, before byte 10",
        ),
        ("warning", list("https://cdn.example/0.ts"), "4:1", "is not a file of this site"),
        ("warning", "GIF89a".to_owned(), "1:1", "the first line is not #EXTM3U"),
        ("warning", String::new(), "1:1", "this playlist names no file"),
    ];
    for (severity, text, place, message) in cases {
        let site = stream("attachment = \"walk.m3u8\"")
            .with(
                "content/items/walk/low/loop.m3u8",
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../walk.m3u8\n",
            )
            .with("content/media/far.ts", "far")
            .with("content/items/walk/walk.m3u8", &text);
        let (code, out, error) = feedwright(&site, &["check"]);
        let told = out + &error;
        let start = told.find(message).unwrap_or_else(|| panic!("{message}: {told}"));
        let line = told[..start].lines().last().unwrap();
        assert!(line.starts_with(severity), "{message}: {told}");
        let rest = &told[start..];
        let rest = &rest[..rest.find("\n\n").unwrap_or(rest.len())];
        assert!(
            rest.contains(&format!(".m3u8:{place}")) && rest.contains("help: "),
            "{message}: {told}"
        );
        assert_eq!(code == 0, severity == "warning", "{message}: {told}");
    }
    let not_text =
        stream("attachment = \"walk.m3u8\"").with("content/items/walk/walk.m3u8", b"#EXTM3U\n\xff");
    assert!(
        feedwright(&not_text, &["check"])
            .2
            .contains("this playlist cannot be read: it is not UTF-8")
    );
}
