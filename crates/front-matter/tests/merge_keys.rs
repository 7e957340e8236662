//! Tests of YAML's merge keys (`<<`). The parser replaces them with the keys of the mappings to
//! which they refer, and edits keep them as they are written.

use front_matter::{Value, edit, parse};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::edits::{remove, set};

/// Returns a value without its positions.
fn without_spans(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::String(text) => json!(text),
        Value::Plain(value, _) => without_spans(value),
        Value::List(list) => list.iter().map(|node| without_spans(&node.value)).collect(),
        Value::Table(table) => {
            let entries = table.entries.iter();
            entries.map(|entry| (entry.key.clone(), without_spans(&entry.node.value))).collect()
        }
    }
}

fn read(yaml: &str) -> Json {
    let front = parse(&format!("---\n{yaml}---\n")).unwrap();
    without_spans(&Value::Table(front.table))
}

const PEOPLE: &str =
    "authors:\n  - &c\n    name: Ann\n    url: https://ann.example/\n  - <<: *c\n    name: Bob\n";

#[test]
fn a_mapping_includes_its_merged_keys() {
    for (yaml, key, found) in [
        (
            PEOPLE,
            "authors",
            json!([
                { "name": "Ann", "url": "https://ann.example/" },
                { "name": "Bob", "url": "https://ann.example/" },
            ]),
        ),
        // A mapping's own keys override merged keys, wherever the merge key occurs.
        ("x: &x {a: 1, b: 2}\ny:\n  a: 3\n  <<: *x\n", "y", json!({ "a": 3, "b": 2 })),
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}\n", "y", json!({ "a": 3, "b": 2 })),
        // If several mappings have the same key, the first mapping is used.
        (
            "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x, *y]\n  c: 3\n",
            "z",
            json!({ "a": 1, "b": 2, "c": 3 }),
        ),
        // The merged mapping has a merge key itself.
        ("x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: {<<: *y}\n", "z", json!({ "a": 1, "b": 2 })),
        // The merged mapping is written inline, is empty, or has a key that is overridden with
        // null.
        ("z: {<<: {a: 1}, b: 2}\n", "z", json!({ "a": 1, "b": 2 })),
        ("z:\n  <<:\n  b: 2\n", "z", json!({ "b": 2 })),
        ("x: &x {a: 1}\nz: {<<: *x, a: null}\n", "z", json!({ "a": null })),
        // In these cases, `<<` is not a merge key.
        ("z: {\"<<\": {a: 1}}\n", "z", json!({ "<<": { "a": 1 } })),
        ("z: {<<: text}\n", "z", json!({ "<<": "text" })),
        ("z: {<<: [text]}\n", "z", json!({ "<<": ["text"] })),
    ] {
        assert_eq!(read(yaml)[key], found, "{yaml}");
    }
    // The merge key is at the top level.
    let top = read("d: &d {title: T, draft: true}\n<<: *d\ntitle: U\n");
    assert_eq!((&top["title"], &top["draft"]), (&json!("U"), &json!(true)));
}

#[test]
fn an_edit_keeps_merge_keys_or_is_rejected() {
    let file = |yaml: &str| format!("---\n{yaml}---\nBody\n");
    let base = "d: &d # defaults\n  a: 1\n  b: 2\ne:\n  <<: *d # shared\n  c: 3\nf: x\n";
    for (changes, after) in [
        (vec![set("f", json!("new"))], base.replace("f: x", "f: new")),
        (vec![set("e.c", json!(4))], base.replace("c: 3", "c: 4")),
        (vec![set("e.a", json!(5))], base.replace("  c: 3\n", "  c: 3\n  a: 5\n")),
        (vec![remove("e.c")], base.replace("  c: 3\n", "")),
        (vec![remove("f")], base.replace("f: x\n", "")),
        (vec![set("e.b", json!(2))], base.replace("  c: 3\n", "  c: 3\n  b: 2\n")),
    ] {
        let edited = edit(&file(base), &changes).unwrap();
        assert_eq!(edited, file(&after), "{changes:?}");
        assert_eq!(edit(&edited, &changes).unwrap(), edited);
    }
    // These edits would also change values of other keys, or would not remove the key.
    for change in [set("d.a", json!(9)), remove("e.a"), remove("d.b")] {
        let refused = edit(&file(base), std::slice::from_ref(&change));
        assert!(refused.is_err(), "{change:?}: {refused:?}");
    }
}

proptest! {
    /// An edit is either refused, or the file has the wanted meaning and nothing else changes.
    #[test]
    fn edits_with_merge_keys_have_the_wanted_meaning(
        first in "[abc]: [12]\n(  b: 3\n)?",
        merge in prop::sample::select(vec!["<<: *x", "<<: [*x, *y]", "<<: *y", "q: 1"]),
        own in "(  [abc]: 4\n)?",
        at in prop::sample::select(vec!["x.a", "x.b", "y.c", "z.a", "z.b", "z", "w", "x"]),
        is_removed in any::<bool>(),
    ) {
        let yaml = format!("x: &x\n  {first}y: &y\n  c: 5\nz:\n  {merge}\n{own}w: 1\n");
        let text = format!("---\n{yaml}---\nBody\n");
        prop_assume!(parse(&text).is_ok());
        let change = if is_removed { remove(at) } else { set(at, json!(7)) };
        if let Ok(edited) = edit(&text, &[change]) {
            let mut wanted = read(&yaml);
            let (table, key) = at.split_once('.').unwrap_or(("", at));
            let held = if table.is_empty() { &mut wanted } else { &mut wanted[table] };
            let held = held.as_object_mut().unwrap();
            if is_removed {
                held.remove(key);
                // A table that becomes empty is also removed.
                if held.is_empty() {
                    wanted.as_object_mut().unwrap().remove(table);
                }
            } else {
                held.insert(key.to_owned(), json!(7));
            }
            let front = parse(&edited).unwrap();
            prop_assert_eq!(without_spans(&Value::Table(front.table)), wanted, "{}", edited);
            prop_assert!(edited.ends_with("---\nBody\n"));
        }
    }
}
