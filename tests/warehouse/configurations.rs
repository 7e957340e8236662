//! What the configurations of load, extract and copy jobs come to, and what they may not say.

use feedwright::api::warehouse::Grants;
use feedwright::api::warehouse::configuration::{Configuration, Origin, Work};
use serde_json::{Value, json};
use warehouse::export;
use warehouse::load::{Csv, Encoding, Format};
use warehouse::store::Disposition;
use warehouse::{Fault, Reason, Type};

const NO_GRANTS: Grants =
    Grants { reads_tables: false, writes_tables: false, reads_files: false, writes_files: false };

fn table(dataset: &str, table: &str) -> Value {
    json!({ "projectId": "site", "datasetId": dataset, "tableId": table })
}

/// `base` with the members of `more`.
fn merge(base: Value, more: Value) -> Value {
    let mut all = base;
    for (name, value) in more.as_object().unwrap() {
        all[name] = value.clone();
    }
    all
}

fn load(more: Value) -> Value {
    let base = json!({ "destinationTable": table("logs", "rows"), "sourceUris": ["gs://b/o"] });
    json!({ "load": merge(base, more) })
}

fn extract(more: Value) -> Value {
    let base = json!({ "sourceTable": table("logs", "rows"), "destinationUris": ["gs://b/o"] });
    json!({ "extract": merge(base, more) })
}

fn copy(more: Value) -> Value {
    let base = json!({ "destinationTable": table("logs", "all"), "sourceTables": [table("logs", "rows")] });
    json!({ "copy": merge(base, more) })
}

fn read(json: &Value, has_data: bool) -> Result<Work, Fault> {
    let origin = Origin { project: "site", job: "job", has_data };
    Configuration::read(json, origin).map(|read| read.work)
}

