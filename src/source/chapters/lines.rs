//! Reader of chapters as lines: `12:30 Title <https://example.com/>`.

use super::{ChapterPlace, Fault, Placed};
use model::chapter::Chapter;

/// Separators that are allowed between the time and the title.
const SEPARATORS: [char; 4] = ['-', '–', '—', '|'];

pub(super) fn parse(text: &str) -> Placed {
    let (mut chapters, mut faults) = (Vec::new(), Vec::new());
    let (mut offset, mut index) = (0, 0);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let place = ChapterPlace { index, start, end: start };
        index += 1;
        match parse_line(content) {
            Ok(chapter) => chapters.push((chapter, place)),
            Err(error) => {
                faults.push(Fault::new(start + error.at, error.message, Some(error.help)));
            }
        }
    }
    (chapters, faults)
}

/// The error in a time, and its byte offset within the time.
#[derive(Debug)]
pub struct TimeError {
    at: usize,
    message: &'static str,
    help: &'static str,
}

fn parse_line(line: &str) -> Result<Chapter, TimeError> {
    let (time, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let start_time = parse_start(time.trim_end_matches(SEPARATORS))?;
    let (title, url) = split_url(without_separator(rest.trim()));
    Ok(Chapter {
        start_time,
        title: (!title.is_empty()).then(|| title.to_owned()),
        url: url.map(str::to_owned),
        ..Chapter::default()
    })
}

/// Parses the time of a line: `1:30`, `[1:30]`, `1:30,5`, or `90.5` seconds. A number without
/// decimals may be a chapter number, so it is not accepted as a time.
fn parse_start(text: &str) -> Result<f64, TimeError> {
    let inner = text.trim_start_matches(['[', '(']);
    let skipped = text.len() - inner.len();
    let time = inner.trim_end_matches([']', ')']).replace(',', ".");
    let read = match time.contains('.') && !time.contains(':') {
        true => parse_seconds(&time),
        false => parse_time(&time),
    };
    read.map_err(|error| TimeError { at: error.at + skipped, ..error })
}

/// Removes the separator before a title. A separator without a space after it is kept, because it
/// belongs to the title (`-5 degrees`).
fn without_separator(rest: &str) -> &str {
    match rest.strip_prefix(SEPARATORS) {
        Some(title) if title.is_empty() || title.starts_with(char::is_whitespace) => {
            title.trim_start()
        }
        _ => rest,
    }
}

fn split_url(title: &str) -> (&str, Option<&str>) {
    let address = || {
        let (before, after) = title.strip_suffix('>')?.rsplit_once('<')?;
        let is_web = after.starts_with("https://") || after.starts_with("http://");
        let is_whole = !after.contains(char::is_whitespace);
        let stands_alone = before.is_empty() || before.ends_with(char::is_whitespace);
        (is_web && is_whole && stands_alone).then(|| (before.trim_end(), Some(after)))
    };
    address().unwrap_or((title, None))
}

/// Parses a time in seconds, as the value of a key: `90`, `90.5`, `1:30` or `1:02:30`.
pub fn parse_seconds(text: &str) -> Result<f64, TimeError> {
    let text = text.trim();
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    match text.parse() {
        Ok(seconds) if is_digits(whole) && is_digits(decimals) => Ok(seconds),
        _ => parse_time(text),
    }
}

/// Parses `minutes:seconds` or `hours:minutes:seconds`, with up to nine decimals. Returns seconds.
fn parse_time(text: &str) -> Result<f64, TimeError> {
    const LINE_FORMAT_HELP: &str = "start the line with minutes:seconds or hours:minutes:seconds, as in `1:02:30 Title`; # starts a comment";
    let shape = |at| TimeError { at, message: "this is not a time", help: LINE_FORMAT_HELP };
    let (clock, decimals) = match text.split_once('.') {
        Some((clock, decimals)) => (clock, Some(decimals)),
        None => (text, None),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let (hours, minutes, seconds) = match parts[..] {
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return Err(shape(0)),
    };
    let number = |digits: &str, at: usize, max: usize| {
        let is_number =
            (1..=max).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse::<u32>() {
            Ok(value) if is_number => Ok(value),
            _ => Err(shape(at)),
        }
    };
    let seconds_at = clock.len() - seconds.len();
    let minutes_at = seconds_at - 1 - minutes.len();
    let hours = number(hours, 0, 4)?;
    // `75:00` is rejected, because it may mean 75 minutes or be a mistake for 7:50:00.
    let minutes = check_below_sixty(number(minutes, minutes_at, 4)?, minutes_at)?;
    let seconds = check_below_sixty(number(seconds, seconds_at, 4)?, seconds_at)?;
    let whole = hours * 3600 + minutes * 60 + seconds;
    let Some(decimals) = decimals else {
        return Ok(f64::from(whole));
    };
    number(decimals, clock.len() + 1, 9)?;
    // The number is parsed from text, so that `0.1` becomes the f64 nearest to 0.1.
    format!("{whole}.{decimals}").parse().map_err(|_| shape(0))
}

fn check_below_sixty(value: u32, at: usize) -> Result<u32, TimeError> {
    if value < 60 {
        return Ok(value);
    }
    Err(TimeError {
        at,
        message: "minutes and seconds must be at most 59",
        help: "write 75 minutes as 1:15:00",
    })
}
