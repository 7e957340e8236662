//! Tests of exports: the files contain the rows of a table, and can be loaded again.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use jiff::Timestamp;
use proptest::prelude::*;
use rusqlite::types::Value::{self, Blob, Integer, Null, Real};
use warehouse::export::{Compression, ExportSummary, Format, Options, export_table};
use warehouse::files::Address;
use warehouse::load::{self, Csv, Source};
use warehouse::store::{Disposition, TableWriter, insert};
use warehouse::{Control, Fault, Field, Reason, Stop, Type};

use crate::support::{
    Warehouse, csv, csv_options, fields, json_options, table, text, to, warehouse,
};

const CSV: Format = Format::Csv { delimiter: b',', header: true };

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn fill_table(warehouse: &Warehouse, columns: &[Field], rows: &[Vec<Value>]) {
    let target = to("logs.rows", Disposition::Truncate);
    let filled = warehouse.store.write(&target.table.dataset, &Control::default(), |transaction| {
        let now = Timestamp::now();
        let filling = TableWriter::begin(transaction, "main", &target, columns, now)?;
        let mut statement = filling.statement(transaction)?;
        rows.iter().try_for_each(|row| insert(&mut statement, row))?;
        drop(statement);
        filling.finish(transaction, rows.len() as u64, now)
    });
    filled.unwrap();
}

fn export(warehouse: &Warehouse, options: &Options) -> Result<ExportSummary, Fault> {
    export_table(&warehouse.store, &table("logs.rows"), options, &Control::default())
}

/// Exports a table and returns the content of the file.
fn export_text(warehouse: &Warehouse, format: Format) -> String {
    export(warehouse, &Options::new(address("gs://b/file"), format)).unwrap();
    fs::read_to_string(warehouse.export("b/file")).unwrap()
}

/// Returns the paths of all files in the exports folder.
fn files(warehouse: &Warehouse) -> Vec<String> {
    let folder = warehouse.export("");
    let mut files: Vec<String> = walkdir::WalkDir::new(&folder)
        .into_iter()
        .flatten()
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| entry.path().strip_prefix(&folder).unwrap().display().to_string())
        .collect();
    files.sort();
    files
}

fn every_type() -> Vec<Field> {
    let record = Type::Struct(fields(&[
        ("at", Type::Timestamp),
        ("n", Type::Integer),
        ("j", Type::Json),
        ("b", Type::Bytes),
        ("l", Type::Array(Box::new(Type::Float))),
    ]));
    [plain_types(), fields(&[("l", Type::Array(Box::new(Type::Boolean))), ("p", record)])].concat()
}

fn plain_types() -> Vec<Field> {
    fields(&[
        ("s", Type::String),
        ("b", Type::Bytes),
        ("i", Type::Integer),
        ("f", Type::Float),
        ("t", Type::Boolean),
        ("at", Type::Timestamp),
        ("d", Type::Date),
        ("h", Type::Time),
        ("dt", Type::DateTime),
        ("j", Type::Json),
    ])
}

fn plain_row() -> Vec<Value> {
    vec![
        text("a,\"b\""),
        Blob(b"hi".to_vec()),
        Integer(i64::MIN),
        Real(1.0),
        Integer(1),
        Integer(1_795_244_700_250_000),
        text("2026-11-21"),
        text("07:05:00.5"),
        text("2026-11-21T07:05:00"),
        text("{\"a\":[1]}"),
    ]
}

#[test]
fn csv_values_are_formatted_like_bigquery() {
    let warehouse = warehouse();
    let empty = [vec![text("")], vec![Null; 9]].concat();
    fill_table(&warehouse, &plain_types(), &[plain_row(), vec![Null; 10], empty]);
    let row = "\"a,\"\"b\"\"\",aGk=,-9223372036854775808,1.0,true,2026-11-21 07:05:00.25 UTC,2026-11-21,07:05:00.5,2026-11-21T07:05:00,\"{\"\"a\"\":[1]}\"";
    assert_eq!(
        export_text(&warehouse, CSV),
        format!("s,b,i,f,t,at,d,h,dt,j\n{row}\n,,,,,,,,,\n\"\",,,,,,,,,\n")
    );
    let tabs = Format::Csv { delimiter: b'\t', header: false };
    assert!(export_text(&warehouse, tabs).starts_with("\"a,\"\"b\"\"\"\taGk=\t"));
}

