//! The calendar view: items and pages by date, and the events of calendars.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;
use serde_json::{Value, json};

use super::files::status;
use super::kind::FileKind;
use super::on_disk::begin;
use super::shows::Chosen;
use super::{Answer, EDITOR};
use api_shared::{ApiError, Step, Writing, check_inside_site};
use edit::{EventError, NewEvent, new_calendar};
use model::calendar::{Calendar, CalendarId, EventTime};
use model::content_folder::CALENDARS;
use model::{ContentFolder, Diagnostic, Severity, SitePath, Status};
use server::App;
use site::Snapshot;
use site::calendar::{CalendarEntry, Occurrence, Series};
use source::schema::Kind;

/// Maximum number of days in a request. A month with its adjacent weeks has 42.
const MAX_DAYS: i32 = 62;

/// Maximum number of occurrences to return for each calendar.
const MAX_OCCURRENCES: usize = 1000;

/// Maximum number of occurrences to return for a series.
const MAX_TIMES: usize = 6;

/// A range of days. The last day is exclusive.
#[derive(Debug, Deserialize)]
pub struct Days {
    from: Date,
    until: Date,
    #[serde(flatten)]
    chosen: Chosen,
}

impl Days {
    /// Returns the two days as strings that sort chronologically. Returns an error if the range is
    /// empty or too long.
    fn checked_days(&self) -> Result<(String, String), ApiError> {
        let long = self.from.until(self.until).map(|span| span.get_days());
        let is_short = long.is_ok_and(|days| (1..=MAX_DAYS).contains(&days));
        match is_short && self.from.year() > 0 {
            true => Ok((self.from.to_string(), self.until.to_string())),
            false => {
                Err(ApiError::bad(format!("until: must be 1 to {MAX_DAYS} days after `from`")))
            }
        }
    }
}

/// A request to create an event.
#[derive(Debug, Deserialize)]
pub struct NewEventRequest {
    /// The id of the event's calendar. A missing calendar is created.
    calendar: String,
    event: NewEvent,
    /// The show of the event.
    #[serde(flatten)]
    chosen: Chosen,
}

/// Returns the chosen show's entries on these days, drafts without a date, the calendars, and the
/// errors in calendar files.
pub fn entries_between(app: &App, days: &Days) -> Answer {
    let (from, until) = days.checked_days()?;
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let zone = &snapshot.config.timezone;
    let chosen = &days.chosen;
    let calendars = chosen
        .parts(snapshot)
        .into_iter()
        .flat_map(|part| part.calendars.all.iter().map(move |entry| (&part.config.content, entry)));
    let calendars: Vec<(&ContentFolder, &CalendarEntry)> = calendars.collect();
    let (dated, undated): (Vec<Value>, Vec<Value>) =
        files(snapshot, chosen).partition(|file| !file["first"].is_null());
    let mut entries = dated;
    let mut more = false;
    for (_, entry) in &calendars {
        let at = |day: Date| EventTime::Day(day).instant(entry.zone());
        // The lower bound is exclusive. An event without duration at the start of the first day
        // would end exactly at the bound, so the bound is one second earlier.
        let before = at(days.from).checked_sub(SignedDuration::from_secs(1));
        let before = before.unwrap_or(Timestamp::MIN);
        let found = entry.between(before, at(days.until), MAX_OCCURRENCES + 1, &|_| true);
        more |= found.len() > MAX_OCCURRENCES;
        let found = found.iter().take(MAX_OCCURRENCES);
        entries.extend(found.map(|occurrence| event(entry, occurrence)));
    }
    entries.retain(|one| {
        let day = |key: &str| one[key].as_str().unwrap_or_default();
        day("first") < until.as_str() && day("last") >= from.as_str()
    });
    let is_draft = |file: &Value| file["status"] == "draft";
    let undated: Vec<Value> = undated.into_iter().filter(is_draft).collect();
    Ok(json!({
        "today": snapshot.now.to_zoned(zone.clone()).date(),
        "zone": name_of(zone),
        "entries": entries,
        "more": more,
        "undated": undated,
        "calendars": calendars.into_iter().map(calendar).collect::<Vec<Value>>(),
        "faults": faults(&moment.faults, |file| {
            ContentFolder::inner(CALENDARS, file).is_some() && chosen.has(file)
        }),
    }))
}

