//! Files and addresses that items name as their media.

use std::process::Command;

use crate::support::Site;

#[cfg(unix)]
#[test]
fn a_file_whose_name_reads_like_a_url_is_a_file() {
    let output = Site::empty()
        .write("content/items/part1: intro.txt", "four")
        .write(
            "content/items/a.md",
            "+++\nattachment = \"part1: intro.txt\"\n+++\n",
        )
        .build();
    let rss = output.text("rss.xml");
    let url = "https://example.com/media/items/part1:%20intro.txt";
    assert!(
        rss.contains(&format!("<enclosure url=\"{url}\" length=\"4\"")),
        "{rss}"
    );
}

#[test]
fn an_address_elsewhere_is_one_that_readers_can_fetch() {
    let output = Site::empty()
        .write(
            "content/items/a.md",
            "+++\nattachment = \"https://cdn.example/a b ü.mp3\"\n+++\n",
        )
        .build();
    let rss = output.text("rss.xml");
    assert!(
        rss.contains("<enclosure url=\"https://cdn.example/a%20b%20%C3%BC.mp3\""),
        "{rss}"
    );
}

/// What `build` says of a site whose item has this front matter and text, and a cover, a photo and a recording.
fn said(channel: &str, item: &str) -> (bool, String) {
    let site = Site::empty()
        .write(
            "content/channel.md",
            &format!("+++\ntitle = \"c\"\nlanguage = \"en\"\n{channel}+++\n"),
        )
        .write("content/items/a.md", item)
        .write("content/items/cover.jpg", "not a picture")
        .write("content/items/photo.avif", "not a picture")
        .write("content/items/drawing.svg", "<p>not a picture</p>")
        .write("content/items/empty.png", "")
        .write("content/items/sound.m4a", "not a recording")
        .write("content/media/icon.png", "\u{89}PNG\r\n and no more");
    let out = site.root().join("public");
    let output = Command::new(env!("CARGO_BIN_EXE_feedwright"))
        .args(["build", "--site"])
        .arg(site.root())
        .arg("--out")
        .arg(out)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), said)
}

#[test]
fn a_damaged_file_that_a_key_names_is_an_error() {
    let named = |key: &str| format!("+++\ntitle = \"a\"\n{key}\n+++\nText.\n");
    for (channel, item, message) in [
        (
            "",
            named("image = \"cover.jpg\""),
            "error: content/items/cover.jpg is damaged or not an image",
        ),
        (
            "",
            named("image = \"photo.avif\""),
            "error: content/items/photo.avif is damaged or not an image",
        ),
        (
            "",
            named("image = \"drawing.svg\""),
            "error: content/items/drawing.svg is damaged or not an image",
        ),
        (
            "",
            named("banner_image = \"empty.png\""),
            "error: content/items/empty.png is empty",
        ),
        (
            "icon = \"media/icon.png\"\n",
            named(""),
            "error: content/media/icon.png is damaged or not an image",
        ),
    ] {
        let (is_built, said) = said(channel, &item);
        assert!(!is_built && said.contains(message), "{message}: {said}");
    }
}

#[test]
fn a_damaged_picture_of_a_text_is_a_warning_and_one_message() {
    let text = "+++\ntitle = \"a\"\n+++\n![a](cover.jpg) ![b](cover.jpg)\n\n[c](cover.jpg)\n";
    let (is_built, text) = said("", text);
    assert!(
        is_built && text.matches("cover.jpg is damaged or not an image").count() == 1,
        "{text}"
    );
    let sound = "+++\ntitle = \"a\"\nattachment = \"sound.m4a\"\n+++\n[a](sound.m4a)\n";
    let (is_built, sound) = said("", sound);
    assert!(
        is_built
            && sound
                .matches("sound.m4a is damaged or not a recording")
                .count()
                == 1,
        "{sound}"
    );
    let both = "+++\ntitle = \"a\"\nimage = \"cover.jpg\"\nattachment = \"cover.jpg\"\n+++\n![a](cover.jpg)\n";
    let (is_built, both) = said("", both);
    assert!(
        !is_built && both.matches("cover.jpg is damaged or not an image").count() == 1,
        "{both}"
    );
}

/// RFC 8216, section 4: the type of a playlist of a stream, which players look at.
#[test]
fn a_playlist_has_its_media_type_in_every_output() {
    const TYPE: &str = "application/vnd.apple.mpegurl";
    let front = "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"a\"\nattachment = \"https://cdn.example/live.m3u8\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/low.m3u8\"]\nlength = 1\n\
        [[podcast.alternateEnclosures]]\nsources = [\"own.M3U8\"]\n+++\nText.\n";
    let output = Site::empty()
        .write("content/items/a.md", front)
        .write("content/items/own.M3U8", "#EXTM3U\n")
        .build();
    let rss = output.text("rss.xml");
    assert_eq!(rss.matches(&format!("type=\"{TYPE}\"")).count(), 3, "{rss}");
    assert_eq!(
        output.json("feed.json")["items"][0]["attachments"][0]["mime_type"],
        TYPE
    );
    for file in output.files() {
        let text = String::from_utf8_lossy(&std::fs::read(output.folder().join(&file)).unwrap())
            .into_owned();
        let text = text.to_ascii_lowercase();
        assert!(
            !text.contains("audio/mpegurl") && !text.contains("x-mpegurl"),
            "{file}"
        );
    }
    let config = feedwright::model::Config::default();
    assert_eq!(
        feedwright::render::hosting::sent_as(&config, "media/live.m3u8", b"").media_type,
        TYPE
    );
}