fn csv_options(json: &Value) -> Csv {
    match read(json, false).unwrap() {
        Work::Load(work) => match work.options.format {
            Format::Csv(csv) => csv,
            Format::Json => panic!("JSON"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_load_defaults_to_appending_csv() {
    let Work::Load(work) = read(&load(json!({})), false).unwrap() else {
        panic!("no load");
    };
    let options = &work.options;
    assert_eq!(options.target.disposition, Disposition::Append);
    assert!(options.target.create && !options.autodetect && !options.ignore_unknown);
    assert_eq!((options.fields.is_none(), options.max_bad_rows), (true, 0));
    assert_eq!(options.format, Format::Csv(Csv::default()));
    assert_eq!(work.addresses[0].to_string(), "gs://b/o");
}

#[test]
fn every_load_option_is_applied() {
    let Work::Load(work) = read(
        &load(json!({
            "sourceFormat": "NEWLINE_DELIMITED_JSON",
            "createDisposition": "CREATE_NEVER",
            "writeDisposition": "WRITE_TRUNCATE",
            "schema": { "fields": [{ "name": "n", "type": "INT64", "mode": "REPEATED" }] },
            "autodetect": "true",
            "maxBadRecords": "7",
            "ignoreUnknownValues": true,
            "schemaUpdateOptions": ["ALLOW_FIELD_ADDITION", "ALLOW_FIELD_RELAXATION"],
            "timeZone": "Europe/Paris",
            "destinationTableProperties": { "description": "d", "friendlyName": "f", "labels": { "a": "b" } },
            "timePartitioning": { "type": "DAY" },
            "clustering": { "fields": ["n"] },
            "columnNameCharacterMap": "V2",
            "somethingNew": 1,
        })),
        false,
    )
    .unwrap() else {
        panic!("no load");
    };
    let options = &work.options;
    assert_eq!(options.format, Format::Json);
    assert_eq!(options.target.disposition, Disposition::Truncate);
    assert!(!options.target.create && options.autodetect && options.ignore_unknown);
    let of = &options.fields.as_ref().unwrap()[0].of;
    assert_eq!(*of, Type::Array(Box::new(Type::Integer)));
    assert_eq!(options.max_bad_rows, 7);
    assert!(options.updates.adds && options.updates.relaxes);
    assert_eq!(options.zone.iana_name(), Some("Europe/Paris"));
    assert_eq!(work.facts.description.as_deref(), Some("d"));
    assert_eq!(work.facts.labels["a"], "b");
    assert_eq!(
        Value::Object(work.facts.layout),
        json!({ "timePartitioning": { "type": "DAY" }, "clustering": { "fields": ["n"] } })
    );
}

#[test]
fn every_csv_option_is_applied() {
    let csv = csv_options(&load(json!({
        "fieldDelimiter": "\\t", "quote": "", "skipLeadingRows": "2", "allowQuotedNewlines": true,
        "allowJaggedRows": true, "nullMarker": "\\N", "encoding": "iso-8859-1",
        "preserveAsciiControlCharacters": true, "sourceColumnMatch": "NAME",
    })));
    let all = Csv {
        delimiter: Some(b'\t'),
        quote: None,
        quoted_newlines: true,
        jagged: true,
        null_markers: vec!["\\N".into()],
        skip: Some(2),
        by_name: true,
        encoding: Encoding::Latin1,
        control_characters: true,
    };
    assert_eq!(csv, all);
    let csv = csv_options(&load(json!({ "nullMarkers": ["", "-"], "sourceColumnMatch": "NAME" })));
    assert_eq!((csv.null_markers.len(), csv.skip), (2, Some(1)));
}

#[test]
fn unsupported_load_options_are_errors_at_their_field() {
    let cases = [
        (json!({ "sourceFormat": "PARQUET" }), "sourceFormat", "use CSV or NEWLINE_DELIMITED_JSON"),
        (json!({ "sourceUris": ["file:///etc/passwd"] }), "sourceUris", "it must begin with gs://"),
        (json!({ "sourceUris": ["gs://b/../x"] }), "sourceUris", "begins with a dot"),
        (json!({ "sourceUris": [] }), "sourceUris", "upload data with the job"),
        (
            json!({ "writeDisposition": "WRITE_SOMEHOW" }),
            "writeDisposition",
            "must be one of WRITE_EMPTY",
        ),
        (json!({ "fieldDelimiter": "||" }), "fieldDelimiter", "must be one ASCII character"),
        (json!({ "quote": "\n" }), "quote", "must be one ASCII character"),
        (json!({ "encoding": "UTF-16LE" }), "encoding", "UTF-8 or ISO-8859-1"),
        (json!({ "maxBadRecords": -1 }), "maxBadRecords", "must be at least 0"),
        (json!({ "skipLeadingRows": "x" }), "skipLeadingRows", "must be a whole number"),
        (
            json!({ "skipLeadingRows": 0, "sourceColumnMatch": "NAME" }),
            "skipLeadingRows",
            "by the header",
        ),
        (json!({ "nullMarker": "-", "nullMarkers": ["x"] }), "nullMarkers", "not both"),
        (
            json!({ "schemaUpdateOptions": ["ALLOW_ALL"] }),
            "schemaUpdateOptions",
            "must be one of ALLOW_FIELD_ADDITION",
        ),
        (json!({ "timeZone": "Mars/Olympus" }), "timeZone", "unknown time zone"),
        (json!({ "dateFormat": "DD.MM.YYYY" }), "dateFormat", "write dates as 2026-11-21"),
        (
            json!({ "destinationEncryptionConfiguration": { "kmsKeyName": "k" } }),
            "destinationEncryptionConfiguration",
            "not encrypted",
        ),
        (
            json!({ "hivePartitioningOptions": { "mode": "AUTO" } }),
            "hivePartitioningOptions",
            "not supported",
        ),
        (json!({ "createSession": true }), "createSession", "sessions are not supported"),
        (
            json!({ "sourceFormat": "NEWLINE_DELIMITED_JSON", "encoding": "ISO-8859-1" }),
            "encoding",
            "must be UTF-8 for JSON",
        ),
    ];
    for (more, field, message) in cases {
        let fault = read(&load(more), false).unwrap_err();
        assert_eq!(
            fault.location.as_deref(),
            Some(format!("configuration.load.{field}").as_str()),
            "{fault}"
        );
        assert!(fault.message.contains(message), "{fault}");
    }
    let fault =
        read(&load(json!({ "destinationTable": table("site", "items") })), false).unwrap_err();
    assert_eq!(fault.reason, Reason::AccessDenied);
    let fault = read(&load(json!({})), true).unwrap_err();
    assert!(fault.message.contains("must be empty"), "{fault}");
    let fault =
        read(&load(json!({ "schema": { "fields": [{ "name": "a" }] } })), false).unwrap_err();
    assert_eq!(fault.location.as_deref(), Some("configuration.load.schema.fields[0]"));
}

#[test]
fn an_extract_has_destination_and_format() {
    let Work::Extract(work) = read(&extract(json!({})), false).unwrap() else {
        panic!("no extract");
    };
    assert_eq!(work.options.format, export::Format::Csv { delimiter: b',', header: true });
    assert_eq!(work.options.compression, export::Compression::None);
    let all = json!({ "destinationFormat": "CSV", "compression": "GZIP", "printHeader": "false", "fieldDelimiter": "tab" });
    let Work::Extract(work) = read(&extract(all), false).unwrap() else {
        panic!("no extract");
    };
    assert_eq!(work.options.format, export::Format::Csv { delimiter: b'\t', header: false });
    assert_eq!(work.options.compression, export::Compression::Gzip);
    for (more, field) in [
        (json!({ "destinationFormat": "AVRO" }), "destinationFormat"),
        (json!({ "compression": "SNAPPY" }), "compression"),
        (json!({ "destinationUris": ["gs://b/a", "gs://b/c"] }), "destinationUris"),
        (json!({ "destinationUris": [] }), "destinationUris"),
        (json!({ "destinationUris": ["gs://b/.x"] }), "destinationUris"),
        (json!({ "sourceModel": {} }), "sourceModel"),
        (json!({ "sourceTable": null }), "sourceTable"),
    ] {
        let fault = read(&extract(more), false).unwrap_err();
        assert_eq!(
            fault.location.as_deref(),
            Some(format!("configuration.extract.{field}").as_str()),
            "{fault}"
        );
    }
}

#[test]
fn a_copy_has_source_and_destination_tables() {
    let Work::Copy(work) = read(&copy(json!({ "operationType": "COPY" })), false).unwrap() else {
        panic!("no copy");
    };
    assert_eq!(work.target.disposition, Disposition::Empty);
    assert_eq!(work.sources[0].to_string(), "logs.rows");
    let one = json!({ "sourceTables": null, "sourceTable": table("logs", "one"), "destinationExpirationTime": "2026-11-21T07:05:00Z" });
    let Work::Copy(work) = read(&copy(one), false).unwrap() else {
        panic!("no copy");
    };
    assert_eq!(work.sources[0].to_string(), "logs.one");
    assert_eq!(work.target.expires, Some("2026-11-21T07:05:00Z".parse().unwrap()));
    for (more, field) in [
        (json!({ "operationType": "SNAPSHOT" }), "operationType"),
        (json!({ "sourceTables": [] }), "sourceTables"),
        (json!({ "sourceTable": table("logs", "one") }), "sourceTables"),
        (json!({ "destinationTable": null }), "destinationTable"),
        (json!({ "destinationExpirationTime": "soon" }), "destinationExpirationTime"),
    ] {
        let fault = read(&copy(more), false).unwrap_err();
        assert_eq!(
            fault.location.as_deref(),
            Some(format!("configuration.copy.{field}").as_str()),
            "{fault}"
        );
    }
}

#[test]
fn each_kind_of_job_needs_its_grants() {
    let uploaded = json!({ "load": { "destinationTable": table("logs", "rows") } });
    let tables = Grants { reads_tables: true, writes_tables: true, ..NO_GRANTS };
    let files = Grants { reads_files: true, writes_files: true, ..NO_GRANTS };
    let reads = Grants { reads_tables: true, reads_files: true, ..NO_GRANTS };
    let cases = [
        (load(json!({})), false, false),
        (uploaded, true, true),
        (extract(json!({})), false, false),
        (copy(json!({})), false, true),
    ];
    for (json, has_data, with_tables) in cases {
        let work = read(&json, has_data).unwrap();
        assert_eq!(work.check(tables).is_ok(), with_tables, "{json}");
        for few in [NO_GRANTS, files, reads] {
            assert_eq!(work.check(few).unwrap_err().reason, Reason::AccessDenied, "{json}");
        }
    }
}

#[test]
fn a_wrongly_typed_field_is_an_error_in_every_job() {
    let query = |more: Value| json!({ "query": merge(json!({ "query": "SELECT 1" }), more) });
    let cases = [
        (merge(query(json!({})), json!({ "labels": 5 })), "configuration.labels"),
        (merge(query(json!({})), json!({ "labels": ["a"] })), "configuration.labels"),
        (merge(query(json!({})), json!({ "labels": { "a": 5 } })), "configuration.labels"),
        (merge(query(json!({})), json!({ "labels": { "a": null } })), "configuration.labels"),
        (merge(query(json!({})), json!({ "dryRun": "yes" })), "configuration.dryRun"),
        (merge(query(json!({})), json!({ "jobTimeoutMs": {} })), "configuration.jobTimeoutMs"),
        (merge(query(json!({})), json!({ "reservation": 5 })), "configuration.reservation"),
        (query(json!({ "priority": 5 })), "configuration.query.priority"),
        (query(json!({ "useQueryCache": "maybe" })), "configuration.query.useQueryCache"),
        (query(json!({ "maximumBytesBilled": "many" })), "configuration.query.maximumBytesBilled"),
        (query(json!({ "parameterMode": [] })), "configuration.query.parameterMode"),
        (query(json!({ "schemaUpdateOptions": [5] })), "configuration.query.schemaUpdateOptions"),
        (load(json!({ "schema": "a:STRING" })), "configuration.load.schema"),
        (load(json!({ "useAvroLogicalTypes": 5 })), "configuration.load.useAvroLogicalTypes"),
        (load(json!({ "decimalTargetTypes": "NUMERIC" })), "configuration.load.decimalTargetTypes"),
        (load(json!({ "parquetOptions": true })), "configuration.load.parquetOptions"),
        (
            load(json!({ "destinationTableProperties": { "labels": "x" } })),
            "configuration.load.destinationTableProperties.labels",
        ),
        (
            load(json!({ "destinationTableProperties": { "labels": { "a": 1 } } })),
            "configuration.load.destinationTableProperties.labels",
        ),
        (
            extract(json!({ "useAvroLogicalTypes": "x" })),
            "configuration.extract.useAvroLogicalTypes",
        ),
        (extract(json!({ "printHeader": [] })), "configuration.extract.printHeader"),
        (copy(json!({ "writeDisposition": 1 })), "configuration.copy.writeDisposition"),
    ];
    for (job, place) in cases {
        let fault = read(&job, false).unwrap_err();
        assert_eq!(fault.reason, Reason::Invalid, "{job}");
        assert_eq!(fault.location.as_deref(), Some(place), "{job}");
    }
}
