//! Records in template contexts, in the shape of JSON documents.

use mustache::{Data, Object};

use model::record::{FieldValue, Record, seconds_as_json};

/// A record as an object. Missing fields are absent, so a template finds an outer value with the
/// same name.
pub struct RecordObject<'a>(pub &'a dyn Record);

impl<'a> Object<'a> for RecordObject<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        self.0.get(key).map(data)
    }

    fn keys(&self) -> Vec<String> {
        keys(self.0).map(str::to_owned).collect()
    }
}

/// A record as an object whose missing fields are null, so that a template does not find outer
/// values with the same names.
pub struct RecordWithNulls<'a>(pub &'a dyn Record);

impl<'a> Object<'a> for RecordWithNulls<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let missing = || keys(self.0).any(|known| known == key).then(Data::default);
        RecordObject(self.0).get(key).or_else(missing)
    }

    fn keys(&self) -> Vec<String> {
        RecordObject(self.0).keys()
    }
}

fn keys(record: &dyn Record) -> impl Iterator<Item = &'static str> {
    record.shape().all_fields().into_iter().map(|field| field.key)
}

/// Apple's tags, as keys of a larger object that begin with `itunes:`.
pub struct Itunes<'a> {
    pub tags: &'a dyn Record,
    /// Whether missing tags are null, so that a template does not find outer values.
    pub fills: bool,
}

impl<'a> Object<'a> for Itunes<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let key = key.strip_prefix("itunes:")?;
        match self.fills {
            true => RecordWithNulls(self.tags).get(key),
            false => RecordObject(self.tags).get(key),
        }
    }

    fn keys(&self) -> Vec<String> {
        keys(self.tags).map(|key| format!("itunes:{key}")).collect()
    }
}

/// Converts the value of a field to template data.
fn data(value: FieldValue<'_>) -> Data<'_> {
    match value {
        FieldValue::Nothing | FieldValue::Hidden(_) => Data::default(),
        FieldValue::Text(text) => text.into(),
        FieldValue::Number(number) => number.into(),
        FieldValue::Seconds(seconds) => seconds_as_json(seconds).into(),
        FieldValue::Count(count) => count.into(),
        FieldValue::Integer(number) => number.into(),
        FieldValue::Flag(flag) => flag.into(),
        FieldValue::Time(time) => time.to_string().into(),
        FieldValue::One(record) => Data::object(RecordObject(record)),
        FieldValue::Many(all) => {
            Data::list(all.count(), move |at| Data::object(RecordObject(all.record(at))))
        }
    }
}
