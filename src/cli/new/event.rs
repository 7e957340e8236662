//! `feedwright new event`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Unit, Zoned, ZonedRound};
use serde_json::{Value, json};

use super::super::Failure;
use super::super::output::{fail_with, print, say};
use super::{NewFile, config, create, quoted};
use crate::edit;
use crate::model::calendar::{Calendar, CalendarId, EventKind, EventSpan, EventTime};
use crate::model::{Config, Diagnostic, ItemId, Report, Severity, SitePath, Slug, Source};
use crate::site::calendar::{Calendars, calendars};
use crate::source::calendar::{self, CalendarFile};
use crate::source::fields::Reader;
use crate::source::library::read_calendars;

/// What `new event` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Its title
    title: String,
    /// Its calendar, a folder of content/calendars/ [default: the primary or only one]
    #[arg(long, value_name = "ID")]
    calendar: Option<String>,
    /// When it starts: a day (2026-11-20) or a time ("2026-11-20 20:00") [default: the next full hour]
    #[arg(long, value_name = "WHEN")]
    start: Option<String>,
    /// When it ends: a time, or the day after its last
    #[arg(long, value_name = "WHEN", conflicts_with = "duration")]
    end: Option<String>,
    /// How long it takes: 1h30m, 2d
    #[arg(long, value_name = "TIME")]
    duration: Option<String>,
    /// The time zone of its times [default: the calendar's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Make a series: daily, weekly, monthly, yearly, or a rule of RFC 5545 (FREQ=WEEKLY;BYDAY=MO,TH)
    #[arg(long, value_name = "RULE")]
    repeat: Option<String>,
    /// Where it is
    #[arg(long, value_name = "PLACE")]
    location: Option<String>,
    /// Make a live show, which can be heard or seen at this address
    #[arg(long, value_name = "ADDRESS")]
    live: Option<String>,
}

/// A new event; where the site has no calendar yet, one is made.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let config = config(root);
    let calendars = read(root, &config)?;
    let (calendar, is_new) = choose(&calendars, &config, arguments.calendar.as_deref())?;
    let start = match &arguments.start {
        Some(start) => start.clone(),
        None => {
            let zone = arguments.zone.as_deref().map(TimeZone::get);
            next_hour(
                zone.and_then(Result::ok)
                    .unwrap_or(calendar.time_zone.clone()),
            )
        }
    };
    let id = edit::new_id();
    let unnamed = path(&calendar.id, &format!("{id}.md"))?;
    // The arguments are read as if they stood in a file, so that the same rules hold and the same is said of
    // faults.
    let given = front_matter::compose(&fields(arguments, &start), "");
    let (span, doubts) = check(root, &config, &unnamed, &given)?;
    let span = EventSpan {
        end: match &arguments.duration {
            Some(duration) => Some(later(&span.start, duration)?),
            None => span.end,
        },
        ..span
    };
    let text = text(arguments, &id, &span);
    let path = path_of(&calendar.id, arguments, &id, &span.start)?;
    let (_, warnings) = check(root, &config, &path, &text)?;
    print(&warnings, None);
    // Where clocks skip a time or show it twice, the file says how it was read, so there is nothing to doubt.
    let is_said = |doubt: &&Diagnostic| warnings.iter().any(|one| one.message == doubt.message);
    for doubt in doubts.iter().filter(|doubt| !is_said(doubt)) {
        say!("warning: {}", doubt.message);
    }
    if is_new {
        create(root, &new_calendar(&calendar))?;
        say!("made the calendar {}/{}", Calendar::FOLDER, calendar.id);
    }
    if arguments.start.is_none() {
        say!("it starts {start}, until you change `start` in the file");
    }
    let path = PathBuf::from(path.as_str());
    Ok(NewFile { path, text })
}

/// The calendars that there are. One that cannot be read is an error: its zone is not known.
fn read(root: &Path, config: &Config) -> Result<Calendars, Failure> {
    let (files, report) = read_calendars(root, config);
    let is_of_calendar = |error: &Diagnostic| {
        let file = error.file.as_deref().unwrap_or_default();
        error.severity == Severity::Error && file.ends_with(Calendar::FILE)
    };
    let mut wrong = Report::default();
    wrong.extend(report.sorted().into_iter().filter(is_of_calendar));
    if wrong.has_errors() {
        return Err(fail_with(wrong, false, "; nothing was written"));
    }
    let made = calendars(
        root,
        config,
        (files, Arc::default()),
        None,
        &mut Report::default(),
    );
    Ok(Calendars::clone(&made))
}

/// The calendar that is meant, and whether it is to be made.
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
            "there is no calendar {named:?}; there are {}, and a folder in {}/ makes another",
            known.join(", "),
            Calendar::FOLDER
        ))),
        None => Err(Failure::Usage(format!(
            "name one of the calendars with --calendar: {}; or write `primary = true` into the {} of one",
            known.join(", "),
            Calendar::FILE
        ))),
    }
}

/// The next full hour, on the clock of a zone.
fn next_hour(zone: TimeZone) -> String {
    let now = Timestamp::now().to_zoned(zone);
    let up = ZonedRound::new()
        .smallest(Unit::Hour)
        .mode(jiff::RoundMode::Ceil);
    let hour = now.round(up).unwrap_or(now);
    hour.strftime("%Y-%m-%d %H:%M").to_string()
}

