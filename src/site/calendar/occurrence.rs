//! The times at which the events of a series take place.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recurrence::Recurrence;

use super::Series;
use model::calendar::{Event, EventKind, EventSpan, EventTime};

/// A function that returns whether to include the occurrences of an event. The function is called
/// once for all occurrences of a rule, because a rule may have millions.
pub type EventFilter<'a> = &'a dyn Fn(&Event) -> bool;

/// One time at which an event takes place, or would take place if it were not cancelled.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// The event: a changed instance of a series, or else the single event or series itself.
    pub event: Arc<Event>,
    /// The single event or the series that the occurrence belongs to.
    pub series: Arc<Event>,
    /// In a series, the original start time of the occurrence according to the series.
    pub original: Option<EventTime>,
    pub span: EventSpan,
}

impl Occurrence {
    /// Returns the occurrence's id: the event's id, and in a series also the original start time.
    pub fn id(&self) -> String {
        match &self.original {
            Some(original) => format!("{}_{}", self.series.id, original.compact()),
            None => self.series.id.to_string(),
        }
    }

    /// Returns the start. An all-day event starts at midnight in `zone`.
    pub fn start(&self, zone: &TimeZone) -> Timestamp {
        self.span.start.instant(zone)
    }

    /// Returns the end. An occurrence without an end lasts one hour, or one day if it is all-day.
    pub fn end(&self, zone: &TimeZone) -> Timestamp {
        self.span.closed().instant(zone)
    }

    /// Returns a key that sorts occurrences by start and then by id.
    pub fn order(&self, zone: &TimeZone) -> (Timestamp, String) {
        (self.start(zone), self.id())
    }
}

impl Series {
    /// Returns the span of the first occurrence, and the recurrence if the event is a series.
    pub fn own(&self) -> Option<(&EventSpan, Option<&Recurrence>)> {
        match &self.event.kind {
            EventKind::Own { span, recurrence } => Some((span, recurrence.as_ref())),
            EventKind::Instance { .. } => None,
        }
    }

    /// Returns whether this is a series.
    pub fn is_recurring(&self) -> bool {
        self.own().is_some_and(|(_, recurrence)| recurrence.is_some())
    }

    /// Returns the occurrences that `keep` includes and that end after `from` and start before
    /// `until`. At most `most` of them come from the recurrence rule. All-day events are in `zone`.
    pub fn between(
        &self,
        zone: &TimeZone,
        from: Timestamp,
        until: Timestamp,
        most: usize,
        keep: EventFilter<'_>,
    ) -> Vec<Occurrence> {
        self.between_where(zone, (from, until), most, keep, |_| true)
    }

    /// Does the same as [`between`](Self::between), with an additional condition on each
    /// occurrence.
    pub(super) fn between_where(
        &self,
        zone: &TimeZone,
        (from, until): (Timestamp, Timestamp),
        most: usize,
        keep: EventFilter<'_>,
        is_match: impl Fn(&Occurrence) -> bool,
    ) -> Vec<Occurrence> {
        let Some((first, recurrence)) = self.own() else {
            return Vec::new();
        };
        let is_inside = |occurrence: &Occurrence| {
            occurrence.end(zone) > from && occurrence.start(zone) < until && is_match(occurrence)
        };
        let is_kept = keep(&self.event);
        let changed_instances = self.exceptions.iter().filter(|one| keep(&one.event));
        let changed_instances = changed_instances.filter_map(|one| self.instance(&one.event));
        let changed_instances = changed_instances.filter(is_inside);
        let Some(recurrence) = recurrence.filter(|_| is_kept) else {
            if self.is_recurring() {
                return changed_instances.collect();
            }
            if !is_kept || first.closed().instant(zone) <= from {
                return Vec::new();
            }
            let single = self.occurrence(&self.event, None, first.clone());
            return Some(single).into_iter().filter(is_inside).collect();
        };
        let long = first.closed().instant(zone).duration_since(first.start.instant(zone));
        let long = recurrence.longest_period().map_or(long, |period| period.max(long));
        let from_start = from.checked_sub(long).unwrap_or(Timestamp::MIN);
        let regular = starts(first, recurrence, zone, from_start)
            .take_while(|start| start.instant(zone) < until)
            .filter(|start| self.exception(start).is_none())
            .map(|start| {
                let span = span_at(first, Some(recurrence), start.clone());
                self.occurrence(&self.event, Some(start), span)
            })
            .filter(is_inside)
            .take(most);
        regular.chain(changed_instances).collect()
    }

    pub fn changed_instances(&self) -> impl Iterator<Item = Occurrence> {
        let exceptions = self.exceptions.iter();
        exceptions.filter_map(|exception| self.instance(&exception.event))
    }

    /// Returns the occurrence of a changed instance.
    pub fn instance(&self, event: &Arc<Event>) -> Option<Occurrence> {
        let EventKind::Instance { original, span, .. } = &event.kind else {
            return None;
        };
        let (first, recurrence) = self.own()?;
        let regular = span_at(first, recurrence, original.clone());
        let span = match span {
            Some(EventSpan { start, end: None }) => regular.with_start(start.clone()),
            Some(span) => span.clone(),
            None => regular,
        };
        Some(self.occurrence(event, Some(original.clone()), span))
    }

    /// Returns the changed instance with this original start time.
    pub fn exception(&self, original: &EventTime) -> Option<&Arc<Event>> {
        let rank = original.rank();
        let found = self.exceptions.binary_search_by_key(&Some(rank), |exception| match &exception
            .event
            .kind
        {
            EventKind::Instance { original, .. } => Some(original.rank()),
            EventKind::Own { .. } => None,
        });
        found.ok().map(|at| &self.exceptions[at].event)
    }

    /// Returns whether the series has an occurrence with this start time, even if an instance moves
    /// it.
    pub fn has_start(&self, start: &EventTime, zone: &TimeZone) -> bool {
        let at = start.instant(zone);
        let next = self.next_start(at, zone);
        next.is_some_and(|found| found.instant(zone) == at)
    }

    /// Returns the first start of the series at or after a time.
    pub fn next_start(&self, from: Timestamp, zone: &TimeZone) -> Option<EventTime> {
        let (first, recurrence) = self.own()?;
        starts(first, recurrence?, zone, from).next()
    }

    pub(super) fn occurrence(
        &self,
        event: &Arc<Event>,
        original: Option<EventTime>,
        span: EventSpan,
    ) -> Occurrence {
        Occurrence { event: Arc::clone(event), series: Arc::clone(&self.event), original, span }
    }
}

/// Returns the span of the occurrence with this start. The occurrence is as long as the first
/// occurrence, unless the recurrence specifies its end.
pub fn span_at(first: &EventSpan, recurrence: Option<&Recurrence>, start: EventTime) -> EventSpan {
    let end = recurrence.and_then(|recurrence| recurrence.period_end(&start));
    match end.cloned() {
        None => first.with_start(start),
        end => EventSpan { start, end },
    }
}

/// Iterates over the starts of a series' rule in order, from the time `from` on. Includes starts
/// that an instance changes. Days are in `zone`.
pub fn starts<'r>(
    first: &EventSpan,
    recurrence: &'r Recurrence,
    zone: &TimeZone,
    from: Timestamp,
) -> impl Iterator<Item = EventTime> + use<'r> {
    // If the starts are days, they have no time zone.
    let from = match &first.start {
        EventTime::Day(_) => {
            let day = EventTime::Day(from.to_zoned(zone.clone()).date());
            day.instant(&TimeZone::UTC)
        }
        EventTime::Moment(_) => from,
    };
    recurrence.occurrences_from(&first.start, from)
}
