//! The walls inside rooms, which `house.rs` writes down, and what is never done in any. Cargo keeps the order of
//! rooms and crates. What breaks a rule is printed with the rule and the remedy.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod circles;
mod house;
mod identity;
mod imports;
mod rules;
mod test_files;
mod tokens;
mod walls;

use std::fs;
use std::path::Path;

use house::HOUSE;
use rules::{Break, Tree};

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

fn list(broken: &[Break]) -> String {
    let all: Vec<String> = broken.iter().map(ToString::to_string).collect();
    all.join("\n")
}

#[test]
fn every_room_keeps_the_rules() {
    let broken = rules::check(&tree(), &HOUSE);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), list(&broken));
}

#[test]
fn identity_is_never_debug_output() {
    let broken = identity::check(&tree());
    assert!(broken.is_empty(), "{}", list(&broken));
}

/// The packages of a folder, in the order of the map's table.
fn table(map: &str, folder: &str) -> Vec<String> {
    let head = format!("| in `{folder}/`");
    let rows = map.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect()
}

/// The names of our packages on which one depends, but for its tests.
fn uses(manifest: &str, all: &[String]) -> Vec<String> {
    let mut tables = manifest.split("\n[");
    let needed = tables.find_map(|table| table.strip_prefix("dependencies]")).unwrap_or_default();
    let names = needed.lines().filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| all.iter().any(|one| one == name)).map(str::to_owned).collect()
}

#[test]
fn the_map_lists_all_packages_each_below_those_that_it_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = fs::read_to_string(root.join("content/pages/architecture.md")).unwrap();
    let all = [table(&map, "crates"), table(&map, "src")].concat();
    let mut wrong = Vec::new();
    for folder in ["crates", "src"] {
        let mut folders: Vec<String> = fs::read_dir(root.join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        let mut listed = table(&map, folder);
        for name in &listed {
            let manifest = root.join(folder).join(name).join("Cargo.toml");
            let place = |name: &String| all.iter().position(|one| one == name);
            let above = uses(&fs::read_to_string(manifest).unwrap(), &all);
            let later = above.iter().filter(|used| place(used) >= place(name));
            wrong.extend(later.map(|used| format!("{name} uses {used}, which is below it")));
        }
        folders.sort();
        listed.sort();
        assert_eq!(folders, listed, "the rows of {folder}/ on the map");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The map names files; one that moves takes its name on the map along.
#[test]
fn every_file_on_the_map_is_there() {
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
