//! Reads the JSON format of Podcasting 2.0, one segment at a time.

mod scan;

use std::borrow::Cow;

use crate::Cue;
use crate::clock;
use crate::fault::{Faults, excerpt};
use crate::text::{fold_whitespace, utf8};
use scan::{Scanner, SyntaxError, Text};

/// Reader for the cues of a JSON file, with times in seconds:
/// `{"version": "1.0.0", "segments": [{"speaker", "startTime", "endTime", "body"}]}`.
///
/// Also accepts a list of segments, consecutive segments without a list (a part of a file), times
/// as strings, and the keys `start`, `end` and `text`, which some transcription programs write.
/// whisper.cpp writes `transcription` instead of `segments`, and times in milliseconds:
/// `"offsets": {"from": 1000, "to": 2500}`.
pub(crate) struct Json<'a> {
    scanner: Scanner<'a>,
    place: Place,
    /// Whether a syntax error occurred. The reader then continues at the next position that looks
    /// like an object.
    is_lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the list of segments, or in a file that contains only a part of the list.
    Top,
    InList,
    AfterList,
}

/// The result of reading an object.
enum Object<'a> {
    Cue(Cue<'a>),
    /// The top-level object. Its segments follow.
    Whole,
    Nothing,
}

#[derive(Default)]
struct Segment<'a> {
    start: Option<u64>,
    end: Option<u64>,
    speaker: Option<Cow<'a, str>>,
    body: Option<Cow<'a, str>>,
}

