//! `feedwright fetch`: loads feeds from elsewhere into `content/planet/`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::Failure;
use super::output::{Bar, count, print_json, say};
use builder::Progress;
use import::planet::{FetchedFeed, Run, fetch, unlisted_files};
use project::read_config;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright fetch
  feedwright fetch --json")]
pub struct Arguments {
    /// Maximum seconds to wait for data from a server
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Loads all feeds. Fails if a feed could not be loaded.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let options = super::options(root)?;
    let (root, now) = (&*options.root, options.visibility.now);
    let (config, report) = read_config(&options);
    if report.has_errors() {
        return Err(super::output::fail(report, arguments.json));
    }
    let bar = Bar::new();
    bar.phase("Fetching", config.aggregate.len());
    let fetched = fetch(&Run {
        root,
        config: &config,
        timeout: Duration::from_secs(arguments.timeout),
        now,
        done: &|| bar.tick(),
    });
    bar.finish();
    let fetched = fetched.map_err(Failure::Usage)?;
    let has_failed = fetched.iter().any(|one| one.error.is_some());
    if arguments.json {
        let feeds: Vec<Value> = fetched.iter().map(as_json).collect();
        print_json(&json!({ "ok": !has_failed, "feeds": feeds }));
    } else {
        fetched.iter().for_each(print);
        if fetched.is_empty() {
            say!("Nothing to fetch: add the feeds to site.toml, each below [[aggregate]]");
        }
    }
    for file in unlisted_files(root, &config) {
        say!("{file} belongs to no feed in site.toml: delete it");
    }
    if has_failed { Err(Failure::Errors) } else { Ok(()) }
}

fn as_json(one: &FetchedFeed) -> Value {
    json!({
        "feed": one.feed,
        "file": one.file,
        "items": one.items,
        "new": one.new_items,
        "written": one.is_written,
        "notes": one.notes,
        "error": one.error,
    })
}

fn print(one: &FetchedFeed) {
    match &one.error {
        Some(error) => {
            say!("error: {error}\n  help: try again later; the items fetched before are kept")
        }
        None if one.is_written => {
            let new = count(one.new_items, "new item", "new items");
            say!("{}: {new}, {} in {}", one.feed, one.items, one.file);
        }
        None => say!("{}: unchanged", one.feed),
    }
    for note in &one.notes {
        say!("  {note}");
    }
}
