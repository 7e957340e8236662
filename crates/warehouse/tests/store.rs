//! Tests of stored datasets and tables. Each change is written completely or not at all.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::types::Value;
use tempfile::TempDir;
use warehouse::store::{self, Disposition, Facts, Kind, Start, Store, Table, TableWriter, Target};
use warehouse::{Control, DatasetId, Fault, Field, Reason, TableName, Type};

fn warehouse() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.create_dataset(&plays().dataset, &Facts::default()).unwrap();
    (folder, store)
}

fn plays() -> TableName {
    TableName::parse("logs", "plays").unwrap()
}

fn columns() -> Vec<Field> {
    vec![Field::new("episode", Type::String), Field::new("count", Type::Integer)]
}

fn row(episode: &str, count: i64) -> Vec<Value> {
    vec![Value::Text(episode.into()), Value::Integer(count)]
}

/// Fills a table with rows, as a load does.
fn fill_table(
    store: &Store,
    target: &Target,
    fields: &[Field],
    rows: &[Vec<Value>],
) -> Result<Table, Fault> {
    store.write(&target.table.dataset, &Control::default(), |transaction| {
        let now = Timestamp::now();
        let filling = TableWriter::begin(transaction, "main", target, fields, now)?;
        let mut statement = filling.statement(transaction)?;
        for row in rows {
            store::insert(&mut statement, row)?;
        }
        drop(statement);
        filling.finish(transaction, rows.len() as u64, now)
    })
}

fn read(store: &Store, name: &TableName) -> Vec<Vec<Value>> {
    let table = store.table(name).unwrap().unwrap();
    let all: Vec<usize> = (0..table.fields.len()).collect();
    store.rows(&table, &all, Start::Row(0), usize::MAX).unwrap().rows
}

#[test]
fn writes_respect_the_disposition() {
    let (_folder, store) = warehouse();
    let to = |disposition| Target::new(plays(), disposition);
    let first = [row("a", 1), row("b", 2)];
    let made = fill_table(&store, &to(Disposition::Empty), &columns(), &first).unwrap();
    assert_eq!(made.rows, Some(2));
    assert_eq!(read(&store, &plays()), first);

    let fault = fill_table(&store, &to(Disposition::Empty), &columns(), &first).unwrap_err();
    assert_eq!(fault.reason, Reason::Duplicate);
    assert_eq!(read(&store, &plays()), first);

    let appended =
        fill_table(&store, &to(Disposition::Append), &columns(), &[row("c", 3)]).unwrap();
    assert_eq!(appended.rows, Some(3));
    assert_eq!(read(&store, &plays()).last().unwrap(), &row("c", 3));

    let other = [Field::new("day", Type::Date)];
    let day = vec![Value::Text("2026-11-21".into())];
    let replaced =
        fill_table(&store, &to(Disposition::Truncate), &other, std::slice::from_ref(&day)).unwrap();
    assert_eq!((replaced.rows, &replaced.fields[..]), (Some(1), &other[..]));
    assert_eq!(replaced.name, plays());
    assert_eq!(read(&store, &plays()), [day]);
    let names: Vec<_> =
        store.tables(&plays().dataset).unwrap().into_iter().map(|table| table.name).collect();
    assert_eq!(names, [plays()], "nothing is left beside it");
}

#[test]
fn a_failed_write_changes_nothing() {
    let (_folder, store) = warehouse();
    fill_table(&store, &Target::new(plays(), Disposition::Empty), &columns(), &[row("a", 1)])
        .unwrap();
    let bad = vec![Value::Text("b".into()), Value::Text("many".into())];
    for disposition in [Disposition::Append, Disposition::Truncate] {
        let rows = [row("c", 3), bad.clone()];
        let fault =
            fill_table(&store, &Target::new(plays(), disposition), &columns(), &rows).unwrap_err();
        assert_eq!(fault.reason, Reason::Invalid, "{fault}");
        assert_eq!(read(&store, &plays()), [row("a", 1)]);
        assert_eq!(store.table(&plays()).unwrap().unwrap().rows, Some(1));
    }
    let new = TableName::parse("logs", "new").unwrap();
    fill_table(&store, &Target::new(new.clone(), Disposition::Append), &columns(), &[bad])
        .unwrap_err();
    assert_eq!(store.table(&new).unwrap(), None);
}