#[test]
fn json_values_are_formatted_like_bigquery() {
    let warehouse = warehouse();
    let record = text(r#"{"at":0,"n":7,"j":{"b":1,"a":null},"b":"aGk=","l":[1,2.5]}"#);
    let row = [plain_row(), vec![text("[true,false]"), record]].concat();
    fill_table(&warehouse, &every_type(), &[row, vec![Null; 12]]);
    let line = r#"{"s":"a,\"b\"","b":"aGk=","i":"-9223372036854775808","f":1.0,"t":true,"at":"2026-11-21 07:05:00.25 UTC","d":"2026-11-21","h":"07:05:00.5","dt":"2026-11-21T07:05:00","j":{"a":[1]},"l":[true,false],"p":{"at":"1970-01-01 00:00:00 UTC","n":"7","j":{"b":1,"a":null},"b":"aGk=","l":[1.0,2.5]}}"#;
    assert_eq!(export_text(&warehouse, Format::Json), format!("{line}\n{{\"l\":[]}}\n"));
    fill_table(
        &warehouse,
        &fields(&[("f", Type::Float)]),
        &[vec![Real(f64::INFINITY)], vec![Real(f64::NEG_INFINITY)]],
    );
    assert_eq!(
        export_text(&warehouse, Format::Json),
        "{\"f\":\"Infinity\"}\n{\"f\":\"-Infinity\"}\n"
    );
}

#[test]
fn nested_types_are_rejected_in_csv_exports() {
    let warehouse = warehouse();
    fill_table(&warehouse, &every_type(), &[]);
    let fault = export(&warehouse, &Options::new(address("gs://b/file"), CSV)).unwrap_err();
    assert!(fault.message.contains(
        "the column \"l\" has the type ARRAY<BOOL>, which CSV cannot represent; export NEWLINE_DELIMITED_JSON"
    ));
    assert_eq!(files(&warehouse), [""; 0]);
    let none = export_table(
        &warehouse.store,
        &table("logs.none"),
        &Options::new(address("gs://b/f"), CSV),
        &Control::default(),
    );
    assert_eq!(none.unwrap_err().reason, Reason::NotFound);
}

#[test]
fn sharded_files_are_limited_and_have_headers() {
    let warehouse = warehouse();
    let rows: Vec<Vec<Value>> = (0..10).map(|n| vec![Integer(n)]).collect();
    fill_table(&warehouse, &fields(&[("n", Type::Integer)]), &rows);
    let mut options = Options::new(address("gs://b/sub/n-*.csv.gz"), CSV);
    options.shard = 8;
    options.compression = Compression::Gzip;
    let done = export(&warehouse, &options).unwrap();
    assert_eq!((done.files, done.rows, done.bytes), (4, 10, 20));
    let names: Vec<String> = (0..4).map(|n| format!("b/sub/n-{n:012}.csv.gz")).collect();
    assert_eq!(files(&warehouse), names);
    let mut read = String::new();
    GzDecoder::new(fs::File::open(warehouse.export(&names[1])).unwrap())
        .read_to_string(&mut read)
        .unwrap();
    assert_eq!(read, "n\n3\n4\n5\n");

    let found = warehouse.exports().find(&address("gs://b/*.gz")).unwrap();
    let sources: Vec<Source> =
        found.into_iter().map(|(name, path)| Source { name: name.to_string(), path }).collect();
    let mut load = csv_options(Csv { skip: Some(1), ..csv() }, &fields(&[("n", Type::Integer)]));
    load.target = to("logs.again", Disposition::Empty);
    warehouse.load(&load, &sources).unwrap();
    assert_eq!(warehouse.rows("logs.again"), rows);
}

#[test]
fn an_empty_table_exports_one_file() {
    let warehouse = warehouse();
    fill_table(&warehouse, &fields(&[("a:b", Type::Integer)]), &[]);
    let done = export(
        &warehouse,
        &Options::new(address("gs://b/n-*"), Format::Csv { delimiter: b':', header: true }),
    )
    .unwrap();
    assert_eq!(done.files, 1);
    assert_eq!(fs::read_to_string(warehouse.export("b/n-000000000000")).unwrap(), "\"a:b\"\n");
    assert_eq!(export_text(&warehouse, Format::Json), "");
}

#[test]
fn a_failed_export_keeps_the_existing_file() {
    let warehouse = warehouse();
    let rows: Vec<Vec<Value>> = (0..5000).map(|n| vec![Integer(n)]).collect();
    fill_table(&warehouse, &fields(&[("n", Type::Integer)]), &rows);
    fs::create_dir_all(warehouse.export("b")).unwrap();
    fs::write(warehouse.export("b/file"), "old").unwrap();
    let options = Options::new(address("gs://b/file"), CSV);
    let control = Control::default();
    let mut count = 0;
    let columns = warehouse.fields("logs.rows");
    let done =
        warehouse::export::export(&warehouse.exports(), &columns, &options, &control, |write| {
            let file = warehouse.store.file(&table("logs.rows").dataset).unwrap();
            let connection = rusqlite::Connection::open(file).unwrap();
            let mut statement = connection.prepare("SELECT 1 FROM t1").unwrap();
            let mut rows = statement.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                count += 1;
                if count == 2000 {
                    assert_eq!(files(&warehouse).len(), 2);
                    control.stop(Stop::Cancelled);
                }
                write(row)?;
            }
            Ok(())
        });
    assert_eq!(done.unwrap_err().reason, Reason::Stopped);
    assert!(count < 5000);
    assert_eq!(files(&warehouse), ["b/file"]);
    assert_eq!(fs::read_to_string(warehouse.export("b/file")).unwrap(), "old");
    export(&warehouse, &options).unwrap();
    assert!(fs::read_to_string(warehouse.export("b/file")).unwrap().ends_with("4999\n"));
}

