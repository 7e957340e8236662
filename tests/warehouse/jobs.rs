//! Jobs of each kind from start to end, over HTTP: how they are named, run beside one another, cancelled,
//! and found again.

use std::fs;

use feedwright::state::Scope;
use serde_json::{Value, json};

use crate::warehouse::served::{Warehouse, fault, warehouse};

/// A query that does not end by itself.
const ENDLESS: &str =
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n";

fn query_job(text: &str, more: Value) -> Value {
    let mut configuration = json!({ "query": { "query": text, "useLegacySql": false } });
    for (name, value) in more.as_object().unwrap() {
        configuration["query"][name] = value.clone();
    }
    json!({ "configuration": configuration })
}

fn with_job_id(id: &str, mut job: Value) -> Value {
    job["jobReference"] = json!({ "jobId": id, "projectId": "show" });
    job
}

fn table(dataset: &str, table: &str) -> Value {
    json!({ "projectId": "show", "datasetId": dataset, "tableId": table })
}

fn state(job: &Value) -> &str {
    job["status"]["state"].as_str().unwrap()
}

fn error_reason(job: &Value) -> &str {
    job["status"]["errorResult"]["reason"].as_str().unwrap_or("none")
}

/// The rows of a query.
fn query_rows(warehouse: &Warehouse, text: &str) -> Value {
    let body = json!({ "query": text, "useLegacySql": false, "timeoutMs": 60000 });
    let answer = warehouse.post("/queries", &body).ok();
    let rows = answer["rows"].as_array().cloned().unwrap_or_default();
    rows.iter()
        .map(|row| {
            row["f"].as_array().unwrap().iter().map(|cell| cell["v"].clone()).collect::<Value>()
        })
        .collect()
}

#[test]
fn every_kind_of_job_processes_a_table() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let exports = warehouse.served.site.path(".feedwright/warehouse/exports/in");
    fs::create_dir_all(&exports).unwrap();
    fs::write(exports.join("a.csv"), "app,plays\nFountain,3\nPodverse,5\n").unwrap();

    // A load without data of its own reads files that lie among the exports.
    let load = json!({ "configuration": { "labels": { "from": "tests" }, "load": {
        "sourceUris": ["gs://in/a.csv"], "destinationTable": table("logs", "plays"), "autodetect": true,
    }}});
    let done = warehouse.job(&load);
    assert_eq!(error_reason(&done), "none", "{done}");
    assert_eq!(done["configuration"]["jobType"], "LOAD");
    assert_eq!(done["configuration"]["labels"]["from"], "tests");
    assert_eq!(done["statistics"]["load"]["outputRows"], "2");
    for time in ["creationTime", "startTime", "endTime"] {
        assert!(done["statistics"][time].as_str().unwrap().parse::<i64>().unwrap() > 0);
    }

    let text = "SELECT app, plays * 2 AS twice FROM logs.plays WHERE plays > 3";
    let into =
        json!({ "destinationTable": table("logs", "many"), "writeDisposition": "WRITE_TRUNCATE" });
    let done = warehouse.job(&query_job(text, into));
    assert_eq!(error_reason(&done), "none", "{done}");
    assert_eq!(done["statistics"]["query"]["statementType"], "SELECT");
    assert_eq!(done["statistics"]["query"]["referencedTables"], json!([table("logs", "plays")]));

    let copy = json!({ "configuration": { "copy": {
        "sourceTables": [table("logs", "many"), table("logs", "many")],
        "destinationTable": table("logs", "both"),
    }}});
    assert_eq!(error_reason(&warehouse.job(&copy)), "none");
    assert_eq!(
        query_rows(&warehouse, "SELECT * FROM logs.both"),
        json!([["Podverse", "10"], ["Podverse", "10"]])
    );

    for (source, uri, file) in [
        (table("logs", "both"), "gs://out/both-*.json", "both-000000000000.json"),
        (table("site", "items"), "gs://out/items.json", "items.json"),
    ] {
        let extract = json!({ "configuration": { "extract": {
            "sourceTable": source, "destinationUris": [uri], "destinationFormat": "NEWLINE_DELIMITED_JSON",
        }}});
        let done = warehouse.job(&extract);
        assert_eq!(error_reason(&done), "none", "{done}");
        assert_eq!(done["statistics"]["extract"]["destinationUriFileCounts"], json!(["1"]));
        let file = warehouse.served.site.path(".feedwright/warehouse/exports/out").join(file);
        assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 2);
    }
}

