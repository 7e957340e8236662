//! The chapters of an episode as lines of times and titles. Spotify and YouTube read chapters from
//! such lines in an episode's description.

use super::chapters::titled;
use crate::text::{hhmmss, html_of_text};
use model::Item;

/// Minimum number of chapters, in Spotify and YouTube.
const MIN_CHAPTERS: usize = 3;

/// Minimum length of a chapter in seconds, in YouTube.
const MIN_LENGTH: f64 = 10.0;

/// Maximum difference in seconds between a chapter and its time in a text, which is often rounded.
const TOLERANCE: f64 = 1.0;

/// Returns a paragraph with a line for each chapter: `01:34 The long way round`.
///
/// Returns None if Spotify or YouTube would ignore the lines, or if `html` or the summary already
/// has the times.
pub(super) fn chapter_times(item: &Item, html: &str) -> Option<String> {
    let chapters = long_chapters(item);
    let starts_at_zero = chapters.first().is_some_and(|(start, _)| *start < 1.0);
    if !starts_at_zero || chapters.len() < MIN_CHAPTERS {
        return None;
    }
    let mut known = times_in(html);
    known.extend(times_in(item.summary.as_deref().unwrap_or_default()));
    let is_known = |start: f64| known.iter().any(|time| (time - start).abs() <= TOLERANCE);
    let repeated = chapters.iter().filter(|(start, _)| is_known(*start));
    if 2 * repeated.count() >= chapters.len() {
        return None;
    }
    // All lines have the same form, as in the examples of Spotify.
    let has_hours = chapters.last().is_some_and(|(start, _)| *start >= 3600.0);
    let lines = chapters.iter().map(|(start, title)| {
        let time = hhmmss(*start);
        let time = time.strip_prefix("00:").filter(|_| !has_hours).unwrap_or(&time);
        let words: Vec<&str> = title.split_whitespace().collect();
        format!("{time} {}", html_of_text(&words.join(" ")))
    });
    let lines: Vec<String> = lines.collect();
    Some(format!("<p class=\"chapter-times\" dir=\"auto\">{}</p>", lines.join("<br>\n")))
}

/// Returns the starts and titles of the chapters that are long enough for YouTube. If the first
/// chapters are too short, the next chapter starts at 0.
fn long_chapters(item: &Item) -> Vec<(f64, &str)> {
    let length = item.attachment.as_ref().and_then(|file| file.duration_in_seconds);
    let mut end = length.unwrap_or(f64::INFINITY);
    let mut chapters: Vec<(f64, &str)> = Vec::new();
    for (chapter, title) in titled(&item.podcast.chapters).rev() {
        if end - chapter.start_time >= MIN_LENGTH {
            end = chapter.start_time;
            chapters.push((end, title));
        }
    }
    chapters.reverse();
    if let Some((start, _)) = chapters.first_mut().filter(|(start, _)| *start < MIN_LENGTH) {
        *start = 0.0;
    }
    chapters
}

/// Returns the times in a text in seconds: `1:34`, `(00:01:34)`, `1h2m` or `1 h 2 min 3 s`.
fn times_in(text: &str) -> Vec<f64> {
    let mut times = Vec::new();
    let mut clock: Vec<f64> = Vec::new();
    // A sum of numbers with units, and the last unit.
    let mut spoken: Option<(f64, f64)> = None;
    for (number, after) in numbers(text) {
        if let Some((unit, rest)) = unit(after) {
            let (sum, last) = spoken.take().unwrap_or((0.0, f64::INFINITY));
            let is_part = unit < last;
            times.extend((!is_part).then_some(sum));
            spoken = Some((if is_part { sum } else { 0.0 } + number * unit, unit));
            if !rest.is_empty() {
                times.extend(spoken.take().map(|(sum, _)| sum));
            }
            continue;
        }
        times.extend(spoken.take().map(|(sum, _)| sum));
        clock.push(number);
        if after != ":" {
            times.extend(match clock[..] {
                [minutes, seconds] => Some(minutes * 60.0 + seconds),
                [hours, minutes, seconds] => Some(hours * 3600.0 + minutes * 60.0 + seconds),
                _ => None,
            });
            clock.clear();
        }
    }
    times.extend(spoken.map(|(sum, _)| sum));
    times
}

/// Returns the whole numbers in a text, each with the text up to the next number.
fn numbers(text: &str) -> impl Iterator<Item = (f64, &str)> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let mut rest = &text[text.find(is_digit).unwrap_or(text.len())..];
    std::iter::from_fn(move || {
        let digits = rest.find(|letter| !is_digit(letter)).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let (between, next) = after.split_at(after.find(is_digit).unwrap_or(after.len()));
        rest = next;
        Some((number.parse().ok()?, between))
    })
}

/// Returns the seconds of the unit at the start of a text, and the text after it.
fn unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len()));
    let seconds = match &*word.to_ascii_lowercase() {
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        _ => return None,
    };
    Some((seconds, rest.trim_start_matches([' ', '.', '\u{a0}'])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::times_in;

    #[test]
    fn times_have_several_notations() {
        for (text, expected) in [
            ("1:02", vec![62.0]),
            ("(01:02)", vec![62.0]),
            ("00:01:02: Title, 1:00:00", vec![62.0, 3600.0]),
            ("1h2m", vec![3720.0]),
            ("1h02m03s Sea", vec![3723.0]),
            ("1 h 2 min. 3 s, then 5m", vec![3723.0, 300.0]),
            ("1m 2m", vec![60.0, 120.0]),
            ("2h", vec![7200.0]),
            ("In 2026, 3 hills: 4", vec![]),
            ("1:2:3:4", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(times_in(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_texts_never_panic(text in "[0-9:hms.é ]{0,40}") {
            prop_assert!(times_in(&text).iter().all(|time| *time >= 0.0));
        }
    }
}
