//! Tests of copies: either all rows of the tables are copied, or none.

use std::cell::Cell;

use jiff::Timestamp;
use rusqlite::types::Value::Integer;
use warehouse::copy::{CopySummary, copy};
use warehouse::store::{Disposition, Facts, Kind, Table, Target};
use warehouse::{Control, Fault, Field, Reason, Stop, Type};

use crate::support::{Warehouse, fields, json_options, table, text, to, warehouse};

fn columns() -> Vec<Field> {
    vec![
        Field { is_required: true, ..Field::new("name", Type::String).described("whose") },
        Field::new("count", Type::Integer),
    ]
}

/// Creates a warehouse with the tables `logs.a`, `logs.b` and `other.c`, each with one row.
fn warehouse_with_three_tables() -> Warehouse {
    let warehouse = warehouse();
    for (at, name) in ["logs.a", "logs.b", "other.c"].into_iter().enumerate() {
        let mut options = json_options(&columns());
        options.target = to(name, Disposition::Empty);
        let row = format!("{{\"name\": \"{name}\", \"count\": {at}}}");
        warehouse.load_bytes(&options, row).unwrap();
    }
    warehouse
}

fn copied(warehouse: &Warehouse, sources: &[&str], target: &Target) -> Result<CopySummary, Fault> {
    let sources: Vec<_> = sources.iter().map(|name| table(name)).collect();
    copy(&warehouse.store, &sources, target, &Control::default(), |_, _| Ok(()))
}

#[test]
fn tables_are_copied_across_datasets_in_order() {
    let warehouse = warehouse_with_three_tables();
    let target = to("logs.all", Disposition::Empty);
    let done = copied(&warehouse, &["other.c", "logs.b", "logs.b", "logs.a"], &target).unwrap();
    assert_eq!(done.rows, 4);
    let rows = [
        [text("other.c"), Integer(2)],
        [text("logs.b"), Integer(1)],
        [text("logs.b"), Integer(1)],
        [text("logs.a"), Integer(0)],
    ];
    assert_eq!(warehouse.rows("logs.all"), rows);
    assert_eq!(warehouse.fields("logs.all"), columns());
    copied(&warehouse, &["logs.all"], &to("other.all", Disposition::Empty)).unwrap();
    assert_eq!(warehouse.rows("other.all"), rows);
}

#[test]
fn copies_respect_the_write_disposition() {
    let warehouse = warehouse_with_three_tables();
    let before = warehouse.dump("logs");
    let fault = copied(&warehouse, &["logs.a"], &to("logs.b", Disposition::Empty)).unwrap_err();
    assert_eq!(fault.reason, Reason::Duplicate);
    assert_eq!(warehouse.dump("logs"), before);
    copied(&warehouse, &["logs.a"], &to("logs.b", Disposition::Append)).unwrap();
    assert_eq!(warehouse.rows("logs.b").len(), 2);
    copied(&warehouse, &["logs.a"], &to("logs.b", Disposition::Truncate)).unwrap();
    assert_eq!(warehouse.rows("logs.b"), [[text("logs.a"), Integer(0)]]);
    let never = Target { create: false, ..to("logs.new", Disposition::Empty) };
    assert_eq!(copied(&warehouse, &["logs.a"], &never).unwrap_err().reason, Reason::NotFound);
    let soon = Target { expires: Some(Timestamp::now()), ..to("logs.new", Disposition::Empty) };
    copied(&warehouse, &["logs.a"], &soon).unwrap();
    assert!(warehouse.store.table(&table("logs.new")).unwrap().is_none());
}

#[test]
fn a_table_can_be_copied_into_itself() {
    let warehouse = warehouse_with_three_tables();
    for rows in [2, 4, 8] {
        copied(&warehouse, &["logs.a"], &to("logs.a", Disposition::Append)).unwrap();
        assert_eq!(warehouse.rows("logs.a").len(), rows);
    }
    copied(&warehouse, &["logs.a", "logs.a"], &to("logs.a", Disposition::Truncate)).unwrap();
    assert_eq!(warehouse.rows("logs.a").len(), 16);
}

#[test]
fn an_invalid_copy_is_rejected_and_changes_nothing() {
    let warehouse = warehouse_with_three_tables();
    let mut options = json_options(&fields(&[("name", Type::String), ("count", Type::Float)]));
    options.target = to("logs.floats", Disposition::Empty);
    warehouse.load_bytes(&options, "{\"name\": \"x\"}").unwrap();
    let view = Table {
        kind: Kind::View { query: "SELECT 1 AS n".into() },
        ..Table::new(table("logs.view"), fields(&[("n", Type::Integer)]), Timestamp::now())
    };
    warehouse.store.create_table(view).unwrap();
    let before = warehouse.dump_tables();
    let cases: [(&[&str], &str, Reason, &str); 7] = [
        (&[], "logs.x", Reason::Invalid, "source tables are missing"),
        (&["logs.none"], "logs.x", Reason::NotFound, "table not found: logs.none"),
        (&["none.a"], "logs.x", Reason::NotFound, "dataset not found: none"),
        (&["logs.a"], "none.x", Reason::NotFound, "dataset not found: none"),
        (
            &["logs.view"],
            "logs.x",
            Reason::Invalid,
            "logs.view is a view or live table without stored rows",
        ),
        (
            &["logs.a", "logs.floats"],
            "logs.x",
            Reason::Invalid,
            "logs.a and logs.floats have different columns",
        ),
        (
            &["logs.floats"],
            "logs.a",
            Reason::Invalid,
            "the column \"count\" has the type INT64, not FLOAT64",
        ),
    ];
    for (sources, target, reason, message) in cases {
        let fault = copied(&warehouse, sources, &to(target, Disposition::Append)).unwrap_err();
        assert_eq!(fault.reason, reason, "{fault}");
        assert!(fault.message.contains(message), "{fault}");
        assert_eq!(warehouse.dump_tables(), before);
    }
}

#[test]
fn a_cancelled_copy_changes_nothing() {
    let warehouse = warehouse_with_three_tables();
    let before = warehouse.dump("logs");
    let control = Control::default();
    let rows = Cell::new(0);
    let target = to("logs.b", Disposition::Truncate);
    let done = copy(&warehouse.store, &[table("other.c")], &target, &control, |_, copied| {
        rows.set(copied.rows);
        control.stop(Stop::Cancelled);
        control.check()
    });
    assert_eq!((done.unwrap_err().reason, rows.get()), (Reason::Stopped, 1));
    assert_eq!(warehouse.dump("logs"), before);
}

#[test]
fn a_copy_has_a_limit_of_datasets() {
    let warehouse = warehouse();
    let names: Vec<String> = (0..11).map(|n| format!("d{n}.t")).collect();
    for name in &names {
        warehouse.store.create_dataset(&table(name).dataset, &Facts::default()).unwrap();
        let mut options = json_options(&fields(&[("n", Type::Integer)]));
        options.target = to(name, Disposition::Empty);
        warehouse.load_bytes(&options, "{\"n\": 1}").unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let target = to("logs.all", Disposition::Empty);
    let fault = copied(&warehouse, &names, &target).unwrap_err();
    assert!(fault.message.contains("from at most 11 datasets"), "{fault}");
    assert_eq!(copied(&warehouse, &names[1..], &target).unwrap().rows, 10);
}
