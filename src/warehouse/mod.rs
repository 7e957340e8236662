//! The warehouse: tables that programs fill, the site's own beside them, and SQL over both.
//!
//! A dataset is a SQLite database in `.feedwright/warehouse/`. Statements arrive in the warehouse's SQL;
//! [`sql`] binds them to tables and types and says them in SQLite's. This room knows nothing of HTTP and of
//! jobs: the `jobs` room is the API over it, and `feedwright stats` uses it without a server.

mod control;
pub mod copy;
pub mod downloads;
pub mod engine;
mod error;
pub mod export;
pub mod exports;
pub mod load;
mod name;
pub mod schema;
pub mod site;
pub mod sql;
pub mod store;
mod types;
pub mod value;

pub use control::{Control, Stop};
pub use error::{Fault, Reason};
pub use name::{DatasetId, TableId, TableName};
pub use store::Store;
pub use types::{Field, Type};
