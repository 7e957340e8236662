//! An event as stored in the ledger. The record contains everything that is needed to filter and
//! show the event, so that past states can be listed like the current state.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use recurrence::Recurrence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event_fields::{EventFields, facts};
use model::calendar::{Event, EventSpan, EventStatus, EventTime};
use site::calendar::{Series, span_at, starts};

/// An event, or a series with its exceptions, in its current or last known state.
#[derive(Debug, Clone)]
pub struct LedgerEvent {
    pub id: Arc<str>,
    /// The path of the event's file, from the site's root.
    pub source: String,
    /// The time zone of the calendar, which applies to all-day events.
    pub zone: TimeZone,
    /// The fields of the event. In a series, these fields are shared by all regular instances.
    pub own: Arc<Record>,
    /// The recurrence rules of a series.
    pub recurrence: Option<Recurrence>,
    /// The current and former exceptions, in the order of their planned starts.
    pub exceptions: Vec<SeriesException>,
    /// The planned starts of the exceptions, in compact form such as `20261120T200000Z`.
    pub replaced_starts: BTreeSet<String>,
    /// The time when the event's file was found missing.
    pub deleted: Option<Timestamp>,
}

/// An exception of a series.
#[derive(Debug, Clone)]
pub struct SeriesException {
    /// The planned start.
    pub original: EventTime,
    pub record: Arc<Record>,
}

/// The fields of an event or an exception.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The time span of the event. In a series, the time span of the first instance.
    pub span: EventSpan,
    pub created: Timestamp,
    pub updated: Timestamp,
    /// All other fields in the format shown to clients, including `recurrence`.
    pub facts: EventFields,
}

/// The creation and modification times of an event according to its files. They are used if the
/// ledger has no times.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    pub created: Timestamp,
    pub updated: Timestamp,
}

impl Record {
    pub fn is_cancelled(&self) -> bool {
        self.facts.get("status").and_then(|status| status.as_str())
            == Some(EventStatus::Cancelled.as_str())
    }

    /// Returns whether the event's details are visible to everyone who can see the calendar.
    pub fn is_public(&self) -> bool {
        let visibility = self.facts.get("visibility").and_then(|one| one.as_str());
        matches!(visibility, None | Some("public"))
    }

    /// Returns the record with its times set. An unchanged record keeps the times of `before`. A
    /// changed record gets `now` as its modification time. A restored event counts as changed.
    fn since(self, before: Option<&Arc<Self>>, now: Option<Timestamp>, is_back: bool) -> Arc<Self> {
        let Some(before) = before else {
            return Arc::new(match now {
                Some(now) => Self { updated: now, created: now.min(self.created), ..self },
                None => self,
            });
        };
        if before.span == self.span && before.facts == self.facts && !is_back {
            Arc::clone(before)
        } else {
            Arc::new(Self { created: before.created, updated: now.unwrap_or(self.updated), ..self })
        }
    }
}

impl LedgerEvent {
    /// Returns the ledger's event for a series of the site. Unchanged parts keep the times of
    /// `before`. Changed parts get `now` as their modification time, or the times of their files if
    /// `now` is None.
    pub fn new(
        series: &Series,
        zone: &TimeZone,
        host: &str,
        before: Option<&Self>,
        now: Option<Timestamp>,
        times: impl Fn(&Event) -> Times,
    ) -> Option<Self> {
        let (first, recurrence) = series.own()?;
        let uid = series.uid(host);
        let record = |event: &Event, span: &EventSpan| {
            let times = times(event);
            Record {
                span: span.clone(),
                created: times.created,
                updated: times.updated,
                facts: facts(event, &uid),
            }
        };
        let mut own = record(&series.event, first);
        if let Some(recurrence) = recurrence {
            own.facts.insert("recurrence".into(), recurrence.lines().into());
        }
        let is_back = before.is_some_and(|before| before.deleted.is_some());
        let exceptions = series.changed_instances().filter_map(|occurrence| {
            let original = occurrence.original?;
            let before = before.and_then(|before| before.exception(&original));
            let record = record(&occurrence.event, &occurrence.span).since(before, now, is_back);
            Some(SeriesException { original, record })
        });
        let exceptions: Vec<SeriesException> = exceptions.collect();
        let mut entry = Self {
            id: series.event.id.as_str().into(),
            source: series.event.source.to_string(),
            zone: zone.clone(),
            own: own.since(before.map(|before| &before.own), now, is_back),
            recurrence: recurrence.cloned(),
            replaced_starts: BTreeSet::new(),
            exceptions,
            deleted: None,
        };
        if let Some(before) = before {
            entry.keep_former_exceptions(before, now);
        }
        entry.replaced_starts = replaced_starts(&entry.exceptions);
        Some(entry)
    }

    /// Keeps exceptions that the series no longer has. They get the current fields of the series.
    /// Clients that expand series themselves still have these exceptions, and would treat a missing
    /// exception as cancelled.
    fn keep_former_exceptions(&mut self, before: &Self, now: Option<Timestamp>) {
        let is_former = |one: &&SeriesException| self.exception(&one.original).is_none();
        let former = before.exceptions.iter().filter(is_former);
        let former: Vec<SeriesException> = former
            .map(|one| SeriesException {
                original: one.original.clone(),
                record: self.regular(&one.original).since(
                    Some(&one.record),
                    now,
                    before.deleted.is_some(),
                ),
            })
            .collect();
        self.exceptions.extend(former);
        self.exceptions.sort_by_key(|one| one.original.rank());
    }

    /// Returns the current and former exceptions with their indexes. Leaves out the exceptions of
    /// an event that is no longer a series. Also leaves out all-day exceptions of a timed series,
    /// and timed exceptions of an all-day series.
    pub fn changed_instances(&self) -> impl Iterator<Item = (usize, &SeriesException)> {
        let is_day = self.own.span.start.is_day();
        let all = self.exceptions.iter().enumerate();
        all.filter(move |(_, one)| self.recurrence.is_some() && one.original.is_day() == is_day)
    }

