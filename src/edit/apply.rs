//! Changes the front matter and the body of a text. Each round of an edit reads the text, takes the steps
//! to the wanted table that do not disturb each other, and reads again: what comes out is what was wanted,
//! or it is an error.

use std::ops::Range;

use super::body;
use super::change::{Change, changed};
use super::difference::{Opaque, Step, Syntax, steps};
use super::json::Json;
use super::splice::{Splice, line_end, line_start, spliced};
use super::toml::Toml;
use super::toml_value;
use super::yaml::Yaml;
use crate::model::{Diagnostic, Source};
use crate::source::front_matter::{self, Format};
use crate::source::value::{Table, Value};

/// The text of a content file with its front matter changed and, where one is given, another body.
/// Every other byte stays: comments, order, quotes, line ends. A file without front matter gets TOML.
///
/// # Errors
///
/// The front matter cannot be read, a change leads through something that is no table, or the change
/// cannot be made without changing something else (an anchor that an alias repeats).
///
/// ```
/// use feedwright::edit::{Change, apply};
/// use feedwright::model::{SitePath, Source};
///
/// let path = SitePath::parse("content/items/a.md").unwrap();
/// let text = "---\ntitle: 'Old' # note\ntags:\n- a\n---\nText\n";
/// let changes = [
///     Change::set(&["title"], "It's new"),
///     Change::set(&["tags"], vec!["a", "b"]),
/// ];
/// let edited = apply(Source { path: &path, text }, &changes, None).unwrap();
/// assert_eq!(edited, "---\ntitle: 'It''s new' # note\ntags:\n- a\n- b\n---\nText\n");
/// ```
pub fn apply(
    source: Source<'_>,
    changes: &[Change],
    body: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    let front = front_matter::parse(source)?;
    let wanted = wanted(source, &front.table, changes)?;
    let text = match front.format {
        Some(_) => mend(source, changes, &wanted, &|source| read(source))?,
        None if wanted.entries.is_empty() => source.text.to_owned(),
        None => {
            let lines = toml_value::lines(&[], &wanted);
            put_in_front(source.text, front.body, &lines)
        }
    };
    let Some(body) = body else {
        return Ok(text);
    };
    let path = source.path;
    let front = front_matter::parse(Source { path, text: &text })?;
    let edited = body::replaced(&text, front.body, front.format.is_some(), body);
    if front.format.is_none()
        && !is_bare(Source {
            path,
            text: &edited,
        })
    {
        // The body alone would be taken for front matter.
        return Ok(put_in_front(&edited, front.body, ""));
    }
    Ok(edited)
}

/// The text of a file that is all TOML (`site.toml`), changed in the same way.
///
/// # Errors
///
/// As for [`apply`].
pub fn apply_toml(source: Source<'_>, changes: &[Change]) -> Result<String, Vec<Diagnostic>> {
    let table = front_matter::parse_toml(source)?;
    let wanted = wanted(source, &table, changes)?;
    mend(source, changes, &wanted, &|source| {
        Ok(Document {
            table: front_matter::parse_toml(source)?,
            format: Format::Toml,
            fields: 0..source.text.len(),
            body: source.text.len(),
        })
    })
}

fn wanted(source: Source<'_>, table: &Table, changes: &[Change]) -> Result<Table, Vec<Diagnostic>> {
    changed(table, changes).map_err(|(path, kind)| {
        let key = path
            .split('.')
            .next()
            .and_then(|first| table.entries.iter().find(|entry| entry.key == first));
        vec![
            Diagnostic::error(format!("`{path}` is {kind} and holds no other fields"))
                .at(source, key.map_or(0, |entry| entry.key_span.start))
                .help("make it a table"),
        ]
    })
}

fn is_bare(source: Source<'_>) -> bool {
    front_matter::parse(source).is_ok_and(|front| front.format.is_none())
}

fn put_in_front(text: &str, at: usize, lines: &str) -> String {
    let block = Splice::new(at..at, format!("+++\n{lines}+++\n"));
    spliced(text, vec![block], line_end(text))
}

