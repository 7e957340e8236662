//! Tests of the facts about real media files, compared with the output of ffprobe 5.1.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use media_facts::{Chapter, MediaFacts, media_type, read};

mod damaged;
mod dimensions;
mod durations;
mod playlists;
mod shots;
mod tags;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn facts(name: &str) -> MediaFacts {
    read(&fixture(name)).unwrap()
}

/// File name, duration reported by ffprobe, and maximum difference. Both times are in seconds.
const DURATIONS: &[(&str, f64, f64)] = &[
    ("cbr-bare.mp3", 2.063_750, 0.001),
    // ffprobe 5.1 includes the encoder's delay and padding of 64 ms, which players skip.
    ("cbr-info.mp3", 2.063_750, 0.065),
    ("chapters.mp3", 2.063_673, 0.065),
    ("chapters-v24.mp3", 2.063_673, 0.065),
    ("vbr-xing.mp3", 3.056_327, 0.065),
    ("chapters.m4a", 2.0, 0.001),
    ("tone.m4a", 2.0, 0.001),
    ("chapters.mp4", 2.0, 0.001),
    ("silent.mp4", 2.0, 0.001),
    ("fragmented.mp4", 2.0, 0.001),
    ("rotated.mov", 2.0, 0.001),
    ("chapters.ogg", 2.0, 0.001),
    // ffprobe includes the pre-skip of 6.5 ms, which players skip (RFC 7845, section 4.2).
    ("chapters.opus", 2.006_500, 0.007),
    ("tone.opus", 2.006_500, 0.007),
    ("chapters.flac", 2.0, 0.001),
    ("tone.wav", 1.25, 0.001),
    ("tone.oga", 2.0, 0.001),
    ("tone.flac", 2.0, 0.001),
    ("tone.spx", 1.995, 0.001),
    // ffprobe only estimates the duration of raw AAC. This is the duration of 17 frames of 1024
    // samples at 8 kHz.
    ("tone.aac", 2.176, 0.001),
    ("edited.mp4", 1.3, 0.001),
    ("silent.webm", 2.0, 0.001),
];

#[test]
fn durations_match_ffprobe() {
    for (name, seconds, tolerance) in DURATIONS {
        let facts = facts(name);
        let duration = facts.duration.unwrap_or(f64::NAN);
        assert!(
            (duration - seconds).abs() <= *tolerance,
            "{name}: {duration} is not {seconds}: {:?}",
            facts.problems
        );
        assert_eq!(facts.problems, Vec::<String>::new(), "{name}");
        assert_eq!(facts.bytes, fs::metadata(fixture(name)).unwrap().len());
    }
}

/// The audio lasts two seconds, however much padding the encoder added.
#[test]
fn encoder_padding_is_not_playing_time() {
    for name in ["cbr-info.mp3", "chapters.mp3", "tone.opus"] {
        let duration = facts(name).duration.unwrap();
        assert!((duration - 2.0).abs() < 0.001, "{name}: {duration}");
    }
}

/// The same audio with and without a header. ffprobe reports 4.505294 s for the file without a
/// header, which is 50 % too long.
#[test]
fn variable_bit_rate_without_a_header_is_counted_by_frame() {
    let bare = facts("vbr-bare.mp3").duration.unwrap();
    let header = facts("vbr-xing.mp3").duration.unwrap();
    assert!((bare - header).abs() < 0.065, "{bare} {header}");
}

fn seconds_and_titles(chapters: &[Chapter]) -> Vec<(f64, Option<&str>)> {
    chapters.iter().map(|chapter| (chapter.start, chapter.title.as_deref())).collect()
}

/// Asserts that chapters can be published: all times are finite, and no chapter starts before the
/// previous chapter.
fn assert_in_order(chapters: &[Chapter]) {
    let mut previous = 0.0;
    for chapter in chapters {
        let is_in_order = chapter.start.is_finite() && chapter.start >= previous;
        let ends_after = |end: f64| end.is_finite() && end >= chapter.start;
        assert!(is_in_order && chapter.end.is_none_or(ends_after), "{chapters:?}");
        previous = chapter.start;
    }
}

#[test]
fn embedded_chapters_are_found() {
    for name in [
        "chapters.mp3", "chapters-v24.mp3", "chapters.m4a", "chapters.mp4", "chapters.ogg",
        "chapters.opus", "chapters.flac",
    ] {
        let chapters = facts(name).chapters;
        assert_eq!(
            seconds_and_titles(&chapters),
            [(0.0, Some("Intro")), (0.7, Some("Über die Brücke")), (1.5, Some("Outro")),],
            "{name}"
        );
        assert_in_order(&chapters);
    }
    assert_eq!(
        facts("chapters.opus").chapters[1].url.as_deref(),
        Some("https://example.com/bridge")
    );
    assert!(facts("tone.m4a").chapters.is_empty());
}

