//! `site.events`: every event of every calendar, as written in its file.

use serde_json::json;
use warehouse::Type;

use super::column::{
    Cell, Column, NULL, boolean, column, day, fields, formatted, instant, list, number,
    optional_text, required, structs, text, texts,
};
use super::{Live, SiteTables};
use model::calendar::{Event, EventPerson, EventTime};
use site::calendar::{CalendarEntry, Occurrence, Series};

pub(super) const TABLE: Live = Live {
    name: "events",
    about: "Every event in the calendar files. A series has one row, and each changed instance has another row.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

/// An event, or an instance of a series, with its time.
pub(super) struct Row<'a> {
    pub site: SiteTables<'a>,
    pub calendar: &'a CalendarEntry,
    pub series: &'a Series,
    pub occurrence: Occurrence,
}

impl Row<'_> {
    fn event(&self) -> &Event {
        &self.occurrence.event
    }

    fn start(&self) -> &EventTime {
        &self.occurrence.span.start
    }

    fn live_status(&self) -> Cell<'_> {
        let zone = self.calendar.zone();
        let status = self.occurrence.live_status(zone, self.site.now);
        optional_text(status.map(|status| status.as_str()))
    }

    fn zone(&self) -> Cell<'_> {
        let zone = match self.start() {
            EventTime::Moment(start) => start.time_zone(),
            EventTime::Day(_) => self.calendar.zone(),
        };
        text(zone.iana_name().unwrap_or("UTC"))
    }

    fn original(&self) -> Cell<'_> {
        let zone = self.calendar.zone();
        let original = self.occurrence.original.as_ref();
        instant(original.map(|time| time.instant(zone)))
    }

    fn series_id(&self) -> Cell<'_> {
        let is_instance = self.occurrence.is_recurring();
        optional_text(is_instance.then(|| self.occurrence.series.id.as_str()))
    }

    /// Returns the recurrence lines of a series, or an empty list for other events.
    fn recurrence(&self) -> &[String] {
        let of_series = self.series.own().and_then(|(_, recurrence)| recurrence);
        let own = of_series.filter(|_| !self.occurrence.is_recurring());
        own.map_or(&[], |recurrence| recurrence.lines())
    }
}

fn date(time: &EventTime) -> Cell<'static> {
    match time {
        EventTime::Day(date) => day(Some(*date)),
        EventTime::Moment(_) => NULL,
    }
}

fn email(person: Option<&EventPerson>) -> Cell<'_> {
    optional_text(person.and_then(|person| person.email.as_deref()))
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    series(site).flat_map(|(site, calendar, series)| {
        let own = series.own().map(|(span, _)| Occurrence {
            event: series.event.clone(),
            series: series.event.clone(),
            original: None,
            span: span.clone(),
        });
        let all = own.into_iter().chain(series.changed_instances());
        all.map(move |occurrence| Row { site, calendar, series, occurrence })
    })
}

/// Returns every non-recurring event and every series, with its calendar.
pub(super) fn series<'a>(
    site: &SiteTables<'a>,
) -> impl Iterator<Item = (SiteTables<'a>, &'a CalendarEntry, &'a Series)> {
    let site = *site;
    let calendars = site.snapshot.calendars.all.iter();
    calendars.flat_map(move |calendar| {
        let series = calendar.series.iter();
        series.map(move |series| (site, calendar, &**series))
    })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut columns = time_columns();
    columns.extend(fact_columns());
    columns.extend(source_columns());
    columns
}

