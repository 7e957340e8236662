//! Detects the columns of newline-delimited JSON, in the order of the members' first occurrence.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::kinds::PossibleTypes;
use super::{SAMPLE_ROWS, clean, make_unique};
use crate::control::Control;
use crate::error::Fault;
use crate::load::Source;
use crate::load::lines::{Lines, Next};
use crate::types::{Field, Type};

/// Maximum number of members to detect in a record: one more than the maximum number of columns in
/// a table.
const MAX_MEMBERS: usize = 2001;

/// The common shape of all values of a member.
#[derive(Debug, Clone, PartialEq)]
enum MemberShape {
    /// All values so far are NULL.
    Unknown,
    Boolean,
    Integer,
    Float,
    Text(PossibleTypes),
    /// Values of different types, which are loaded as strings.
    Mixed,
    List(Box<MemberShape>),
    Record(Vec<(String, MemberShape)>),
}

/// Detects columns from the first rows of the files. A row that is not valid JSON is ignored here,
/// and is counted as a bad row by the load.
pub(crate) fn json(sources: &[Source], control: &Control) -> Result<Vec<Field>, Fault> {
    let mut all = MemberShape::Unknown;
    let mut rows = 0;
    let mut line = Vec::new();
    for source in sources {
        let mut lines = Lines::open(source, control)?;
        while rows < SAMPLE_ROWS {
            control.check()?;
            line.clear();
            match lines.next(&mut line)? {
                Next::End => break,
                Next::TooLong => continue,
                Next::Line => {}
            }
            if let Ok(shape @ MemberShape::Record(_)) = serde_json::from_slice(&line) {
                rows += 1;
                all = all.combine(shape);
            }
        }
    }
    match all {
        MemberShape::Record(members) if !members.is_empty() => Ok(fields(members)),
        _ => Err(Fault::invalid(
            "the schema cannot be detected because the files have no rows; set schema.fields",
        )),
    }
}

fn fields(members: Vec<(String, MemberShape)>) -> Vec<Field> {
    let mut fields: Vec<Field> =
        members.into_iter().map(|(name, shape)| Field::new(name, shape.into_type())).collect();
    make_unique(&mut fields);
    fields
}

impl MemberShape {
    fn combine(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, shape) | (shape, Self::Unknown) => shape,
            (Self::Text(one), Self::Text(other)) => Self::Text(one.and(other)),
            (Self::Integer, Self::Float) | (Self::Float, Self::Integer) => Self::Float,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.combine(*other))),
            (Self::Record(mut one), Self::Record(other)) => {
                merge(&mut one, other);
                Self::Record(one)
            }
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }

    fn into_type(self) -> Type {
        match self {
            Self::Unknown | Self::Mixed => Type::String,
            Self::Boolean => Type::Boolean,
            Self::Integer => Type::Integer,
            Self::Float => Type::Float,
            Self::Text(kinds) => kinds.narrowest(),
            // If the elements are lists too, the result is not a valid column type.
            Self::List(element) => Type::Array(Box::new(element.into_type())),
            Self::Record(members) if members.is_empty() => Type::Json,
            Self::Record(members) => Type::Struct(fields(members)),
        }
    }
}

fn merge(known: &mut Vec<(String, MemberShape)>, more: Vec<(String, MemberShape)>) {
    for (at, (name, shape)) in more.into_iter().enumerate() {
        let is_same = |(other, _): &(String, MemberShape)| other.eq_ignore_ascii_case(&name);
        // Checks the same index first, because most rows have the same order of members.
        let place = match known.get(at) {
            Some(member) if is_same(member) => Some(at),
            _ => known.iter().position(is_same),
        };
        match place {
            Some(place) => {
                let before = std::mem::replace(&mut known[place].1, MemberShape::Unknown);
                known[place].1 = before.combine(shape);
            }
            None if known.len() < MAX_MEMBERS => known.push((name, shape)),
            None => {}
        }
    }
}

impl<'de> Deserialize<'de> for MemberShape {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = MemberShape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<MemberShape, E> {
        Ok(MemberShape::Boolean)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<MemberShape, E> {
        Ok(MemberShape::Integer)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<MemberShape, E> {
        Ok(match i64::try_from(number) {
            Ok(_) => MemberShape::Integer,
            Err(_) => MemberShape::Float,
        })
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<MemberShape, E> {
        Ok(MemberShape::Float)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<MemberShape, E> {
        Ok(MemberShape::Text(PossibleTypes::of_text(text)))
    }

    fn visit_unit<E: Error>(self) -> Result<MemberShape, E> {
        Ok(MemberShape::Unknown)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<MemberShape, A::Error> {
        let mut all = MemberShape::Unknown;
        while let Some(shape) = list.next_element::<MemberShape>()? {
            all = all.combine(shape);
        }
        Ok(MemberShape::List(Box::new(all)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<MemberShape, A::Error> {
        let mut known = Vec::new();
        while let Some((name, shape)) = members.next_entry::<String, MemberShape>()? {
            let name = clean(&name);
            merge(&mut known, vec![(name, shape)]);
        }
        Ok(MemberShape::Record(known))
    }
}
