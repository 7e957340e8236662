//! Files that are damaged, extreme or not recordings.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use proptest::prelude::*;
use recording_tags::{MAX_BYTES, Piece, Tags, tagged};

use super::{RECORDINGS, all_tags, copied, extension, fixture, picture, publish, some};

/// Returns the reason for leaving a file unchanged.
fn reason(bytes: &[u8], name: &str) -> String {
    publish(bytes, name, &all_tags()).unwrap_err().to_string()
}

#[test]
fn a_file_that_cannot_get_tags_has_a_reason() {
    let format = |start: &str| {
        format!(
            "it starts with {start}, and is not an MP3, M4A, FLAC, Ogg Vorbis or Opus file (at byte 0)"
        )
    };
    let [png, webm, nothing] =
        ["the bytes 89 50 4e 47", "the bytes 1a 45 df a3", "no bytes"].map(format);
    let mp3 = fixture("cbr-info.mp3");
    let m4a = fixture("tone.m4a");
    let flac = fixture("tone.flac");
    let opus = fixture("tone.opus");
    let in_riff = [b"RIFF\xff\0\0\0WAVEfmt \x1e\0\0\0U\0\x01\0", &mp3[..]].concat();
    let riff = "it is a WAV file, which starts with `RIFF` (at byte 0)";
    for (bytes, name, expected) in [
        (&[][..], "walk.mp3", "it contains no audio (at byte 0)"),
        (&[], "walk.flac", &nothing),
        (&[0; 100_000], "walk.mp3", "it contains no audio (at byte 0)"),
        (&fixture("picture.png"), "picture.png", &png),
        (&fixture("tone.wav"), "tone.wav", riff),
        (&in_riff, "walk.mp3", riff),
        (&fixture("silent.webm"), "silent.webm", &webm),
        (b"ID3\x04\0\0\0\0\x10\0short", "walk.mp3", "it is cut off: its ID3 tag (at byte 0)"),
        (
            &[&mp3[..], b"APETAGEX\xd0\x07\0\0\xff\xff\xff\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"]
                .concat(),
            "walk.mp3",
            &format!("it is damaged: the size of its APE tag is wrong (at byte {})", mp3.len()),
        ),
        (
            &fixture("fragmented.mp4"),
            "walk.mp4",
            "tags cannot be written into this kind of file: it is fragmented (at byte 807)",
        ),
        (&m4a[..m4a.len() - 100], "walk.m4a", "it is cut off: its last box (at byte 979)"),
        (&flac[..20], "walk.flac", "it is damaged: its headers are invalid (at byte 4)"),
        (&opus[..opus.len() - 10], "walk.opus", "it is cut off: its last page (at byte 4821)"),
        (
            &fixture("tone.oga"),
            "tone.oga",
            "tags cannot be written into this kind of file: it is not Vorbis or Opus (at byte 0)",
        ),
    ] {
        assert_eq!(reason(bytes, name), expected, "{name}");
    }
}

#[test]
fn a_zero_in_a_text_is_rejected() {
    let tags = Tags { title: some("a\0b"), ..Tags::default() };
    let error = publish(&fixture("cbr-info.mp3"), "walk.mp3", &tags).unwrap_err().to_string();
    assert_eq!(error, "a new text contains the character U+0000");
}

#[test]
fn a_new_cover_has_a_maximum_size() {
    let cover = Some(picture(MAX_BYTES as usize + 1));
    let tags = Tags { cover, ..Tags::default() };
    let error = publish(&fixture("cbr-info.mp3"), "walk.mp3", &tags).unwrap_err().to_string();
    assert_eq!(error, "its new texts and pictures are larger than 4 MiB");
}

/// A file whose middle consists of zeros that take no memory.
struct Sparse {
    start: Vec<u8>,
    zeros: u64,
    end: Vec<u8>,
    position: u64,
}

impl Read for Sparse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (first, second) = (self.start.len() as u64, self.start.len() as u64 + self.zeros);
        let count = if self.position < first {
            (&self.start[self.position as usize..]).read(buffer)?
        } else if self.position < second {
            io::repeat(0).take(second - self.position).read(buffer)?
        } else {
            let at = (self.position - second).min(self.end.len() as u64) as usize;
            (&self.end[at..]).read(buffer)?
        };
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = self.start.len() as u64 + self.zeros + self.end.len() as u64;
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::End(offset) => length.checked_add_signed(offset).unwrap(),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset).unwrap(),
        };
        Ok(self.position)
    }
}

