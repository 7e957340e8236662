//! What an operation is, and which one a request means.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use warp::http::Method;

use api_shared::{self, ApiError, PathNames};
use state::Scope;

use super::{Answer, ContentCall, operations};

/// Makes the schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// One operation of the API, as the dispatcher, the OpenAPI document and the page for people read it.
pub struct Operation {
    /// OpenAPI's `operationId`.
    pub id: &'static str,
    /// The method: GET, POST, PUT or DELETE.
    pub method: &'static str,
    /// The path below [`super::BASE`], with at most one `{parameter}`.
    pub path: &'static str,
    /// The area in the documentation.
    pub tag: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// More about it, in Markdown.
    pub description: &'static str,
    /// The scope a key needs.
    pub scope: Scope,
    /// Whether it writes files or the site's state, and so takes the causation and correlation headers.
    pub writes: bool,
    /// Whether it takes an `Idempotency-Key`.
    pub idempotent: bool,
    /// The type of its query, where it has one.
    pub query: Option<SchemaOf>,
    /// The type of its body, where it has one.
    pub body: Option<SchemaOf>,
    pub status: u16,
    /// The type of the body of success.
    pub output: SchemaOf,
    /// The statuses of errors, beside 401 and 403, 413 where there is a body, and 503 and 507 where it writes.
    pub errors: &'static [u16],
    pub run: Run,
}

/// The function behind an operation.
type Run = fn(&ContentCall<'_>) -> Result<Answer, ApiError>;

impl Operation {
    /// A GET that answers 200, as the rest of an entry in a table.
    pub const fn reads(run: Run, output: SchemaOf) -> Self {
        Self {
            id: "",
            method: "GET",
            path: "",
            tag: "",
            summary: "",
            description: "",
            scope: Scope::CONTENT_READ,
            writes: false,
            idempotent: false,
            query: None,
            body: None,
            status: 200,
            output,
            errors: &[],
            run,
        }
    }

    /// A POST that needs the right to write and writes nothing.
    pub const fn tries(run: Run, output: SchemaOf) -> Self {
        Self { method: "POST", scope: Scope::CONTENT_WRITE, ..Self::reads(run, output) }
    }

    /// An operation that writes. Its entry says the method.
    pub const fn writes(run: Run, output: SchemaOf) -> Self {
        Self { writes: true, ..Self::tries(run, output) }
    }
}

/// The type of a query, a body or an answer.
pub fn schema<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schema of a type with those of its parts inside.
pub fn inlined(schema_of: SchemaOf) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    schema_of(&mut generator).into()
}

/// The operation of a path below [`super::BASE`], percent-decoded, with the names in the path. None if the path
/// lacks the slash at its end.
pub fn find(
    method: &Method,
    path: &str,
) -> Result<Option<(&'static Operation, PathNames)>, ApiError> {
    let find = |path: &str| {
        let table = operations().map(|operation| (operation.method, operation.path, operation));
        api_shared::find(table, method, path)
    };
    match find(path) {
        Ok(found) => Ok(Some(found)),
        Err(Some(allow)) => Err(ApiError::other_method(allow)),
        Err(None) if path.is_empty() || !matches!(find(&format!("{path}/")), Err(None)) => Ok(None),
        Err(None) => Err(ApiError::not_found("there is no such path in the API")),
    }
}
