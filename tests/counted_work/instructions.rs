//! Instructions of the processor, which valgrind counts.

use std::fs;

use super::record::{Column, compare_or_record, note};
use super::{build, command, for_each_case, is_usable, run};
use crate::support::small_site::SmallSite;

const FILE: &str = "instructions.txt";

/// In per cent.
const TOLERANCE: f64 = 3.0;
/// Another compiler makes other instructions of the same program.
const OTHER_COMPILER_TOLERANCE: f64 = 15.0;

#[test]
fn instruction_counts_match_the_record() {
    // What is recorded is the program as tests are built.
    if !cfg!(all(debug_assertions, target_arch = "x86_64")) {
        return;
    }
    if !is_usable(command("valgrind").arg("--version"), "instructions") {
        return;
    }
    let mut counted = Vec::new();
    // Each takes fifty times as long as without counting.
    for_each_case(60, |case, site| counted.push((case, vec![count_instructions(site)])));
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let made_with = format!(
        "Thousands of instructions, as {} makes them for tests",
        run(std::process::Command::new(compiler).arg("-V")).trim()
    );
    let column = Column {
        name: "instructions",
        tolerance: if note(FILE) == made_with { TOLERANCE } else { OTHER_COMPILER_TOLERANCE },
    };
    compare_or_record(FILE, &made_with, &[column], &counted);
}

/// In thousands.
fn count_instructions(site: &SmallSite) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut valgrind = command("valgrind");
    valgrind
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(format!("--log-file={}", log.display()))
        .arg(env!("CARGO_BIN_EXE_feedwright"));
    run(build(&mut valgrind, site.root()));
    let log = fs::read_to_string(log).unwrap();
    let line = log.lines().find(|line| line.contains("I") && line.contains("refs:")).unwrap();
    let digits: String =
        line.split("refs:").nth(1).unwrap().chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u64>().unwrap() / 1000
}
