//! The order of the program's tests: each file lies in the folder of the part that it tests.

use std::fs;
use std::path::Path;

#[test]
fn each_test_file_lies_in_the_folder_of_what_it_tests() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&tests).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".rs") && name != "main.rs" {
            wrong.push(format!(
                "tests/{name}: move it to the folder of the part that it tests"
            ));
        }
        let Ok(text) = fs::read_to_string(path.join("mod.rs")) else {
            continue;
        };
        if !text.starts_with("//! ") {
            wrong.push(format!(
                "tests/{name}/mod.rs: say in its first line what the folder holds"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
