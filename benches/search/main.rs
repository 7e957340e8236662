//! Time and size of a built site's search index, compared with Pagefind's:
//! `cargo bench --bench search [-- ITEMS… --runs N]`.
//!
//! Builds a site of the corpus items, plus one transcript of an hour for every 20 items, and prints
//! Markdown tables:
//!
//! 1. [`builds`]: time that the index adds to a full build and to a build after editing one item,
//!    and the size of the index.
//! 2. [`first_query`]: files that 200 first queries fetch, and whether the queries find their item.
//! 3. [`pagefind`]: the same measurements for Pagefind on the same pages. Needs `pagefind` on `PATH`
//!    or in `PAGEFIND`, and `node` for its script.
//! 4. [`browser`]: the published site in Chromium. Needs Chromium on `PATH` or in `CHROMIUM`, and
//!    playwright-core where `node` finds it (`NODE_PATH`).
//!
//! `FEEDWRIGHT=…` measures another build of the program. `--dir DIR` uses a folder other than the
//! in-memory file system. `--keep` keeps the generated sites. Times on a shared machine are noisy,
//! so compare the ratios.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod browser;
mod builds;
// Modules shared by several benches. Each bench uses only a part of them.
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

/// Settings of a run: the site's size, the number of runs and the paths.
struct Bench {
    items: usize,
    runs: usize,
    /// Path of the feedwright program.
    program: PathBuf,
    /// Folder for the generated sites.
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
            program: program_path("FEEDWRIGHT", env!("CARGO_BIN_EXE_feedwright")),
            place: place.clone(),
        };
        println!("\n## {} items", table::group_digits(items as u64));
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

/// Returns the program that the environment variable names, or `default`.
fn program_path(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| default.into(), PathBuf::from)
}

/// A guard that removes the folder on drop, also after a panic.
struct Remover(PathBuf);

impl Drop for Remover {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
