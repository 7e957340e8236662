//! The warehouse API over HTTP: datasets, tables, rows, and what every call has in common.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use rusqlite::types::Value as Kept;
use serde_json::{Value, json};
use warehouse::{Field, Type};

use crate::support::served::KEY;
use crate::warehouse::served::{PROJECT, Warehouse, fault, warehouse};

fn names(list: &Value, kind: &str) -> Vec<String> {
    let entries = list[format!("{kind}s")].as_array().unwrap().iter();
    let name = |entry: &Value| {
        let reference = &entry[format!("{kind}Reference")];
        reference[format!("{kind}Id")].as_str().unwrap().to_owned()
    };
    entries.map(name).collect()
}

/// A table `logs.create_plays` of two columns.
fn create_plays(warehouse: &Warehouse) -> Value {
    warehouse.dataset("logs");
    let table = json!({
        "tableReference": { "projectId": "show", "datasetId": "logs", "tableId": "plays" },
        "description": "Who listens",
        "labels": { "team": "audio" },
        "schema": { "fields": [
            { "name": "episode", "type": "STRING", "mode": "REQUIRED" },
            { "name": "count", "type": "INTEGER" },
        ] },
    });
    warehouse.post("/datasets/logs/tables", &table).ok()
}

#[test]
fn both_base_paths_and_any_project_work() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    for path in [
        "/warehouse/v2/projects/show/datasets/logs",
        "/bigquery/v2/projects/show/datasets/logs",
        "/bigquery/v2/projects/example.com:other-1/datasets/logs",
    ] {
        let found = warehouse.send_as(KEY, "GET", path, &[], b"").ok();
        assert_eq!(found["datasetReference"]["datasetId"], "logs");
        let link = found["selfLink"].as_str().unwrap();
        let below = path.split_once("/v2").unwrap().1;
        assert_eq!(link, format!("{}/warehouse/v2{below}", warehouse.served.url));
    }
    let found = warehouse.send_as(KEY, "GET", "/warehouse/v2/projects", &[], b"").ok();
    assert_eq!(found["projects"].as_array().unwrap().len(), 1);
    let wrong = warehouse.send_as(KEY, "GET", "/warehouse/v2/projects/a%20b/datasets", &[], b"");
    assert_eq!(fault(&wrong, 400).0, "invalid");
}

#[test]
fn datasets_are_created_updated_listed_and_deleted() {
    let warehouse = warehouse();
    let made = warehouse.post(
        "/datasets",
        &json!({
            "datasetReference": { "datasetId": "logs" },
            "friendlyName": "Logs",
            "labels": { "team": "audio", "kept": "" },
        }),
    );
    let made = made.ok();
    assert_eq!(made["id"], "show:logs");
    assert_eq!(made["labels"], json!({ "team": "audio", "kept": "" }));
    assert_eq!(warehouse.get("/datasets/logs").ok(), made);
    let again = json!({ "datasetReference": { "datasetId": "logs" } });
    assert_eq!(fault(&warehouse.post("/datasets", &again), 409).0, "duplicate");

    let change = json!({ "description": "What is heard", "friendlyName": null, "labels": { "team": null, "new": "1" } });
    let patched = warehouse.call("PATCH", "/datasets/logs", &change).ok();
    assert_eq!(patched["description"], "What is heard");
    assert_eq!(patched.get("friendlyName"), None);
    assert_eq!(patched["labels"], json!({ "kept": "", "new": "1" }));
    assert_ne!(patched["etag"], made["etag"]);
    let updated = warehouse.call("PUT", "/datasets/logs", &json!({ "labels": { "a": "b" } })).ok();
    assert_eq!(updated.get("description"), None);
    assert_eq!(updated["labels"], json!({ "a": "b" }));
    assert_eq!(updated["creationTime"], made["creationTime"]);

    warehouse.dataset("more");
    let list = warehouse.get("/datasets").ok();
    assert_eq!(names(&list, "dataset"), ["logs", "more", "site"]);
    let first = warehouse.get("/datasets?maxResults=2").ok();
    assert_eq!(names(&first, "dataset"), ["logs", "more"]);
    let next = first["nextPageToken"].as_str().unwrap();
    let second = warehouse.get(&format!("/datasets?maxResults=2&pageToken={next}")).ok();
    assert_eq!(names(&second, "dataset"), ["site"]);
    assert_eq!(second.get("nextPageToken"), None);
    let labelled = warehouse.get("/datasets?filter=labels.a:b").ok();
    assert_eq!(names(&labelled, "dataset"), ["logs"]);

    assert_eq!(warehouse.call("DELETE", "/datasets/logs", &Value::Null).status, 204);
    assert_eq!(fault(&warehouse.get("/datasets/logs"), 404).0, "notFound");
    assert_eq!(fault(&warehouse.call("DELETE", "/datasets/logs", &Value::Null), 404).0, "notFound");
}

