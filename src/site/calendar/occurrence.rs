//! When the events of a series take place.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recurrence::Recurrence;

use super::Series;
use model::calendar::{Event, EventKind, EventSpan, EventTime};

/// Whether the occurrences of an event are wanted. It is called once for all occurrences of a rule, of which
/// there may be millions.
pub type Keep<'a> = &'a dyn Fn(&Event) -> bool;

/// One time at which an event takes place, or would if it were not called off.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// The event: in a series the instance that differs, or the series.
    pub event: Arc<Event>,
    /// The single event or the series that it belongs to.
    pub series: Arc<Event>,
    /// In a series, when it would have started.
    pub original: Option<EventTime>,
    pub span: EventSpan,
}

impl Occurrence {
    /// Its id: the event's, and in a series with the time at which it would have started.
    pub fn id(&self) -> String {
        match &self.original {
            Some(original) => format!("{}_{}", self.series.id, original.compact()),
            None => self.series.id.to_string(),
        }
    }

    /// When it starts; a day begins in `zone`.
    pub fn start(&self, zone: &TimeZone) -> Timestamp {
        self.span.start.instant(zone)
    }

    /// When it ends; one whose end is open is given an hour, or its day.
    pub fn end(&self, zone: &TimeZone) -> Timestamp {
        self.span.closed().instant(zone)
    }

    /// A key to sort occurrences by start, and by id among equal starts.
    pub fn order(&self, zone: &TimeZone) -> (Timestamp, String) {
        (self.start(zone), self.id())
    }
}

impl Series {
    /// The first time, and the recurrence.
    pub fn own(&self) -> Option<(&EventSpan, Option<&Recurrence>)> {
        match &self.event.kind {
            EventKind::Own { span, recurrence } => Some((span, recurrence.as_ref())),
            EventKind::Instance { .. } => None,
        }
    }

    /// Whether it is more than one event.
    pub fn is_recurring(&self) -> bool {
        self.own().is_some_and(|(_, recurrence)| recurrence.is_some())
    }

    /// The wanted occurrences that end after `from` and start before `until`; at most `most` of those that
    /// come from the rule. Days are those of `zone`.
    pub fn between(
        &self,
        zone: &TimeZone,
        from: Timestamp,
        until: Timestamp,
        most: usize,
        keep: Keep<'_>,
    ) -> Vec<Occurrence> {
        self.between_where(zone, (from, until), most, keep, |_| true)
    }

    /// As [`between`](Self::between), with one more condition on each occurrence.
    pub(super) fn between_where(
        &self,
        zone: &TimeZone,
        (from, until): (Timestamp, Timestamp),
        most: usize,
        keep: Keep<'_>,
        is_it: impl Fn(&Occurrence) -> bool,
    ) -> Vec<Occurrence> {
        let Some((first, recurrence)) = self.own() else {
            return Vec::new();
        };
        let is_inside = |occurrence: &Occurrence| {
            occurrence.end(zone) > from && occurrence.start(zone) < until && is_it(occurrence)
        };
        let is_kept = keep(&self.event);
        let differing = self.exceptions.iter().filter(|one| keep(&one.event));
        let differing = differing.filter_map(|one| self.instance(&one.event));
        let differing = differing.filter(is_inside);
        let Some(recurrence) = recurrence.filter(|_| is_kept) else {
            if self.is_recurring() {
                return differing.collect();
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
        regular.chain(differing).collect()
    }

    pub fn differing(&self) -> impl Iterator<Item = Occurrence> {
        let exceptions = self.exceptions.iter();
        exceptions.filter_map(|exception| self.instance(&exception.event))
    }

    /// The occurrence of an instance that differs.
    pub fn instance(&self, event: &Arc<Event>) -> Option<Occurrence> {
        let EventKind::Instance { original, span, .. } = &event.kind else {
            return None;
        };
        let (first, recurrence) = self.own()?;
        let regular = span_at(first, recurrence, original.clone());
        let span = match span {
            Some(EventSpan { start, end: None }) => regular.moved_to(start.clone()),
            Some(span) => span.clone(),
            None => regular,
        };
        Some(self.occurrence(event, Some(original.clone()), span))
    }

    /// The instance that differs at the time at which it would have started.
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

    /// Whether an event of the series starts at this time, or would.
    pub fn has_start(&self, start: &EventTime, zone: &TimeZone) -> bool {
        let at = start.instant(zone);
        let next = self.next_start(at, zone);
        next.is_some_and(|found| found.instant(zone) == at)
    }

    /// When the first event of the series starts, or would, that does not start before a time.
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

/// The start and end of the occurrence at a time: as long as the first occurrence, or as its own period says.
pub fn span_at(first: &EventSpan, recurrence: Option<&Recurrence>, start: EventTime) -> EventSpan {
    let end = recurrence.and_then(|recurrence| recurrence.period_end(&start));
    match end.cloned() {
        None => first.moved_to(start),
        end => EventSpan { start, end },
    }
}

/// The starts of a series from a time on, in order: those of its rule, whether an instance differs there or
/// not. Days are those of `zone`.
pub fn starts<'r>(
    first: &EventSpan,
    recurrence: &'r Recurrence,
    zone: &TimeZone,
    from: Timestamp,
) -> impl Iterator<Item = EventTime> + use<'r> {
    // Starts that are days have no zone.
    let from = match &first.start {
        EventTime::Day(_) => {
            let day = EventTime::Day(from.to_zoned(zone.clone()).date());
            day.instant(&TimeZone::UTC)
        }
        EventTime::Moment(_) => from,
    };
    recurrence.occurrences_from(&first.start, from)
}
