//! A warehouse in a temporary folder, with helpers to load files.

use std::fs;
use std::path::PathBuf;

use rusqlite::types::Value;
use tempfile::TempDir;
use warehouse::files::Files;
use warehouse::load::{Csv, Failed, Format, Loaded, Options, Progress, Source, load};
use warehouse::store::{Disposition, Facts, Start, Store, Target};
use warehouse::{Control, Field, TableName, Type};

pub struct Warehouse {
    pub folder: TempDir,
    pub store: Store,
}

/// Creates a warehouse with the datasets `logs` and `other`.
pub fn warehouse() -> Warehouse {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for dataset in ["logs", "other"] {
        let id = table(&format!("{dataset}.x")).dataset;
        store.create_dataset(&id, &Facts::default()).unwrap();
    }
    Warehouse { folder, store }
}

pub fn table(name: &str) -> TableName {
    let (dataset, table) = name.split_once('.').unwrap();
    TableName::parse(dataset, table).unwrap()
}

pub fn to(name: &str, disposition: Disposition) -> Target {
    Target::new(table(name), disposition)
}

pub fn csv() -> Csv {
    Csv::default()
}

/// Returns options that load CSV with these columns into `logs.rows`.
pub fn csv_options(csv: Csv, fields: &[Field]) -> Options {
    let mut options = Options::new(to("logs.rows", Disposition::Append), Format::Csv(csv));
    options.fields = Some(fields.to_vec());
    options
}

/// Returns options that load JSON with these columns into `logs.rows`.
pub fn json_options(fields: &[Field]) -> Options {
    let mut options = Options::new(to("logs.rows", Disposition::Append), Format::Json);
    options.fields = Some(fields.to_vec());
    options
}

pub fn fields(columns: &[(&str, Type)]) -> Vec<Field> {
    columns.iter().map(|(name, of)| Field::new(*name, of.clone())).collect()
}

pub fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

impl Warehouse {
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> Source {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Source { name: name.to_owned(), path }
    }

    pub fn load(&self, options: &Options, sources: &[Source]) -> Result<Loaded, Failed> {
        let control = Control::default();
        let progress = Progress::default();
        load(&self.store, options, sources, &control, &progress, |_, _| Ok(()))
    }

    /// Loads one file with these bytes.
    pub fn load_bytes(&self, options: &Options, bytes: impl AsRef<[u8]>) -> Result<Loaded, Failed> {
        self.load(options, &[self.file("data", bytes)])
    }

    /// Loads a file with these bytes and returns the rows of `logs.rows`.
    pub fn loaded(&self, options: &Options, bytes: impl AsRef<[u8]>) -> Vec<Vec<Value>> {
        self.load_bytes(options, bytes).unwrap();
        self.rows("logs.rows")
    }

    /// Loads an invalid file with these bytes and returns the error message.
    pub fn refused(&self, options: &Options, bytes: impl AsRef<[u8]>) -> String {
        self.load_bytes(options, bytes).unwrap_err().fault.message
    }

    pub fn fields(&self, name: &str) -> Vec<Field> {
        self.store.table(&table(name)).unwrap().unwrap().fields
    }

    pub fn rows(&self, name: &str) -> Vec<Vec<Value>> {
        let table = self.store.table(&table(name)).unwrap().unwrap();
        let columns: Vec<usize> = (0..table.fields.len()).collect();
        let (mut rows, mut start) = (Vec::new(), Some(Start::Row(0)));
        while let Some(at) = start {
            let page = self.store.rows(&table, &columns, at, 10_000).unwrap();
            rows.extend(page.rows);
            start = page.next;
        }
        assert_eq!(table.rows, Some(rows.len() as u64));
        rows
    }

    /// Returns the tables and rows of a dataset as text.
    pub fn dump(&self, dataset: &str) -> String {
        let id = table(&format!("{dataset}.x")).dataset;
        self.store
            .tables(&id)
            .unwrap()
            .into_iter()
            .map(|known| {
                let name = known.name.to_string();
                format!("{known:?}\n{:?}\n", self.rows(&name))
            })
            .collect()
    }

    /// Returns the tables of the dataset `logs` as text, without rows.
    pub fn dump_tables(&self) -> String {
        let tables = self.store.tables(&table("logs.x").dataset).unwrap();
        format!("{tables:?}")
    }

    pub fn exports(&self) -> Files {
        Files::of(&self.store)
    }

    /// Returns the path of an exported file. `path` is `bucket/object`.
    pub fn export(&self, path: &str) -> PathBuf {
        self.store.folder().join("exports").join(path)
    }
}
