//! The walls inside rooms, which `boundaries.rs` writes down, and what is never done in any. Cargo keeps the order of
//! rooms and crates. What breaks a rule is printed with the rule and the remedy.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod boundaries;
mod cycles;
mod identity;
mod imports;
mod rule_tests;
mod rules;
mod test_files;
mod tokens;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use boundaries::BOUNDARIES;
use rules::{Tree, Violation};

/// The repository's own code and manifests.
fn tree() -> Tree {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tree = Tree::new();
    for folder in ["src", "crates"] {
        for entry in walkdir::WalkDir::new(root.join(folder)) {
            let path = entry.unwrap().into_path();
            let is_read =
                path.extension().is_some_and(|end| end == "rs") || path.ends_with("Cargo.toml");
            if is_read && path.is_file() {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                tree.insert(name.replace('\\', "/"), fs::read_to_string(&path).unwrap());
            }
        }
    }
    tree
}

fn join_violations(broken: &[Violation]) -> String {
    let all: Vec<String> = broken.iter().map(ToString::to_string).collect();
    all.join("\n")
}

#[test]
fn every_package_follows_the_rules() {
    let broken = rules::check(&tree(), &BOUNDARIES);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), join_violations(&broken));
}

#[test]
fn identities_never_use_debug_output() {
    let broken = identity::check(&tree());
    assert!(broken.is_empty(), "{}", join_violations(&broken));
}

/// The packages of a folder, in the order of the map's table.
fn table_packages(map: &str, folder: &str) -> Vec<String> {
    let head = format!("| in `{folder}/`");
    let rows = map.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect()
}

/// A package of the repository: its folder, and the folders of those that it uses, also for tests and builds.
fn packages(root: &Path) -> Vec<(String, Vec<String>)> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root);
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let folder = |path: &Value| {
        let path = Path::new(path.as_str()?).strip_prefix(root).ok()?.to_str()?.to_owned();
        Some(path.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned())
    };
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| {
        let uses = package["dependencies"].as_array().unwrap().iter();
        let uses = uses.filter_map(|used| folder(&used["path"])).collect();
        (folder(&package["manifest_path"]).unwrap(), uses)
    });
    packages.collect()
}

/// What is against the order of `rows`, the folders on the map.
fn order_violations(rows: &[String], packages: &[(String, Vec<String>)]) -> Vec<String> {
    // A package in `src/api/` has the place of `src/api`, which lists them.
    let place = |folder: &str| {
        let row = if folder.starts_with("src/api/") { "src/api" } else { folder };
        rows.iter().position(|one| one == row)
    };
    let is_api = |folder: &str| folder.starts_with("src/api/") && folder != "src/api/shared";
    let mut wrong = Vec::new();
    for (own, uses) in packages.iter().filter(|(own, _)| !own.is_empty()) {
        let Some(at) = place(own) else {
            wrong.push(format!("{own} is not on the map"));
            continue;
        };
        for used in uses {
            let is_above = place(used).is_some_and(|other| other < at);
            let is_of_list = own == "src/api" && used.starts_with("src/api/");
            let is_shared = is_api(own) && used == "src/api/shared";
            if !is_above && !is_of_list && !is_shared {
                wrong.push(format!("{own} uses {used}, which is not above it"));
            }
        }
    }
    let is_there = |row: &&String| packages.iter().any(|(own, _)| own == *row);
    let missing = rows.iter().filter(|row| !is_there(row));
    wrong.extend(missing.map(|row| format!("{row} is on the map, and is no package")));
    wrong
}

#[test]
fn packages_use_only_packages_listed_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = fs::read_to_string(root.join("content/pages/architecture.md")).unwrap();
    let rows = ["crates", "src"].map(|folder| {
        let names = table_packages(&map, folder).into_iter();
        names.map(|name| format!("{folder}/{name}")).collect::<Vec<_>>()
    });
    let wrong = order_violations(&rows.concat(), &packages(root));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_dependency_on_a_lower_row_is_a_violation() {
    let rows = ["crates/a", "crates/b", "src/low", "src/api", "src/high"].map(str::to_owned);
    let with = |own: &str, used: &str| {
        let mut packages: Vec<(String, Vec<String>)> =
            rows.iter().map(|row| (row.clone(), Vec::new())).collect();
        packages.push((own.to_owned(), vec![used.to_owned()]));
        order_violations(&rows, &packages)
    };
    for (own, used) in [
        ("src/high", "src/api/one"),
        ("src/api/one", "src/low"),
        ("src/api/one", "src/api/shared"),
        ("src/api", "src/api/one"),
        ("src/low", "crates/b"),
        ("", "src/high"),
    ] {
        assert_eq!(with(own, used), [""; 0], "{own} {used}");
    }
    for (own, used) in [
        ("src/low", "src/api/one"),
        ("src/api/one", "src/api/two"),
        ("src/api/shared", "src/api/one"),
        ("src/api/one", "src/high"),
        ("crates/a", "crates/b"),
        ("crates/b", "src/low"),
        ("crates/b", ""),
        ("src/new", "crates/a"),
    ] {
        assert_eq!(with(own, used).len(), 1, "{own} {used}");
    }
}

/// The map names files; one that moves takes its name on the map along.
#[test]
fn every_documented_file_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    let mut named = 0;
    for page in ["content/pages/architecture.md", "README.md", "src/lib.rs"] {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let words = text.split(|c: char| !(c.is_alphanumeric() || "/._-".contains(c)));
        let paths = words.map(|word| word.trim_end_matches('.')).filter(|word| {
            word.starts_with("src/") || word.starts_with("crates/") || word.starts_with("tests/")
        });
        for path in paths.filter(|path| !path.ends_with('_')) {
            named += 1;
            if !root.join(path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(named > 40, "only {named} files are named");
    assert!(missing.is_empty(), "not there: {missing:#?}");
}