#[test]
fn a_dataset_is_deleted_only_with_its_tables() {
    let warehouse = warehouse();
    create_plays(&warehouse);
    let delete =
        |query: &str| warehouse.call("DELETE", &format!("/datasets/logs{query}"), &Value::Null);
    assert_eq!(fault(&delete(""), 400).0, "resourceInUse");
    assert_eq!(delete("?deleteContents=true").status, 204);
}

#[test]
fn an_invalid_dataset_is_refused() {
    let warehouse = warehouse();
    for (body, word) in [
        (json!({}), "datasetReference.datasetId"),
        (json!({ "datasetReference": { "datasetId": "a-b" } }), "a-b"),
        (json!({ "datasetReference": { "datasetId": "_own" } }), "underscore"),
        (json!({ "datasetReference": { "datasetId": "a" }, "labels": [] }), "labels"),
        (json!({ "datasetReference": { "datasetId": "a" }, "description": 5 }), "description"),
        (
            json!({ "datasetReference": { "datasetId": "a" }, "defaultTableExpirationMs": "1000" }),
            "expirationTime",
        ),
    ] {
        let (reason, message) = fault(&warehouse.post("/datasets", &body), 400);
        assert_eq!(reason, "invalid", "{body}");
        assert!(message.contains(word), "{message}");
    }
    for (method, path) in [
        ("PATCH", "/datasets/site"),
        ("DELETE", "/datasets/site"),
        ("POST", "/datasets/site/tables"),
    ] {
        let body = json!({ "tableReference": { "tableId": "a" } });
        assert_eq!(fault(&warehouse.call(method, path, &body), 403).0, "accessDenied");
    }
}

#[test]
fn tables_are_created_updated_listed_and_deleted() {
    let warehouse = warehouse();
    let made = create_plays(&warehouse);
    assert_eq!(made["numRows"], "0");
    assert_eq!(made["type"], "TABLE");
    assert_eq!(made["schema"]["fields"][0]["mode"], "REQUIRED");
    assert_eq!(warehouse.get("/datasets/logs/tables/plays").ok(), made);
    let again = json!({ "tableReference": { "tableId": "plays" } });
    assert_eq!(fault(&warehouse.post("/datasets/logs/tables", &again), 409).0, "duplicate");

    let later = jiff::Timestamp::now().as_millisecond() + 3_600_000;
    let change = json!({ "expirationTime": later.to_string(), "schema": { "fields": [
        { "name": "episode", "type": "STRING", "description": "Its id" },
        { "name": "count", "type": "INT64" },
        { "name": "tags", "type": "STRING", "mode": "REPEATED" },
    ] } });
    let changed = warehouse.call("PATCH", "/datasets/logs/tables/plays", &change).ok();
    assert_eq!(changed["expirationTime"], later.to_string());
    let fields = changed["schema"]["fields"].as_array().unwrap();
    assert_eq!(
        fields[0],
        json!({ "name": "episode", "type": "STRING", "mode": "NULLABLE", "description": "Its id" })
    );
    assert_eq!(fields[2]["mode"], "REPEATED");
    assert_eq!(changed["description"], "Who listens");
    // The column takes NULL from now on.
    warehouse.table(
        "logs",
        "plays",
        &[Field::new("count", Type::Integer)],
        &[vec![Kept::Integer(1)]],
    );
    let rows = warehouse.get("/datasets/logs/tables/plays/data").ok();
    assert_eq!(rows["rows"], json!([{ "f": [{ "v": null }, { "v": "1" }, { "v": [] }] }]));

    warehouse.table("logs", "more", &[], &[]);
    let list = warehouse.get("/datasets/logs/tables").ok();
    assert_eq!(names(&list, "table"), ["more", "plays"]);
    assert_eq!(list["totalItems"], 2);
    assert_eq!(list["tables"][1]["labels"], json!({ "team": "audio" }));
    assert_eq!(warehouse.call("DELETE", "/datasets/logs/tables/plays", &Value::Null).status, 204);
    assert_eq!(fault(&warehouse.get("/datasets/logs/tables/plays"), 404).0, "notFound");
    assert_eq!(fault(&warehouse.get("/datasets/none/tables"), 404).0, "notFound");
}

