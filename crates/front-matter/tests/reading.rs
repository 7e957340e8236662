//! Tests of the parser with random input: it never panics, and all positions are inside the
//! document.

use front_matter::{Fault, Format, Node, Table, Value, parse, parse_json_file, parse_toml};
use proptest::prelude::*;

use crate::pieces::{deeply_nested, exponential_aliases, pieces};

fn check_table(table: &Table, text: &str) {
    for entry in &table.entries {
        assert!(text.get(entry.key_span.clone()).is_some(), "{entry:?}");
        check_node(&entry.node, text);
    }
}

fn check_node(node: &Node, text: &str) {
    assert!(text.get(node.span.clone()).is_some(), "{node:?}");
    match &node.value {
        Value::Table(table) => check_table(table, text),
        Value::List(list) => list.iter().for_each(|node| check_node(node, text)),
        _ => {}
    }
}

fn check_faults(faults: &[Fault], text: &str) {
    assert!((1..=3).contains(&faults.len()), "{faults:?}");
    for fault in faults {
        assert!(fault.at <= text.len(), "{fault}");
        assert!(!fault.message.is_empty() && !fault.help.is_empty(), "{fault:?}");
    }
}

fn parse_as_every_format(text: &str) {
    for front in [parse(text), parse_json_file(text)] {
        match front {
            Ok(front) => {
                assert!(text.is_char_boundary(front.body));
                check_table(&front.table, text);
            }
            Err(faults) => check_faults(&faults, text),
        }
    }
    match parse_toml(text) {
        Ok(table) => check_table(&table, text),
        Err(faults) => check_faults(&faults, text),
    }
}

#[test]
fn a_fault_has_a_position_and_help() {
    let text = "---\na: 1\na: 2\n---\n";
    let faults = parse(text).unwrap_err();
    assert!(text[faults[0].at..].starts_with("a: 2"), "{}", faults[0]);
    assert_eq!(faults[0].help, "keep one of the two");
    let json = "{\"a\": 1,}";
    let help = |faults: Vec<Fault>| faults[0].help.clone();
    assert!(help(parse(json).unwrap_err()).starts_with("write front matter that starts with `{`"));
    assert!(
        help(parse_json_file(json).unwrap_err()).starts_with("write the file as one JSON object")
    );
}

proptest! {
    #[test]
    fn any_text_is_parsed_without_a_panic(text in any::<String>()) {
        parse_as_every_format(&text);
    }

    #[test]
    fn front_matter_pieces_are_parsed_without_a_panic(text in pieces()) {
        parse_as_every_format(&text);
    }

    /// The same data has the same meaning in all three formats, and the positions are correct.
    #[test]
    fn the_three_formats_agree(title in "[a-zA-Z0-9üß 日本:#'{}\\[\\]-]{0,20}", number in -9_999_i64..9_999, flag: bool) {
        let quoted = serde_json::to_string(&title).unwrap();
        for (text, format) in [
            (format!("+++\ntitle = {quoted}\nn = {number}\n[t]\nf = {flag}\n+++\nBody"), Format::Toml),
            (format!("---\ntitle: {quoted}\nn: {number}\nt:\n  f: {flag}\n---\nBody"), Format::Yaml),
            (format!("{{\"title\": {quoted},\n\"n\": {number}, \"t\": {{\"f\": {flag}}}}}\nBody"), Format::Json),
        ] {
            let front = parse(&text).unwrap();
            prop_assert_eq!(front.format, Some(format));
            prop_assert_eq!(&text[front.body..], "Body");
            let node = |table: &Table, key: &str| table.get(key).unwrap().clone();
            let found = node(&front.table, "title");
            prop_assert_eq!(&found.value, &Value::String(title.clone()));
            prop_assert_eq!(&text[found.span], &quoted);
            let found = node(&front.table, "n");
            let bare = |value: Value| match value {
                Value::Plain(value, _) => *value,
                value => value,
            };
            prop_assert_eq!(&text[found.span], number.to_string());
            prop_assert_eq!(bare(found.value), Value::Integer(number));
            let Value::Table(table) = node(&front.table, "t").value else {
                return Err(TestCaseError::fail("no table"));
            };
            prop_assert_eq!(bare(node(&table, "f").value), Value::Bool(flag));
        }
    }
}

#[test]
fn deep_nesting_is_an_error_without_stack_overflow() {
    for text in deeply_nested() {
        parse_as_every_format(&text);
    }
}

#[test]
fn exponential_aliases_do_not_exhaust_memory() {
    parse_as_every_format(&exponential_aliases());
}
