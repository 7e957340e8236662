//! Property tests of rules that hold for every file, valid or not.

use proptest::collection::vec;
use proptest::prelude::*;
use transcripts::{Format, read};

use super::ALL_FORMATS;
use super::byte_ranges::assert_ranges;

/// Pieces of generated files, valid and invalid.
const PIECES: [&str; 62] = [
    "\n", "\n\n", "\r\n", "\r", " ", "\t", "WEBVTT", "NOTE x", "STYLE", "REGION", "00:01.000",
    "00:00:02,500", " --> ", "-->", "1", "7", "100:00:00.000", "99999999:00", "0:12", "[0:12]",
    "(0:12)", "[", "]", "(", ")", "Ana", "Ana:", "Bo Lee (0:12):", "word", "Words go on. ", "é",
    "雨が。", "\u{A0}", "\u{FEFF}", "😀", "<v Ana>", "<i>", "</i>", "<", ">", "&amp;", "&",
    "&#233;", ";", "{", "}", "{\\an8}", "{\"startTime\": 1.5, \"body\": \"x\"}", "\"segments\": [",
    "\"body\":", "\"", "\\", "\\ud83d", ",", "<cite>", "</cite>", "<time>", "</time>", "<p>",
    "</p>", "<br>", "<script>",
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..6),
        1 => (prop::sample::select(PIECES.to_vec()), 1_usize..400).prop_map(|(piece, count)| piece.repeat(count).into_bytes()),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn assert_valid_cues(file: &[u8], format: Format) {
    let mut transcript = read(file, format);
    let lines = file.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    for cue in transcript.by_ref() {
        let words: Vec<&str> = cue.text.split_whitespace().collect();
        assert!(!words.is_empty());
        assert_eq!(words.join(" "), cue.text);
        assert!(cue.speaker.is_none_or(|name| !name.trim().is_empty()));
    }
    assert!(transcript.next().is_none());
    assert!(transcript.faults().iter().all(|fault| fault.line <= lines));
    assert!(transcript.faults().is_sorted_by_key(|fault| fault.line));
    assert!(transcript.faults().iter().all(|fault| fault.at <= file.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_file_panics_and_whitespace_is_collapsed(file in file()) {
        for format in ALL_FORMATS {
            assert_valid_cues(&file, format);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(file in vec(any::<u8>(), 0..300)) {
        for format in ALL_FORMATS {
            assert_valid_cues(&file, format);
        }
    }

    #[test]
    fn the_byte_range_of_a_cue_reads_as_the_cue(file in file()) {
        for format in ALL_FORMATS {
            assert_ranges(&file, format);
        }
    }

    #[test]
    fn passages_contain_the_words_of_the_cues(file in file(), words in 0_usize..50) {
        for format in ALL_FORMATS {
            let all: Vec<String> = read(&file, format).map(|cue| cue.text.into_owned()).collect();
            let passages: Vec<String> = read(&file, format).passages(words).map(|one| one.text).collect();
            prop_assert_eq!(passages.join(" "), all.join(" "));
        }
    }

    #[test]
    fn format_detection_never_panics(kind in ".{0,20}", path in ".{0,20}", head in vec(any::<u8>(), 0..40)) {
        let _ = Format::of(&kind, &path, &head);
    }
}
