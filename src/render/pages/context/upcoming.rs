//! `upcoming_events` in template contexts: the next events of the calendars.

use jiff::tz::TimeZone;
use mustache::{Data, object};

use super::body::LazyBody;
use super::live_streams::listen_url;
use super::parts::each;
use crate::inputs::{Shared, Upcoming, UpcomingEvent};
use crate::text;
use model::calendar::{Event, EventSpan, EventTime};
use model::podcast::LiveStatus;
use site::paths;
use words::Words;

/// Returns the events, ordered by start.
pub fn events<'a>(shared: &'a Shared<'a>, upcoming: &'a Upcoming) -> Data<'a> {
    each(&upcoming.events, move |next| {
        Data::object(EventData {
            shared,
            next,
            body: LazyBody::of(
                shared, &next.occurrence.event.content, &next.occurrence.event.media,
            ),
        })
    })
}

struct EventData<'a> {
    shared: &'a Shared<'a>,
    next: &'a UpcomingEvent,
    body: LazyBody<'a>,
}

impl<'a> EventData<'a> {
    fn event(&self) -> &'a Event {
        &self.next.occurrence.event
    }

    fn span(&self) -> &'a EventSpan {
        &self.next.occurrence.span
    }

    fn zone(&self) -> &'a TimeZone {
        &self.next.calendar.time_zone
    }

    /// Returns the time zone of the event's start.
    fn clock(&self) -> &'a TimeZone {
        match &self.span().start {
            EventTime::Moment(start) => start.time_zone(),
            EventTime::Day(_) => self.zone(),
        }
    }

    fn ics_url(&self) -> String {
        let path = paths::calendar(self.next.calendar.id.as_str());
        self.shared.config.url(&path)
    }
}

object!(impl EventData<'a>, |this| {
    "id" => this.next.occurrence.id(),
    "calendar" => Data::from([
        ("id", Data::from(this.next.calendar.id.as_str())),
        ("summary", Data::from(&this.next.calendar.summary)),
    ]),
    "summary" => this.event().summary.as_deref().unwrap_or(&this.next.calendar.summary),
    "description_html" => this.body.html_if_any(),
    "description_text" => this.body.text_if_any(),
    "location" => this.event().location.as_deref(),
    "status" => this.event().status().as_str(),
    "start" => text::iso_8601(&this.span().start),
    "end" => text::iso_8601(&this.span().closed()),
    "start_ms" => this.span().start.instant(this.zone()).as_millisecond(),
    "end_ms" => this.span().closed().instant(this.zone()).as_millisecond(),
    "is_all_day" => this.next.occurrence.is_all_day(),
    "time_zone" => this.clock().iana_name(),
    "date_short" => day(this.shared.words, &this.span().start),
    "time_short" => time(this.shared.words, &this.span().start, true),
    "range_text" => range(this.shared.words, this.span()),
    "is_live_show" => this.next.live_status.is_some(),
    "is_live_now" => this.next.live_status == Some(LiveStatus::Live),
    "is_live_by_clock" => this.next.occurrence.is_live_by_clock(),
    "live_status" => this.next.live_status.map(LiveStatus::as_str),
    "url" => this.event().url(),
    "listen_url" => {
        let live = this.event().live.as_ref();
        live.and_then(|live| listen_url(live.enclosure.as_ref(), &live.podcast))
    },
    "is_recurring" => this.next.occurrence.is_recurring(),
    "ics_url" => this.ics_url(),
});

/// Formats the day of a time for readers, in the time's own zone.
fn day(words: &Words, time: &EventTime) -> String {
    match time {
        EventTime::Day(day) => words.day_date(*day),
        EventTime::Moment(moment) => words.day_date(moment.date()),
    }
}

/// Formats the time of day for readers: `20:00 CET`. Returns None for a day without a time.
fn time(words: &Words, time: &EventTime, with_zone: bool) -> Option<String> {
    let EventTime::Moment(moment) = time else {
        return None;
    };
    let mut text = words.time(moment.time());
    if with_zone {
        text.push_str(&moment.strftime(" %Z").to_string());
    }
    Some(text)
}

/// Formats a span for readers: `Fri, Nov 20, 2026, 20:00–22:00 CET`.
fn range(words: &Words, span: &EventSpan) -> String {
    let start = day(words, &span.start);
    let (EventTime::Moment(first), EventTime::Moment(end)) = (&span.start, &span.closed()) else {
        let last = match span.closed() {
            EventTime::Day(after) => EventTime::Day(after.yesterday().unwrap_or(after)),
            moment => moment,
        };
        return match day(words, &last) {
            last if last == start => start,
            last => format!("{start} – {last}"),
        };
    };
    // Both times use the time zone of the start.
    let end = EventTime::Moment(end.with_time_zone(first.time_zone().clone()));
    let has_end = span.end.as_ref().is_some_and(|end| *end != span.start);
    let with_day = |at: &EventTime, zone| {
        words.joined(&day(words, at), &time(words, at, zone).unwrap_or_default())
    };
    if !has_end {
        with_day(&span.start, true)
    } else if day(words, &end) == start {
        let until = time(words, &end, true).unwrap_or_default();
        format!("{}–{until}", with_day(&span.start, false))
    } else {
        format!("{} – {}", with_day(&span.start, false), with_day(&end, true))
    }
}