/// Returns items and pages with their publication dates.
fn files(snapshot: &Snapshot, chosen: &Chosen) -> impl Iterator<Item = Value> {
    let file = |kind: &str, path: &SitePath, title: &str, own: Status, date: Option<Timestamp>| {
        let at = date.map(|date| date.to_zoned(snapshot.config.timezone.clone()));
        json!({
            "kind": kind,
            "path": path,
            "title": title,
            "status": status(own, date, snapshot.now),
            "first": at.as_ref().map(Zoned::date),
            "last": at.as_ref().map(Zoned::date),
            // A date without a time is parsed as midnight, so midnight is not shown as a time.
            "start": at.as_ref().map(local_time).filter(|local_time| local_time != "00:00"),
        })
    };
    let items = snapshot.entries.iter().filter(|entry| chosen.has(entry.item.source.as_str()));
    let items = items.map(move |entry| {
        let item = &entry.item;
        file("item", &item.source, &item.title, item.status, item.date_published)
    });
    let pages = chosen.parts(snapshot).into_iter().flat_map(|part| &part.pages);
    let pages = pages.filter_map(move |entry| {
        let page = &entry.page;
        let path = page.source.as_ref()?;
        Some(file("page", path, &page.title, page.status, page.date_published))
    });
    items.chain(pages)
}

/// Returns an occurrence, in the time zone of its calendar.
fn event(entry: &CalendarEntry, occurrence: &Occurrence) -> Value {
    let event = &occurrence.event;
    let mut event_json = span(entry.zone(), occurrence);
    event_json["kind"] = json!("event");
    event_json["path"] = json!(event.source);
    event_json["title"] = json!(event.summary);
    event_json["calendar"] = json!(entry.calendar.summary);
    event_json["is_series"] = json!(occurrence.is_recurring());
    event_json["is_public"] = json!(entry.calendar.is_public && event.visibility().is_public());
    event_json
}

/// Returns the time span and the status of an occurrence.
fn span(zone: &TimeZone, occurrence: &Occurrence) -> Value {
    let (start, end) = (occurrence.start(zone), occurrence.end(zone));
    let local = |at: Timestamp| at.to_zoned(zone.clone());
    // An occurrence that ends at midnight does not include the next day.
    let within = SignedDuration::from_nanos(1);
    let last = end.checked_sub(within).unwrap_or(end).max(start);
    let is_timed = !occurrence.is_all_day();
    json!({
        "first": local(start).date(),
        "last": local(last).date(),
        "start": is_timed.then(|| local_time(&local(start))),
        "end": is_timed.then(|| local_time(&local(end))),
        "status": occurrence.event.status().as_str(),
    })
}

fn local_time(at: &Zoned) -> String {
    at.strftime("%H:%M").to_string()
}

