//! The documentation of the API: its OpenAPI description, an HTML page, and text files for language
//! models. All documents are available without a key.

mod example;
mod messages;
mod openapi;
mod page;

use saphyr::{Mapping, Scalar, Yaml, YamlEmitter};
use serde_json::Value;
use warp::http::{Method, StatusCode};

use api_shared::ApiError;
use server::Moment;
use server::http::{self, Request, Response};

/// Returns the document at a path below [`super::BASE`], if there is one.
pub fn find(moment: &Moment, request: &Request, path: &str) -> Option<Result<Response, ApiError>> {
    let config = &moment.site.snapshot.config;
    let document = || openapi::document(config);
    let (media_type, render): (_, &dyn Fn() -> Result<String, ApiError>) = match path {
        "/openapi.json" => ("application/json", &|| Ok(format!("{:#}", document()))),
        "/openapi.yaml" => ("application/yaml", &|| yaml(&document())),
        "/llms.txt" => ("text/plain; charset=utf-8", &|| page::llms(&document())),
        "/llms-full.txt" => ("text/plain; charset=utf-8", &|| page::llms_full(&document())),
        "/" => ("text/html; charset=utf-8", &|| page::html(&document())),
        _ => return None,
    };
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return Some(Err(ApiError::method_not_allowed("GET, HEAD")));
    }
    Some(render().map(|body| http::bytes(StatusCode::OK, media_type, body)))
}

/// Converts JSON to YAML 1.2.
fn yaml(value: &Value) -> Result<String, ApiError> {
    let mut out = String::new();
    YamlEmitter::new(&mut out)
        .dump(&node(value))
        .map_err(|error| ApiError::failed(format!("{error:?}")))?;
    out.push('\n');
    Ok(out)
}

fn node(value: &Value) -> Yaml<'_> {
    match value {
        Value::Null => Yaml::Value(Scalar::Null),
        Value::Bool(flag) => Yaml::Value(Scalar::Boolean(*flag)),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Yaml::Value(Scalar::Integer(number)),
            None => Yaml::Value(Scalar::FloatingPoint(number.as_f64().unwrap_or_default().into())),
        },
        Value::String(text) => Yaml::Value(Scalar::String(text.as_str().into())),
        Value::Array(list) => Yaml::Sequence(list.iter().map(node).collect()),
        Value::Object(object) => {
            let pairs = object.iter().map(|(key, value)| {
                (Yaml::Value(Scalar::String(key.as_str().into())), node(value))
            });
            Yaml::Mapping(pairs.collect::<Mapping<'_>>())
        }
    }
}
