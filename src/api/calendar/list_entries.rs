//! The entries of a list in order. Entries are created one at a time on demand, because a series
//! can have infinitely many instances.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use recurrence::Recurrence;
use serde::{Deserialize, Serialize};

use super::access::VisiblePart;
use super::filter::{Filter, updated};
use super::record::{LedgerEvent, Record, SeriesException};
use model::calendar::{EventSpan, EventTime};
use site::calendar::{span_at, starts};

/// An entry of a list: an event, a series, or an instance of a series.
#[derive(Debug, Clone)]
pub struct ListEntry {
    /// The event or series.
    pub entry: Arc<LedgerEvent>,
    pub record: Arc<Record>,
    /// The planned start of an instance. None for an event or series.
    pub original: Option<EventTime>,
    pub span: EventSpan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// By event id, then by planned start. Changes to an event do not move its entries.
    Stable,
    Start,
    /// By the time of the last change.
    Updated,
}

/// The position of an entry in a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListPosition {
    rank: Timestamp,
    event: Arc<str>,
    original: Timestamp,
    is_day: bool,
}

impl ListEntry {
    pub fn id(&self) -> String {
        match &self.original {
            Some(original) => format!("{}_{}", self.entry.id, original.compact()),
            None => self.entry.id.to_string(),
        }
    }

    /// Returns whether the entry was cancelled or deleted.
    pub fn is_cancelled(&self) -> bool {
        self.entry.deleted.is_some() || self.record.is_cancelled()
    }

    /// Returns the time of the last change.
    pub fn updated(&self) -> Timestamp {
        updated(&self.entry, &self.record)
    }

    /// Returns whether clients receive the same data for both entries.
    pub fn is_same(&self, other: &Self) -> bool {
        self.record == other.record
            && self.span == other.span
            && self.entry.deleted == other.entry.deleted
    }

    fn place(&self, order: Order) -> ListPosition {
        let zone = &self.entry.zone;
        ListPosition {
            rank: match order {
                Order::Stable => Timestamp::MIN,
                Order::Start => self.span.start.instant(zone),
                Order::Updated => self.updated(),
            },
            event: Arc::clone(&self.entry.id),
            // All-day instances keep their positions even if the calendar's time zone changes.
            original: match &self.original {
                Some(original) => original.instant(&TimeZone::UTC),
                None => Timestamp::MIN,
            },
            is_day: self.original.as_ref().is_some_and(EventTime::is_day),
        }
    }
}

/// A filtered set of events, which yields list entries in a given order.
#[derive(Clone, Copy)]
pub struct View<'f> {
    pub filter: &'f Filter,
    /// The end time for regular instances of series, unless the filter sets an end.
    pub horizon: Timestamp,
    /// Returns the part of an event that is visible to the key.
    pub sees: &'f dyn Fn(&Record) -> Option<VisiblePart>,
}

type Items<'f> = Box<dyn Iterator<Item = ListEntry> + 'f>;

/// A source of list entries within an event.
enum Part {
    /// The event, or the series as one entry.
    Whole,
    /// The regular instances of a series.
    Regular,
    /// One exception of a series, by its index.
    SeriesException(usize),
}

