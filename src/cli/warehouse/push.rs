//! `feedwright warehouse push`: sends a table to a warehouse service.

use std::fs::{self, File};
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use serde_json::json;
use warehouse::export::{Compression, Format, Options, export_table};
use warehouse::files::{Address, Files};
use warehouse::store::{Kind, no_table};
use warehouse::{Control, DatasetId, Fault, Field, TableName};

use crate::Failure;
use crate::output::{print_json, say};
use project::read_snapshot;
use state::State;
use tables::{SiteTables, open_warehouse};
use warehouse_api::upstream::{Destination, Service};

/// The environment variable that contains a token for the service.
const TOKEN: &str = "FEEDWRIGHT_WAREHOUSE_TOKEN";

/// The arguments of `push`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright warehouse push items --to my-project.podcast.items
  feedwright warehouse push downloads --to my-project.podcast.downloads")]
pub struct Arguments {
    /// Table of the site, such as items, or DATASET.TABLE
    table: String,
    /// Target table, in an existing dataset, whose rows are replaced
    #[arg(long, value_name = "PROJECT.DATASET.TABLE")]
    to: String,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Sends a table to the service.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let wrong = |fault: Fault| Failure::Usage(fault.message);
    let to = Destination::parse(&arguments.to).map_err(wrong)?;
    let name = table(&arguments.table).map_err(wrong)?;
    let token = std::env::var(TOKEN).unwrap_or_default();
    if token.trim().is_empty() {
        let message = format!(
            "the environment variable {TOKEN} is not set: set it to an access token for the service"
        );
        return Err(Failure::Usage(message));
    }
    let state = State::open(&root).map_err(|error| Failure::Usage(error.to_string()))?;
    let store = open_warehouse(&root)?;
    let options = crate::options(root)?;
    let snapshot = &read_snapshot(&options);
    let upstream = snapshot.config.upstream.as_ref().ok_or_else(|| {
        Failure::Usage(
            "site.toml has no warehouse service: add [warehouse] with upstream = \"https://…\""
                .into(),
        )
    })?;
    let tables = SiteTables {
        snapshot,
        state: &state,
        store: &store,
        root: &options.root,
        now: Timestamp::now(),
    };
    let (rows, fields) = exported_table(&tables, &name)?;
    let service = Service { upstream, token: token.trim() };
    let file = File::open(&rows.0).map_err(Fault::internal)?;
    let pushed = service.push(file, &fields, &to, |state| say!("the job is {state}"))?;
    say!("{} now has {} rows", arguments.to, pushed.rows);
    if arguments.json {
        print_json(&json!({ "job": pushed.job, "rows": pushed.rows, "table": arguments.to }));
    }
    Ok(())
}

/// Parses a table name. A name without a dataset refers to a table of the site.
fn table(text: &str) -> Result<TableName, Fault> {
    let (dataset, table) = text.split_once('.').unwrap_or((DatasetId::SITE, text));
    TableName::parse(dataset, table)
}

/// A file that is deleted on drop.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        // If the folder is empty now, remove it too.
        let _ = self.0.parent().map_or(Ok(()), fs::remove_dir);
    }
}

/// Exports the rows of a table as gzipped JSON lines. Returns the file and the columns of the
/// table.
fn exported_table(
    tables: &SiteTables<'_>,
    name: &TableName,
) -> Result<(TemporaryFile, Vec<Field>), Fault> {
    let (store, control) = (tables.store, Control::default());
    let object = format!("gs://push/{}.json.gz", std::process::id());
    let address = Address::parse(&object)?;
    let options =
        Options { compression: Compression::Gzip, ..Options::new(address.clone(), Format::Json) };
    let stored = store.table(name)?;
    let fields = match stored {
        Some(table) if matches!(table.kind, Kind::Stored { .. }) => {
            export_table(store, name, &options, &control)?;
            table.fields
        }
        Some(_) => {
            return Err(Fault::invalid(format!(
                "{name} is a view, which cannot be pushed; create a table from it with CREATE TABLE … AS SELECT, and push the table"
            )));
        }
        None if name.dataset.as_str() == DatasetId::SITE => {
            tables.export(name, &options, &control)?.0.fields
        }
        None => return Err(no_table(name)),
    };
    let mut files = Files::of(store).find(&address)?;
    match files.pop() {
        Some((_, file)) => Ok((TemporaryFile(file), fields)),
        None => Err(Fault::internal("the export did not write a file")),
    }
}
