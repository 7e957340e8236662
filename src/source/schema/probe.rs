//! A small text that a reader reads, and what it asks of it.

use std::path::Path;

use super::Kind;
use crate::model::{Config, SitePath, Source};
use crate::source::fields::Reader;
use crate::source::fields::watch::{MARK, Watch};

/// A step from a table to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'k> {
    /// The table under a key.
    Key(&'k str),
    /// The table in the list under a key.
    Listed(&'k str),
}

impl<'k> Step<'k> {
    pub fn key(self) -> &'k str {
        match self {
            Self::Key(key) | Self::Listed(key) => key,
        }
    }
}

/// What the reader of a kind of file asks of a table, which holds one value.
pub struct Answer {
    pub watch: Watch,
    /// Whether the value is of a right type.
    pub is_right: bool,
}

/// Has the table at the end of `steps` read, with `value` in TOML under `key`. `at` is where in that text the
/// value in question begins.
pub fn ask(kind: Kind, steps: &[Step<'_>], key: &str, value: &str, at: usize) -> Answer {
    let mut text = String::from(if kind.is_toml() { "" } else { "+++\n" });
    let mut end = String::new();
    for step in steps {
        let (name, open, close) = match step {
            Step::Key(name) => (name, "{", "}"),
            Step::Listed(name) => (name, "[{", "}]"),
        };
        text.push_str(&format!("{name:?} = {open}"));
        end.insert_str(0, close);
    }
    if key != MARK {
        let next = if steps.is_empty() { "\n" } else { ", " };
        text.push_str(&format!("{MARK:?} = 1{next}"));
    }
    text.push_str(&format!("{key:?} = "));
    let place = text.len() + at;
    text.push_str(value);
    text.push_str(&end);
    text.push_str(if kind.is_toml() { "\n" } else { "\n+++\n" });
    let config = Config::default();
    let Some(path) = SitePath::parse(kind.path()) else {
        return Answer { watch: Watch::default(), is_right: false };
    };
    let source = Source { path: &path, text: &text };
    // There is no such folder: a file that a text names is not there, which is no wrong type.
    let reader = Reader::new(source, &config, Path::new("")).watching();
    kind.read(&reader);
    let watch = reader.take_watch();
    Answer { is_right: !watch.wrong.contains(&place), watch }
}
