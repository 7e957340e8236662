//! Values of the author's file that no new value replaces.

use std::io::Cursor;

use id3::frame::{Comment, ExtendedText, Unknown};
use id3::{Content, Encoder, Frame, Tag, TagLike, Version};
use recording_tags::Tags;

use super::{all_tags, fixture, picture, publish, some};

/// Returns the audio of a recording, without tags.
fn audio() -> Vec<u8> {
    fixture("cbr-bare.mp3")
}

/// A tag as audio editors write it: a title, and values that the new tags never replace.
fn editor_tag() -> Tag {
    let mut tag = Tag::new();
    tag.set_title("Old");
    tag.set_text("TSSE", "Encoder 1.0 – β");
    tag.add_frame(ExtendedText {
        description: "REPLAYGAIN_TRACK_GAIN".to_owned(),
        value: "-3.20 dB".to_owned(),
    });
    tag.add_frame(ExtendedText { description: "Größe".to_owned(), value: "groß".to_owned() });
    let comment = |description: &str, text: &str| Comment {
        lang: "eng".to_owned(),
        description: description.to_owned(),
        text: text.to_owned(),
    };
    tag.add_frame(comment("", "Old comment"));
    tag.add_frame(comment("iTunSMPB", " 00000000 00000210"));
    tag
}

fn with_tag(tag: &Tag, encoder: Encoder) -> Vec<u8> {
    let mut file = Vec::new();
    encoder.encode(tag, &mut file).unwrap();
    file.extend(audio());
    file
}

fn read(bytes: &[u8]) -> Tag {
    Tag::read_from2(Cursor::new(bytes)).unwrap()
}

#[test]
fn values_of_programs_remain_in_every_version_of_id3() {
    for version in [Version::Id3v22, Version::Id3v23, Version::Id3v24] {
        for is_unsynchronised in [false, true] {
            let encoder = Encoder::new().version(version).unsynchronisation(is_unsynchronised);
            let file = with_tag(&editor_tag(), encoder);
            let published = publish(&file, "walk.mp3", &all_tags()).unwrap();
            let tag = read(&published);
            let place = format!("{version:?}, {is_unsynchronised}");
            assert_eq!(tag.version(), Version::Id3v23);
            assert_eq!(tag.title(), Some("Über die Brücke"), "{place}");
            let text = tag.get("TSSE").unwrap().content().text();
            assert_eq!(text, Some("Encoder 1.0 – β"), "{place}");
            let texts: Vec<_> =
                tag.extended_texts().map(|own| (&*own.description, &*own.value)).collect();
            assert!(texts.contains(&("REPLAYGAIN_TRACK_GAIN", "-3.20 dB")), "{place}: {texts:?}");
            assert!(texts.contains(&("Größe", "groß")), "{place}: {texts:?}");
            let comments: Vec<_> = tag.comments().map(|own| &*own.text).collect();
            assert!(comments.contains(&" 00000000 00000210"), "{place}: {comments:?}");
            assert!(!comments.contains(&"Old comment"), "{place}: {comments:?}");
            assert!(published.ends_with(&audio()), "{place}");
        }
    }
}

#[test]
fn a_value_without_replacement_remains() {
    let file = with_tag(&editor_tag(), Encoder::new().version(Version::Id3v24));
    let tags = Tags { show: some("Walks"), ..Tags::default() };
    let tag = read(&publish(&file, "walk.mp3", &tags).unwrap());
    assert_eq!((tag.title(), tag.album()), (Some("Old"), Some("Walks")));
}

#[test]
fn chapters_of_version_2_4_remain_with_images() {
    let mut chapter = Frame::text("TIT2", "Brücke");
    chapter = Frame::with_content("TIT2", chapter.content().clone());
    let image = id3::frame::Picture {
        mime_type: "image/png".to_owned(),
        picture_type: id3::frame::PictureType::Other,
        description: "Blick übers Wasser".to_owned(),
        data: picture(5000).bytes,
    };
    let mut tag = Tag::new();
    tag.add_frame(id3::frame::Chapter {
        element_id: "a".to_owned(),
        start_time: 100,
        end_time: 200,
        start_offset: u32::MAX,
        end_offset: u32::MAX,
        frames: vec![chapter, Frame::with_content("APIC", Content::Picture(image.clone()))],
    });
    tag.add_frame(image.clone());
    let file = with_tag(&tag, Encoder::new().version(Version::Id3v24));
    let tags = Tags { title: some("Walk"), ..Tags::default() };
    let tag = read(&publish(&file, "walk.mp3", &tags).unwrap());
    let chapter = tag.chapters().next().unwrap();
    assert_eq!((chapter.start_time, chapter.end_time), (100, 200));
    assert_eq!(chapter.frames[0].content().text(), Some("Brücke"));
    assert_eq!(chapter.frames[1].content().picture(), Some(&image));
    assert_eq!(tag.pictures().next(), Some(&image));
}

