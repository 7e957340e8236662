//! Tests of faults: the problem, its position and the solution.

use transcripts::{Format, read};

use super::{ALL_FORMATS, cues, faults};

#[test]
fn broken_cues_are_reported_and_the_rest_is_read() {
    let file = "WEBVTT\r\n\r\n00:01.000 --> 00:0x.000\r\nbroken\r\n\r\nlost words\r\n\r\n--> 00:02.000\r\nx\r\n\r\n00:03,000 --> 00:04,000\r\ngood";
    let (found, count) = faults(file.as_bytes(), Format::Vtt);
    assert_eq!(count, 1);
    assert_eq!(
        found,
        [
            "line 3: the end time \"00:0x.000\" is invalid. Write hours, minutes, seconds and milliseconds: 01:02:03.456.",
            "line 6: \"lost words\" does not belong to a cue. Write a line like 00:00:01.000 --> 00:00:04.000 before it.",
            "line 8: the start time \"\" is invalid. Write hours, minutes, seconds and milliseconds: 01:02:03.456.",
            "line 11: the times are invalid in WebVTT, so browsers skip the cue. \
             Write them as 01:02:03.456, with two digits each, a dot and three digits.",
        ]
    );
}

#[test]
fn a_timing_with_a_mistyped_arrow_is_reported() {
    let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nNOTE\n00:01 -> 00:02\n\n00:00:10,000 -> 00:00:12,000\nlost\n\n7\n00:12.000 → 00:13.000\nlost\n";
    let how =
        "Write it like 00:00:01.000 --> 00:00:04.000: two hyphens in the arrow, dots in the times.";
    let expected_fault = |line: usize, text: &str, how: &str| {
        format!("line {line}: \"{text}\" looks like a cue timing, but is invalid. {how}")
    };
    let expected = [
        expected_fault(9, "00:00:10,000 -> 00:00:12,000", how),
        expected_fault(13, "00:12.000 → 00:13.000", how),
    ];
    assert_eq!(faults(vtt.as_bytes(), Format::Vtt).0, expected);
    // Without this fault, the cue would silently become part of the previous cue's text.
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nAt 10:30, 10:45 --\n10:30 - 11:00\n\n2\n00:00:03,000 -> 00:00:04,000\nb\n";
    let how = "Write it like 00:00:01,000 --> 00:00:04,000: two hyphens in the arrow.";
    let expected = [expected_fault(7, "00:00:03,000 -> 00:00:04,000", how)];
    assert_eq!(faults(srt.as_bytes(), Format::Srt).0, expected);
}

#[test]
fn impossible_times_are_reported_and_kept() {
    let file = "1\n00:00:05,000 --> 00:00:04,000\na\n\n2\n00:00:03,000 --> 00:00:09,000\nb\n\n3\n00:00:08,000 --> 00:00:10,000\nc\n\n4\n100:00:00,000 --> 100:00:01,000\nd\n";
    let (found, count) = faults(file.as_bytes(), Format::Srt);
    assert_eq!(count, 4);
    assert_eq!(
        found,
        [
            "line 1: the cue ends before it starts. Correct one of its times.",
            "line 5: the cue starts before the one above it. Sort the cues by their start times.",
            "line 13: the cue is at 100 hours or later. Check whether hours, minutes and seconds are mixed up.",
        ]
    );
    let mut transcript = read(file.as_bytes(), Format::Srt);
    transcript.by_ref().for_each(drop);
    assert!(transcript.faults().iter().all(|fault| !fault.is_lost));
}

#[test]
fn a_webvtt_file_without_a_signature_is_read_with_a_fault() {
    let file = "00:01.000 --> 00:02.000\nx";
    assert_eq!(cues(file, Format::Vtt), ["1000-2000 x"]);
    let (found, _) = faults(file.as_bytes(), Format::Vtt);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("does not begin with WEBVTT"));
}

#[test]
fn encodings_other_than_utf_8_are_reported() {
    for format in ALL_FORMATS {
        for mark in [&b"\xFF\xFEW\0"[..], b"\xFE\xFF\0W", b"W\0E\0B\0V\0", b"\0W\0E\0B\0V"] {
            let (found, count) = faults(mark, format);
            assert_eq!(found, ["line 1: the file is UTF-16. Save the file as UTF-8."]);
            assert_eq!(count, 0);
        }
    }
    let latin = [
        (
            Format::Vtt,
            &b"WEBVTT\n\n00:01.000 --> 00:02.000\ncaf\xE9\n\n00:03.000 --> 00:04.000\n\xFC"[..],
        ),
        (Format::Srt, b"00:01,000 --> 00:02,000\ncaf\xE9\n\n00:03,000 --> 00:04,000\n\xFC"),
        (Format::Json, b"[{\"startTime\": 1, \"body\": \"caf\xE9\"}, {\"body\": \"\xFC\"}]"),
        (Format::Html, b"<p>caf\xE9</p><p>\xFC</p>"),
        (Format::Plain, b"caf\xE9\n\n\xFC"),
    ];
    for (format, file) in latin {
        let mut transcript = read(file, format);
        assert_eq!(transcript.next().unwrap().text, "caf\u{FFFD}");
        assert_eq!(transcript.count(), 1);
        let (found, _) = faults(file, format);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("Save the file as UTF-8."), "{found:?}");
    }
}

#[test]
fn a_file_without_text_is_reported() {
    for format in ALL_FORMATS {
        for file in ["", "\u{FEFF}", " \n\n", "WEBVTT\n\nNOTE x\n"] {
            let (found, count) = faults(file.as_bytes(), format);
            if count == 0 {
                let is_blank = !file.contains('W');
                let problem = match is_blank {
                    true => "the file is empty",
                    false => "no spoken text",
                };
                assert!(found[0].contains(problem), "{found:?}");
            }
        }
    }
}

#[test]
fn at_most_100_faults_are_kept() {
    let file = format!("WEBVTT\n\n{}", "x --> y\n\n".repeat(1000));
    let mut transcript = read(file.as_bytes(), Format::Vtt);
    assert!(transcript.next().is_none());
    assert_eq!(transcript.faults().len(), 100);
    assert_eq!(transcript.faults_left_out(), 2000 - 1000 - 100 + 1);
    assert_eq!(transcript.faults()[99].line, 3 + 98 * 2);
    assert!(transcript.next().is_none());
}

#[test]
fn faults_have_byte_offsets() {
    let file = "WEBVTT\n\n00:01.000 --> soon\nx\n\n00:02.000 --> 00:03.000\nworth 5\u{20AC}";
    let mut bytes = file.as_bytes().to_vec();
    bytes.pop();
    let mut transcript = read(&bytes, Format::Vtt);
    transcript.by_ref().for_each(drop);
    let at: Vec<&[u8]> = transcript.faults().iter().map(|one| &bytes[one.at..]).collect();
    assert!(at[0].starts_with(b"soon\n"));
    assert_eq!(at[1], &file.as_bytes()[file.len() - 3..file.len() - 1]);
}

#[test]
fn a_truncated_json_list_is_reported() {
    let (found, count) =
        faults(b"{\"segments\": [{\"startTime\": 1, \"body\": \"a\"},\n{\"sta", Format::Json);
    assert_eq!(count, 1);
    assert_eq!(
        found,
        [
            "line 2: the closing quote of a string is missing. Correct the JSON here.",
            "line 2: the file ends before its list of segments is closed. Check whether the end of the file is missing.",
        ]
    );
}
