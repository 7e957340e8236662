//! Records as templates read them: in the shape of JSON documents.

use std::cell::OnceCell;

use mustache::{Data, Object};

use crate::model::record::{Lent, Record, seconds_as_json};

/// A record as an object. What is missing is not there, so that a template finds an outer one of its name.
#[derive(Clone, Copy)]
pub struct Shaped<'a>(pub &'a dyn Record);

impl<'a> Object<'a> for Shaped<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        self.0.get(key).map(data)
    }

    fn keys(&self) -> Vec<&str> {
        let fields = self.0.shape().all_fields();
        fields.iter().map(|field| field.key).collect()
    }
}

/// Apple's tags among other keys, where their keys begin with `itunes:`.
pub struct Itunes<'a> {
    tags: &'a dyn Record,
    /// Whether those that are missing are null, so that a template does not find outer ones.
    fills: bool,
    names: OnceCell<Vec<String>>,
}

impl<'a> Itunes<'a> {
    pub fn of(tags: &'a dyn Record, fills: bool) -> Self {
        let names = OnceCell::new();
        Self { tags, fills, names }
    }
}

impl<'a> Object<'a> for Itunes<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let key = key.strip_prefix("itunes:")?;
        let is_known = || self.tags.shape().fields.iter().any(|field| field.key == key);
        let found = self.tags.get(key).map(data);
        found.or_else(|| (self.fills && is_known()).then(Data::default))
    }

    fn keys(&self) -> Vec<&str> {
        let fields = self.tags.shape().fields.iter();
        let names = || fields.map(|field| format!("itunes:{}", field.key)).collect();
        self.names.get_or_init(names).iter().map(String::as_str).collect()
    }
}

/// The value of a field.
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