#[test]
fn addresses_cannot_leave_the_exports_folder() {
    for wrong in [
        "", "b/o", "s3://b/o", "gs://b", "gs://b/", "gs:///o", "gs://../o", "gs://b/../o",
        "gs://b/a//o", "gs://b/.hidden", "gs://.b/o", "gs://b/a\\b", "gs://b/c:d", "gs://b/a\nb",
        "gs://b*/o", "gs://b/*/*",
    ] {
        assert!(Address::parse(wrong).is_err(), "{wrong:?}");
    }
    let warehouse = warehouse();
    let exports = warehouse.exports();
    let names = |text: &str| -> Vec<String> {
        let found = exports.find(&address(text)).unwrap();
        found.into_iter().map(|(address, _)| address.to_string()).collect()
    };
    assert_eq!(exports.find(&address("gs://b/o")).unwrap_err().reason, Reason::NotFound);
    for file in ["b/day/1.csv", "b/day/2.csv", "b/day/.3.csv", "b/.x/4.csv", "b/day/5.txt"] {
        let path = warehouse.export(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    assert_eq!(names("gs://b/day/1.csv"), ["gs://b/day/1.csv"]);
    assert_eq!(names("gs://b/*.csv"), ["gs://b/day/1.csv", "gs://b/day/2.csv"]);
    assert_eq!(names("gs://b/day/*").len(), 3);
    assert!(exports.find(&address("gs://b/day/2.csv*2.csv")).is_err());
    assert!(exports.find(&address("gs://b/day")).is_err());
    assert!(exports.target(&address("gs://b/day")).is_err());
    assert!(exports.target(&address("gs://b/day/1.csv/x")).is_err());
}

#[cfg(unix)]
#[test]
fn symlinks_outside_the_folder_are_not_followed() {
    let warehouse = warehouse();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    fs::create_dir_all(warehouse.export("b")).unwrap();
    fs::write(warehouse.export("b/own"), "").unwrap();
    std::os::unix::fs::symlink(outside.path(), warehouse.export("b/out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), warehouse.export("b/link")).unwrap();
    std::os::unix::fs::symlink(warehouse.export("b/own"), warehouse.export("b/inside")).unwrap();
    let exports = warehouse.exports();
    for hidden in ["gs://b/out/secret", "gs://b/link", "gs://b/out*"] {
        assert!(exports.find(&address(hidden)).is_err(), "{hidden}");
    }
    assert_eq!(exports.find(&address("gs://b/inside")).unwrap().len(), 1);
    assert_eq!(exports.find(&address("gs://b/*")).unwrap().len(), 2);
    for hidden in ["gs://b/out/new", "gs://b/out/deep/new"] {
        let fault = exports.target(&address(hidden)).unwrap_err();
        assert!(fault.message.contains("a link that points outside the exports folder"), "{fault}");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

fn instant() -> impl Strategy<Value = i64> + Clone {
    -62_135_596_800_000_000_i64..253_402_300_800_000_000
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| serde_json::to_string(&number).unwrap()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|list| format!("[{}]", list.join(","))),
            inner.prop_map(|value| format!("{{\"b\":{value},\"a\":null}}")),
        ]
    })
}

fn plain_values() -> impl Strategy<Value = Vec<Value>> {
    let date = instant().prop_map(|at| {
        Timestamp::from_microsecond(at).unwrap().to_zoned(jiff::tz::TimeZone::UTC).datetime()
    });
    let or_null = |value: BoxedStrategy<Value>| prop_oneof![1 => Just(Null), 4 => value];
    (
        or_null(any::<String>().prop_map(Value::Text).boxed()),
        or_null(prop::collection::vec(any::<u8>(), 0..9).prop_map(Blob).boxed()),
        or_null(any::<i64>().prop_map(Integer).boxed()),
        or_null(
            any::<f64>()
                .prop_filter("kept as a text", |number| !number.is_nan())
                .prop_map(Real)
                .boxed(),
        ),
        or_null((0_i64..2).prop_map(Integer).boxed()),
        or_null(instant().prop_map(Integer).boxed()),
        or_null(date.clone().prop_map(|at| text(&at.date().to_string())).boxed()),
        or_null(date.clone().prop_map(|at| text(&at.time().to_string())).boxed()),
        or_null(date.prop_map(|at| text(&at.to_string())).boxed()),
        or_null(json_text().prop_map(Value::Text).boxed()),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j)| vec![a, b, c, d, e, f, g, h, i, j])
}

fn nested_values() -> impl Strategy<Value = Vec<Value>> {
    let flags = prop::collection::vec(any::<bool>(), 0..4)
        .prop_map(|list| text(&serde_json::to_string(&list).unwrap()));
    let float = any::<f64>().prop_filter("finite", |number| number.is_finite());
    let record = (instant(), any::<i64>(), json_text(), prop::collection::vec(float, 0..3))
        .prop_map(|(at, n, j, l)| {
            let l = serde_json::to_string(&l).unwrap();
            text(&format!("{{\"at\":{at},\"n\":{n},\"j\":{j},\"b\":null,\"l\":{l}}}"))
        });
    (flags, prop_oneof![Just(Null), record.boxed()]).prop_map(|(flags, record)| vec![flags, record])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn exported_files_can_be_loaded(
        plain in prop::collection::vec((plain_values(), nested_values()), 0..6),
        header in any::<bool>(),
        is_packed in any::<bool>(),
    ) {
        let warehouse = warehouse();
        let again = |columns: &[Field], rows: &[Vec<Value>], format: Format, mut load: load::Options| {
            fill_table(&warehouse, columns, rows);
            let mut options = Options::new(address("gs://b/file"), format);
            if is_packed {
                options.compression = Compression::Gzip;
            }
            export(&warehouse, &options).unwrap();
            load.target = to("logs.again", Disposition::Truncate);
            let source = Source { name: "file".into(), path: warehouse.export("b/file") };
            warehouse.load(&load, &[source]).unwrap();
            warehouse.rows("logs.again")
        };
        let rows: Vec<Vec<Value>> = plain.iter().map(|(plain, _)| plain.clone()).collect();
        let reading = Csv { skip: Some(header.into()), quoted_newlines: true, control_characters: true, ..csv() };
        let format = Format::Csv { delimiter: b',', header };
        let loaded = again(&plain_types(), &rows, format, csv_options(reading, &plain_types()));
        prop_assert_eq!(loaded, rows);

        let rows: Vec<Vec<Value>> = plain.iter().map(|(plain, nested)| [&plain[..], nested].concat()).collect();
        let loaded = again(&every_type(), &rows, Format::Json, json_options(&every_type()));
        prop_assert_eq!(loaded, rows);
    }
}
