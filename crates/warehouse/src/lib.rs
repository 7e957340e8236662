//! A data warehouse in a folder, with tables that programs fill and query with SQL.
//!
//! ```
//! use jiff::Timestamp;
//! use rusqlite::types::Value;
//! use warehouse::engine::{Done, Engine, Request};
//! use warehouse::load::{Csv, Format, Options, Progress, Source, load};
//! use warehouse::sql::{Parameters, Session};
//! use warehouse::store::{Disposition, Facts, Start, Target};
//! use warehouse::{Control, DatasetId, Store, TableName};
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(folder.path())?;
//! store.create_dataset(&DatasetId::parse("show")?, &Facts::new(Timestamp::now()))?;
//!
//! let path = folder.path().join("plays.csv");
//! std::fs::write(&path, "episode,plays\nfirst,3\nsecond,5\n")?;
//! let plays = Target::new(TableName::parse("show", "plays")?, Disposition::Append);
//! let options = Options { autodetect: true, ..Options::new(plays, Format::Csv(Csv::default())) };
//! let source = Source { name: "plays.csv".into(), path };
//! let control = Control::default();
//! let loaded = load(&store, &options, &[source], &control, &Progress::default(), |_, _| Ok(()))?;
//! assert_eq!(loaded.rows, 2);
//!
//! let session = Session {
//!     project: "example".into(),
//!     dataset: Some(DatasetId::parse("show")?),
//!     parameters: Parameters::None,
//!     now: Timestamp::now(),
//! };
//! // The rows of a query are written to a table, here in a hidden dataset.
//! let result = TableName { dataset: DatasetId::of_job("sum"), ..TableName::parse("show", "rows")? };
//! let outcome = Engine { store: &store, live: &() }.run(&Request {
//!     text: "SELECT SUM(plays) FROM plays WHERE STARTS_WITH(episode, 'f')",
//!     session: &session,
//!     target: &Target::new(result, Disposition::Empty),
//!     job: "sum",
//!     may_write: false,
//!     control: &control,
//! })?;
//! let Done::Rows(table) = outcome.done else { panic!("a query gives rows") };
//! let page = store.rows(&table, &[0], Start::Row(0), 100)?;
//! assert_eq!(page.rows, [[Value::Integer(3)]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. A [`Store`] contains datasets. Each dataset is an SQLite file with tables and views
//!    ([`store`]).
//! 2. [`load`](load::load) reads CSV and JSON files into a table, [`export`] writes a table to
//!    files, and [`copy`](copy::copy) copies tables into another table. [`files`] maps the
//!    addresses of files to paths.
//! 3. [`sql`] parses statements in BigQuery's dialect, binds them to tables and types, and translates
//!    them to SQLite's SQL.
//! 4. An [`Engine`](engine::Engine) runs the statements on the tables of the store and on [live
//!    tables](engine::LiveTables). The calling program produces the rows of live tables when a
//!    statement reads them.
//!
//! # Invariants
//!
//! - The crate is independent of sites, HTTP and jobs.
//! - Every change is a single transaction in one dataset. Even if the program crashes, the change
//!   is applied completely or not at all.
//! - Memory use is bounded for every file and statement, and a [`Control`] can stop all work.
//! - Every error is a [`Fault`], which contains the kind and location of the problem, and how to
//!   fix it.

#![warn(unreachable_pub)]

mod control;
pub mod copy;
pub mod engine;
mod error;
pub mod export;
pub mod files;
mod float;
pub mod load;
mod name;
pub mod schema;
pub mod sql;
pub mod store;
mod types;
pub mod value;

pub use control::{Control, Stop};
pub use error::{Fault, Reason};
pub use name::{DatasetId, TableId, TableName};
pub use store::Store;
pub use types::{Field, Type};
