//! Tests of grouping cues into paragraphs.

use transcripts::{Format, read};

/// Returns each paragraph as a line: `Ana: 1000 Welcome. |4000 Well`.
fn paragraphs(text: &str, format: Format, words: usize) -> Vec<String> {
    let mut transcript = read(text.as_bytes(), format);
    let lines = |paragraph: transcripts::Paragraph| {
        let lines = paragraph.lines.into_iter().map(|line| match line.start {
            Some(start) => format!("{start} {}", line.text),
            None => line.text,
        });
        let lines: Vec<String> = lines.collect();
        let speaker = paragraph.speaker.map_or_else(String::new, |name| name + ": ");
        speaker + &lines.join("|")
    };
    transcript.paragraphs(words).map(lines).collect()
}

#[test]
fn paragraphs_end_at_sentences_and_speaker_changes() {
    let file = "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>One two three\n\n00:03.000 --> 00:05.000\n<v Ana>four.\n\n\
                00:05.000 --> 00:07.000\n<v Ana>Five.\n\n00:07.000 --> 00:09.000\n<v Bo>Six\n\n00:09.000 --> 00:10.000\nseven\n";
    let found = paragraphs(file, Format::Vtt, 3);
    assert_eq!(
        found,
        ["Ana: 1000 One two three |3000 four.", "5000 Five.", "Bo: 7000 Six |9000 seven"]
    );
}

#[test]
fn text_without_sentences_is_split_at_twice_the_length() {
    let cues = (0..10).map(|n| format!("00:0{n}.000 --> 00:0{n}.900\nword\n"));
    let file = format!("WEBVTT\n\n{}", cues.collect::<Vec<_>>().join("\n"));
    let found = paragraphs(&file, Format::Vtt, 2);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], "0 word |1000 word |2000 word |3000 word");
}

#[test]
fn words_within_a_second_form_one_line() {
    let file = r#"{"segments":[{"startTime":1,"body":"One"},{"startTime":1.4,"body":"two"},{"startTime":2.1,"body":"three"}]}"#;
    assert_eq!(paragraphs(file, Format::Json, 60), ["1000 One two |2100 three"]);
}

#[test]
fn cues_without_times_are_separate_paragraphs() {
    assert_eq!(paragraphs("One.\n\nTwo.", Format::Plain, 60), ["One.", "Two."]);
}

#[test]
fn scripts_without_spaces_are_joined_without_spaces() {
    let file = "WEBVTT\n\n00:01.000 --> 00:03.000\n港の灯り。\n\n00:03.000 --> 00:05.000\n夜の船\n";
    assert_eq!(paragraphs(file, Format::Vtt, 60), ["1000 港の灯り。|3000 夜の船"]);
}
