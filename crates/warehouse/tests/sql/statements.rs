//! Tests of statements that change rows, tables or datasets.

use serde_json::json;
use warehouse::Type;
use warehouse::sql::{Existing, Plan, Statement};

use super::fixture::{SqlFixture, table_name};

#[test]
fn rows_are_inserted_updated_and_deleted() {
    let fixture = SqlFixture::new();
    assert_eq!(
        fixture.change("INSERT INTO plays (app, item) VALUES ('New', 4), (DEFAULT, 1 + 4)"),
        2
    );
    assert_eq!(fixture.change("INSERT plays SELECT id, title, NULL FROM items WHERE id = 1"), 1);
    assert_eq!(
        json!(fixture.rows("SELECT * FROM plays WHERE count IS NULL ORDER BY item").1),
        json!([[1, "One", null], [4, "New", null], [5, null, null]])
    );
    assert_eq!(fixture.change("UPDATE d.plays p SET count = p.item * 2, app = 'x' WHERE p.count IS NULL AND p.item IN (SELECT id FROM items)"), 1);
    assert_eq!(json!(fixture.rows("SELECT count FROM plays WHERE app = 'x'").1), json!([[2]]));
    assert_eq!(fixture.change("DELETE plays WHERE item > 3"), 3);
    assert_eq!(fixture.change("DELETE FROM plays WHERE true"), 4);
    assert_eq!(fixture.change("INSERT INTO items (id, day, length) WITH x AS (SELECT 8 AS a) SELECT a, '2026-05-05', 1 FROM x"), 1);
    assert_eq!(
        json!(fixture.rows("SELECT day, length, tags FROM items WHERE id = 8").1),
        json!([["2026-05-05", 1.0, "[]"]])
    );
    assert_eq!(fixture.change("TRUNCATE TABLE items"), 4);
}

fn statement(text: &str) -> Statement {
    let Plan { statement, .. } =
        SqlFixture::new().bind(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    statement
}

#[test]
fn create_table_statements_are_bound() {
    let text = "CREATE OR REPLACE TABLE d.t (a INT64 NOT NULL OPTIONS(description='first'), b ARRAY<STRUCT<x STRING, y FLOAT64>>)";
    let Statement::CreateTable { table, existing, fields, query: None } = statement(text) else {
        panic!("no table is made");
    };
    assert_eq!((table, existing), (table_name("d.t"), Existing::Replace));
    assert!(fields[0].is_required);
    assert_eq!(fields[0].description.as_deref(), Some("first"));
    assert_eq!(fields[1].of.to_string(), "ARRAY<STRUCT<x STRING, y FLOAT64>>");

    let text =
        "CREATE TABLE IF NOT EXISTS t AS SELECT app, SUM(count) AS n FROM plays GROUP BY app";
    let Statement::CreateTable { existing: Existing::Keep, fields, query: Some(query), .. } =
        statement(text)
    else {
        panic!("no table is made of a query");
    };
    assert_eq!(fields, query.columns);
    assert_eq!(fields[1].of, Type::Integer);
}

#[test]
fn views_keep_their_query_text() {
    let text = "CREATE VIEW d.v AS\n  SELECT id AS `as`, 'é' AS x FROM items -- all\n ;";
    let Statement::CreateView { view, existing: Existing::Fail, fields, query } = statement(text)
    else {
        panic!("no view is made");
    };
    assert_eq!(view, table_name("d.v"));
    assert_eq!(query, "SELECT id AS `as`, 'é' AS x FROM items");
    assert_eq!(fields.len(), 2);
    let mut fixture = SqlFixture::new();
    fixture.view("d.v", &query);
    assert_eq!(json!(fixture.rows("SELECT `as` FROM v WHERE `as` = 1").1), json!([[1]]));
}

#[test]
fn drop_statements_are_bound() {
    assert!(matches!(
        statement("DROP TABLE IF EXISTS d.t"),
        Statement::Drop { if_exists: true, is_view: false, .. }
    ));
    assert!(matches!(
        statement("DROP VIEW `site-1.d.v`"),
        Statement::Drop { if_exists: false, is_view: true, .. }
    ));
    assert!(matches!(
        statement("DROP SCHEMA d CASCADE"),
        Statement::DropSchema { cascade: true, .. }
    ));
    assert!(matches!(
        statement("CREATE SCHEMA IF NOT EXISTS d"),
        Statement::CreateSchema { if_not_exists: true, .. }
    ));
}
