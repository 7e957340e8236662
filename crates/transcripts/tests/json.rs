//! Tests of transcripts in the JSON of Podcasting 2.0.

use transcripts::Format;

use super::{SAMPLES, cues, faults};

#[test]
fn podcasting_2_json_segments_are_read() {
    assert_eq!(
        cues(SAMPLES[2].1, Format::Json),
        [
            "500-750 Darth Vader: I", "1000-1250 Darth Vader: am", "1500-2000 Darth Vader: your",
            "2250-2500 Darth Vader: father.", "2750 Noooo \"{oo}\" 😀",
        ]
    );
}

#[test]
fn json_variants_of_other_programs_are_read() {
    let list = r#"[{"start": 1, "end": 2.0004, "text": "one"}, {"startTime": 1e1, "body": "ten"}]"#;
    assert_eq!(cues(list, Format::Json), ["1000-2000 one", "10000 ten"]);
    let whole = r#"{"text": "one two", "segments": [{"id": 0, "start": 1, "text": " one"}], "language": "en"}"#;
    assert_eq!(cues(whole, Format::Json), ["1000 one"]);
    let cpp = r#"{"model": {"type": "base"}, "transcription": [{"timestamps": {"from": "00:00:01,000"},
        "offsets": {"from": 1000, "to": 2500}, "text": " one"}, {"offsets": 7, "text": "two"},
        {"offsets": {"from": -1, "to": 99999999999999}, "text": "three"}]}"#;
    assert_eq!(cues(cpp, Format::Json), ["1000-2500 one", "- two", "- three"]);
}

#[test]
fn reading_continues_after_a_broken_segment() {
    let good = r#"{"startTime": 1, "body": "good"}"#;
    for broken in [
        r#"{"startTime": 1, "body": "no quote}"#,
        r#"{"startTime": , "body": "no time"}"#,
        r#"{"startTime": 1, body: "no quotes"}"#,
        r#"{"startTime" 1, "body": "no colon"}"#,
        r#"{"startTime": 1, "body": 'other quotes'}"#,
        "{\"startTime\": 1, \"body\": \"two\nlines\"}",
        r#""a text""#,
        "17",
        r#"[1, {"body": "too deep"}]"#,
        r#"{"startTime": 1}"#,
        r#"{"startTime": 1, "body": 7}"#,
        "{",
        ":",
    ] {
        let file = format!("{{\"segments\": [{good},\n{broken},\n{good}\n]}}");
        assert_eq!(cues(&file, Format::Json), ["1000 good"; 2], "{broken}");
        let (found, _) = faults(file.as_bytes(), Format::Json);
        assert!(!found.is_empty(), "{broken}");
        assert!(found[0].starts_with("line 2") || found[0].starts_with("line 3"), "{found:?}");
    }
}

#[test]
fn escapes_and_lone_surrogates_are_decoded() {
    let file = r#"[{"body": "a\tb\/c\\d \ud83d x \ude00 \ud83d\u0041 \uZZ \"q\" \u"}]"#;
    assert_eq!(
        cues(file, Format::Json),
        ["- a b/c\\d \u{FFFD} x \u{FFFD} \u{FFFD}A \u{FFFD}ZZ \"q\" \u{FFFD}"]
    );
}
