//! The chapters of an episode as lines of times and titles. Spotify and YouTube read chapters from
//! such lines in an episode's description.

use std::collections::HashSet;

use super::chapters::titled;
use crate::text::{clock, hhmmss, html_of_text};
use model::Item;

/// Minimum number of chapters, in Spotify and YouTube.
const MIN_CHAPTERS: usize = 3;

/// Minimum length of a chapter in seconds, in YouTube.
const MIN_LENGTH: f64 = 10.0;

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
    let repeated = chapters.iter().filter(|(start, _)| known.contains(&clock(*start)));
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

/// Returns the times in a text, such as `1:34` for `(00:01:34)`.
fn times_in(text: &str) -> HashSet<String> {
    let runs = text.split(|letter: char| letter != ':' && !letter.is_ascii_digit());
    let times = runs.filter_map(|run| {
        let parts: Option<Vec<u32>> =
            run.trim_end_matches(':').split(':').map(|part| part.parse().ok()).collect();
        let seconds = match parts?[..] {
            [minutes, seconds] => f64::from(minutes) * 60.0 + f64::from(seconds),
            [hours, minutes, seconds] => {
                f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + f64::from(seconds)
            }
            _ => return None,
        };
        Some(clock(seconds))
    });
    times.collect()
}
