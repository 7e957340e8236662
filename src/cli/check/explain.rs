//! `feedwright check --explain`: prints the documentation page of a rule, or where the values of a
//! content file come from.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::output::{answer, print_json};
use super::super::{Failure, options, site_path, table};
use model::{Rule, SitePath};
use project::{ExplainedValue, explain_file};
use source::fields::nearest;

/// Prints the documentation of a rule.
pub fn explain(name: &str) -> Result<(), Failure> {
    let Some(rule) = Rule::parse(name) else {
        let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        let help = match nearest(name, &names) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the rules are {}", names.join(", ")),
        };
        return Err(Failure::Usage(format!("there is no rule {name:?}; {help}")));
    };
    let (summary, text) = page(rule);
    answer(&format!("{}: {summary}\n\n{}", rule.name(), text.trim_end()));
    Ok(())
}

/// Prints the values of a content file, each with its origin. `name` is relative to the current
/// folder or to the site.
pub fn explain_values(root: PathBuf, name: &str, as_json: bool) -> Result<(), Failure> {
    let file = site_path(&root, Path::new(name))
        .ok_or_else(|| Failure::Usage(format!("{name} is not a file of the site")))?;
    let values = explain_file(&options(root)?, &file).map_err(Failure::Usage)?;
    if as_json {
        let values: Vec<Value> = values.iter().map(|one| value_json(one, &file)).collect();
        print_json(&json!({ "file": file, "values": values }));
        return Ok(());
    }
    let row = |one: &ExplainedValue| {
        let value = match &one.value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        vec![one.key.clone(), value, one.origin.describe(&file)]
    };
    table::print(&values.iter().map(row).collect::<Vec<_>>());
    Ok(())
}

fn value_json(one: &ExplainedValue, file: &SitePath) -> Value {
    let (from, line) = one.origin.word();
    let text = one.origin.describe(file);
    json!({ "key": one.key, "value": one.value, "from": from, "line": line, "text": text })
}

/// Returns the one-sentence summary of a rule's documentation page, and the page's Markdown.
pub(super) fn page(rule: Rule) -> (String, &'static str) {
    let page = rule.page();
    let Ok(front) = front_matter::parse(page) else {
        return (String::new(), page);
    };
    let summary = match front.table.get("meta_description").map(|node| &node.value) {
        Some(front_matter::Value::String(text)) => text.clone(),
        _ => String::new(),
    };
    (summary, page.get(front.body..).unwrap_or_default())
}
