//! Creates the file of a new event, with only the keys that the event needs.

use std::path::Path;

use jiff::{Span, Zoned};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{new_id, quoted};
use model::calendar::{Calendar, CalendarId, EventKind, EventSpan, EventTime};
use model::{Config, Diagnostic, ItemId, Severity, SitePath, Slug, Source};
use source::calendar::{self, CalendarFile};
use source::dates;
use source::fields::Reader;

/// The values that a caller supplies for a new event.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    pub summary: String,
    /// A day (`2026-11-20`) or a time (`2026-11-20 20:00`).
    pub start: String,
    /// The end of the event: a time, or the day after its last day.
    pub end: Option<String>,
    /// The length of the event, instead of `end`: `1h30m`, `2d`.
    pub duration: Option<String>,
    /// The time zone of `start` and `end`, if it is not the calendar's.
    pub zone: Option<String>,
    /// How often the event recurs: `daily`, `weekly`, `monthly`, `yearly`, or a recurrence rule of
    /// RFC 5545.
    pub repeat: Option<String>,
    pub location: Option<String>,
    /// The address of the live stream. It makes the event a live show.
    pub live: Option<String>,
}

/// The file of a new event.
#[derive(Debug)]
pub struct EventFile {
    /// The file's name without the extension. It contains the day, unless the event repeats.
    pub stem: String,
    pub text: String,
    pub warnings: Vec<Diagnostic>,
    /// Warnings about ambiguous values, for which the file contains an unambiguous value. For
    /// example, a time may be skipped or occur twice when the clocks change.
    pub doubts: Vec<Diagnostic>,
}

/// The reason why the event cannot be created.
#[derive(Debug)]
pub struct EventError {
    /// Whether the message is about the duration. Such a message lacks its subject, so callers put
    /// the name of the option before the message.
    pub is_about_duration: bool,
    pub message: String,
}

impl EventError {
    fn new(message: impl Into<String>) -> Self {
        Self { is_about_duration: false, message: message.into() }
    }

    fn duration(message: String) -> Self {
        Self { is_about_duration: true, message }
    }
}

impl NewEvent {
    /// Returns the file of the event for a calendar. The calendar may be new, without a folder.
    pub fn file(
        &self,
        root: &Path,
        config: &Config,
        calendar: &CalendarId,
    ) -> Result<EventFile, EventError> {
        let id = new_id();
        let unnamed = event_path(config, calendar, id.as_str())?;
        // Read the given values as if they were in a file, so that the same rules and messages
        // apply.
        let given = front_matter::compose(&self.fields(), "");
        let (span, doubts) = check(root, config, &unnamed, &given)?;
        let span = EventSpan {
            end: match &self.duration {
                Some(duration) => Some(end_after(&span.start, duration)?),
                None => span.end,
            },
            ..span
        };
        let text = self.text(&id, &span);
        let stem = self.stem(&id, &span.start);
        let (_, warnings) = check(root, config, &event_path(config, calendar, &stem)?, &text)?;
        let is_said = |doubt: &Diagnostic| warnings.iter().any(|one| one.message == doubt.message);
        let doubts = doubts.into_iter().filter(|doubt| !is_said(doubt)).collect();
        Ok(EventFile { stem, text, warnings, doubts })
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let time = |text: &str| match &self.zone {
            Some(zone) if dates::day(text).is_some() => json!({ "date": text, "timeZone": zone }),
            Some(zone) => json!({ "dateTime": text, "timeZone": zone }),
            None => json!(text),
        };
        vec![
            ("summary", json!(self.summary)),
            ("start", time(&self.start)),
            ("end", self.end.as_deref().map_or(Value::Null, time)),
            ("location", json!(self.location)),
            ("recurrence", json!(self.repeat.as_deref().map(rule))),
            ("live", json!(self.live.as_deref().map(live))),
        ]
    }

    fn text(&self, id: &ItemId, span: &EventSpan) -> String {
        let time = |key: &str, time: &EventTime| format!("{key} = {}\n", self.written(time));
        let mut text = format!("+++\nid = \"{id}\"\nsummary = {}\n", quoted(&self.summary));
        text += &time("start", &span.start);
        text += &span.end.as_ref().map_or(String::new(), |end| time("end", end));
        if let Some(rule) = self.repeat.as_deref().map(rule) {
            text += &format!("recurrence = [{}]\n", quoted(&rule));
        }
        if let Some(location) = &self.location {
            text += &format!("location = {}\n", quoted(location));
        }
        if let Some(address) = &self.live {
            text += &format!("\n[[live.contentLinks]]\nhref = {}\n", quoted(address));
        }
        text + "+++\n\n"
    }

