//! New values, read back from the published form.

use std::io::Cursor;

use id3::TagLike;
use recording_tags::{Chapter, Tags};

use super::{RECORDINGS, all_tags, chapter, extension, fixture, picture, publish, some};

/// Writes the published form of a recording into a file, which is deleted with the folder.
fn file(name: &str, tags: &Tags) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, publish(&fixture(name), name, tags).unwrap()).unwrap();
    (folder, path)
}

#[test]
fn every_format_has_title_numbers_cover_and_chapters() {
    for name in RECORDINGS {
        let (_folder, path) = file(name, &all_tags());
        let tags = media_facts::tags(&path).unwrap();
        assert_eq!(tags.title.as_deref(), Some("Über die Brücke"), "{name}");
        assert_eq!((tags.season, tags.episode), (Some(3), Some(12)), "{name}");
        assert_eq!(tags.cover.unwrap().bytes, picture(70_000).bytes, "{name}");
        let facts = media_facts::read(&path).unwrap();
        let chapters = facts.chapters.iter().filter(|chapter| !chapter.is_hidden);
        let chapters: Vec<_> =
            chapters.map(|chapter| (chapter.start, chapter.title.as_deref().unwrap())).collect();
        let expected = [(0.0, "Start"), (0.5, "Über die Brücke"), (1.0, "終わり")];
        assert_eq!(chapters, expected, "{name}");
        // The format of MP4 has no field for it.
        if !matches!(extension(name), "m4a" | "mp4") {
            let url = facts.chapters[1].url.as_deref();
            assert_eq!(url, Some("https://example.org/bridge?a=1&b=2"), "{name}");
        }
    }
}

#[test]
fn duration_and_samples_stay_the_same() {
    for name in RECORDINGS {
        let (_folder, path) = file(name, &all_tags());
        let original = super::fixture(name);
        let own = tempfile::tempdir().unwrap();
        std::fs::write(own.path().join(name), &original).unwrap();
        let duration = |path| media_facts::read(path).unwrap().duration;
        assert_eq!(duration(&path), duration(&own.path().join(name)), "{name}");
        if extension(name) != "opus" {
            assert!(
                samples(std::fs::read(&path).unwrap(), name) == samples(original, name),
                "the samples of {name} differ"
            );
        }
    }
}

/// Decodes a recording.
pub(super) fn samples(bytes: Vec<u8>, name: &str) -> Vec<u32> {
    let mut all = Vec::new();
    sound::decode(Cursor::new(bytes), extension(name), &mut |samples| {
        all.extend(samples.interleaved.iter().map(|sample| sample.to_bits()));
    })
    .unwrap();
    assert!(!all.is_empty(), "{name}");
    all
}

#[test]
fn id3_has_every_value() {
    let published = publish(&fixture("cbr-info.mp3"), "walk.mp3", &all_tags()).unwrap();
    let tag = id3::Tag::read_from2(Cursor::new(&published)).unwrap();
    assert_eq!(tag.version(), id3::Version::Id3v23);
    for (id, value) in [
        ("TIT2", "Über die Brücke"),
        ("TALB", "Walks"),
        ("TPE1", "Ada Lovelace, 李白"),
        ("TRCK", "12"),
        ("TPOS", "3"),
        ("TYER", "2026"),
        ("TDAT", "0108"),
        ("TIME", "1000"),
        ("TDRL", "2026-08-01T10:00:00"),
        ("TLAN", "deu"),
        ("TPUB", "Example Radio"),
        ("TCOP", "CC BY 4.0"),
        ("TCON", "Podcast"),
    ] {
        assert_eq!(tag.get(id).unwrap().content().text(), Some(value), "{id}");
    }
    let comment = tag.comments().next().unwrap();
    assert_eq!((&*comment.lang, &*comment.description), ("deu", ""));
    assert_eq!(comment.text, "A walk over the bridge.\nAnd back.");
    assert_eq!(tag.lyrics().next().unwrap().text, "One, two.\nThree.");
    assert_eq!(tag.get("WOAF").unwrap().content().link(), Some("https://example.org/walk/"));
    let people = tag.involved_people_lists().next().unwrap();
    let people = people.items.iter().map(|item| (&*item.involvement, &*item.involvee));
    assert_eq!(people.collect::<Vec<_>>(), [("host", "Ada Lovelace"), ("guest", "李白")]);
}

