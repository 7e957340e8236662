//! Writes events as VEVENT (RFC 5545, section 3.6.1).

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recurrence::Recurrence;

use super::lines::Lines;
use super::zone::{self, Zones};
use model::Config;
use model::calendar::{
    Event, EventPerson, EventSpan, EventStatus, EventTime, EventVisibility, Live, Reminder,
    ReminderMethod, Reminders, Transparency,
};
use site::calendar::{CalendarEntry, Series};

/// The events written so far, and the time zones that they use.
pub struct Events<'a> {
    config: &'a Config,
    pub lines: Lines,
    pub zones: Zones,
}

/// The data for one VEVENT.
struct Component<'e> {
    event: &'e Event,
    uid: String,
    sequence: u32,
    revised: Timestamp,
    /// The event's relation to a series. It decides which recurrence properties are written.
    when: SeriesRole<'e>,
    span: &'e EventSpan,
}

/// The relation of an event to a series.
enum SeriesRole<'e> {
    /// A single event.
    Single,
    Series {
        recurrence: &'e Recurrence,
        /// The start times of private instances.
        hidden: Vec<EventTime>,
    },
    /// A changed instance that replaces the occurrence with this start.
    Instead(EventTime),
}

/// Formats a time in UTC: `20261120T083000Z`.
pub fn utc(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

impl<'a> Events<'a> {
    pub fn new(config: &'a Config) -> Self {
        Self { config, lines: Lines::default(), zones: Zones::default() }
    }

    /// Adds all public events of a calendar.
    pub fn add(&mut self, entry: &CalendarEntry) {
        for series in &entry.series {
            self.series(entry, series);
        }
    }

    fn series(&mut self, entry: &CalendarEntry, series: &Series) {
        let Some((first, recurrence)) = series.own() else {
            return;
        };
        let is_public = |event: &Arc<Event>| event.visibility().is_public();
        let is_whole = is_public(&series.event);
        let uid = series.uid(&self.config.host);
        if is_whole {
            let hidden = series.changed_instances().filter(|one| !is_public(&one.event));
            let when = match recurrence {
                Some(recurrence) => SeriesRole::Series {
                    recurrence,
                    hidden: hidden.filter_map(|one| one.original).collect(),
                },
                None => SeriesRole::Single,
            };
            self.component(
                entry,
                Component {
                    event: &series.event,
                    uid: uid.clone(),
                    sequence: series.sequence(),
                    revised: series.revised,
                    when,
                    span: &on_series_clock(first),
                },
            );
        }
        for exception in series.exceptions.iter().filter(|one| is_public(&one.event)) {
            let Some(instance) = series.instance(&exception.event) else {
                continue;
            };
            let original = instance.original.clone().filter(|_| is_whole);
            self.component(
                entry,
                Component {
                    event: &exception.event,
                    // A public instance of a private series is written as a single event.
                    uid: if is_whole {
                        uid.clone()
                    } else {
                        format!("{}@{}", instance.id(), self.config.host)
                    },
                    sequence: exception.sequence(),
                    revised: exception.revised,
                    when: original.map_or(SeriesRole::Single, |time| {
                        SeriesRole::Instead(in_zone_of(time, &first.start))
                    }),
                    span: &instance.span,
                },
            );
        }
    }

    fn component(&mut self, entry: &CalendarEntry, component: Component<'_>) {
        let Self { lines, zones, .. } = self;
        lines.component("VEVENT", |lines| {
            let mut writer = EventWriter { lines, zones, days_in: entry.zone() };
            writer.identity(&component);
            writer.times(&component);
            writer.state(component.event);
            writer.texts(component.event);
            component.event.organizer.iter().for_each(|person| writer.organizer(person));
            for reminder in reminders(entry, component.event) {
                writer.alarm(component.event, reminder);
            }
        });
    }
}

/// Returns the first span of a series in the local time of its time zone. A local time that occurs
/// twice, because clocks are set back, means its first occurrence (section 3.3.5).
fn on_series_clock(first: &EventSpan) -> EventSpan {
    let mut span = first.clone();
    if let EventTime::Moment(start) = &mut span.start
        && let Ok(plain) = start.datetime().to_zoned(start.time_zone().clone())
    {
        *start = plain;
    }
    span
}

/// Converts a time of a series to the time zone of the series' first time.
fn in_zone_of(time: EventTime, first: &EventTime) -> EventTime {
    match (time, first) {
        (EventTime::Moment(time), EventTime::Moment(first)) => {
            EventTime::Moment(time.with_time_zone(first.time_zone().clone()))
        }
        (time, _) => time,
    }
}

/// Returns the reminders of an event that show a message. E-mail reminders are left out, since they
/// would need each reader's address (section 3.6.6).
fn reminders(entry: &CalendarEntry, event: &Event) -> Vec<Reminder> {
    let all = match &event.reminders {
        // A cancelled event has no reminders.
        _ if event.status() == EventStatus::Cancelled => return Vec::new(),
        Some(Reminders::Own(own)) => own,
        Some(Reminders::Default) | None => &entry.calendar.default_reminders,
    };
    let shown = all.iter().filter(|one| one.method == ReminderMethod::Popup);
    shown.copied().collect()
}

struct EventWriter<'w> {
    lines: &'w mut Lines,
    zones: &'w mut Zones,
    days_in: &'w TimeZone,
}

