//! The key `recurrence`: the lines that make an event a series.

use front_matter::Node;
use recurrence::{LineError, Recurrence};

use super::super::fields::Fields;
use model::Rule;
use model::calendar::EventTime;

/// Reads `recurrence`. Returns `None` if the event is not a series, or if the value is invalid.
pub fn read(fields: &Fields<'_, '_>, start: &EventTime) -> Option<Recurrence> {
    let nodes = fields.list("recurrence");
    let mut lines: Vec<(String, &Node)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let line = fields.as_string("recurrence", node)?;
        lines.push((line.trim().to_owned(), node));
    }
    lines.retain(|(line, _)| !line.is_empty());
    let recurrence = match Recurrence::parse(lines.iter().map(|(line, _)| line.as_str()), start) {
        _ if lines.is_empty() => return None,
        Ok(recurrence) => recurrence,
        Err(error) => {
            if let Some((line, node)) = lines.get(error.line) {
                report(fields, &error, line, node);
            }
            return None;
        }
    };
    if !recurrence.is_synchronized(start)
        && let Some((_, node)) = lines.first()
    {
        let message = "`start` is not one of the times of the `recurrence` rule";
        let help = "move `start` to a time of the rule; until then it is an extra first event of the series";
        fields.reader.warning(Rule::EventTime, &node.span, message, help);
    }
    Some(recurrence)
}

/// Reports an error at its exact position if the file contains the line verbatim. Otherwise,
/// reports the error for the whole value.
fn report(fields: &Fields<'_, '_>, error: &LineError, line: &str, node: &Node) {
    let text = &fields.reader.source.text[node.span.clone()];
    let span = match text.find(line) {
        Some(at) => {
            let start = node.span.start + at + error.range.start;
            start..node.span.start + at + error.range.end
        }
        None => node.span.clone(),
    };
    let message = format!("`recurrence` {}", error.message);
    fields.reader.error(&span, message, error.help);
}
