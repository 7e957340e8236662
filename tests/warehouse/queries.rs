//! Queries of the warehouse by one call, and their rows by page.

use serde_json::{Value, json};

use crate::warehouse::served::{Warehouse, fault, warehouse};

/// More rows than any page has.
const NUMBERS: &str = "SELECT n FROM UNNEST(GENERATE_ARRAY(1, 7)) AS n ORDER BY n";
/// A statement that goes on until somebody stops it.
const ENDLESS: &str =
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";

fn query(warehouse: &Warehouse, text: &str, more: &Value) -> crate::support::served::Reply {
    let mut body = json!({ "query": text, "useLegacySql": false });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    warehouse.post("/queries", &body)
}

fn row_values(answer: &Value) -> Vec<&str> {
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(|row| row["f"][0]["v"].as_str().unwrap()).collect()
}

#[test]
fn a_query_returns_its_rows() {
    let warehouse = warehouse();
    let text =
        "SELECT @a + 1 AS n, @b AS b, TIMESTAMP '2026-11-21 07:05:00+00' AS at, [1, 2] AS list";
    let parameters = json!({
        "parameterMode": "NAMED",
        "queryParameters": [
            { "name": "a", "parameterType": { "type": "INT64" }, "parameterValue": { "value": "4" } },
            { "name": "b", "parameterType": { "type": "STRING" }, "parameterValue": { "value": "é" } },
        ],
        "formatOptions": { "useInt64Timestamp": true },
    });
    let answer = query(&warehouse, text, &parameters).ok();
    assert_eq!(answer["jobComplete"], true);
    assert_eq!(answer["totalRows"], "1");
    let types: Vec<&Value> =
        answer["schema"]["fields"].as_array().unwrap().iter().map(|field| &field["type"]).collect();
    assert_eq!(types, ["INTEGER", "STRING", "TIMESTAMP", "INTEGER"]);
    let list = json!([{ "v": "1" }, { "v": "2" }]);
    let row =
        json!({ "f": [{ "v": "5" }, { "v": "é" }, { "v": "1795244700000000" }, { "v": list }] });
    assert_eq!(answer["rows"], json!([row]));
    let id = answer["jobReference"]["jobId"].as_str().unwrap();
    let job = warehouse.get(&format!("/jobs/{id}")).ok();
    assert_eq!(job["status"]["state"], "DONE");
    assert_eq!(job["statistics"]["query"]["statementType"], "SELECT");
}

#[test]
fn a_query_parameter_can_limit_the_rows() {
    let warehouse = warehouse();
    let integer = |name: &str, value: &str| {
        json!({
            "name": name,
            "parameterType": { "type": "INT64" },
            "parameterValue": { "value": value },
        })
    };
    let parameters = json!({
        "parameterMode": "NAMED",
        "queryParameters": [integer("most", "2"), integer("first", "3")],
    });
    for bounds in ["LIMIT @most OFFSET @first", "LIMIT @`most` OFFSET @`first`"] {
        let answer = query(&warehouse, &format!("{NUMBERS} {bounds}"), &parameters).ok();
        assert_eq!(row_values(&answer), ["4", "5"], "{bounds}");
    }
    let answer = query(&warehouse, &format!("{NUMBERS} LIMIT @most"), &parameters).ok();
    assert_eq!(row_values(&answer), ["1", "2"]);
}

#[test]
fn result_pages_can_be_read_from_the_result_table() {
    let warehouse = warehouse();
    let first = query(&warehouse, NUMBERS, &json!({ "maxResults": 3 })).ok();
    assert_eq!(row_values(&first), ["1", "2", "3"]);
    assert_eq!(first["totalRows"], "7");
    let id = first["jobReference"]["jobId"].as_str().unwrap();
    let (mut found, mut token) = (vec![], first["pageToken"].as_str().unwrap().to_owned());
    loop {
        let page = warehouse.get(&format!("/queries/{id}?maxResults=3&pageToken={token}")).ok();
        found.extend(row_values(&page).into_iter().map(str::to_owned));
        match page.get("pageToken") {
            Some(next) => token = next.as_str().unwrap().to_owned(),
            None => break,
        }
    }
    assert_eq!(found, ["4", "5", "6", "7"]);
    let page = warehouse.get(&format!("/queries/{id}?startIndex=5&maxResults=1")).ok();
    assert_eq!(row_values(&page), ["6"]);
    let none = warehouse.get(&format!("/queries/{id}?maxResults=0")).ok();
    assert_eq!((row_values(&none).len(), &none["totalRows"]), (0, &json!("7")));
    let job = warehouse.get(&format!("/jobs/{id}")).ok();
    let table = &job["configuration"]["query"]["destinationTable"];
    let path = format!(
        "/datasets/{}/tables/{}/data",
        table["datasetId"].as_str().unwrap(),
        table["tableId"].as_str().unwrap()
    );
    assert_eq!(row_values(&warehouse.get(&path).ok()).len(), 7);
    assert_eq!(warehouse.get("/datasets").ok()["datasets"].as_array().unwrap().len(), 1);
}

