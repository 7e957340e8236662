//! Reader of JSON chapters 1.2.0. It keeps the positions of values, so that an error can point to
//! the invalid value.

use std::cell::RefCell;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{ChapterPlace, Fault, Placed, parse_seconds};
use crate::reference;
use model::chapter::{Chapter, ChapterLocation};

/// Strict JSON (RFC 8259).
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

/// JSON with common mistakes of authors: trailing and missing commas, and comments.
const TOLERANT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_missing_commas: true,
    ..STRICT
};

pub(super) fn parse(text: &str) -> Result<Placed, Fault> {
    let read = |options| parse_to_ast(text, &CollectOptions::default(), options);
    let reader = Reader::default();
    let document = match read(&STRICT) {
        Ok(document) => document,
        Err(error) => {
            let document = read(&TOLERANT).map_err(|_| syntax_fault(&error))?;
            reader.report(syntax_fault(&error));
            document
        }
    };
    match document.value {
        Some(Value::Array(list)) => Ok(reader.chapters(&list.elements)),
        Some(Value::Object(document)) => match find(&document, "chapters") {
            Some(Value::Array(list)) => Ok(reader.chapters(&list.elements)),
            Some(other) => Err(reader.wrong_type("chapters", "a list", other)),
            None => Err(Fault::new(
                document.range.start,
                "the list of chapters is missing",
                Some("add one: {\"version\": \"1.2.0\", \"chapters\": []}"),
            )),
        },
        Some(other) => Err(reader.wrong_type("a chapter file", "an object", &other)),
        None => Err(Fault::new(0, "the file is empty", None)),
    }
}

fn syntax_fault(error: &ParseError) -> Fault {
    let mut message = error.kind().to_string();
    // Messages here start in lower case. The parser's messages are ASCII and start with a capital
    // letter.
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    Fault::new(error.range().start, message, None)
}

/// Reader of a document's typed fields. An invalid field counts as absent.
#[derive(Default)]
struct Reader {
    faults: RefCell<Vec<Fault>>,
}

impl Reader {
    fn chapters(self, values: &[Value<'_>]) -> Placed {
        let values = values.iter().enumerate();
        let chapters = values.filter_map(|(index, value)| self.chapter(index, value));
        let chapters = chapters.collect();
        (chapters, self.faults.into_inner())
    }

    fn chapter(&self, index: usize, value: &Value<'_>) -> Option<(Chapter, ChapterPlace)> {
        let Value::Object(object) = value else {
            self.report(self.wrong_type("a chapter", "an object", value));
            return None;
        };
        if find(object, "startTime").is_none() {
            self.report(Fault::new(
                object.range.start,
                "this chapter has no startTime",
                Some("add startTime, the start of the chapter in seconds, such as 0 or 94.5"),
            ));
        }
        let (start_time, start) = self.seconds(object, "startTime")?;
        let end = self.seconds(object, "endTime");
        let chapter = Chapter {
            start_time,
            title: self.string(object, "title"),
            img: self.string(object, "img"),
            url: self.address(object, "url"),
            toc: self.boolean(object, "toc"),
            end_time: end.map(|(seconds, _)| seconds),
            location: self.location(object),
        };
        let end = end.map_or(start, |(_, at)| at);
        Some((chapter, ChapterPlace { index, start, end }))
    }

    fn report(&self, fault: Fault) {
        self.faults.borrow_mut().push(fault);
    }

    fn location(&self, chapter: &Object<'_>) -> Option<ChapterLocation> {
        let object = match find(chapter, "location")? {
            Value::Object(object) => object,
            other => {
                self.report(self.wrong_type("location", "an object", other));
                return None;
            }
        };
        let required = |name: &str| {
            let text = self.string(object, name);
            if text.is_none() {
                self.report(Fault::new(
                    object.range.start,
                    format!("this location has no {name}"),
                    Some("write a name and a geo URI, such as geo:48.858093,2.294694"),
                ));
            }
            text
        };
        Some(ChapterLocation {
            name: required("name")?,
            geo: required("geo")?,
            osm: self.string(object, "osm"),
        })
    }

    /// Returns a time and the byte offset of its value.
    fn seconds(&self, object: &Object<'_>, name: &str) -> Option<(f64, usize)> {
        let value = find(object, name)?;
        let seconds = match value {
            // `1e999` is a number in JSON but infinite as f64. The order check rejects it.
            Value::NumberLit(number) => number.value.parse().ok(),
            Value::StringLit(text) => parse_seconds(&text.value).ok(),
            _ => None,
        };
        if seconds.is_none() {
            let mut error = self.wrong_type(name, "a number of seconds", value);
            if matches!(value, Value::StringLit(_)) {
                error.message = format!("{name} is not a time");
                error.help =
                    Some("write seconds, as in 90.5, or a time, as in \"1:30\"".to_owned());
            }
            self.report(error);
        }
        Some((seconds?, value.start()))
    }

    /// Returns a string. An empty string counts as absent.
    fn string(&self, object: &Object<'_>, name: &str) -> Option<String> {
        match find(object, name)? {
            Value::StringLit(string) => {
                (!string.value.is_empty()).then(|| string.value.to_string())
            }
            other => {
                self.report(self.wrong_type(name, "a string", other));
                None
            }
        }
    }

    /// Returns the address of a page. Like players, this function does not check whether the page
    /// exists.
    fn address(&self, object: &Object<'_>, name: &str) -> Option<String> {
        let text = self.string(object, name)?;
        let problem = reference::harmful_scheme(&text);
        if let (Some(problem), Some(value)) = (&problem, find(object, name)) {
            let (message, help) = (problem.message.clone(), Some(&*problem.help));
            self.report(Fault::new(value.start(), message, help));
        }
        problem.is_none().then_some(text)
    }

    fn boolean(&self, object: &Object<'_>, name: &str) -> Option<bool> {
        match find(object, name)? {
            Value::BooleanLit(boolean) => Some(boolean.value),
            other => {
                self.report(self.wrong_type(name, "true or false", other));
                None
            }
        }
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &Value<'_>) -> Fault {
        let found = match value {
            Value::StringLit(_) => "a string",
            Value::NumberLit(_) => "a number",
            Value::BooleanLit(_) => "a boolean",
            Value::Object(_) => "an object",
            Value::Array(_) => "a list",
            Value::NullKeyword(_) => "null",
        };
        let message = format!("{name} must be {wanted}, not {found}");
        Fault::new(value.start(), message, None)
    }
}

/// Returns the value of a key; `null` counts as absent. If a key is repeated, the last value
/// counts, as in the players that read the file.
fn find<'o, 't>(object: &'o Object<'t>, name: &str) -> Option<&'o Value<'t>> {
    object
        .properties
        .iter()
        .rev()
        .find(|property| property.name.as_str() == name)
        .map(|property| &property.value)
        .filter(|value| !matches!(value, Value::NullKeyword(_)))
}