impl<'f> View<'f> {
    /// Returns the entries of these events in order, with their positions. If `after` is given,
    /// returns only the entries after that position.
    pub fn items(
        self,
        events: impl Iterator<Item = &'f Arc<LedgerEvent>>,
        order: Order,
        after: Option<&ListPosition>,
    ) -> impl Iterator<Item = (ListPosition, ListEntry)> + 'f {
        self.items_from(events.map(|entry| (entry, None)), order, after)
    }

    /// Works like [`items`](Self::items), but each event can have a start time. Such an event
    /// yields only its regular instances that start at or after this time.
    pub fn items_from(
        self,
        events: impl Iterator<Item = (&'f Arc<LedgerEvent>, Option<Timestamp>)>,
        order: Order,
        after: Option<&ListPosition>,
    ) -> impl Iterator<Item = (ListPosition, ListEntry)> + 'f {
        let after = after.cloned();
        let mut sources: Vec<Items<'f>> = Vec::new();
        for (entry, from) in events {
            for part in self.parts(entry, from.is_some()) {
                let resumed = match &after {
                    None => None,
                    Some(after) if order == Order::Start => Some(after.rank),
                    Some(after) => {
                        let rank = self.rank(entry, &part, order);
                        match (rank, &entry.id).cmp(&(after.rank, &after.event)) {
                            Ordering::Less => continue,
                            Ordering::Equal => Some(after.original),
                            Ordering::Greater => None,
                        }
                    }
                };
                sources.push(self.part_items(entry, &part, resumed.max(from)));
            }
        }
        Merged::new(sources, order)
            .skip_while(move |(place, _)| after.as_ref().is_some_and(|after| place <= after))
    }

    /// Returns the rank that all entries of a part share. [`Order::Start`] does not use this rank,
    /// because each entry has its own start.
    fn rank(&self, entry: &LedgerEvent, part: &Part, order: Order) -> Timestamp {
        match (order, part) {
            (Order::Updated, Part::SeriesException(at)) => {
                updated(entry, &entry.exceptions[*at].record)
            }
            (Order::Updated, _) => updated(entry, &entry.own),
            _ => Timestamp::MIN,
        }
    }

    /// Returns the parts of an event that belong to the list. Does not check the time bounds.
    fn parts(&self, entry: &LedgerEvent, regular_alone: bool) -> Vec<Part> {
        let is_wanted = |record: &Record, is_exception: bool| {
            let visible = (self.sees)(record);
            visible.is_some_and(|visible| self.filter.accepts(entry, record, visible, is_exception))
        };
        let expanded = self.filter.single_events && entry.recurrence.is_some();
        let mut parts = Vec::new();
        if is_wanted(&entry.own, false) && (expanded || !regular_alone) {
            parts.push(if expanded { Part::Regular } else { Part::Whole });
        }
        if !regular_alone {
            let wanted = entry.changed_instances().filter(|(_, one)| is_wanted(&one.record, true));
            parts.extend(wanted.map(|(at, _)| Part::SeriesException(at)));
        }
        parts
    }

    /// Returns the entries of a part. If `from` is given, can omit entries that start earlier.
    fn part_items(
        self,
        entry: &'f Arc<LedgerEvent>,
        part: &Part,
        from: Option<Timestamp>,
    ) -> Items<'f> {
        match part {
            Part::Regular => Box::new(self.regular(entry, from)),
            Part::Whole => {
                let is_inside = match entry.recurrence {
                    Some(_) => self.has_instance_inside(entry),
                    None => self.is_inside(entry, &entry.own.span),
                };
                let item = ListEntry {
                    entry: Arc::clone(entry),
                    record: Arc::clone(&entry.own),
                    original: None,
                    span: entry.own.span.clone(),
                };
                Box::new(is_inside.then_some(item).into_iter())
            }
            Part::SeriesException(at) => {
                let one = &entry.exceptions[*at];
                // A client that expands the series itself needs the exception even if only the
                // exception's planned time is within the bounds.
                let slot =
                    span_at(&entry.own.span, entry.recurrence.as_ref(), one.original.clone());
                let is_inside = self.is_inside(entry, &one.record.span)
                    || !self.filter.single_events && self.is_inside(entry, &slot);
                let item = ListEntry {
                    entry: Arc::clone(entry),
                    record: Arc::clone(&one.record),
                    original: Some(one.original.clone()),
                    span: one.record.span.clone(),
                };
                Box::new(is_inside.then_some(item).into_iter())
            }
        }
    }

    /// Returns the regular instances that start at or after `from`.
    fn regular(
        self,
        entry: &'f Arc<LedgerEvent>,
        from: Option<Timestamp>,
    ) -> impl Iterator<Item = ListEntry> + 'f {
        let first = &entry.own.span;
        let zone = &entry.zone;
        let recurrence = entry.recurrence.as_ref();
        let period = recurrence.and_then(Recurrence::longest_period);
        let long = period.unwrap_or_default().max(max_duration(first, entry));
        let earliest =
            self.filter.time_min.map(|min| min.checked_sub(long).unwrap_or(Timestamp::MIN));
        let from = earliest.max(from).unwrap_or(Timestamp::MIN);
        let until = self.filter.time_max.unwrap_or(self.horizon);
        let starts = entry
            .recurrence
            .iter()
            .flat_map(move |recurrence| starts(first, recurrence, zone, from));
        starts
            .take_while(move |start| start.instant(zone) < until)
            .filter(|start| {
                entry.replaced_starts.is_empty()
                    || !entry.replaced_starts.contains(&start.compact())
            })
            .map(move |start| ListEntry {
                entry: Arc::clone(entry),
                record: Arc::clone(&entry.own),
                span: span_at(first, recurrence, start.clone()),
                original: Some(start),
            })
            .filter(move |item| self.is_inside(entry, &item.span))
    }

    fn has_instance_inside(self, entry: &'f Arc<LedgerEvent>) -> bool {
        let is_everywhere = self.filter.time_min.is_none() && self.filter.time_max.is_none();
        let changed_instances = |(_, one): (usize, &SeriesException)| {
            !one.record.is_cancelled() && self.is_inside(entry, &one.record.span)
        };
        is_everywhere
            || entry.changed_instances().any(changed_instances)
            || View { horizon: Timestamp::MAX, ..self }.regular(entry, None).next().is_some()
    }

    /// Returns whether a time span overlaps the list's time bounds. Both bounds are exclusive.
    fn is_inside(&self, entry: &LedgerEvent, span: &EventSpan) -> bool {
        let zone = &entry.zone;
        self.filter.time_min.is_none_or(|min| span.closed().instant(zone) > min)
            && self.filter.time_max.is_none_or(|most| span.start.instant(zone) < most)
    }
}

/// Returns the maximum duration of an instance.
fn max_duration(first: &EventSpan, entry: &LedgerEvent) -> SignedDuration {
    let (start, end) = (first.start.instant(&entry.zone), first.closed().instant(&entry.zone));
    let long = end.duration_since(start);
    match first.start {
        // Days with a clock change can be longer than 24 hours.
        EventTime::Day(_) => long.saturating_add(SignedDuration::from_hours(24)),
        EventTime::Moment(_) => long,
    }
}

/// Merges several sorted sources into one sorted list.
struct Merged<'f> {
    order: Order,
    sources: Vec<Items<'f>>,
    heads: BinaryHeap<Reverse<(ListPosition, usize, NextEntry)>>,
}

/// The next entry of a source. It does not affect the sort order.
struct NextEntry(ListEntry);

impl PartialEq for NextEntry {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for NextEntry {}

impl PartialOrd for NextEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NextEntry {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<'f> Merged<'f> {
    fn new(sources: Vec<Items<'f>>, order: Order) -> Self {
        let heads = BinaryHeap::with_capacity(sources.len());
        let mut merged = Self { order, sources, heads };
        (0..merged.sources.len()).for_each(|at| merged.pull(at));
        merged
    }

    fn pull(&mut self, at: usize) {
        if let Some(item) = self.sources[at].next() {
            self.heads.push(Reverse((item.place(self.order), at, NextEntry(item))));
        }
    }
}

impl Iterator for Merged<'_> {
    type Item = (ListPosition, ListEntry);

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((place, at, NextEntry(item))) = self.heads.pop()?;
        self.pull(at);
        Some((place, item))
    }
}