    /// Returns the regular instance of the series at a planned start. The instance is cancelled if
    /// the series has no such start.
    fn regular(&self, original: &EventTime) -> Record {
        let mut record = Record {
            span: span_at(&self.own.span, self.recurrence.as_ref(), original.clone()),
            ..Record::clone(&self.own)
        };
        record.facts.remove("recurrence");
        if !self.has_start(original) {
            let cancelled = EventStatus::Cancelled.as_str();
            record.facts.insert("status".into(), cancelled.into());
        }
        record
    }

    /// Returns whether the series has a regular instance with this planned start.
    fn has_start(&self, start: &EventTime) -> bool {
        let near = |recurrence| {
            let from = start.instant(&self.zone);
            starts(&self.own.span, recurrence, &self.zone, from).next()
        };
        let found = self.recurrence.as_ref().and_then(near);
        found.is_some_and(|found| found.compact() == start.compact())
    }

    /// Returns whether the ledger stores the same data for both events.
    pub fn is_same(&self, other: &Self) -> bool {
        let pairs = self.exceptions.iter().zip(&other.exceptions);
        self.own == other.own
            && self.zone == other.zone
            && self.source == other.source
            && self.deleted == other.deleted
            && self.exceptions.len() == other.exceptions.len()
            && pairs
                .into_iter()
                .all(|(one, other)| one.original == other.original && one.record == other.record)
    }

    /// Returns whether the event or the whole series is cancelled, or its file is missing.
    pub fn is_cancelled(&self) -> bool {
        self.deleted.is_some() || self.own.is_cancelled()
    }

    /// Returns the exception with this planned start.
    fn exception(&self, original: &EventTime) -> Option<&Arc<Record>> {
        let found =
            self.exceptions.binary_search_by_key(&original.rank(), |one| one.original.rank());
        found.ok().map(|at| &self.exceptions[at].record)
    }

    /// Returns the JSON text that the ledger stores for the event.
    pub fn to_ledger_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&StoredEvent {
            source: self.source.clone(),
            zone: name(&self.zone),
            own: StoredRecord::of(&self.own),
            exceptions: self
                .exceptions
                .iter()
                .map(|one| (StoredTime::of(&one.original), StoredRecord::of(&one.record)))
                .collect(),
        })
    }

    /// Parses an event from the ledger's JSON text. Returns None if this version of the program
    /// cannot read it.
    pub fn from_ledger_json(id: &str, shape: &str, deleted: Option<Timestamp>) -> Option<Self> {
        let shape: StoredEvent = serde_json::from_str(shape).ok()?;
        let zone = TimeZone::get(&shape.zone).ok()?;
        let own = shape.own.read()?;
        let recurrence = match own.facts.get("recurrence") {
            Some(lines) => Some(parse_recurrence(lines, &own.span.start)?),
            None => None,
        };
        let exceptions = shape.exceptions.into_iter().map(|(original, record)| {
            Some(SeriesException { original: original.read()?, record: Arc::new(record.read()?) })
        });
        let exceptions = exceptions.collect::<Option<Vec<_>>>()?;
        Some(Self {
            id: id.into(),
            source: shape.source,
            own: Arc::new(own),
            recurrence,
            replaced_starts: replaced_starts(&exceptions),
            exceptions,
            zone,
            deleted,
        })
    }
}

fn replaced_starts(exceptions: &[SeriesException]) -> BTreeSet<String> {
    exceptions.iter().map(|one| one.original.compact()).collect()
}

/// Parses the lines of `recurrence`.
fn parse_recurrence(lines: &Value, start: &EventTime) -> Option<Recurrence> {
    let lines = lines.as_array()?.iter().filter_map(Value::as_str);
    Recurrence::parse(lines, start).ok()
}

/// The data that the ledger stores for an event.
#[derive(Serialize, Deserialize)]
struct StoredEvent {
    source: String,
    zone: String,
    own: StoredRecord,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    exceptions: Vec<(StoredTime, StoredRecord)>,
}

#[derive(Serialize, Deserialize)]
struct StoredRecord {
    start: StoredTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<StoredTime>,
    created: Timestamp,
    updated: Timestamp,
    facts: EventFields,
}

impl StoredRecord {
    fn of(record: &Record) -> Self {
        Self {
            start: StoredTime::of(&record.span.start),
            end: record.span.end.as_ref().map(StoredTime::of),
            created: record.created,
            updated: record.updated,
            facts: record.facts.clone(),
        }
    }

    fn read(self) -> Option<Record> {
        let end = match self.end {
            Some(end) => Some(end.read()?),
            None => None,
        };
        Some(Record {
            span: EventSpan { start: self.start.read()?, end },
            created: self.created,
            updated: self.updated,
            facts: self.facts,
        })
    }
}

/// A date, or an instant and its time zone.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredTime {
    Day(Date),
    Moment(Timestamp, String),
}

impl StoredTime {
    fn of(time: &EventTime) -> Self {
        match time {
            EventTime::Day(day) => Self::Day(*day),
            EventTime::Moment(moment) => Self::Moment(moment.timestamp(), name(moment.time_zone())),
        }
    }

    fn read(self) -> Option<EventTime> {
        Some(match self {
            Self::Day(day) => EventTime::Day(day),
            Self::Moment(instant, zone) => {
                EventTime::Moment(instant.to_zoned(TimeZone::get(&zone).ok()?))
            }
        })
    }
}

/// Returns the name of a time zone. All time zones in content come from the IANA time zone
/// database.
pub fn name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("UTC").to_owned()
}
