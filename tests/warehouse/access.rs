//! What keys may do with the warehouse.

use feedwright::state::{Scope, Window};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::served::Reply;
use crate::support::wait;
use crate::warehouse::served::{PROJECT, Warehouse, fault, warehouse};

const CREATE: Scope = Scope::WAREHOUSE_JOBS_CREATE;

fn is_allowed(reply: &Reply) -> bool {
    let is_denied = reply.status == 403;
    if is_denied {
        assert_eq!(fault(reply, 403).0, "accessDenied");
    }
    !is_denied
}

#[test]
fn an_invalid_key_or_one_without_scope_is_refused() {
    let warehouse = warehouse();
    let content = warehouse.key(&[Scope::CONTENT_READ, Scope::CONTENT_WRITE, Scope::CALENDAR]);
    let soon = Window {
        not_before: Some(Timestamp::now() + SignedDuration::from_hours(1)),
        expires: None,
    };
    let early = warehouse.served.key(&[Scope::WAREHOUSE], soon);
    for (method, path) in [
        ("GET", "/warehouse/v2/projects"),
        ("GET", "/bigquery/v2/projects/show/datasets"),
        ("POST", "/warehouse/v2/projects/show/jobs"),
        ("POST", "/upload/warehouse/v2/projects/show/jobs?uploadType=multipart"),
        ("POST", "/upload/bigquery/v2/projects/show/jobs?uploadType=resumable"),
        ("PUT", "/resumable/upload/bigquery/v2/projects/show/jobs?upload_id=0"),
    ] {
        let bare = warehouse.served.send(method, path, &[], b"{}");
        assert_eq!(fault(&bare, 401).0, "required");
        let challenge = Some("Bearer realm=\"feedwright\"");
        assert_eq!(bare.header("www-authenticate"), challenge);
        for key in ["wrong", &early] {
            let reply = warehouse.send_as(key, method, path, &[], b"{}");
            assert_eq!(fault(&reply, 401).0, "authError");
        }
        let reply = warehouse.send_as(&content, method, path, &[], b"{}");
        assert_eq!(fault(&reply, 403).0, "accessDenied");
    }
}

#[test]
fn datasets_and_tables_need_their_scopes() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    for (scopes, reads, writes) in [
        (&[Scope::WAREHOUSE][..], true, true),
        (&[Scope::CLOUD_PLATFORM], true, true),
        (&[Scope::WAREHOUSE_READ_ONLY], true, false),
        (&[Scope::WAREHOUSE_READ_ONLY, CREATE, Scope::STORAGE_FULL_CONTROL], true, false),
        (&[CREATE], false, false),
        (&[Scope::STORAGE_FULL_CONTROL, Scope::STORAGE_READ_WRITE], false, false),
    ] {
        let key = warehouse.key(scopes);
        let call = |method: &str, path: &str, body: Value| {
            is_allowed(&warehouse.call_as(&key, method, path, &body))
        };
        for path in [
            "/datasets", "/datasets/logs", "/datasets/site/tables",
            "/datasets/site/tables/items/data",
        ] {
            assert_eq!(call("GET", path, Value::Null), reads, "{scopes:?} {path}");
        }
        let dataset = json!({ "datasetReference": { "datasetId": "new" } });
        let table = json!({ "tableReference": { "tableId": "t" } });
        for (method, path, body) in [
            ("POST", "/datasets", dataset),
            ("PATCH", "/datasets/new", json!({})),
            ("POST", "/datasets/new/tables", table),
            ("PATCH", "/datasets/new/tables/t", json!({})),
            ("PUT", "/datasets/new/tables/t", json!({})),
            ("DELETE", "/datasets/new/tables/t", Value::Null),
            ("DELETE", "/datasets/new", Value::Null),
        ] {
            assert_eq!(call(method, path, body), writes, "{scopes:?} {method} {path}");
        }
    }
}

/// Whether a key may start a job with this configuration: what else is wrong with it is no matter.
fn may_start_job(warehouse: &Warehouse, scopes: &[Scope], configuration: &Value) -> bool {
    let key = warehouse.key(scopes);
    let job = json!({ "configuration": configuration });
    is_allowed(&warehouse.call_as(&key, "POST", "/jobs", &job))
}

