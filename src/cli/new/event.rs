//! `feedwright new event`: creates the file of an event.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit, ZonedRound};

use super::super::output::{fail_with, print, say};
use super::super::{Failure, shows};
use super::{NewFile, OTHER_TITLE, config, create};
use edit::{self, EventError, NewEvent};
use model::calendar::{Calendar, CalendarId};
use model::content_folder::CALENDARS;
use model::{Config, Diagnostic, Report, Severity};
use site::calendar::{Calendars, calendars};
use source::library::read_calendars;

/// The arguments of `new event`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new event "Boat trip" --start 2026-11-20
  feedwright new event "Office hours" --duration 45m --repeat weekly"#)]
pub struct Arguments {
    /// Title of the event
    title: String,
    /// ID of the calendar [default: the primary or only calendar]
    #[arg(long, value_name = "ID")]
    calendar: Option<String>,
    /// Start, such as 2026-11-20 or "2026-11-20 20:00" [default: next full hour]
    #[arg(long, value_name = "DATE")]
    start: Option<String>,
    /// End time, or the day after the last day
    #[arg(long, value_name = "DATE", conflicts_with = "duration")]
    end: Option<String>,
    /// Duration, such as 1h30m or 2d
    #[arg(long, value_name = "DURATION")]
    duration: Option<String>,
    /// Time zone, such as Europe/Berlin [default: the calendar's time zone]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Repeat daily, weekly, monthly, yearly or by an RFC 5545 rule
    #[arg(long, value_name = "RULE")]
    repeat: Option<String>,
    /// Place of the event
    #[arg(long, value_name = "PLACE")]
    location: Option<String>,
    /// Create the event in this show: a folder of shows/
    #[arg(long, value_name = "SHOW")]
    show: Option<String>,
    /// Make the event a live show at this URL
    #[arg(long, value_name = "URL")]
    live: Option<String>,
}

/// Returns the file of a new event. If the site has no calendar, creates one.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let config = shows::config(root, config(root), arguments.show.as_deref())?;
    let calendars = read(root, &config)?;
    let (calendar, is_new) = choose(&calendars, &config, arguments.calendar.as_deref())?;
    let start = match &arguments.start {
        Some(start) => start.clone(),
        None => {
            let zone = arguments.zone.as_deref().map(TimeZone::get);
            next_hour(zone.and_then(Result::ok).unwrap_or(calendar.time_zone.clone()))
        }
    };
    let event = new_event(arguments, &start);
    let event_file = event.file(root, &config, &calendar.id).map_err(failure)?;
    print(&event_file.warnings, None);
    for warning in &event_file.doubts {
        say!("warning: {}", warning.message);
    }
    let folder = calendar.id.folder_in(&config.content);
    if is_new {
        let path = PathBuf::from(calendar.id.file_in(&config.content));
        let text = edit::new_calendar(&calendar);
        create(root, &NewFile { path, text, if_taken: OTHER_TITLE })?;
        say!("created the calendar {folder}");
    }
    if arguments.start.is_none() {
        say!("the event starts at {start}; to change the time, edit `start` in the file");
    }
    Ok(NewFile {
        path: PathBuf::from(format!("{folder}/{}.md", event_file.stem)),
        text: event_file.text,
        if_taken: OTHER_TITLE,
    })
}

fn new_event(arguments: &Arguments, start: &str) -> NewEvent {
    NewEvent {
        summary: arguments.title.clone(),
        start: start.to_owned(),
        end: arguments.end.clone(),
        duration: arguments.duration.clone(),
        zone: arguments.zone.clone(),
        repeat: arguments.repeat.clone(),
        location: arguments.location.clone(),
        live: arguments.live.clone(),
    }
}

fn failure(no_event: EventError) -> Failure {
    let EventError { is_about_duration, message } = no_event;
    Failure::Usage(match is_about_duration {
        true => format!("--duration {message}"),
        false => message,
    })
}

/// Reads the existing calendars. Returns an error if a calendar is unreadable, because its time
/// zone is unknown.
fn read(root: &Path, config: &Config) -> Result<Calendars, Failure> {
    let (files, report) = read_calendars(root, config);
    let is_of_calendar = |error: &Diagnostic| {
        let file = error.file.as_deref().unwrap_or_default();
        error.severity == Severity::Error && file.ends_with(Calendar::FILE)
    };
    let mut failure = Report::default();
    failure.extend(report.sorted().into_iter().filter(is_of_calendar));
    if failure.has_errors() {
        return Err(fail_with(failure, false, "; nothing was written"));
    }
    let event_file = calendars(root, config, (files, Arc::default()), None, &mut Report::default());
    Ok(Calendars::clone(&event_file))
}

/// Returns the calendar for the event, and whether the calendar must be created.
fn choose(
    calendars: &Calendars,
    config: &Config,
    named: Option<&str>,
) -> Result<(Calendar, bool), Failure> {
    if let Some(entry) = calendars.find(named.unwrap_or(CalendarId::PRIMARY)) {
        return Ok((entry.calendar.clone(), false));
    }
    let known = calendars.all.iter().map(|entry| entry.calendar.id.as_str());
    let known: Vec<&str> = known.collect();
    match named {
        _ if known.is_empty() => {
            let id = CalendarId::parse(named.unwrap_or("events"));
            let id = id.map_err(|error| Failure::Usage(error.to_string()))?;
            Ok((Calendar::new(id, config.timezone.clone()), true))
        }
        Some(named) => Err(Failure::Usage(format!(
            "there is no calendar {named:?}; the calendars are {}; to add one, create a folder in {}/",
            known.join(", "),
            config.content.join(CALENDARS)
        ))),
        None => Err(Failure::Usage(format!(
            "no calendar is marked as primary: choose one with --calendar ({}), or write `primary = true` in its {}",
            known.join(", "),
            Calendar::FILE
        ))),
    }
}

/// Returns the next full hour in a time zone.
fn next_hour(zone: TimeZone) -> String {
    let now = Timestamp::now().to_zoned(zone);
    let up = ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Ceil);
    let hour = now.round(up).unwrap_or(now);
    hour.strftime("%Y-%m-%d %H:%M").to_string()
}
