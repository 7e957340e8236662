//! Parses the text of a file into fields and body, reports its problems, and edits its fields.

use front_matter::{Change, Node, Table};
use serde::Deserialize;
use serde_json::{Value, json};

use super::date::complete_publication;
use super::kind::FileKind;
use super::{Answer, site_files};
use api_shared::{ApiError, apply_toml, cannot_edit, to_json_value};
use model::{Diagnostic, SitePath, Source};
use server::App;
use source::fields::Reader;
use source::schema::{self, Kind};

/// An unsaved document.
#[derive(Debug, Deserialize)]
pub struct Unsaved {
    pub path: String,
    pub text: String,
}

/// An edit of a document's fields. A null value removes the field.
#[derive(Debug, Deserialize)]
pub struct Edit {
    path: String,
    text: String,
    changes: Vec<FieldChange>,
}

#[derive(Debug, Deserialize)]
struct FieldChange {
    keys: Vec<String>,
    value: Value,
}

#[derive(Debug, Deserialize)]
pub struct SchemaOf {
    kind: String,
}

/// Returns the JSON Schema for the front matter of a kind of file. The editor builds a form from
/// the schema.
pub fn schema(request: &SchemaOf) -> Answer {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == request.kind);
    let kind = kind.ok_or_else(|| ApiError::bad("kind: unknown kind of file"))?;
    Ok(schema::schema(kind))
}

/// Returns the document with some fields changed and every other byte unchanged. If the edit
/// publishes a document without a date, adds the current time as its date, and a slug.
pub fn edit(app: &App, request: &Edit) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    if !matches!(kind, FileKind::Content(_)) {
        return Err(ApiError::bad("path: this file has no fields"));
    }
    let changes = request.changes.iter().map(|change| {
        let keys: Vec<&str> = change.keys.iter().map(String::as_str).collect();
        match &change.value {
            Value::Null => Change::remove(&keys),
            value => Change::set(&keys, value.clone()),
        }
    });
    let changes: Vec<Change> = changes.collect();
    let source = Source { path: &path, text: &request.text };
    let edited = match kind.is_toml() {
        true => apply_toml(source, &changes),
        false => edit::apply(source, &changes, None),
    };
    let text = edited.map_err(cannot_edit)?;
    let text = complete_publication(app, &path, kind, &request.text, text)?;
    Ok(text_json(app, &path, kind, &text))
}

/// Returns the fields, the body and the problems of an unsaved document.
pub fn parse_unsaved(app: &App, request: &Unsaved) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    Ok(text_json(app, &path, kind, &request.text))
}

/// Returns an unsaved transcript without the note that asks for a review. No other byte changes.
pub fn reviewed(app: &App, request: &Unsaved) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    if kind != FileKind::Transcript {
        return Err(ApiError::bad("path: this file is not a transcript"));
    }
    Ok(text_json(app, &path, kind, &transcripts::reviewed(&request.text)))
}

/// Returns the fields, the body and the problems of a document as JSON.
pub fn text_json(app: &App, path: &SitePath, kind: FileKind, text: &str) -> Value {
    if kind == FileKind::SiteFile {
        return site_files::text_json(app, path, text);
    }
    let (table, start) = fields_of(Source { path, text }, kind);
    json!({
        "path": path,
        "kind": kind.name(),
        "head": text[..start],
        "body": text[start..],
        "values": table.as_ref().map(fields_json),
        "problems": with_field_keys(text, table.as_ref(), problems(app, path, kind, text)),
    })
}

/// Returns the fields of a document, and the byte offset of its body. If the front matter cannot be
/// parsed, the whole document counts as the body, so that the author can see and fix it.
fn fields_of(source: Source<'_>, kind: FileKind) -> (Option<Table>, usize) {
    let front = match kind {
        _ if kind.is_toml() => return (source.toml().ok(), 0),
        FileKind::Content(_) => source.front_matter().ok(),
        _ => None,
    };
    front.map_or((None, 0), |front| (Some(front.table), front.body))
}

fn fields_json(table: &Table) -> Value {
    let entries = table.entries.iter();
    entries.map(|entry| (entry.key.clone(), to_json_value(&entry.node))).collect()
}

/// Returns the problems as JSON. If there is a field at the position of a problem, the problem
/// includes the keys of the field.
fn with_field_keys(text: &str, table: Option<&Table>, problems: Vec<Diagnostic>) -> Vec<Value> {
    let with_keys = |problem: Diagnostic| {
        let at = problem.line.zip(problem.column);
        let at = at.and_then(|(line, column)| offset(text, line, column));
        let keys = table.zip(at).and_then(|(table, at)| keys_at(table, at));
        let mut problem_json = json!(problem);
        problem_json["keys"] = json!(keys);
        problem_json
    };
    problems.into_iter().map(with_keys).collect()
}

/// Returns these problems of a file on the disk as JSON, each with the keys of its field.
pub fn with_field_keys_in(path: &SitePath, text: &str, problems: Vec<Diagnostic>) -> Vec<Value> {
    let kind = FileKind::of(path);
    let table = kind.and_then(|kind| fields_of(Source { path, text }, kind).0);
    with_field_keys(text, table.as_ref(), problems)
}

/// Returns the byte offset of a line and column, which both start at 1.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line.checked_sub(1)?).map(str::len).sum();
    let own: usize = lines.next()?.chars().take(column.checked_sub(1)?).map(char::len_utf8).sum();
    Some(before + own)
}

/// Returns the keys of the innermost value at a byte offset: field names, and list indexes starting
/// at 0.
fn keys_at(table: &Table, at: usize) -> Option<Vec<Value>> {
    table.entries.iter().find_map(|entry| {
        let inner = nested_keys(&entry.node, at);
        let is_at = entry.key_span.contains(&at) || entry.node.span.contains(&at);
        let inner = inner.or_else(|| is_at.then(Vec::new))?;
        Some([vec![json!(entry.key)], inner].concat())
    })
}

fn nested_keys(node: &Node, at: usize) -> Option<Vec<Value>> {
    match &node.value {
        front_matter::Value::Table(table) => keys_at(table, at),
        front_matter::Value::List(entries) => {
            entries.iter().enumerate().find_map(|(index, entry)| {
                let inner =
                    nested_keys(entry, at).or_else(|| entry.span.contains(&at).then(Vec::new))?;
                Some([vec![json!(index)], inner].concat())
            })
        }
        _ => None,
    }
}

/// Returns the problems of a document.
pub fn problems(app: &App, path: &SitePath, kind: FileKind, text: &str) -> Vec<Diagnostic> {
    let moment = app.live.now();
    let config = &moment.site.snapshot.config;
    let reader = Reader::new(Source { path, text }, config, app.live.root());
    kind.check()(&reader);
    let mut problems = reader.finish().0;
    problems.extend(kind.problems(path, text));
    problems
}