/// Columns about an event and its time, shared with `site.occurrences`.
pub(super) fn time_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Date, String, Timestamp};
    vec![
        required(
            "id",
            String,
            "Id in the calendar; the id of an instance includes its original start.",
            |row: &Row<'_>| formatted(row.occurrence.id()),
        ),
        required("calendar", String, "Id of the event's calendar.", |row| {
            text(row.calendar.calendar.id.as_str())
        }),
        column("summary", String, "Title.", |row| optional_text(row.event().summary.as_deref())),
        required(
            "start_time",
            Timestamp,
            "Start; for an all-day event, midnight in the calendar's time zone.",
            |row| instant(Some(row.occurrence.start(row.calendar.zone()))),
        ),
        required(
            "end_time",
            Timestamp,
            "End; for an event without an end, one hour after the start or the end of its day.",
            |row| instant(Some(row.occurrence.end(row.calendar.zone()))),
        ),
        column("start_date", Date, "First day of an all-day event.", |row| date(row.start())),
        column("end_date", Date, "Day after the last day of an all-day event.", |row| {
            date(&row.occurrence.span.closed())
        }),
        required("is_all_day", Boolean, "Whether the event is an all-day event.", |row| {
            boolean(row.occurrence.is_all_day())
        }),
        required("time_zone", String, "Time zone of the event.", |row| row.zone()),
        column("recurring_event_id", String, "For an instance, the id of the series.", |row| {
            row.series_id()
        }),
        column("original_start_time", Timestamp, "For an instance, the original start.", |row| {
            row.original()
        }),
        required("status", String, "Status: confirmed, tentative or cancelled.", |row| {
            text(row.event().status().as_str())
        }),
        required("is_live_show", Boolean, "Whether the event is a live show.", |row| {
            boolean(row.event().live.is_some())
        }),
        column("live_status", String, "Status of the live show: pending, live or ended.", |row| {
            row.live_status()
        }),
    ]
}

fn fact_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::String;
    let attendee = [
        ("email", String),
        ("display_name", String),
        ("response_status", String),
        ("optional", Type::Boolean),
    ];
    vec![
        column("description", String, "Description as written in the file.", |row: &Row<'_>| {
            optional_text(row.event().description.as_deref())
        }),
        required("description_html", String, "Description as HTML.", |row| {
            formatted(&row.event().content.body().html)
        }),
        column("location", String, "Location of the event.", |row| {
            optional_text(row.event().location.as_deref())
        }),
        required(
            "event_type",
            String,
            "Type: default, birthday, focusTime, fromGmail, outOfOffice or workingLocation.",
            |row| text(row.event().event_type().as_str()),
        ),
        required(
            "visibility",
            String,
            "Visibility: default, public, private or confidential. Only default and public events are published.",
            |row| text(row.event().visibility().as_str()),
        ),
        required(
            "transparency",
            String,
            "opaque if the event marks its time as busy, otherwise transparent.",
            |row| text(row.event().transparency.unwrap_or_default().as_str()),
        ),
        column("creator_email", String, "E-mail address of the creator.", |row| {
            email(row.event().creator.as_ref())
        }),
        column("organizer_email", String, "E-mail address of the organizer.", |row| {
            email(row.event().organizer.as_ref())
        }),
        column("attendees", structs(attendee), "Invited people and their responses.", |row| {
            list(row.event().attendees.iter().map(|one| {
                json!({
                    "email": one.email,
                    "display_name": one.display_name,
                    "response_status": one.response.as_str(),
                    "optional": one.is_optional,
                })
            }))
        }),
        column("url", String, "Page about the event.", |row| optional_text(row.event().url())),
        column(
            "live_item_id",
            String,
            "Id of the item that contains the recording of the show.",
            |row| {
                let live = row.event().live.as_ref();
                optional_text(live.and_then(|live| live.item.as_ref()).map(|id| id.as_str()))
            },
        ),
    ]
}

/// Columns that only `site.events` has.
fn source_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Integer, String, Timestamp};
    vec![
        required("is_recurring", Boolean, "Whether the event is a series.", |row: &Row<'_>| {
            boolean(!row.recurrence().is_empty())
        }),
        column(
            "recurrence",
            texts(),
            "Recurrence lines of a series: RRULE, EXRULE, RDATE and EXDATE (RFC 5545).",
            |row| list(row.recurrence().iter().map(|one| one.as_str())),
        ),
        required("ical_uid", String, "Id in calendar files (UID, RFC 5545).", |row| {
            formatted(row.occurrence.uid(&row.site.snapshot.config.host))
        }),
        column("sequence", Integer, "Revision number, if the author sets it.", |row| {
            number(row.event().sequence)
        }),
        column("created", Timestamp, "When the event was created, if set in the file.", |row| {
            instant(row.event().created)
        }),
        required("updated", Timestamp, "When the event was last changed.", |row| {
            instant(Some(row.series.revised_of(row.event())))
        }),
        required("file", String, "Path in the site folder.", |row| {
            text(row.event().source.as_str())
        }),
    ]
}