#[test]
fn starting_a_job_needs_scope_and_permission() {
    let warehouse = warehouse();
    let query = json!({ "dryRun": true, "query": { "query": "SELECT 1", "useLegacySql": false } });
    let read = Scope::WAREHOUSE_READ_ONLY;
    for (scopes, starts) in [
        (&[Scope::WAREHOUSE][..], true),
        (&[Scope::CLOUD_PLATFORM], true),
        (&[Scope::WAREHOUSE, CREATE], true),
        (&[read], false),
        (&[CREATE], false),
        (&[read, CREATE], false),
        (&[Scope::STORAGE_READ_ONLY, read], false),
        (&[Scope::STORAGE_FULL_CONTROL, read], false),
        (&[Scope::STORAGE_READ_ONLY, CREATE, read], true),
        (&[Scope::STORAGE_READ_WRITE, CREATE, read], true),
        (&[Scope::STORAGE_FULL_CONTROL, CREATE, read], true),
        (&[Scope::STORAGE_READ_ONLY, CREATE], true),
        (&[Scope::STORAGE_READ_WRITE, CREATE], true),
        (&[Scope::STORAGE_FULL_CONTROL, CREATE], true),
        (&[Scope::STORAGE_READ_ONLY], false),
        (&[Scope::STORAGE_FULL_CONTROL], false),
    ] {
        assert_eq!(may_start_job(&warehouse, scopes, &query), starts, "{scopes:?}");
    }
}

#[test]
fn a_job_is_visible_to_its_owner_and_administrators() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    warehouse.table("logs", "plays", &[], &[]);
    let starter = warehouse.key(&[Scope::STORAGE_READ_WRITE, CREATE, Scope::WAREHOUSE_READ_ONLY]);
    let alone = warehouse.key(&[CREATE]);
    let reader = warehouse.key(&[Scope::WAREHOUSE_READ_ONLY]);
    let writer = warehouse.key(&[Scope::WAREHOUSE]);
    let job = json!({
        "jobReference": { "jobId": "mine" },
        "configuration": { "extract": {
            "sourceTable": { "projectId": "show", "datasetId": "logs", "tableId": "plays" },
            "destinationUris": ["gs://files/plays.csv"],
        } },
    });
    warehouse.call_as(&starter, "POST", "/jobs", &job).ok();
    let see = |key: &str| is_allowed(&warehouse.call_as(key, "GET", "/jobs/mine", &Value::Null));
    let cancel =
        |key: &str| is_allowed(&warehouse.call_as(key, "POST", "/jobs/mine/cancel", &Value::Null));
    assert_eq!([see(&starter), see(&alone), see(&reader), see(&writer)], [true, false, true, true]);
    assert_eq!(
        [cancel(&starter), cancel(&alone), cancel(&reader), cancel(&writer)],
        [true, false, false, true]
    );
    let list = |key: &str, query: &str| {
        warehouse.call_as(key, "GET", &format!("/jobs{query}"), &Value::Null)
    };
    let count = |reply: Reply| reply.ok()["jobs"].as_array().unwrap().len();
    assert_eq!(count(list(&starter, "")), 1);
    assert_eq!(count(list(&reader, "")), 0);
    assert_eq!(count(list(&reader, "?allUsers=true")), 1);
    assert!(!is_allowed(&list(&alone, "?allUsers=true")));
}

#[test]
fn a_read_only_key_runs_only_read_queries() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    warehouse.table("logs", "plays", &[], &[]);
    let key = warehouse.key(&[Scope::WAREHOUSE_READ_ONLY]);
    let query = |text: &str| {
        let body = json!({ "query": text, "useLegacySql": false });
        warehouse.call_as(&key, "POST", "/queries", &body)
    };
    assert_eq!(query("SELECT count(*) FROM site.items").ok()["rows"][0]["f"][0]["v"], "2");
    for text in [
        "CREATE TABLE logs.new (a INT64)", "CREATE SCHEMA more", "DROP TABLE logs.plays",
        "DELETE FROM logs.plays WHERE true", "CREATE VIEW logs.v AS SELECT 1 AS a",
    ] {
        assert!(!is_allowed(&query(text)), "{text}");
    }
    let into = json!({
        "query": "SELECT 1 AS a",
        "useLegacySql": false,
        "destinationTable": { "projectId": "show", "datasetId": "logs", "tableId": "new" },
    });
    assert!(!is_allowed(&warehouse.call_as(&key, "POST", "/queries", &into)));
    assert_eq!(warehouse.get("/datasets/logs/tables").ok()["totalItems"], 1);
}

