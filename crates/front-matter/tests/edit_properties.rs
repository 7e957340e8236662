//! Property tests of edits: the result has the wanted meaning, and the lines of other keys stay
//! unchanged.

use front_matter::{Change, FrontMatter, Node, Table, Value, compose, edit, parse};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value as Json, json};

use crate::edits::edit_with_body;
use crate::pieces::pieces;
use crate::random_documents::{Dice, Document};

const KEYS: [&str; 9] =
    ["title", "id", "tags", "seo", "podcast", "n", "summary", "chapters", "new key"];

pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z]{1,8}( [a-z]{1,6}){0,3}",
        1 => select(vec!["", "yes", "5", "2026-11-20", "it's", "\"q\"", "a: b", "- x", "#c", " a ", "one\ntwo", "one\n\n two\n", "a\\b", "+++\n", "---\nx", "\n\n", "ü🐦", "a\tb\u{7f}"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        4 => text().prop_map(Json::from),
        1 => any::<i32>().prop_map(Json::from),
        1 => any::<bool>().prop_map(Json::from),
        1 => (-1000_i32..1000).prop_map(|n| json!(f64::from(n) / 8.0)),
    ]
}

pub fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            proptest::collection::btree_map(
                select(vec!["a", "b", "license", "t u", "é"]),
                inner,
                0..4
            )
            .prop_map(|map| json!(map)),
        ]
    })
}

fn parse_front_matter(text: &str) -> FrontMatter {
    parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}

/// Returns the meaning of a table. Scalars become strings, because YAML's `5` can be a number or a
/// string.
fn table_meaning(table: &Table) -> Json {
    let entries = table.entries.iter().filter(|entry| entry.node.value != Value::Null);
    Json::Object(
        entries.map(|entry| (entry.key.clone(), value_meaning(&entry.node.value))).collect(),
    )
}

fn value_meaning(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => flag.to_string().into(),
        Value::Integer(number) => number.to_string().into(),
        Value::Float(number) => number.to_string().into(),
        Value::Plain(inner, _) => value_meaning(inner),
        Value::String(text) => text.replace("\r\n", "\n").into(),
        Value::List(list) => list.iter().map(|node| value_meaning(&node.value)).collect(),
        Value::Table(table) => table_meaning(table),
    }
}

fn json_meaning(json: &Json) -> Json {
    match json {
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.to_string().into(),
            None => number.as_f64().unwrap().to_string().into(),
        },
        Json::Bool(flag) => flag.to_string().into(),
        Json::String(text) => text.replace("\r\n", "\n").into(),
        Json::Array(list) => list.iter().map(json_meaning).collect(),
        Json::Object(map) => {
            Json::Object(map.iter().map(|(key, json)| (key.clone(), json_meaning(json))).collect())
        }
        Json::Null => Json::Null,
    }
}

/// Applies the same change to `model`, the expected meaning of the front matter.
fn change(model: &mut Map<String, Json>, path: &[String], to: Option<&Json>) {
    let (key, rest) = path.split_first().unwrap();
    if rest.is_empty() {
        match to {
            Some(to) => drop(model.insert(key.clone(), json_meaning(to))),
            None => drop(model.remove(key)),
        }
        return;
    }
    if to.is_some() {
        model.entry(key.clone()).or_insert_with(|| json!({}));
    }
    if let Some(Json::Object(inner)) = model.get_mut(key) {
        let before = inner.len();
        change(inner, rest, to);
        if inner.is_empty() && before > 0 {
            model.remove(key);
        }
    }
}

fn changes() -> impl Strategy<Value = Change> {
    let path = (
        select(KEYS.to_vec()),
        proptest::option::weighted(0.4, select(vec!["a", "b", "license", "z"])),
    );
    (path, proptest::option::weighted(0.8, value())).prop_map(|((first, second), to)| Change {
        path: std::iter::once(first).chain(second).map(str::to_owned).collect(),
        to,
    })
}

fn crosses_a_scalar(model: &Json, change: &Change) -> bool {
    change.path.len() > 1 && model.get(&change.path[0]).is_some_and(|held| !held.is_object())
}

/// Returns whether a value contains a plain scalar or null. Their text can differ from their
/// meaning (`0x1F`, `~`).
fn has_ambiguous_scalar(node: &Node) -> bool {
    match &node.value {
        Value::Plain(..) | Value::Null => true,
        Value::Table(table) => table.entries.iter().any(|entry| has_ambiguous_scalar(&entry.node)),
        _ => false,
    }
}

/// Checks that an edit changes nothing when it is repeated, and does not change the body.
fn check_edit(text: &str, change: &Change, body: Option<&str>) {
    let changes = std::slice::from_ref(change);
    if let Ok(edited) = edit(text, changes) {
        assert_eq!(
            &edited[parse_front_matter(&edited).body..],
            &text[parse_front_matter(text).body..]
        );
        assert_eq!(edit(&edited, changes).unwrap(), edited);
    }
    if let Ok(edited) = edit_with_body(text, changes, body) {
        assert_eq!(edit_with_body(&edited, changes, body).unwrap(), edited, "{text:?}");
    }
}

