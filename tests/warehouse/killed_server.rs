//! A server that is killed while jobs run: what they wrote is there once or not at all, and they say which.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::program::{Program, agent, send};
use crate::support::small_site::site;
use crate::support::wait;

const PROJECT: &str = "/warehouse/v2/projects/show";
/// Rows of each load: enough to be killed within.
const ROWS: usize = 60_000;

fn post(program: &Program, path: &str, body: &Value) -> Option<(u16, Value)> {
    send(&agent(), "POST", &format!("{}{PROJECT}{path}", program.url), None, body)
}

fn get(program: &Program, path: &str) -> Value {
    let url = format!("{}{PROJECT}{path}", program.url);
    send(&agent(), "GET", &url, None, &json!({})).unwrap().1
}

fn load_job(id: &str) -> Value {
    json!({ "jobReference": { "jobId": id }, "configuration": { "load": {
        "sourceUris": ["gs://in/rows.csv"],
        "destinationTable": { "projectId": "show", "datasetId": "logs", "tableId": "rows" },
        "schema": { "fields": [{ "name": "n", "type": "INTEGER" }, { "name": "text", "type": "STRING" }] },
        "writeDisposition": "WRITE_APPEND",
    }}})
}

fn wait_for_job(program: &Program, id: &str) -> Value {
    wait::some(|| {
        let job = get(program, &format!("/jobs/{id}"));
        (job["status"]["state"] == "DONE").then_some(job)
    })
}

fn count_rows(program: &Program) -> usize {
    let body = json!({ "query": "SELECT COUNT(*), COUNT(DISTINCT n) FROM logs.rows", "useLegacySql": false, "timeoutMs": 60000 });
    let (status, answer) = post(program, "/queries", &body).unwrap();
    // A table that no load made is none.
    if status == 404 {
        return 0;
    }
    answer["rows"][0]["f"][0]["v"].as_str().unwrap().parse().unwrap()
}

fn prepare(root: &Path) {
    let folder = root.join(".feedwright/warehouse/exports/in");
    std::fs::create_dir_all(&folder).unwrap();
    let rows: String = (0..ROWS).map(|n| format!("{n},row number {n}\n")).collect();
    std::fs::write(folder.join("rows.csv"), rows).unwrap();
}

#[test]
fn each_successful_load_inserts_its_rows_once() {
    let site = site();
    let mut program = Program::start(site.root());
    let dataset = json!({ "datasetReference": { "datasetId": "logs" } });
    assert_eq!(post(&program, "/datasets", &dataset).unwrap().0, 200);
    prepare(site.root());
    let mut acknowledged = Vec::new();
    for round in 0..6_u64 {
        for part in 0..3 {
            let id = format!("load-{round}-{part}");
            if post(&program, "/jobs", &load_job(&id)).is_some_and(|(status, _)| status == 200) {
                acknowledged.push(id);
            }
        }
        // Some jobs of the round have ended, and the next is under way.
        for part in 0..round % 4 {
            wait_for_job(&program, &format!("load-{round}-{part}"));
        }
        program.kill();
        program = Program::start(site.root());
    }
    let jobs: Vec<Value> = acknowledged.iter().map(|id| wait_for_job(&program, id)).collect();
    let (failed, done): (Vec<&Value>, Vec<&Value>) =
        jobs.iter().partition(|job| job["status"]["errorResult"].is_object());
    assert_eq!(acknowledged.len(), 18);
    assert!(!done.is_empty(), "none was finished");
    for job in failed {
        assert_eq!(job["status"]["errorResult"]["reason"], "stopped", "{job}");
    }
    for job in &done {
        assert_eq!(job["statistics"]["load"]["outputRows"], ROWS.to_string(), "{job}");
    }
    assert_eq!(count_rows(&program), ROWS * done.len());
    program.kill();
}
