//! Tests of the tags of recordings, written by other libraries.

use std::fs;
use std::path::{Path, PathBuf};

use media_facts::{Tags, tags};

use super::fixture;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0rest";

fn copy(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::copy(fixture(name), &path).unwrap();
    path
}

fn told(tags: &Tags) -> (Option<&str>, Option<u32>, Option<u32>) {
    (tags.title.as_deref(), tags.season, tags.episode)
}

fn assert_cover(tags: &Tags, extension: &str, bytes: &[u8]) {
    let cover = tags.cover.as_ref().unwrap();
    assert_eq!((cover.extension, &*cover.bytes), (extension, bytes));
}

fn id3_tag() -> id3::Tag {
    use id3::TagLike as _;
    let picture = |picture_type, mime_type: &str, data: &[u8]| id3::frame::Picture {
        mime_type: mime_type.to_owned(),
        picture_type,
        description: "Über".to_owned(),
        data: data.to_owned(),
    };
    let mut tag = id3::Tag::new();
    tag.set_title(" Über die Brücke ");
    tag.set_track(7);
    tag.set_total_tracks(12);
    tag.set_disc(2);
    tag.set_text("TYER", "2026");
    tag.set_text("TDAT", "0510");
    let comment = |description: &str, text: &str| id3::frame::Comment {
        lang: "eng".to_owned(),
        description: description.to_owned(),
        text: text.to_owned(),
    };
    tag.add_frame(comment("iTunNORM", "00000A12"));
    tag.add_frame(comment("", "Wir warten.\nLange."));
    tag.add_frame(picture(id3::frame::PictureType::Artist, "image/jpeg", JPEG));
    tag.add_frame(picture(id3::frame::PictureType::CoverFront, "image/png", PNG));
    tag
}

#[test]
fn id3_tags_have_a_title_numbers_and_the_front_cover() {
    let folder = tempfile::tempdir().unwrap();
    for version in [id3::Version::Id3v22, id3::Version::Id3v23, id3::Version::Id3v24] {
        for unsynchronisation in [false, true] {
            let path = copy(folder.path(), "cbr-bare.mp3");
            let encoder = id3::Encoder::new().version(version);
            let encoder = encoder.unsynchronisation(unsynchronisation);
            encoder.write_to_path(&id3_tag(), &path).unwrap();
            let tags = tags(&path).unwrap();
            assert_eq!(told(&tags), (Some("Über die Brücke"), Some(2), Some(7)), "{version:?}");
            assert_eq!(tags.date.as_deref(), Some("2026-10-05"), "{version:?}");
            assert_eq!(tags.description.as_deref(), Some("Wir warten.\nLange."), "{version:?}");
            assert_cover(&tags, "png", PNG);
        }
    }
}

#[test]
fn the_release_and_the_podcast_description_come_first() {
    use id3::TagLike as _;
    let folder = tempfile::tempdir().unwrap();
    let path = copy(folder.path(), "cbr-bare.mp3");
    let mut tag = id3_tag();
    tag.set_text("TDRC", "2025");
    tag.set_text("TDRL", "2026-10-06T09:00:00");
    tag.set_text("TDES", "A walk.");
    tag.write_to_path(&path, id3::Version::Id3v24).unwrap();
    let tags = tags(&path).unwrap();
    assert_eq!(tags.date.as_deref(), Some("2026-10-06T09:00:00"));
    assert_eq!(tags.description.as_deref(), Some("A walk."));
}

#[test]
fn mp4_tags_have_a_title_numbers_and_a_cover() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy(folder.path(), "chapters.m4a");
    let mut tag = mp4ameta::Tag::read_from_path(&path).unwrap();
    tag.set_title("Über die Brücke");
    tag.set_tv_episode(8);
    tag.set_tv_season(3);
    tag.set_track_number(1);
    tag.set_year("2026-10-05");
    tag.set_comment("A comment");
    tag.set_description("A walk");
    tag.set_artwork(mp4ameta::Img::jpeg(JPEG.to_owned()));
    tag.write_to_path(&path).unwrap();
    let tags = tags(&path).unwrap();
    assert_eq!(told(&tags), (Some("Über die Brücke"), Some(3), Some(8)));
    assert_eq!(tags.date.as_deref(), Some("2026-10-05"));
    assert_eq!(tags.description.as_deref(), Some("A walk"));
    assert_cover(&tags, "jpg", JPEG);
}

/// Returns a block of Vorbis comments.
fn comments(all: &[&str]) -> Vec<u8> {
    let text = |text: &str| {
        [&u32::try_from(text.len()).unwrap().to_le_bytes()[..], text.as_bytes()].concat()
    };
    let count = u32::try_from(all.len()).unwrap().to_le_bytes().to_vec();
    let texts = all.iter().map(|one| text(one));
    [text("an encoder"), count].into_iter().chain(texts).collect::<Vec<_>>().concat()
}

/// Returns a picture block of FLAC.
fn picture() -> Vec<u8> {
    let text =
        |bytes: &[u8]| [&u32::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat();
    [vec![0, 0, 0, 3], text(b"image/png"), text(b""), vec![0; 16], text(PNG)].concat()
}

#[test]
fn flac_tags_have_a_title_numbers_and_a_cover() {
    let block = |kind: u8, body: &[u8]| {
        let size = u32::try_from(body.len()).unwrap().to_be_bytes();
        [&[kind], &size[1..], body].concat()
    };
    let comments = comments(&["title=Über die Brücke", "TRACKNUMBER=7/9", "DISCNUMBER=0"]);
    let file = [b"fLaC".to_vec(), block(4, &comments), block(0x86, &picture())].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.flac");
    fs::write(&path, file).unwrap();
    let tags = tags(&path).unwrap();
    assert_eq!(told(&tags), (Some("Über die Brücke"), None, Some(7)));
    assert_cover(&tags, "png", PNG);
}

#[test]
fn damaged_tags_are_omitted_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy(folder.path(), "cbr-bare.mp3");
    id3::Encoder::new().write_to_path(&id3_tag(), &path).unwrap();
    let whole = fs::read(&path).unwrap();
    for end in 0..400 {
        fs::write(&path, &whole[..end]).unwrap();
        let _ = tags(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[end] ^= 0xff;
        fs::write(&path, flipped).unwrap();
        let _ = tags(&path).unwrap();
    }
    for name in ["tone.wav", "tone.aac", "silent.webm", "picture.png", "chapters.ogg"] {
        assert_eq!(tags(&fixture(name)).unwrap().cover, None, "{name}");
    }
}
