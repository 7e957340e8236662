//! Times of feedwright, compared with other generators on this machine:
//! `cargo bench --bench speed [-- ITEMS… --quick --only builds|changes|serve]`.
//!
//! Writes equal sites for feedwright and for each of Hugo, Zola, Blades and Eleventy that is on
//! `PATH` or in an environment variable (`HUGO=…/hugo`). Builds the sites alternately within one
//! run. Two baselines run as well: a copy of the output (`cp -r`), and a bare loop that only reads
//! the files, converts the Markdown to HTML and writes it. Prints Markdown tables of medians. Times
//! on a shared machine are noisy, so compare the ratios.
//!
//! Every site has a page for each item (4.6 KB of Markdown), a feed of 300 texts and a sitemap. Home
//! and tag pages list twenty titles each. The cases:
//!
//! - *Default output*: everything that feedwright writes without settings.
//! - *Equal work*: without output that the other generators lack: `[feed] archive = false`, no
//!   `item_json`, `item_rss`, `search` or coloured code. All redirects are in one file. Metadata in
//!   each page's head and the second feed cannot be omitted.
//! - *Built again*: changes the site and rebuilds its default output. `right after a save` measures
//!   the second build after a change.
//!
//! Blades differs: it writes `item-5.html` instead of folders, colours code, and its feed has all
//! titles but no texts.
//!
//! `FEEDWRIGHT=…` measures another build of the program. `--dir DIR` uses a folder other than the
//! in-memory file system.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bare_loop;
mod builds;
#[path = "../corpus/change.rs"]
mod change;
mod changes;
#[path = "../corpus/mod.rs"]
mod corpus;
mod generators;
mod machine;
mod measured;
#[path = "../corpus/queries.rs"]
mod queries;
mod served;
mod table;

use std::path::PathBuf;

use corpus::words;
use generators::Generator;

/// Settings of a run: the site's size, the number of runs, the limits and the generators.
struct Bench {
    items: usize,
    runs: usize,
    /// Seconds after which a generator is not run again for the same case.
    time_limit: f64,
    /// Folder for the generated sites.
    place: PathBuf,
    generators: Vec<Generator>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(measured::CHILD) => return measured::child(&arguments[1..]),
        Some(bare_loop::CHILD) => return bare_loop::run(&arguments[1..]),
        _ => {}
    }
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let only = value("--only");
    let is_quick = arguments.iter().any(|argument| argument == "--quick");
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
    if sizes.is_empty() {
        sizes.push(10_000);
    }
    let place = value("--dir").map_or_else(machine::place, PathBuf::from);
    let place = place.join(format!("feedwright-bench-{}", std::process::id()));
    let _remover = Remover(place.clone());
    let generators = Generator::installed();
    println!("{}\n", machine::description(&place));
    for generator in &generators {
        println!("- {}: {}", generator.name(), generator.version);
    }
    for items in sizes {
        let bench = Bench {
            items,
            runs: if is_quick { 3 } else { 5 },
            time_limit: if is_quick { 10.0 } else { f64::INFINITY },
            place: place.clone(),
            generators: generators.clone(),
        };
        println!("\n## {} items", table::group_digits(items as u64));
        let is_wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
        if is_wanted("builds") {
            builds::run(&bench);
        }
        if is_wanted("changes") {
            changes::run(&bench);
        }
        if is_wanted("serve") {
            served::run(&bench);
        }
    }
}

/// A guard that removes the folder on drop, also after a panic.
struct Remover(PathBuf);

impl Drop for Remover {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
