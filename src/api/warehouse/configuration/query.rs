//! The settings of a query job: `configuration.query`.

use serde_json::Value;

use super::{Origin, TypedFields, layout};
use crate::grants::Grants;
use warehouse::engine::check_writable;
use warehouse::sql::{Parameter, Parameters};
use warehouse::store::{Disposition, Target};
use warehouse::{DatasetId, Fault, TableName, Type, schema, value};

#[derive(Debug, Clone)]
pub struct QueryWork {
    pub text: String,
    /// The default dataset for tables whose names do not include a dataset.
    pub dataset: Option<DatasetId>,
    /// The values of the statement's parameters.
    pub parameters: Parameters,
    pub target: Target,
}

impl QueryWork {
    pub fn read(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Self, Fault> {
        let text = fields.text("query")?.unwrap_or_default();
        if text.trim().is_empty() {
            return Err(fields.invalid_field("query", "missing: write a statement"));
        }
        fields.check_unused(
            &["priority", "parameterMode", "reservation"],
            &["maximumBillingTier", "maximumBytesBilled"],
            &[
                "useQueryCache", "allowLargeResults", "flattenResults", "createSession",
                "preserveNulls", "continuous",
            ],
        )?;
        if fields.flag("useLegacySql")? == Some(true) {
            return Err(fields
                .invalid_field("useLegacySql", "legacy SQL is not supported; set it to false"));
        }
        for name in ["tableDefinitions", "userDefinedFunctionResources", "connectionProperties"] {
            let is_empty = match fields.value(name) {
                None => true,
                Some(Value::Object(members)) => members.is_empty(),
                Some(Value::Array(list)) => list.is_empty(),
                Some(_) => false,
            };
            if !is_empty {
                return Err(fields.invalid_field(
                    name,
                    "not supported; remove it, or load external data into a table",
                ));
            }
        }
        if let Some(name) = layout::read(fields, None)?.keys().next() {
            let message = "not supported in a query job; create the table with this setting first, then append the rows";
            return Err(fields.invalid_field(name, message));
        }
        let named = fields.table("destinationTable", origin.project)?;
        if let Some(table) = &named {
            check_writable(&table.dataset)?;
        }
        let (create, adds_columns) = (fields.creates_table()?, adds_columns(fields)?);
        let disposition = fields.disposition(Disposition::Empty)?;
        let target = match named {
            Some(table) => Target { create, adds_columns, ..Target::new(table, disposition) },
            None => Target::new(result_of(origin)?, Disposition::Truncate),
        };
        Ok(Self {
            text: text.to_owned(),
            dataset: fields.dataset("defaultDataset", origin.project)?,
            parameters: parameters(fields)?,
            target,
        })
    }

    /// Returns an error if the key's grants do not permit the job.
    pub fn check(&self, grants: Grants) -> Result<(), Fault> {
        Grants::require_grant(grants.reads_tables, "read tables")?;
        if !self.target.table.dataset.is_hidden() {
            Grants::require_grant(grants.writes_tables, "write the result of a query to a table")?;
        }
        Ok(())
    }
}

/// Returns the table for the result of a job without a destination table.
fn result_of(origin: Origin<'_>) -> Result<TableName, Fault> {
    let job = format!("{}:{}", origin.project, origin.job);
    TableName::parse(DatasetId::of_job(&job).as_str(), "result")
}

fn adds_columns(fields: &TypedFields<'_>) -> Result<bool, Fault> {
    let options = fields.list("schemaUpdateOptions")?;
    let known = ["ALLOW_FIELD_ADDITION", "ALLOW_FIELD_RELAXATION"];
    let is_unknown = |option: &&Value| !known.iter().any(|name| *option == name);
    if let Some(unknown) = options.iter().find(is_unknown) {
        let message = format!("{unknown} is invalid: must be one of {}", known.join(", "));
        return Err(fields.invalid_field("schemaUpdateOptions", &message));
    }
    Ok(options.iter().any(|option| option == known[0]))
}

fn parameters(fields: &TypedFields<'_>) -> Result<Parameters, Fault> {
    let list = fields.list("queryParameters")?;
    if list.is_empty() {
        return Ok(Parameters::None);
    }
    let read: Vec<(Option<&str>, Parameter)> = list
        .iter()
        .enumerate()
        .map(|(at, json)| parameter(json, &fields.place(&format!("queryParameters[{at}]"))))
        .collect::<Result<_, _>>()?;
    let (named, positional): (Vec<_>, Vec<_>) =
        read.into_iter().partition(|(name, _)| name.is_some());
    if named.is_empty() {
        return Ok(Parameters::Positional(
            positional.into_iter().map(|(_, value)| value).collect(),
        ));
    }
    if !positional.is_empty() {
        return Err(fields
            .invalid_field("queryParameters", "either all parameters must have a name, or none"));
    }
    let named = named
        .into_iter()
        .map(|(name, value)| (name.unwrap_or_default().to_owned(), value))
        .collect();
    Ok(Parameters::Named(named))
}

fn parameter<'a>(json: &'a Value, place: &str) -> Result<(Option<&'a str>, Parameter), Fault> {
    let fields = TypedFields::of(json, place)?;
    let of = parameter_type(&fields.object("parameterType")?)?;
    let given = fields.value("parameterValue").unwrap_or(&Value::Null);
    let plain_json = plain_json(&of, given);
    let kept = value::from_json(&of, &plain_json)
        .map_err(|message| fields.invalid_field("parameterValue", &message))?;
    let name = fields.text("name")?.filter(|name| !name.is_empty());
    Ok((name, Parameter { of, value: kept }))
}

fn parameter_type(fields: &TypedFields<'_>) -> Result<Type, Fault> {
    let name = fields.text("type")?.unwrap_or_default();
    match name.to_ascii_uppercase().as_str() {
        "ARRAY" => {
            let element = parameter_type(&fields.object("arrayType")?)?;
            Ok(Type::Array(Box::new(element)))
        }
        "STRUCT" => {
            let parts = fields.list("structTypes")?.iter().enumerate().map(|(at, json)| {
                let part = TypedFields::of(json, &fields.place(&format!("structTypes[{at}]")))?;
                let name = part.text("name")?.unwrap_or_default();
                let name = schema::check_name(name)
                    .map_err(|message| part.invalid_field("name", &message))?;
                Ok(warehouse::Field::new(name, parameter_type(&part.object("type")?)?))
            });
            Ok(Type::Struct(parts.collect::<Result<_, Fault>>()?))
        }
        _ => Type::parse(name)
            .ok_or_else(|| fields.invalid_field("type", &schema::unknown_type(name))),
    }
}

/// Converts a parameter's value to plain JSON: `{"value": "1"}` becomes `"1"`. Nested values are
/// converted in the same way.
fn plain_json(of: &Type, given: &Value) -> Value {
    match of {
        Type::Array(element) => given["arrayValues"]
            .as_array()
            .map_or(Value::Null, |list| list.iter().map(|one| plain_json(element, one)).collect()),
        Type::Struct(fields) => match given["structValues"].as_object() {
            None => Value::Null,
            Some(members) => fields
                .iter()
                .map(|field| {
                    let value = members.get(&field.name).unwrap_or(&Value::Null);
                    (field.name.clone(), plain_json(&field.of, value))
                })
                .collect::<serde_json::Map<_, _>>()
                .into(),
        },
        _ => given["value"].clone(),
    }
}