#[test]
fn sizes_of_version_2_3_in_a_tag_of_version_2_4_are_understood() {
    // iTunes wrote such tags for years.
    let mut file = with_tag(&editor_tag(), Encoder::new().version(Version::Id3v23));
    file[3] = 4;
    let long = [&b"TCOM\0\0\x01\x2d\0\0\0"[..], &[b'x'; 300]].concat();
    file.splice(10..10, long);
    let size = u32::from_be_bytes([0, file[7], file[8], file[9]]);
    let size = ((size >> 8 & 0x7f) << 7 | size & 0x7f) + 311;
    file[8..10].copy_from_slice(&[(size >> 7) as u8, (size & 0x7f) as u8]);
    let tag = read(&publish(&file, "walk.mp3", &all_tags()).unwrap());
    assert_eq!(tag.get("TCOM").unwrap().content().text(), Some(&*"x".repeat(300)));
    assert!(tag.extended_texts().any(|own| own.value == "-3.20 dB"));
}

#[test]
fn frames_of_several_tags_remain_once() {
    let mut second = Tag::new();
    second.set_text("TSSE", "another");
    second.set_text("TCOM", "Composer");
    let encoder = || Encoder::new().version(Version::Id3v24);
    let mut file = Vec::new();
    encoder().encode(&editor_tag(), &mut file).unwrap();
    encoder().encode(&second, &mut file).unwrap();
    file.extend(audio());
    // A tag at the end has a footer, and ID3v1 follows.
    let mut last = Vec::new();
    encoder().encode(&Tag::from_iter([Frame::text("TENC", "Person")]), &mut last).unwrap();
    last[5] |= 0x10;
    file.extend(&last);
    file.extend([b"3DI", &last[3..10]].concat());
    file.extend(id3v1());
    let published = publish(&file, "walk.mp3", &all_tags()).unwrap();
    let tag = read(&published);
    let text = |id| tag.get(id).unwrap().content().text().unwrap();
    assert_eq!(
        (text("TSSE"), text("TCOM"), text("TENC")),
        ("Encoder 1.0 – β", "Composer", "Person")
    );
    assert!(published.ends_with(&audio()));
}

fn id3v1() -> Vec<u8> {
    let mut tag = b"TAGOld title".to_vec();
    tag.resize(33, 0);
    tag.extend(b"Old artist");
    tag.resize(126, 0);
    tag.extend([7, 0]);
    tag
}

#[test]
fn values_of_id3v1_remain_as_frames() {
    let file = [audio(), id3v1()].concat();
    let tags = Tags { title: some("Walk"), ..Tags::default() };
    let published = publish(&file, "walk.mp3", &tags).unwrap();
    let tag = read(&published);
    assert_eq!(
        (tag.title(), tag.artist(), tag.track()),
        (Some("Walk"), Some("Old artist"), Some(7))
    );
    assert!(published.ends_with(&audio()));
}

/// Returns an APE tag with text items.
fn ape(items: &[(&str, &str)], has_header: bool) -> Vec<u8> {
    let mut content = Vec::new();
    for (key, value) in items {
        content.extend((value.len() as u32).to_le_bytes());
        content.extend([0; 4]);
        content.extend(key.bytes().chain([0]).chain(value.bytes()));
    }
    let part = |flags: u32| {
        let numbers = [2000, content.len() as u32 + 32, items.len() as u32, flags];
        [b"APETAGEX", numbers.map(u32::to_le_bytes).as_flattened(), &[0; 8]].concat()
    };
    let header = if has_header { part(0xa000_0000) } else { Vec::new() };
    let flags = if has_header { 0x8000_0000 } else { 0 };
    [header, content.clone(), part(flags)].concat()
}

