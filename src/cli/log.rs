//! `feedwright log`: prints the journal of writes.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::{Failure, table, when};
use model::terminal::escape_json;
use state::{JournalEntry, JournalQuery, State};

/// The arguments of `log`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright log --since 7d
  feedwright log --subject content/items/harbour-walk.md")]
pub struct Arguments {
    /// Number of newest entries to print [default: all]
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,
    /// Earliest time, such as 2026-04-01T12:00, or 7d before now
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// ID or file that the entries are about
    #[arg(long, value_name = "ID|PATH")]
    subject: Option<String>,
    /// Print one JSON object per entry on standard output
    #[arg(long)]
    json: bool,
}

/// Prints the journal, oldest entries first.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let since = arguments.since.as_deref();
    let since = since
        .map(|text| when::ago(text, Timestamp::now()))
        .transpose()
        .map_err(|error| Failure::Usage(format!("--since: {error}")))?;
    let state = State::open(root)?;
    let entries = state.journal(JournalQuery {
        limit: arguments.limit,
        since,
        subject: arguments.subject.as_deref(),
        ..JournalQuery::default()
    })?;
    let keys = state.keys()?;
    let names: HashMap<&str, &str> =
        keys.iter().map(|key| (key.id.as_str(), key.name.as_str())).collect();
    let name = |entry: &JournalEntry| names.get(entry.key_id.as_str()).copied();
    if arguments.json {
        let _ = write_json(&entries, name);
        return Ok(());
    }
    let zone = TimeZone::system();
    let rows: Vec<Vec<String>> =
        entries.iter().map(|entry| row(entry, name(entry), &zone)).collect();
    table::print(&rows);
    Ok(())
}

fn row(entry: &JournalEntry, key: Option<&str>, zone: &TimeZone) -> Vec<String> {
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let time = entry.time.to_zoned(zone.clone());
    vec![
        time.strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string(),
        entry.operation.clone(),
        entry.subject.clone(),
        or_dash(&entry.path),
        key.unwrap_or(&entry.key_id).to_owned(),
        or_dash(&entry.causation),
        or_dash(&entry.correlation),
    ]
}

fn write_json<'k>(
    entries: &[JournalEntry],
    key_name: impl Fn(&JournalEntry) -> Option<&'k str>,
) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for entry in entries {
        let line = json!({
            "time": format!("{:.3}", entry.time),
            "time_ms": entry.time.as_millisecond(),
            "operation": entry.operation,
            "subject": entry.subject,
            "path": entry.path,
            "key_id": entry.key_id,
            "key_name": key_name(entry),
            "causation": entry.causation,
            "correlation": entry.correlation,
        });
        writeln!(out, "{}", escape_json(&line.to_string()))?;
    }
    out.flush()
}
