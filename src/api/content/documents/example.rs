//! An example `curl` call for each operation.

use serde_json::Value;

/// Example values for path parameters.
const VALUES: [(&str, &str); 6] = [
    ("{channelId}", "primary"),
    ("{itemId}", "7k2m9q4x0ab"),
    ("{pageId}", "4d8h1t6w3nz"),
    ("{siteFileId}", "robots"),
    ("{slug}", "7k2m9q4x0ab"),
    ("{token}", "$TOKEN"),
];

/// Returns the `curl` command for an operation. The shell must define `$KEY`.
pub fn curl(method: &str, url: &str, operation: &Value, schemas: &Value) -> String {
    let address = VALUES.iter().fold(url.to_owned(), |url, (name, value)| url.replace(name, value));
    let mut lines = vec![match method {
        "GET" => format!("curl {}", quoted(&with_query(&address, operation))),
        "HEAD" => format!("curl --head {}", quoted(&address)),
        method => format!("curl -X {method} {}", quoted(&address)),
    }];
    if operation.get("security").is_none() {
        lines.push("-H \"Authorization: Bearer $KEY\"".to_owned());
    }
    if has_header(operation, "Idempotency-Key") {
        lines.push("-H 'Idempotency-Key: 2026-11-20 harbour walk'".to_owned());
    }
    if operation["requestBody"]["content"].get("application/octet-stream").is_some() {
        lines.push("-H 'Content-Type: image/jpeg'".to_owned());
        lines.push("--data-binary @harbour.jpg".to_owned());
    }
    if let Some(body) = body(operation, schemas) {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("-d '{}'", format!("{body:#}").replace('\'', "'\\''")));
    }
    lines.join(" \\\n  ")
}

fn quoted(url: &str) -> String {
    if url.contains(['?', '&']) { format!("'{url}'") } else { url.to_owned() }
}

/// Returns the URL with the required query parameters.
fn with_query(url: &str, operation: &Value) -> String {
    let is_search = parameters(operation).any(|parameter| parameter["name"] == "q");
    if is_search { format!("{url}?q=harbour&types=items,pages") } else { url.to_owned() }
}

fn has_header(operation: &Value, header: &str) -> bool {
    parameters(operation).any(|parameter| parameter["name"] == header)
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten()
}

/// Returns the example from the schema of the request body.
fn body(operation: &Value, schemas: &Value) -> Option<Value> {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let name = schema["$ref"].as_str()?.rsplit('/').next()?;
    Some(schemas[name]["examples"][0].clone())
}
