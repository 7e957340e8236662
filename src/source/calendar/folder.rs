//! Reader of `calendar.toml`.

use jiff::tz::TimeZone;

use super::super::fields::{Fields, Reader};
use super::{event_details, named_zone};
use model::calendar::{CALENDAR, Calendar, CalendarId};

/// Reads the description of a calendar. Returns `None` if the file cannot be parsed or its time
/// zone is invalid.
pub fn read(reader: &Reader<'_>, id: CalendarId) -> Option<Calendar> {
    let table = match reader.source.toml() {
        Ok(table) => table,
        Err(errors) => {
            errors.into_iter().for_each(|error| reader.report(error));
            return None;
        }
    };
    let fields = Fields::of_file(reader, &table, CALENDAR);
    let calendar = calendar(&fields, id);
    fields.finish();
    calendar
}

fn calendar(fields: &Fields<'_, '_>, id: CalendarId) -> Option<Calendar> {
    let zone = match fields.node("timeZone") {
        Some(_) => named_zone(fields, "timeZone"),
        None => Some(fields.reader.config.timezone.clone()),
    };
    let is_known = zone.is_some();
    let base = Calendar::new(id, zone.unwrap_or(TimeZone::UTC));
    let calendar = Calendar {
        source: Some(fields.reader.source.path.clone()),
        written: Some(fields.reader.written()),
        summary: fields.text("summary").unwrap_or(base.summary),
        description: fields.text("description"),
        location: fields.text("location"),
        is_primary: fields.bool("primary").unwrap_or(false),
        is_public: fields.bool("public").unwrap_or(true),
        default_reminders: event_details::reminder_list(fields, "defaultReminders"),
        ..base
    };
    // A calendar with an invalid time zone is rejected, because a default zone would move its
    // events to other times.
    is_known.then_some(calendar)
}
