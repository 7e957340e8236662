//! Roll-up captions: each cue begins with the lines of the previous cue that are still on the
//! screen.
//!
//! Automatic captions, such as YouTube's, have this form: the current line, then the same line for
//! 10 ms, then the line again with the next line below it. Without this detection, all words would
//! be read two or three times. Other captions build up a line word by word, or write all lines on
//! the screen as one line.

use std::borrow::Cow;

use crate::markup::{self, Tags};

/// Number of cues at the start of a file that are examined to decide whether its captions roll up.
const SAMPLE_CUES: usize = 40;

/// Minimum number of roll-up cues among the first [`SAMPLE_CUES`]. Fewer roll-up cues can be
/// coincidences.
const MIN_ROLLUP_CUES: usize = 3;

/// Maximum gap between a cue and the cue that repeats it, in milliseconds.
const MAX_GAP: u64 = 3000;

/// Maximum duration in milliseconds of a holding cue, which only keeps the lines on the screen
/// until the next cue.
const MAX_HOLD_DURATION: u64 = 50;

/// Maximum number of lines that stay on the screen.
const MAX_SCREEN_LINES: usize = 8;

/// Minimum number of repeated words at the start of a cue. Fewer repeated words can be a
/// coincidence.
const MIN_REPEATED_WORDS: usize = 3;

/// Maximum number of words at the start of a cue that are compared with the previous cue.
const MAX_COMPARED_WORDS: usize = 60;

/// State of the detection, based on the cues read so far.
pub(crate) enum RollUpDetection {
    /// The detection is not finished.
    Counting(Box<Counting>),
    /// The captions do not roll up.
    Off,
    /// The captions roll up. Contains the lines of the last cue.
    On(ScreenLines),
}

/// Counters for the cues at the start of a file.
#[derive(Default)]
pub(crate) struct Counting {
    shown: ScreenLines,
    cues: usize,
    /// Number of cues that begin with lines of the previous cue and add lines.
    added_lines: usize,
    /// Number of cues that begin with words of the previous cue and add words.
    added_words: usize,
    /// Whether words have their own times (`<00:00:01.500>`), as in automatic captions.
    has_timed_words: bool,
}

/// The lines that a cue leaves on the screen.
#[derive(Default)]
pub(crate) struct ScreenLines {
    lines: Vec<String>,
    start: u64,
    end: u64,
}

impl RollUpDetection {
    pub(crate) fn is_undecided(&self) -> bool {
        matches!(self, Self::Counting(looking) if looking.cues < SAMPLE_CUES)
    }

    /// Decides whether the captions roll up, based on the cues counted so far. At least a third of
    /// the cues must roll up. A limit of one half would be too strict, because every other cue can
    /// be a holding cue.
    pub(crate) fn decide(self) -> Self {
        let Self::Counting(looking) = self else {
            return self;
        };
        let repeating = looking.added_lines + looking.added_words;
        let is_usual = repeating >= MIN_ROLLUP_CUES && repeating * 3 >= looking.cues;
        match is_usual || looking.has_timed_words && looking.added_lines > 0 {
            true => Self::On(ScreenLines::default()),
            false => Self::Off,
        }
    }

    /// Returns the text of a cue without repeated lines or words, or `None` if there is nothing to
    /// remove.
    pub(crate) fn new_lines(
        &mut self,
        raw: &str,
        start: u64,
        end: u64,
        tags: Tags,
    ) -> Option<String> {
        let shown = match self {
            Self::Off => return None,
            Self::Counting(looking) => &mut looking.shown,
            Self::On(shown) => shown,
        };
        let lines: Vec<String> = raw
            .lines()
            .map(|line| markup::strip_markup(Cow::Borrowed(line), tags).1.into_owned())
            .filter(|line| !line.is_empty())
            .collect();
        let is_held = end.saturating_sub(start) <= MAX_HOLD_DURATION;
        let repeated = shown.repeated(&lines, start, is_held);
        let own = (repeated > 0).then(|| lines[repeated..].join(" "));
        let added_words = match own {
            Some(_) => None,
            None => shown.new_words(&lines, start),
        };
        *shown = ScreenLines { lines, start, end };
        if let Self::Counting(looking) = self {
            looking.cues += 1;
            looking.added_lines += usize::from(repeated > 0 && !is_held);
            looking.added_words += usize::from(added_words.is_some());
            looking.has_timed_words |= has_timed_words(raw);
            return None;
        }
        own.or(added_words)
    }
}

impl ScreenLines {
    /// Returns the number of lines at the start of the next cue, `lines`, that repeat the last
    /// lines of this cue. A repetition of all its lines counts only if the next cue is a holding
    /// cue (`is_held`). Otherwise, the speaker really repeats the words.
    fn repeated(&self, lines: &[String], start: u64, is_held: bool) -> usize {
        if !self.is_followed_by(start) {
            return 0;
        }
        let most = lines.len().min(self.lines.len()).min(MAX_SCREEN_LINES);
        let is_repeated = |count: &usize| self.lines.ends_with(&lines[..*count]);
        if is_held && most == lines.len() && is_repeated(&most) {
            return most;
        }
        let found = (1..=most).find(is_repeated);
        found.filter(|count| *count < lines.len()).unwrap_or(0)
    }

    /// Returns whether a cue with this start follows without a long gap.
    fn is_followed_by(&self, start: u64) -> bool {
        start > self.start && start <= self.end.saturating_add(MAX_GAP)
    }

    /// Returns the words of the next cue, `lines`, without the words repeated from this cue. All
    /// words of this cue can be repeated, or only the last few. Returns `None` if there are no
    /// repeated words, or if no words would remain.
    fn new_words(&self, lines: &[String], start: u64) -> Option<String> {
        if !self.is_followed_by(start) {
            return None;
        }
        let words = |lines: &[String]| -> Vec<String> {
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            words.map(str::to_owned).collect()
        };
        let (before, now) = (words(&self.lines), words(lines));
        let most = before.len().min(now.len().saturating_sub(1)).min(MAX_COMPARED_WORDS);
        let is_repeated = |count: &usize| {
            let is_enough = *count >= MIN_REPEATED_WORDS || *count == before.len();
            is_enough && before.ends_with(&now[..*count])
        };
        let count = (1..=most).rev().find(is_repeated)?;
        Some(now[count..].join(" "))
    }
}

/// Returns whether a caption contains a tag with a time.
fn has_timed_words(text: &str) -> bool {
    let is_time = |(at, _): (usize, &str)| {
        let digits = text.as_bytes().get(at + 1..at + 4);
        matches!(digits, Some([a, b, b':']) if a.is_ascii_digit() && b.is_ascii_digit())
    };
    text.match_indices('<').any(is_time)
}