#[test]
fn the_types_of_columns_cannot_change() {
    let warehouse = warehouse();
    let made = create_plays(&warehouse);
    for (fields, word) in [
        (json!([{ "name": "episode", "type": "STRING", "mode": "REQUIRED" }]), "count"),
        (
            json!([{ "name": "episode", "type": "BYTES" }, { "name": "count", "type": "INTEGER" }]),
            "BYTES",
        ),
        (
            json!([{ "name": "episode", "type": "STRING" }, { "name": "count", "type": "INTEGER", "mode": "REQUIRED" }]),
            "REQUIRED",
        ),
        (
            json!([{ "name": "episode", "type": "STRING" }, { "name": "count", "type": "INTEGER" }, { "name": "new", "type": "STRING", "mode": "REQUIRED" }]),
            "REQUIRED",
        ),
        (json!([{ "name": "episode", "type": "CAR" }]), "CAR"),
    ] {
        let change = json!({ "schema": { "fields": fields } });
        let reply = warehouse.call("PATCH", "/datasets/logs/tables/plays", &change);
        let (reason, message) = fault(&reply, 400);
        assert_eq!(reason, "invalid");
        assert!(message.contains(word), "{message}");
        assert_eq!(warehouse.get("/datasets/logs/tables/plays").ok(), made);
    }
    let reply =
        warehouse.call("PATCH", "/datasets/logs/tables/plays", &json!({ "expirationTime": "5" }));
    assert_eq!(fault(&reply, 400).0, "invalid");
}

#[test]
fn a_conflicting_change_is_an_error() {
    let warehouse = warehouse();
    let made = create_plays(&warehouse);
    let etag = made["etag"].as_str().unwrap();
    for path in ["/datasets/logs", "/datasets/logs/tables/plays"] {
        let path = format!("{PROJECT}{path}");
        let read = warehouse.send_as(KEY, "GET", &path, &[], b"");
        let (etag, quoted) = (read.json()["etag"].clone(), read.header("etag").unwrap().to_owned());
        assert_eq!(quoted, format!("\"{}\"", etag.as_str().unwrap()));
        let send = |tag: &str, text: &str| {
            let body = json!({ "description": text }).to_string();
            warehouse.send_as(KEY, "PATCH", &path, &[("if-match", tag)], body.as_bytes())
        };
        let known = warehouse.send_as(KEY, "GET", &path, &[("if-none-match", &quoted)], b"");
        assert_eq!((known.status, known.body.len()), (304, 0));
        assert_eq!(send(etag.as_str().unwrap(), "one").status, 200);
        assert_eq!(fault(&send(&quoted, "two"), 412).0, "conditionNotMet");
        assert_eq!(send("*", "three").status, 200);
    }
    assert!(!etag.is_empty());
}

