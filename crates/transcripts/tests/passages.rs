//! Tests of grouping cues into passages.

use transcripts::{Format, Passage, read};

use super::SAMPLES;

fn passages(text: &str, format: Format, words: usize) -> Vec<Passage> {
    read(text.as_bytes(), format).passages(words).collect()
}

#[test]
fn a_passage_ends_with_the_cue_reaching_the_word_count() {
    let found = passages(SAMPLES[2].1, Format::Json, 2);
    let texts: Vec<&str> = found.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["I am", "your father.", "Noooo \"{oo}\" 😀"]);
    let starts: Vec<_> = found.iter().map(|passage| passage.start).collect();
    assert_eq!(starts, [Some(500), Some(1500), Some(2750)]);
    assert!(SAMPLES[2].1[found[0].bytes.clone()].starts_with("{ \"speaker\""));
    assert!(SAMPLES[2].1[found[0].bytes.clone()].ends_with("\"am\" }"));
}

#[test]
fn the_byte_range_of_a_passage_reads_as_the_passage() {
    for (format, sample) in SAMPLES {
        for words in [1, 5, 12, 200] {
            for passage in passages(sample, format, words) {
                let alone = passages(&sample[passage.bytes.clone()], format, usize::MAX);
                assert_eq!(alone.len(), 1);
                assert_eq!(alone[0].text, passage.text);
                assert_eq!(alone[0].start, passage.start);
            }
        }
    }
}

#[test]
fn a_passage_without_a_time_inherits_the_previous_time() {
    let file = format!("[0:07] Ana: {}\n\n[0:09] End", "It rains. ".repeat(300));
    let found = passages(&file, Format::Plain, 50);
    let starts: Vec<_> = found.iter().map(|passage| passage.start).collect();
    assert_eq!(starts, [Some(7000), Some(7000), Some(7000), Some(9000)]);
    assert!(found.iter().all(|passage| !passage.text.contains("Ana")));
}

#[test]
fn characters_count_in_scripts_without_spaces() {
    let file = "雨が降った。\n\n".repeat(100);
    assert_eq!(passages(&file, Format::Plain, 30).len(), 10);
    assert_eq!(passages(&"one two three\n\n".repeat(100), Format::Plain, 30).len(), 10);
}

#[test]
fn faults_are_available_after_reading_passages() {
    let mut transcript = read(b"00:02 --> 00:01\nx", Format::Srt);
    assert_eq!(transcript.passages(0).count(), 1);
    assert_eq!(transcript.faults().len(), 1);
}
