//! Compares the caption reader with a naive, unoptimized reader.

use proptest::collection::vec;
use proptest::prelude::*;
use transcripts::{Format, Passage, read};

/// Pieces of caption lines: words, tags, character references, and all kinds of whitespace.
const PIECES: [&str; 36] = [
    "word", "it’s", "Ünïcödé", "р", "À", "雨。", "\u{3000}", "\u{2003}", "\u{A0}", "\u{85}",
    "\u{1680}", "\u{205F}", "\u{2028}", "\u{FEFF}", "…", " ", "  ", "\t", "\u{1}", "\u{B}", "x",
    "<v Ana>", "<i>", "</i>", "<c.y>", "<00:01.000>", "&amp;", "&lt;", "&nbsp;", "&eacute;",
    "&#233;", "&bogus;", "&", ";", "7", ">",
];

/// Lines that are not text, or that end the text of a cue.
const LINES: [&str; 9] = [
    "",
    "",
    "00:01.000 --> 00:02.000",
    "00:00:03.000 --> 00:00:04.500 align:start",
    "0:07-->0:08",
    "00:99 --> 00:01",
    " --> ",
    "12",
    " \t",
];

fn file() -> impl Strategy<Value = String> {
    let text = vec(prop::sample::select(PIECES.to_vec()), 0..9).prop_map(|pieces| pieces.concat());
    let line = prop_oneof![text, prop::sample::select(LINES.to_vec()).prop_map(str::to_owned)];
    let line_end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    vec((line, line_end), 0..40)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

/// Returns the start of each cue in milliseconds, its offset in the file, and its text.
fn naive_cues(file: &str) -> Vec<(u64, usize, String)> {
    let text = file.replace("\r\n", "\n\u{0}").replace('\r', "\n");
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        // A zero byte replaces the second byte of a CRLF, so that offsets are the same as in the
        // file.
        let line = line.to_owned();
        let skipped = usize::from(line.starts_with('\0'));
        lines.push((at + skipped, line[skipped..].to_owned()));
        at += line.len() + 1;
    }
    let has_arrow = |index: usize| lines.get(index).is_some_and(|(_, line)| line.contains("-->"));
    let is_empty = |line: &str| line.trim_matches(|c: char| c.is_ascii_whitespace()).is_empty();
    let is_head = |index: usize, is_name: bool| {
        !is_empty(&lines[index].1) && (has_arrow(index) || (is_name && has_arrow(index + 1)))
    };
    let is_number = |line: &str| line.trim_ascii().bytes().all(|byte| byte.is_ascii_digit());
    let (mut cues, mut index) = (Vec::new(), 0);
    while index < lines.len() {
        if is_empty(&lines[index].1) {
            index += 1;
            continue;
        }
        let from = lines[index].0;
        let timing = is_head(index, true).then(|| if has_arrow(index) { index } else { index + 1 });
        index = timing.unwrap_or(index) + 1;
        let mut text = String::new();
        while let Some((_, line)) = lines.get(index)
            && !line.is_empty()
            && !is_head(index, is_number(line))
        {
            text = text + line + "\n";
            index += 1;
        }
        let start = timing.and_then(|timing| parse_timing(&lines[timing].1));
        let text = naive_text(&text);
        if let Some(start) = start.filter(|_| !text.is_empty()) {
            cues.push((start, from, text));
        }
    }
    cues
}

/// Returns whether the captions might roll up: words have their own times, and a line occurs twice.
/// In that case, the caption reader removes repeated lines, but the naive reader does not.
fn may_roll_up(file: &str) -> bool {
    let mut lines: Vec<String> = file.split(['\r', '\n']).map(naive_text).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort();
    file.contains("<00:01.000>") && lines.windows(2).any(|pair| pair[0] == pair[1])
}

fn parse_timing(line: &str) -> Option<u64> {
    let (start, end) = line.split_once("-->")?;
    parse_timestamp(end.split_whitespace().next().unwrap_or_default())
        .and(parse_timestamp(start.trim()))
}

fn parse_timestamp(text: &str) -> Option<u64> {
    ["00:01.000", "00:02.000", "00:00:03.000", "00:00:04.500", "0:07", "0:08"]
        .into_iter()
        .zip([1000, 2000, 3000, 4500, 7000, 8000])
        .find_map(|(known, at)| (known == text).then_some(at))
}

fn naive_text(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    'letters: while let Some(c) = rest.chars().next() {
        for (known, said) in [
            ("<v Ana>", " "),
            ("<i>", ""),
            ("</i>", ""),
            ("<c.y>", ""),
            ("<00:01.000>", ""),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&nbsp;", " "),
            ("&eacute;", "é"),
            ("&#233;", "é"),
        ] {
            if let Some(after) = rest.strip_prefix(known) {
                out.push_str(said);
                rest = after;
                continue 'letters;
            }
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    let words = out.split(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn passages_match_a_naive_reader(lines in file(), is_marked: bool) {
        prop_assume!(!may_roll_up(&lines));
        let head = if is_marked { "\u{FEFF}WEBVTT\n\n" } else { "WEBVTT\n\n" };
        let file = format!("{head}{lines}");
        let cues: Vec<(Option<u64>, usize, String)> = read(file.as_bytes(), Format::Vtt)
            .passages(0)
            .map(|Passage { start, bytes, text }| (start, bytes.start, text))
            .collect();
        let naive = naive_cues(&lines).into_iter();
        let naive: Vec<_> = naive.map(|(start, at, text)| (Some(start), head.len() + at, text)).collect();
        prop_assert_eq!(cues, naive);
    }

    #[test]
    fn passages_begin_at_character_boundaries(mut file in file(), words in 0_usize..9) {
        for head in ["", "WEBVTT\n\n"] {
            file.insert_str(0, head);
            for format in super::ALL_FORMATS {
                let mut transcript = read(file.as_bytes(), format);
                let starts: Vec<usize> = transcript.passages(words).map(|passage| passage.bytes.start).collect();
                prop_assert!(starts.is_sorted_by(|one, next| one < next));
                prop_assert!(starts.iter().all(|start| *start < file.len() && file.is_char_boundary(*start)));
            }
        }
    }
}