proptest! {
    #[test]
    fn an_edit_has_the_wanted_meaning_and_keeps_other_lines(dice in any::<[u8; 128]>(), change_to in changes()) {
        let document = Document::throw(&mut Dice::new(&dice));
        let before = document.text();
        let mut model = table_meaning(&parse_front_matter(&before).table);
        if crosses_a_scalar(&model, &change_to) {
            return Ok(());
        }
        let after = edit(&before, std::slice::from_ref(&change_to));
        let after = after.unwrap_or_else(|errors| panic!("{before}\n{change_to:?}\n{}", errors[0]));
        let found = parse_front_matter(&after);
        change(model.as_object_mut().unwrap(), &change_to.path, change_to.to.as_ref());
        prop_assert_eq!(table_meaning(&found.table), model, "{}\n{:?}\n{}", before, change_to, after);
        prop_assert!(before.ends_with(&after[found.body..]));
        let mut lines = after.split_inclusive('\n');
        for line in document.lines_without(&change_to.path[0]) {
            let same = |found: &str| document.without_comma(found) == document.without_comma(&line);
            prop_assert!(lines.any(same), "{:?} is gone\n{}\n{:?}\n{}", line, before, change_to, after);
        }
        prop_assert_eq!(edit(&after, &[change_to]).unwrap(), after);
    }

    #[test]
    fn adding_a_key_or_item_keeps_every_line(dice in any::<[u8; 128]>(), text in text()) {
        let document = Document::throw(&mut Dice::new(&dice));
        let before = document.text();
        let model = table_meaning(&parse_front_matter(&before).table);
        for entry in parse_front_matter(&before).table.entries.iter().filter(|_| document.is_yaml()) {
            let raw = &before[entry.node.span.clone()];
            let change = match &entry.node.value {
                Value::Table(_) if !raw.starts_with('{') => Change::set(&[&entry.key, "zz"], text.as_str()),
Value::List(list) if !raw.starts_with('[') && !list.iter().any(has_ambiguous_scalar) => {
                    let mut list = model[&entry.key].as_array().unwrap().clone();
                    list.push(text.as_str().into());
                    Change::set(&[&entry.key], list)
                }
                _ => continue,
            };
            let after = edit(&before, &[change]).unwrap();
            let mut lines = after.split_inclusive('\n');
            for line in before.split_inclusive('\n') {
                prop_assert!(lines.any(|found| found == line), "{:?} is gone\n{}\n{}", line, before, after);
            }
        }
    }

    #[test]
    fn changing_a_scalar_back_restores_the_text(dice in any::<[u8; 128]>(), to in "w[a-z]{1,9}") {
        let document = Document::throw(&mut Dice::new(&dice));
        let before = document.text();
        for entry in parse_front_matter(&before).table.entries {
            let Value::String(old) = &entry.node.value else { continue };
            let raw = &before[entry.node.span.clone()];
            // A folded scalar is written back on one line. A date that was replaced by a word is
            // written back in quotes.
            if raw.contains('\n') || raw.starts_with("20") {
                continue;
            }
            let there = edit(&before, &[Change::set(&[&entry.key], to.as_str())]).unwrap();
            let back = edit(&there, &[Change::set(&[&entry.key], old.as_str())]).unwrap();
            prop_assert_eq!(back, before.clone());
        }
    }

    #[test]
    fn front_matter_pieces_are_edited_or_rejected(text in pieces(), change in changes(), body in proptest::option::of(text())) {
        check_edit(&text, &change, body.as_deref());
    }

    #[test]
    fn any_text_is_edited_or_rejected(text in any::<String>(), change in changes(), body in proptest::option::of(text())) {
        check_edit(&text, &change, body.as_deref());
    }

    #[test]
    fn a_composed_file_is_read_back_unchanged(fields in proptest::collection::btree_map(select(KEYS.to_vec()), value(), 0..6), body in text()) {
        let list: Vec<_> = fields.iter().map(|(key, value)| (*key, value.clone())).collect();
        let text = compose(&list, &body);
        prop_assert_eq!(table_meaning(&parse_front_matter(&text).table), json_meaning(&json!(fields)));
    }

    #[test]
    fn edited_toml_is_valid_for_another_parser(dice in any::<[u8; 128]>(), change in changes()) {
        let document = Document::random_toml(&mut Dice::new(&dice));
        let before = document.text();
        if crosses_a_scalar(&table_meaning(&parse_front_matter(&before).table), &change) {
            return Ok(());
        }
        let after = edit(&before, &[change]).unwrap();
        let fields = &after[after.find('\n').unwrap() + 1..after.rfind("+++").unwrap()];
        prop_assert!(fields.parse::<toml_edit::DocumentMut>().is_ok(), "{}", after);
    }
}
