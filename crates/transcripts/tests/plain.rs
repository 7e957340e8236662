//! Tests of transcripts in plain text.

use transcripts::Format;

use super::{SAMPLES, cues};

#[test]
fn plain_text_with_times_is_read() {
    assert_eq!(
        cues(SAMPLES[4].1, Format::Plain),
        [
            "- Transcript of episode 12",
            "1000 Kevin: We have an update planned. It goes on here, and here.",
            "9000 Alban: You're triggering Tom.",
            "3732000 At 12:30 we meet.",
        ]
    );
}

#[test]
fn common_time_notations_are_read() {
    for (file, wanted) in [
        ("00:00:01 Ana: One\n00:00:02 Bo: Two", ["1000 Ana: One", "2000 Bo: Two"]),
        ("Ana (0:01): One\nBo Lee (0:02): Two", ["1000 Ana: One", "2000 Bo Lee: Two"]),
        ("Ana [0:01]\nOne\n\nBo [0:02]\nTwo", ["1000 Ana: One", "2000 Bo: Two"]),
        (
            "Speaker 1  0:01\nOne\n\nSpeaker 2  0:02\nTwo",
            ["1000 Speaker 1: One", "2000 Speaker 2: Two"],
        ),
        ("0:01\nAna: One\n0:02\nBo: Two", ["1000 Ana: One", "2000 Bo: Two"]),
        ("(0:01) One\n(0:02) Two", ["1000 One", "2000 Two"]),
        ("0:01 - One\n0:02 - Two", ["1000 One", "2000 Two"]),
        (
            "[00:01.000 --> 00:01.500]  One\n[00:02.000 --> 00:03.000]  Two",
            ["1000-1500 One", "2000-3000 Two"],
        ),
        ("  [0:01]One\n\n\n\t[0:02]Two\n", ["1000 One", "2000 Two"]),
    ] {
        assert_eq!(cues(file, Format::Plain), wanted, "{file}");
    }
}

#[test]
fn text_without_times_is_split_into_paragraphs() {
    let file =
        "We met at noon.\nIt rained.\n\n12:30 was the time.\n \nNote: it was late (0:12).\n\nEnd.";
    assert_eq!(
        cues(file, Format::Plain),
        [
            "- We met at noon. It rained.", "- 12:30 was the time.", "- Note: it was late (0:12).",
            "- End.",
        ]
    );
}

#[test]
fn prose_starting_with_a_time_has_no_timestamps() {
    let file = format!("12:30 was the time.\n\n{}", "It rained.\n\n".repeat(1000));
    assert_eq!(cues(&file, Format::Plain)[0], "- 12:30 was the time.");
}

#[test]
fn long_paragraphs_are_split_at_sentences_words_or_characters() {
    for (part, most) in [
        ("It rained all day. ", 1020),
        ("It rained all day.\n", 1020),
        ("all day ", 2010),
        ("雨が降った。", 1020),
        ("雨", 4000),
        ("a", 4000),
    ] {
        let file = part.repeat(20_000 / part.len());
        let cues: Vec<_> = transcripts::read(file.as_bytes(), Format::Plain).collect();
        assert!(cues.len() > 4, "{part}");
        for cue in &cues {
            assert!(cue.bytes.len() <= most, "{part} {}", cue.bytes.len());
            assert!(!cue.text.contains('\u{FFFD}'));
        }
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let joined: String = cues.iter().map(|cue| letters(&cue.text)).collect();
        assert_eq!(joined, letters(&file));
    }
}
