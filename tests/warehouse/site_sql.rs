//! The site's own tables, asked in SQL through the API.

use serde_json::{Value, json};

use crate::warehouse::served::{Warehouse, fault, warehouse};

/// The rows that a query gives, each as the texts of its cells.
fn query_rows(warehouse: &Warehouse, sql: &str) -> Vec<Vec<Value>> {
    let query = json!({ "query": sql, "useLegacySql": false, "timeoutMs": 60_000 });
    let reply = warehouse.post("/queries", &query).ok();
    assert_eq!(reply["jobComplete"], true, "{sql}: {reply}");
    let rows = reply["rows"].as_array().cloned().unwrap_or_default();
    let cells =
        |row: &Value| row["f"].as_array().unwrap().iter().map(|cell| cell["v"].clone()).collect();
    rows.iter().map(cells).collect()
}

/// What a query of one cell gives.
fn one(warehouse: &Warehouse, sql: &str) -> Value {
    let rows = query_rows(warehouse, sql);
    assert_eq!((rows.len(), rows[0].len()), (1, 1), "{sql}");
    rows[0][0].clone()
}

fn count(warehouse: &Warehouse, table: &str) -> usize {
    let count = one(warehouse, &format!("SELECT COUNT(*) FROM site.{table}"));
    count.as_str().unwrap().parse().unwrap()
}

#[test]
fn tables_have_the_same_entries_as_the_content_api() {
    let warehouse = warehouse();
    let served = &warehouse.served;
    served.post("/items/", &json!({ "title": "A draft", "status": "unpublished" })).ok();
    let listed = |path: &str| served.read(path).ok()["items"].as_array().unwrap().len();
    assert_eq!(count(&warehouse, "items"), listed("/feed/?limit=300"));
    assert_eq!(count(&warehouse, "items"), 3);
    assert_eq!(count(&warehouse, "pages"), listed("/pages/"));
    assert_eq!(count(&warehouse, "site_files"), listed("/site-files/"));
    let sql = "SELECT title FROM site.items WHERE status = 'unpublished' AND NOT is_public";
    assert_eq!(one(&warehouse, sql), "A draft");
}

#[test]
fn the_next_query_sees_a_save() {
    let warehouse = warehouse();
    let site = &warehouse.served.site;
    let title = "SELECT title FROM site.items WHERE id = 'one'";
    assert_eq!(one(&warehouse, title), "One");
    site.write("content/items/a.md", "+++\nid = \"one\"\ntitle = \"Another\"\n+++\nText\n");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while one(&warehouse, title) != "Another" {
        assert!(std::time::Instant::now() < deadline);
    }
}

#[test]
fn api_writes_are_in_the_journal_at_once() {
    let warehouse = warehouse();
    let served = &warehouse.served;
    let made = served.post("/items/", &json!({ "title": "Three" })).ok();
    let id = made["id"].as_str().unwrap();
    served.put(&format!("/items/{id}/"), &json!({ "title": "Four" })).ok();
    let sql = format!(
        "SELECT operation, key_name, path FROM site.journal WHERE subject = '{id}' ORDER BY number"
    );
    let path = json!("content/items/three.md");
    let key = json!("environment");
    assert_eq!(
        query_rows(&warehouse, &sql),
        [
            vec![json!("createItem"), key.clone(), path.clone()],
            vec![json!("updateItem"), key, path],
        ]
    );
    let sql = format!("SELECT title FROM site.items WHERE id = '{id}'");
    assert_eq!(one(&warehouse, &sql), "Four", "an item that was written is there too");
}

#[test]
fn every_site_table_is_readable_and_none_writable() {
    let warehouse = warehouse();
    let listed = warehouse.get("/datasets/site/tables?maxResults=100").ok();
    let tables = listed["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 10);
    for table in tables {
        let name = table["tableReference"]["tableId"].as_str().unwrap();
        query_rows(&warehouse, &format!("SELECT * FROM site.{name}"));
        for sql in [
            format!("DELETE FROM site.{name} WHERE TRUE"),
            format!("DROP TABLE site.{name}"),
            format!("CREATE TABLE site.{name} (a INT64)"),
        ] {
            let query = json!({ "query": sql, "useLegacySql": false });
            let reply = warehouse.post("/queries", &query);
            assert!(reply.status == 400 || reply.status == 403, "{sql}: {}", reply.text());
        }
    }
}

#[test]
fn a_copy_of_a_table_is_a_snapshot() {
    let warehouse = warehouse();
    warehouse.dataset("kept");
    let copy = |from: &[&str], to: &str| {
        let name = |table: &&str| json!({ "datasetId": "site", "tableId": table });
        let sources: Vec<Value> = from.iter().map(name).collect();
        warehouse.job(&json!({ "configuration": { "copy": {
            "sourceTables": sources,
            "destinationTable": { "datasetId": "kept", "tableId": to },
        } } }))
    };
    let done = copy(&["items", "items"], "items");
    assert_eq!(done["status"]["errorResult"], Value::Null, "{done}");
    assert_eq!(done["statistics"]["copy"]["copiedRows"], "4");
    let ids = "SELECT id FROM kept.items ORDER BY id";
    let expected = ["one", "one", "two", "two"].map(|id| vec![json!(id)]);
    assert_eq!(query_rows(&warehouse, ids), expected);
    let wrong = copy(&["nothing"], "nothing");
    assert_eq!(wrong["status"]["errorResult"]["reason"], "notFound");
    fault(&warehouse.get("/datasets/kept/tables/nothing"), 404);
    let files = std::fs::read_dir(warehouse.served.site.path(".feedwright/warehouse")).unwrap();
    let hidden = files.filter_map(Result::ok).filter(|file| {
        let name = file.file_name();
        name.to_string_lossy().starts_with('_')
    });
    assert_eq!(hidden.count(), 1, "of the query alone");
}

/// The statements that the documentation shows.
fn documented_statements() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("content/pages/warehouse.md")).unwrap();
    let blocks = page.split("```sql\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let statements = blocks.flat_map(|block| block.split_inclusive(';'));
    statements.map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

#[test]
fn documented_statements_run() {
    let warehouse = warehouse();
    let all = documented_statements();
    assert_eq!(all.len(), 2);
    for sql in all {
        query_rows(&warehouse, &sql);
    }
    let tags = "SELECT tag, COUNT(*) AS items FROM site.items, UNNEST(tags) AS tag GROUP BY tag";
    assert_eq!(query_rows(&warehouse, tags).len(), 0);
    let minutes = "SELECT title, attachment_duration_in_seconds / 60 AS minutes FROM site.items WHERE NOT has_transcript ORDER BY minutes DESC";
    assert_eq!(query_rows(&warehouse, minutes).len(), 2);
}
