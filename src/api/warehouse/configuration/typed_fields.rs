//! Typed access to the fields of a JSON object. BigQuery clients also send numbers and booleans as
//! strings.

use serde_json::{Map, Value};

use warehouse::store::Disposition;
use warehouse::{DatasetId, Fault, TableName};

/// The fields of a JSON object.
pub struct TypedFields<'a> {
    json: &'a Map<String, Value>,
    /// The object's location in error messages: `configuration.load`.
    place: String,
}

impl<'a> TypedFields<'a> {
    /// Returns the fields of an object. `place` is its location in error messages.
    pub fn of(json: &'a Value, place: &str) -> Result<Self, Fault> {
        match json.as_object() {
            Some(json) => Ok(Self { json, place: place.to_owned() }),
            None => Err(Fault::invalid(format!("{place} must be an object")).at(place)),
        }
    }

    /// Returns whether a field is present and not null.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Returns a field that is present and not null.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.json.get(name).filter(|value| !value.is_null())
    }

    /// Returns the location of a field for error messages.
    pub fn place(&self, name: &str) -> String {
        format!("{}.{name}", self.place)
    }

    /// Creates an error about a field.
    pub fn invalid_field(&self, name: &str, message: &str) -> Fault {
        let place = self.place(name);
        Fault::invalid(format!("{place}: {message}")).at(place)
    }

    /// Returns the fields of a required object.
    pub fn object(&self, name: &str) -> Result<Self, Fault> {
        Self::of(self.value(name).unwrap_or(&Value::Null), &self.place(name))
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.invalid_field(name, "must be a string")),
        }
    }

    /// Reads a field whose value must be one of these keywords. Ignores case.
    pub fn keyword(
        &self,
        name: &str,
        keywords: &[&'static str],
    ) -> Result<Option<&'static str>, Fault> {
        let Some(text) = self.text(name)?.filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let found = keywords.iter().find(|keyword| keyword.eq_ignore_ascii_case(text));
        found.map(|keyword| Some(*keyword)).ok_or_else(|| {
            self.invalid_field(
                name,
                &format!("{text:?} is invalid: must be one of {}", keywords.join(", ")),
            )
        })
    }

    pub fn integer(&self, name: &str) -> Result<Option<i64>, Fault> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let number = match value {
            Value::String(text) => text.parse().ok(),
            other => other.as_i64().or_else(|| other.as_f64().and_then(whole_number)),
        };
        number.map(Some).ok_or_else(|| self.invalid_field(name, "must be a whole number"))
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(_) => Err(self.invalid_field(name, "must be true or false")),
        }
    }

    pub fn list(&self, name: &str) -> Result<&'a [Value], Fault> {
        match self.value(name) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(self.invalid_field(name, "must be a list")),
        }
    }

    /// Returns the members of an object, or an empty list if the field is missing.
    pub fn members(&self, name: &str) -> Result<Vec<(&'a String, &'a Value)>, Fault> {
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Object(members)) => Ok(members.iter().collect()),
            Some(_) => Err(self.invalid_field(name, "must be an object")),
        }
    }

    /// Validates the types of fields that are accepted but have no effect here.
    pub fn check_unused(
        &self,
        texts: &[&str],
        numbers: &[&str],
        flags: &[&str],
    ) -> Result<(), Fault> {
        texts.iter().try_for_each(|name| self.text(name).map(drop))?;
        numbers.iter().try_for_each(|name| self.integer(name).map(drop))?;
        flags.iter().try_for_each(|name| self.flag(name).map(drop))
    }

    /// Reads a table: `{"projectId", "datasetId", "tableId"}`. If `projectId` is present, it must
    /// be `project`.
    pub fn table(&self, name: &str, project: &str) -> Result<Option<TableName>, Fault> {
        if !self.has(name) {
            return Ok(None);
        }
        let own = self.object(name)?;
        own.same_project(project)?;
        let part = |part: &str| own.text(part).map(Option::unwrap_or_default);
        TableName::parse(part("datasetId")?, part("tableId")?)
            .map(Some)
            .map_err(|fault| fault.at(self.place(name)))
    }

    /// Reads a dataset: `{"projectId", "datasetId"}`.
    pub fn dataset(&self, name: &str, project: &str) -> Result<Option<DatasetId>, Fault> {
        if !self.has(name) {
            return Ok(None);
        }
        let own = self.object(name)?;
        own.same_project(project)?;
        DatasetId::parse(own.text("datasetId")?.unwrap_or_default())
            .map(Some)
            .map_err(|fault| fault.at(self.place(name)))
    }

    fn same_project(&self, project: &str) -> Result<(), Fault> {
        match self.text("projectId")?.filter(|named| !named.is_empty() && *named != project) {
            None => Ok(()),
            Some(named) => Err(Fault::not_found(format!(
                "unknown project {named:?}: use the project of the request, {project:?}"
            ))
            .at(self.place("projectId"))),
        }
    }

    /// Reads `createDisposition`: whether a missing table is created.
    pub fn creates_table(&self) -> Result<bool, Fault> {
        let keywords = ["CREATE_IF_NEEDED", "CREATE_NEVER"];
        Ok(self.keyword("createDisposition", &keywords)? != Some("CREATE_NEVER"))
    }

    /// Reads `writeDisposition`: the treatment of existing rows.
    pub fn disposition(&self, default: Disposition) -> Result<Disposition, Fault> {
        let keywords = ["WRITE_EMPTY", "WRITE_APPEND", "WRITE_TRUNCATE"];
        Ok(match self.keyword("writeDisposition", &keywords)? {
            Some("WRITE_EMPTY") => Disposition::Empty,
            Some("WRITE_APPEND") => Disposition::Append,
            Some("WRITE_TRUNCATE") => Disposition::Truncate,
            _ => default,
        })
    }
}

/// Converts a float to an integer if it has no fraction, because JSON has only one number type.
fn whole_number(number: f64) -> Option<i64> {
    let is_whole = number.fract() == 0.0 && number.abs() < 9.0e15;
    #[allow(clippy::cast_possible_truncation)]
    is_whole.then_some(number as i64)
}
