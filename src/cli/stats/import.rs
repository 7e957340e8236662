//! `feedwright stats import`: imports access logs.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};
use warehouse::{Control, Fault};

use super::{Failure, open};
use crate::output::{Bar, print_json, say};
use builder::Progress;
use stats::log::Format;
use stats::{Imported, import};

/// The arguments of `stats import`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright stats import access.log*
  feedwright stats import --format json cdn.log.gz")]
pub struct Arguments {
    /// Access logs, plain or gzip, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    logs: Vec<PathBuf>,
    /// Log format: combined, common, json, w3c or cloudfront [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<Format>,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

fn format(name: &str) -> Result<Format, String> {
    Format::parse(name).ok_or_else(|| {
        let names = Format::NAMES.map(|(name, _)| name).join(", ");
        format!("must be one of {names}")
    })
}

/// Imports logs. Each log is imported completely or not at all. If a log cannot be read, the
/// remaining logs are still imported.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let (store, episodes) = open(root)?;
    let mut reports = Vec::new();
    let mut failed = Ok(());
    for path in &arguments.logs {
        let name = name(path);
        let bar = Bar::new();
        let done = input(path, &name, &bar).and_then(|log| {
            let control = Control::default();
            import(&store, &name, log, arguments.format, &episodes, &control)
        });
        bar.finish();
        match done {
            Ok(done) if arguments.json => reports.push(report(path, &done)),
            Ok(done) => say(path, &done),
            Err(fault) if arguments.json => {
                let path = path.to_string_lossy();
                reports.push(json!({ "log": path, "ok": false, "error": fault.message }));
                failed = Err(Failure::Errors);
            }
            Err(fault) => failed = Err(fault.into()),
        }
    }
    if arguments.json {
        print_json(&Value::Array(reports));
    }
    failed
}

/// Returns the name that identifies a log: its file name without the folder, because the log may be
/// moved to another folder later.
fn name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy())
        .into_owned()
}

fn input<'b>(path: &Path, name: &str, bar: &'b Bar) -> Result<Box<dyn Read + Send + 'b>, Fault> {
    let fault = |error: io::Error| {
        Fault::invalid(format!("the log cannot be read: {error}")).at(path.display().to_string())
    };
    if name == "-" {
        return Ok(Box::new(ProgressReader::new(io::stdin(), bar)));
    }
    let wrong = |message: &str| Err(Fault::invalid(message).at(path.display().to_string()));
    // Check the file type first, because opening a named pipe would block.
    let facts = fs::metadata(path).map_err(fault)?;
    if facts.is_dir() {
        return wrong("this is a folder: pass the log files in it");
    }
    if !facts.is_file() {
        return wrong(
            "this is not a regular file: pipe the log to standard input, and pass - as the file",
        );
    }
    let file = File::open(path).map_err(fault)?;
    bar.phase("Reading the log, MiB", megabytes(facts.len()));
    Ok(Box::new(ProgressReader::new(file, bar)))
}

fn megabytes(bytes: u64) -> usize {
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX)
}

/// A reader that advances a progress bar by one step for each mebibyte read.
struct ProgressReader<'b, R> {
    inner: R,
    bar: &'b Bar,
    bytes: Cell<u64>,
}

impl<'b, R> ProgressReader<'b, R> {
    fn new(inner: R, bar: &'b Bar) -> Self {
        Self { inner, bar, bytes: Cell::new(0) }
    }
}

impl<R: Read> Read for ProgressReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let before = self.bytes.get();
        let after = before + read as u64;
        self.bytes.set(after);
        for _ in megabytes(before)..megabytes(after) {
            self.bar.tick();
        }
        Ok(read)
    }
}

fn say(path: &Path, done: &Imported) {
    let path = path.display();
    if done.lines == 0 {
        let why = match done.known {
            0 => "the log is empty",
            _ => "it was already imported",
        };
        say!("{path}: nothing new, {why}");
    } else {
        let bad = match done.bad {
            0 => String::new(),
            bad => format!(", {bad} invalid"),
        };
        let known = match done.known {
            0 => String::new(),
            known => format!("; {known} were already imported"),
        };
        say!(
            "{path}: {} lines, {} requests for media, {} for other files{bad}{known}",
            done.lines,
            done.kept,
            done.skipped
        );
    }
    for complaint in &done.unreadable_lines {
        say!("  line {}: {}", complaint.line, complaint.reason);
    }
    if done.is_unfinished {
        say!("  the last line is incomplete: import the log again when the line is complete");
    }
}

fn report(path: &Path, done: &Imported) -> Value {
    let time =
        |micros: i64| Timestamp::from_microsecond(micros).ok().map(|time| format!("{time:.3}"));
    let unreadable_lines = done.unreadable_lines.iter();
    json!({
        "log": path.to_string_lossy(),
        "ok": true,
        "lines": done.lines,
        "media_requests": done.kept,
        "other_requests": done.skipped,
        "unreadable": done.bad,
        "known_lines": done.known,
        "last_line_unfinished": done.is_unfinished,
        "first": done.span.and_then(|(first, _)| time(first)),
        "last": done.span.and_then(|(_, last)| time(last)),
        "complaints": unreadable_lines
            .map(|complaint| json!({ "line": complaint.line, "reason": complaint.reason }))
            .collect::<Vec<_>>(),
    })
}
