//! iCalendar documents (RFC 5545): `/calendar.ics` with all public events, `/calendars/<id>.ics`
//! with one calendar.
//!
//! Choices that the specification leaves open:
//! - Guests are left out. A published calendar has no ATTENDEE (section 3.8.4.1), and authors do
//!   not intend to publish the addresses of others. An organizer with an address is included.
//! - A cancelled event is kept with its status, so that subscribers see the cancellation.
//! - Private events are left out. A private instance of a public series is only an EXDATE.
//! - The document does not depend on the time when it is made: DTSTAMP is the time of the event's
//!   last change.

mod event;
mod lines;
mod zone;

use jiff::Timestamp;

use self::event::Events;
use self::lines::Lines;
use crate::inputs::{IcsInputs, Shared};
use site::calendar::CalendarEntry;
use site::paths;

/// How long subscribers may cache a calendar (RFC 7986, section 5.7). The time is short because
/// live shows are often rescheduled, and a request for an unchanged calendar is cheap for a static
/// host.
const REFRESH: &str = "PT4H";

pub fn document(shared: &Shared<'_>, inputs: &IcsInputs<'_>) -> Vec<u8> {
    match inputs {
        IcsInputs::All(published) => {
            let about = CalendarProperties {
                name: shared.title(),
                description: Some(&shared.channel.description_text),
                zone: &shared.config.timezone,
                path: paths::CALENDARS.into(),
            };
            write(shared, &about, published)
        }
        IcsInputs::One(entry) => {
            let calendar = &entry.calendar;
            let about = CalendarProperties {
                name: &calendar.summary,
                description: calendar.description.as_deref(),
                zone: &calendar.time_zone,
                path: paths::calendar(calendar.id.as_str()),
            };
            write(shared, &about, &[entry])
        }
    }
}

/// The properties of the calendar itself.
struct CalendarProperties<'a> {
    name: &'a str,
    description: Option<&'a str>,
    zone: &'a jiff::tz::TimeZone,
    path: String,
}

fn write(
    shared: &Shared<'_>,
    about: &CalendarProperties<'_>,
    entries: &[&CalendarEntry],
) -> Vec<u8> {
    let mut events = Events::new(shared.config);
    entries.iter().for_each(|entry| events.add(entry));
    let revised = entries.iter().map(|entry| entry.revised());
    let mut lines = Lines::default();
    lines.component("VCALENDAR", |lines| {
        lines.property("VERSION").value("2.0");
        let program = concat!("-//feedwright//feedwright ", env!("CARGO_PKG_VERSION"), "//EN");
        lines.property("PRODID").text(program);
        lines.property("CALSCALE").value("GREGORIAN");
        head(shared, about, revised.max().flatten(), lines);
        events.zones.write(lines);
        lines.append(&events.lines);
    });
    lines.into_text().into_bytes()
}

/// Writes the properties of the calendar itself: the properties of RFC 7986, and older properties
/// that clients still read.
fn head(
    shared: &Shared<'_>,
    about: &CalendarProperties<'_>,
    revised: Option<Timestamp>,
    lines: &mut Lines,
) {
    let config = shared.config;
    let own = config.url(&about.path);
    lines.text("NAME", about.name);
    lines.text("X-WR-CALNAME", about.name);
    lines.optional("DESCRIPTION", about.description);
    lines.optional("X-WR-CALDESC", about.description);
    if let Some(zone) = about.zone.iana_name() {
        lines.text("X-WR-TIMEZONE", zone);
    }
    let home = shared.channel.homepage_url.clone();
    lines.property("URL").value(&home.unwrap_or_else(|| config.url("/")));
    lines.property("SOURCE").param("VALUE", "URI").value(&own);
    if let Some(revised) = revised {
        lines.property("LAST-MODIFIED").value(&event::utc(revised));
    }
    lines.property("REFRESH-INTERVAL").param("VALUE", "DURATION").value(REFRESH);
    lines.property("X-PUBLISHED-TTL").value(REFRESH);
}
