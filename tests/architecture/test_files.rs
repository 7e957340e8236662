//! The order of the program's tests: each file lies in the folder of the part that it tests.

use std::fs;
use std::path::Path;

#[test]
fn each_test_file_is_in_the_folder_of_its_package() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&tests).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".rs") && name != "main.rs" {
            wrong.push(format!("tests/{name}: move it to the folder of the part that it tests"));
        }
        let Ok(text) = fs::read_to_string(path.join("mod.rs")) else {
            continue;
        };
        if !text.starts_with("//! ") {
            wrong.push(format!("tests/{name}/mod.rs: say in its first line what the folder holds"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The one file that sleeps.
const SLEEPING_FILE: &str = "support/wait.rs";

/// Files that may let time pass with `wait::pause`, since time is what they test: slow clients and authors, and kills at
/// arbitrary instants. All others wait for a condition.
const PAUSING_FILES: [&str; 8] = [
    "builds/meanwhile/programs.rs", "builds/output_whole.rs", "serve/connections.rs",
    "serve/saved_in_place.rs", "state/cut_off.rs", "state/locked.rs", "webhooks/killed.rs",
    "webhooks/realtime/killed.rs",
];

#[test]
fn tests_wait_for_conditions() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut wrong = Vec::new();
    for entry in walkdir::WalkDir::new(&tests) {
        let path = entry.unwrap().into_path();
        let name = path.strip_prefix(&tests).unwrap().to_str().unwrap();
        let is_test = name.ends_with(".rs") && !name.starts_with("architecture/");
        if !is_test || name == SLEEPING_FILE {
            continue;
        }
        for (at, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let pauses = line.contains("wait::pause") && !PAUSING_FILES.contains(&name);
            if line.contains("sleep(") || pauses {
                let line = line.trim();
                wrong.push(format!(
                    "tests/{name}:{}: {line}: wait for a condition, as tests/{SLEEPING_FILE} does",
                    at + 1
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