#[test]
fn an_mp4_chapter_list_is_read_without_a_chapter_track() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.m4b");
    fs::copy(fixture("tone.m4a"), &path).unwrap();
    let mut tag = mp4ameta::Tag::read_from_path(&path).unwrap();
    tag.chapter_list_mut().extend([
        mp4ameta::Chapter::new(Duration::ZERO, "Eins"),
        mp4ameta::Chapter::new(Duration::from_millis(1250), "Zwei"),
    ]);
    tag.write_to_path(&path).unwrap();

    let facts = read(&path).unwrap();
    assert_eq!(facts.media_type, "audio/mp4");
    assert_eq!(facts.duration, Some(2.0));
    assert_eq!(seconds_and_titles(&facts.chapters), [(0.0, Some("Eins")), (1.25, Some("Zwei"))]);
}

#[test]
fn id3_chapters_have_links_and_toc_positions() {
    use id3::frame::{Chapter, ExtendedLink, TableOfContents};
    use id3::{Frame, Tag, TagLike, Version};

    let chapter = |id: &str, start_time, end_time, frames| Chapter {
        element_id: id.to_owned(),
        start_time,
        end_time,
        start_offset: u32::MAX,
        end_offset: u32::MAX,
        frames,
    };
    let link = ExtendedLink { description: String::new(), link: "https://example.com/".to_owned() };
    for (version, unsynchronised) in [
        (Version::Id3v23, false),
        (Version::Id3v23, true),
        (Version::Id3v24, false),
        (Version::Id3v24, true),
    ] {
        let mut tag = Tag::new();
        tag.set_title("Two tones");
        tag.add_frame(chapter("b", 1000, 1500, vec![Frame::text("TIT2", "Second")]));
        tag.add_frame(chapter(
            "a",
            0,
            1000,
            vec![Frame::text("TIT2", "First"), Frame::from(link.clone())],
        ));
        tag.add_frame(chapter("silent", 500, 700, vec![]));
        tag.add_frame(TableOfContents {
            element_id: "toc".to_owned(),
            top_level: true,
            ordered: true,
            elements: vec!["a".to_owned(), "b".to_owned()],
            frames: vec![],
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tone.mp3");
        let mut tagged = Vec::new();
        id3::Encoder::new()
            .version(version)
            .unsynchronisation(unsynchronised)
            .encode(&tag, &mut tagged)
            .unwrap();
        tagged.extend(fs::read(fixture("cbr-bare.mp3")).unwrap());
        fs::write(&path, tagged).unwrap();

        let facts = read(&path).unwrap();
        assert!((facts.duration.unwrap() - 2.063_75).abs() < 0.001);
        let [first, silent, second] = &facts.chapters[..] else {
            panic!("{version}: {:?}", facts.chapters);
        };
        assert_eq!(first.url.as_deref(), Some("https://example.com/"));
        assert_eq!((first.is_hidden, silent.is_hidden, second.is_hidden), (false, true, false));
        assert_eq!((silent.start, silent.end), (0.5, Some(0.7)));
        assert_eq!(second.end, Some(1.5), "a gap before the end");
    }
}

/// Chapters and elements are nested a hundred thousand levels deep. Recursion without a limit would
/// overflow the stack.
#[test]
fn deeply_nested_elements_do_not_overflow_the_stack() {
    let folder = tempfile::tempdir().unwrap();
    let depth: u32 = 100_000;
    let mut frames = Vec::new();
    for level in 0..depth {
        frames.extend(b"CHAP");
        frames.extend(((depth - level) * 27 - 10).to_be_bytes());
        frames.extend([0; 19]);
    }
    let size = frames.len() as u32;
    let syncsafe = [21, 14, 7, 0].map(|shift| (size >> shift & 0x7f) as u8);
    let mp3 = [b"ID3\x03\0\0", &syncsafe[..], &frames].concat();
    let path = folder.path().join("nested.mp3");
    fs::write(&path, mp3).unwrap();
    assert_eq!(read(&path).unwrap().chapters.len(), 1);

    // Segments of unknown size.
    let path = folder.path().join("nested.webm");
    fs::write(&path, b"\x18\x53\x80\x67\xff".repeat(100_000)).unwrap();
    assert_eq!(read(&path).unwrap().duration, None);
}

#[test]
fn dimensions_respect_rotation() {
    for (name, dimensions) in [
        ("picture.png", (40, 30)),
        ("picture.gif", (40, 30)),
        ("picture.jpg", (40, 30)),
        ("rotated.jpg", (30, 40)),
        ("picture.webp", (40, 30)),
        ("picture.avif", (40, 30)),
        ("sized.svg", (120, 80)),
        ("viewbox.svg", (32, 16)),
        ("chapters.mp4", (64, 36)),
        ("silent.mp4", (64, 36)),
        ("rotated.mov", (36, 64)),
        ("silent.webm", (64, 36)),
    ] {
        let facts = facts(name);
        assert_eq!(facts.dimensions, Some(dimensions), "{name}: {:?}", facts.problems);
        assert_eq!(facts.problems, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn media_types_suit_podcast_players() {
    for (name, expected) in [
        ("a.mp3", "audio/mpeg"),
        ("A.MP3", "audio/mpeg"),
        ("a.m4a", "audio/x-m4a"),
        ("a.m4b", "audio/mp4"),
        ("a.opus", "audio/ogg"),
        ("a.m4v", "video/x-m4v"),
        ("a.mov", "video/quicktime"),
        ("a.m3u8", "application/vnd.apple.mpegurl"),
        ("a.ts", "video/mp2t"),
        ("a.vtt", "text/vtt"),
        ("a.srt", "application/x-subrip"),
        ("a.epub", "application/epub+zip"),
        ("a.svg", "image/svg+xml"),
        ("a.tar.zip", "application/zip"),
        ("a.unheard-of", "application/octet-stream"),
        ("a", "application/octet-stream"),
    ] {
        assert_eq!(media_type(Path::new(name)), expected, "{name}");
    }
}

#[test]
fn unreadable_files_have_a_problem_message() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "a.mp3", "a.m4a", "a.mp4", "a.ogg", "a.opus", "a.flac", "a.wav", "a.webm", "a.png",
        "a.jpg", "a.avif", "a.svg", "a.wma",
    ] {
        let path = folder.path().join(name);
        fs::write(&path, "this is not what its name says").unwrap();
        let facts = read(&path).unwrap();
        assert_eq!((facts.duration, facts.dimensions), (None, None), "{name}");
        let kind = match name.rsplit('.').next() {
            Some("png" | "jpg" | "avif" | "svg") => Some("damaged or not an image"),
            // There is no parser for this format, so damage cannot be detected.
            Some("wma") => None,
            _ => Some("damaged or not a recording"),
        };
        assert_eq!(facts.damage.as_deref(), kind, "{name}");
        assert_eq!(facts.problems.is_empty(), kind.is_some(), "{name}");
        fs::write(&path, "").unwrap();
        assert_eq!(read(&path).unwrap().damage.as_deref(), Some("empty"));
    }
    let path = folder.path().join("notes.pdf");
    fs::write(&path, "any document").unwrap();
    assert_eq!(read(&path).unwrap().problems, Vec::<String>::new());
    assert!(read(&folder.path().join("absent.mp3")).is_err());
    assert!(read(folder.path()).is_err());
}

#[test]
fn a_truncated_mp3_is_reported_with_its_remaining_duration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.mp3");
    let whole = fs::read(fixture("vbr-xing.mp3")).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let facts = read(&path).unwrap();
    assert!((1.0..2.5).contains(&facts.duration.unwrap()));
    assert_eq!(facts.problems.len(), 1, "{:?}", facts.problems);
}

/// Two files are joined, so the header of the first file specifies only half of the total duration.
#[test]
fn a_joined_mp3_has_the_total_duration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("joined.mp3");
    let one = fs::read(fixture("vbr-xing.mp3")).unwrap();
    fs::write(&path, [&one[..], &one[..]].concat()).unwrap();
    let facts = read(&path).unwrap();
    assert!((facts.duration.unwrap() - 6.12).abs() < 0.15, "{facts:?}");
    assert_eq!(facts.problems, Vec::<String>::new());
}

/// The same file is modified in place, because writing a new file each time would be fifty times as
/// slow.
#[test]
fn truncated_and_corrupted_files_do_not_panic() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixture("")).unwrap() {
        let source = entry.unwrap().path();
        let whole = fs::read(&source).unwrap();
        let path = folder.path().join(source.file_name().unwrap());
        fs::write(&path, &whole).unwrap();
        let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let mut put = |at: usize, value: u8| {
            file.seek(SeekFrom::Start(at as u64)).unwrap();
            file.write_all(&[value]).unwrap();
        };
        let step = (whole.len() / 150).max(1);
        let head = whole.len().min(700);
        for at in (0..head).chain((head..whole.len()).step_by(step)) {
            for value in [0x00, 0x7f, 0xff, whole[at].wrapping_add(1)] {
                put(at, value);
                check_damaged_file(&path);
            }
            put(at, whole[at]);
        }
        for length in (head..whole.len()).step_by(step).rev().chain((0..head).rev()) {
            file.set_len(length as u64).unwrap();
            check_damaged_file(&path);
        }
    }
}

/// Checks a damaged file: its facts may be wrong, but they can be published.
fn check_damaged_file(path: &Path) {
    let facts = read(path).unwrap();
    assert_in_order(&facts.chapters);
    assert!(facts.duration.is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0));
}

/// A hole of two gigabytes is appended to each file.
#[test]
fn large_files_are_read_as_quickly_as_small_ones() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "cbr-bare.mp3", "chapters.mp3", "tone.m4a", "tone.wav", "chapters.flac", "chapters.ogg",
        "silent.webm", "picture.png",
    ] {
        let path = folder.path().join(name);
        fs::copy(fixture(name), &path).unwrap();
        let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(2 << 30)).unwrap();
        file.write_all(b"end").unwrap();
        let start = Instant::now();
        let facts = read(&path).unwrap();
        let took = start.elapsed();
        assert_eq!(facts.bytes, (2 << 30) + 3);
        assert!(took < Duration::from_secs(3), "{name} took {took:?}");
    }
}
