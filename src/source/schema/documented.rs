//! Test that the tables of keys in the documentation match the declarations.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::meaning;
use model::calendar::{CALENDAR, EVENT, LIVE};
use model::chapter::Chapter;
use model::podcast::{ChannelPodcast, ItemPodcast};
use model::shape::{Field, Kind, Need, Shape, Written};
use model::{CHANNEL, ITEM, ItemItunes, PAGE, SHOW, SITE};

/// Returns the tables that are generated from declarations. Each has a page, a heading, the start
/// of the table's first line, and a declaration.
fn tables() -> Vec<(&'static str, String, &'static str, &'static Shape)> {
    let mut tables: Vec<(&str, String, &str, &Shape)> = vec![
        ("content", "Every key of an item".into(), "| key", ITEM),
        ("pages-and-channel", "Pages".into(), "| key", PAGE),
        ("pages-and-channel", "The channel".into(), "| key", CHANNEL),
        ("events", "Calendars".into(), "| key", CALENDAR),
        ("events", "Every field of an event".into(), "| field", EVENT),
        ("events", "Live shows".into(), "| key", LIVE),
        ("podcasting", "Chapters".into(), "| key", Chapter::SHAPE),
        ("podcasting", "Apple tags".into(), "| key", ItemItunes::SHAPE),
        ("shows", "Settings".into(), "| key", SHOW),
        ("configuration", "Keys".into(), "| key", SITE),
        (
            "configuration",
            "`[deploy]`".into(),
            "| key of `[deploy.notify]`",
            shape_with_keys(SITE, &["deploy", "notify"]),
        ),
        (
            "configuration",
            "`[[realtime]]`".into(),
            "| key of a webhook",
            shape_with_keys(SITE, &["realtime", "webhooks"]),
        ),
    ];
    for field in SITE.fields {
        let key = field.key;
        let Some(shape) = field.table() else { continue };
        let heading = match field.is_listed {
            true => format!("`[[{key}]]`"),
            false => format!("`[{key}]`"),
        };
        tables.push(("configuration", heading, "| key |", shape));
    }
    tables
}

