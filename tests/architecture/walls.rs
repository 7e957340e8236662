//! Each wall, on a small house that breaks it: a wall that cannot fail is none.

use crate::house::{Api, House, Reserved};
use crate::rules::{Tree, check};

const HOUSE: House = House {
    apis: &[Api { name: "first", is_own_word: true }, Api { name: "second", is_own_word: false }],
    reserved: &[Reserved {
        name: "Whole",
        folder: "src/middle/",
        files: &["parts/", "whole.rs"],
        remedy: "pass the part",
    }],
};

/// What is wrong with a house that is whole but for these files.
fn broken(changed: &[(&str, &str)]) -> Vec<String> {
    let whole = [
        ("src/low/Cargo.toml", ""),
        ("src/low/lib.rs", "pub mod a; pub mod b;"),
        ("src/low/a.rs", "use super::b::B;"),
        ("src/low/b.rs", "use super::Low;"),
        ("src/api/Cargo.toml", ""),
        ("src/api/lib.rs", "use first_api::First;"),
        ("src/api/first/Cargo.toml", ""),
        ("src/api/first/lib.rs", "use crate::call::Call;"),
        ("src/api/first/call.rs", "use server::second;"),
        ("crates/alone/Cargo.toml", ""),
    ];
    let both = whole.iter().chain(changed);
    let tree: Tree = both.map(|(path, text)| ((*path).into(), (*text).into())).collect();
    check(&tree, &HOUSE).iter().map(ToString::to_string).collect()
}

/// The one thing that is wrong begins so, and this is the rule.
#[track_caller]
fn breaks(changed: &[(&str, &str)], place: &str, rule: &str) {
    let found = broken(changed);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with(place), "{}", found[0]);
    assert!(found[0].contains(rule), "{}", found[0]);
    assert!(found[0].contains("\n  remedy: "), "{}", found[0]);
}

#[test]
fn a_house_in_order_breaks_nothing() {
    assert_eq!(broken(&[]), [""; 0]);
}

#[test]
fn a_server_that_knows_an_api_is_found() {
    let rule = "the server knows no API by name";
    breaks(&[("src/server/lib.rs", "fn f() { open(first) }")], "src/server/lib.rs:1", rule);
    breaks(&[("src/server/first.rs", "")], "src/server/first.rs", rule);
    breaks(&[("src/server/api/mod.rs", "")], "src/server/api/mod.rs", rule);
    let of_trait = [("src/server/api.rs", "pub trait Api {}")];
    assert!(broken(&of_trait).is_empty(), "the trait has a file");
}

#[test]
fn a_reserved_type_in_another_file_is_found() {
    let rule = "in src/middle/ only parts/, whole.rs name `Whole`";
    for text in ["\nuse low::Whole;", "\nfn f(whole: &Whole) {}"] {
        breaks(&[("src/middle/x.rs", text)], "src/middle/x.rs:2", rule);
    }
    for path in ["src/middle/whole.rs", "src/middle/parts/mod.rs", "src/high/x.rs"] {
        assert_eq!(broken(&[(path, "fn f(whole: &Whole) {}")]), [""; 0]);
    }
    let told = "/// A part of a Whole.\nfn f() { \"Whole\"; }";
    assert_eq!(broken(&[("src/middle/x.rs", told)]), [""; 0]);
}

#[test]
fn a_circle_of_siblings_is_told_as_a_chain() {
    let two = [("src/low/b.rs", "\nuse super::a::A;")];
    breaks(
        &two,
        "src/low/: a → b → a\n    src/low/a.rs:1 uses b\n    src/low/b.rs:2 uses a",
        "no file uses",
    );
    // By way of a folder, whose files count as one.
    let three = [
        ("src/low/b.rs", "use crate::c::inner::C;"),
        ("src/low/c/mod.rs", "use self::inner::C;"),
        ("src/low/c/inner.rs", "use super::super::a; use super::Own;"),
    ];
    breaks(&three, "src/low/: a → b → c → a", "no file uses");
    let in_crate = [
        ("crates/alone/src/a.rs", "use crate::b::B;"),
        ("crates/alone/src/b/mod.rs", "use super::a;"),
    ];
    breaks(&in_crate, "crates/alone/src/: a → b → a", "no file uses");
}