#[test]
fn a_job_id_from_the_client_can_be_used_once() {
    let warehouse = warehouse();
    let job = with_job_id("mine", query_job("SELECT 1", json!({})));
    let started = warehouse.post("/jobs", &job).ok();
    assert_eq!(started["id"], "show:local.mine");
    assert!(["PENDING", "RUNNING"].contains(&state(&started)));
    assert_eq!(fault(&warehouse.post("/jobs", &job), 409).0, "duplicate");
    warehouse.ended("mine");
    assert_eq!(fault(&warehouse.post("/jobs", &job), 409).0, "duplicate");
    for id in ["a b", "../up", "a/b", "é", &"x".repeat(1025)] {
        let job = with_job_id(id, query_job("SELECT 1", json!({})));
        assert_eq!(fault(&warehouse.post("/jobs", &job), 400).0, "invalid", "{id}");
    }
    // Many at once: one has it.
    let job = with_job_id("raced", query_job("SELECT 2", json!({})));
    let (ok, refused): (Vec<u16>, Vec<u16>) = std::thread::scope(|scope| {
        let calls: Vec<_> =
            (0..8).map(|_| scope.spawn(|| warehouse.post("/jobs", &job).status)).collect();
        calls.into_iter().map(|call| call.join().unwrap()).partition(|status| *status == 200)
    });
    assert_eq!((ok.len(), refused), (1, vec![409; 7]));
}

#[test]
fn a_job_has_exactly_one_kind() {
    let warehouse = warehouse();
    let both = json!({ "query": { "query": "SELECT 1" }, "copy": {} });
    for configuration in [json!({}), json!(null), json!("query"), both, json!({ "sing": {} })] {
        let reply = warehouse.post("/jobs", &json!({ "configuration": configuration }));
        assert_eq!(fault(&reply, 400).0, "invalid", "{configuration}");
    }
    let labels =
        json!({ "configuration": { "labels": { "Big": "x" }, "query": { "query": "SELECT 1" } } });
    assert!(fault(&warehouse.post("/jobs", &labels), 400).1.contains("\"Big\""));
}

#[test]
fn a_cancelled_job_leaves_its_table_unchanged() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let first = json!({ "destinationTable": table("logs", "t") });
    warehouse.job(&query_job("SELECT 1 AS n", first));
    let into =
        json!({ "destinationTable": table("logs", "t"), "writeDisposition": "WRITE_TRUNCATE" });
    let started = warehouse.post("/jobs", &with_job_id("long", query_job(ENDLESS, into))).ok();
    assert_ne!(state(&started), "DONE");
    let cancelled = warehouse.post("/jobs/long/cancel", &Value::Null).ok();
    assert_eq!(cancelled["job"]["jobReference"]["jobId"], "long");
    let done = warehouse.ended("long");
    assert_eq!(error_reason(&done), "stopped", "{done}");
    assert_eq!(query_rows(&warehouse, "SELECT n FROM logs.t"), json!([["1"]]));
    // One that has ended stays as it is.
    warehouse.post("/jobs/long/cancel", &Value::Null).ok();
    assert_eq!(warehouse.ended("long")["status"], done["status"]);
    assert_eq!(fault(&warehouse.post("/jobs/none/cancel", &Value::Null), 404).0, "notFound");
}

