//! Tests that reading only the bytes of a cue returns the same cue.

use transcripts::{Format, read};

use super::{SAMPLES, line};

/// Asserts that reading only the byte range of each cue returns the same cue. Returns the number of
/// cues.
pub fn assert_ranges(file: &[u8], format: Format) -> usize {
    let cues: Vec<_> = read(file, format).collect();
    let is_timed = cues.iter().any(|cue| cue.start.is_some());
    let mut end = 0;
    for cue in &cues {
        assert!(cue.bytes.start >= end && cue.bytes.end <= file.len());
        end = cue.bytes.end;
        let range = &file[cue.bytes.clone()];
        if range.starts_with(b"\xFF\xFE") || range.starts_with(b"\xFE\xFF") {
            // Skips this cue. Its first bytes look like a UTF-16 byte order mark when the range is
            // read separately.
            continue;
        }
        if format == Format::Plain && !is_timed {
            let text = String::from_utf8_lossy(range);
            let words = text.split(|c: char| c.is_whitespace() || c == '\u{FEFF}');
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            assert_eq!(words.join(" "), cue.text);
            continue;
        }
        let alone: Vec<_> = read(range, format).collect();
        let said = || String::from_utf8_lossy(range);
        assert_eq!(alone.len(), 1, "{format:?} {:?} {alone:?}", said());
        assert_eq!(line(&alone[0]), line(cue), "{format:?} {:?}", said());
        assert_eq!(alone[0].bytes.end, range.len(), "{format:?} {:?}", said());
    }
    cues.len()
}

#[test]
fn cue_ranges_are_correct_in_each_format() {
    let counts = SAMPLES.map(|(format, sample)| assert_ranges(sample.as_bytes(), format));
    assert_eq!(counts, [3, 4, 5, 4, 4]);
    for (format, sample) in SAMPLES {
        let file = format!("\u{FEFF}{}", sample.replace('\n', "\r\n"));
        assert_ranges(file.as_bytes(), format);
    }
}

#[test]
fn a_range_covers_the_whole_cue() {
    let first = |index: usize| {
        let (format, sample) = SAMPLES[index];
        let cue = read(sample.as_bytes(), format).nth(1).unwrap();
        &sample[cue.bytes]
    };
    assert!(first(0).starts_with("00:02.760") && first(0).ends_with("friends."));
    assert!(first(1).starts_with("00:00:02.400") && first(1).ends_with("<laughs>"));
    assert!(first(2).starts_with("{ \"speaker\"") && first(2).ends_with("\"am\" }"));
    assert!(first(3).starts_with("<cite>Kevin:") && first(3).ends_with("<b>bri</b>dge.</p>"));
    assert!(first(4).starts_with("[00:00:01]") && first(4).ends_with("and here."));
}