/// What was given, as the fields of an event.
fn fields(arguments: &Arguments, start: &str) -> Vec<(&'static str, Value)> {
    let time = |text: &str| match &arguments.zone {
        Some(zone) if is_day(text) => json!({ "date": text, "timeZone": zone }),
        Some(zone) => json!({ "dateTime": text, "timeZone": zone }),
        None => json!(text),
    };
    vec![
        ("summary", json!(arguments.title)),
        ("start", time(start)),
        ("end", arguments.end.as_deref().map_or(Value::Null, time)),
        ("location", json!(arguments.location)),
        ("recurrence", json!(arguments.repeat.as_deref().map(rule))),
        ("live", json!(arguments.live.as_deref().map(live))),
    ]
}

fn is_day(text: &str) -> bool {
    crate::source::dates::day(text).is_some()
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

/// The times of the event whose file is this text, and warnings of what is hardly meant.
fn check(
    root: &Path,
    config: &Config,
    path: &SitePath,
    text: &str,
) -> Result<(EventSpan, Vec<Diagnostic>), Failure> {
    let reader = Reader::new(Source { path, text }, config, root);
    let read = calendar::read(&reader);
    let (found, _) = reader.finish();
    let wrong = found.iter().find(|d| d.severity == Severity::Error);
    if let Some(wrong) = wrong {
        let help = wrong.help.as_deref().unwrap_or("change it");
        return Err(Failure::Usage(format!("{}; {help}", wrong.message)));
    }
    match read {
        Some(CalendarFile::Event(event)) => match event.kind {
            EventKind::Own { span, .. } => Ok((span, found)),
            EventKind::Instance { .. } => Err(Failure::Usage("this is no event".into())),
        },
        _ => Err(Failure::Usage("this is no event".into())),
    }
}

/// When something ends that takes this long.
fn later(start: &EventTime, duration: &str) -> Result<EventTime, Failure> {
    let wrong = |form: &str| Failure::Usage(format!("--duration takes {form}, not {duration:?}"));
    let span: Span = duration.parse().map_err(|_| wrong("1h30m, 90m or 2d"))?;
    if span.is_negative() || span.is_zero() {
        return Err(wrong("a time ahead"));
    }
    let end = match start {
        EventTime::Day(day) => {
            let days = Span::new().days(span.get_days()).weeks(span.get_weeks());
            if span.fieldwise() != days.fieldwise() {
                return Err(wrong("days where the event starts with a day, like 2d"));
            }
            day.checked_add(span).map(EventTime::Day)
        }
        EventTime::Moment(start) => start.checked_add(span).map(EventTime::Moment),
    };
    end.map_err(|_| wrong("less"))
}

/// The file of an event.
fn text(arguments: &Arguments, id: &ItemId, span: &EventSpan) -> String {
    let time = |key: &str, time: &EventTime| format!("{key} = {}\n", written(arguments, time));
    let mut text = format!(
        "+++\nid = \"{id}\"\nsummary = {}\n",
        quoted(&arguments.title)
    );
    text += &time("start", &span.start);
    text += &span
        .end
        .as_ref()
        .map_or(String::new(), |end| time("end", end));
    if let Some(rule) = arguments.repeat.as_deref().map(rule) {
        text += &format!("recurrence = [{}]\n", quoted(&rule));
    }
    if let Some(location) = &arguments.location {
        text += &format!("location = {}\n", quoted(location));
    }
    if let Some(address) = &arguments.live {
        text += &format!("\n[[live.contentLinks]]\nhref = {}\n", quoted(address));
    }
    text + "+++\n\n"
}

/// A time as a new file has it: TOML's own dates, and a table where it names a zone.
fn written(arguments: &Arguments, time: &EventTime) -> String {
    let moment = match time {
        EventTime::Day(day) => return day.to_string(),
        EventTime::Moment(moment) => moment,
    };
    let clock = moment.strftime(if is_clear(moment) {
        "%Y-%m-%dT%H:%M:%S"
    } else {
        "%Y-%m-%dT%H:%M:%S%:z"
    });
    match (&arguments.zone, moment.time_zone().iana_name()) {
        (Some(_), Some(zone)) => {
            format!("{{ dateTime = {clock}, timeZone = {} }}", quoted(zone))
        }
        _ => clock.to_string(),
    }
}

/// Whether a clock shows this time once.
fn is_clear(moment: &Zoned) -> bool {
    let read = moment.time_zone().to_ambiguous_zoned(moment.datetime());
    !read.is_ambiguous()
}

fn path(calendar: &CalendarId, name: &str) -> Result<SitePath, Failure> {
    let path = format!("{}/{calendar}/{name}", Calendar::FOLDER);
    SitePath::parse(&path).ok_or_else(|| Failure::Usage(format!("{path} is no path")))
}

/// Where an event is written: one that comes once has its day in its name.
fn path_of(
    calendar: &CalendarId,
    arguments: &Arguments,
    id: &ItemId,
    start: &EventTime,
) -> Result<SitePath, Failure> {
    let slug = Slug::from_title(&arguments.title);
    let slug = slug.map_or_else(|| id.to_string(), |slug| slug.to_string());
    let name = match arguments.repeat {
        Some(_) => slug,
        None => format!("{}-{slug}", start.civil().date()),
    };
    path(calendar, &format!("{name}.md"))
}

fn new_calendar(calendar: &Calendar) -> NewFile {
    let mut words = calendar.id.as_str().replace(['-', '_'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let zone = calendar.time_zone.iana_name().unwrap_or("UTC");
    NewFile {
        path: PathBuf::from(format!(
            "{}/{}/{}",
            Calendar::FOLDER,
            calendar.id,
            Calendar::FILE
        )),
        text: format!(
            "summary = {}\ntimeZone = {}\n",
            quoted(&words),
            quoted(zone)
        ),
    }
}
