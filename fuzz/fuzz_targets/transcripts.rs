//! Transcripts are untrusted bytes: no input panics or takes long, ranges ascend within the file, and passages have
//! the words of the cues.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transcripts::{Format, read};

fuzz_target!(|file: &[u8]| {
    for format in [
        Format::of("", "", file),
        Format::Vtt,
        Format::Srt,
        Format::Json,
        Format::Html,
        Format::Plain,
    ] {
        let mut transcript = read(file, format);
        let mut end = 0;
        let mut texts = Vec::new();
        for cue in transcript.by_ref() {
            assert!(cue.bytes.start >= end && cue.bytes.end <= file.len());
            end = cue.bytes.end;
            texts.push(cue.text.into_owned());
        }
        for fault in transcript.faults() {
            assert!(fault.at <= file.len());
            let _ = fault.to_string();
        }
        let passages: Vec<String> = read(file, format).passages(20).map(|one| one.text).collect();
        assert_eq!(passages.join(" "), texts.join(" "));
    }
});