#[test]
fn a_repeated_request_returns_its_first_job() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    query(&warehouse, "CREATE TABLE logs.t (n INT64)", &json!({})).ok();
    let insert = "INSERT INTO logs.t (n) VALUES (1)";
    let once = json!({ "requestId": "a" });
    let first = query(&warehouse, insert, &once).ok();
    assert_eq!(first["numDmlAffectedRows"], "1");
    assert_eq!(first.get("schema"), None);
    let again = query(&warehouse, insert, &once).ok();
    assert_eq!(again["jobReference"], first["jobReference"]);
    let other = query(&warehouse, "INSERT INTO logs.t (n) VALUES (2)", &once).ok();
    assert_ne!(other["jobReference"], first["jobReference"]);
    let answer = query(&warehouse, "SELECT n FROM logs.t ORDER BY n", &json!({})).ok();
    assert_eq!(row_values(&answer), ["1", "2"]);
}

#[test]
fn a_long_query_respects_its_timeout_and_can_be_cancelled() {
    let warehouse = warehouse();
    let answer = query(&warehouse, ENDLESS, &json!({ "timeoutMs": 50 })).ok();
    assert_eq!(answer["jobComplete"], false);
    assert_eq!(answer.get("rows"), None);
    let id = answer["jobReference"]["jobId"].as_str().unwrap();
    let start = std::time::Instant::now();
    let answer = warehouse.get(&format!("/queries/{id}?timeoutMs=200")).ok();
    assert_eq!(answer["jobComplete"], false);
    assert!(start.elapsed().as_millis() >= 200);
    let running = warehouse.get("/jobs?stateFilter=running").ok();
    assert_eq!(running["jobs"][0]["jobReference"]["jobId"], id);
    assert_eq!(
        fault(&warehouse.call("DELETE", &format!("/jobs/{id}/delete"), &Value::Null), 400).0,
        "invalid"
    );
    warehouse.post(&format!("/jobs/{id}/cancel"), &Value::Null).ok();
    // Told as soon as it has ended.
    let reply = warehouse.get(&format!("/queries/{id}?timeoutMs=60000"));
    assert_eq!(fault(&reply, 499).0, "stopped");
    let limited = query(&warehouse, ENDLESS, &json!({ "jobTimeoutMs": "100", "timeoutMs": 60000 }));
    assert_eq!(fault(&limited, 400).0, "timeout");
}

#[test]
fn a_dry_run_reports_without_running() {
    let warehouse = warehouse();
    let answer = query(&warehouse, NUMBERS, &json!({ "dryRun": true })).ok();
    assert_eq!(answer["schema"]["fields"][0]["name"], "n");
    assert_eq!(
        (&answer["jobComplete"], &answer["totalBytesProcessed"]),
        (&json!(true), &json!("0"))
    );
    let job = json!({ "configuration": {
        "dryRun": true, "query": { "query": "SELECT title FROM site.items", "useLegacySql": false },
    } });
    let statistics = warehouse.post("/jobs", &job).ok()["statistics"].clone();
    assert_eq!(statistics["totalBytesProcessed"], "0");
    assert_eq!(statistics["query"]["totalBytesProcessed"], "0");
    assert_eq!(warehouse.get("/jobs").ok()["jobs"], json!([]));
}

#[test]
fn an_invalid_query_is_an_error_at_once() {
    let warehouse = warehouse();
    for (text, status, reason) in [
        ("SELECT", 400, "invalidQuery"),
        ("SELECT none FROM site.items", 400, "invalidQuery"),
        ("ATTACH DATABASE 'a' AS b", 400, "invalidQuery"),
        ("", 400, "invalid"),
        ("SELECT 1 FROM nowhere.t", 404, "notFound"),
    ] {
        assert_eq!(fault(&query(&warehouse, text, &json!({})), status).0, reason, "{text}");
    }
    for (more, word) in [
        (json!({ "useLegacySql": true }), "useLegacySql"),
        (json!({ "maxResults": "many" }), "maxResults"),
        (json!({ "formatOptions": { "timestampOutputFormat": "none" } }), "timestampOutputFormat"),
        (json!({ "queryResultsFormat": "ARROW" }), "queryResultsFormat"),
    ] {
        let (reason, message) = fault(&query(&warehouse, "SELECT 1", &more), 400);
        assert_eq!(reason, "invalid");
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_view_is_created_from_a_query() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let view = |query: &str| json!({ "tableReference": { "tableId": "v" }, "view": { "query": query, "useLegacySql": false } });
    let made =
        warehouse.post("/datasets/logs/tables", &view("SELECT id, title FROM site.items")).ok();
    assert_eq!(made["type"], "VIEW");
    assert_eq!(made["schema"]["fields"][1]["name"], "title");
    let found = query(&warehouse, "SELECT title FROM logs.v ORDER BY 1", &json!({})).ok();
    assert_eq!(row_values(&found), ["One", "Two"]);
    assert_eq!(fault(&warehouse.get("/datasets/logs/tables/v/data"), 400).0, "invalid");
    let changed = warehouse.call("PATCH", "/datasets/logs/tables/v", &view("SELECT 1 AS one")).ok();
    assert_eq!(changed["schema"]["fields"][0]["name"], "one");
    let wrong =
        json!({ "tableReference": { "tableId": "w" }, "view": { "query": "DROP TABLE logs.v" } });
    assert_eq!(warehouse.post("/datasets/logs/tables", &wrong).status, 400);
}