#[test]
fn id3_chapters_have_links_images_and_a_table_of_contents() {
    let published = publish(&fixture("cbr-info.mp3"), "walk.mp3", &all_tags()).unwrap();
    let tag = id3::Tag::read_from2(Cursor::new(&published)).unwrap();
    let chapters: Vec<_> = tag.chapters().collect();
    let times: Vec<_> = chapters.iter().map(|own| (own.start_time, own.end_time)).collect();
    assert_eq!(times, [(0, 500), (500, 900), (900, 1000), (1000, 1500)]);
    let bridge = &chapters[1].frames;
    let image = bridge.iter().find_map(|frame| frame.content().picture()).unwrap();
    assert_eq!(image.data, picture(1000).bytes);
    let link = bridge.iter().find_map(|frame| frame.content().extended_link()).unwrap();
    assert_eq!(link.link, "https://example.org/bridge?a=1&b=2");
    let contents = tag.tables_of_contents().next().unwrap();
    assert!(contents.top_level && contents.ordered);
    assert_eq!(contents.elements, ["chp0", "chp1", "chp3"]);
}

#[test]
fn a_table_of_contents_with_many_chapters_has_parts() {
    let chapters = (0..600).map(|index| chapter(index * 10, index * 10 + 10, "Part")).collect();
    let tags = Tags { chapters, ..Tags::default() };
    let published = publish(&fixture("cbr-info.mp3"), "walk.mp3", &tags).unwrap();
    let tag = id3::Tag::read_from2(Cursor::new(&published)).unwrap();
    let tables: Vec<_> = tag.tables_of_contents().collect();
    assert_eq!(tables[0].elements, ["toc0", "toc1", "toc2"]);
    let listed: usize = tables[1..].iter().map(|table| table.elements.len()).sum();
    assert_eq!((tables.len(), listed, tag.chapters().count()), (4, 600, 600));
}

#[test]
fn mp4_has_every_value_in_the_format_of_itunes() {
    let published = publish(&fixture("tone.m4a"), "walk.m4a", &all_tags()).unwrap();
    let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&published)).unwrap();
    assert_eq!(tag.title(), Some("Über die Brücke"));
    assert_eq!(tag.album(), Some("Walks"));
    assert_eq!(tag.artist(), Some("Ada Lovelace, 李白"));
    assert_eq!((tag.track_number(), tag.disc_number()), (Some(12), Some(3)));
    assert_eq!(tag.year(), Some("2026-08-01T10:00:00Z"));
    assert_eq!(tag.description(), Some("A walk over the bridge.\nAnd back."));
    assert_eq!(tag.copyright(), Some("CC BY 4.0"));
    assert_eq!(tag.genre(), Some("Podcast"));
    assert_eq!(tag.lyrics(), Some("One, two.\nThree."));
    assert_eq!(tag.artwork().unwrap().data, picture(70_000).bytes);
    let list = tag.chapter_list().iter().map(|own| (own.start.as_millis(), &*own.title));
    let expected = [(0, "Start"), (500, "Über die Brücke"), (1000, "終わり")];
    assert_eq!(list.collect::<Vec<_>>(), expected);
    let track = tag.chapter_track().iter().map(|own| (own.start.as_millis(), &*own.title));
    assert_eq!(track.collect::<Vec<_>>(), expected);
}

/// Returns the starts and titles of the chapters in a published recording.
fn chapters(name: &str, tags: &Tags) -> Vec<(f64, Option<String>)> {
    let (_folder, path) = file(name, tags);
    let chapters = media_facts::read(&path).unwrap().chapters;
    chapters.into_iter().map(|own| (own.start, own.title)).collect()
}

