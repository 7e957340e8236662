//! An event as the ledger keeps it. It has everything that decides which lists the event belongs to and
//! how it is shown, so that old states can be listed like the present one.

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

/// An event or series with its exceptions, as it is or last was.
#[derive(Debug, Clone)]
pub struct LedgerEvent {
    pub id: Arc<str>,
    /// Its file, from the site's root.
    pub source: String,
    /// The zone of its calendar's days.
    pub zone: TimeZone,
    /// The event. In a series, what all regular instances share.
    pub own: Arc<Record>,
    /// The rules of a series.
    pub recurrence: Option<Recurrence>,
    /// The present and former exceptions, in the order of their planned starts.
    pub exceptions: Vec<Differing>,
    /// The planned starts of the exceptions, in compact form.
    pub replaced: BTreeSet<String>,
    /// When its file was found missing.
    pub deleted: Option<Timestamp>,
}

/// An exception of a series.
#[derive(Debug, Clone)]
pub struct Differing {
    /// When it was planned to start.
    pub original: EventTime,
    pub record: Arc<Record>,
}

/// The facts of an event or an exception.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its time. In a series, the time of the first.
    pub span: EventSpan,
    pub created: Timestamp,
    pub updated: Timestamp,
    /// All else, as it is shown. `recurrence` is among it.
    pub facts: EventFields,
}

/// When an event was made and last changed by its files, used when the ledger does not know.
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

    /// Whether everybody who sees the calendar sees its details.
    pub fn is_public(&self) -> bool {
        let visibility = self.facts.get("visibility").and_then(|one| one.as_str());
        matches!(visibility, None | Some("public"))
    }

    /// With the right times: those of `before` if nothing changed, else `now`. A deleted event that is
    /// back counts as changed.
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
    /// The ledger's event for a series of the site. Unchanged parts keep the times of `before`. Changed
    /// parts changed `now`, or when their files say if there is no `now`.
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
        let exceptions = series.differing().filter_map(|occurrence| {
            let original = occurrence.original?;
            let before = before.and_then(|before| before.exception(&original));
            let record = record(&occurrence.event, &occurrence.span).since(before, now, is_back);
            Some(Differing { original, record })
        });
        let exceptions: Vec<Differing> = exceptions.collect();
        let mut entry = Self {
            id: series.event.id.as_str().into(),
            source: series.event.source.to_string(),
            zone: zone.clone(),
            own: own.since(before.map(|before| &before.own), now, is_back),
            recurrence: recurrence.cloned(),
            replaced: BTreeSet::new(),
            exceptions,
            deleted: None,
        };
        if let Some(before) = before {
            entry.remember(before, now);
        }
        entry.replaced = replaced(&entry.exceptions);
        Some(entry)
    }

    /// Keeps former exceptions, with what the series now says of them, even if they are no longer in the
    /// series. Clients that expand series themselves still have them, and would take a missing one for
    /// cancelled.
    fn remember(&mut self, before: &Self, now: Option<Timestamp>) {
        let is_left = |one: &&Differing| self.exception(&one.original).is_none();
        let left = before.exceptions.iter().filter(is_left);
        let left: Vec<Differing> = left
            .map(|one| Differing {
                original: one.original.clone(),
                record: self.regular(&one.original).since(
                    Some(&one.record),
                    now,
                    before.deleted.is_some(),
                ),
            })
            .collect();
        self.exceptions.extend(left);
        self.exceptions.sort_by_key(|one| one.original.rank());
    }

    /// The present and former exceptions that a planned start can identify. Those of a series that
    /// became a single event, or changed from times to days, are left out.
    pub fn differing(&self) -> impl Iterator<Item = (usize, &Differing)> {
        let is_day = self.own.span.start.is_day();
        let all = self.exceptions.iter().enumerate();
        all.filter(move |(_, one)| self.recurrence.is_some() && one.original.is_day() == is_day)
    }

    /// An instance as the series has it.
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

    /// Whether the series has a planned start at this time.
    fn has_start(&self, start: &EventTime) -> bool {
        let near = |recurrence| {
            let from = start.instant(&self.zone);
            starts(&self.own.span, recurrence, &self.zone, from).next()
        };
        let found = self.recurrence.as_ref().and_then(near);
        found.is_some_and(|found| found.compact() == start.compact())
    }

    /// Whether it equals another, whatever files they come from.
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

    /// Whether it is cancelled as a whole, or its file is missing.
    pub fn is_cancelled(&self) -> bool {
        self.deleted.is_some() || self.own.is_cancelled()
    }

    /// The exception with this planned start.
    fn exception(&self, original: &EventTime) -> Option<&Arc<Record>> {
        let found =
            self.exceptions.binary_search_by_key(&original.rank(), |one| one.original.rank());
        found.ok().map(|at| &self.exceptions[at].record)
    }

    /// The text that the ledger keeps of it.
    pub fn to_shape(&self) -> Result<String, serde_json::Error> {
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

    /// Reads a text of the ledger. None if this version of the program cannot read it.
    pub fn from_shape(id: &str, shape: &str, deleted: Option<Timestamp>) -> Option<Self> {
        let shape: StoredEvent = serde_json::from_str(shape).ok()?;
        let zone = TimeZone::get(&shape.zone).ok()?;
        let own = shape.own.read()?;
        let recurrence = match own.facts.get("recurrence") {
            Some(lines) => Some(parsed(lines, &own.span.start)?),
            None => None,
        };
        let exceptions = shape.exceptions.into_iter().map(|(original, record)| {
            Some(Differing { original: original.read()?, record: Arc::new(record.read()?) })
        });
        let exceptions = exceptions.collect::<Option<Vec<_>>>()?;
        Some(Self {
            id: id.into(),
            source: shape.source,
            own: Arc::new(own),
            recurrence,
            replaced: replaced(&exceptions),
            exceptions,
            zone,
            deleted,
        })
    }
}

fn replaced(exceptions: &[Differing]) -> BTreeSet<String> {
    exceptions.iter().map(|one| one.original.compact()).collect()
}

/// Reads the lines of `recurrence`.
fn parsed(lines: &Value, start: &EventTime) -> Option<Recurrence> {
    let lines = lines.as_array()?.iter().filter_map(Value::as_str);
    Recurrence::parse(lines, start).ok()
}

/// What the ledger keeps of an entry.
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

/// A day, or an instant and the zone whose clock it follows.
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

/// The name of a zone of the time zone database. Content has only such zones.
pub fn name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("UTC").to_owned()
}
