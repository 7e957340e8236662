//! What an operation is, and which one a request means.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use warp::http::Method;

use crate::api::shared::{ApiError, allowed};
use crate::state::Scope;

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
    /// Whether it takes the causation and correlation headers.
    pub traced: bool,
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
    pub run: fn(&ContentCall<'_>) -> Result<Answer, ApiError>,
}

impl Operation {
    /// Whether it writes files or the site's state.
    pub fn writes(&self) -> bool {
        let only_says = self.id.starts_with("validate") || self.id.starts_with("preview");
        self.scope == Scope::CONTENT_WRITE && !only_says
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

/// What a method and a path mean.
pub enum RouteMatch {
    /// This operation, with the value of its path parameter.
    Found(&'static Operation, Option<String>),
    /// The path lacks the slash at its end.
    WithSlash,
    /// The path takes only these methods.
    OtherMethod(String),
    /// Nothing.
    None,
}

/// Finds the operation of a path below [`super::BASE`], percent-decoded. A path that is written out
/// is none of those with a parameter (OpenAPI 3.1.1, section 4.8.8.2).
pub fn find(method: &Method, path: &str) -> RouteMatch {
    let mut all: Vec<(&'static Operation, Option<String>)> = operations()
        .filter_map(|operation| Some((operation, matches(operation.path, path)?)))
        .collect();
    if all.iter().any(|(_, id)| id.is_none()) {
        all.retain(|(_, id)| id.is_none());
    }
    // HEAD is GET without the body.
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let own = |(operation, _): &(&Operation, Option<String>)| operation.method == method.as_str();
    if let Some(at) = all.iter().position(own) {
        let (operation, id) = all.swap_remove(at);
        return RouteMatch::Found(operation, id);
    }
    if !all.is_empty() {
        let methods = all.iter().map(|(operation, _)| operation.method);
        return RouteMatch::OtherMethod(allowed(methods));
    }
    let slashed = format!("{path}/");
    if operations().any(|operation| matches(operation.path, &slashed).is_some()) {
        return RouteMatch::WithSlash;
    }
    RouteMatch::None
}

/// The parameter of a path that fits a template: `Some(None)` where the template has none.
fn matches(template: &str, path: &str) -> Option<Option<String>> {
    let mut id = None;
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(id),
            (Some(wanted), Some(given)) if wanted.starts_with('{') && !given.is_empty() => {
                id = Some(given.to_owned());
            }
            (Some(wanted), Some(given)) if wanted == given => {}
            _ => return None,
        }
    }
}
