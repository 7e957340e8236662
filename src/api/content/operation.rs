//! The operations of the API, and the lookup of the operation for a request.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use warp::http::Method;

use api_shared::{self, ApiError, PathNames};
use state::Scope;

use super::{Answer, ContentCall, operations};

/// A function that generates the schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// One operation of the API. The dispatcher, the OpenAPI document and the documentation page are
/// derived from it.
pub struct Operation {
    /// The `operationId` in OpenAPI.
    pub id: &'static str,
    /// The HTTP method: GET, POST, PUT or DELETE.
    pub method: &'static str,
    /// The path below [`super::BASE`], with at most one `{parameter}`.
    pub path: &'static str,
    /// The section in the documentation.
    pub tag: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// A longer description in Markdown.
    pub description: &'static str,
    /// The scope that a key needs.
    pub scope: Scope,
    /// Whether the operation writes files or the site's state. If so, it accepts the causation and
    /// correlation headers.
    pub writes: bool,
    /// Whether the operation accepts an `Idempotency-Key`.
    pub idempotent: bool,
    /// The schema of the query, if there is one.
    pub query: Option<SchemaOf>,
    /// The schema of the body, if there is one.
    pub body: Option<SchemaOf>,
    pub status: u16,
    /// The schema of the body of a successful answer.
    pub output: SchemaOf,
    /// The error statuses of this operation. Common statuses are added: 401 and 403 always; 408,
    /// 413 and 503 if it has a body; 503 and 507 if it writes.
    pub errors: &'static [u16],
    pub run: Run,
}

/// The function that runs an operation.
type Run = fn(&ContentCall<'_>) -> Result<Answer, ApiError>;

impl Operation {
    /// Whether the API of a show has the operation. Only the whole site has Site Files.
    pub fn is_of_shows(&self) -> bool {
        !self.path.starts_with("/site-files/")
    }

    /// Returns the defaults for a GET that answers with 200. Each entry in an operation table sets
    /// the other fields.
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

    /// Returns the defaults for a POST that requires the write scope but writes nothing.
    pub const fn tries(run: Run, output: SchemaOf) -> Self {
        Self { method: "POST", scope: Scope::CONTENT_WRITE, ..Self::reads(run, output) }
    }

    /// Returns the defaults for an operation that writes. The entry in an operation table may
    /// override the method.
    pub const fn writes(run: Run, output: SchemaOf) -> Self {
        Self { writes: true, ..Self::tries(run, output) }
    }
}

/// Generates the schema of a query, a body or an answer.
pub fn schema<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Returns the schema of a type, with all nested schemas inlined.
pub fn inlined_schema(schema_of: SchemaOf) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    schema_of(&mut generator).into()
}

/// Finds the operation for a percent-decoded path below [`super::BASE`], and returns it with the
/// path parameters. Returns None if only the trailing slash is missing from the path.
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
        Err(Some(allow)) => Err(ApiError::method_not_allowed(allow)),
        Err(None) if path.is_empty() || !matches!(find(&format!("{path}/")), Err(None)) => Ok(None),
        Err(None) => Err(ApiError::not_found("path not found in the API")),
    }
}
