//! What the API says of itself.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::Page;
use crate::support::served::{Served, serve};
use crate::support::small_site::site;

fn document(served: &Served) -> Value {
    served.get("/api/v1/openapi.json").ok()
}

#[test]
fn api_documents_need_no_key_and_have_media_types() {
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
fn openapi_describes_every_operation() {
    let served = serve(site());
    let document = document(&served);
    assert_eq!(document["openapi"], "3.1.1");
    assert_eq!(document["info"]["version"], "1.0.13");
    assert_eq!(document["servers"][0]["url"], format!("{}/api/v1", served.url));
    // 408, 503 and 507, and 409 of what is being saved, are this server's own.
    for (method, path, success, errors) in [
        ("get", "/feed/", "200", "400 401 403"),
        ("post", "/items/", "201", "400 401 403 404 408 409 413 503 507"),
        ("post", "/items/validate/", "200", "400 401 403 404 408 413 503"),
        ("get", "/items/{itemId}/", "200", "401 403 404"),
        ("put", "/items/{itemId}/", "200", "400 401 403 404 408 409 413 503 507"),
        ("delete", "/items/{itemId}/", "200", "400 401 403 404 409 503 507"),
        ("get", "/search/", "200", "400 401 403"),
        ("put", "/channels/{channelId}/", "200", "400 401 403 404 408 409 413 503 507"),
        ("post", "/media_files/presigned_urls/", "201", "400 401 403 404 408 413 503 507"),
        ("put", "/media-upload/{token}", "200", "400 403 409 503 507"),
    ] {
        let operation = &document["paths"][path][method];
        let mut statuses: BTreeSet<&str> =
            operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
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
fn openapi_has_an_example_of_each_webhook_message() {
    for (toml, name) in [("", "service"), ("namespace = \"microfeed\"\n", "microfeed")] {
        let toml = format!("base_url = \"https://walks.example\"\n{toml}");
        let served = serve(site().with("site.toml", toml));
        let document = document(&served);
        let content = document["webhooks"][format!("{name}Event")]["post"]["requestBody"]["content"]
            ["application/json"]
            .clone();
        let kinds = content["schema"]["oneOf"].as_array().unwrap().iter();
        let kinds: Vec<&str> = kinds
            .flat_map(|one| one["properties"]["type"]["enum"].as_array().unwrap())
            .map(|kind| kind.as_str().unwrap())
            .collect();
        assert_eq!(kinds.len(), content["examples"].as_object().unwrap().len());
        for kind in kinds {
            let sample = &content["examples"][kind]["value"];
            assert_eq!((&sample["type"], &sample["test"]), (&json!(kind), &json!(true)));
            let changed = sample["data"].get("changed").is_some();
            assert_eq!(changed, kind.ends_with(".updated"), "{sample}");
        }
    }
}

#[test]
fn json_and_yaml_descriptions_are_equal() {
    let served = serve(site());
    let yaml = served.get("/api/v1/openapi.yaml").text();
    let mut loaded = <saphyr::YamlOwned as saphyr::LoadableYamlNode>::load_from_str(&yaml).unwrap();
    assert_eq!(yaml_to_json(&loaded.remove(0)), document(&served));
}

fn yaml_to_json(node: &saphyr::YamlOwned) -> Value {
    use saphyr::{ScalarOwned, YamlOwned};
    match node {
        YamlOwned::Value(ScalarOwned::Null) => Value::Null,
        YamlOwned::Value(ScalarOwned::Boolean(flag)) => (*flag).into(),
        YamlOwned::Value(ScalarOwned::Integer(number)) => (*number).into(),
        YamlOwned::Value(ScalarOwned::FloatingPoint(number)) => number.into_inner().into(),
        YamlOwned::Value(ScalarOwned::String(text)) => text.as_str().into(),
        YamlOwned::Sequence(list) => list.iter().map(yaml_to_json).collect(),
        YamlOwned::Mapping(object) => object
            .iter()
            .map(|(key, value)| (key.as_str().unwrap().to_owned(), yaml_to_json(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => panic!("{other:?}"),
    }
}

/// Every value under a key, at any depth.
fn collect_values<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(object) => {
            for (own, value) in object {
                if own == key {
                    found.push(value);
                }
                collect_values(value, key, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect_values(value, key, found)),
        _ => {}
    }
}

#[test]
fn every_reference_resolves_and_every_field_is_described() {
    let served = serve(site());
    let document = document(&served);
    let mut references = Vec::new();
    collect_values(&document, "$ref", &mut references);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let named: BTreeSet<&str> = references
        .iter()
        .map(|found| found.as_str().unwrap().strip_prefix("#/components/schemas/").unwrap())
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

/// In a change, a field that is left out stays what it is, and null removes it: no default may say otherwise.
#[test]
fn update_fields_have_no_null_default() {
    let served = serve(site());
    let document = document(&served);
    let (mut changes, mut bodies) = (Vec::new(), Vec::new());
    for method in ["put", "patch"] {
        collect_values(&document["paths"], method, &mut changes);
    }
    for change in changes {
        collect_values(change, "requestBody", &mut bodies);
    }
    let mut seen = BTreeSet::new();
    let mut queue: Vec<&Value> = bodies;
    while let Some(value) = queue.pop() {
        let mut references = Vec::new();
        collect_values(value, "$ref", &mut references);
        for name in references.iter().filter_map(|reference| reference.as_str()) {
            let schema = name.rsplit('/').next().unwrap();
            if seen.insert(schema.to_owned()) {
                queue.push(&document["components"]["schemas"][schema]);
            }
        }
        let mut defaults = Vec::new();
        collect_values(value, "default", &mut defaults);
        assert!(defaults.iter().all(|default| !default.is_null()), "{value}");
    }
    assert!(!seen.is_empty());
}

#[test]
fn documents_use_the_custom_namespace() {
    let toml = "base_url = \"https://example.com\"\nnamespace = \"microfeed\"\n";
    let served = serve(site().with("site.toml", toml));
    for path in ["", "openapi.json", "openapi.yaml", "llms.txt", "llms-full.txt"] {
        let text = served.get(&format!("/api/v1/{path}")).text();
        assert!(!text.contains("_service") && !text.contains("Service-C"), "{path}");
    }
    let text = served.get("/api/v1/openapi.json").text();
    for word in
        ["_microfeed", "microfeed_version", "Microfeed-Causation-Id", "Microfeed-Correlation-Id"]
    {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn the_page_lists_every_operation_and_loads_nothing_external() {
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
fn every_example_body_is_accepted() {
    let fresh = || serve(site().with("content/items/walk.md", "+++\nid = \"walk\"\n+++\n"));
    let document = document(&fresh());
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next())
            else {
                continue;
            };
            let example = &document["components"]["schemas"][name]["examples"][0];
            let path = path.replace("{itemId}", "walk").replace("{channelId}", "primary");
            if path.contains('{') || path.contains("pages") || path.contains("site-files") {
                continue;
            }
            let answer =
                fresh().call(&method.to_uppercase(), &path, example.to_string().as_bytes());
            answer.ok();
            tried += 1;
        }
    }
    assert_eq!(tried, 5);
}

#[test]
fn llms_texts_name_every_operation() {
    let served = serve(site());
    let document = document(&served);
    for path in ["llms.txt", "llms-full.txt"] {
        let text = served.get(&format!("/api/v1/{path}")).text();
        assert!(text.starts_with("# feedwright content API\n\n> "));
        for (path, methods) in document["paths"].as_object().unwrap() {
            for method in methods.as_object().unwrap().keys().filter(|key| *key != "servers") {
                assert!(
                    text.contains(&format!("`{} ", method.to_uppercase()))
                        && text.contains(path.as_str()),
                    "{method} {path}"
                );
            }
        }
    }
}

/// A path of the description with values in it that lead to something.
fn fill_path(path: &str) -> String {
    path.replace("{itemId}", "walk")
        .replace("{pageId}", "about")
        .replace("{siteFileId}", "robots")
        .replace("{channelId}", "primary")
        .replace("{slug}", "walk")
        .replace("{token}", "none")
}

fn serve_every_kind() -> Served {
    serve(
        site()
            .with(
                "content/items/walk.md",
                "+++\nid = \"walk\"\ntitle = \"Walk\"\n[podcast]\nchapters = [{ startTime = 0 }]\n+++\nText\n",
            )
            .with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\nText\n"),
    )
}

/// Every operation that is described: its path, filled, its method, and what is said of it.
fn described(document: &Value) -> Vec<(String, String, &Value)> {
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let base = match methods.get("servers") {
            Some(_) => "",
            None => "/api/v1",
        };
        for (method, operation) in methods.as_object().unwrap() {
            if operation.get("operationId").is_some() {
                let path = format!("{base}{}", fill_path(path));
                all.push((path, method.to_uppercase(), operation));
            }
        }
    }
    all
}

fn send_with_key(
    served: &Served,
    method: &str,
    path: &str,
    header: (&str, &str),
    body: &[u8],
) -> crate::support::served::Reply {
    let key = format!("Bearer {}", crate::support::served::KEY);
    served.send(method, path, &[("authorization", &key), header], body)
}

#[test]
fn paths_accept_exactly_the_documented_methods() {
    let served = serve_every_kind();
    let document = document(&served);
    let all = described(&document);
    let paths: BTreeSet<&String> = all.iter().map(|(path, _, _)| path).collect();
    assert!(paths.len() > 15, "{paths:?}");
    for path in paths {
        let own = all.iter().filter(|(other, _, _)| other == path);
        let methods: BTreeSet<&str> = own.map(|(_, method, _)| method.as_str()).collect();
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let answer = send_with_key(&served, method, path, ("accept", "*/*"), b"{}");
            if methods.contains(method) || (method == "HEAD" && methods.contains("GET")) {
                assert_ne!(answer.status, 405, "{method} {path}");
                continue;
            }
            assert_eq!(answer.status, 405, "{method} {path}");
            let allow: BTreeSet<&str> = answer.header("allow").unwrap().split(", ").collect();
            let head = methods.contains("GET").then_some("HEAD");
            let expected = methods.iter().copied().chain(head).collect();
            assert_eq!(allow, expected, "{method} {path}");
        }
    }
}

#[test]
fn accepted_headers_are_documented() {
    let served = serve_every_kind();
    let document = document(&served);
    for (path, method, operation) in described(&document) {
        let names: BTreeSet<&str> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "header")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        for name in ["Service-Causation-Id", "Service-Correlation-Id", "Idempotency-Key"] {
            let long = "x".repeat(129);
            let answer = send_with_key(&served, &method, &path, (name, &long), b"{}");
            let is_refused = answer.status == 400 && answer.text().contains(name);
            // A token that is unknown is said first.
            let is_taken = is_refused || path.starts_with("/media-upload/");
            assert!(names.contains(name) <= is_taken, "{method} {path} {name}");
            assert!(is_refused <= names.contains(name), "{method} {path} {name}");
        }
    }
}

#[test]
fn uploads_record_trace_headers() {
    let served = serve_every_kind();
    let body = json!({ "category": "image", "full_local_file_path": "a.png" });
    let prepare = || {
        let made = served.post("/media_files/presigned_urls/", &body).ok();
        let url = made["presigned_url"].as_str().unwrap().to_owned();
        url.strip_prefix(&served.url).unwrap().to_owned()
    };
    let headers = [("service-causation-id", "event 1"), ("service-correlation-id", "flow 2")];
    let answer = served.send("PUT", &prepare(), &headers, b"bytes");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let journal = served.journal();
    let entry = journal.iter().find(|entry| entry.operation == "uploadMedia").unwrap();
    assert_eq!(entry.causation.as_deref(), Some("event 1"));
    assert_eq!(entry.correlation.as_deref(), Some("flow 2"));
    let long = "x".repeat(129);
    let path = prepare();
    let message =
        served.send("PUT", &path, &[("service-causation-id", &long)], b"bytes").error(400);
    assert!(message.starts_with("Service-Causation-Id: "), "{message}");
    // It is not used up by that.
    assert_eq!(served.send("PUT", &path, &[], b"bytes").status, 200);
}

/// Aliases are told from the sources: no description makes itself.
#[test]
fn every_accepted_field_name_is_documented() {
    let served = serve_every_kind();
    let document = document(&served);
    let mut described: Vec<&Value> = Vec::new();
    collect_values(&document["components"]["schemas"], "properties", &mut described);
    let described: BTreeSet<&String> =
        described.iter().flat_map(|properties| properties.as_object().unwrap().keys()).collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api/content");
    let alias = regex::Regex::new(r#"\balias = "([^"]+)""#).unwrap();
    let mut found = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        for name in alias.captures_iter(&text) {
            assert!(described.contains(&name[1].to_owned()), "{} in {:?}", &name[1], entry.path());
            found += 1;
        }
    }
    assert!(found > 1);
}

#[test]
fn field_aliases_have_the_same_limits() {
    let served = serve_every_kind();
    for (size, status) in [(-1_i64, 400), (1000, 200), (9_007_199_254_740_992, 400)] {
        for name in ["size_in_bytes", "size_in_byte"] {
            let attachment = json!({ "url": "https://a.example/1.mp3", name: size });
            let body = json!({ "title": "A", "attachments": [attachment] });
            let answer = served.post("/items/validate/", &body);
            assert_eq!(answer.status, status, "{body}: {}", answer.text());
        }
    }
    for (name, status) in [("homepage_url", 200), ("home_page_url", 200)] {
        let answer = served.put("/channels/primary/", &json!({ name: "https://a.example/" }));
        assert_eq!(answer.status, status);
    }
}

/// Values of a parameter that its schema takes, and values that it does not.
fn values(schema: &Value) -> (Vec<String>, Vec<String>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let values = schema["enum"].as_array().cloned().unwrap_or_else(|| {
        let choices = schema["oneOf"].as_array().into_iter().flatten();
        choices.map(|choice| choice["const"].clone()).collect()
    });
    good.extend(values.iter().map(|value| value.as_str().unwrap().to_owned()));
    if !good.is_empty() {
        bad.extend(["other".to_owned(), format!("{0},{0}", good[0])]);
    }
    if let Some(least) = schema["minimum"].as_i64() {
        good.push(least.to_string());
        bad.push((least - 1).to_string());
    }
    if let Some(most) = schema["maximum"].as_i64() {
        good.push(most.to_string());
        bad.push((most + 1).to_string());
    }
    if let Some(most) = schema["maxLength"].as_u64() {
        bad.push("x".repeat(usize::try_from(most).unwrap() + 1));
    }
    if schema["minLength"] == 1 {
        bad.push(String::new());
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        let pattern = regex::Regex::new(pattern).unwrap();
        let names = ["published", "unlisted", "unpublished"];
        let mut lists = Vec::new();
        for a in names {
            lists.extend([a.to_owned(), format!("{a},{a},{a},{a}"), format!(",{a}")]);
            for b in names {
                lists.extend([format!("{a},{b}"), format!("{a},{b},")]);
                lists.extend(names.map(|c| format!("{a},{b},{c}")));
            }
        }
        let lists = lists.into_iter();
        let (fit, unfit): (Vec<_>, Vec<_>) = lists.partition(|list| pattern.is_match(list));
        assert_eq!(fit.len(), 15, "{fit:?}");
        good.extend(fit);
        bad.extend(unfit);
    }
    (good, bad)
}

/// What the description says of a query is what holds, whatever operation it is of.
#[test]
fn query_parameters_have_the_documented_limits_and_defaults() {
    let served = serve_every_kind();
    let document = document(&served);
    let mut tried = 0;
    for (path, method, operation) in described(&document) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let of_query: Vec<&Value> = parameters.iter().filter(|one| one["in"] == "query").collect();
        let needed = if of_query.iter().any(|one| one["name"] == "q") { "q=walk&" } else { "" };
        let ask = |name: &str, value: &str| {
            let needed = if name == "q" { "" } else { needed };
            let pair =
                form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
            send_with_key(
                &served,
                &method,
                &format!("{path}?{needed}{pair}"),
                ("accept", "*/*"),
                b"",
            )
        };
        for parameter in of_query {
            let name = parameter["name"].as_str().unwrap();
            let (good, bad) = values(&parameter["schema"]);
            for value in &good {
                assert_eq!(ask(name, value).status, 200, "{path} {name}={value}");
            }
            for value in &bad {
                let message = ask(name, value).error(400);
                assert!(message.contains(name), "{path} {name}={value}: {message}");
            }
            if let Some(default) = parameter["schema"].get("default") {
                let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                assert_eq!(ask(name, &default).json(), ask("unknown", "x").json(), "{path} {name}");
                assert!(good.contains(&default) || default == "20", "{path} {name}={default}");
            }
            tried += good.len() + bad.len();
        }
    }
    assert!(tried > 100, "{tried}");
    let search = &document["paths"]["/search/"]["get"]["parameters"];
    let status = search.as_array().unwrap().iter().find(|one| one["name"] == "status").unwrap();
    assert_eq!(status["schema"]["default"], "published,unlisted,unpublished");
}

/// Every field that is shown is described, of lists of results too.
#[test]
fn every_returned_field_is_documented() {
    let served = serve_every_kind();
    let document = document(&served);
    let schemas = &document["components"]["schemas"];
    fn keys<'s>(schemas: &'s Value, schema: &'s Value, found: &mut BTreeSet<&'s str>) {
        if let Some(path) = schema["$ref"].as_str() {
            keys(schemas, &schemas[path.rsplit('/').next().unwrap()], found);
        }
        for list in ["anyOf", "allOf", "oneOf"] {
            let list = schema[list].as_array().into_iter().flatten();
            list.for_each(|one| keys(schemas, one, found));
        }
        found.extend(
            schema["properties"]
                .as_object()
                .into_iter()
                .flat_map(|object| object.keys().map(String::as_str)),
        );
    }
    for (path, schema) in [
        ("/search/?q=walk&types=items", "ResultOutput"),
        ("/search/?q=about&types=pages", "ResultOutput"),
        ("/feed/", "ItemOutput"),
        ("/pages/", "PageOutput"),
        ("/site-files/", "SiteFileOutput"),
    ] {
        let mut known = BTreeSet::new();
        keys(schemas, &schemas[schema], &mut known);
        let answer = served.read(path).ok();
        let shown = answer["items"].as_array().unwrap();
        assert!(!shown.is_empty(), "{path}");
        for one in shown {
            for key in one.as_object().unwrap().keys() {
                assert!(known.contains(key.as_str()), "{path}: {key} of {known:?}");
            }
        }
    }
}

/// Every property of a body that null can be sent for is described so, and no other.
#[test]
fn null_is_documented_exactly_where_accepted() {
    let served = serve_every_kind();
    let document = document(&served);
    let schemas = &document["components"]["schemas"];
    fn resolve_schema<'d>(schemas: &'d Value, schema: &'d Value) -> &'d Value {
        let name = schema["$ref"].as_str().and_then(|at| at.rsplit('/').next());
        let of_choice = || {
            let choices = schema["anyOf"].as_array()?.iter();
            choices
                .map(|one| resolve_schema(schemas, one))
                .find(|one| one["properties"].is_object())
        };
        match name {
            Some(name) => &schemas[name],
            None => of_choice().unwrap_or(schema),
        }
    }
    fn accepts_null(schema: &Value) -> bool {
        let is_null = |kind: &Value| kind == "null";
        is_null(&schema["type"])
            || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(is_null))
            || schema["anyOf"].as_array().is_some_and(|all| all.iter().any(accepts_null))
            || schema.as_object().is_some_and(serde_json::Map::is_empty)
    }
    let page = json!({ "title": "Null", "slug": "null" });
    let file = json!({ "filename": "null.txt", "draft_content": "a" });
    for (schema, method, path, whole) in [
        (
            "ItemInput",
            "POST",
            "/items/validate/",
            json!({ "title": "Null", "content_markdown": "Text" }),
        ),
        (
            "ItemInput",
            "PUT",
            "/items/walk/",
            json!({ "title": "Null", "content_markdown": "Text" }),
        ),
        ("PageCreateInput", "POST", "/pages/validate/", page.clone()),
        ("PageInput", "PUT", "/pages/about/", json!({ "title": "Null" })),
        ("SiteFileCreateInput", "POST", "/site-files/validate/", file.clone()),
        ("SiteFilePreviewInput", "POST", "/site-files/preview/", file.clone()),
        ("ChannelInput", "PUT", "/channels/primary/", json!({ "title": "Null" })),
    ] {
        let mut open = vec![(Vec::<String>::new(), &schemas[schema])];
        let mut seen = 0;
        while let Some((place, own)) = open.pop() {
            for (name, property) in own["properties"].as_object().unwrap() {
                let mut body = whole.clone();
                let at = place.iter().fold(&mut body, |at, name| {
                    let object = at.as_object_mut().unwrap();
                    object.entry(name).or_insert_with(|| json!({}))
                });
                // What the other fields need of this one is no matter of its type.
                let is_needed =
                    place.is_empty() && schema == "SiteFilePreviewInput" && name == "filename";
                at[name] = Value::Null;
                let reply = served.call(method, path, body.to_string().as_bytes());
                let is_taken = reply.status < 300;
                let place: Vec<String> = place.iter().chain([name]).cloned().collect();
                assert!(
                    is_taken == accepts_null(property) || is_needed,
                    "{method} {path}: null for {}: {} {}",
                    place.join("."),
                    reply.status,
                    reply.text()
                );
                seen += 1;
                let inner = resolve_schema(schemas, property);
                if inner["properties"].is_object() && inner["required"].is_null() {
                    open.push((place, inner));
                }
            }
        }
        assert!(seen > 3, "{schema}: {seen}");
    }
}

#[test]
fn enums_have_one_type_and_statuses_are_enums() {
    fn check(at: &str, schema: &Value) {
        match schema {
            Value::Object(object) => {
                if let Some(Value::Array(values)) = object.get("enum") {
                    let kind = |value: &Value| (value.is_string(), value.is_number());
                    let kinds: BTreeSet<_> =
                        values.iter().filter(|one| !one.is_null()).map(kind).collect();
                    assert_eq!(kinds.len(), 1, "{at}: {values:?}");
                    assert!(object.contains_key("type"), "{at}: {values:?}");
                }
                for (name, inner) in object {
                    check(&format!("{at}/{name}"), inner);
                }
            }
            Value::Array(list) => list.iter().for_each(|inner| check(at, inner)),
            _ => {}
        }
    }
    let served = serve_every_kind();
    let document = document(&served);
    check("", &document);
    let schemas = &document["components"]["schemas"];
    for schema in ["ItemExtensionOutput", "PageOutput"] {
        assert_eq!(
            schemas[schema]["properties"]["status"]["enum"],
            json!(["published", "unlisted", "unpublished"]),
            "{schema}"
        );
    }
    let prepare = &document["paths"]["/media_files/presigned_urls/"]["post"]["parameters"];
    let names: Vec<&str> =
        prepare.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Service-Causation-Id", "Service-Correlation-Id"]);
}

#[test]
fn schemas_exclude_control_characters() {
    fn texts<'s>(at: String, schema: &'s Value, found: &mut Vec<(String, &'s Value)>) {
        match schema {
            Value::Object(members) => {
                let kind = &schema["type"];
                let is_text = kind == "string"
                    || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")));
                let is_free = ["enum", "const", "format"].iter().all(|name| schema[name].is_null());
                if is_text && is_free {
                    found.push((at.clone(), schema));
                }
                let parts = members.iter().filter(|(name, _)| *name != "examples");
                parts.for_each(|(name, part)| texts(format!("{at}/{name}"), part, found));
            }
            Value::Array(list) => list.iter().for_each(|part| texts(at.clone(), part, found)),
            _ => {}
        }
    }
    let served = serve_every_kind();
    let document = document(&served);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut found = Vec::new();
    for (name, schema) in schemas.iter().filter(|(name, _)| name.ends_with("Input")) {
        texts(name.clone(), schema, &mut found);
    }
    assert!(found.len() > 40, "{}", found.len());
    for (at, schema) in found {
        let pattern = schema["pattern"].as_str();
        let pattern = pattern.unwrap_or_else(|| panic!("{at} has no pattern"));
        // The syntax of these characters in the descriptions is that of ECMA-262.
        let pattern = pattern.replace("\\uFFFE", "\\x{FFFE}").replace("\\uFFFF", "\\x{FFFF}");
        let pattern = regex::Regex::new(&pattern).unwrap();
        for refused in ["a\0", "a\u{1b}", "a\u{8}b"] {
            assert!(!pattern.is_match(refused), "{at} takes {refused:?}: {pattern}");
        }
    }
    let url = &schemas["AuthorInput"]["properties"]["url"]["pattern"];
    let url = url.as_str().unwrap();
    let url = url.replace("\\uFFFE", "\\x{FFFE}").replace("\\uFFFF", "\\x{FFFF}");
    let url = regex::Regex::new(&url).unwrap();
    for (text, is_taken) in [
        ("https://a.example/b?c#d", true),
        ("HTTP://a", true),
        ("", true),
        ("https://", false),
        ("https:///a", false),
        ("http://?a", false),
        ("https://a b", false),
        ("https://a\u{a0}b", false),
        ("ftp://a.example", false),
    ] {
        assert_eq!(url.is_match(text), is_taken, "{text:?}");
    }
}