#[test]
fn the_time_before_the_first_chapter_of_mp4_has_the_title_of_the_recording() {
    let late = vec![chapter(400, 900, "Late")];
    let tags = Tags { title: some("Walk"), chapters: late.clone(), ..Tags::default() };
    assert_eq!(chapters("tone.m4a", &tags), [(0.0, some("Walk")), (0.4, some("Late"))]);
    let published = publish(&fixture("tone.m4a"), "walk.m4a", &tags).unwrap();
    let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&published)).unwrap();
    for found in [tag.chapter_list(), tag.chapter_track()] {
        let titles: Vec<&str> = found.iter().map(|own| &*own.title).collect();
        assert_eq!(titles, ["Walk", "Late"]);
    }
    let tags = Tags { chapters: late, ..Tags::default() };
    assert_eq!(chapters("cbr-info.mp3", &tags), [(0.4, some("Late"))]);
}

#[test]
fn a_recording_can_lose_its_chapters() {
    let removed = Tags { removes_chapters: true, ..Tags::default() };
    for name in RECORDINGS {
        let own = chapters(name, &Tags::default());
        assert_eq!(name.starts_with("chapters"), !own.is_empty(), "{name}");
        assert_eq!(chapters(name, &removed), [], "{name}");
        let once = publish(&fixture(name), name, &removed).unwrap();
        assert!(publish(&once, name, &removed).unwrap() == once, "{name}");
        let with = publish(&once, name, &all_tags()).unwrap();
        assert!(publish(&with, name, &removed).unwrap().len() < with.len(), "{name}");
    }
}

#[test]
fn vorbis_comments_have_every_value() {
    let published = publish(&fixture("tone.flac"), "walk.flac", &all_tags()).unwrap();
    let text = String::from_utf8_lossy(&published);
    for comment in [
        "TITLE=Über die Brücke",
        "ALBUM=Walks",
        "ARTIST=Ada Lovelace",
        "ARTIST=李白",
        "PERFORMER=李白 (guest)",
        "TRACKNUMBER=12",
        "DISCNUMBER=3",
        "DATE=2026-08-01T10:00:00Z",
        "DESCRIPTION=A walk over the bridge.\nAnd back.",
        "URL=https://example.org/walk/",
        "LANGUAGE=de-AT",
        "ORGANIZATION=Example Radio",
        "COPYRIGHT=CC BY 4.0",
        "GENRE=Podcast",
        "LYRICS=One, two.\nThree.",
        "CHAPTER002=00:00:00.500",
        "CHAPTER002NAME=Über die Brücke",
        "CHAPTER002URL=https://example.org/bridge?a=1&b=2",
        "CHAPTER003=00:00:01.000",
    ] {
        assert!(text.contains(comment), "{comment}");
    }
    assert!(!text.contains("Pause"));
}

#[test]
fn tagging_twice_changes_nothing() {
    for name in RECORDINGS {
        for tags in [Tags::default(), Tags { title: some("Walk"), ..Tags::default() }, all_tags()] {
            let once = publish(&fixture(name), name, &tags).unwrap();
            assert!(publish(&once, name, &tags).unwrap() == once, "{name}");
        }
    }
}

#[test]
fn new_values_replace_those_of_an_earlier_version() {
    for name in RECORDINGS {
        let published = publish(&fixture(name), name, &all_tags()).unwrap();
        let tags = Tags {
            title: some("Hill"),
            chapters: vec![Chapter { ..chapter(0, 1000, "Only") }],
            ..Tags::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, publish(&published, name, &tags).unwrap()).unwrap();
        let found = media_facts::tags(&path).unwrap();
        assert_eq!((found.title.as_deref(), found.episode), (Some("Hill"), Some(12)), "{name}");
        let chapters = media_facts::read(&path).unwrap().chapters;
        assert_eq!(chapters.len(), 1, "{name}");
        assert_eq!(chapters[0].title.as_deref(), Some("Only"), "{name}");
    }
}