#[test]
fn rows_are_read_by_page_index_and_column() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let person =
        Type::Struct(vec![Field::new("name", Type::String), Field::new("age", Type::Integer)]);
    let fields = [
        Field::new("n", Type::Integer),
        Field::new("at", Type::Timestamp),
        Field::new("people", Type::Array(Box::new(person))),
    ];
    let row = |n: i64| {
        let people = format!("[{{\"name\":\"p{n}\",\"age\":{n}}}]");
        vec![Kept::Integer(n), Kept::Integer(n * 1_500_000), Kept::Text(people)]
    };
    warehouse.table("logs", "t", &fields, &(0..7).map(row).collect::<Vec<_>>());
    let data = |query: &str| warehouse.get(&format!("/datasets/logs/tables/t/data?{query}")).ok();
    let (mut found, mut token) = (Vec::new(), String::new());
    let mut pages = 0;
    loop {
        let page = data(&format!("maxResults=3&selectedFields=n{token}"));
        assert_eq!(page["totalRows"], "7");
        found.extend(page["rows"].as_array().unwrap().iter().map(|row| row["f"][0]["v"].clone()));
        pages += 1;
        match page.get("pageToken") {
            Some(next) => token = format!("&pageToken={}", next.as_str().unwrap()),
            None => break,
        }
    }
    assert_eq!(pages, 3);
    assert_eq!(found, ["0", "1", "2", "3", "4", "5", "6"]);
    let one =
        |query: &str| data(&format!("startIndex=5&maxResults=1&{query}"))["rows"][0]["f"].clone();
    let person = json!({ "v": [{ "v": { "f": [{ "v": "p5" }, { "v": "5" }] } }] });
    assert_eq!(one(""), json!([{ "v": "5" }, { "v": "7.5E0" }, person]));
    assert_eq!(one("formatOptions.useInt64Timestamp=true")[1]["v"], "7500000");
    assert_eq!(
        one("formatOptions.timestampOutputFormat=ISO8601_STRING")[1]["v"],
        "1970-01-01T00:00:07.500000Z"
    );
    let names = json!({ "v": [{ "v": { "f": [{ "v": "p5" }] } }] });
    assert_eq!(one("selectedFields=people.name,N"), json!([{ "v": "5" }, names]));
    assert_eq!(data("startIndex=100")["rows"], json!([]));
    for (wrong, word) in [
        ("selectedFields=none", "none"),
        ("selectedFields=n.none", "n.none"),
        ("startIndex=-1", "startIndex"),
        ("maxResults=many", "maxResults"),
        ("pageToken=%00", "pageToken"),
        ("pageToken=abcd", "pageToken"),
        ("formatOptions.useInt64Timestamp=maybe", "useInt64Timestamp"),
    ] {
        let reply = warehouse.get(&format!("/datasets/logs/tables/t/data?{wrong}"));
        let (reason, message) = fault(&reply, 400);
        assert_eq!(reason, "invalid");
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn site_tables_are_listed_and_read() {
    let warehouse = warehouse();
    let list = warehouse.get("/datasets/site/tables").ok();
    assert!(names(&list, "table").contains(&"items".to_owned()));
    let table = warehouse.get("/datasets/site/tables/items").ok();
    assert_eq!(table["tableReference"]["datasetId"], "site");
    let content = warehouse.served.read("/feed/").ok();
    let ids = |rows: &Value| -> Vec<Value> {
        rows["rows"].as_array().unwrap().iter().map(|row| row["f"][0]["v"].clone()).collect()
    };
    let rows = warehouse.get("/datasets/site/tables/items/data?selectedFields=id").ok();
    let mut found = ids(&rows);
    let mut expected: Vec<Value> =
        content["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    found.sort_by_key(Value::to_string);
    expected.sort_by_key(Value::to_string);
    assert_eq!(found, expected);
    assert_eq!(rows["totalRows"], found.len().to_string());
    let first =
        warehouse.get("/datasets/site/tables/items/data?selectedFields=id&maxResults=1").ok();
    assert_eq!(ids(&first).len(), 1);
    assert_eq!(first.get("pageToken").is_some(), found.len() > 1);
}

#[test]
fn responses_follow_the_requested_format() {
    let warehouse = warehouse();
    create_plays(&warehouse);
    let table = warehouse.get("/datasets/logs/tables/plays?fields=id,schema/fields(name)").ok();
    let columns = json!([{ "name": "episode" }, { "name": "count" }]);
    assert_eq!(table, json!({ "id": "show:logs.plays", "schema": { "fields": columns } }));
    let pretty = warehouse.get("/datasets?prettyPrint=true&alt=json&quotaUser=a&key=b");
    assert!(pretty.text().contains("\n  \"kind\""));
    assert_eq!(pretty.header("content-type"), Some("application/json; charset=utf-8"));
    for wrong in ["alt=media", "fields=a(", "prettyPrint=5"] {
        assert_eq!(fault(&warehouse.get(&format!("/datasets?{wrong}")), 400).0, "invalid");
    }
}

#[test]
fn bodies_are_json_optionally_compressed_and_limited() {
    let warehouse = warehouse();
    let path = format!("{PROJECT}/datasets");
    let body = json!({ "datasetReference": { "datasetId": "packed" } }).to_string();
    let packed = |bytes: &[u8]| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let send = |headers: &[(&str, &str)], body: &[u8]| {
        warehouse.send_as(KEY, "POST", &path, headers, body)
    };
    send(&[("content-encoding", "gzip")], &packed(body.as_bytes())).ok();
    assert_eq!(warehouse.get("/datasets/packed").status, 200);
    assert_eq!(fault(&send(&[("content-encoding", "gzip")], body.as_bytes()), 400).0, "invalid");
    assert_eq!(fault(&send(&[("content-encoding", "br")], body.as_bytes()), 415).0, "invalid");
    let bomb = packed(&vec![b' '; 11 * 1024 * 1024]);
    assert_eq!(fault(&send(&[("content-encoding", "gzip")], &bomb), 413).0, "uploadTooLarge");
    for wrong in ["{", "[]", "5", "\"\u{1}\""] {
        assert_eq!(fault(&send(&[], wrong.as_bytes()), 400).0, "parseError", "{wrong}");
    }
    let meant = send(&[("x-http-method-override", "GET")], b"");
    assert_eq!(names(&meant.ok(), "dataset"), ["packed", "site"]);
}

#[test]
fn unknown_paths_and_methods_are_errors() {
    let warehouse = warehouse();
    for path in [
        "", "/", "/projects/show", "/projects/show/none", "/projects//datasets",
        "/projects/show/datasets/",
    ] {
        let reply = warehouse.send_as(KEY, "GET", &format!("/warehouse/v2{path}"), &[], b"");
        assert_eq!(fault(&reply, 404).0, "notFound", "{path}");
    }
    let reply = warehouse.call("PUT", "/datasets", &json!({}));
    assert_eq!(fault(&reply, 405).0, "httpMethodNotAllowed");
    assert_eq!(reply.header("allow"), Some("GET, HEAD, POST"));
    warehouse.dataset("logs");
    assert_eq!(warehouse.get("/datasets/logs/routines").ok()["routines"], json!([]));
    assert_eq!(warehouse.get("/datasets/logs/models").ok()["models"], json!([]));
    assert_eq!(fault(&warehouse.get("/datasets/logs/models/a"), 404).0, "notFound");
    assert_eq!(fault(&warehouse.get("/jobs/none"), 404).0, "notFound");
    assert_eq!(fault(&warehouse.get("/queries/none"), 404).0, "notFound");
    assert_eq!(fault(&warehouse.post("/jobs/none/cancel", &Value::Null), 404).0, "notFound");
}

#[test]
fn rows_are_inserted_once_and_invalid_rows_reported() {
    let warehouse = warehouse();
    create_plays(&warehouse);
    let send = |body: &Value| warehouse.post("/datasets/logs/tables/plays/insertAll", body);
    let row = |id: &str, json: Value| json!({ "insertId": id, "json": json });
    let good = row("1", json!({ "episode": "a", "count": 1 }));
    assert_eq!(send(&json!({ "rows": [good] })).ok().get("insertErrors"), None);
    // Its client did not hear the answer.
    let bad = row("2", json!({ "episode": "b", "count": "many" }));
    let more = row("3", json!({ "episode": "c", "none": 5 }));
    let answer = send(&json!({ "rows": [good, bad, more] })).ok();
    let indexes: Vec<&Value> =
        answer["insertErrors"].as_array().unwrap().iter().map(|error| &error["index"]).collect();
    assert_eq!(indexes, [1, 2]);
    assert_eq!(answer["insertErrors"][0]["errors"][0]["location"], "count");
    let count = || warehouse.get("/datasets/logs/tables/plays").ok()["numRows"].clone();
    assert_eq!(count(), "1");
    let options =
        json!({ "rows": [good, bad, more], "skipInvalidRows": true, "ignoreUnknownValues": true });
    assert_eq!(send(&options).ok()["insertErrors"].as_array().unwrap().len(), 1);
    assert_eq!(count(), "2");
    for wrong in [json!({ "rows": 5 }), json!({ "rows": [], "templateSuffix": "a" })] {
        assert_eq!(fault(&send(&wrong), 400).0, "invalid");
    }
    let reply = warehouse.post("/datasets/logs/tables/none/insertAll", &json!({ "rows": [good] }));
    assert_eq!(fault(&reply, 404).0, "notFound");
    let reply = warehouse.post("/datasets/site/tables/items/insertAll", &json!({ "rows": [good] }));
    assert_eq!(fault(&reply, 403).0, "accessDenied");
}

#[test]
fn jobs_are_listed_filtered_and_deleted() {
    let warehouse = warehouse();
    create_plays(&warehouse);
    for id in ["a", "b", "c"] {
        warehouse.job(&json!({
            "jobReference": { "projectId": "show", "jobId": id, "location": "EU" },
            "configuration": { "labels": { "of": id }, "extract": {
                "sourceTable": { "datasetId": "logs", "tableId": "plays" },
                "destinationUris": [format!("gs://files/{id}.csv")],
            } },
        }));
    }
    let ids = |query: &str| -> Vec<String> {
        let list = warehouse.get(&format!("/jobs{query}")).ok();
        let jobs = list["jobs"].as_array().unwrap().iter();
        jobs.map(|job| job["jobReference"]["jobId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(""), ["c", "b", "a"]);
    assert_eq!(ids("?stateFilter=done&projection=full"), ["c", "b", "a"]);
    assert_eq!(ids("?stateFilter=pending&stateFilter=running"), [""; 0]);
    assert_eq!(ids("?parentJobId=a"), [""; 0]);
    let of = |id: &str| warehouse.get(&format!("/jobs/{id}?location=EU")).ok();
    let time = of("b")["statistics"]["creationTime"].as_str().unwrap().to_owned();
    assert!(ids(&format!("?minCreationTime={time}")).contains(&"c".to_owned()));
    assert!(ids(&format!("?maxCreationTime={time}")).contains(&"a".to_owned()));
    let first = warehouse.get("/jobs?maxResults=2").ok();
    let next = first["nextPageToken"].as_str().unwrap();
    assert_eq!(ids(&format!("?maxResults=2&pageToken={next}")), ["a"]);
    assert_eq!(first["jobs"][0].get("configuration"), None);
    assert_eq!(of("a")["configuration"]["labels"], json!({ "of": "a" }));
    assert_eq!(of("a")["jobReference"]["location"], "EU");
    for wrong in ["stateFilter=none", "maxResults=-1", "pageToken=x", "minCreationTime=now"] {
        assert_eq!(fault(&warehouse.get(&format!("/jobs?{wrong}")), 400).0, "invalid", "{wrong}");
    }
    let again = json!({ "jobReference": { "jobId": "a" }, "configuration": { "extract": {
        "sourceTable": { "datasetId": "logs", "tableId": "plays" }, "destinationUris": ["gs://files/a.csv"],
    } } });
    assert_eq!(fault(&warehouse.post("/jobs", &again), 409).0, "duplicate");
    let other = json!({ "jobReference": { "projectId": "other" }, "configuration": again["configuration"] });
    assert_eq!(fault(&warehouse.post("/jobs", &other), 400).0, "invalid");
    assert_eq!(fault(&warehouse.get("/queries/a"), 400).0, "invalid");
    assert_eq!(
        warehouse.post("/jobs/a/cancel", &Value::Null).ok()["job"]["status"]["state"],
        "DONE"
    );
    assert_eq!(warehouse.call("DELETE", "/jobs/a/delete", &Value::Null).status, 204);
    assert_eq!(ids(""), ["c", "b"]);
}

#[test]
fn the_site_dataset_cannot_be_created_in_another_case() {
    let warehouse = warehouse();
    let reference = json!({ "datasetReference": { "datasetId": "SITE" } });
    let (reason, _) = fault(&warehouse.post("/datasets", &reference), 403);
    assert_eq!(reason, "accessDenied");
    let schema = json!({ "query": "CREATE SCHEMA Site", "useLegacySql": false });
    let (reason, _) = fault(&warehouse.post("/queries", &schema), 403);
    assert_eq!(reason, "accessDenied");
}

#[test]
fn partitioning_and_clustering_are_kept_or_rejected() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let table = |id: &str, more: Value| {
        let mut table = json!({
            "tableReference": { "tableId": id },
            "schema": { "fields": [{ "name": "day", "type": "DATE" }, { "name": "n", "type": "INT64" }] },
        });
        table.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        table
    };
    let layout = json!({
        "timePartitioning": { "type": "DAY", "field": "day" },
        "clustering": { "fields": ["n"] },
    });
    let post = |id: &str, more: Value| warehouse.post("/datasets/logs/tables", &table(id, more));
    for shown in [post("t", layout.clone()).ok(), warehouse.get("/datasets/logs/tables/t").ok()] {
        for name in ["timePartitioning", "clustering"] {
            assert_eq!(shown[name], layout[name]);
        }
    }
    let patch = |body: Value| warehouse.call("PATCH", "/datasets/logs/tables/t", &body);
    let shown = patch(json!({ "description": "d", "clustering": null })).ok();
    assert_eq!(shown["timePartitioning"], layout["timePartitioning"]);
    assert_eq!(shown.get("clustering"), None);
    for (wrong, place) in [
        (json!({ "clustering": { "fields": ["none"] } }), "clustering.fields"),
        (json!({ "timePartitioning": { "type": "DAY", "expirationMs": "5" } }), "expirationMs"),
        (json!({ "requirePartitionFilter": true }), "requirePartitionFilter"),
    ] {
        for reply in [post("u", wrong.clone()), patch(wrong.clone())] {
            let (reason, message) = fault(&reply, 400);
            assert_eq!(reason, "invalid");
            assert!(message.contains(place), "{message}");
        }
    }
    let mut query = json!({ "query": "SELECT 1 AS n", "useLegacySql": false, "destinationTable": {
        "projectId": "show", "datasetId": "logs", "tableId": "made",
    } });
    query["clustering"] = json!({ "fields": ["n"] });
    let job = json!({ "configuration": { "query": query } });
    let (_, message) = fault(&warehouse.post("/jobs", &job), 400);
    assert!(message.contains("clustering"), "{message}");
}
