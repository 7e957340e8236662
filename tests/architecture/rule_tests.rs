//! Each wall, on a small house that breaks it: a wall that cannot fail is none.

use crate::boundaries::{Api, Boundaries, Reserved};
use crate::rules::{Tree, check};

const BOUNDARIES: Boundaries = Boundaries {
    apis: &[Api { name: "first", is_own_word: true }, Api { name: "second", is_own_word: false }],
    reserved: &[Reserved {
        name: "Whole",
        folder: "src/middle/",
        files: &["parts/", "whole.rs"],
        remedy: "pass the part",
    }],
};

/// What is wrong with a house that is whole but for these files.
fn find_violations(changed: &[(&str, &str)]) -> Vec<String> {
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
    check(&tree, &BOUNDARIES).iter().map(ToString::to_string).collect()
}

/// The one thing that is wrong begins so, and this is the rule.
#[track_caller]
fn assert_violation(changed: &[(&str, &str)], place: &str, rule: &str) {
    let found = find_violations(changed);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with(place), "{}", found[0]);
    assert!(found[0].contains(rule), "{}", found[0]);
    assert!(found[0].contains("\n  remedy: "), "{}", found[0]);
}

#[test]
fn valid_code_has_no_violations() {
    assert_eq!(find_violations(&[]), [""; 0]);
}

#[test]
fn naming_an_api_in_the_server_is_a_violation() {
    let rule = "the server knows no API by name";
    assert_violation(
        &[("src/server/lib.rs", "fn f() { open(first) }")],
        "src/server/lib.rs:1",
        rule,
    );
    assert_violation(&[("src/server/first.rs", "")], "src/server/first.rs", rule);
    assert_violation(&[("src/server/api/mod.rs", "")], "src/server/api/mod.rs", rule);
    let of_trait = [("src/server/api.rs", "pub trait Api {}")];
    assert!(find_violations(&of_trait).is_empty(), "the trait has a file");
}

#[test]
fn a_reserved_type_in_another_file_is_a_violation() {
    let rule = "in src/middle/ only parts/, whole.rs name `Whole`";
    for text in ["\nuse low::Whole;", "\nfn f(whole: &Whole) {}"] {
        assert_violation(&[("src/middle/x.rs", text)], "src/middle/x.rs:2", rule);
    }
    for path in ["src/middle/whole.rs", "src/middle/parts/mod.rs", "src/high/x.rs"] {
        assert_eq!(find_violations(&[(path, "fn f(whole: &Whole) {}")]), [""; 0]);
    }
    let unrelated_code = "/// A part of a Whole.\nfn f() { \"Whole\"; }";
    assert_eq!(find_violations(&[("src/middle/x.rs", unrelated_code)]), [""; 0]);
}

#[test]
fn a_cycle_of_siblings_is_reported_as_a_chain() {
    let two = [("src/low/b.rs", "\nuse super::a::A;")];
    assert_violation(
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
    assert_violation(&three, "src/low/: a → b → c → a", "no file uses");
    let in_crate = [
        ("crates/alone/src/a.rs", "use crate::b::B;"),
        ("crates/alone/src/b/mod.rs", "use super::a;"),
    ];
    assert_violation(&in_crate, "crates/alone/src/: a → b → a", "no file uses");
}
