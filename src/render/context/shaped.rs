//! Records as templates read them: in the shape of JSON documents.

use mustache::{Data, Object};

use crate::model::chapter::seconds_as_json;
use crate::model::record::{Lent, Record};

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
