//! Finds conflicts between the calendars of a site.

use std::collections::HashMap;
use std::path::Path;

use super::{CalendarEntry, Series};
use model::{Diagnostic, Report, Rule};
use source::place::place_of;

/// Reports multiple primary calendars, and events that share an iCalUID. `host` is the site's host.
pub fn check(root: &Path, host: &str, all: &[CalendarEntry], report: &mut Report) {
    primary(root, all, report);
    uids(root, host, all, report);
}

/// Reports an error if more than one calendar is marked as primary.
fn primary(root: &Path, all: &[CalendarEntry], report: &mut Report) {
    let mut marked = all.iter().filter(|entry| entry.calendar.is_primary);
    let Some(first) = marked.next() else { return };
    for other in marked {
        let Some(path) = &other.calendar.source else {
            continue;
        };
        let message = format!("the calendar {} is already marked as primary", first.calendar.id);
        let error = Diagnostic::error(message).help("remove `primary` from one of the two");
        report.push(place_of(root, path, "primary", "", error));
    }
}

/// Reports events that share an iCalUID. Within a calendar this is an error. In two calendars it is
/// a warning if both events are published, because subscribers to both calendars see only one of
/// them.
fn uids(root: &Path, host: &str, all: &[CalendarEntry], report: &mut Report) {
    let mut seen: HashMap<String, (&CalendarEntry, &Series)> = HashMap::new();
    for entry in all {
        for series in &entry.series {
            let event = &series.event;
            let uid = series.uid(host);
            let Some((other, first)) = seen.get(&uid) else {
                seen.insert(uid, (entry, series));
                continue;
            };
            let is_same = other.calendar.id == entry.calendar.id;
            // Two events with the same id are already reported.
            if is_same && first.event.id == event.id {
                continue;
            }
            let are_public = [(other, first), (&entry, &&**series)]
                .into_iter()
                .all(|(entry, series)| entry.calendar.is_public && series.is_published());
            let message = format!("the iCalUID {uid} is already used by {}", first.event.source);
            let diagnostic = if is_same {
                Diagnostic::error(message).help("change one of the two")
            } else if are_public {
                Diagnostic::warning(Rule::Event, message)
                    .help("change the `id` or `iCalUID` of one, or remove one: calendar apps treat both as one event")
            } else {
                continue;
            };
            let key = match event.ical_uid {
                Some(_) => "iCalUID",
                None => "id",
            };
            report.push(place_of(root, &event.source, key, "", diagnostic));
        }
    }
}
