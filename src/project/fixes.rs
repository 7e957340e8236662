//! Applies automatic fixes: `check --fix`.
//!
//! A fix is applied only if the file has no more errors afterwards than before.

use std::collections::BTreeMap;
use std::path::Path;

use front_matter::{Change, FrontMatter, Table, Value};
use serde_json::Value as Json;

use edit::{self, Replaced};
use model::{Config, Diagnostic, Fix, Report, Severity, SitePath, Source};
use source::fields::Reader;
use source::text::read_text;
use source::{channel, item, page};

/// A changed file, and the fixes applied to it.
pub type FixedFile = (SitePath, Vec<String>);

/// Applies the fixes of diagnostics. Returns the changed files, and errors for files that could not
/// be changed.
pub fn apply_fixes(root: &Path, config: &Config, found: &[Diagnostic]) -> (Vec<FixedFile>, Report) {
    let mut by_file: BTreeMap<SitePath, Vec<&Fix>> = BTreeMap::new();
    for one in found {
        let file = one.file.as_deref().and_then(SitePath::parse);
        let is_content = |file: &SitePath| matches!(file.extension().as_str(), "md" | "html");
        if let (Some(file), Some(fix)) = (file.filter(is_content), one.fix.as_deref()) {
            let fixes = by_file.entry(file).or_default();
            let several = match fix {
                Fix::All(several) => several,
                one => std::slice::from_ref(one),
            };
            for fix in several {
                if !fixes.contains(&fix) {
                    fixes.push(fix);
                }
            }
        }
    }
    let (mut fixed, mut report) = (Vec::new(), Report::default());
    for (file, fixes) in by_file {
        match fix_file(root, config, &file, &fixes) {
            Ok(done) if done.is_empty() => {}
            Ok(done) => fixed.push((file, done)),
            Err(faults) => report.extend(faults),
        }
    }
    (fixed, report)
}

fn fix_file(
    root: &Path,
    config: &Config,
    file: &SitePath,
    fixes: &[&Fix],
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let text = read_text(root, file).map_err(|error| vec![error])?;
    let mut fixed = text.clone();
    let mut done = Vec::new();
    for fix in fixes {
        // If one fix cannot be applied, the other fixes are still applied.
        if let Some(with_it) = apply_fix(file, &fixed, fix)
            && count_errors(root, config, file, &with_it)
                <= count_errors(root, config, file, &fixed)
        {
            if with_it != fixed {
                done.push(fix.description());
            }
            fixed = with_it;
        }
    }
    if fixed == text {
        return Ok(Vec::new());
    }
    match edit::replace_if(&file.on_disk(root), text.as_bytes(), fixed.as_bytes()) {
        Ok(Replaced::Done) => Ok(done),
        Ok(Replaced::Changed | Replaced::Open) => {
            let error = Diagnostic::error("this file changed before feedwright could fix it");
            Err(vec![error.file(file.as_str()).help("try again")])
        }
        Err(error) => {
            let error = Diagnostic::error(format!("this file cannot be written: {error}"));
            Err(vec![error.file(file.as_str()).help("check its permissions")])
        }
    }
}

/// Returns the text of a file with one fix applied.
fn apply_fix(file: &SitePath, text: &str, fix: &Fix) -> Option<String> {
    let source = Source { path: file, text };
    let front = source.front_matter().ok()?;
    let changes = match fix {
        Fix::Respell { at, from, to } => {
            let at = text.floor_char_boundary(*at);
            let start = at + text[at..].find(from.as_str())?;
            return Some([&text[..start], to, &text[start + from.len()..]].concat());
        }
        Fix::Set { key, text } => vec![Change::set(&[key], text.as_str())],
        Fix::Add { key, text } => {
            let mut list = texts(front.table.get(key).map(|node| &node.value));
            if list.contains(text) {
                return None;
            }
            list.push(text.clone());
            vec![Change::set(&[key], list)]
        }
        Fix::Move { from, to } => move_value(&front, from, to)?,
        Fix::All(_) => return None,
    };
    edit::apply(source, &changes, None).ok()
}

/// Returns the changes that move a value to an unused key.
fn move_value(front: &FrontMatter, from: &str, to: &str) -> Option<Vec<Change>> {
    let value = to_json(&front.table.get(from)?.value)?;
    let path: Vec<&str> = to.split('.').collect();
    is_unused(&front.table, &path).then(|| vec![Change::remove(&[from]), Change::set(&path, value)])
}

fn is_unused(table: &Table, path: &[&str]) -> bool {
    match path.split_first().and_then(|(key, rest)| Some((table.get(key)?, rest))) {
        None => true,
        Some((node, rest)) => match &node.value {
            Value::Table(inner) => !rest.is_empty() && is_unused(inner, rest),
            _ => false,
        },
    }
}

fn to_json(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.as_str().into(),
        Value::Plain(bare, _) => return to_json(bare),
        Value::List(list) => {
            list.iter().map(|node| to_json(&node.value)).collect::<Option<Vec<Json>>>()?.into()
        }
        Value::Table(table) => {
            let entries = table.entries.iter();
            let entries =
                entries.map(|entry| Some((entry.key.clone(), to_json(&entry.node.value)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
    })
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::List(list)) => list.iter().flat_map(|node| texts(Some(&node.value))).collect(),
        Some(Value::String(text) | Value::Plain(_, text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// Returns the number of errors in a content file.
fn count_errors(root: &Path, config: &Config, file: &SitePath, text: &str) -> usize {
    let reader = Reader::new(Source { path: file, text }, config, root);
    match file.as_str().split('/').nth(1) {
        Some("items") => drop(item::read(&reader)),
        Some("pages") => drop(page::read(&reader)),
        _ => drop(channel::read(&reader)),
    }
    let (found, _) = reader.finish();
    let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
    found.iter().filter(is_error).count()
}
