//! Renders the OpenAPI description as an HTML page and as text files for language models.

use pulldown_cmark::{Parser, html::push_html};
use serde_json::{Value, json};

use super::example;
use api_shared::ApiError;

use mustache::{Partials, Template};

const HTML: &str = include_str!("page.mustache");
const LLMS: &str = include_str!("llms.mustache");
const LLMS_FULL: &str = include_str!("llms_full.mustache");

/// Renders a self-contained page without scripts, fonts or other external resources.
pub fn html(document: &Value) -> Result<String, ApiError> {
    let mut context = context(document);
    markdown_to_html(&mut context);
    render(HTML, &context)
}

/// Renders a summary with links (llmstxt.org).
pub fn llms(document: &Value) -> Result<String, ApiError> {
    render(LLMS, &context(document))
}

/// Renders the whole description as one text file for language models.
pub fn llms_full(document: &Value) -> Result<String, ApiError> {
    render(LLMS_FULL, &context(document))
}

/// Converts each Markdown description to HTML.
fn markdown_to_html(context: &mut Value) {
    match context {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if key == "about" => {
                        let mut html = String::new();
                        push_html(&mut html, Parser::new(text));
                        *text = html;
                    }
                    value => markdown_to_html(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(markdown_to_html),
        _ => {}
    }
}

fn render(template: &str, context: &Value) -> Result<String, ApiError> {
    let template = Template::parse(template).map_err(ApiError::failed)?;
    let mut out = String::new();
    template.render(&[context], &Partials::new(), &mut out).map_err(ApiError::failed)?;
    Ok(out)
}

/// Returns the template data: the description in reading order.
fn context(document: &Value) -> Value {
    let base = document["servers"][0]["url"].as_str().unwrap_or_default();
    let areas: Vec<Value> = list(&document["tags"])
        .map(|tag| {
            let operations = operations(document, &tag["name"], base);
            json!({
                "name": tag["name"],
                "about": tag["description"],
                "anchor": anchor(tag["name"].as_str().unwrap_or_default()),
                "operations": operations,
            })
        })
        .filter(|area| area["operations"].as_array().is_some_and(|all| !all.is_empty()))
        .collect();
    let schemas: Vec<Value> = object(&document["components"]["schemas"])
        .map(|(name, schema)| {
            let fields = fields(schema);
            json!({
                "name": name,
                "about": schema["description"],
                "has_fields": !fields.is_empty(),
                "fields": fields,
            })
        })
        .collect();
    json!({
        "title": document["info"]["title"],
        "version": document["info"]["version"],
        "about": document["info"]["description"],
        "base": base,
        "areas": areas,
        "schemas": schemas,
    })
}

fn operations(document: &Value, area: &Value, base: &str) -> Vec<Value> {
    let paths = object(&document["paths"]);
    paths
        .flat_map(|(path, methods)| {
            let server = methods["servers"][0]["url"].as_str().unwrap_or(base);
            object(methods)
                .filter(|(_, operation)| list(&operation["tags"]).any(|tag| tag == area))
                .map(move |(method, operation)| {
                    let method = method.to_uppercase();
                    let url = format!("{server}{path}");
                    let schemas = &document["components"]["schemas"];
                    let mut context = operation_context(path, &method, operation, server);
                    context["example"] = example::curl(&method, &url, operation, schemas).into();
                    context
                })
        })
        .collect()
}

fn operation_context(path: &str, method: &str, operation: &Value, server: &str) -> Value {
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let responses: Vec<Value> = object(&operation["responses"])
        .map(|(status, response)| {
            let content = object(&response["content"]).next();
            json!({
                "status": status,
                "about": response["description"],
                "type": content.map(|(_, content)| type_of(&content["schema"])),
            })
        })
        .collect();
    let parameters: Vec<Value> = list(&operation["parameters"])
        .map(|parameter| {
            json!({
                "name": parameter["name"],
                "in": parameter["in"],
                "required": parameter["required"],
                "about": parameter["description"],
                "type": type_of(&parameter["schema"]),
            })
        })
        .collect();
    json!({
        "id": operation["operationId"],
        "method": method,
        "path": path,
        "url": format!("{server}{path}"),
        "summary": operation["summary"],
        "about": operation["description"],
        "has_parameters": !parameters.is_empty(),
        "parameters": parameters,
        "body": (!body.is_null()).then(|| type_of(body)),
        "responses": responses,
    })
}

/// Returns the fields of an object's schema.
fn fields(schema: &Value) -> Vec<Value> {
    let required = &schema["required"];
    object(&schema["properties"])
        .map(|(name, field)| {
            json!({
                "name": name,
                "about": field["description"],
                "type": type_of(field),
                "required": list(required).any(|own| own == name),
            })
        })
        .collect()
}

/// Returns a short description of a schema's type: the name of a schema, the allowed values, or a
/// JSON type with its limits.
fn type_of(schema: &Value) -> Value {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or_default();
        return json!({ "schema": name });
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let names = choices.iter().filter_map(|choice| choice["const"].as_str());
        let words: Vec<&str> = names.collect();
        return json!({ "words": words.join(", ") });
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let named = choices.iter().find(|choice| choice["type"] != "null");
        return named.map_or(Value::Null, type_of);
    }
    if let Some(values) = schema["enum"].as_array() {
        let words: Vec<String> = values
            .iter()
            .filter(|value| !value.is_null())
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect();
        return json!({ "words": words.join(", ") });
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned(),
        kind => Some(kind.clone()),
    };
    let kind = kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
    if kind == "array" {
        let mut element = type_of(&schema["items"]);
        element["list"] = true.into();
        return element;
    }
    json!({ "words": format!("{kind}{}", bounds(schema)) })
}

fn bounds(schema: &Value) -> String {
    let number = |key: &str| schema.get(key).map(ToString::to_string);
    let range = |low: &str, high: &str, unit: &str| match (number(low), number(high)) {
        (Some(low), Some(high)) if low == high => format!(", {low}{unit}"),
        (Some(low), Some(high)) => format!(", {low} to {high}{unit}"),
        (Some(low), None) => format!(", {low}{unit} or more"),
        (None, Some(high)) => format!(", at most {high}{unit}"),
        (None, None) => String::new(),
    };
    let length = range("minLength", "maxLength", " characters");
    let value = range("minimum", "maximum", "");
    let format = schema["format"].as_str().filter(|format| *format == "date-time");
    let format = format.map_or("", |_| ", RFC 3339");
    format!("{format}{length}{value}")
}

fn anchor(name: &str) -> String {
    format!("area-{}", name.to_lowercase().replace(' ', "-"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn object(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let entries = value.as_object().into_iter().flatten();
    entries.map(|(key, value)| (key.as_str(), value))
}