    /// Formats a time for a new file: a TOML date, or a table if the event has its own time zone.
    fn written(&self, time: &EventTime) -> String {
        let moment = match time {
            EventTime::Day(day) => return day.to_string(),
            EventTime::Moment(moment) => moment,
        };
        let clock = moment.strftime(if is_unambiguous(moment) {
            "%Y-%m-%dT%H:%M:%S"
        } else {
            "%Y-%m-%dT%H:%M:%S%:z"
        });
        match (&self.zone, moment.time_zone().iana_name()) {
            (Some(_), Some(zone)) => {
                format!("{{ dateTime = {clock}, timeZone = {} }}", quoted(zone))
            }
            _ => clock.to_string(),
        }
    }

    fn stem(&self, id: &ItemId, start: &EventTime) -> String {
        let slug = Slug::from_title(&self.summary);
        let slug = slug.map_or_else(|| id.to_string(), |slug| slug.to_string());
        match self.repeat {
            Some(_) => slug,
            None => format!("{}-{slug}", start.civil().date()),
        }
    }
}

/// Returns the text of `calendar.toml` for a new calendar.
pub fn new_calendar(calendar: &Calendar) -> String {
    let mut words = calendar.id.as_str().replace(['-', '_'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let zone = calendar.time_zone.iana_name().unwrap_or("UTC");
    let (words, zone) = (quoted(&words), quoted(zone));
    format!("summary = {words}\ntimeZone = {zone}\n")
}

/// Returns the path of an event in a calendar's folder.
fn event_path(config: &Config, calendar: &CalendarId, stem: &str) -> Result<SitePath, EventError> {
    let path = format!("{}/{stem}.md", calendar.folder_in(&config.content));
    SitePath::parse(&path).ok_or_else(|| EventError::new(format!("invalid path {path}")))
}

/// Reads an event from this text. Returns its times, and warnings about values that are probably
/// mistakes.
fn check(
    root: &Path,
    config: &Config,
    path: &SitePath,
    text: &str,
) -> Result<(EventSpan, Vec<Diagnostic>), EventError> {
    let reader = Reader::new(Source { path, text }, config, root);
    let read = calendar::read(&reader);
    let (found, _) = reader.finish();
    let error = found.iter().find(|d| d.severity == Severity::Error);
    if let Some(error) = error {
        let help = error.help.as_deref().unwrap_or("correct it");
        return Err(EventError::new(format!("{}; {help}", error.message)));
    }
    match read {
        Some(CalendarFile::Event(event)) => match event.kind {
            EventKind::Own { span, .. } => Ok((span, found)),
            EventKind::Instance { .. } => Err(EventError::new("this is not an event")),
        },
        _ => Err(EventError::new("this is not an event")),
    }
}

/// Returns the end of an event that starts at `start` and takes `duration`.
fn end_after(start: &EventTime, duration: &str) -> Result<EventTime, EventError> {
    let error = |form: &str| EventError::duration(format!("must be {form}, not {duration:?}"));
    let span: Span = duration.parse().map_err(|_| error("a duration such as 1h30m, 90m or 2d"))?;
    if span.is_negative() || span.is_zero() {
        return Err(error("positive"));
    }
    let end = match start {
        EventTime::Day(day) => {
            let days = Span::new().days(span.get_days()).weeks(span.get_weeks());
            if span.fieldwise() != days.fieldwise() {
                return Err(error(
                    "whole days, such as 2d, because the event starts on a day without a time",
                ));
            }
            day.checked_add(span).map(EventTime::Day)
        }
        EventTime::Moment(start) => start.checked_add(span).map(EventTime::Moment),
    };
    end.map_err(|_| error("shorter"))
}

fn rule(text: &str) -> String {
    let name = text.trim().to_ascii_uppercase();
    match name.as_str() {
        "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" => format!("RRULE:FREQ={name}"),
        _ if name.starts_with("FREQ=") => format!("RRULE:{}", text.trim()),
        _ => text.trim().to_owned(),
    }
}

fn live(address: &str) -> Value {
    json!({ "contentLinks": [{ "href": address }] })
}

/// Returns whether the clock shows this time exactly once.
fn is_unambiguous(moment: &Zoned) -> bool {
    let read = moment.time_zone().to_ambiguous_zoned(moment.datetime());
    !read.is_ambiguous()
}
