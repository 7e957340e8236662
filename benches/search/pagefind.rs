//! Pagefind on the same pages. Its program builds the index, its script runs the queries in Node
//! (`pagefind.mjs`).
//!
//! Pagefind indexes the `main` element of item pages without their lists of files. It does not read
//! transcripts.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::first_query::{percentage, row};
use super::known_items::KnownItem;
use super::machine::{first_output_line, folder_size};
use super::measured::{Runs, measure};
use super::site::Site;
use super::table::{group_digits, mebibytes, megabytes, print, seconds};
use super::{Bench, program_path};

/// Maximum number of items for Pagefind, which uses 270 KB of memory per item.
const MAX_ITEMS: usize = 30_000;

/// Prints the table of Pagefind, if Pagefind is installed.
pub fn run(bench: &Bench, site: &Site, known: &[KnownItem]) {
    let program = program_path("PAGEFIND", "pagefind");
    let Some(version) = first_output_line(Command::new(&program).arg("--version")) else {
        println!("\nPagefind is not on this machine.");
        return;
    };
    if bench.items > MAX_ITEMS {
        println!("\n{version} is not run: it would need too much memory.");
        return;
    }
    let bundle = bench.place.join("pagefind");
    let mut command = Command::new(&program);
    command.arg("--site").arg(site.public());
    command.arg("--output-path").arg(&bundle);
    command.args(["--glob", "i/*/index.html"]);
    command.args(["--root-selector", "main"]);
    command.args(["--exclude-selectors", ".facts, .rail"]);
    let mut runs = Runs::default();
    for _ in 0..bench.runs {
        let _ = std::fs::remove_dir_all(&bundle);
        runs.push(measure(&command));
    }
    println!("\n{version}, on the same pages, without transcripts");
    let (files, bytes) = folder_size(&bundle);
    let (fragments, of_fragments) = folder_size(&bundle.join("fragment"));
    print(
        &["Pagefind", "measured"],
        &[
            ("time after the build", seconds(runs.wall())),
            ("peak", mebibytes(runs.peak())),
            ("files", group_digits(files)),
            ("bytes", megabytes(bytes)),
            ("– files with the texts of pages", group_digits(fragments)),
            ("– their bytes", megabytes(of_fragments)),
        ]
        .map(|(name, value)| vec![name.to_owned(), value]),
    );
    match run_queries(&bundle, known) {
        Ok(answers) => first_queries(&answers, known),
        Err(error) => println!("\nIts script cannot be asked: {error}"),
    }
}

/// Runs the queries and returns what Pagefind's script fetched and found for each query.
fn run_queries(bundle: &Path, known: &[KnownItem]) -> Result<Vec<Value>, String> {
    let queries: Vec<&str> = known.iter().map(|item| item.query.as_str()).collect();
    let file = bundle.join("queries.json");
    std::fs::write(&file, json!(queries).to_string()).map_err(|error| error.to_string())?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/search/pagefind.mjs");
    let output = Command::new("node").arg(script).arg(bundle).arg(&file).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn first_queries(answers: &[Value], known: &[KnownItem]) {
    let numbers = |field: &str| {
        let numbers = answers.iter().map(|answer| answer[field].as_u64());
        numbers.map(Option::unwrap_or_default).collect()
    };
    let mut rows = vec![
        row("bytes of its script and program", numbers("program"), ""),
        row("bytes of the index", numbers("index"), ""),
        row("bytes of ten results", numbers("results"), ""),
        row("bytes in all", numbers("all"), ""),
        row("fetches", numbers("fetches"), ""),
    ];
    let found = answers.iter().zip(known).filter(|(answer, item)| {
        let first = answer["first"].as_array().into_iter().flatten();
        let mut first = first.filter_map(Value::as_str);
        first.any(|path| path == item.path)
    });
    rows.push(vec![
        "the item is among the first three".to_owned(),
        percentage(found.count(), answers.len()),
        String::new(),
        String::new(),
    ]);
    print(&["Pagefind, first query", "median", "most", ""], &rows);
}
