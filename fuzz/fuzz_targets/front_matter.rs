//! Content files and `site.toml` are untrusted text: no input panics, and every place that is
//! reported or kept lies in the text.
//!
//! See `template.rs` for how to run a target on the stable toolchain.

#![no_main]

use std::path::Path;

use feedwright::model::{Config, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::{channel, config, item, page};
use front_matter::{Node, Table, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let config = Config::default();
    let root = Path::new("no-such-site");
    for path in [
        "content/items/2026-11-20-a.md",
        "content/items/a/index.html",
        "content/pages/a.md",
        "content/channel.md",
    ] {
        let path = SitePath::parse(path).expect("a good path");
        let source = Source { path: &path, text };
        match source.front_matter() {
            Ok(front) => {
                assert!(text.is_char_boundary(front.body));
                check(&front.table, text);
            }
            Err(errors) => errors.iter().for_each(|error| drop(error.to_string())),
        }
        let reader = Reader::new(source, &config, root);
        match path.as_str() {
            "content/channel.md" => drop(channel::read(&reader)),
            "content/pages/a.md" => drop(page::read(&reader)),
            _ => drop(item::read(&reader)),
        }
        for found in reader.finish().0 {
            let _ = found.to_string();
        }
    }
    for found in config::read(root, text).1 {
        let _ = found.to_string();
    }
});

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
