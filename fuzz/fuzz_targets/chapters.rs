//! Chapter files are untrusted text: no input panics, and what parses can be published.
#![no_main]

use feedwright::model::chapter::check_order;
use feedwright::source::chapters::{Format, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for format in [Format::Auto, Format::Json, Format::Lines] {
        if let Ok(parsed) = parse(text, format) {
            assert_eq!(check_order(&parsed.chapters), Ok(()));
        }
    }
});
