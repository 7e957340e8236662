//! Front matter of any text: nothing panics, and every place that is kept or reported lies in the text.

use std::path::Path;

use feedwright::model::{Config, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::front_matter::{self, Format};
use feedwright::source::value::{Node, Table, Value};
use feedwright::source::{channel, config, item, page};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of the three formats, and of the fields that are read from them.
const PIECES: [&str; 56] = [
    "+++\n",
    "---\n",
    "---\r\n",
    "\u{feff}",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ": ",
    " = ",
    ",",
    "\n",
    "\r\n",
    "  ",
    "\t",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "|\n",
    ">-\n",
    "- ",
    "# ",
    "&a ",
    "*a",
    "!!str ",
    "? ",
    "<<: *a",
    "%",
    "\\",
    "\\u0041",
    "null",
    "true",
    "~",
    "1",
    "-1.5e3",
    "0x1F",
    ".inf",
    "nan",
    "2026-11-20",
    "2026-11-20T09:30:00+02:00",
    "ü",
    "日本",
    "🐦",
    "title",
    "id",
    "slug",
    "aliases",
    "date",
    "attachment",
    "podcast",
    "chapters",
    "startTime",
    "/a/",
];

/// A text of pieces that mean something in front matter.
pub fn pieces() -> impl Strategy<Value = String> {
    let start = select(vec!["+++\n", "---\n", "{", "", "\u{feff}---\n"]);
    let end = select(vec!["\n+++\nText", "\n---\nText", "}\nText", ""]);
    let middle = proptest::collection::vec(select(PIECES.to_vec()), 0..40);
    (start, middle, end).prop_map(|(start, middle, end)| start.to_owned() + &middle.concat() + end)
}

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
        "content/items/2026-11-20-a.md",
        "content/items/a.html",
        "content/pages/a.md",
        "content/channel.md",
    ] {
        let path = SitePath::parse(path).unwrap();
        let source = Source { path: &path, text };
        match front_matter::parse(source) {
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
            assert!(
                start <= column && column <= start + shown.chars().count() + 1,
                "{found}"
            );
            assert!(found.help.is_some(), "{found}");
        }
    }
    drop(config::read(root, text));
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn any_pieces_of_front_matter_are_read_without_a_panic(text in pieces()) {
        read_all(&text);
    }

    /// One value means the same in the three formats, and stands where the file has it.
    #[test]
    fn the_three_formats_agree(title in "[a-zA-Z0-9üß 日本:#'{}\\[\\]-]{0,20}", number in -9_999_i64..9_999, flag: bool) {
        let quoted = serde_json::to_string(&title).unwrap();
        let path = SitePath::parse("content/items/a.md").unwrap();
        for (text, format) in [
            (format!("+++\ntitle = {quoted}\nn = {number}\n[t]\nf = {flag}\n+++\nBody"), Format::Toml),
            (format!("---\ntitle: {quoted}\nn: {number}\nt:\n  f: {flag}\n---\nBody"), Format::Yaml),
            (format!("{{\"title\": {quoted},\n\"n\": {number}, \"t\": {{\"f\": {flag}}}}}\nBody"), Format::Json),
        ] {
            let front = front_matter::parse(Source { path: &path, text: &text }).unwrap();
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
fn deep_nesting_is_an_error_and_not_the_end_of_the_program() {
    for (open, close) in [("[", "]"), ("{\"a\": ", "}")] {
        for depth in [100, 100_000] {
            let nested = open.repeat(depth) + "1" + &close.repeat(depth);
            for text in [
                format!("+++\na = {nested}\n+++\n"),
                format!("---\na: {nested}\n---\n"),
                format!("{{\"a\": {nested}}}\n"),
            ] {
                read_all(&text);
            }
        }
    }
    read_all(&format!("---\n{}\n---\n", "- ".repeat(100_000)));
    read_all(&format!("---\n{}1\n---\n", "? ".repeat(100_000)));
    read_all(&format!("+++\n{} = 1\n+++\n", vec!["a"; 100_000].join(".")));
}

#[test]
fn aliases_that_multiply_do_not_fill_the_memory() {
    let mut text = String::from("---\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for at in 1..12 {
        let before = vec![format!("*a{}", at - 1); 9].join(", ");
        text.push_str(&format!("a{at}: &a{at} [{before}]\n"));
    }
    text.push_str("---\n");
    read_all(&text);
}
