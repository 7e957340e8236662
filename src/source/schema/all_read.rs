//! Test that every declared key is read.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use super::Kind;
use crate::examples::{Entry, table};
use crate::fields::{READ_KEYS, Reader};
use crate::{calendar, channel, config, item, page, show};
use model::shape::{Field, Need, Shape, Written};
use model::{Config, SitePath, Source};

/// Returns a file with every declared key. `spelling` is the index of the spelling to use for keys
/// with several spellings.
fn file_of(shape: &'static Shape, spelling: usize) -> String {
    let choose = |_, field: &'static Field| {
        let keys: Vec<&str> = field.keys().collect();
        // Keys that replace required keys are left out of every second file, so that the required
        // keys are read too.
        match field.need == Need::Instead && spelling.is_multiple_of(2) {
            true => Entry::Nothing,
            false => Entry::Example(keys[spelling % keys.len()]),
        }
    };
    table(shape, &choose, "\n")
}

/// A declared key that is not read would be lost silently.
#[test]
fn every_declared_key_is_read() {
    let config = Config::default();
    for kind in Kind::ALL {
        let shape = kind.shape();
        for spelling in 0..6 {
            let keys = file_of(shape, spelling);
            let (path, read): (&str, fn(&Reader<'_>)) = match kind {
                Kind::Site => ("site.toml", config::check),
                Kind::Show => ("shows/a/show.toml", show::check_file),
                Kind::Item => ("content/items/a.md", |reader| drop(item::read(reader))),
                Kind::Page => ("content/pages/a.md", |reader| drop(page::read(reader))),
                Kind::Channel => ("content/channel.md", |reader| drop(channel::read(reader))),
                Kind::Calendar => {
                    ("content/calendars/a/calendar.toml", |reader| drop(calendar::read(reader)))
                }
                Kind::Event => ("content/calendars/a/a.md", |reader| drop(calendar::read(reader))),
            };
            let text = if kind.is_toml() { keys } else { format!("+++\n{keys}\n+++\n") };
            let path = SitePath::parse(path).unwrap();
            read(&Reader::new(Source { path: &path, text: &text }, &config, Path::new("")));
        }
        let mut shapes = Vec::new();
        shape.collect_tables(&mut shapes);
        let asked = READ_KEYS.with_borrow(Clone::clone);
        for shape in shapes {
            for field in shape.in_files() {
                let is_ignored = field.written().iter().any(|way| matches!(way, Written::Anything));
                for key in field.keys().filter(|_| !is_ignored) {
                    assert!(
                        asked.contains(&(shape.name, key)),
                        "`{key}` of {} is not read",
                        shape.name
                    );
                }
            }
        }
    }
}
