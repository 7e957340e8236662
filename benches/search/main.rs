//! The search index of a built site, in time and bytes, beside Pagefind's:
//! `cargo bench --bench search [-- ITEMS… --runs N]`.
//!
//! Makes a site of the items of the corpus and an hour of speech for each twentieth, and prints Markdown tables:
//!
//! 1. [`builds`]: what the index adds to a build, to a build after one item changed, and its size.
//! 2. [`first_query`]: what 200 first queries fetch, and whether they find what was looked for.
//! 3. [`pagefind`]: the same of Pagefind on the same pages, if `pagefind` is on `PATH` or named in `PAGEFIND`, and
//!    `node` is there for its script.
//! 4. [`browser`]: the published site in Chromium, if it is on `PATH` or named in `CHROMIUM`, and `node` finds
//!    playwright-core (`NODE_PATH`).
//!
//! `FEEDWRIGHT=…` measures another build of the program, `--dir DIR` works in another place than the memory file
//! system, `--keep` leaves the sites there. Times on a shared machine are noisy; compare the ratios.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod browser;
mod builds;
// The benches share these; each uses its part.
#[allow(dead_code)]
#[path = "../corpus/change.rs"]
mod change;
#[allow(dead_code)]
#[path = "../corpus/mod.rs"]
mod corpus;
mod first_query;
mod folder;
mod known_items;
#[allow(dead_code)]
#[path = "../speed/machine.rs"]
mod machine;
#[allow(dead_code)]
#[path = "../speed/measured.rs"]
mod measured;
mod pagefind;
mod site;
#[allow(dead_code)]
#[path = "../speed/table.rs"]
mod table;

use std::path::PathBuf;

/// What to measure, and how often.
struct Bench {
    items: usize,
    runs: usize,
    /// The program.
    program: PathBuf,
    /// Where sites are made.
    place: PathBuf,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().map(String::as_str) == Some(measured::CHILD) {
        return measured::child(&arguments[1..]);
    }
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let runs = value("--runs").and_then(|text| text.parse().ok());
    let first_option = arguments.iter().position(|argument| argument.starts_with('-'));
    let sizes = &arguments[..first_option.unwrap_or(arguments.len())];
    let mut sizes: Vec<usize> = sizes.iter().filter_map(|text| text.parse().ok()).collect();
    if sizes.is_empty() {
        sizes.push(10_000);
    }
    let place = value("--dir").map_or_else(machine::place, PathBuf::from);
    let place = place.join(format!("feedwright-bench-search-{}", std::process::id()));
    let is_kept = arguments.iter().any(|argument| argument == "--keep");
    let _remover = (!is_kept).then(|| Remover(place.clone()));
    println!("{}", machine::description(&place));
    for items in sizes {
        let bench = Bench {
            items,
            runs: runs.unwrap_or(5),
            program: named("FEEDWRIGHT", env!("CARGO_BIN_EXE_feedwright")),
            place: place.clone(),
        };
        println!("\n## {} items", table::grouped(items as u64));
        let site = builds::run(&bench);
        let known = known_items::of(&site);
        first_query::run(&site, &known);
        browser::run(&site, &known);
        pagefind::run(&bench, &site, &known);
        if !is_kept {
            let _ = std::fs::remove_dir_all(&place);
        }
    }
}

/// A program that an environment variable may name.
fn named(variable: &str, otherwise: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| otherwise.into(), PathBuf::from)
}

/// Removes a folder in the end, also if the bench panics.
struct Remover(PathBuf);

impl Drop for Remover {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