#[test]
fn the_loudness_in_an_ape_tag_remains() {
    let gain = ("REPLAYGAIN_TRACK_GAIN", "-1.50 dB");
    let undo = ("MP3GAIN_UNDO", "+002,+002,N");
    for has_header in [false, true] {
        let tag = ape(&[("Title", "Old"), gain, ("Cover Art (Front)", "old"), undo], has_header);
        for end in [Vec::new(), id3v1()] {
            let file = [audio(), tag.clone(), end].concat();
            let published = publish(&file, "walk.mp3", &all_tags()).unwrap();
            assert!(published.ends_with(&[audio(), ape(&[gain, undo], true)].concat()));
        }
    }
    let file = [audio(), ape(&[("Title", "Old")], true)].concat();
    assert!(publish(&file, "walk.mp3", &all_tags()).unwrap().ends_with(&audio()));
}

#[test]
fn unknown_blocks_of_flac_remain() {
    let mut file = fixture("tone.flac");
    // After the header and STREAMINFO: an application's block.
    let application = b"\x02\0\0\x08testdata";
    file.splice(42..42, application.iter().copied());
    let published = publish(&file, "walk.flac", &all_tags()).unwrap();
    let at = published.windows(12).position(|part| part.ends_with(b"\0\0\x08testdata"));
    assert!(at.is_some_and(|at| published[at] & 0x7f == 2));
    assert_eq!(published[..42], file[..42]);
}

#[test]
fn unknown_items_of_mp4_remain() {
    let mut tag = mp4ameta::Tag::read_from(&mut Cursor::new(fixture("tone.m4a"))).unwrap();
    let gain = mp4ameta::FreeformIdent::new_static("com.apple.iTunes", "replaygain_track_gain");
    tag.set_data(gain, mp4ameta::Data::Utf8("-2 dB".to_owned()));
    tag.set_title("Old");
    let mut file = Cursor::new(fixture("tone.m4a"));
    tag.write_to(&mut file).unwrap();
    let published = publish(file.get_ref(), "walk.m4a", &all_tags()).unwrap();
    let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&published)).unwrap();
    assert_eq!(tag.strings_of(&gain).collect::<Vec<_>>(), ["-2 dB"]);
    assert_eq!(tag.title(), Some("Über die Brücke"));
}

fn atom(kind: &[u8], content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    [&(content.len() as u32 + 8).to_be_bytes(), kind, &content].concat()
}

/// Returns the ranges of the boxes in a file.
fn boxes(bytes: &[u8]) -> Vec<&[u8]> {
    let mut rest = bytes;
    let mut found = Vec::new();
    while let Some(size) = rest.first_chunk() {
        let (one, after) = rest.split_at(u32::from_be_bytes(*size) as usize);
        found.push(one);
        rest = after;
    }
    found
}

#[test]
fn the_boxes_of_mp4_can_have_any_order() {
    let file = fixture("tone.m4a");
    let published = publish(&file, "walk.m4a", &all_tags()).unwrap();
    let own = boxes(&file);
    let of = |kind: &[u8; 4]| own.iter().find(|one| &one[4..8] == kind).copied().unwrap();
    let (kind, moov) = (of(b"ftyp"), of(b"moov"));
    let moov_at = moov.as_ptr() as usize - file.as_ptr() as usize;
    let rest = &file[moov_at + moov.len()..];
    assert!(rest.ends_with(of(b"mdat")));
    // The type comes after the tables, last, or never. The media stays in its place.
    let padding = atom(b"free", &[&vec![0; kind.len() - 8]]);
    let orders =
        [vec![moov, kind, rest], vec![&padding, moov, rest, kind], vec![&padding, moov, rest]];
    for (parts, has_type) in orders.iter().zip([true, true, false]) {
        let other = publish(&parts.concat(), "walk.m4a", &all_tags()).unwrap();
        assert_eq!(decoded(&other).is_some(), has_type);
        if has_type {
            assert!(decoded(&other) == decoded(&published));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.m4a");
        std::fs::write(&path, &other).unwrap();
        assert_eq!(media_facts::read(&path).unwrap().chapters.len(), 3);
        assert!(publish(&other, "walk.m4a", &all_tags()).unwrap() == other);
    }
}

/// Decodes an M4A file. Returns None if the decoder does not recognise it.
fn decoded(file: &[u8]) -> Option<Vec<u32>> {
    let mut samples = Vec::new();
    let mut push = |own: sound::Samples<'_>| {
        samples.extend(own.interleaved.iter().map(|sample| sample.to_bits()));
    };
    sound::decode(Cursor::new(file.to_owned()), "m4a", &mut push).ok()?;
    (!samples.is_empty()).then_some(samples)
}

