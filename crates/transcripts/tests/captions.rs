//! Tests of transcripts in WebVTT and SRT.

use transcripts::Format;

use super::{SAMPLES, cues};

#[test]
fn every_webvtt_construct_is_read() {
    assert_eq!(
        cues(SAMPLES[0].1, Format::Vtt),
        [
            "0-2760 Sarah: In today's episode, you'll learn whether or not you",
            "2760-6090 José & Ana: need a trailer. Welcome to Q&A, friends.",
            "360006090-360007000 2 < 3, and 3 < 4 too",
        ]
    );
}

#[test]
fn common_srt_variants_are_read() {
    assert_eq!(
        cues(SAMPLES[1].1, Format::Srt),
        [
            "179-2399 Travis: When you first get started in podcasting, it's",
            "2400-4799 almost guaranteed <laughs>",
            "4801-7980 So I said: let's go. and we went",
            "8000-9000 DR. ANA LÓPEZ: Yes & no.",
        ]
    );
}

#[test]
fn all_line_breaks_and_byte_order_marks_are_read() {
    for (format, sample) in SAMPLES {
        let wanted = cues(sample, format);
        assert!(!wanted.is_empty());
        for line_break in ["\r\n", "\r"] {
            let file = format!("\u{FEFF}{}", sample.replace('\n', line_break));
            assert_eq!(cues(&file, format), wanted, "{format:?} {line_break:?}");
        }
    }
}

#[test]
fn a_timing_starts_a_cue_without_a_blank_line() {
    let file = "WEBVTT\n00:01.000 --> 00:02.000\none\n2\n00:02.000 --> 00:03.000\ntwo\n00:03.000 --> 00:04.000\nthree";
    let wanted = ["1000-2000 one", "2000-3000 two", "3000-4000 three"];
    assert_eq!(cues(file, Format::Vtt), wanted);
    assert_eq!(cues(&file[7..], Format::Srt), wanted);
}

#[test]
fn a_cue_with_several_voices_has_the_first_speaker() {
    let file = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ana>Yes?</v><v Bo>No.</v>";
    assert_eq!(cues(file, Format::Vtt), ["1000-2000 Ana: Yes? No."]);
}

#[test]
fn a_line_of_spaces_does_not_end_a_cue() {
    let file =
        "WEBVTT\n \n00:01.000 --> 00:02.000\none\n \ntwo\n\t\n2\n00:02.000 --> 00:03.000\nthree";
    let wanted = ["1000-2000 one two", "2000-3000 three"];
    assert_eq!(cues(file, Format::Vtt), wanted);
    assert_eq!(cues(&file[9..], Format::Srt), wanted);
}

#[test]
fn html_character_references_are_decoded() {
    let read_cue = |text: &str| {
        cues(&format!("WEBVTT\n\n00:01.000 --> 00:02.000\n{text}"), Format::Vtt).remove(0)
    };
    assert_eq!(
        read_cue("Caf&eacute;&hellip; a&ensp;&nbsp;b &CounterClockwiseContourIntegral;"),
        "1000-2000 Café… a b ∳"
    );
    assert_eq!(read_cue("<v Jos&eacute;>a"), "1000-2000 José: a");
    assert_eq!(read_cue("&<b>; &copy &;"), "1000-2000 &; &copy &;");
}

#[test]
fn empty_cues_are_skipped() {
    let file = "WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:02.000 --> 00:03.000\n<i> </i>&nbsp;\n\n00:03.000 --> 00:04.000\nx";
    assert_eq!(cues(file, Format::Vtt), ["3000-4000 x"]);
}

#[test]
fn speaker_names_before_a_colon_are_recognized_in_srt() {
    let read_cue = |text: &str| cues(&format!("00:01 --> 00:02\n{text}"), Format::Srt).remove(0);
    for text in [
        "Sarah: hello", "SPEAKER_00: hello", "Speaker 1: hello", "J. R. R. Tolkien: hello",
        "Marie-Ève O’Neil: hello", "Ludwig van Beethoven: hello", "旁白: hello",
    ] {
        assert_eq!(read_cue(text), format!("1000-2000 {text}"));
        assert_eq!(read_cue(&format!(">> {text}")), format!("1000-2000 {text}"));
    }
    assert_eq!(read_cue("旁白：你好"), "1000-2000 旁白: 你好");
    let named = |text: &str| {
        let file = format!("00:01 --> 00:02\n{text}");
        let cue = transcripts::read(file.as_bytes(), Format::Srt).next();
        cue.unwrap().speaker.is_some()
    };
    for text in [
        "and then: hello", "At 12:30 we met", "I said this to them all: hello",
        "Well. Listen: hello", "Sarah:", "http://example.com", ": hello", "1: hello",
    ] {
        assert!(!named(text), "{text}");
    }
}

#[test]
fn invalid_references_and_tags_are_kept_as_text() {
    let file = "WEBVTT\n\n00:01.000 --> 00:02.000\nAT&T &; &#0; &#xD800; &bogus; &#233; a <- b <\n";
    assert_eq!(cues(file, Format::Vtt), ["1000-2000 AT&T &; &#0; &#xD800; &bogus; é a <- b <"]);
}
