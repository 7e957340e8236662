//! Statements are untrusted text: no input panics or takes long, and every fault ends with a place in the query.
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use warehouse::sql::{self, Catalog, CatalogEntry, Parameters, Session};
use warehouse::{DatasetId, Fault, Field, TableName, Type};

/// One table, whatever it is called.
struct SingleTableCatalog;

impl Catalog for SingleTableCatalog {
    fn find(&self, _: &TableName) -> Result<Option<CatalogEntry>, Fault> {
        let tags = Type::Array(Box::new(Type::Struct(vec![Field::new("x", Type::Float)])));
        Ok(Some(CatalogEntry::Table {
            sql: "\"t\"".into(),
            fields: vec![
                Field::new("a", Type::Integer),
                Field::new("b", Type::String),
                Field::new("c", Type::Json),
                Field::new("d", Type::Date),
                Field::new("e", tags),
            ],
        }))
    }
}

fuzz_target!(|text: &str| {
    let session = Session {
        project: "p".into(),
        dataset: Some(DatasetId::site()),
        parameters: Parameters::None,
        now: Timestamp::UNIX_EPOCH,
    };
    if let Err(fault) = sql::bind(text, &session, &SingleTableCatalog) {
        assert!(fault.message.contains(" at ["), "{fault}");
        assert!(fault.message.ends_with(']'), "{fault}");
    }
});
