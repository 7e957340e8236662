//! Where README's figures come from: `cargo bench --bench build [-- ITEMS]`.
//!
//! Makes a corpus of items of about 4 KB of Markdown on a memory file system where there is one,
//! runs the program as a whole process, and prints the median of seven runs of each case beside a
//! copy of the finished output: the machine's own measure. Times on a shared machine are noisy;
//! compare the ratios.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 7;

fn main() {
    let items = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(10_000);
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_path_buf()
    } else {
        std::env::temp_dir()
    };
    let site = place.join(format!("feedwright-bench-{}", std::process::id()));
    corpus::make(&site, items);
    println!(
        "{items} items, {} of Markdown, median of {RUNS} runs",
        megabytes(size_of(&site.join("content")))
    );

    case("full build, HTML and feeds", || {
        let _ = fs::remove_dir_all(site.join("public"));
        let _ = fs::remove_dir_all(site.join(".feedwright"));
        build(&site)
    });
    println!("  output: {}", megabytes(size_of(&site.join("public"))));
    case("nothing changed", || build(&site));
    let mut number = 0;
    case("one item changed", || {
        number += 1;
        let path = site.join("content/items/0/item-5.md");
        let text = fs::read_to_string(&path).expect("the corpus was written");
        fs::write(&path, format!("{text}\nChange {number}.\n")).expect("the corpus can be changed");
        build(&site)
    });
    let copy = site.with_extension("copy");
    case("copying the output (cp -r)", || {
        let _ = fs::remove_dir_all(&copy);
        let start = Instant::now();
        run(Command::new("cp")
            .arg("-r")
            .arg(site.join("public"))
            .arg(&copy));
        start.elapsed()
    });
    let _ = fs::remove_dir_all(&copy);
    fs::write(
        site.join("site.toml"),
        "base_url = \"https://bench.example\"\n",
    )
    .expect("the corpus can be changed");
    case("full build, every default output", || {
        let _ = fs::remove_dir_all(site.join("public"));
        let _ = fs::remove_dir_all(site.join(".feedwright"));
        build(&site)
    });
    let peak = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN)
        .expect("the system tells")
        .max_rss();
    println!("peak memory of the largest run: {} MiB", peak / 1024);
    let _ = fs::remove_dir_all(&site);
}

fn case(name: &str, mut once: impl FnMut() -> Duration) {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| once()).collect();
    times.sort();
    println!(
        "{name}: {:.3} s ({:.3}–{:.3})",
        times[RUNS / 2].as_secs_f64(),
        times[0].as_secs_f64(),
        times[RUNS - 1].as_secs_f64()
    );
}

fn build(site: &Path) -> Duration {
    let start = Instant::now();
    run(Command::new(env!("CARGO_BIN_EXE_feedwright"))
        .arg("build")
        .arg("--site")
        .arg(site));
    start.elapsed()
}

fn run(command: &mut Command) {
    let status = command
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .expect("the command starts");
    assert!(status.success(), "{command:?}");
}

fn size_of(folder: &Path) -> u64 {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    entries
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| entry.metadata().ok())
        .map(|file| file.len())
        .sum()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
