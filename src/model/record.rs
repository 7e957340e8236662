//! Values of records: podcast tags, pictures and tables of settings that are declared field by
//! field. The code for JSON, templates, RSS and fingerprints accesses them through [`Record`].

use std::hash::{Hash, Hasher};

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::Number;

use super::shape::{Field, Kind, Need, Shape};

/// A record whose fields are read by index.
pub trait Record {
    /// Returns the declaration of the record's fields.
    fn shape(&self) -> &'static Shape;

    /// Returns the value of a field, by its index in the shape.
    fn value(&self, at: usize) -> FieldValue<'_>;
}

/// A list of records of one type.
pub trait Records {
    /// Returns the number of records.
    fn count(&self) -> usize;

    /// Returns a record by its index, from 0.
    fn record(&self, at: usize) -> &dyn Record;
}

/// The borrowed value of a field.
#[derive(Clone, Copy)]
pub enum FieldValue<'a> {
    /// The value is missing.
    Nothing,
    Text(&'a str),
    Number(f64),
    Seconds(f64),
    Count(u64),
    Integer(i64),
    Flag(bool),
    Time(Timestamp),
    One(&'a dyn Record),
    Many(&'a dyn Records),
    /// A value that is hashed, but never output.
    Hidden(&'a dyn Hidden),
}

/// A value that is hashed, but never output.
pub trait Hidden {
    /// Feeds the value into a hasher.
    fn feed(&self, state: &mut dyn Hasher);
}

impl<T: Hash> Hidden for T {
    fn feed(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl<T: Record> Records for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn record(&self, at: usize) -> &dyn Record {
        &self[at]
    }
}

impl<'a> dyn Record + 'a {
    /// Calls `show` for each field that has a value, including the fields of flat records.
    pub fn each(&'a self, show: &mut dyn FnMut(&'static Field, FieldValue<'a>)) {
        for (at, field) in self.shape().fields.iter().enumerate() {
            match (field.kind, self.value(at)) {
                (Kind::Flat(_), FieldValue::One(inner)) => inner.each(show),
                (Kind::Flat(_) | Kind::Hidden, _) => {}
                (Kind::Switch, FieldValue::Flag(false)) => {}
                (_, value) if field.need == Need::Optional && value.is_empty() => {}
                (Kind::WholeSeconds, FieldValue::Number(seconds)) => {
                    show(field, FieldValue::Seconds(seconds))
                }
                (_, value) => show(field, value),
            }
        }
    }

    /// Returns the value of a field by its key. Returns None if the value is missing or the key is
    /// unknown.
    pub fn get(&'a self, key: &str) -> Option<FieldValue<'a>> {
        let mut found = None;
        self.each(&mut |field, value| {
            if field.key == key {
                found = Some(value);
            }
        });
        found
    }
}

impl FieldValue<'_> {
    fn is_empty(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.is_empty(),
            Self::Many(all) => all.count() == 0,
            _ => false,
        }
    }

    /// Feeds the whole value into a hasher, including hidden values.
    pub fn feed(self, mut state: &mut dyn Hasher) {
        match self {
            Self::Nothing => 0_u8.hash(&mut state),
            Self::Text(text) => text.hash(&mut state),
            Self::Number(number) | Self::Seconds(number) => number.to_bits().hash(&mut state),
            Self::Count(count) => count.hash(&mut state),
            Self::Integer(number) => number.hash(&mut state),
            Self::Flag(flag) => flag.hash(&mut state),
            Self::Time(time) => time.hash(&mut state),
            Self::Hidden(value) => value.feed(state),
            Self::One(record) => {
                for at in 0..record.shape().fields.len() {
                    // Hashing the discriminant distinguishes missing values from empty ones, and
                    // separates adjacent values.
                    let value = record.value(at);
                    std::mem::discriminant(&value).hash(&mut state);
                    value.feed(state);
                }
            }
            Self::Many(all) => {
                all.count().hash(&mut state);
                (0..all.count()).for_each(|at| FieldValue::One(all.record(at)).feed(state));
            }
        }
    }
}

/// Serializes a value in its JSON form.
impl Serialize for FieldValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Nothing | Self::Hidden(_) => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_f64(number),
            Self::Seconds(seconds) => seconds_as_json(seconds).serialize(serializer),
            Self::Count(count) => serializer.serialize_u64(count),
            Self::Integer(number) => serializer.serialize_i64(number),
            Self::Flag(flag) => serializer.serialize_bool(flag),
            Self::Time(time) => serializer.collect_str(&time),
            Self::Many(all) => {
                serializer.collect_seq((0..all.count()).map(|at| FieldValue::One(all.record(at))))
            }
            Self::One(record) => {
                let mut fields = Vec::new();
                record.each(&mut |field, value| fields.push((field.key, value)));
                serializer.collect_map(fields)
            }
        }
    }
}

/// Returns seconds as a JSON number. Whole seconds are an integer, as in the examples of the
/// specification. Returns None for NaN and infinity, which JSON cannot represent.
pub fn seconds_as_json(seconds: f64) -> Option<Number> {
    // Every whole f64 below 2^53 converts to i64 exactly.
    const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
    if seconds.fract() == 0.0 && seconds.abs() < MAX_EXACT_INTEGER {
        Some(Number::from(seconds as i64))
    } else {
        Number::from_f64(seconds)
    }
}
