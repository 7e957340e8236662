//! An event as the ledger keeps it: with all that tells which lists it belongs to and how it is shown,
//! so that what it was can be asked as well as what it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use recurrence::Recurrence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event_fields::{EventFields, facts};
use crate::model::calendar::{Event, EventSpan, EventStatus, EventTime};
use crate::site::calendar::{Series, starts};

/// An event of its own with the instances that differ, as it is or last was.
#[derive(Debug, Clone)]
pub struct LedgerEvent {
    /// The event's id.
    pub id: Arc<str>,
    /// Its file, from the site's root.
    pub source: String,
    /// The zone of its calendar's days.
    pub zone: TimeZone,
    /// The event: in a series, what holds of every instance that does not differ.
    pub own: Arc<Record>,
    /// What makes it a series.
    pub recurrence: Option<Recurrence>,
    /// The instances that differ, or once did, in the order of the times they would have started at.
    pub exceptions: Vec<Differing>,
    /// The times at which those would have started, in their compact form.
    pub replaced: BTreeSet<String>,
    /// When its file was found to be gone.
    pub deleted: Option<Timestamp>,
}

/// An instance that differs.
#[derive(Debug, Clone)]
pub struct Differing {
    /// When it would have started.
    pub original: EventTime,
    /// What it is.
    pub record: Arc<Record>,
}

/// What is known of an event or of an instance that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// When it is; in a series when the first is.
    pub span: EventSpan,
    /// When it was made.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// All else, as it is shown. `recurrence` is among it.
    pub facts: EventFields,
}

/// When files say an event was made and last changed, for those whose change nobody saw.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// When it was made.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
}

impl Record {
    /// Whether it was called off.
    pub fn is_cancelled(&self) -> bool {
        self.facts.get("status").and_then(|status| status.as_str())
            == Some(EventStatus::Cancelled.as_str())
    }

    /// Whether whoever may see the calendar may see it.
    pub fn is_public(&self) -> bool {
        let visibility = self.facts.get("visibility").and_then(|one| one.as_str());
        matches!(visibility, None | Some("public"))
    }

    /// The same at the times that were known of it, where it is what it was `before`; else as of `now`,
    /// as is what was deleted and is back.
    fn since(self, before: Option<&Arc<Self>>, now: Option<Timestamp>, is_back: bool) -> Arc<Self> {
        let Some(before) = before else {
            return Arc::new(match now {
                Some(now) => Self {
                    updated: now,
                    created: now.min(self.created),
                    ..self
                },
                None => self,
            });
        };
        if before.span == self.span && before.facts == self.facts && !is_back {
            Arc::clone(before)
        } else {
            Arc::new(Self {
                created: before.created,
                updated: now.unwrap_or(self.updated),
                ..self
            })
        }
    }
}

impl LedgerEvent {
    /// What a series of the site is. What of it is as it was `before` keeps its times; what is not
    /// changed `now`, or when its files say, where there is no `now`.
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
            own.facts
                .insert("recurrence".into(), recurrence.lines().into());
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

    /// Keeps the instances that differed before and do so no longer: they are as the series says, be it
    /// that they are not in it any more. A client that expands series itself holds them, and has to be
    /// told whatever becomes of them; to leave one out would be to say that it was called off.
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

    /// The instances that differ, or once did, and can be told by when they would have started: not those
    /// of a series that has become a single event, or one of days that were times.
    pub fn differing(&self) -> impl Iterator<Item = (usize, &Differing)> {
        let is_day = self.own.span.start.is_day();
        let all = self.exceptions.iter().enumerate();
        all.filter(move |(_, one)| self.recurrence.is_some() && one.original.is_day() == is_day)
    }

    /// What the series says of an instance.
    fn regular(&self, original: &EventTime) -> Record {
        let mut record = Record {
            span: self.own.span.moved_to(original.clone()),
            ..Record::clone(&self.own)
        };
        record.facts.remove("recurrence");
        if !self.has_start(original) {
            let cancelled = EventStatus::Cancelled.as_str();
            record.facts.insert("status".into(), cancelled.into());
        }
        record
    }

    /// Whether an event of the series starts at this time, or would.
    fn has_start(&self, start: &EventTime) -> bool {
        let near = |recurrence| {
            let from = start.instant(&self.zone);
            starts(&self.own.span, recurrence, &self.zone, from).next()
        };
        let found = self.recurrence.as_ref().and_then(near);
        found.is_some_and(|found| found.compact() == start.compact())
    }

    /// Whether it is what another is, whatever became of its files.
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

    /// Whether it was called off as a whole, or its file is gone.
    pub fn is_cancelled(&self) -> bool {
        self.deleted.is_some() || self.own.is_cancelled()
    }

    /// The instance that differs at the time at which it would have started.
    fn exception(&self, original: &EventTime) -> Option<&Arc<Record>> {
        let found = self
            .exceptions
            .binary_search_by_key(&original.rank(), |one| one.original.rank());
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

    /// What a text of the ledger stands for. None for one that this version cannot read.
    pub fn from_shape(id: &str, shape: &str, deleted: Option<Timestamp>) -> Option<Self> {
        let shape: StoredEvent = serde_json::from_str(shape).ok()?;
        let zone = TimeZone::get(&shape.zone).ok()?;
        let own = shape.own.read()?;
        let recurrence = match own.facts.get("recurrence") {
            Some(lines) => Some(parsed(lines, &own.span.start)?),
            None => None,
        };
        let exceptions = shape.exceptions.into_iter().map(|(original, record)| {
            Some(Differing {
                original: original.read()?,
                record: Arc::new(record.read()?),
            })
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
    exceptions
        .iter()
        .map(|one| one.original.compact())
        .collect()
}

/// What the lines that `recurrence` lists stand for.
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
            span: EventSpan {
                start: self.start.read()?,
                end,
            },
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

/// The name of a zone of the time zone database. Content names no others.
pub fn name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("UTC").to_owned()
}
