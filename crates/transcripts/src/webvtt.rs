//! Writes WebVTT, and reads its comments.

use std::fmt::Write as _;
use std::ops::Range;

use memchr::memmem;

use super::Cue;
use crate::lines::Lines;

/// Length of a cue whose end is unknown, in milliseconds.
const LENGTH: u64 = 3000;

/// Returns cues as WebVTT. A cue without a start continues the previous cue.
///
/// ```
/// use transcripts::{Format, read, to_webvtt};
///
/// let cues: Vec<_> = read(b"1\n0:01,5 --> 0:02,5\nAna: Q&A\n", Format::Srt).collect();
/// assert_eq!(to_webvtt(&cues), "WEBVTT\n\n00:00:01.500 --> 00:00:02.500\n<v Ana>Q&amp;A\n");
/// ```
#[must_use]
pub fn to_webvtt(cues: &[Cue<'_>]) -> String {
    let mut text = String::from("WEBVTT\n");
    let mut last = 0;
    for (at, cue) in cues.iter().enumerate() {
        let start = cue.start.unwrap_or(last);
        let next = cues[at + 1..].iter().find_map(|next| next.start);
        let end = cue.end.or(next).filter(|end| *end > start).unwrap_or(start + LENGTH);
        let voice = cue.speaker.as_deref();
        let voice = voice.map(|name| format!("<v {}>", name.replace(['<', '>', '&'], " ")));
        let words = cue.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (from, to, voice) = (clock(start), clock(end), voice.unwrap_or_default());
        let _ = write!(text, "\n{from} --> {to}\n{voice}{words}\n");
        last = end;
    }
    text
}

fn clock(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Returns the byte range and the text of each comment above the first cue of a WebVTT file (W3C,
/// section 4.1): a block that starts with `NOTE`.
///
/// ```
/// let file = b"WEBVTT\n\nNOTE by hand\nin 2026\n\n00:01.000 --> 00:02.000\nWords\n";
/// let found: Vec<_> = transcripts::notes(file).collect();
/// assert_eq!(found, [(8..28, "by hand\nin 2026")]);
/// ```
pub fn notes(bytes: &[u8]) -> impl Iterator<Item = (Range<usize>, &str)> {
    let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut lines = Lines { bytes, at };
    let is_webvtt = lines.next().is_some_and(|line| line.text.starts_with(b"WEBVTT"));
    let blocks = std::iter::from_fn(move || block(&mut lines).filter(|_| is_webvtt));
    let is_cue = |range: &Range<usize>| memmem::find(&bytes[range.clone()], b"-->").is_some();
    blocks.take_while(move |range| !is_cue(range)).filter_map(|range| {
        let note = std::str::from_utf8(bytes[range.clone()].strip_prefix(b"NOTE")?).ok()?;
        let is_word = note.is_empty() || note.starts_with(|c: char| c.is_ascii_whitespace());
        is_word.then(|| (range, note.trim()))
    })
}

/// The first word of the comment in a machine-made, unreviewed transcript. Podcasters use the same
/// word in `podcast:txt` for machine-made episodes.
pub const MACHINE_MADE: &str = "ai-content";

/// Returns the byte range of the comment that marks a machine-made transcript.
#[must_use]
pub fn machine_made(bytes: &[u8]) -> Option<Range<usize>> {
    let is_mark = |note: &str| note.split_whitespace().next() == Some(MACHINE_MADE);
    notes(bytes).find(|(_, note)| is_mark(note)).map(|(range, _)| range)
}

/// Returns a transcript without the comment that marks it as machine-made, and without the empty
/// lines after the comment.
///
/// ```
/// let draft = "WEBVTT\n\nNOTE ai-content\nby a program\n\n00:01.000 --> 00:02.000\nWords\n";
/// assert_eq!(transcripts::reviewed(draft), "WEBVTT\n\n00:01.000 --> 00:02.000\nWords\n");
/// ```
#[must_use]
pub fn reviewed(text: &str) -> String {
    let Some(mark) = machine_made(text.as_bytes()) else { return text.to_owned() };
    let rest = text[mark.end..].trim_start_matches(['\r', '\n']);
    format!("{}{rest}", &text[..mark.start])
}

/// Returns the byte range of the next lines up to an empty line.
fn block(lines: &mut Lines<'_>) -> Option<Range<usize>> {
    let first = lines.find(|line| !line.text.is_empty())?;
    let rest = lines.take_while(|line| !line.text.is_empty());
    Some(first.start..rest.last().map_or(first.end(), |line| line.end()))
}
