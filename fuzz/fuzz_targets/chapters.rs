//! Chapter files are untrusted text: no input panics, and what parses can be published.
#![no_main]

use feedwright::source::chapters::{Format, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for format in [Format::Auto, Format::Json, Format::Lines] {
        if let Ok(parsed) = parse(text, format) {
            parsed.chapters.iter().fold(0.0, |previous, chapter| {
                assert_eq!(chapter.check(previous), Ok(()));
                chapter.start_time
            });
        }
    }
});
