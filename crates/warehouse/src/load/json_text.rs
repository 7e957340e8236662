//! Writes JSON in its stored form: compact, with members in their original order. If two members
//! have the same name, the first is kept, as in BigQuery.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

pub(crate) struct Compact<'o>(pub &'o mut Vec<u8>);

/// Writes a string, number or boolean as JSON.
pub(crate) fn write<E: Error>(
    value: &(impl serde::Serialize + ?Sized),
    out: &mut Vec<u8>,
) -> Result<(), E> {
    serde_json::to_writer(out, value).map_err(E::custom)
}

impl<'de> DeserializeSeed<'de> for Compact<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Compact<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        write(&value, self.0)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        write(&value, self.0)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        write(&value, self.0)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        write(&value, self.0)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        write(value, self.0)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.push(b'[');
        let start = self.0.len();
        loop {
            let end = self.0.len();
            if end > start {
                self.0.push(b',');
            }
            if list.next_element_seed(Compact(self.0))?.is_none() {
                self.0.truncate(end);
                break;
            }
        }
        self.0.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        self.0.push(b'{');
        let mut known: HashSet<String> = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            if known.contains(&name) {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            if !known.is_empty() {
                self.0.push(b',');
            }
            write(name.as_str(), self.0)?;
            self.0.push(b':');
            members.next_value_seed(Compact(self.0))?;
            known.insert(name);
        }
        self.0.push(b'}');
        Ok(())
    }
}
