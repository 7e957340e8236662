//! Edits YAML front matter. [`Shape`] maps each value to its byte range.

mod shape;
mod write;

use std::ops::Range;

use self::shape::{Kind, Shape};
use self::write::{Indentation, block, in_same_style, inline, inline_entry};
pub(super) use self::write::{double_quoted, key};
use super::bracketed::Bracketed;
use super::difference::{Action, PathElement, Step, Syntax};
use super::splice::{Splice, line_start, next_line, rest_of_line, starts_line};
use crate::value::{Entry, Node, Table, Value};

/// A YAML document to edit.
pub(super) struct Yaml<'a> {
    text: &'a str,
    fields: Range<usize>,
    root: Shape,
    indentation: Indentation,
}

impl Syntax for Yaml<'_> {
    fn splices(&self, step: &Step<'_>) -> Option<Vec<Splice>> {
        match &step.action {
            Action::Replace(new) => {
                let (last, rest) = step.split()?;
                self.replace(last, rest, new)
            }
            Action::Remove => {
                let (last, rest) = step.split()?;
                let parent = self.shape(rest)?;
                match parent.kind {
                    Kind::Flow => Some(self.bracketed(parent).remove(last.index())),
                    Kind::Block => self.remove_block(parent, last.index()),
                    _ => None,
                }
            }
            Action::Add(entries) => self.add(step, entries),
            Action::Insert(before, nodes) => self.insert(self.shape(&step.path)?, *before, nodes),
        }
    }
}

impl<'a> Yaml<'a> {
    /// Creates an editor of the front matter between `---` lines.
    pub fn new(text: &'a str, fields: Range<usize>, root: &Table) -> Self {
        let root = Shape::root(text, fields.clone(), root);
        let indentation = Indentation {
            keys: root.key_indent(text).unwrap_or(2),
            dashes: root.dash_indent(text).unwrap_or(2),
            blocks: true,
        };
        Self { text, fields, root, indentation }
    }

    /// Returns whether a value must be replaced entirely. This applies to aliases, because an alias
    /// has its value elsewhere in the document.
    pub fn is_opaque(text: &str, node: &Node, _: &Value) -> bool {
        text[node.span.clone()].starts_with('*')
    }

