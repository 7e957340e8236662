//! Tests that malicious files do not take longer than other files of the same size.

use std::time::{Duration, Instant};

use transcripts::read;

use super::ALL_FORMATS;

#[test]
fn reading_time_is_linear_for_hostile_files() {
    const SIZE: usize = 150_000;
    // The limit allows for builds without optimization. A reader with quadratic running time would
    // need minutes.
    const MAX_DURATION: Duration = Duration::from_secs(3);
    const PREFIXES: [&str; 5] = [
        "WEBVTT\n\n00:01.000 --> 00:02.000\n", "00:01.000 --> 00:02.000\n", "{\"segments\": [",
        "<p>", "[0:01] x\n[0:02] y\n",
    ];
    for piece in [
        "<", "<v", "<i", "<b ", "&", "&#", "{", "{\"", "{\"a\":", "[", "[[1],", "\"", "\\", "{\\",
        "-->", "1\n", "1\n\n", "\n", "\r", "a", "a ", "雨", "0:12", "[0:12]", "[0:12]\n", "Ana:",
        "Ana (0:12", ".", "<cite>", "<time>", "<cite>a</cite>", "<p>", "<!--", "<script>", "<p a=",
        "\"segments\": [", "{\"body\":\"a\"}", "{\"body\":", "00:01 --> 00:00\n",
        "x\n00:00 --> 1\n", " ", "\u{A0}", "&amp;", "NOTE\n", "\u{FFFD}",
    ] {
        let body = piece.repeat(SIZE / piece.len());
        for (format, head) in ALL_FORMATS.iter().zip(PREFIXES) {
            for file in [&body, &format!("{head}{body}>}}\"")] {
                let begun = Instant::now();
                let mut transcript = read(file.as_bytes(), *format);
                transcript.passages(200).for_each(drop);
                let took = begun.elapsed();
                assert!(took < MAX_DURATION, "{piece:?} as {format:?}: {took:?}");
            }
        }
    }
}
