//! How long the program takes, beside other generators that are on this machine:
//! `cargo bench --bench speed [-- ITEMS… --quick --only builds|changes|serve]`.
//!
//! Makes equal sites for feedwright and for each of Hugo, Zola, Blades and Eleventy that is on `PATH` or named in
//! an environment variable (`HUGO=…/hugo`), builds them in turn within one run, beside a copy of the output
//! (`cp -r`) and beside a bare loop, which only reads the files, turns the Markdown into HTML and writes it. Prints
//! Markdown tables of medians. Times on a shared machine are noisy; compare the ratios.
//!
//! `FEEDWRIGHT=…` measures another build of the program, `--dir DIR` works in another place than the memory file
//! system.

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

/// What to measure, and how often.
struct Bench {
    items: usize,
    runs: usize,
    /// Seconds after which a generator is not run again for the same case.
    patience: f64,
    /// Where sites are made.
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
    let generators = Generator::on_this_machine();
    println!("{}\n", machine::description(&place));
    for generator in &generators {
        println!("- {}: {}", generator.name(), generator.version);
    }
    for items in sizes {
        let bench = Bench {
            items,
            runs: if is_quick { 3 } else { 5 },
            patience: if is_quick { 10.0 } else { f64::INFINITY },
            place: place.clone(),
            generators: generators.clone(),
        };
        println!("\n## {} items", table::grouped(items as u64));
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

/// Removes a folder in the end, also if the bench panics.
struct Remover(PathBuf);

impl Drop for Remover {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