fn shape_with_keys(shape: &'static Shape, keys: &[&str]) -> &'static Shape {
    keys.iter().fold(shape, |shape, key| shape.field(key).unwrap().table().unwrap())
}

fn file(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../content/pages/{page}.md"))
}

/// Writes the tables if `UPDATE=1` is set.
#[test]
fn key_tables_match_the_declarations() {
    let mut pages: BTreeMap<&str, (String, String)> = BTreeMap::new();
    for (name, heading, first, shape) in tables() {
        let read = || fs::read_to_string(file(name)).unwrap();
        let (_, page) = pages.entry(name).or_insert_with(|| (read(), read()));
        *page = with_table(page, &heading, first, shape).replace(&format!("({name}.md#"), "(#");
    }
    if std::env::var_os("UPDATE").is_some() {
        pages.iter().for_each(|(name, (_, page))| fs::write(file(name), page).unwrap());
    }
    for (name, (written, page)) in &pages {
        let other =
            page.lines().zip(written.lines()).find(|(declared, written)| declared != written);
        assert!(page == written, "{name}.md differs; UPDATE=1 writes it: {other:#?}");
    }
}

/// Returns a page with the table below a heading replaced. The columns stay the same.
fn with_table(page: &str, heading: &str, first: &str, shape: &'static Shape) -> String {
    let below = page.find(&format!("# {heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let table = page[below..].find(&format!("\n{first}")).unwrap_or_else(|| panic!("{heading}"));
    let start = below + table + 1;
    let rows = page[start..].split_inclusive('\n').take(2).map(str::len).sum::<usize>();
    let head = page[start..].lines().next().unwrap();
    let end = start + page[start..].find("\n\n").map_or(page.len() - start, |end| end + 1);
    let columns: Vec<&str> = head.trim_matches('|').split('|').map(str::trim).collect();
    let rows_of = shape.fields.iter().filter(|field| is_documented(shape, field));
    let table: String = rows_of.map(|field| row(field, &columns)).collect();
    [&page[..start + rows], &table, &page[end..]].concat()
}

/// Returns whether a field has a row in a table. Tables of `site.toml` have separate sections, and
/// keys of other programs have a separate table.
fn is_documented(shape: &Shape, field: &Field) -> bool {
    let is_section = std::ptr::eq(shape, SITE)
        && field
            .written()
            .iter()
            .any(|way| matches!(way, Written::Keys(_) | Written::Each(_) | Written::Anything));
    field.need != Need::Foreign && field.is_in_files && !field.key.is_empty() && !is_section
}

fn row(field: &Field, columns: &[&str]) -> String {
    let cells = columns.iter().map(|column| match *column {
        "type" => phrase(field),
        "default" | "when left out" => match (field.default, field.otherwise) {
            (Some(default), _) => format!("`{}`", default()).replace(',', ", "),
            (None, "") => "none".to_owned(),
            (None, otherwise) => otherwise.to_owned(),
        },
        "meaning" => format_for_cell(&meaning(field)),
        _ => format!("`{}`", field.key),
    });
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Formats a sentence for a table cell: without an initial capital letter and without a full stop.
fn format_for_cell(sentence: &str) -> String {
    let sentence = sentence.strip_suffix('.').unwrap_or(sentence);
    let word = sentence.split(' ').next().unwrap_or_default();
    match sentence.split_at_checked(1) {
        // A word with another capital letter is a name, such as `WebSub`.
        Some((first, rest)) if !word.chars().skip(1).any(char::is_uppercase) => {
            first.to_lowercase() + rest
        }
        _ => sentence.to_owned(),
    }
}

/// Describes in words how a value is written.
fn phrase(field: &Field) -> String {
    match field.kind {
        Kind::Text(max) | Kind::Known(max, ..) => {
            format!("text, up to {} characters", group_thousands(max as i64))
        }
        Kind::Short(_) => "text".to_owned(),
        Kind::Word(names) => format!("`{}`", names.join("`, `")),
        Kind::Form(form) => form.name.to_owned(),
        Kind::Url => "address".to_owned(),
        Kind::Address => "file or address".to_owned(),
        Kind::Seconds | Kind::WholeSeconds => "seconds, 0 or more".to_owned(),
        Kind::Count => "whole number, 0 or more".to_owned(),
        Kind::Between(i64::MIN, _) => "whole number".to_owned(),
        Kind::Between(least, max) if max >= i64::from(i32::MAX) => {
            format!("whole number, {least} or more")
        }
        Kind::Between(least, max) => format!("{least} to {}", group_thousands(max)),
        Kind::Number => "number".to_owned(),
        Kind::Flag | Kind::Switch | Kind::YesOrNo => "true or false".to_owned(),
        Kind::Time => "[date](content.md#dates)".to_owned(),
        Kind::Texts => "list of strings".to_owned(),
        Kind::Own(phrase, _) => phrase.to_owned(),
        Kind::Records => {
            let inner = (field.inner)().unwrap().in_files();
            let keys: Vec<&str> = inner.iter().map(|field| field.key).collect();
            format!("`{{{}}}`", keys.join(", "))
        }
        Kind::Flat(_) | Kind::Hidden => unreachable!("no table shows it"),
    }
}

/// Formats a number with commas between thousands.
fn group_thousands(number: i64) -> String {
    match number {
        1000.. => format!("{},{:03}", number / 1000, number % 1000),
        _ => number.to_string(),
    }
}

/// Checks the tables of podcast tags. They are written by hand, because they also explain how apps
/// use each tag.
#[test]
fn podcast_tag_tables_match_the_declarations() {
    let page = fs::read_to_string(file("podcasting")).unwrap();
    let page = &page[page.find("# Keys of an item").unwrap()..];
    let shapes = [ItemPodcast::SHAPE, ChannelPodcast::SHAPE];
    let fields: Vec<&Field> = shapes.iter().flat_map(|shape| shape.in_files()).collect();
    let row = |field: &Field| {
        let is_row = |line: &&str| {
            let first = line.split('|').nth(1).unwrap_or_default().trim();
            field.keys().any(|key| first == format!("`{key}`"))
        };
        page.lines().find(is_row).unwrap_or_else(|| panic!("no row for {}", field.key))
    };
    // Chapters have a separate table.
    for field in fields.iter().filter(|field| field.key != "chapters") {
        let Some(inner) = field.table() else { continue };
        // The fields of a record are listed in one of the record's rows, or have separate rows.
        let of_record = |other: &&&Field| other.table().is_some_and(|one| one.name == inner.name);
        let rows: String = fields.iter().filter(of_record).map(|field| row(field)).collect();
        let keys = inner.fields.iter().map(|one| one.key).filter(|key| !key.is_empty());
        for key in keys {
            let ways = [format!("{{{key}"), format!(" {key}"), format!("`{key}`")];
            let is_named =
                ways.iter().any(|way| rows.contains(way)) || page.contains(&format!("`{key}` |"));
            assert!(is_named, "`{key}` of `{}` is not documented", field.key);
        }
    }
}
