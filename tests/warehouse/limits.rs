//! Statements that want more memory or time than there is: they are answered, and the server lives on.

use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::served::Reply;
use crate::warehouse::served::{Warehouse, fault, warehouse};

fn query(warehouse: &Warehouse, text: &str) -> Reply {
    let body = json!({ "query": text, "useLegacySql": false, "timeoutMs": 100_000 });
    warehouse.post("/queries", &body)
}

/// Most bytes that SQLite may hold in this process, as it says.
fn sqlite_heap_limit() -> i64 {
    let connection = Connection::open_in_memory().unwrap();
    connection.query_row("PRAGMA hard_heap_limit", [], |row| row.get(0)).unwrap()
}

#[test]
fn the_total_size_of_values_is_limited() {
    let warehouse = warehouse();
    query(&warehouse, "SELECT 1").ok();
    assert_eq!(sqlite_heap_limit(), 2 * 1024 * 1024 * 1024);
    // It can be lowered, never raised: a test needs not fill as much.
    let lowered: i64 = Connection::open_in_memory()
        .unwrap()
        .query_row("PRAGMA hard_heap_limit = 400000000", [], |row| row.get(0))
        .unwrap();
    assert_eq!(lowered, 400_000_000);
    let long = "(SELECT STRING_AGG(REPEAT('x', 10000000)) FROM UNNEST([1, 2, 3, 4, 5]) AS n)";
    let columns: Vec<String> = (0..12).map(|at| format!("{long} AS c{at}")).collect();
    let answer = query(&warehouse, &format!("SELECT {}", columns.join(", ")));
    let (reason, message) = fault(&answer, 400);
    assert_eq!(reason, "resourcesExceeded", "{message}");
    assert!(message.contains("memory limit"), "{message}");
    assert_eq!(query(&warehouse, "SELECT 1").ok()["totalRows"], "1");
}

#[test]
fn a_job_with_costly_functions_can_be_cancelled() {
    let warehouse = warehouse();
    let text = "SELECT COUNT(REVERSE(REPEAT('x', 1000000 + n))) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS n";
    let begin = Instant::now();
    let job = warehouse.job(&json!({ "configuration": {
        "jobTimeoutMs": "200",
        "query": { "query": text, "useLegacySql": false },
    } }));
    assert_eq!(job["status"]["errorResult"]["reason"], "timeout");
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn a_result_page_is_limited_by_its_size() {
    let warehouse = warehouse();
    let columns: Vec<String> = (0..100).map(|at| format!("n AS c{at}")).collect();
    let text = format!("SELECT {} FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS n", columns.join(", "));
    let first = query(&warehouse, &text).ok();
    let id = first["jobReference"]["jobId"].as_str().unwrap().to_owned();
    let count = |page: &Value| page["rows"].as_array().unwrap().len();
    let token = first["pageToken"].as_str().unwrap();
    let second = warehouse.get(&format!("/queries/{id}?pageToken={token}")).ok();
    assert!(count(&first) < 3000, "{}", count(&first));
    assert_eq!(count(&first) + count(&second), 5000);
    assert!(second.get("pageToken").is_none());
}

#[test]
fn a_row_with_too_many_values_is_refused() {
    let warehouse = warehouse();
    let half = "GENERATE_ARRAY(1, 150000)";
    let answer = query(&warehouse, &format!("SELECT ARRAY_CONCAT({half}, {half})"));
    let (reason, message) = fault(&answer, 400);
    assert_eq!(reason, "resourcesExceeded");
    assert!(message.contains("export"), "{message}");
    let commas = "SELECT [REPEAT('a,\"', 400000)]";
    assert_eq!(query(&warehouse, commas).ok()["totalRows"], "1");
}
