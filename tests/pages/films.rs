//! Films, streams and versions of a recording on pages.

use crate::support::{Output, Site};

const SUBRIP: &str = "1\n00:00:01,000 --> 00:00:02,000\nAna: Ham & eggs\n";
const WEBVTT: &str = "WEBVTT\n\n00:01.000 --> 00:02.000\nWords\n";

fn item(attachment: &str, podcast: &str) -> String {
    format!(
        "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"A\"\nimage = \"https://cdn.example/a.png\"\n\
         date_published = \"2026-03-09T10:00:00Z\"\nattachment = {attachment}\n[podcast]\n{podcast}\n+++\nText.\n"
    )
}

fn built(attachment: &str, podcast: &str) -> Output {
    Site::empty()
        .write("content/items/a/index.md", &item(attachment, podcast))
        .write("content/items/a/said.srt", SUBRIP)
        .write("content/items/a/said.vtt", WEBVTT)
        .build()
}

const STREAM: &str = "\"https://cdn.example/film.m3u8\"";
const FILE: &str = "alternateEnclosures = [\"https://cdn.example/film.mp4\"]";

#[test]
fn a_playlist_plays_and_has_no_download_link() {
    let chapters = "chapters = [{ startTime = 5, title = \"Five\" }]";
    let output = built(STREAM, &format!("{FILE}\n{chapters}"));
    let page = output.html("i/a/index.html");
    assert_eq!(
        page.all("video#theme-player > source", "src"),
        ["https://cdn.example/film.m3u8", "https://cdn.example/film.mp4"]
    );
    assert_eq!(page.attribute("#theme-player", "poster").unwrap(), "https://cdn.example/a.png");
    assert_eq!(page.all("a[download]", "href"), ["https://cdn.example/film.mp4"]);
    assert_eq!(page.all("a[href$=\".m3u8\"]", "type"), ["application/vnd.apple.mpegurl"]);
    assert_eq!(page.attribute(".chapter", "href").unwrap(), "#t=5");
    assert_eq!(page.texts(".switch label"), ["Video", "Video · MP4"]);
    for path in ["i/a/embed/index.html", "index.html"] {
        let page = output.html(path);
        assert!(page.all("a[download]", "href").is_empty(), "{path}");
        assert_eq!(page.all("video > source", "src").len(), 2, "{path}");
    }
    let alone = built(STREAM, "").html("i/a/index.html");
    assert_eq!(
        alone.attribute("video#theme-player", "src").unwrap(),
        "https://cdn.example/film.m3u8"
    );
    assert!(alone.all("a[download], source, .switch", "class").is_empty());
}

#[test]
fn versions_of_the_same_kind_and_language_come_first() {
    let versions = "[[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/film.m3u8\"]\nheight = 720\n\
        codecs = \"avc1.640028,mp4a.40.2\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/de.mp3\"]\nlang = \"de\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/sound.m3u8\"]\ncodecs = \"mp4a.40.2\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"magnet:?xt=urn:btih:1\"]\ntype = \"audio/mpeg\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/notes.pdf\"]";
    let output = built("\"https://cdn.example/a.mp3\"", versions);
    let page = output.html("i/a/index.html");
    let sources = page.all("audio#theme-player > source", "src");
    assert_eq!(
        sources,
        ["a.mp3", "sound.m3u8", "de.mp3", "film.m3u8"]
            .map(|name| format!("https://cdn.example/{name}"))
    );
    assert_eq!(
        page.all("audio#theme-player > source", "type")[3],
        "application/vnd.apple.mpegurl; codecs=\"avc1.640028,mp4a.40.2\""
    );
    assert_eq!(page.all("source[data-film]", "src"), ["https://cdn.example/film.m3u8"]);
    assert_eq!(
        page.texts(".switch label"),
        ["Audio · English", "Audio", "Audio · Deutsch", "Video · 720p"]
    );
    let plain = built("\"https://cdn.example/a.mp3\"", "").html("i/a/index.html");
    assert!(plain.all("source, .switch", "class").is_empty());
}

#[test]
fn captions_are_webvtt_of_the_site() {
    let captions = |podcast: &str| {
        let output = built(STREAM, podcast);
        let page = output.html("i/a/index.html");
        (page.attribute("video > track", "src"), output.has("i/a/captions.vtt"))
    };
    let written = Some("/i/a/captions.vtt".to_owned());
    assert_eq!(captions("transcripts = [\"said.srt\"]"), (written.clone(), true));
    let remote = "transcripts = [\"https://cdn.example/said.vtt\", \"said.srt\"]";
    assert_eq!(captions(remote), (written, true));
    let own = Some("/media/items/a/said.vtt".to_owned());
    assert_eq!(captions("transcripts = [\"said.srt\", \"said.vtt\"]"), (own, false));
    assert_eq!(captions("transcripts = [\"https://cdn.example/said.vtt\"]"), (None, false));
    let output = built(STREAM, "transcripts = [\"said.srt\"]");
    assert_eq!(
        output.text("i/a/captions.vtt"),
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ana>Ham &amp; eggs\n"
    );
    let sound = built("\"https://cdn.example/a.mp3\"", "transcripts = [\"said.srt\"]");
    assert!(!sound.has("i/a/captions.vtt"));
}

#[test]
fn networks_and_search_engines_find_a_stream() {
    let output = built(STREAM, FILE);
    let page = output.html("i/a/index.html");
    let meta = |name: &str| page.attribute(&format!("meta[property=\"{name}\"]"), "content");
    assert_eq!(meta("og:video").unwrap(), "https://cdn.example/film.mp4");
    assert_eq!(meta("og:video:type").unwrap(), "video/mp4");
    let found = page.all_json_ld();
    let video = found.iter().find_map(|one| one.get("video")).unwrap();
    assert_eq!(video["@type"], "VideoObject");
    assert_eq!(video["contentUrl"], "https://cdn.example/film.m3u8");
    assert_eq!(video["encodingFormat"], "application/vnd.apple.mpegurl");
    assert!(video["embedUrl"].as_str().unwrap().ends_with("/i/a/embed/"));
    assert_eq!(output.json("i/a/embed/oembed.json")["type"], "video");
    let alone = built(STREAM, "").html("i/a/index.html");
    let own = alone.attribute("meta[property=\"og:video\"]", "content");
    assert_eq!(own.unwrap(), "https://cdn.example/film.m3u8");
}