impl EventWriter<'_> {
    fn identity(&mut self, component: &Component<'_>) {
        let lines = &mut *self.lines;
        lines.property("UID").text(&component.uid);
        // In a calendar without METHOD, DTSTAMP is the time of the last change, like LAST-MODIFIED
        // (section 3.8.7.2).
        lines.property("DTSTAMP").value(&utc(component.revised));
        if let Some(created) = component.event.created {
            lines.property("CREATED").value(&utc(created));
        }
        lines.property("LAST-MODIFIED").value(&utc(component.revised));
        lines.property("SEQUENCE").value(&component.sequence.to_string());
    }

    fn times(&mut self, component: &Component<'_>) {
        let span = component.span;
        if let SeriesRole::Instead(original) = &component.when {
            self.time("RECURRENCE-ID", original);
        }
        self.time("DTSTART", &span.start);
        let end = span.closed();
        // DTEND must be later than DTSTART (section 3.8.2.2), so an event without a duration has no
        // end.
        if end.instant(self.days_in) > span.start.instant(self.days_in) {
            self.time("DTEND", &end);
        }
        if let SeriesRole::Series { recurrence, hidden } = &component.when {
            self.recurrence(recurrence, &span.start);
            for start in hidden {
                self.time("EXDATE", &in_zone_of(start.clone(), &span.start));
            }
        }
    }

    /// Writes the rules and dates of a series. All times are in the time zone of the series' start.
    fn recurrence(&mut self, recurrence: &Recurrence, first: &EventTime) {
        for (name, rules) in [("RRULE", recurrence.rules()), ("EXRULE", recurrence.except_rules())]
        {
            for rule in rules {
                self.lines.property(name).value(&rule.to_string());
            }
        }
        for time in recurrence.dates() {
            match recurrence.period_end(time) {
                Some(end) => self.period(time, end),
                None => self.time("RDATE", time),
            }
        }
        for instant in recurrence.except_dates() {
            self.time("EXDATE", &first.at(*instant, &TimeZone::UTC));
        }
    }

    /// Writes an additional date of a series with its own duration (RFC 5545, section 3.8.5.2).
    fn period(&mut self, start: &EventTime, end: &EventTime) {
        let [start, end] = [start, end].map(|time| utc(time.instant(self.days_in)));
        self.lines.property("RDATE").param("VALUE", "PERIOD").value(&format!("{start}/{end}"));
    }

    fn time(&mut self, name: &'static str, time: &EventTime) {
        match time {
            EventTime::Day(day) => {
                let day = day.strftime("%Y%m%d").to_string();
                self.lines.property(name).param("VALUE", "DATE").value(&day);
            }
            EventTime::Moment(moment) => {
                let zone = moment.time_zone();
                let plain = moment.datetime().to_zoned(zone.clone());
                // Local time cannot express the second occurrence of a repeated hour (section
                // 3.3.5).
                let is_plain = plain.is_ok_and(|plain| plain.timestamp() == moment.timestamp());
                match zone::name(zone).filter(|_| is_plain) {
                    None => self.lines.property(name).value(&utc(moment.timestamp())),
                    Some(zone_name) => {
                        self.zones.add_time(zone_name, zone, moment.timestamp());
                        let local = moment.strftime("%Y%m%dT%H%M%S").to_string();
                        self.lines.property(name).param("TZID", zone_name).value(&local);
                    }
                }
            }
        }
    }

    fn state(&mut self, event: &Event) {
        let status = match event.status() {
            EventStatus::Confirmed => "CONFIRMED",
            EventStatus::Tentative => "TENTATIVE",
            EventStatus::Cancelled => "CANCELLED",
        };
        self.lines.property("STATUS").value(status);
        let transparency = event.transparency.map(|transparency| match transparency {
            Transparency::Opaque => "OPAQUE",
            Transparency::Transparent => "TRANSPARENT",
        });
        self.lines.optional("TRANSP", transparency);
        if event.visibility() == EventVisibility::Public {
            self.lines.property("CLASS").value("PUBLIC");
        }
    }

    fn texts(&mut self, event: &Event) {
        let lines = &mut *self.lines;
        let body = event.content.body();
        lines.optional("SUMMARY", event.summary.as_deref());
        lines.text("DESCRIPTION", &body.text);
        // Outlook and Thunderbird display this property; hardly any client supports
        // STYLED-DESCRIPTION of RFC 9073.
        if !body.html.trim().is_empty() {
            let html = lines.property("X-ALT-DESC").param("FMTTYPE", "text/html");
            html.text(&body.html);
        }
        lines.optional("LOCATION", event.location.as_deref());
        if let Some(url) = event.url() {
            lines.property("URL").value(url);
        }
        if let Some(live) = &event.live {
            show(live, lines);
        }
    }

    fn organizer(&mut self, organizer: &EventPerson) {
        let Some(email) = &organizer.email else {
            return;
        };
        let mut property = self.lines.property("ORGANIZER");
        if let Some(name) = &organizer.display_name {
            property = property.param("CN", name);
        }
        property.value(&format!("mailto:{email}"));
    }

    fn alarm(&mut self, event: &Event, reminder: Reminder) {
        self.lines.component("VALARM", |lines| {
            lines.property("ACTION").value("DISPLAY");
            let text = event.summary.as_deref().unwrap_or("Reminder");
            lines.property("DESCRIPTION").text(text);
            lines.property("TRIGGER").value(&format!("-PT{}M", reminder.minutes));
        });
    }
}

/// Writes the RFC 7986 properties of a live show: the cover, and the links to listen or watch.
fn show(live: &Live, lines: &mut Lines) {
    if let Some(image) = &live.image {
        let mut property = lines.property("IMAGE").param("VALUE", "URI").param("DISPLAY", "BADGE");
        if let Some(media_type) = &image.mime_type {
            property = property.param("FMTTYPE", media_type);
        }
        property.value(&image.url);
    }
    for link in &live.podcast.content_links {
        let mut property = lines.property("CONFERENCE").param("VALUE", "URI");
        if !link.text.is_empty() {
            property = property.param("LABEL", &link.text);
        }
        property.value(&link.href);
    }
}
