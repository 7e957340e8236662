//! Programs that a test needs and that not every machine has.

use std::process::{Command, Stdio};

/// Whether a program can be started. See [`missing`] for one that cannot.
pub fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let is_there = command.stderr(Stdio::null()).status().is_ok();
    if !is_there {
        missing(program);
    }
    is_there
}

/// Reports that a test is skipped for want of something. In CI this is a failure: nothing is skipped silently there.
pub fn missing(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what} is missing, and CI skips no test");
    eprintln!("{what} is missing: the test is skipped");
}
