//! Files and addresses that items name as their media.

use crate::support::program;
use crate::support::{Site, media_fixture};

#[cfg(unix)]
#[test]
fn a_file_named_like_a_url_is_a_file() {
    let output = Site::empty()
        .write("content/items/part1: intro.txt", "four")
        .write("content/items/a.md", "+++\nattachment = \"part1: intro.txt\"\n+++\n")
        .build();
    let rss = output.text("rss.xml");
    let url = "https://example.com/media/items/part1:%20intro.txt";
    assert!(rss.contains(&format!("<enclosure url=\"{url}\" length=\"4\"")), "{rss}");
}

#[test]
fn an_external_url_must_be_fetchable_by_readers() {
    let output = Site::empty()
        .write("content/items/a.md", "+++\nattachment = \"https://cdn.example/a b ü.mp3\"\n+++\n")
        .build();
    let rss = output.text("rss.xml");
    assert!(rss.contains("<enclosure url=\"https://cdn.example/a%20b%20%C3%BC.mp3\""), "{rss}");
}

/// What `build` says of a site whose item has this front matter and text, and a cover, a photo and a recording.
fn build_output(channel: &str, item: &str) -> (bool, String) {
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
    build_result(&site)
}

/// Whether `build` writes a site, and what it says.
fn build_result(site: &Site) -> (bool, String) {
    let out = site.root().join("public");
    let mut command = program::command();
    let ran =
        program::run(command.args(["build", "--site"]).arg(site.root()).arg("--out").arg(out));
    (ran.code == Some(0), ran.err)
}

#[test]
fn a_damaged_file_named_by_a_key_is_an_error() {
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
        ("", named("banner_image = \"empty.png\""), "error: content/items/empty.png is empty"),
        (
            "icon = \"media/icon.png\"\n",
            named(""),
            "error: content/media/icon.png is damaged or not an image",
        ),
    ] {
        let (is_built, said) = build_output(channel, &item);
        assert!(!is_built && said.contains(message), "{message}: {said}");
    }
}

#[test]
fn a_damaged_picture_in_a_text_is_one_warning() {
    let text = "+++\ntitle = \"a\"\n+++\n![a](cover.jpg) ![b](cover.jpg)\n\n[c](cover.jpg)\n";
    let (is_built, text) = build_output("", text);
    assert!(
        is_built && text.matches("cover.jpg is damaged or not an image").count() == 1,
        "{text}"
    );
    let sound = "+++\ntitle = \"a\"\nattachment = \"sound.m4a\"\n+++\n[a](sound.m4a)\n";
    let (is_built, sound) = build_output("", sound);
    assert!(
        is_built && sound.matches("sound.m4a is damaged or not a recording").count() == 1,
        "{sound}"
    );
    let both = "+++\ntitle = \"a\"\nimage = \"cover.jpg\"\nattachment = \"cover.jpg\"\n+++\n![a](cover.jpg)\n";
    let (is_built, both) = build_output("", both);
    assert!(
        !is_built && both.matches("cover.jpg is damaged or not an image").count() == 1,
        "{both}"
    );
}

/// A picture whose header is whole and whose pixels are not, under each way to name one.
#[test]
fn a_picture_without_pixel_data_is_an_error_of_its_key() {
    let jpeg = std::fs::read(media_fixture("picture.jpg")).unwrap();
    let png = std::fs::read(media_fixture("picture.png")).unwrap();
    let mut zeros = png[..33].to_vec();
    zeros.extend([0; 400]);
    // Every checksum is right, so only a decoder sees that the pixels are none.
    let mut noise = png[..33].to_vec();
    for (kind, contents) in [(b"IDAT", &b"\x78\x9c no pixels"[..]), (b"IEND", b"")] {
        let part = [&kind[..], contents].concat();
        noise.extend((contents.len() as u32).to_be_bytes());
        noise.extend(&part);
        noise.extend(crc(&part).to_be_bytes());
    }
    for (name, torn) in [
        ("half.jpg", &jpeg[..jpeg.len() * 2 / 3]),
        ("half.png", &png[..png.len() - 30]),
        ("zeros.png", &zeros),
        ("noise.png", &noise),
    ] {
        for key in ["image", "banner_image", "attachment", "icon", "text"] {
            let (channel, item) = match key {
                "icon" => (format!("icon = \"items/{name}\"\n"), String::new()),
                "text" => (String::new(), format!("+++\n![a picture]({name})\n")),
                key => (String::new(), format!("{key} = \"{name}\"\n+++\nText.\n")),
            };
            let item = match key {
                "icon" => "+++\nText.\n".to_owned(),
                _ => item,
            };
            let site = Site::empty()
                .write(
                    "content/channel.md",
                    &format!("+++\ntitle = \"c\"\nlanguage = \"en\"\n{channel}+++\n"),
                )
                .write("content/items/a.md", &format!("+++\ntitle = \"a\"\n{item}"));
            std::fs::write(site.root().join("content/items").join(name), torn).unwrap();
            let (is_built, said) = build_result(&site);
            let message = format!("content/items/{name} is damaged or not an image");
            match key {
                // A small picture of a text needs no other size, and is not decoded.
                "text" => assert!(
                    is_built && (name == "noise.png" || said.contains(name)),
                    "{key} {name}: {said}"
                ),
                _ => assert!(
                    !is_built && said.matches(&message).count() == 1,
                    "{key} {name}: {said}"
                ),
            }
        }
    }
}

/// The checksum of a PNG chunk (PNG third edition, annex D).
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

/// RFC 8216, section 4: the type of a playlist of a stream, which players look at.
#[test]
fn a_playlist_has_its_media_type_in_every_output() {
    const HLS_MEDIA_TYPE: &str = "application/vnd.apple.mpegurl";
    let front = "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"a\"\nattachment = \"https://cdn.example/live.m3u8\"\n\
        [[podcast.alternateEnclosures]]\nsources = [\"https://cdn.example/low.m3u8\"]\nlength = 1\n\
        [[podcast.alternateEnclosures]]\nsources = [\"own.M3U8\"]\n+++\nText.\n";
    let output = Site::empty()
        .write("content/items/a.md", front)
        .write("content/items/own.M3U8", "#EXTM3U\n")
        .build();
    let rss = output.text("rss.xml");
    assert_eq!(rss.matches(&format!("type=\"{HLS_MEDIA_TYPE}\"")).count(), 3, "{rss}");
    assert_eq!(output.json("feed.json")["items"][0]["attachments"][0]["mime_type"], HLS_MEDIA_TYPE);
    for file in output.files() {
        let text = String::from_utf8_lossy(&std::fs::read(output.folder().join(&file)).unwrap())
            .into_owned();
        let text = text.to_ascii_lowercase();
        assert!(!text.contains("audio/mpegurl") && !text.contains("x-mpegurl"), "{file}");
    }
    let config = feedwright::model::Config::default();
    assert_eq!(
        feedwright::render::hosting::sent_as(&config, "media/live.m3u8", b"").media_type,
        HLS_MEDIA_TYPE
    );
}