#[test]
fn appended_rows_must_match_the_table() {
    let (_folder, store) = warehouse();
    let mut fields = columns();
    fields[0].is_required = true;
    fill_table(&store, &Target::new(plays(), Disposition::Empty), &fields, &[row("a", 1)]).unwrap();
    let append = Target::new(plays(), Disposition::Append);
    let wrong = |fields: &[Field]| fill_table(&store, &append, fields, &[]).unwrap_err().message;

    let other_type = [Field::new("episode", Type::String), Field::new("count", Type::Date)];
    assert!(wrong(&other_type).contains("the type INT64, not DATE"));
    assert!(wrong(&columns()[1..]).contains("required column \"episode\""));
    let more = [&columns()[..], &[Field::new("app", Type::String)]].concat();
    assert!(wrong(&more).contains("unknown column \"app\""));

    let adding = Target { adds_columns: true, ..append };
    let long = [&row("b", 2)[..], &[Value::Text("Player".into())]].concat();
    let table = fill_table(&store, &adding, &more, &[long]).unwrap();
    assert_eq!(table.fields.len(), 3);
    assert_eq!(read(&store, &plays())[0], [row("a", 1), vec![Value::Null]].concat());
}

#[test]
fn pages_of_rows_cover_the_whole_table() {
    let (_folder, store) = warehouse();
    let rows: Vec<_> = (0..25).map(|n| row("a", n)).collect();
    fill_table(&store, &Target::new(plays(), Disposition::Empty), &columns(), &rows).unwrap();
    let table = store.table(&plays()).unwrap().unwrap();
    for size in [1, 7, 25, 100] {
        let mut start = Some(Start::Row(3));
        let mut found = Vec::new();
        while let Some(from) = start {
            let page = store.rows(&table, &[1], from, size).unwrap();
            assert!(page.rows.len() <= size);
            found.extend(page.rows);
            start = page.next;
        }
        let expected: Vec<_> = (3..25).map(|n| vec![Value::Integer(n)]).collect();
        assert_eq!(found, expected);
    }
    let beyond = store.rows(&table, &[0], Start::Row(99), 5).unwrap();
    assert_eq!((beyond.rows.len(), beyond.next), (0, None));
}

#[test]
fn readers_see_the_old_state_and_writers_wait() {
    let (_folder, store) = warehouse();
    let append = Target::new(plays(), Disposition::Append);
    fill_table(&store, &append, &columns(), &[row("a", 0)]).unwrap();
    std::thread::scope(|scope| {
        for n in 1..=8 {
            let (store, append) = (store.clone(), append.clone());
            scope.spawn(move || fill_table(&store, &append, &columns(), &[row("b", n)]).unwrap());
        }
        assert_eq!(read(&store, &plays())[0], row("a", 0));
    });
    assert_eq!(read(&store, &plays()).len(), 9);

    let _held = store.lock(&plays().dataset, &Control::default()).unwrap();
    let hurried = Control::new(Some(Duration::from_millis(20)));
    let fault = store.write(&plays().dataset, &hurried, |_| Ok(())).unwrap_err();
    assert_eq!(fault.reason, Reason::Timeout);
}

#[test]
fn a_nonempty_dataset_is_removed_only_with_its_tables() {
    let (_folder, store) = warehouse();
    fill_table(&store, &Target::new(plays(), Disposition::Empty), &columns(), &[]).unwrap();
    let logs = plays().dataset;
    assert_eq!(store.remove_dataset(&logs, false).unwrap_err().reason, Reason::InUse);
    assert_eq!(
        store.create_dataset(&logs, &Facts::default()).unwrap_err().reason,
        Reason::Duplicate
    );
    store.remove_dataset(&logs, true).unwrap();
    assert_eq!(store.dataset(&logs).unwrap(), None);
    assert_eq!(store.table(&plays()).unwrap_err().reason, Reason::NotFound);
    let ids: Vec<_> = store.datasets().unwrap().into_iter().map(|dataset| dataset.id).collect();
    assert_eq!(ids, [DatasetId::site()]);
}

#[test]
fn an_expired_table_is_gone_and_its_name_free() {
    let (_folder, store) = warehouse();
    let mut table = Table::new(plays(), columns(), Timestamp::now());
    table.expires = Some(Timestamp::now() - Duration::from_secs(1));
    store.create_table(table).unwrap();
    assert_eq!(store.table(&plays()).unwrap(), None);
    let made = store.create_table(Table::new(plays(), columns(), Timestamp::now())).unwrap();
    assert!(matches!(made.kind, Kind::Stored { id } if id > 1));
    assert_eq!(store.create_table(made).unwrap_err().reason, Reason::Duplicate);
}
