//! Records in template contexts, in the shape of JSON documents.

use mustache::{Data, Object};

use model::record::{Lent, Record, seconds_as_json};

/// A record as an object. Missing fields are absent, so a template finds an outer value with the
/// same name.
pub struct Shaped<'a>(pub &'a dyn Record);

impl<'a> Object<'a> for Shaped<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        self.0.get(key).map(data)
    }

    fn keys(&self) -> Vec<String> {
        keys(self.0).map(str::to_owned).collect()
    }
}

/// A record as an object whose missing fields are null, so that a template does not find outer
/// values with the same names.
pub struct Filled<'a>(pub &'a dyn Record);

impl<'a> Object<'a> for Filled<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let missing = || keys(self.0).any(|known| known == key).then(Data::default);
        Shaped(self.0).get(key).or_else(missing)
    }

    fn keys(&self) -> Vec<String> {
        Shaped(self.0).keys()
    }
}

fn keys(record: &dyn Record) -> impl Iterator<Item = &'static str> {
    record.shape().all_fields().into_iter().map(|field| field.key)
}

/// Apple's tags among other keys. Their keys begin with `itunes:`.
pub struct Itunes<'a> {
    pub tags: &'a dyn Record,
    /// Whether missing tags are null, so that a template does not find outer values.
    pub fills: bool,
}

impl<'a> Object<'a> for Itunes<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let key = key.strip_prefix("itunes:")?;
        match self.fills {
            true => Filled(self.tags).get(key),
            false => Shaped(self.tags).get(key),
        }
    }

    fn keys(&self) -> Vec<String> {
        keys(self.tags).map(|key| format!("itunes:{key}")).collect()
    }
}

/// Converts the value of a field.
fn data(value: Lent<'_>) -> Data<'_> {
    match value {
        Lent::Nothing | Lent::Hidden(_) => Data::default(),
        Lent::Text(text) => text.into(),
        Lent::Number(number) => number.into(),
        Lent::Seconds(seconds) => seconds_as_json(seconds).into(),
        Lent::Count(count) => count.into(),
        Lent::Integer(number) => number.into(),
        Lent::Flag(flag) => flag.into(),
        Lent::Time(time) => time.to_string().into(),
        Lent::One(record) => Data::object(Shaped(record)),
        Lent::Many(all) => Data::list(all.count(), move |at| Data::object(Shaped(all.record(at)))),
    }
}