/// Front matter as it stands in a text.
struct Document {
    table: Table,
    format: Format,
    fields: Range<usize>,
    body: usize,
}

fn read(source: Source<'_>) -> Result<Document, Vec<Diagnostic>> {
    let front = front_matter::parse(source)?;
    let text = source.text;
    let head = &text[..front.body];
    let start = if head.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let format = front.format.unwrap_or(Format::Toml);
    let fields = match format {
        Format::Json => start..head.trim_end().len(),
        _ => {
            let first = head.find('\n').map_or(head.len(), |end| end + 1);
            let last = line_start(head, head.strip_suffix('\n').unwrap_or(head).len());
            first..last.max(first)
        }
    };
    Ok(Document {
        table: front.table,
        format,
        fields,
        body: front.body,
    })
}

impl Document {
    fn steps<'a>(&'a self, text: &'a str, wanted: &'a Table) -> Vec<Step<'a>> {
        let opaque: Opaque = match self.format {
            Format::Toml => Toml::is_opaque,
            Format::Yaml => Yaml::is_opaque,
            Format::Json => |_, _, _| false,
        };
        steps(text, &self.table, wanted, opaque)
    }

    /// The splices of the steps that do not disturb each other.
    fn splices(
        &self,
        text: &str,
        steps: &[Step<'_>],
        written: &mut Vec<*const Value>,
    ) -> Vec<Splice> {
        let syntax = self.syntax(text);
        let mut taken: Vec<Splice> = Vec::new();
        for step in steps {
            let Some(splices) = syntax.splices(step) else {
                continue;
            };
            let apart = |new: &Splice| !taken.iter().any(|old| old.meets(new));
            if splices.iter().all(apart) {
                taken.extend(splices);
                written.extend(step.replacement());
            }
        }
        taken
    }

    fn syntax<'a>(&'a self, text: &'a str) -> Box<dyn Syntax + 'a> {
        let (fields, root) = (self.fields.clone(), &self.table);
        match self.format {
            Format::Toml => Box::new(Toml { text, fields, root }),
            Format::Yaml => Box::new(Yaml::new(text, fields, root)),
            Format::Json => Box::new(Json { text, fields, root }),
        }
    }
}

type Read<'r> = dyn Fn(Source<'_>) -> Result<Document, Vec<Diagnostic>> + 'r;

/// Most rounds that an edit takes; a handful is usual.
const ROUNDS: usize = 64;

fn mend(
    source: Source<'_>,
    changes: &[Change],
    wanted: &Table,
    read: &Read<'_>,
) -> Result<String, Vec<Diagnostic>> {
    let path = source.path;
    let body = &source.text[read(source)?.body..];
    let ends = line_end(source.text);
    let mut text = source.text.to_owned();
    let mut written = Vec::new();
    for _ in 0..ROUNDS {
        let Ok(document) = read(Source { path, text: &text }) else {
            break;
        };
        if &text[document.body..] != body {
            break;
        }
        let steps = document.steps(&text, wanted);
        if steps.is_empty() {
            return Ok(text);
        }
        // What was written and is not read back has met something around it: that must not go with it.
        let again = |step: &Step<'_>| step.replacement().is_some_and(|new| written.contains(&new));
        if !steps.iter().all(|step| step.is_below(changes)) || steps.iter().any(again) {
            break;
        }
        let splices = document.splices(&text, &steps, &mut written);
        let edited = spliced(&text, splices, ends);
        if edited == text {
            break;
        }
        text = edited;
    }
    Err(vec![refusal(source, wanted, &read(source)?)])
}

fn refusal(source: Source<'_>, wanted: &Table, document: &Document) -> Diagnostic {
    let steps = document.steps(source.text, wanted);
    let first = steps.first().and_then(|step| step.path.first());
    let at = first.map_or(document.fields.start, |crumb| crumb.start());
    Diagnostic::error("this front matter cannot be edited without changing something else")
        .at(source, at)
        .help("change it by hand, or write this field without anchors, aliases and tags, on lines of its own")
}
