//! Tests of loads: either all rows are loaded, or none, and the reason is reported.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use rusqlite::types::Value::{self, Blob, Integer, Null, Real};
use serde_json::json;
use warehouse::load::{
    Csv, Encoding, InsertOptions, Options, Progress, Source, Updates, insert_rows, load,
};
use warehouse::store::{Disposition, Store};
use warehouse::{Control, Field, Reason, Stop, Type};

use crate::support::{csv, csv_options, fields, json_options, table, text, to, warehouse};

fn two() -> Vec<Field> {
    fields(&[("name", Type::String), ("count", Type::Integer)])
}

fn required_field(name: &str, of: Type) -> Field {
    Field { is_required: true, ..Field::new(name, of) }
}

fn array_of(of: Type) -> Type {
    Type::Array(Box::new(of))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn csv_options_are_respected() {
    let ab = |a: Value, b: Value| vec![a, b];
    type Case = (Csv, &'static [u8], Vec<Vec<Value>>);
    let cases: Vec<Case> = vec![
        (csv(), b"a,1\nb,2\n", vec![ab(text("a"), Integer(1)), ab(text("b"), Integer(2))]),
        (
            csv(),
            b"\xef\xbb\xbfa,1\r\nb,2",
            vec![ab(text("a"), Integer(1)), ab(text("b"), Integer(2))],
        ),
        (
            csv(),
            b",\n\"\",\"\"\n\n\"a\"\"b,\",3\n",
            vec![ab(Null, Null), ab(text(""), Null), ab(text("a\"b,"), Integer(3))],
        ),
        (csv(), b"a\"b, 7 \n", vec![ab(text("a\"b"), Integer(7))]),
        (csv(), b"", vec![]),
        (Csv { skip: Some(1), ..csv() }, b"name,count\n", vec![]),
        (Csv { skip: Some(2), ..csv() }, b"x\n\ny,2\n", vec![ab(text("y"), Integer(2))]),
        (
            Csv { delimiter: Some(b'\t'), quote: Some(b'\''), ..csv() },
            b"'a\t''b'\t1\n",
            vec![ab(text("a\t'b"), Integer(1))],
        ),
        (Csv { quote: None, ..csv() }, b"\"a,1\n", vec![ab(text("\"a"), Integer(1))]),
        (Csv { jagged: true, ..csv() }, b"a\n", vec![ab(text("a"), Null)]),
        (
            Csv { quoted_newlines: true, ..csv() },
            b"\"a\r\nb\n\",1\r\n",
            vec![ab(text("a\r\nb\n"), Integer(1))],
        ),
        (
            Csv { null_markers: vec!["\\N".into(), "-".into()], ..csv() },
            b"\\N,-\n,1\n\"-\",\\N\n",
            vec![ab(Null, Null), ab(text(""), Integer(1)), ab(text("-"), Null)],
        ),
        (
            Csv { encoding: Encoding::Latin1, ..csv() },
            b"caf\xe9,1\n",
            vec![ab(text("café"), Integer(1))],
        ),
        (
            Csv { control_characters: true, ..csv() },
            b"a\0b,1\n",
            vec![ab(text("a\0b"), Integer(1))],
        ),
        (
            Csv { skip: Some(1), by_name: true, ..csv() },
            b"Count,name\n1,a\n",
            vec![ab(text("a"), Integer(1))],
        ),
        (
            Csv { skip: Some(1), by_name: true, ..csv() },
            b"count\n1\n\n2\n",
            vec![ab(Null, Integer(1)), ab(Null, Null), ab(Null, Integer(2))],
        ),
    ];
    for (options, bytes, rows) in cases {
        let shown = String::from_utf8_lossy(bytes).into_owned();
        let loaded = warehouse().loaded(&csv_options(options, &two()), bytes);
        assert_eq!(loaded, rows, "{shown:?}");
    }
}

#[test]
fn a_single_csv_column_has_one_row_per_line() {
    let one = fields(&[("name", Type::String)]);
    let rows = warehouse().loaded(&csv_options(csv(), &one), "a\n\n\"\"\n\n");
    assert_eq!(rows, [[text("a")], [Null], [text("")], [Null]]);
}

#[test]
fn extra_values_are_ignored_with_ignore_unknown() {
    let mut options = csv_options(csv(), &two());
    options.ignore_unknown = true;
    let rows = warehouse().loaded(&options, "a,1,x,y\nb,2\n");
    assert_eq!(rows, [[text("a"), Integer(1)], [text("b"), Integer(2)]]);
    let mut options = json_options(&two());
    options.ignore_unknown = true;
    let rows = warehouse().loaded(&options, r#"{"x": {"y": [1]}, "name": "a"}"#);
    assert_eq!(rows, [[text("a"), Null]]);
}

#[test]
fn an_invalid_csv_row_is_reported_with_position_and_remedy() {
    let cases: &[(&[u8], &str)] = &[
        (b"a,1\nb\n", "data: line 2, byte 4: the row has only 1 of 2 columns; set allowJaggedRows"),
        (
            b"a,1,2\n",
            "line 1, byte 0: the row has 3 columns, but the table has 2; set ignoreUnknownValues",
        ),
        (b"a,x\n", "line 1, byte 0, column \"count\": \"x\" is not a valid INTEGER"),
        (b"a,1.5\n", "\"1.5\" is not a valid INTEGER"),
        (
            b"a,9223372036854775808\n",
            "is not a valid INTEGER: write a whole number from -9223372036854775808",
        ),
        (b"\"a\nb\",1\n", "column \"name\": a closing quote is missing; set allowQuotedNewlines"),
        (b"\"a\"b,1\n", "column \"name\": unexpected text between the closing quote"),
        (
            b"a,1\ncaf\xe9,2\n",
            "line 2, byte 4, column \"name\": the text is not valid UTF-8; set encoding to ISO-8859-1",
        ),
        (
            b"a\0,1\n",
            "column \"name\": the text contains a NUL character; set preserveAsciiControlCharacters",
        ),
        (b"\xff\xfea\0", "the file is UTF-16; save it as UTF-8"),
    ];
    for (bytes, message) in cases {
        let error_text = warehouse().refused(&csv_options(csv(), &two()), bytes);
        assert!(error_text.contains(message), "{error_text}");
    }
    let newlines = Csv { quoted_newlines: true, ..csv() };
    let error_text = warehouse().refused(&csv_options(newlines, &two()), "a,1\n\"b\n2\n");
    assert!(
        error_text.contains("line 2, byte 4, column \"name\": a closing quote is missing"),
        "{error_text}"
    );
    let by_name = Csv { skip: Some(1), by_name: true, ..csv() };
    let error_text = warehouse().refused(&csv_options(by_name.clone(), &two()), "name,other\n");
    assert!(error_text.contains("unknown column \"other\" in the header"), "{error_text}");
    let error_text = warehouse().refused(&csv_options(by_name, &two()), "name,NAME\n");
    assert!(error_text.contains("the header has the column \"name\" twice"), "{error_text}");
    let nested = fields(&[("a", array_of(Type::String))]);
    let error_text = warehouse().refused(&csv_options(csv(), &nested), "a\n");
    assert!(error_text.contains("load NEWLINE_DELIMITED_JSON"), "{error_text}");
}

#[test]
fn json_loads_into_columns_of_every_type() {
    let person = Type::Struct(vec![
        required_field("name", Type::String),
        Field::new("born", Type::Timestamp),
        Field::new("tags", array_of(Type::Bytes)),
    ]);
    let columns = fields(&[
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
        ("l", array_of(Type::Integer)),
        ("p", person),
    ]);
    let row = json!({
        "S": "é", "b": "aGk=", "i": "-9223372036854775808", "f": "NaN", "t": true,
        "at": "2026-11-21T07:05:00.25+01:00", "d": "2026-11-21", "h": "7:05", "dt": "2026-11-21 07:05:00",
        "j": {"b": [1.0, null, "x"], "a": {}}, "l": [1, "2"],
        "p": {"NAME": "Ada", "tags": ["aGk="]},
    });
    let rows = warehouse().loaded(&json_options(&columns), format!("{row}\n\n{{}}\n"));
    assert_eq!(
        rows[0],
        [
            text("é"),
            Blob(b"hi".to_vec()),
            Integer(i64::MIN),
            text("NaN"),
            Integer(1),
            Integer(1_795_241_100_250_000),
            text("2026-11-21"),
            text("07:05:00"),
            text("2026-11-21T07:05:00"),
            text(r#"{"a":{},"b":[1.0,null,"x"]}"#),
            text("[1,2]"),
            text(r#"{"name":"Ada","born":null,"tags":["aGk="]}"#),
        ]
    );
    let mut empty = vec![Null; 12];
    empty[10] = text("[]");
    assert_eq!(rows[1], empty);
}

#[test]
fn json_numbers_and_booleans_convert_without_loss() {
    let cases = [
        (Type::Integer, "1.0", Some(Integer(1))),
        (Type::Integer, "1.5", None),
        (Type::Integer, "1e300", None),
        (Type::Integer, "18446744073709551615", None),
        (Type::Integer, "123456789012345678901234567890", None),
        (Type::Integer, "true", None),
        (Type::Integer, "[1]", None),
        (Type::Float, "18446744073709551615", Some(Real(18_446_744_073_709_551_615.0))),
        (Type::Float, "3.0000000000000004", Some(Real(3.000_000_000_000_000_4))),
        (Type::Float, "\"-Infinity\"", Some(Real(f64::NEG_INFINITY))),
        (Type::Float, "1e999", None),
        (Type::Boolean, "1", Some(Integer(1))),
        (Type::Boolean, "2", None),
        (Type::Boolean, "\"no\"", Some(Integer(0))),
        (Type::String, "1.5", Some(text("1.5"))),
        (Type::String, "false", Some(text("false"))),
        (Type::String, "{}", None),
        (Type::Timestamp, "1.5", Some(Integer(1_500_000))),
        (Type::Timestamp, "-1", Some(Integer(-1_000_000))),
        (Type::Date, "20261121", None),
        (Type::Json, "\"[1]\"", Some(text("\"[1]\""))),
        (array_of(Type::Integer), "[1, null]", None),
        (array_of(Type::Integer), "1", None),
        (array_of(Type::Integer), "null", Some(text("[]"))),
        (array_of(Type::Boolean), "[\"yes\", 0]", Some(text("[true,false]"))),
    ];
    for (of, value, kept) in cases {
        let warehouse = warehouse();
        let options = json_options(&fields(&[("v", of.clone())]));
        let row = format!("{{\"v\": {value}}}");
        match kept {
            Some(kept) => assert_eq!(warehouse.loaded(&options, row), [[kept]], "{of} {value}"),
            None => {
                let error_text = warehouse.refused(&options, row);
                assert!(
                    error_text.starts_with("data: line 1, byte 0"),
                    "{of} {value}: {error_text}"
                );
            }
        }
    }
}

#[test]
fn an_invalid_json_row_is_reported_with_its_position() {
    let deep = format!("{{\"name\":{}", "[".repeat(100_000));
    let cases = [
        (
            "{}\n[1]\n",
            "data: line 2, byte 3: invalid type: sequence, expected a row (a JSON object)",
        ),
        ("{\"count\": \"x\"}", "line 1, byte 0, column \"count\": \"x\" is not a valid INTEGER"),
        ("{\"counts\": 1}", "unknown column \"counts\"; set ignoreUnknownValues"),
        ("{\"count\": 1, \"COUNT\": 2}", "column \"count\": the row has this column twice"),
        ("{\"count\": 1} x", "unexpected text after the object on the line"),
        ("{\"count\": 1", "EOF while parsing an object at character 11"),
        ("{count: 1}", "key must be a string at character 2"),
        (deep.as_str(), "expected a value of type STRING"),
    ];
    for (row, message) in cases {
        let error_text = warehouse().refused(&json_options(&two()), row);
        assert!(error_text.contains(message), "{error_text}");
    }
    let error_text = warehouse().refused(&json_options(&two()), b"{\"name\": \"caf\xe9\"}");
    assert!(error_text.contains("not valid UTF-8 at byte 14 of the line"), "{error_text}");
    let deep = format!("{{\"j\":{}", "[".repeat(100_000));
    let error_text = warehouse().refused(&json_options(&fields(&[("j", Type::Json)])), deep);
    assert!(error_text.contains("recursion limit exceeded"), "{error_text}");
}

#[test]
fn a_required_column_needs_a_value() {
    let columns = [required_field("name", Type::String), Field::new("count", Type::Integer)];
    for (options, row) in [
        (csv_options(csv(), &columns), ",1\n"),
        (json_options(&columns), "{\"name\": null}"),
        (json_options(&columns), "{}"),
    ] {
        let error_text = warehouse().refused(&options, row);
        assert!(
            error_text.contains("column \"name\": missing value: the column is REQUIRED"),
            "{error_text}"
        );
    }
}

#[test]
fn gzip_is_detected_and_truncated_gzip_rejected() {
    let packed = gzip(b"a,1\nb,2\n");
    let options = csv_options(csv(), &two());
    assert_eq!(warehouse().loaded(&options, &packed).len(), 2);
    let two_members = [packed.clone(), packed.clone()].concat();
    assert_eq!(warehouse().loaded(&options, two_members).len(), 4);
    let mut broken = packed.clone();
    let sum = broken.len() - 8;
    broken[sum] ^= 0x55;
    for bytes in [&packed[..packed.len() - 5], &packed[..12], &packed[..2], &broken] {
        let warehouse = warehouse();
        let failed = warehouse.load_bytes(&options, bytes).unwrap_err();
        assert_eq!(failed.fault.reason, Reason::Invalid, "{}", failed.fault);
        assert!(failed.fault.message.starts_with("data: the file cannot be read after byte"));
        assert!(warehouse.store.table(&table("logs.rows")).unwrap().is_none());
    }
}

#[test]
fn a_row_has_a_size_limit_even_when_compressed() {
    let warehouse = warehouse();
    let long = "x".repeat(17 * 1024 * 1024);
    let mut options = csv_options(csv(), &two());
    let bytes = gzip(format!("a,1\n{long},2\nb,3\n").as_bytes());
    let error_text = warehouse.refused(&options, &bytes);
    assert!(error_text.contains("line 2, byte 4: the row is longer than 16 MiB"), "{error_text}");
    options.max_bad_rows = 1;
    let rows = warehouse.loaded(&options, bytes);
    assert_eq!(rows, [[text("a"), Integer(1)], [text("b"), Integer(3)]]);
    let error_text = warehouse.refused(&json_options(&two()), format!("{{\"name\": \"{long}\"}}"));
    assert!(error_text.contains("longer than 16 MiB"), "{error_text}");
    let error_text = warehouse.refused(&csv_options(csv(), &two()), ",".repeat(20_000));
    assert!(error_text.contains("more than 10000 columns"), "{error_text}");
}

#[test]
fn invalid_rows_are_skipped_up_to_a_limit() {
    let mut bytes = String::new();
    for n in 0..150 {
        bytes.push_str(&format!("good,{n}\nbad,x\n"));
    }
    let warehouse = warehouse();
    let mut options = csv_options(csv(), &two());
    options.max_bad_rows = 150;
    let loaded = warehouse.load_bytes(&options, &bytes).unwrap();
    assert_eq!((loaded.rows, loaded.bad, loaded.bad_rows.len()), (150, 150, 100));
    assert!(loaded.bad_rows[99].message.contains("line 200, byte"));
    assert_eq!(loaded.bad_rows[99].location.as_deref(), Some("data"));

    let before = warehouse.dump("logs");
    options.max_bad_rows = 149;
    let failed = warehouse.load_bytes(&options, &bytes).unwrap_err();
    assert_eq!(failed.fault.reason, Reason::Invalid);
    assert!(failed.fault.message.contains("more bad rows than maxBadRecords allows (149)"));
    assert_eq!(failed.bad_rows.len(), 100);
    assert_eq!(warehouse.dump("logs"), before);
}

#[test]
fn a_failed_load_leaves_the_dataset_unchanged() {
    for disposition in [Disposition::Empty, Disposition::Append, Disposition::Truncate] {
        let warehouse = warehouse();
        let mut options = csv_options(csv(), &two());
        if disposition != Disposition::Empty {
            warehouse.load_bytes(&options, "first,1\n").unwrap();
        }
        options.target = to("logs.rows", disposition);
        options.fields = Some([two(), fields(&[("more", Type::Date)])].concat());
        options.updates = Updates { adds: true, relaxes: true };
        let before = warehouse.dump("logs");
        let good = warehouse.file("good", "a,1,2026-11-21\n");
        let bad = warehouse.file("bad", "b,2,2026-11-21\nc,3,never\n");
        let failed = warehouse.load(&options, &[good.clone(), bad]).unwrap_err();
        assert!(failed.fault.message.starts_with("bad: line 2, byte 15, column \"more\""));
        assert_eq!(warehouse.dump("logs"), before, "{disposition:?}");

        // This load is cancelled after all rows have been read.
        let (control, progress) = (Control::default(), Progress::default());
        let stopped = load(
            &warehouse.store,
            &options,
            std::slice::from_ref(&good),
            &control,
            &progress,
            |_, _| {
                control.stop(Stop::Cancelled);
                control.check()
            },
        );
        assert_eq!(stopped.unwrap_err().fault.reason, Reason::Stopped);
        assert_eq!(warehouse.dump("logs"), before, "{disposition:?}");

        assert_eq!(warehouse.load(&options, &[good]).unwrap().rows, 1);
        assert_ne!(warehouse.dump("logs"), before, "{disposition:?}");
    }
}

#[test]
fn a_load_can_be_cancelled() {
    let warehouse = warehouse();
    let row = "some episode,1\n";
    let source = warehouse.file("data", row.repeat(2_000_000));
    let (control, progress) = (Control::default(), Progress::default());
    let options = csv_options(csv(), &two());
    let done = thread::scope(|scope| {
        let loading = scope.spawn(|| {
            load(&warehouse.store, &options, &[source], &control, &progress, |_, _| Ok(()))
        });
        while progress.rows() == 0 && !loading.is_finished() {
            thread::yield_now();
        }
        assert!(progress.bytes() > 0);
        control.stop(Stop::Cancelled);
        loading.join().unwrap()
    });
    assert_eq!(done.unwrap_err().fault.reason, Reason::Stopped);
    assert!(warehouse.store.table(&table("logs.rows")).unwrap().is_none());
}

/// Environment variable that passes the warehouse's folder to the process that a test kills.
const WAREHOUSE_VARIABLE: &str = "FEEDWRIGHT_TEST_WAREHOUSE";

#[test]
#[ignore = "loads for the test below, which kills it"]
fn a_long_load() {
    let folder = PathBuf::from(std::env::var_os(WAREHOUSE_VARIABLE).unwrap());
    let store = Store::open(&folder).unwrap();
    let mut options = csv_options(csv(), &two());
    options.target = to("logs.rows", Disposition::Truncate);
    let source = Source { name: "long".into(), path: folder.join("long") };
    let (control, progress) = (Control::default(), Progress::default());
    load(&store, &options, &[source], &control, &progress, |_, _| Ok(())).unwrap();
}

#[test]
fn a_killed_load_leaves_the_table_unchanged() {
    let warehouse = warehouse();
    warehouse.load_bytes(&csv_options(csv(), &two()), "a,1\n").unwrap();
    warehouse.file("long", "some episode,1\n".repeat(2_000_000));
    let before = warehouse.dump("logs");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "load::a_long_load"])
        .env(WAREHOUSE_VARIABLE, warehouse.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let journal = warehouse.store.folder().join("logs.sqlite-wal");
    while fs::metadata(&journal).map_or(0, |facts| facts.len()) < 1024 * 1024 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(warehouse.dump("logs"), before);
    assert_eq!(warehouse.loaded(&csv_options(csv(), &two()), "b,2\n").len(), 2);
}

#[test]
fn columns_are_added_and_relaxed_if_allowed() {
    let base = vec![required_field("name", Type::String), Field::new("count", Type::Integer)];
    let relaxed = fields(&[("name", Type::String), ("count", Type::Integer)]);
    let more = [base.clone(), fields(&[("more", Type::Float)])].concat();
    let (adds, relaxes) =
        (Updates { adds: true, relaxes: false }, Updates { adds: false, relaxes: true });
    let cases = [
        (
            &more,
            Updates::default(),
            Err("unknown column \"more\"; add ALLOW_FIELD_ADDITION to schemaUpdateOptions"),
        ),
        (&more, relaxes, Err("unknown column \"more\"")),
        (&more, adds, Ok(3)),
        (
            &relaxed,
            Updates::default(),
            Err(
                "the column \"name\" is REQUIRED; add ALLOW_FIELD_RELAXATION to schemaUpdateOptions",
            ),
        ),
        (&relaxed, adds, Err("ALLOW_FIELD_RELAXATION")),
        (&relaxed, relaxes, Ok(2)),
    ];
    for (columns, updates, outcome) in cases {
        let warehouse = warehouse();
        warehouse.load_bytes(&json_options(&base), "{\"name\": \"a\", \"count\": 1}").unwrap();
        let mut options = json_options(columns);
        options.updates = updates;
        let row =
            if updates.relaxes { "{\"count\": 2}" } else { "{\"name\": \"b\", \"count\": 2}" };
        match outcome {
            Ok(width) => {
                let rows = warehouse.loaded(&options, row);
                assert_eq!((rows.len(), rows[1].len(), rows[0].len()), (2, width, width));
                let is_required = warehouse.fields("logs.rows")[0].is_required;
                assert_eq!(is_required, !updates.relaxes);
            }
            Err(message) => {
                let error_text = warehouse.refused(&options, row);
                assert!(error_text.contains(message), "{error_text}");
            }
        }
    }
    let warehouse = warehouse();
    warehouse.load_bytes(&json_options(&relaxed), "{}").unwrap();
    let mut stricter = json_options(&base);
    stricter.updates = Updates { adds: true, relaxes: true };
    assert!(warehouse.refused(&stricter, "{}").contains("is NULLABLE, and cannot become REQUIRED"));
    let other = json_options(&fields(&[("count", Type::Float)]));
    assert!(
        warehouse
            .refused(&other, "{}")
            .contains("the column \"count\" has the type INT64, not FLOAT64")
    );
}

#[test]
fn record_fields_are_added_if_allowed() {
    let warehouse = warehouse();
    let record = |fields: Vec<Field>| vec![Field::new("p", array_of(Type::Struct(fields)))];
    let one = record(fields(&[("a", Type::Integer)]));
    let two = record(fields(&[("a", Type::Integer), ("b", Type::String)]));
    warehouse.load_bytes(&json_options(&one), "{\"p\": [{\"a\": 1}]}").unwrap();
    let mut options = json_options(&two);
    assert!(warehouse.refused(&options, "{}").contains("unknown column \"b\""));
    options.updates.adds = true;
    let rows = warehouse.loaded(&options, "{\"p\": [{\"b\": \"x\"}]}");
    assert_eq!(rows, [[text("[{\"a\":1}]")], [text("[{\"a\":null,\"b\":\"x\"}]")]]);
    assert_eq!(warehouse.fields("logs.rows"), two);
}

#[test]
fn rows_use_the_existing_table_schema() {
    let warehouse = warehouse();
    let mut options = csv_options(csv(), &two());
    options.fields = None;
    let error_text = warehouse.refused(&options, "a,1\n");
    assert!(error_text.contains("logs.rows has no schema; set schema.fields or autodetect"));
    options.fields = Some(two());
    warehouse.load_bytes(&options, "a,1\n").unwrap();
    options.fields = None;
    assert_eq!(warehouse.loaded(&options, "b,2\n").len(), 2);
    options.target = to("logs.rows", Disposition::Truncate);
    assert_eq!(warehouse.loaded(&options, "c,3\n"), [[text("c"), Integer(3)]]);
    options.target = to("logs.rows", Disposition::Empty);
    assert_eq!(
        warehouse.load_bytes(&options, "d,4\n").unwrap_err().fault.reason,
        Reason::Duplicate
    );
    options.target = to("logs.none", Disposition::Append);
    options.target.create = false;
    options.fields = Some(two());
    assert_eq!(warehouse.load_bytes(&options, "d,4\n").unwrap_err().fault.reason, Reason::NotFound);
}

fn detected_schema(format: &Options, bytes: &str) -> Vec<String> {
    let warehouse = warehouse();
    let mut options = format.clone();
    options.fields = None;
    options.autodetect = true;
    warehouse.load_bytes(&options, bytes).unwrap();
    let shown = |field: &Field| format!("{} {}", field.name, field.of);
    warehouse.fields("logs.rows").iter().map(shown).collect()
}

#[test]
fn csv_schemas_are_detected() {
    let plain = csv_options(csv(), &[]);
    let skipping = |skip| csv_options(Csv { skip: Some(skip), ..csv() }, &[]);
    let cases: &[(&Options, &str, &[&str])] = &[
        (&plain, "Name,Count\na,1\nb,2\n", &["Name STRING", "Count INT64"]),
        (
            &plain,
            "a,1,1.5,true,2026-11-21,07:05:00\n",
            &[
                "string_field_0 STRING", "int64_field_1 INT64", "double_field_2 FLOAT64",
                "bool_field_3 BOOL", "date_field_4 DATE", "time_field_5 TIME",
            ],
        ),
        (&plain, "a|b\n1|2.0\n3|4\n", &["a INT64", "b FLOAT64"]),
        (&plain, "a\tb\n1\t\n\t4\n", &["a INT64", "b INT64"]),
        (&plain, "x,y\nz,w\n", &["string_field_0 STRING", "string_field_1 STRING"]),
        (&skipping(1), "x,y\nz,w\n", &["x STRING", "y STRING"]),
        (&skipping(0), "x,1\nz,2\n", &["string_field_0 STRING", "int64_field_1 INT64"]),
        (
            &skipping(2),
            "a comment,\nmy name,2nd,2nd\nz,1,2\n",
            &["my_name STRING", "_2nd INT64", "_2nd_1 INT64"],
        ),
        (
            &plain,
            "at,on,local\n2026-11-21 07:05:00,2026-11-21,2026-11-21T07:05:00\n2026-11-21 07:05:00 UTC,2026-11-22 08:00:00,2026-11-21T08:05:00\n",
            &["at TIMESTAMP", "on TIMESTAMP", "local DATETIME"],
        ),
        (&plain, "n,note\n1,\"two\nlines\"\n2,x\n", &["n INT64", "note STRING"]),
        (&plain, "n,mixed,none\n1,1,\n2,x,\n", &["n INT64", "mixed STRING", "none STRING"]),
    ];
    for (options, bytes, columns) in cases {
        assert_eq!(detected_schema(options, bytes), *columns, "{bytes:?}");
    }
}

#[test]
fn json_schemas_are_detected_in_order() {
    let rows = r#"{"name": "a", "z": 1, "p": {"b": true, "a": ["2026-11-21"]}, "mixed": 1, "none": null}
{"name": "1", "z": 1.5, "p": {"c": "2026-11-21 07:05:00"}, "mixed": "x", "my.key": [{"n": 1}]}"#;
    assert_eq!(
        detected_schema(&json_options(&[]), rows),
        [
            "name STRING",
            "z FLOAT64",
            "p STRUCT<b BOOL, a ARRAY<DATE>, c TIMESTAMP>",
            "mixed STRING",
            "none STRING",
            "my_key ARRAY<STRUCT<n INT64>>",
        ]
    );
}

#[test]
fn the_table_schema_overrides_detection() {
    let warehouse = warehouse();
    let mut options =
        csv_options(csv(), &[required_field("code", Type::String), Field::new("n", Type::Float)]);
    warehouse.load_bytes(&options, "007,1\n").unwrap();
    options.fields = None;
    options.autodetect = true;
    let rows = warehouse.loaded(&options, "n,code\n2,008\n");
    assert_eq!(rows, [[text("007"), Real(1.0)], [text("008"), Real(2.0)]]);
    assert!(
        warehouse.refused(&options, "n,code,more\n2,9,x\n").contains("unknown column \"more\"")
    );
    options.updates.adds = true;
    assert_eq!(warehouse.loaded(&options, "n,code,more\n2,9,x\n").len(), 3);
}

#[test]
fn empty_files_have_no_schema() {
    for bytes in ["", "\n\n"] {
        let mut options = csv_options(csv(), &[]);
        options.autodetect = true;
        let error_text = warehouse().refused(&options, bytes);
        assert!(error_text.contains("the files have no rows; set schema.fields"), "{error_text}");
        let mut options = json_options(&[]);
        options.autodetect = true;
        assert!(warehouse().refused(&options, bytes).contains("the files have no rows"));
    }
}

#[test]
fn the_time_zone_of_timestamps_can_be_set() {
    let mut options = csv_options(csv(), &fields(&[("at", Type::Timestamp)]));
    options.zone = jiff::tz::TimeZone::get("Europe/Paris").unwrap();
    let rows = warehouse()
        .loaded(&options, "2026-11-21 08:05:00\n2026-07-21 09:05:00\n2026-11-21 07:05:00Z\n");
    let at = 1_795_244_700_000_000;
    assert_eq!(rows, [[Integer(at)], [Integer(1_784_617_500_000_000)], [Integer(at)]]);
}

#[test]
fn inserted_rows_succeed_or_are_reported_individually() {
    let warehouse = warehouse();
    let columns = [two(), fields(&[("j", Type::Json), ("l", array_of(Type::Float))])].concat();
    warehouse.load_bytes(&json_options(&columns), "").unwrap();
    let insert = |rows: &[serde_json::Value], options| {
        insert_rows(&warehouse.store, &table("logs.rows"), rows, options, &Control::default())
    };
    let done = insert(
        &[json!({"name": "a", "count": "1", "j": "{\"b\": 1}", "l": [1, 2.5]})],
        InsertOptions::default(),
    )
    .unwrap();
    assert_eq!((done.rows, done.faults.len()), (1, 0));
    let first = [text("a"), Integer(1), text("{\"b\":1}"), text("[1.0,2.5]")];
    assert_eq!(warehouse.rows("logs.rows"), std::slice::from_ref(&first));

    let rows = [json!({"name": "b"}), json!({"count": "x"}), json!({"other": 1}), json!(7)];
    let before = warehouse.dump("logs");
    let done = insert(&rows, InsertOptions::default()).unwrap();
    let error_text: Vec<_> = done
        .faults
        .iter()
        .map(|error_text| {
            (error_text.row, error_text.fault.reason, error_text.fault.location.as_deref())
        })
        .collect();
    assert_eq!(
        error_text,
        [
            (0, Reason::Stopped, None),
            (1, Reason::Invalid, Some("count")),
            (2, Reason::Invalid, None),
            (3, Reason::Invalid, None),
        ]
    );
    assert_eq!(warehouse.dump("logs"), before);

    let options = InsertOptions { skip_invalid: true, ignore_unknown: true };
    let done = insert(&rows, options).unwrap();
    assert_eq!((done.rows, done.faults.len()), (2, 2));
    assert_eq!(warehouse.rows("logs.rows").len(), 3);
    let none =
        insert_rows(&warehouse.store, &table("logs.none"), &rows, options, &Control::default());
    assert_eq!(none.unwrap_err().reason, Reason::NotFound);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_load_without_a_panic_and_cells_match_the_csv_crate(
        rows in prop::collection::vec(prop::collection::vec("[^\\x00]{0,5}", 3), 0..8),
        noise in prop::collection::vec(any::<u8>(), 0..200),
        detect in any::<bool>(),
    ) {
        // The `csv` crate writes the input.
        let mut writer = ::csv::WriterBuilder::new().quote_style(::csv::QuoteStyle::Always).from_writer(Vec::new());
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let newlines = Csv { quoted_newlines: true, ..csv() };
        let columns = fields(&[("a", Type::String), ("b", Type::String), ("c", Type::String)]);
        let loaded = warehouse().loaded(&csv_options(newlines.clone(), &columns), writer.into_inner().unwrap());
        let cells: Vec<Vec<Value>> = rows.iter().map(|row| row.iter().map(|cell| text(cell)).collect()).collect();
        prop_assert_eq!(loaded, cells);

        let warehouse = warehouse();
        for mut options in [csv_options(newlines, &columns), json_options(&columns)] {
            options.target = to("logs.rows", Disposition::Truncate);
            options.max_bad_rows = 3;
            options.autodetect = detect;
            options.fields = (!detect).then(|| columns.clone());
            let _ = warehouse.load_bytes(&options, &noise);
            let _ = warehouse.load_bytes(&options, gzip(&noise));
        }
    }

    #[test]
    fn any_json_loads_without_a_panic(value in "[\\[\\]{}\",:a01.e \\\\-]{0,40}") {
        let person = Type::Struct(vec![Field::new("a", array_of(Type::Json)), required_field("b", Type::Float)]);
        let columns = fields(&[("a", person.clone()), ("b", array_of(person))]);
        let warehouse = warehouse();
        for row in [format!("{{\"a\": {value}, \"b\": [{value}]}}"), value] {
            let _ = warehouse.load_bytes(&json_options(&columns), row);
        }
    }
}