#[test]
fn id3v1_after_mp4_is_left_out() {
    let file = fixture("tone.m4a");
    let published = publish(&[file.clone(), id3v1()].concat(), "walk.m4a", &all_tags()).unwrap();
    assert!(published == publish(&file, "walk.m4a", &all_tags()).unwrap());
}

#[test]
fn tags_of_quick_time_become_named_items() {
    let file = fixture("tone.m4a");
    let own = boxes(&file);
    let moov = own.iter().find(|one| &one[4..8] == b"moov").copied().unwrap();
    let text = |text: &[u8]| atom(b"data", &[&[0, 0, 0, 1, 0, 0, 0, 0], text]);
    let keys: [&[u8]; 3] = [b"title", b"com.apple.quicktime.artist", b"mood"];
    let list = keys.map(|key| [&(key.len() as u32 + 8).to_be_bytes(), b"mdta", key].concat());
    let item = |number: u8, value: &[u8]| atom(&[0, 0, 0, number], &[&text(value)]);
    let meta = atom(
        b"meta",
        &[
            &[0; 4],
            &atom(b"hdlr", &[&[0; 8], b"mdta", &[0; 13]]),
            &atom(b"keys", &[&[0, 0, 0, 0, 0, 0, 0, 3], &list.concat()]),
            &atom(
                b"ilst",
                &[&item(1, b"Old"), &item(2, b"Ada"), &item(3, b"calm"), &item(9, b"x")],
            ),
        ],
    );
    // Padding replaces the old tables, so that the media stays in its place.
    let padding = atom(b"free", &[&vec![0; moov.len() - 8]]);
    let others = own.iter().map(|one| if *one == moov { &padding[..] } else { one });
    let others = others.collect::<Vec<_>>().concat();
    let tracks = boxes(&moov[8..]).into_iter().filter(|one| &one[4..8] != b"udta");
    let tracks = tracks.collect::<Vec<_>>().concat();
    let moov = atom(b"moov", &[&tracks, &atom(b"udta", &[&meta])]);
    let file = [others, moov].concat();
    let tags = Tags { title: some("Walk"), ..Tags::default() };
    let published = publish(&file, "walk.m4a", &tags).unwrap();
    let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&published)).unwrap();
    assert_eq!(tag.title(), Some("Walk"));
    for (name, value) in [("artist", Some("Ada")), ("mood", Some("calm")), ("title", None)] {
        let ident = mp4ameta::FreeformIdent::new_borrowed("com.apple.iTunes", name);
        assert_eq!(tag.strings_of(&ident).next(), value, "{name}");
    }
    assert!(publish(&published, "walk.m4a", &tags).unwrap() == published);
}

#[test]
fn comments_of_ogg_remain() {
    for name in ["chapters.ogg", "chapters.opus"] {
        let before = String::from_utf8_lossy(&fixture(name)).contains("encoder=");
        let published = publish(&fixture(name), name, &all_tags()).unwrap();
        assert!(before && String::from_utf8_lossy(&published).contains("encoder="), "{name}");
    }
}

#[test]
fn an_unknown_frame_keeps_its_bytes() {
    let mut tag = Tag::new();
    let data = (0..=255).collect::<Vec<u8>>();
    let content = Content::Unknown(Unknown { data: data.clone(), version: Version::Id3v23 });
    tag.add_frame(Frame::with_content("XYZW", content));
    let file = with_tag(&tag, Encoder::new().version(Version::Id3v23));
    let published = publish(&file, "walk.mp3", &all_tags()).unwrap();
    let expected = [&b"XYZW\0\0\x01\0\0\0"[..], &data].concat();
    assert!(published.windows(expected.len()).any(|part| part == expected));
}