#[test]
fn pending_jobs_can_be_cancelled_and_survive_restarts() {
    let warehouse = warehouse();
    let most = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    for at in 0..most {
        warehouse
            .post("/jobs", &with_job_id(&format!("long{at}"), query_job(ENDLESS, json!({}))))
            .ok();
    }
    warehouse.post("/jobs", &with_job_id("unwanted", query_job("SELECT 1", json!({})))).ok();
    warehouse.post("/jobs", &with_job_id("waits", query_job("SELECT 7 AS n", json!({})))).ok();
    warehouse.post("/jobs/unwanted/cancel", &Value::Null).ok();
    assert_eq!(error_reason(&warehouse.ended("unwanted")), "stopped");
    assert_eq!(state(&warehouse.get("/jobs/waits").ok()), "PENDING");

    let warehouse = warehouse.restarted();
    let waited = warehouse.ended("waits");
    assert_eq!(error_reason(&waited), "none", "{waited}");
    let answer = warehouse.get("/queries/waits").ok();
    assert_eq!(answer["rows"], json!([{ "f": [{ "v": "7" }] }]));
    for at in 0..most {
        let ended = warehouse.ended(&format!("long{at}"));
        assert_eq!(error_reason(&ended), "stopped", "{ended}");
        let message = ended["status"]["errorResult"]["message"].as_str().unwrap();
        assert!(message.contains("server"), "{message}");
    }
}

#[test]
fn results_survive_a_restart() {
    let warehouse = warehouse();
    warehouse
        .post(
            "/jobs",
            &with_job_id(
                "kept",
                query_job("SELECT title FROM site.items ORDER BY title", json!({})),
            ),
        )
        .ok();
    let before = {
        warehouse.ended("kept");
        warehouse.get("/queries/kept").ok()
    };
    assert_eq!(before["totalRows"], "2");
    let warehouse = warehouse.restarted();
    let after = warehouse.get("/queries/kept").ok();
    assert_eq!(before["rows"], after["rows"]);
}

#[test]
fn site_tables_cannot_be_written() {
    let warehouse = warehouse();
    let into = |dataset: &str| json!({ "destinationTable": table(dataset, "items") });
    for job in [
        query_job("SELECT 1 AS n", into("site")),
        query_job("SELECT 1 AS n", into("_00000000000000000000000000000000")),
        query_job("DELETE FROM site.items WHERE TRUE", json!({})),
        query_job("DROP TABLE site.items", json!({})),
        query_job("CREATE TABLE site.mine (n INT64)", json!({})),
        query_job("DROP SCHEMA site CASCADE", json!({})),
        json!({ "configuration": { "copy": {
            "sourceTable": table("site", "items"), "destinationTable": table("site", "mine"),
        }}}),
        json!({ "configuration": { "load": {
            "sourceUris": ["gs://in/a.csv"], "destinationTable": table("site", "requests"), "autodetect": true,
        }}}),
    ] {
        let reply = warehouse.post("/jobs", &job);
        let failed = match reply.status {
            200 => {
                let id = reply.json()["jobReference"]["jobId"].as_str().unwrap().to_owned();
                warehouse.ended(&id)["status"]["errorResult"].is_object()
            }
            status => (400..500).contains(&status),
        };
        assert!(failed, "{job}");
    }
    assert_eq!(query_rows(&warehouse, "SELECT COUNT(*) FROM site.items"), json!([["2"]]));
}

#[test]
fn a_job_writes_only_data_its_key_permits() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let reader = warehouse.key(&[
        Scope::WAREHOUSE_READ_ONLY,
        Scope::STORAGE_READ_ONLY,
        Scope::WAREHOUSE_JOBS_CREATE,
    ]);
    let start = |job: &Value| warehouse.call_as(&reader, "POST", "/jobs", job);
    start(&with_job_id("read", query_job("SELECT 1", json!({})))).ok();
    assert_eq!(error_reason(&warehouse.ended("read")), "none");
    for job in [
        query_job("SELECT 1 AS n", json!({ "destinationTable": table("logs", "t") })),
        query_job("CREATE TABLE logs.t AS SELECT 1 AS n", json!({})),
        query_job("CREATE SCHEMA mine", json!({})),
        json!({ "configuration": { "extract": {
            "sourceTable": table("site", "items"), "destinationUris": ["gs://out/a.csv"],
        }}}),
    ] {
        assert_eq!(fault(&start(&job), 403).0, "accessDenied", "{job}");
    }
}

