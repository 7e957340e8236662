//! What the API says of itself.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::served::{Served, serve};
use crate::small_site::site;
use crate::support::Page;

fn document(served: &Served) -> Value {
    served.get("/api/v1/openapi.json").ok()
}

#[test]
fn the_documents_need_no_key_and_say_what_they_are() {
    let served = serve(site());
    for (path, media_type) in [
        ("", "text/html; charset=utf-8"),
        ("openapi.json", "application/json"),
        ("openapi.yaml", "application/yaml"),
        ("llms.txt", "text/plain; charset=utf-8"),
        ("llms-full.txt", "text/plain; charset=utf-8"),
    ] {
        let path = format!("/api/v1/{path}");
        let answer = served.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some(media_type), "{path}");
        assert_eq!(served.send("HEAD", &path, &[], b"").status, 200, "{path}");
        let answer = served.send("POST", &path, &[], b"");
        answer.error(405);
        assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    }
}

#[test]
fn the_description_holds_every_operation_of_the_interface() {
    let served = serve(site());
    let document = document(&served);
    assert_eq!(document["openapi"], "3.1.1");
    assert_eq!(document["info"]["version"], "1.0.13");
    assert_eq!(
        document["servers"][0]["url"],
        format!("{}/api/v1", served.url)
    );
    // 503 and 507, and 409 of what is being saved, are this server's own.
    for (method, path, success, errors) in [
        ("get", "/feed/", "200", "400 401 403"),
        ("post", "/items/", "201", "400 401 403 409 413 503 507"),
        ("post", "/items/validate/", "200", "400 401 403 413"),
        ("get", "/items/{itemId}/", "200", "401 403 404"),
        (
            "put",
            "/items/{itemId}/",
            "200",
            "400 401 403 404 409 413 503 507",
        ),
        (
            "delete",
            "/items/{itemId}/",
            "200",
            "400 401 403 404 409 503 507",
        ),
        ("get", "/search/", "200", "400 401 403"),
        (
            "put",
            "/channels/{channelId}/",
            "200",
            "400 401 403 409 413 503 507",
        ),
        (
            "post",
            "/media_files/presigned_urls/",
            "201",
            "400 401 403 404 413 503 507",
        ),
    ] {
        let operation = &document["paths"][path][method];
        let mut statuses: BTreeSet<&str> = operation["responses"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert!(statuses.remove(success), "{method} {path}");
        let expected: BTreeSet<&str> = errors.split(' ').collect();
        assert_eq!(statuses, expected, "{method} {path}");
    }
    let chapters = &document["paths"]["/i/{slug}/chapters.json"];
    for method in ["get", "head"] {
        assert_eq!(chapters[method]["security"], json!([]));
    }
}

#[test]
fn json_and_yaml_say_the_same() {
    let served = serve(site());
    let yaml = served.get("/api/v1/openapi.yaml").text();
    let mut loaded = <saphyr::YamlOwned as saphyr::LoadableYamlNode>::load_from_str(&yaml).unwrap();
    assert_eq!(plain(&loaded.remove(0)), document(&served));
}

fn plain(node: &saphyr::YamlOwned) -> Value {
    use saphyr::{ScalarOwned, YamlOwned};
    match node {
        YamlOwned::Value(ScalarOwned::Null) => Value::Null,
        YamlOwned::Value(ScalarOwned::Boolean(flag)) => (*flag).into(),
        YamlOwned::Value(ScalarOwned::Integer(number)) => (*number).into(),
        YamlOwned::Value(ScalarOwned::FloatingPoint(number)) => number.into_inner().into(),
        YamlOwned::Value(ScalarOwned::String(text)) => text.as_str().into(),
        YamlOwned::Sequence(list) => list.iter().map(plain).collect(),
        YamlOwned::Mapping(object) => object
            .iter()
            .map(|(key, value)| (key.as_str().unwrap().to_owned(), plain(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => panic!("{other:?}"),
    }
}

/// Every value under a key, at any depth.
fn under<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(object) => {
            for (own, value) in object {
                if own == key {
                    found.push(value);
                }
                under(value, key, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| under(value, key, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_a_schema_and_every_field_is_described() {
    let served = serve(site());
    let document = document(&served);
    let mut references = Vec::new();
    under(&document, "$ref", &mut references);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let named: BTreeSet<&str> = references
        .iter()
        .map(|found| {
            found
                .as_str()
                .unwrap()
                .strip_prefix("#/components/schemas/")
                .unwrap()
        })
        .collect();
    let all: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    assert_eq!(named, all);
    for (name, schema) in schemas.iter().filter(|(name, _)| name.ends_with("Input")) {
        assert!(schema["description"].is_string(), "{name}");
        for (field, schema) in schema["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{name}.{field}");
        }
    }
}

#[test]
fn another_namespace_is_used_throughout() {
    let toml = "base_url = \"https://example.com\"\nnamespace = \"microfeed\"\n";
    let served = serve(site().with("site.toml", toml));
    for path in [
        "",
        "openapi.json",
        "openapi.yaml",
        "llms.txt",
        "llms-full.txt",
    ] {
        let text = served.get(&format!("/api/v1/{path}")).text();
        assert!(
            !text.contains("_service") && !text.contains("Service-C"),
            "{path}"
        );
    }
    let text = served.get("/api/v1/openapi.json").text();
    for word in [
        "_microfeed",
        "microfeed_version",
        "Microfeed-Causation-Id",
        "Microfeed-Correlation-Id",
    ] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn the_page_holds_every_operation_and_asks_nothing_of_others() {
    let served = serve(site());
    let document = document(&served);
    let html = served.get("/api/v1/").text();
    let page = Page(scraper::Html::parse_document(&html));
    let ids: BTreeSet<String> = page.all("[id]", "id").into_iter().collect();
    assert_eq!(ids.len(), page.all("[id]", "id").len());
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods
            .as_object()
            .unwrap()
            .values()
            .filter_map(|operation| operation["operationId"].as_str())
        {
            assert!(ids.contains(operation), "{operation}");
        }
    }
    for link in page.all("a[href^='#']", "href") {
        assert!(ids.contains(&link[1..]), "{link}");
    }
    for attribute in ["src", "srcset", "data", "action"] {
        assert_eq!(page.all(&format!("[{attribute}]"), attribute), [""; 0]);
    }
    assert_eq!(page.all("link[href]", "href"), ["data:,"]);
    // Markdown is rendered.
    for text in page.texts("p, dt, dd, li") {
        assert!(!text.contains('`') && !text.contains("**"), "{text}");
    }
    // Each operation shows how to call it.
    assert_eq!(
        page.texts("pre.example").len(),
        document["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|methods| methods.as_object().unwrap().values())
            .filter(|operation| operation["operationId"].is_string())
            .count()
    );
}

#[test]
fn every_example_body_is_taken() {
    let fresh = || serve(site().with("content/items/walk.md", "+++\nid = \"walk\"\n+++\n"));
    let document = document(&fresh());
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(name) = schema["$ref"]
                .as_str()
                .and_then(|path| path.rsplit('/').next())
            else {
                continue;
            };
            let example = &document["components"]["schemas"][name]["examples"][0];
            let path = path
                .replace("{itemId}", "walk")
                .replace("{channelId}", "primary");
            if path.contains('{') || path.contains("pages") || path.contains("site-files") {
                continue;
            }
            let answer = fresh().call(
                &method.to_uppercase(),
                &path,
                example.to_string().as_bytes(),
            );
            answer.ok();
            tried += 1;
        }
    }
    assert_eq!(tried, 5);
}

#[test]
fn the_texts_for_language_models_name_every_operation() {
    let served = serve(site());
    let document = document(&served);
    for path in ["llms.txt", "llms-full.txt"] {
        let text = served.get(&format!("/api/v1/{path}")).text();
        assert!(text.starts_with("# feedwright content API\n\n> "));
        for (path, methods) in document["paths"].as_object().unwrap() {
            for method in methods
                .as_object()
                .unwrap()
                .keys()
                .filter(|key| *key != "servers")
            {
                assert!(
                    text.contains(&format!("`{} ", method.to_uppercase()))
                        && text.contains(path.as_str()),
                    "{method} {path}"
                );
            }
        }
    }
}
