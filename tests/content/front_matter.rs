//! Front matter of any text: nothing panics, and every place that is kept or reported lies in the text.

use std::path::Path;

use feedwright::model::{Config, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::{channel, config, item, page};
use front_matter::{Node, Table, Value};
use proptest::prelude::*;

use crate::content::pieces::{deeply_nested, exponential_aliases, pieces};

fn check(table: &Table, text: &str) {
    for entry in &table.entries {
        assert!(text.get(entry.key_span.clone()).is_some(), "{entry:?}");
        check_node(&entry.node, text);
    }
}

fn check_node(node: &Node, text: &str) {
    assert!(text.get(node.span.clone()).is_some(), "{node:?}");
    match &node.value {
        Value::Table(table) => check(table, text),
        Value::List(list) => list.iter().for_each(|node| check_node(node, text)),
        _ => {}
    }
}

fn read_all(text: &str) {
    let config = Config::default();
    let root = Path::new("no-such-site");
    for path in [
        "content/items/2026-11-20-a.md", "content/items/a.html", "content/pages/a.md",
        "content/channel.md",
    ] {
        let path = SitePath::parse(path).unwrap();
        let source = Source { path: &path, text };
        match source.front_matter() {
            Ok(front) => {
                assert!(text.is_char_boundary(front.body));
                check(&front.table, text);
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in errors {
                    assert!(error.line.is_some(), "{error}");
                    assert!(error.help.is_some(), "{error}");
                }
            }
        }
        let reader = Reader::new(source, &config, root);
        match path.as_str() {
            "content/channel.md" => drop(channel::read(&reader)),
            "content/pages/a.md" => drop(page::read(&reader)),
            _ => drop(item::read(&reader)),
        }
        let lines: Vec<&str> = text.split('\n').collect();
        for found in reader.finish().0 {
            let (line, column) = (found.line.unwrap(), found.column.unwrap());
            let shown = found.source_line.as_ref().unwrap();
            let whole = lines[line - 1].trim_end_matches('\r');
            let start = found.source_start.unwrap_or(1);
            let part: String = whole.chars().skip(start - 1).take(160).collect();
            assert_eq!(&part, shown, "{found}");
            assert!(start <= column && column <= start + shown.chars().count() + 1, "{found}");
            assert!(found.help.is_some(), "{found}");
        }
    }
    drop(config::read(root, text));
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn no_front_matter_causes_a_panic(text in pieces()) {
        read_all(&text);
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for text in deeply_nested() {
        read_all(&text);
    }
}

#[test]
fn yaml_alias_expansion_is_bounded() {
    read_all(&exponential_aliases());
}