impl<'a> Json<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { scanner: Scanner { bytes, at }, place: Place::Top, is_lost: false }
    }

    pub(crate) fn next(&mut self, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        while self.place != Place::AfterList {
            if std::mem::take(&mut self.is_lost) {
                self.scanner.skip_to_object();
            }
            match self.element(faults) {
                Ok(Some(Object::Cue(cue))) => return Some(cue),
                Ok(Some(Object::Whole | Object::Nothing)) => {}
                Ok(None) => break,
                Err(syntax_error) => {
                    self.is_lost = true;
                    faults.report_lost(
                        syntax_error.at, syntax_error.problem, "Correct the JSON here.",
                    );
                }
            }
        }
        None
    }

    /// Reads the next element. Returns `None` at the end of the file.
    fn element(&mut self, faults: &mut Faults<'_>) -> Result<Option<Object<'a>>, SyntaxError> {
        self.scanner.skip_separators();
        let from = self.scanner.at;
        match self.scanner.peek() {
            None if self.place == Place::InList => {
                faults.report_lost(
                    from,
                    "the file ends before its list of segments is closed",
                    "Check whether the end of the file is missing.",
                );
                return Ok(None);
            }
            None => return Ok(None),
            Some(b']') => self.place = Place::AfterList,
            Some(b'[') if self.place == Place::Top => {
                self.scanner.at += 1;
                self.place = Place::InList;
            }
            Some(b'{') => return self.object(faults).map(Some),
            Some(_) => {
                self.scanner.skip_value()?;
                faults.report_lost(
                    from,
                    "this value is not a segment",
                    "Write it as an object with startTime and body.",
                );
            }
        }
        Ok(Some(Object::Nothing))
    }

    fn object(&mut self, faults: &mut Faults<'_>) -> Result<Object<'a>, SyntaxError> {
        let from = self.scanner.at;
        self.scanner.at += 1;
        let mut segment = Segment::default();
        loop {
            self.scanner.skip_separators();
            if self.scanner.peek() == Some(b'}') {
                self.scanner.at += 1;
                return Ok(self.cue(from, segment, faults));
            }
            let key = self.scanner.key()?;
            let is_list = self.scanner.peek() == Some(b'[');
            if matches!(key, b"segments" | b"transcription") && is_list && self.place == Place::Top
            {
                self.scanner.at += 1;
                self.place = Place::InList;
                return Ok(Object::Whole);
            }
            self.field(key, &mut segment, faults)?;
        }
    }

    fn field(
        &mut self,
        key: &[u8],
        segment: &mut Segment<'a>,
        faults: &mut Faults<'_>,
    ) -> Result<(), SyntaxError> {
        let at = self.scanner.at;
        match key {
            b"startTime" | b"start" => segment.start = self.time("startTime", faults)?,
            b"endTime" | b"end" => segment.end = self.time("endTime", faults)?,
            b"offsets" => (segment.start, segment.end) = self.offsets()?,
            b"speaker" => segment.speaker = self.text(faults)?.map(fold_whitespace),
            b"body" | b"text" => {
                let body = self.text(faults)?;
                if body.is_none() {
                    faults.report_lost(at, "body is not a string", "Put it in quotes.");
                }
                segment.body = Some(fold_whitespace(body.unwrap_or_default()));
            }
            _ => self.scanner.skip_value()?,
        }
        Ok(())
    }

    /// Reads a string. Skips any other value and returns `None`.
    fn text(&mut self, faults: &mut Faults<'_>) -> Result<Option<Cow<'a, str>>, SyntaxError> {
        if self.scanner.peek() != Some(b'"') {
            self.scanner.skip_value()?;
            return Ok(None);
        }
        let Text { raw, has_escapes } = self.scanner.string()?;
        let text = utf8(raw, self.scanner.at - raw.len() - 1, faults);
        Ok(Some(match has_escapes {
            true => Cow::Owned(scan::unescape(&text)),
            false => text,
        }))
    }

    /// Reads a time, and returns it in milliseconds. The time can be a number of seconds or a
    /// string such as `00:01:02.5`.
    fn time(&mut self, name: &str, faults: &mut Faults<'_>) -> Result<Option<u64>, SyntaxError> {
        let at = self.scanner.at;
        self.scanner.skip_value()?;
        let raw = self.scanner.bytes[at..self.scanner.at].trim_ascii();
        if raw == b"null" {
            return Ok(None);
        }
        let text = raw.strip_prefix(b"\"").unwrap_or(raw);
        let text = text.strip_suffix(b"\"").unwrap_or(text);
        let time = seconds(text).or_else(|| clock::whole(text).map(|clock| clock.at));
        if time.is_none() {
            faults.report_kept(
                at,
                format!("{name} {} is not a time", excerpt(raw)),
                "Write the number of seconds, such as 62.5.",
            );
        }
        Ok(time)
    }

    /// Reads the start and the end in milliseconds. Skips any other value.
    fn offsets(&mut self) -> Result<(Option<u64>, Option<u64>), SyntaxError> {
        if self.scanner.peek() != Some(b'{') {
            self.scanner.skip_value()?;
            return Ok((None, None));
        }
        self.scanner.at += 1;
        let (mut start, mut end) = (None, None);
        loop {
            self.scanner.skip_separators();
            if self.scanner.peek() == Some(b'}') {
                self.scanner.at += 1;
                return Ok((start, end));
            }
            let key = self.scanner.key()?;
            let at = self.scanner.at;
            self.scanner.skip_value()?;
            let number = std::str::from_utf8(&self.scanner.bytes[at..self.scanner.at]);
            let number = number.ok().and_then(|text| text.trim().parse().ok());
            let number = number.filter(|number| *number < MAX_TIME);
            match key {
                b"from" => start = number,
                b"to" => end = number,
                _ => {}
            }
        }
    }

    fn cue(&self, from: usize, segment: Segment<'a>, faults: &mut Faults<'_>) -> Object<'a> {
        let Some(text) = segment.body else {
            faults.report_lost(
                from,
                match self.place {
                    Place::Top => "the object has no segments",
                    Place::InList | Place::AfterList => "the segment has no body",
                },
                "Write a transcript as {\"version\": \"1.0.0\", \"segments\": [{\"startTime\": 0.5, \"body\": \"…\"}]}.",
            );
            return Object::Nothing;
        };
        if text.is_empty() {
            return Object::Nothing;
        }
        Object::Cue(Cue {
            start: segment.start,
            end: segment.end,
            speaker: segment.speaker.filter(|name| !name.is_empty()),
            text,
            bytes: from..self.scanner.at,
        })
    }
}

/// A million hours in milliseconds.
const MAX_TIME: u64 = 3_600_000_000_000;

/// Converts a number of seconds to milliseconds. The maximum is a million hours.
fn seconds(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() < 40)?;
    let seconds: f64 = text.parse().ok()?;
    (0.0..3.6e9).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}
