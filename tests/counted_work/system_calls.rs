//! Files, documents and calls of the system.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::record::{Column, compare_or_record};
use super::{build, command, for_each_case, is_usable, run};
use crate::support::small_site::SmallSite;

const COLUMNS: [Column; 5] = [
    exact_column("written"),
    exact_column("rendered"),
    exact_column("sources read"),
    approximate_column("looks"),
    approximate_column("other calls"),
];

const fn exact_column(name: &'static str) -> Column {
    Column { name, tolerance: 0.0 }
}

const fn approximate_column(name: &'static str) -> Column {
    Column { name, tolerance: 3.0 }
}

const NOTE: &str = "Of files and folders of the site: sources that are opened, looks (statx and its like), \
    and every other call that names one. Documents are rendered to be written or to look for faults.";

#[test]
fn system_call_counts_match_the_record() {
    if !is_usable(command("strace").args(["-o", "/dev/null", "true"]), "calls of the system") {
        return;
    }
    let mut counted = Vec::new();
    for_each_case(200, |case, site| counted.push((case, count_calls(site))));
    compare_or_record("calls.txt", NOTE, &COLUMNS, &counted);
}

fn count_calls(site: &SmallSite) -> Vec<u64> {
    let traces = tempfile::tempdir().unwrap();
    let mut strace = command("strace");
    strace
        .args(["-ff", "-y", "-e", "trace=%file,fstat", "-e", "signal=none", "-o"])
        .arg(traces.path().join("thread"))
        .arg(env!("CARGO_BIN_EXE_feedwright"));
    let report: Value = serde_json::from_str(&run(build(&mut strace, site.root()))).unwrap();
    let mut calls = Calls::default();
    for thread in fs::read_dir(traces.path()).unwrap() {
        calls.add(&fs::read_to_string(thread.unwrap().path()).unwrap(), site.root());
    }
    let reported = |name: &str| report[name].as_u64().unwrap();
    vec![reported("written"), reported("rendered"), calls.sources, calls.looks, calls.others]
}

#[derive(Default)]
struct Calls {
    sources: u64,
    looks: u64,
    others: u64,
}

impl Calls {
    /// Adds what a thread did, a line a call: its name, what it is told, and what the system answered.
    fn add(&mut self, trace: &str, site: &Path) {
        const STAT_CALLS: [&str; 9] = [
            "access", "faccessat", "faccessat2", "fstat", "lstat", "newfstatat", "readlink",
            "stat", "statx",
        ];
        let site = site.to_str().unwrap();
        let sources = ["content/", "site-files/", "themes/", "site.toml"]
            .map(|path| format!("{site}/{path}"));
        for line in trace.lines().filter(|line| line.contains(site)) {
            let (name, told) = line.split_once('(').unwrap();
            // A folder that is opened, as `-y` writes it: `AT_FDCWD</…>, "content"` or `5</…/content>, "a.md"`.
            let told = told.replace(">, \"", "/");
            let is_source = || sources.iter().any(|path| told.contains(path.as_str()));
            let changes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_DIRECTORY"];
            if STAT_CALLS.contains(&name) {
                self.looks += 1;
            } else if name.starts_with("open")
                && is_source()
                && !changes.iter().any(|flag| told.contains(flag))
            {
                self.sources += u64::from(!told.contains(") = -1 "));
            } else {
                self.others += 1;
            }
        }
    }
}