fn name_of(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

fn calendar((content, entry): (&ContentFolder, &CalendarEntry)) -> Value {
    let calendar = &entry.calendar;
    json!({
        "id": calendar.id.as_str(),
        "path": calendar.id.file_in(content),
        "has_file": calendar.source.is_some(),
        "summary": calendar.summary,
        "zone": name_of(&calendar.time_zone),
        "is_primary": calendar.is_primary,
        "is_public": calendar.is_public,
        "events": entry.series.len(),
    })
}

/// Returns the errors in the files for which `is_selected` returns true.
fn faults(all: &[Diagnostic], is_selected: impl Fn(&str) -> bool) -> Vec<&Diagnostic> {
    let faults = all.iter().filter(|fault| {
        fault.severity == Severity::Error && fault.file.as_deref().is_some_and(&is_selected)
    });
    faults.collect()
}

/// Returns the times of the event in a file, and the problems in the file. For a series, leaves out
/// times in the past.
pub fn times(snapshot: &Snapshot, faults: &[Diagnostic], path: &SitePath) -> Value {
    let mut calendars = snapshot.with_shows().flat_map(|part| &part.calendars.all);
    let found = calendars.find_map(|entry| {
        let mut series = entry.series.iter();
        let series = series.find(|series| has_file(series, path))?;
        Some((entry, series))
    });
    let Some((entry, series)) = found else {
        return Value::Null;
    };
    let zone = entry.zone();
    let mut own: Vec<Occurrence> = if series.event.source != *path {
        let changed_instances = series.changed_instances();
        changed_instances.filter(|one| one.event.source == *path).collect()
    } else if series.is_recurring() {
        series.between(zone, snapshot.now, Timestamp::MAX, MAX_TIMES, &|_| true)
    } else {
        series.single().into_iter().collect()
    };
    own.sort_by_cached_key(|occurrence| occurrence.order(zone));
    own.truncate(MAX_TIMES);
    let event = own.first().map_or(&series.event, |one| &one.event);
    let is_over = own.iter().all(|one| one.end(zone) <= snapshot.now);
    json!({
        "zone": name_of(zone),
        "times": own.iter().map(|one| span(zone, one)).collect::<Vec<Value>>(),
        "is_series": series.is_recurring() && series.event.source == *path,
        "is_over": is_over,
        "is_public": entry.calendar.is_public && event.visibility().is_public(),
        "faults": faults.iter().filter(|fault| fault.file.as_deref() == Some(path.as_str())).collect::<Vec<_>>(),
    })
}

fn has_file(series: &Series, path: &SitePath) -> bool {
    let mut changed_instances = series.exceptions.iter();
    series.event.source == *path || changed_instances.any(|one| one.event.source == *path)
}

/// Creates an event, and its calendar if no calendar has this id.
pub fn create(app: &App, request: &NewEventRequest) -> Answer {
    let id = CalendarId::parse(&request.calendar);
    let id = id.map_err(|error| ApiError::bad(format!("calendar: {error}")))?;
    if request.event.summary.trim().is_empty() {
        return Err(ApiError::bad("summary: is required; write a title for the event"));
    }
    let writing = begin(app, "createFile", EDITOR).in_show(request.chosen.show())?;
    let calendar_file = SitePath::new(id.file_in(&writing.before.site.snapshot.config.content));
    let calendar_file =
        calendar_file.ok_or_else(|| ApiError::bad("calendar: not a valid calendar id"))?;
    // The event's times depend on the time zone in the file. If the file is now invalid, its own
    // error is returned.
    let writing = writing.reread(&calendar_file)?;
    let new = calendar_step(&writing, &id, &calendar_file);
    let before = &writing.before;
    let broken = faults(&before.faults, |file| file == calendar_file.as_str());
    if let Some(fault) = broken.first() {
        return Err((*fault).clone().into());
    }
    let root = app.live.root();
    let config = &before.site.snapshot.config;
    let made = request.event.file(root, config, &id);
    let made = made.map_err(event_error)?;
    let path = writing.free_name(&id.folder_in(&config.content), &made.stem, "md")?;
    check_inside_site(root, &path)
        .map_err(|_| ApiError::bad("calendar: its folder is outside the site"))?;
    let check = FileKind::Content(Kind::Event).check();
    let event = Step::create(&path, &made.text, check);
    let steps: Vec<Step<'_>> = new.into_iter().chain([event]).collect();
    writing.write(path.as_str(), Some(&path), &steps)?;
    Ok(json!({ "path": path }))
}

/// Returns the step that creates a calendar's `calendar.toml`, or None if the calendar or
/// the file exists.
fn calendar_step<'s>(writing: &Writing<'_>, id: &CalendarId, path: &SitePath) -> Option<Step<'s>> {
    let snapshot = &writing.before.site.snapshot;
    let is_new = snapshot.calendars.find(id.as_str()).is_none()
        && !path.on_disk(writing.app.live.root()).exists();
    is_new.then(|| {
        let calendar = Calendar::new(id.clone(), snapshot.config.timezone.clone());
        let check = FileKind::Content(Kind::Calendar).check();
        Step::create(path, &new_calendar(&calendar), check)
    })
}

fn event_error(no_event: EventError) -> ApiError {
    ApiError::bad(match no_event.is_about_duration {
        true => format!("duration: {}", no_event.message),
        false => no_event.message,
    })
}
