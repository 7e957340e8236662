//! Git, as tests run it.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder, and returns what it prints.
#[track_caller]
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    run(Command::new("git").current_dir(folder).args(arguments))
}

/// Runs git as the author "A", at a time if it is not empty.
#[track_caller]
pub fn git_at(folder: &Path, time: &str, arguments: &[&str]) {
    let mut command = Command::new("git");
    let identity = ["user.name=A", "user.email=a@example.com", "commit.gpgsign=false"];
    for setting in identity {
        command.args(["-c", setting]);
    }
    for name in ["GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"] {
        command.env(name, time);
    }
    run(command.current_dir(folder).args(arguments));
}

#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.env_remove("GIT_DIR").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}
