//! Partial answers: `fields=items(id,start/dateTime),nextPageToken` lists the fields of the answer
//! that the client requests.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ApiError;

/// Maximum nesting of a selection. No answer is nested deeper.
const MAX_DEPTH: usize = 8;

/// The answer format that a client requests.
#[derive(Default)]
pub struct AnswerFormat {
    fields: Option<Selection>,
    is_pretty: bool,
}

impl AnswerFormat {
    /// Returns the answer format for the parameter `alt`. JSON is the only format.
    pub fn of(alt: Option<&str>) -> Result<Self, ApiError> {
        match alt.filter(|alt| *alt != "json") {
            Some(other) => Err(ApiError::invalid("alt", format!("must be json, not {other:?}"))),
            None => Ok(Self::default()),
        }
    }

    /// Restricts the answer to these fields.
    pub fn with_fields(self, fields: Option<&str>) -> Result<Self, ApiError> {
        let fields = fields.map(Selection::parse).transpose();
        Ok(Self { fields: fields.map_err(|why| ApiError::invalid("fields", why))?, ..self })
    }

    /// Sets whether the answer is indented.
    pub fn pretty(self, is_pretty: bool) -> Self {
        Self { is_pretty, ..self }
    }

    pub fn text(&self, mut body: Value) -> String {
        if let Some(fields) = &self.fields {
            fields.keep(&mut body);
        }
        if self.is_pretty { format!("{body:#}\n") } else { body.to_string() }
    }
}

/// The selected fields of an object. An empty selection keeps all fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection(BTreeMap<String, Selection>);

impl Selection {
    /// Parses a selection: names separated by commas. A name may be followed by `/` and a nested
    /// field, or by several nested fields in parentheses. `*` matches every name. The error states
    /// the expected syntax.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rest = text;
        match selection(&mut rest, MAX_DEPTH).filter(|_| rest.is_empty()) {
            Some(fields) => Ok(fields),
            None => Err(format!(
                "must have the form items(id,start/dateTime),nextPageToken, not {text:?}"
            )),
        }
    }

    /// Removes the fields that are not selected.
    pub fn keep(&self, value: &mut Value) {
        match value {
            _ if self.0.is_empty() => {}
            Value::Array(list) => list.iter_mut().for_each(|value| self.keep(value)),
            Value::Object(object) => {
                object.retain(|name, _| self.nested(name).is_some());
                for (name, value) in object {
                    if let Some(nested) = self.nested(name) {
                        nested.keep(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn nested(&self, name: &str) -> Option<&Self> {
        self.0.get(name).or_else(|| self.0.get("*"))
    }

    /// Adds a field, and merges its selection with an earlier selection of the same field.
    fn add(&mut self, name: String, nested: Self) {
        match self.0.get_mut(&name) {
            // One of the two selections includes the whole field.
            Some(known) if known.0.is_empty() || nested.0.is_empty() => *known = Self::default(),
            Some(known) => nested.0.into_iter().for_each(|(name, nested)| known.add(name, nested)),
            None => {
                self.0.insert(name, nested);
            }
        }
    }
}

fn selection(rest: &mut &str, max_depth: usize) -> Option<Selection> {
    let mut fields = Selection::default();
    loop {
        let (name, nested) = field(rest, max_depth)?;
        fields.add(name, nested);
        match rest.strip_prefix(',') {
            Some(next) => *rest = next,
            None => return Some(fields),
        }
    }
}

fn field(rest: &mut &str, max_depth: usize) -> Option<(String, Selection)> {
    let text = rest.trim_start();
    let end = text.find(['/', '(', ')', ',']).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    *rest = after;
    let nested = match (after.as_bytes().first(), max_depth.checked_sub(1)) {
        (Some(b'/'), Some(max_depth)) => {
            *rest = &after[1..];
            let (name, nested) = field(rest, max_depth)?;
            Selection([(name, nested)].into())
        }
        (Some(b'('), Some(max_depth)) => {
            *rest = &after[1..];
            let nested = selection(rest, max_depth)?;
            *rest = rest.strip_prefix(')')?.trim_start();
            nested
        }
        (Some(b'/' | b'('), None) => return None,
        _ => Selection::default(),
    };
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), nested))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn select(fields: &str) -> Value {
        let mut value = json!({
            "kind": "k",
            "items": [{ "id": "a", "start": { "date": "d", "zone": "z" } }, { "id": "b" }],
            "token": "t",
        });
        Selection::parse(fields).unwrap().keep(&mut value);
        value
    }

    #[test]
    fn selected_fields_are_kept() {
        for (fields, left) in [
            ("kind,token", json!({ "kind": "k", "token": "t" })),
            ("items/id", json!({ "items": [{ "id": "a" }, { "id": "b" }] })),
            (
                "items(id, start/date)",
                json!({ "items": [{ "id": "a", "start": { "date": "d" } }, { "id": "b" }] }),
            ),
            (
                "items/start(zone),token",
                json!({ "items": [{ "start": { "zone": "z" } }, {}], "token": "t" }),
            ),
            (
                "items/id,items/start/zone",
                json!({ "items": [{ "id": "a", "start": { "zone": "z" } }, { "id": "b" }] }),
            ),
            (
                "items/id,items",
                json!({ "items": [{ "id": "a", "start": { "date": "d", "zone": "z" } }, { "id": "b" }] }),
            ),
            ("*/id", json!({ "kind": "k", "items": [{ "id": "a" }, { "id": "b" }], "token": "t" })),
            ("nothing", json!({})),
        ] {
            assert_eq!(select(fields), left, "{fields}");
        }
        assert_eq!(select("*").as_object().unwrap().len(), 3);
    }

    #[test]
    fn an_invalid_selection_is_refused() {
        let deep = "a/".repeat(20) + "a";
        for wrong in [
            "",
            ",",
            "a,",
            "a(",
            "a()",
            "a)b",
            "a(b))",
            "a(b)c",
            "/a",
            "a/",
            "a(b",
            "a//b",
            deep.as_str(),
        ] {
            assert!(Selection::parse(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_panic(text in "[a*/(), é]{0,40}") {
            if let Ok(fields) = Selection::parse(&text) {
                fields.keep(&mut json!({ "a": [{ "a": 1 }], "é": {} }));
            }
        }
    }
}