#[test]
fn a_page_of_another_site_cannot_call() {
    let warehouse = warehouse();
    let headers = [("origin", "https://evil.example")];
    let path = format!("{PROJECT}/datasets");
    let reply = warehouse.send_as(crate::support::served::KEY, "GET", &path, &headers, b"");
    assert_eq!(fault(&reply, 403).0, "forbidden");
}

/// A job of each kind, by what it does to tables and files.
#[test]
fn storage_scopes_allow_jobs_on_permitted_data() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    warehouse.table("logs", "plays", &[], &[]);
    let table = |name: &str| json!({ "projectId": "show", "datasetId": "logs", "tableId": name });
    let query = |text: &str| json!({ "query": { "query": text, "useLegacySql": false } });
    let fields = json!([{ "name": "a", "type": "INT64" }]);
    // What it is, whether it changes tables, and whether it writes files.
    let jobs = [
        (query("SELECT 1 AS a"), false, false),
        (query("SELECT count(*) AS n FROM logs.plays"), false, false),
        (query("CREATE TABLE logs.more (a INT64)"), true, false),
        (
            json!({ "query": { "query": "SELECT 1 AS a", "useLegacySql": false, "destinationTable": table("kept") } }),
            true,
            false,
        ),
        (
            json!({ "copy": { "sourceTable": table("plays"), "destinationTable": table("copied"), "writeDisposition": "WRITE_TRUNCATE" } }),
            true,
            false,
        ),
        (
            json!({ "extract": { "sourceTable": table("plays"), "destinationUris": ["gs://files/plays.csv"] } }),
            false,
            true,
        ),
        (
            json!({ "load": { "sourceUris": ["gs://files/plays.csv"], "destinationTable": table("loaded"), "schema": { "fields": fields } } }),
            true,
            false,
        ),
    ];
    for (scope, writes) in [
        (Scope::STORAGE_READ_ONLY, false),
        (Scope::STORAGE_READ_WRITE, true),
        (Scope::STORAGE_FULL_CONTROL, true),
    ] {
        let key = warehouse.key(&[scope, CREATE]);
        for (configuration, changes_tables, writes_files) in &jobs {
            let job = json!({ "configuration": configuration });
            let reply = warehouse.call_as(&key, "POST", "/jobs", &job);
            let is_within = writes || !(*changes_tables || *writes_files);
            assert_eq!(
                is_allowed(&reply),
                is_within || *changes_tables && is_job_denied(&warehouse, &key, &reply),
                "{scope:?} {configuration}"
            );
        }
        // Beside its jobs the key sees and changes no table.
        for path in ["/datasets", "/datasets/logs/tables/plays/data"] {
            assert!(!is_allowed(&warehouse.call_as(&key, "GET", path, &Value::Null)), "{path}");
        }
        // What its own query found, it reads.
        let job = json!({ "configuration": query("SELECT 5 AS a") });
        let id =
            warehouse.call_as(&key, "POST", "/jobs", &job).ok()["jobReference"]["jobId"].clone();
        let results = format!("/queries/{}", id.as_str().unwrap());
        let rows = warehouse.call_as(&key, "GET", &results, &Value::Null).ok();
        assert_eq!(rows["rows"][0]["f"][0]["v"], "5");
    }
}

/// Whether a job that was started ended because it may not do what its statement says.
fn is_job_denied(warehouse: &Warehouse, key: &str, reply: &Reply) -> bool {
    let Some(id) = reply.json()["jobReference"]["jobId"].as_str().map(str::to_owned) else {
        return false;
    };
    wait::some(|| {
        let job = warehouse.call_as(key, "GET", &format!("/jobs/{id}"), &Value::Null).ok();
        let is_denied = job["status"]["errorResult"]["reason"] == "accessDenied";
        (job["status"]["state"] == "DONE").then_some(is_denied)
    })
}