/// Returns an MP3 file with a cover of 100 MB.
fn with_large_cover(version: u8) -> Sparse {
    let size = 100_000_000_u32;
    let syncsafe = |size: u32| [21, 14, 7, 0].map(|shift| (size >> shift & 0x7f) as u8);
    let own_size = if version == 3 { size.to_be_bytes() } else { syncsafe(size) };
    let body = b"\0image/png\0\x03\0";
    let start =
        [b"ID3", &[version, 0, 0][..], &syncsafe(size + 10), b"APIC", &own_size, b"\0\0", body];
    let zeros = u64::from(size) - body.len() as u64;
    Sparse { start: start.concat(), zeros, end: fixture("cbr-bare.mp3"), position: 0 }
}

#[test]
fn a_cover_of_100_megabytes_takes_no_memory() {
    for version in [3, 4] {
        let mut file = with_large_cover(version);
        let tags = Tags { title: some("Walk"), ..Tags::default() };
        let kept = tagged(&mut file, "mp3", &tags).unwrap();
        assert!(kept.len() > 100_000_000, "{version}");
        let memory = kept.pieces().iter().map(|piece| match piece {
            Piece::Bytes(bytes) => bytes.len(),
            _ => 0,
        });
        assert!(memory.sum::<usize>() < 1000, "{version}");
        let replaced = tagged(&mut file, "mp3", &all_tags()).unwrap();
        assert!(replaced.len() < 200_000, "{version}");
    }
}

#[test]
fn a_damaged_tag_is_read_up_to_the_damage() {
    // A frame that is larger than its tag, and one whose id is not one.
    for frame in [&b"TSSE\0\0\xff\xff\0\0"[..], b"T\xffSE\0\0\0\x01\0\0x"] {
        let kept = b"TCOM\0\0\0\x02\0\0\0x";
        let size = [0, 0, 0, (kept.len() + frame.len()) as u8];
        let file = [b"ID3\x03\0\0", &size[..], kept, frame, &fixture("cbr-bare.mp3")].concat();
        let published = publish(&file, "walk.mp3", &all_tags()).unwrap();
        assert!(published.windows(12).any(|part| part == kept));
        assert!(published.ends_with(&fixture("cbr-bare.mp3")));
    }
}

/// Replaces bytes of a recording, or cuts it off.
fn damaged(name: &str, changes: &[(f64, u8)], cut: f64) -> Vec<u8> {
    let mut bytes = fixture(name);
    let length = bytes.len();
    for (at, byte) in changes {
        // Most of the structure is at the ends.
        let at = (at * at * at * length as f64) as usize;
        bytes[at] = *byte;
        let last = length - 1 - at;
        bytes[last] ^= byte & 1;
    }
    bytes.truncate((length as f64 * cut) as usize);
    bytes
}

/// Starts and ends of files that choose a parser.
const STARTS: &[&[u8]] = &[
    b"", b"ID3\x02\0\0\0\0", b"ID3\x03\0\x80\0\0", b"ID3\x04\0\x40\0\0", b"fLaC", b"OggS\0",
    b"\0\0\0\x08ftyp", b"\xff\xfb\x90\x64",
];
const ENDS: &[&[u8]] = &[b"", b"LYRICS200", b"3DI\x04\0\0\0\0\0\x09"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_recordings_never_panic_and_stay_stable(
        index in 0..RECORDINGS.len(),
        changes in prop::collection::vec((0.0..1.0, any::<u8>()), 0..6),
        cut in prop_oneof![Just(1.0), 0.0..1.0],
    ) {
        let name = RECORDINGS[index];
        let bytes = damaged(name, &changes, cut);
        for tags in [Tags::default(), all_tags()] {
            let mut source = Cursor::new(&bytes[..]);
            if let Ok(clip) = recording_tags::cut(&mut source, extension(name), 200..700, &tags) {
                // The clip has all its bytes, and is a valid file itself.
                let clip = copied(&clip, &mut source);
                prop_assert!(publish(&clip, name, &tags).is_ok(), "{}", name);
            }
            if let Ok(once) = publish(&bytes, name, &tags) {
                let twice = publish(&once, name, &tags);
                prop_assert!(twice.is_ok_and(|twice| twice == once), "{}", name);
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        start in prop::sample::select(STARTS),
        rest in prop::collection::vec(any::<u8>(), 0..400),
        end in prop::sample::select(ENDS),
    ) {
        let bytes = [start, &rest, end].concat();
        for name in ["walk.mp3", "walk.m4a"] {
            let _ = recording_tags::cut(&mut Cursor::new(&bytes), extension(name), 0..1000, &Tags::default());
            let _ = tagged(&mut Cursor::new(&bytes), extension(name), &all_tags());
        }
    }
}
