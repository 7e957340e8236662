//! The walls of the house: the order of rooms and crates, which `house.rs` writes down, and what is
//! never done in any. What breaks a rule is printed with the rule and the remedy.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod circles;
mod house;
mod identity;
mod imports;
mod rules;
mod summary;
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
fn every_room_keeps_the_order() {
    let tree = tree();
    let broken = rules::check(&tree, &HOUSE);
    // Who asks for it sees the map: cargo test --test architecture -- --nocapture
    println!("{}", summary::of(&tree, &HOUSE));
    assert!(
        broken.is_empty(),
        "{} break the order of tests/architecture/house.rs:\n{}",
        broken.len(),
        list(&broken)
    );
}

#[test]
fn identity_is_never_debug_output() {
    let broken = identity::check(&tree());
    assert!(broken.is_empty(), "{}", list(&broken));
}

/// The order of rooms is written once: the map shows them in it.
#[test]
fn the_map_shows_all_rooms_in_their_order() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/pages/architecture.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with("| in `src/`")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let shown: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(shown, house::HOUSE.rooms);
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