#[test]
fn a_wrongly_typed_reference_is_refused() {
    let warehouse = warehouse();
    for (reference, place) in [
        (json!(5), "jobReference"),
        (json!({ "jobId": 5 }), "jobReference.jobId"),
        (json!({ "projectId": ["show"] }), "jobReference.projectId"),
        (json!({ "location": {} }), "jobReference.location"),
    ] {
        let mut job = query_job("SELECT 1", json!({}));
        job["jobReference"] = reference;
        let reply = warehouse.post("/jobs", &job);
        assert_eq!(reply.status, 400, "{job}: {}", reply.text());
        assert!(reply.text().contains(place), "{job}: {}", reply.text());
    }
    let body = json!({ "query": "SELECT 1", "useLegacySql": false, "labels": 5 });
    assert_eq!(warehouse.post("/queries", &body).status, 400);
    let body = json!({ "query": "SELECT 1", "useLegacySql": false, "location": 5 });
    assert_eq!(warehouse.post("/queries", &body).status, 400);
}

#[test]
fn a_member_that_is_not_an_object_is_refused() {
    let warehouse = warehouse();
    warehouse.dataset("ds");
    let dataset = json!({ "datasetReference": { "datasetId": "other" }, "labels": {} });
    let table =
        json!({ "tableReference": { "tableId": "t" }, "schema": {}, "view": {}, "labels": {} });
    let query = json!({ "query": "SELECT 1", "useLegacySql": false, "formatOptions": {}, "defaultDataset": {}, "labels": {} });
    let job = json!({ "jobReference": {}, "configuration": {} });
    for (path, body) in [
        ("/datasets", dataset),
        ("/datasets/ds/tables", table),
        ("/queries", query),
        ("/jobs", job),
    ] {
        let members = body.as_object().unwrap();
        for name in members.keys().filter(|name| members[*name].is_object()) {
            for wrong in [json!("text"), json!(5), json!([]), json!(true)] {
                let mut body = body.clone();
                body[name] = wrong;
                let reply = warehouse.post(path, &body);
                assert_eq!(reply.status, 400, "{path} {body}: {}", reply.text());
                assert!(reply.text().contains(name), "{body}: {}", reply.text());
            }
        }
    }
}

#[test]
fn non_finite_floats_are_returned_as_strings() {
    let warehouse = warehouse();
    let text = "SELECT CAST('nan' AS FLOAT64), CAST('-inf' AS FLOAT64), CAST('+Infinity' AS FLOAT64), TO_JSON_STRING([CAST('NaN' AS FLOAT64)])";
    assert_eq!(
        query_rows(&warehouse, text),
        json!([["NaN", "-Infinity", "Infinity", "[\"NaN\"]"]])
    );
    let kept = query_job(
        "SELECT x FROM UNNEST([CAST('nan' AS FLOAT64), 1.5, CAST('inf' AS FLOAT64)]) AS x",
        json!({ "destinationTable": table("ds", "floats") }),
    );
    warehouse.dataset("ds");
    let done = warehouse.job(&kept);
    assert_eq!(error_reason(&done), "none", "{done}");
    let text = "SELECT x, x > 1 FROM ds.floats ORDER BY x";
    let expected = json!([["NaN", "false"], ["1.5", "true"], ["Infinity", "true"]]);
    assert_eq!(query_rows(&warehouse, text), expected);
    let text = "SELECT [STRUCT('x' AS a), STRUCT(NULL)]";
    assert_eq!(
        query_rows(&warehouse, text),
        json!([[[{ "v": { "f": [{ "v": "x" }] } }, { "v": { "f": [{ "v": null }] } }]]])
    );
}
