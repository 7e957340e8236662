//! The walls of the house: the order of rooms and crates, which `house.rs` writes down, and what is
//! never done in any. What breaks a rule is printed with the rule and the remedy.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod circles;
mod house;
mod identity;
mod imports;
mod rules;
mod summary;
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
