//! JSON chapters 1.2.0, read with positions so that an error can name the value at fault.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{ChapterError, ChapterPlace, fault};
use crate::model::chapter::{Chapter, ChapterLocation};
use crate::source::reference;

/// JSON as RFC 8259 has it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn parse(text: &str) -> Result<Vec<(Chapter, ChapterPlace)>, ChapterError> {
    let document = parse_to_ast(text, &CollectOptions::default(), &STRICT).map_err(|error| {
        let mut message = error.kind().to_string();
        // Messages here start in lower case; the parser's are ASCII and do not.
        if let Some(first) = message.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        fault(text, error.range().start, message, None)
    })?;
    let reader = Reader { text };
    match document.value {
        Some(Value::Array(list)) => reader.chapters(&list.elements),
        Some(Value::Object(document)) => match find(&document, "chapters") {
            Some(Value::Array(list)) => reader.chapters(&list.elements),
            Some(other) => Err(reader.wrong_type("chapters", "a list", other)),
            None => Err(fault(
                text,
                document.range.start,
                "there is no list of chapters",
                Some("add one: {\"version\": \"1.2.0\", \"chapters\": []}"),
            )),
        },
        Some(other) => Err(reader.wrong_type("a chapter file", "an object", &other)),
        None => Err(fault(text, 0, "the file is empty", None)),
    }
}

/// Reads typed fields out of a document whose text it knows.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn chapters(&self, values: &[Value<'_>]) -> Result<Vec<(Chapter, ChapterPlace)>, ChapterError> {
        values.iter().map(|value| self.chapter(value)).collect()
    }

    fn chapter(&self, value: &Value<'_>) -> Result<(Chapter, ChapterPlace), ChapterError> {
        let Value::Object(object) = value else {
            return Err(self.wrong_type("a chapter", "an object", value));
        };
        let Some((start_time, start)) = self.seconds(object, "startTime")? else {
            return Err(fault(
                self.text,
                object.range.start,
                "this chapter has no startTime",
                Some("startTime is the second the chapter starts at, such as 0 or 94.5"),
            ));
        };
        let (end_time, end) = match self.seconds(object, "endTime")? {
            Some((seconds, at)) => (Some(seconds), at),
            None => (None, start),
        };
        let chapter = Chapter {
            start_time,
            title: self.string(object, "title")?,
            img: self.string(object, "img")?,
            url: self.address(object, "url")?,
            toc: self.boolean(object, "toc")?,
            end_time,
            location: self.location(object)?,
        };
        Ok((chapter, ChapterPlace { start, end }))
    }

    fn location(&self, chapter: &Object<'_>) -> Result<Option<ChapterLocation>, ChapterError> {
        let object = match find(chapter, "location") {
            None => return Ok(None),
            Some(Value::Object(object)) => object,
            Some(other) => return Err(self.wrong_type("location", "an object", other)),
        };
        let required = |name: &str| {
            self.string(object, name)?.ok_or_else(|| {
                fault(
                    self.text,
                    object.range.start,
                    format!("this location has no {name}"),
                    Some("a location has a name and a geo URI, such as geo:48.858093,2.294694"),
                )
            })
        };
        Ok(Some(ChapterLocation {
            name: required("name")?,
            geo: required("geo")?,
            osm: self.string(object, "osm")?,
        }))
    }

    /// A time and the byte offset it stands at.
    fn seconds(
        &self,
        object: &Object<'_>,
        name: &str,
    ) -> Result<Option<(f64, usize)>, ChapterError> {
        match find(object, name) {
            None => Ok(None),
            // `1e999` is a number to JSON and infinite to f64; the order check refuses it.
            Some(value @ Value::NumberLit(number)) => match number.value.parse() {
                Ok(seconds) => Ok(Some((seconds, number.range.start))),
                Err(_) => Err(self.wrong_type(name, "a number of seconds", value)),
            },
            Some(other) => Err(self.wrong_type(name, "a number of seconds", other)),
        }
    }

    /// A string; an empty one counts as absent.
    fn string(&self, object: &Object<'_>, name: &str) -> Result<Option<String>, ChapterError> {
        match find(object, name) {
            None => Ok(None),
            Some(Value::StringLit(string)) => {
                Ok((!string.value.is_empty()).then(|| string.value.to_string()))
            }
            Some(other) => Err(self.wrong_type(name, "a string", other)),
        }
    }

    /// The address of a page. What it leads to is not looked at, as players do not either.
    fn address(&self, object: &Object<'_>, name: &str) -> Result<Option<String>, ChapterError> {
        let text = self.string(object, name)?;
        let problem = text.as_deref().and_then(reference::refused);
        match (problem, find(object, name)) {
            (Some(problem), Some(value)) => Err(fault(
                self.text,
                value.start(),
                problem.message,
                Some(&problem.help),
            )),
            _ => Ok(text),
        }
    }

    fn boolean(&self, object: &Object<'_>, name: &str) -> Result<Option<bool>, ChapterError> {
        match find(object, name) {
            None => Ok(None),
            Some(Value::BooleanLit(boolean)) => Ok(Some(boolean.value)),
            Some(other) => Err(self.wrong_type(name, "true or false", other)),
        }
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &Value<'_>) -> ChapterError {
        let found = match value {
            Value::StringLit(_) => "a string",
            Value::NumberLit(_) => "a number",
            Value::BooleanLit(_) => "a boolean",
            Value::Object(_) => "an object",
            Value::Array(_) => "a list",
            Value::NullKeyword(_) => "null",
        };
        let message = format!("{name} is {wanted}, not {found}");
        fault(self.text, value.start(), message, None)
    }
}

/// The value of a key, with `null` as absent. Of a key given twice the last one counts, as it does
/// in the players that read the file.
fn find<'o, 't>(object: &'o Object<'t>, name: &str) -> Option<&'o Value<'t>> {
    object
        .properties
        .iter()
        .rev()
        .find(|property| property.name.as_str() == name)
        .map(|property| &property.value)
        .filter(|value| !matches!(value, Value::NullKeyword(_)))
}
