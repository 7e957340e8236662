//! The feed and its items as the public sees them: the shape of JSON Feed 1.1 with the service's
//! extension. JSON Feed documents, the API and every template read the same views.

mod feed;
mod item;
mod parts;

use serde::Serialize;
use serde_json::{Map, Value};

use super::text;
use crate::model::chapter::Chapter;

pub use feed::{FeedView, Neighbours, copyright, feed, title};
pub use item::{ItemView, item};

/// A view as a value that templates read. Views hold only what JSON can, so this cannot fail.
pub fn value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}

/// Adds the named keys that are missing as null, so that a template does not find an outer one instead.
pub fn fill(object: &mut Map<String, Value>, keys: &[&str]) {
    for key in keys {
        if !object.contains_key(*key) {
            object.insert((*key).to_owned(), Value::Null);
        }
    }
}

/// Chapters as templates read them: with their starts for people.
pub fn chapters(chapters: &[Chapter]) -> Value {
    let chapter = |chapter: &Chapter| {
        let mut value = value(chapter);
        if let Value::Object(object) = &mut value {
            object.insert(
                "start_hhmmss".into(),
                text::hhmmss(chapter.start_time).into(),
            );
            object.insert("start_text".into(), text::clock(chapter.start_time).into());
            fill(object, &["title", "img", "url", "endTime"]);
        }
        value
    };
    Value::Array(
        chapters
            .iter()
            .filter(|chapter| chapter.toc != Some(false))
            .map(chapter)
            .collect(),
    )
}
