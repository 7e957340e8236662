//! Chapters: JSON of several programs, Podlove's XML, labels, markers, metadata and lines.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use super::{first, is_transcript};
use crate::chapters::{self, Format, parse_seconds};
use model::chapter::Chapter;
use transcripts::Format as Captions;

/// Maximum length of the titles of a list of chapters, on average. Longer ones are what is said.
const MAX_TITLE: usize = 100;

/// Returns the chapters of a file, in playing order. Returns None if it has none.
pub fn parse(name: &str, text: &str) -> Option<Vec<Chapter>> {
    if is_transcript(name, text) {
        return None;
    }
    let mut found = match text.trim_start().as_bytes() {
        [b'{' | b'[', ..] if serde_json::from_str::<Value>(text).is_ok() => json_chapters(text),
        [b'<', ..] => xml(text),
        [b';', ..] if text.trim_start().starts_with(";FFMETADATA") => metadata(text),
        _ if text.contains("-->") => cues(text),
        _ => labels(text).or_else(|| comments(text)).or_else(|| lines(text)),
    }?;
    found.retain(|chapter| chapter.check(0.0).is_ok());
    found.sort_by(|a, b| a.start_time.total_cmp(&b.start_time));
    Some(found).filter(|found| !found.is_empty())
}

fn chapter(start_time: f64, title: &str) -> Chapter {
    let title = title.trim();
    Chapter {
        start_time,
        title: (!title.is_empty()).then(|| title.to_owned()),
        ..Chapter::default()
    }
}

/// Reads JSON chapters, and the JSON of Podlove, Auphonic and ffprobe.
fn json_chapters(text: &str) -> Option<Vec<Chapter>> {
    let whole: Value = serde_json::from_str(text).ok()?;
    let list = whole.get("chapters").unwrap_or(&whole).as_array()?;
    if list.iter().any(|own| own.get("startTime").is_some()) {
        // A transcript has `body`.
        let is_spoken = list.iter().any(|own| own.get("body").is_some());
        let parsed = chapters::parse(text, Format::Json).ok().filter(|_| !is_spoken);
        return parsed.map(|parsed| parsed.chapters);
    }
    let chapters = list.iter().filter_map(|own| {
        let start = match first(own, &["start", "start_time", "time"])? {
            Value::String(text) => parse_seconds(text).ok()?,
            number => number.as_f64()?,
        };
        let tags = own.get("tags").unwrap_or(own);
        let string = |keys: &[&str]| {
            let text = first(own, keys).or_else(|| first(tags, keys))?.as_str()?;
            (!text.is_empty()).then(|| text.to_owned())
        };
        let title = string(&["title", "name"])?;
        Some(Chapter {
            url: string(&["url", "href"]),
            img: string(&["img", "image"]),
            ..chapter(start, &title)
        })
    });
    Some(chapters.collect())
}

/// Reads Podlove's simple chapters, also in a feed, and markers of Hindenburg.
fn xml(text: &str) -> Option<Vec<Chapter>> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut found = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => found.extend(element(&start)),
            Event::Eof => return Some(found),
            _ => {}
        }
    }
}

fn element(start: &BytesStart<'_>) -> Option<Chapter> {
    let attribute = |name: &str| {
        let value = start.try_get_attribute(name).ok()??;
        let value = value.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?;
        (!value.is_empty()).then(|| value.into_owned())
    };
    let (time, title) = match start.local_name().as_ref() {
        "chapter" => (attribute("start")?, attribute("title")),
        "Marker" => (attribute("Time")?, attribute("Name")),
        _ => return None,
    };
    let start_time = parse_seconds(&time).ok()?;
    let (url, img) = (attribute("href"), attribute("image"));
    Some(Chapter { url, img, ..chapter(start_time, &title.unwrap_or_default()) })
}

/// Reads ffmetadata: sections `[CHAPTER]` with `TIMEBASE=1/1000`, `START=` and `title=`.
fn metadata(text: &str) -> Option<Vec<Chapter>> {
    let sections = text.split("[CHAPTER]").skip(1);
    let chapters = sections.filter_map(|section| {
        let own = section.split("\n[").next()?;
        let value = |name: &str| {
            let mut lines = own.lines().filter_map(|line| line.split_once('='));
            lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
        };
        let number = |text: &str| text.parse::<f64>().ok();
        let (above, below) = value("TIMEBASE").unwrap_or("1/1000000000").split_once('/')?;
        let start = number(value("START")?)? * number(above)? / number(below)?;
        // Special characters are escaped by a backslash.
        Some(chapter(start, &value("title").unwrap_or_default().replace('\\', "")))
    });
    Some(chapters.collect())
}

/// Reads captions in which each cue is a chapter.
fn cues(text: &str) -> Option<Vec<Chapter>> {
    let format = Captions::of("", "", text.as_bytes());
    let cues = transcripts::read(text.as_bytes(), format);
    #[expect(clippy::cast_precision_loss, reason = "times in milliseconds are below 2^52")]
    let chapters = cues.filter_map(|cue| Some(chapter(cue.start? as f64 / 1000.0, &cue.text)));
    Some(chapters.collect())
}

/// Reads labels of Audacity: start, end and title, separated by tabs. Ranges of frequencies begin
/// with a backslash.
fn labels(text: &str) -> Option<Vec<Chapter>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('\\'));
    let parse = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let mut number = || parts.next()?.trim().replace(',', ".").parse::<f64>().ok();
        let (start, _) = (number()?, number()?);
        Some(chapter(start, parts.next().unwrap_or_default()))
    };
    lines.map(parse).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Reads Vorbis comments: `CHAPTER001=0:01:00.000` and `CHAPTER001NAME=Title`.
fn comments(text: &str) -> Option<Vec<Chapter>> {
    let pairs = || text.lines().filter_map(|line| line.trim().split_once('='));
    let names: HashMap<&str, &str> =
        pairs().filter_map(|(key, title)| Some((key.strip_suffix("NAME")?, title))).collect();
    let chapters = pairs().filter_map(|(key, value)| {
        let number = key.strip_prefix("CHAPTER")?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        let title = names.get(key).copied().unwrap_or_default();
        Some(chapter(parse_seconds(value).ok()?, title))
    });
    Some(chapters.collect::<Vec<_>>()).filter(|all| !all.is_empty())
}

/// Reads lines such as `1:30 Title`, if they are the greater part of the text.
fn lines(text: &str) -> Option<Vec<Chapter>> {
    let chapters::Parsed { chapters, faults } = chapters::parse(text, Format::Lines).ok()?;
    let length: usize = chapters.iter().filter_map(|own| own.title.as_ref()).map(String::len).sum();
    let is_list = faults.len() < chapters.len() && length / chapters.len() <= MAX_TITLE;
    is_list.then_some(chapters)
}