    fn shape(&self, path: &[PathElement<'_>]) -> Option<&Shape> {
        path.iter().try_fold(&self.root, |shape, element| {
            shape.parts.get(element.index()).map(|part| &part.shape)
        })
    }

    fn replace(
        &self,
        last: PathElement<'_>,
        rest: &[PathElement<'_>],
        new: &Value,
    ) -> Option<Vec<Splice>> {
        let parent = self.shape(rest)?;
        let part = parent.parts.get(last.index())?;
        let old = &part.shape;
        let raw = &self.text[old.token..old.end];
        let is_scalar = |value: &Value| !matches!(value, Value::List(_) | Value::Table(_));
        let spaced = |text: String| {
            let glued =
                old.start == old.value_start && self.text[..old.start].ends_with([':', '-']);
            if glued { format!(" {text}") } else { text }
        };
        let flow = parent.kind == Kind::Flow;
        if flow
            || matches!(old.kind, Kind::Scalar | Kind::Alias) && is_scalar(new) && !has_lines(new)
        {
            let text = if is_scalar(new) { in_same_style(raw, new, flow) } else { inline(new) };
            return Some(vec![Splice::new(old.start..old.end, spaced(text))]);
        }
        let column = column(self.text, part.at);
        match (old.kind, new) {
            (Kind::Unknown, _) => None,
            (Kind::Lines, Value::String(new)) => self.rewrite_lines(old, new, column),
            (Kind::Scalar, new) if is_scalar(new) && raw.starts_with(['"', '\'']) => {
                Some(vec![Splice::new(old.start..old.end, in_same_style(raw, new, false))])
            }
            (Kind::Flow, Value::List(list)) if list.iter().all(|node| is_scalar(&node.value)) => {
                Some(vec![Splice::new(old.start..old.end, inline(new))])
            }
            _ => {
                let mut indentation = self.indentation_at(old.end, column);
                indentation.blocks &= !self.is_followed(old.end);
                let text = match last {
                    // Writes the value on one line, so that the comment at the end of the line
                    // stays there.
                    _ if self.is_followed(old.end) && !is_scalar(new) => {
                        format!(" {}", inline(new))
                    }
                    PathElement::Key(..) => indentation.after_colon(new, column),
                    PathElement::Item(..) => indentation.after_dash(new, column),
                };
                self.rewrite(old, new, text)
            }
        }
    }

    /// Replaces the value after a colon or a dash with `text`. Comments before the old value stay
    /// unchanged.
    fn rewrite(&self, old: &Shape, new: &Value, text: String) -> Option<Vec<Splice>> {
        if self.text[old.value_start..old.start].trim().is_empty() {
            return Some(vec![Splice::new(old.value_start..old.end, text)]);
        }
        if !starts_line(self.text, old.start) {
            return None;
        }
        let above = &self.text[..line_start(self.text, old.start)];
        let lines = above.trim_end_matches(['\r', '\n']).len()..old.end;
        if text.starts_with('\n') {
            return Some(vec![Splice::new(lines, text)]);
        }
        let text = if text.contains('\n') { format!(" {}", inline(new)) } else { text };
        Some(vec![Splice::new(old.value_start..old.value_start, text), Splice::removal(lines)])
    }

    /// Returns the indentation for a value at a key or dash in `column`. The value's lines are
    /// written below the line of `at`. If a comment with deeper indentation follows, block scalars
    /// (`|`) are not allowed: the comment would become the last line of the scalar.
    fn indentation_at(&self, at: usize, column: usize) -> Indentation {
        let mut lines = self.text[next_line(self.text, at)..self.fields.end].lines();
        let next = lines.find(|line| !line.trim().is_empty()).unwrap_or("");
        let comment = next.trim_start_matches(' ');
        let far = comment.starts_with('#') && next.len() - comment.len() > column;
        Indentation { blocks: !far, ..self.indentation }
    }

    /// Returns whether a value is followed by other text on its line.
    fn is_followed(&self, end: usize) -> bool {
        !self.text[rest_of_line(self.text, end)].trim().is_empty()
    }

    /// Replaces a block scalar with a new string, in the same style and with the same indentation.
    fn rewrite_lines(&self, old: &Shape, new: &str, column: usize) -> Option<Vec<Splice>> {
        let head = &self.text[old.token..];
        let style = head.chars().next()?;
        let head = head.len()
            - head.trim_start_matches(|c: char| "|>+-".contains(c) || c.is_ascii_digit()).len();
        let lines = next_line(self.text, old.token);
        let first = self
            .text
            .get(lines..old.end)
            .unwrap_or("")
            .lines()
            .find(|line| !line.trim().is_empty());
        let space = first.map_or_else(
            || " ".repeat(column + self.indentation.keys),
            |line| line[..line.len() - line.trim_start_matches(' ').len()].to_owned(),
        );
        match block(style, new, &space).or_else(|| block('|', new, &space)) {
            Some((header, text)) if lines <= old.end => Some(vec![
                Splice::new(old.token..old.token + head, header),
                Splice::new(lines..old.end, text),
            ]),
            Some((header, text)) => {
                Some(vec![Splice::new(old.start..old.end, format!("{header}\n{text}"))])
            }
            None => {
                let value = Value::String(new.to_owned());
                Some(vec![Splice::new(old.start..old.end, in_same_style("\"", &value, false))])
            }
        }
    }

    fn remove_block(&self, parent: &Shape, index: usize) -> Option<Vec<Splice>> {
        let part = &parent.parts[index];
        if part.shape.kind == Kind::Unknown {
            return None;
        }
        let end = self.end_of_comments(part.shape.end, column(self.text, part.at));
        if starts_line(self.text, part.at) {
            return Some(vec![Splice::removal(line_start(self.text, part.at)..end)]);
        }
        // The part is on the same line as the dash of its list item, before its siblings. The next
        // sibling moves to the position of the part, unless there are comments between them.
        let next = parent.parts.get(index + 1)?.at;
        if self.text.get(end..next)?.trim().is_empty() {
            return Some(vec![Splice::removal(part.at..next)]);
        }
        let dash = self.text[..part.at].trim_end_matches(' ').len();
        let line = rest_of_line(self.text, part.shape.end);
        Some(vec![Splice::removal(dash..line.end)])
    }

    /// Returns the end of the lines that belong to a value. This includes comments below the value
    /// that are indented deeper than its key.
    fn end_of_comments(&self, end: usize, column: usize) -> usize {
        let (mut end, mut next) = (next_line(self.text, end), next_line(self.text, end));
        while next < self.fields.end {
            let line = &self.text[next..next_line(self.text, next)];
            let comment = line.trim_start_matches(' ');
            next += line.len();
            if comment.starts_with('#') && line.len() - comment.len() > column {
                end = next;
            } else if !comment.trim().is_empty() {
                break;
            }
        }
        end
    }

    fn add(&self, step: &Step<'_>, entries: &[&Entry]) -> Option<Vec<Splice>> {
        let table = self.shape(&step.path)?;
        match (table.kind, table.parts.last()) {
            (Kind::Flow, Some(_)) => {
                let new: Vec<_> = entries.iter().map(|entry| inline_entry(entry)).collect();
                Some(self.bracketed(table).insert(table.parts.len(), &new))
            }
            (Kind::Flow, None) => {
                let new: Vec<_> = entries.iter().map(|entry| inline_entry(entry)).collect();
                let text = format!("{{{}}}", new.join(", "));
                Some(vec![Splice::new(table.start..table.end, text)])
            }
            (Kind::Block, Some(last)) => {
                if last.shape.kind == Kind::Unknown {
                    return None;
                }
                let column = column(self.text, table.parts[0].at);
                let indentation = self.indentation_at(last.shape.end, column);
                let lines: String =
                    entries.iter().map(|entry| indentation.entry(entry, column)).collect();
                Some(vec![Splice::lines_below(self.text, last.shape.end, &lines)])
            }
            (Kind::Block, None) => {
                let lines: String =
                    entries.iter().map(|entry| self.indentation.entry(entry, 0)).collect();
                Some(vec![Splice::new(self.fields.end..self.fields.end, lines)])
            }
            _ => None,
        }
    }

    fn insert(&self, list: &Shape, before: usize, nodes: &[Node]) -> Option<Vec<Splice>> {
        if list.kind == Kind::Flow {
            let new: Vec<_> = nodes.iter().map(|node| inline(&node.value)).collect();
            return Some(self.bracketed(list).insert(before, &new));
        }
        let first = list.parts.first()?.at;
        let column = column(self.text, first);
        let above = before.checked_sub(1).map(|above| &list.parts[above].shape);
        let indentation =
            above.map_or(self.indentation, |above| self.indentation_at(above.end, column));
        let line = |node: &Node| format!("{}\n", indentation.item(&node.value, column));
        let lines: String = nodes.iter().map(line).collect();
        let Some(above) = above else {
            let at = line_start(self.text, first);
            return starts_line(self.text, first).then(|| vec![Splice::new(at..at, lines)]);
        };
        (list.kind == Kind::Block && above.kind != Kind::Unknown)
            .then(|| vec![Splice::lines_below(self.text, above.end, &lines)])
    }

    fn bracketed(&self, shape: &Shape) -> Bracketed<'_> {
        let end = |at: usize| rest_of_line(self.text, at).start;
        Bracketed {
            text: self.text,
            items: shape.parts.iter().map(|part| part.at..end(part.shape.end)).collect(),
            gap: " ",
            comments: true,
        }
    }
}

fn has_lines(value: &Value) -> bool {
    matches!(value, Value::String(text) if text.contains('\n'))
}

/// Returns the column of byte `at`, in characters from the start of the line.
fn column(text: &str, at: usize) -> usize {
    text[line_start(text, at)..at].chars().count()
}
