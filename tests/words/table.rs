//! The table of keys in `content/pages/words.md` is made of the notes in `en.toml`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use words::{NOTES, Note};

/// The text of a key in English, as the page shows it: of plural forms, the last.
fn english(note: &Note) -> &str {
    let parts = note.english.split('"').skip(1).step_by(2);
    parts.last().unwrap()
}

fn tables() -> String {
    let mut out = String::new();
    let mut group = "";
    for note in &*NOTES {
        if note.group != group {
            group = note.group;
            write!(out, "\n### {group}\n\n|key|English|kind|\n|---|---|---|\n").unwrap();
        }
        writeln!(out, "|`{}`|{}|{}|", note.key, english(note), note.kind).unwrap();
    }
    out
}

/// Writes the tables if `UPDATE=1` is set.
#[test]
fn the_page_of_words_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/pages/words.md");
    let page = fs::read_to_string(&path).unwrap();
    let keys = page.find("## The keys\n").unwrap();
    let start = keys + page[keys..].find("\n\n### ").unwrap() + 1;
    let end = start + page[start..].find("\n## ").unwrap();
    let made = [&page[..start], &tables(), &page[end..]].concat();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let other = made.lines().zip(page.lines()).find(|(made, page)| made != page);
    assert!(made == page, "words.md differs; UPDATE=1 writes it: {other:?}");
    let words = made.split_whitespace().count();
    assert!(words <= 1150, "{words} words");
}
