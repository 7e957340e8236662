//! Lines of access logs, in every format.

#![no_main]

use feedwright::stats::log::{Format, Line, Lines, Parser};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for (_, format) in Format::NAMES {
        let mut lines = Lines::new(data);
        let mut parser = Parser::new(format);
        while let Ok(Some(Line::Whole(line))) = lines.next_line() {
            let _ = parser.parse(&String::from_utf8_lossy(line));
        }
    }
});
