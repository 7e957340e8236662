//! Tests of roll-up captions: each line is read only once, however often it is shown.

use transcripts::{Format, read};

fn texts(file: &str, format: Format) -> Vec<String> {
    read(file.as_bytes(), format).map(|cue| cue.text.into_owned()).collect()
}

/// Returns captions like those of YouTube's speech recognition: words have their own times, and a
/// cue of 10 ms repeats each line.
fn recognized_captions(lines: &[&str]) -> String {
    let mut file = "WEBVTT\nKind: captions\nLanguage: en\n\n".to_owned();
    let mut above = " ".to_owned();
    for (at, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let timed: String =
            words[1..].iter().map(|word| format!("<00:00:{at:02}.400><c> {word}</c>")).collect();
        let next = at + 1;
        file += &format!(
            "00:00:{at:02}.010 --> 00:00:{at:02}.990 align:start position:0%\n{above}\n{}{timed}\n\n",
            words[0]
        );
        file += &format!(
            "00:00:{at:02}.990 --> 00:00:{next:02}.000 align:start position:0%\n{line}\n \n\n"
        );
        above = (*line).to_owned();
    }
    file
}

#[test]
fn lines_of_speech_recognition_are_read_once() {
    let lines = [
        "hello and welcome", "to the show", "today", "today we talk about tea", "no", "no", "no",
        "that is all",
    ];
    assert_eq!(texts(&recognized_captions(&lines), Format::Vtt), lines);
    // Repeated lines are removed even from a very short file.
    assert_eq!(texts(&recognized_captions(&lines[..2]), Format::Vtt), lines[..2]);
}

#[test]
fn roll_up_lines_are_read_once_in_every_format() {
    let shown = ["one|two", "two|three", "three|four", "four|five", "five|six"];
    let cue = |at: usize, comma: &str| {
        let text = shown[at].replace('|', "\n");
        format!("{}\n00:00:0{at}{comma}000 --> 00:00:0{}{comma}000\n{text}\n\n", at + 1, at + 1)
    };
    let srt: String = (0..5).map(|at| cue(at, ",")).collect();
    let vtt: String =
        std::iter::once("WEBVTT\n\n".to_owned()).chain((0..5).map(|at| cue(at, "."))).collect();
    let read_once = ["one two", "three", "four", "five", "six"];
    assert_eq!(texts(&srt, Format::Srt), read_once);
    assert_eq!(texts(&vtt, Format::Vtt), read_once);
    // Two of the three lines stay on the screen.
    let wide = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:02.000 --> 00:03.000\na\nb\n\n00:03.000 --> 00:04.000\na\nb\nc\n\n00:04.000 --> 00:05.000\nb\nc\nd\n";
    assert_eq!(texts(wide, Format::Vtt), ["a", "b", "c", "d"]);
}

/// Tests three more forms of roll-up captions: a pause between cues, all lines on the screen joined
/// into one, and a line that grows word by word.
#[test]
fn other_roll_up_styles_are_read_once() {
    let lines = [
        "a walk to the pier", "at high tide", "with a friend of mine", "and back again",
        "before dark",
    ];
    let cues = |texts: &[String], shown: usize| {
        let cue = |(at, text): (usize, &String)| {
            let start = at * 1000;
            let time = |ms: usize| format!("00:{:02}.{:03}", ms / 1000, ms % 1000);
            format!("{} --> {}\n{text}\n\n", time(start), time(start + shown))
        };
        let cues: String = texts.iter().enumerate().map(cue).collect();
        vtt_texts(&format!("WEBVTT\n\n{cues}"))
    };
    fn vtt_texts(file: &str) -> Vec<String> {
        texts(file, Format::Vtt)
    }
    let screens = |separator: &str| -> Vec<String> {
        let screens = (0..lines.len()).map(|at| lines[at.saturating_sub(1)..=at].join(separator));
        screens.collect()
    };
    assert_eq!(cues(&screens("\n"), 700), lines);
    assert_eq!(cues(&screens(" "), 1000), lines);
    let mut growing = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        growing.extend((1..=words.len()).map(|count| words[..count].join(" ")));
    }
    assert_eq!(cues(&growing, 1000), lines.join(" ").split(' ').collect::<Vec<_>>());
}

/// People repeat themselves, and two-line captions can start with the end of the previous caption.
#[test]
fn repeated_speech_is_read_twice() {
    let plain = |cues: &[&str]| {
        let cues = cues.iter().enumerate();
        let cues =
            cues.map(|(at, text)| format!("00:{at:02}.000 --> 00:{:02}.000\n{text}\n\n", at + 1));
        format!("WEBVTT\n\n{}", cues.collect::<String>())
    };
    let said = [
        "No.", "No.", "No.", "Come in.", "Come in.\nPlease.", "Thanks.", "Thanks.\nThanks.", "Sit.",
    ];
    let folded: Vec<String> = said.iter().map(|text| text.replace('\n', " ")).collect();
    assert_eq!(texts(&plain(&said), Format::Vtt), folded);
    // In a song, lines are repeated after other lines. Such repetitions are kept.
    let song = ["La\nla", "li\nlo", "La\nla", "li\nlo", "La\nla", "li\nlo"];
    assert_eq!(texts(&plain(&song), Format::Vtt).len(), 6);
    assert!(texts(&plain(&song), Format::Vtt).iter().all(|text| text.len() == 5));
}

#[test]
fn paragraphs_and_passages_repeat_no_roll_up_line() {
    let lines: Vec<String> = (0..30).map(|at| format!("line {at} of the talk")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let file = recognized_captions(&lines);
    let mut transcript = read(file.as_bytes(), Format::Vtt);
    let paragraphs = transcript.paragraphs(20).flat_map(|paragraph| paragraph.lines);
    let text: String = paragraphs.map(|line| line.text + " ").collect();
    for line in &lines {
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>().join(" ").matches(*line).count(),
            1,
            "{text}"
        );
    }
    let mut transcript = read(file.as_bytes(), Format::Vtt);
    let passages: Vec<String> = transcript.passages(20).map(|passage| passage.text).collect();
    assert_eq!(passages.join(" "), lines.join(" "));
}
