//! What a server that was killed left: jobs are told as they went, those of another server are left alone.

use std::fs::File;

use serde_json::{Value, json};

use crate::warehouse::served::{Warehouse, fault, warehouse};

/// Starts a query with an id of its own, and waits until it has ended.
fn run_query(warehouse: &Warehouse, id: &str, text: &str) -> Value {
    warehouse.job(&json!({
        "jobReference": { "jobId": id },
        "configuration": { "query": { "query": text, "useLegacySql": false } },
    }))
}

/// Leaves a job as a server does that is killed while it runs it.
fn abandon_job(warehouse: &Warehouse, id: &str) {
    let state = warehouse.served.site.path(".feedwright/state.sqlite");
    let sql = "UPDATE jobs SET state = 'RUNNING', outcome = NULL, ended = NULL WHERE id = ?1";
    let changed = rusqlite::Connection::open(state).unwrap().execute(sql, [id]);
    assert_eq!(changed.unwrap(), 1);
}

fn read_numbers(warehouse: &Warehouse) -> String {
    let text = "SELECT COUNT(*) FROM logs.numbers";
    let body = json!({ "query": text, "useLegacySql": false });
    let answer = warehouse.post("/queries", &body).ok();
    answer["rows"][0]["f"][0]["v"].as_str().unwrap().to_owned()
}

const INSERT: &str = "INSERT INTO logs.numbers (n) VALUES (1), (2)";

fn warehouse_with_numbers() -> Warehouse {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    run_query(&warehouse, "make", "CREATE TABLE logs.numbers (n INT64)");
    warehouse
}

#[test]
fn interrupted_jobs_are_reported_as_done_or_failed() {
    let warehouse = warehouse_with_numbers();
    run_query(&warehouse, "done", INSERT);
    run_query(&warehouse, "undone", "SELECT ERROR('no')");
    abandon_job(&warehouse, "done");
    abandon_job(&warehouse, "undone");
    let warehouse = warehouse.restarted();
    let done = warehouse.ended("done");
    assert!(done["status"]["errorResult"].is_null(), "{done}");
    assert_eq!(done["statistics"]["query"]["numDmlAffectedRows"], "2");
    let undone = warehouse.ended("undone");
    assert_eq!(undone["status"]["errorResult"]["reason"], "stopped");
    assert_eq!(read_numbers(&warehouse), "2");
}

#[test]
fn a_reused_job_id_does_not_inherit_old_results() {
    let warehouse = warehouse_with_numbers();
    run_query(&warehouse, "nightly", INSERT);
    let forgotten = warehouse.call("DELETE", "/jobs/nightly/delete", &Value::Null);
    assert_eq!(forgotten.status, 204);
    run_query(&warehouse, "nightly", "INSERT INTO logs.numbers (n) SELECT DIV(1, 0)");
    abandon_job(&warehouse, "nightly");
    let warehouse = warehouse.restarted();
    let job = warehouse.ended("nightly");
    assert_eq!(job["status"]["errorResult"]["reason"], "stopped", "{job}");
    assert_eq!(read_numbers(&warehouse), "2");
}

#[test]
fn jobs_of_another_running_server_are_not_recovered() {
    let warehouse = warehouse_with_numbers();
    run_query(&warehouse, "long", INSERT);
    abandon_job(&warehouse, "long");
    let lock = warehouse.served.site.path(".feedwright/warehouse/jobs.lock");
    let other = File::open(lock).unwrap();
    other.lock_shared().unwrap();
    let warehouse = warehouse.restarted();
    run_query(&warehouse, "own", INSERT);
    let job = warehouse.get("/jobs/long").ok();
    assert_eq!(job["status"]["state"], "RUNNING");
    drop(other);
    let warehouse = warehouse.restarted();
    assert!(warehouse.ended("long")["status"]["errorResult"].is_null());
    assert_eq!(read_numbers(&warehouse), "4");
}

#[test]
fn a_damaged_dataset_does_not_affect_others() {
    let warehouse = warehouse_with_numbers();
    warehouse.dataset("broken");
    run_query(&warehouse, "done", INSERT);
    abandon_job(&warehouse, "done");
    let file = warehouse.served.site.path(".feedwright/warehouse/broken.sqlite");
    std::fs::write(file, "no database").unwrap();
    let warehouse = warehouse.restarted();
    assert!(warehouse.ended("done")["status"]["errorResult"].is_null());
    let list = warehouse.get("/datasets").ok();
    let ids: Vec<&Value> = list["datasets"].as_array().unwrap().iter().collect();
    let ids: Vec<&Value> = ids.iter().map(|one| &one["datasetReference"]["datasetId"]).collect();
    assert_eq!(ids, ["broken", "logs", "site"]);
    let (reason, _) = fault(&warehouse.get("/datasets/broken/tables"), 500);
    assert_eq!(reason, "internalError");
    assert_eq!(read_numbers(&warehouse), "2");
    let path = "/datasets/broken?deleteContents=true";
    let removed = warehouse.call("DELETE", path, &Value::Null);
    assert_eq!(removed.status, 204);
    assert_eq!(warehouse.get("/datasets/broken").status, 404);
}
