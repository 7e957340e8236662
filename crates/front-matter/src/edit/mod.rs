//! Edits of front matter and body.
//!
//! An edit works in rounds. Each round parses the document, determines the remaining steps, and
//! applies the steps that do not conflict with each other. The edit ends when the document has the
//! wanted values. If this is not possible, the edit fails.

mod body;
mod bracketed;
mod change;
mod compose;
mod difference;
mod document;
mod first_key;
mod json;
mod splice;
mod toml;
mod yaml;

pub use change::Change;
pub use compose::compose;
pub use first_key::insert_first_key;

use self::change::{apply_changes, is_same_value};
use self::difference::Step;
use self::document::Document;
use self::splice::{Splice, apply_splices, line_end};
use crate::read::parse_unmerged;
use crate::{Fault, Format, Node, Table, Value, parse, parse_toml};

/// Returns the document with its front matter changed. All other bytes stay the same: comments,
/// order, quotes, line ends and the body. A document without front matter gets TOML front matter.
///
/// # Errors
///
/// Fails if the front matter is invalid, if the path of a change goes through a value that is not a
/// table, or if the edit would also change other fields (for example, an anchor to which an alias
/// refers).
///
/// ```
/// use front_matter::{Change, edit};
///
/// let text = "---\ntitle: 'Old' # note\ntags:\n- a\n---\nText\n";
/// let changes = [
///     Change::set(&["title"], "It's new"),
///     Change::set(&["tags"], vec!["a", "b"]),
/// ];
/// let edited = edit(text, &changes).unwrap();
/// assert_eq!(edited, "---\ntitle: 'It''s new' # note\ntags:\n- a\n- b\n---\nText\n");
/// ```
pub fn edit(text: &str, changes: &[Change]) -> Result<String, Vec<Fault>> {
    let front = parse_unmerged(text)?;
    let target_table = target_table(&front.table, changes)?;
    match front.format {
        Some(Format::Yaml) if text[..front.body].contains("<<") => {
            let edited =
                fix_invalid_edit(text, changes, &target_table, Document::parse_front_matter)?;
            check_merges(text, changes, edited)
        }
        Some(_) => fix_invalid_edit(text, changes, &target_table, Document::parse_front_matter),
        None if target_table.entries.is_empty() => Ok(text.to_owned()),
        None => {
            let lines = toml::lines(&[], &target_table);
            Ok(insert_at_start(text, front.body, &lines))
        }
    }
}

/// Changes a file that contains only TOML, in the same way as [`edit`].
///
/// # Errors
///
/// Fails in the same cases as [`edit`].
///
/// ```
/// use front_matter::{Change, edit_toml};
///
/// let edited = edit_toml("a = 1 # one\r\n", &[Change::set(&["feed", "limit"], 3)]).unwrap();
/// assert_eq!(edited, "a = 1 # one\r\n\r\n[feed]\r\nlimit = 3\r\n");
/// ```
pub fn edit_toml(text: &str, changes: &[Change]) -> Result<String, Vec<Fault>> {
    let table = parse_toml(text)?;
    let target_table = target_table(&table, changes)?;
    fix_invalid_edit(text, changes, &target_table, Document::parse_toml_only)
}

/// Returns the document with a new body. The blank lines around the body and the line ends stay the
/// same. If the new body looks like front matter, empty front matter is added before it.
///
/// # Errors
///
/// Fails if the front matter cannot be read.
///
/// ```
/// let edited = front_matter::with_body("+++\na = 1\n+++\n\nOld\n", "New").unwrap();
/// assert_eq!(edited, "+++\na = 1\n+++\n\nNew\n");
/// ```
pub fn with_body(text: &str, body: &str) -> Result<String, Vec<Fault>> {
    let front = parse(text)?;
    let edited = body::replace_body(text, front.body, front.format.is_some(), body);
    let is_bare = |text: &str| parse(text).is_ok_and(|front| front.format.is_none());
    if front.format.is_none() && !is_bare(&edited) {
        return Ok(insert_at_start(&edited, front.body, ""));
    }
    Ok(edited)
}

/// Validates the result of an edit to YAML with merge keys (`<<`). Because of a merge key, an edit
/// can affect other fields too, or a removed field can still have a value. Returns an error unless
/// the result has the wanted values.
fn check_merges(text: &str, changes: &[Change], edited: String) -> Result<String, Vec<Fault>> {
    let target_table = target_table(&parse(text)?.table, changes)?;
    let front = parse(&edited)?;
    let node = Node { value: Value::Table(front.table), span: 0..front.body };
    if is_same_value(&edited, &node, &Value::Table(target_table)) {
        return Ok(edited);
    }
    let key = changes.iter().find_map(|change| {
        let written = parse_unmerged(text).ok()?.table;
        let first = change.path.first()?;
        let mut entries = written.entries.into_iter();
        entries.find(|entry| entry.key == *first)
    });
    Err(vec![Fault::new(
        key.map_or(0, |entry| entry.key_span.start),
        "this field shares values with others through a merge key (<<)",
        "change it by hand, or write its values without `<<`",
    )])
}

fn target_table(table: &Table, changes: &[Change]) -> Result<Table, Vec<Fault>> {
    apply_changes(table, changes).map_err(|(path, kind)| {
        let key = path
            .split('.')
            .next()
            .and_then(|first| table.entries.iter().find(|entry| entry.key == first));
        vec![Fault::new(
            key.map_or(0, |entry| entry.key_span.start),
            format!("`{path}` is {kind}, so it cannot contain other fields"),
            "change it to a table",
        )]
    })
}

fn insert_at_start(text: &str, at: usize, lines: &str) -> String {
    let block = Splice::new(at..at, format!("+++\n{lines}+++\n"));
    apply_splices(text, vec![block], line_end(text))
}

/// Maximum number of rounds in an edit. A few rounds are usually enough.
const MAX_ROUNDS: usize = 64;

fn fix_invalid_edit(
    original: &str,
    changes: &[Change],
    target_table: &Table,
    read: fn(&str) -> Result<Document, Vec<Fault>>,
) -> Result<String, Vec<Fault>> {
    let body = &original[read(original)?.body..];
    let ends = line_end(original);
    let mut text = original.to_owned();
    let mut written = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let Ok(document) = read(&text) else {
            break;
        };
        if &text[document.body..] != body {
            break;
        }
        let steps = document.steps(&text, target_table);
        if steps.is_empty() {
            return Ok(text);
        }
        // A value that has already been written still differs, because the surrounding text affects
        // how it is read. Replacing it again would damage that text.
        let again = |step: &Step<'_>| step.replacement().is_some_and(|new| written.contains(&new));
        if !steps.iter().all(|step| step.concerns(changes)) || steps.iter().any(again) {
            break;
        }
        let splices = document.splices(&text, &steps, &mut written);
        let edited = apply_splices(&text, splices, ends);
        if edited == text {
            break;
        }
        text = edited;
    }
    Err(vec![unsupported_edit(original, target_table, &read(original)?)])
}

fn unsupported_edit(text: &str, target_table: &Table, document: &Document) -> Fault {
    let steps = document.steps(text, target_table);
    let first = steps.first().and_then(|step| step.path.first());
    Fault::new(
        first.map_or(document.fields.start, |element| element.start()),
        "this front matter cannot be edited without changing something else",
        "change it by hand, or write this field without anchors, aliases and tags, on separate lines",
    )
}
