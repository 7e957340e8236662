//! What is in the text of a file: its fields and its body, what is wrong with it, and edits of its fields.

use front_matter::Change;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Answer;
use super::kind::FileKind;
use crate::api::shared::{ApiError, as_held, cannot_edit};
use crate::edit;
use crate::model::{Config, Diagnostic, SitePath, Source};
use crate::server::App;
use crate::source::fields::Reader;
use crate::source::schema::{self, Kind};

/// A text that is not saved.
#[derive(Debug, Deserialize)]
pub struct Unsaved {
    pub path: String,
    pub text: String,
}

/// An edit of fields of a text. A value of null takes the field away.
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

/// Which schema.
#[derive(Debug, Deserialize)]
pub struct SchemaOf {
    kind: String,
}

/// The schema of the front matter of a kind of file, of which the page makes a form.
pub fn schema(asked: &SchemaOf) -> Answer {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == asked.kind);
    let kind = kind.ok_or_else(|| ApiError::bad("kind: there is no such kind of file"))?;
    Ok(schema::schema(kind))
}

/// The text with some of its fields changed, and no other byte of it.
pub fn edit(app: &App, asked: &Edit) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    let changes = asked.changes.iter().map(|change| {
        let keys: Vec<&str> = change.keys.iter().map(String::as_str).collect();
        match &change.value {
            Value::Null => Change::remove(&keys),
            value => Change::set(&keys, value.clone()),
        }
    });
    let changes: Vec<Change> = changes.collect();
    let source = Source {
        path: &path,
        text: &asked.text,
    };
    let text = edit::apply(source, &changes, None).map_err(cannot_edit)?;
    Ok(described(app, &path, kind, &text))
}

/// What is in a text.
pub fn look(app: &App, asked: &Unsaved) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    Ok(described(app, &path, kind, &asked.text))
}

/// A text with its fields, where its body begins, and what is wrong with it.
pub fn described(app: &App, path: &SitePath, kind: FileKind, text: &str) -> Value {
    let moment = app.live.now();
    let config = &moment.site.snapshot.config;
    let is_content = matches!(kind, FileKind::Content(_));
    let front = is_content.then(|| Source { path, text }.front_matter());
    let (values, start) = match &front {
        Some(Ok(front)) => {
            let entries = front.table.entries.iter();
            let values = entries.map(|entry| (entry.key.clone(), as_held(&entry.node)));
            (Some(values.collect::<Value>()), front.body)
        }
        // Then all of it is text: where it ought not to be, it is to be seen, and mended by hand.
        _ => (None, 0),
    };
    json!({
        "path": path,
        "kind": kind.name(),
        "head": text[..start],
        "body": text[start..],
        "values": values,
        "problems": problems(app, config, path, kind, text),
    })
}

fn problems(
    app: &App,
    config: &Config,
    path: &SitePath,
    kind: FileKind,
    text: &str,
) -> Vec<Diagnostic> {
    let reader = Reader::new(Source { path, text }, config, app.live.root());
    kind.check()(&reader);
    let mut problems = reader.finish().0;
    problems.extend(kind.problems(path, text));
    problems
}
