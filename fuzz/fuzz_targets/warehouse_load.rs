//! Whatever a file says, a load ends, and leaves a table that can be read, or none.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use warehouse::load::{Csv, Encoding, Format, Options, Progress, Source, load};
use warehouse::store::{Disposition, Facts, Start, Store, Target};
use warehouse::{Control, TableName, schema};

struct Warehouse {
    folder: std::path::PathBuf,
    store: Store,
    table: TableName,
}

static WAREHOUSE: LazyLock<Warehouse> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("fuzz-load-{}", std::process::id()));
    let store = Store::open(&folder).unwrap();
    let table = TableName::parse("fuzz", "rows").unwrap();
    store
        .create_dataset(&table.dataset, &Facts::default())
        .unwrap();
    Warehouse {
        folder,
        store,
        table,
    }
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&flags, bytes)) = bytes.split_first() else {
        return;
    };
    let Warehouse {
        folder,
        store,
        table,
    } = &*WAREHOUSE;
    let is = |bit: u8| flags & (1 << bit) != 0;
    let format = match is(0) {
        true => Format::Json,
        false => Format::Csv(Csv {
            quoted_newlines: is(1),
            jagged: is(2),
            encoding: if is(3) {
                Encoding::Latin1
            } else {
                Encoding::Utf8
            },
            ..Csv::default()
        }),
    };
    let mut options = Options::new(Target::new(table.clone(), Disposition::Truncate), format);
    options.autodetect = is(4);
    options.max_bad_rows = if is(5) { 1000 } else { 0 };
    options.ignore_unknown = is(6);
    if !is(4) {
        let mut columns = vec![
            json!({ "name": "s", "type": "STRING" }),
            json!({ "name": "t", "type": "TIMESTAMP" }),
            json!({ "name": "j", "type": "JSON" }),
        ];
        if is(0) {
            let inner =
                json!([{ "name": "b", "type": "BYTES" }, { "name": "d", "type": "DATETIME" }]);
            columns.push(
                json!({ "name": "r", "type": "RECORD", "mode": "REPEATED", "fields": inner }),
            );
        }
        options.fields = Some(schema::from_json(&columns.into(), "fields").unwrap());
    }
    let path = folder.join("data");
    std::fs::write(&path, bytes).unwrap();
    let source = Source {
        name: "data".into(),
        path,
    };
    let loaded = load(
        store,
        &options,
        &[source],
        &Control::default(),
        &Progress::default(),
        |_, _| Ok(()),
    );
    if let Ok(loaded) = loaded {
        let table = store.table(table).unwrap().unwrap();
        let columns: Vec<usize> = (0..table.fields.len()).collect();
        assert_eq!(table.rows, Some(loaded.rows));
        store.rows(&table, &columns, Start::Row(0), 1000).unwrap();
    }
});
