//! `feedwright check --explain`: prints the documentation page of a rule.

use super::super::Failure;
use super::super::output::answer;
use model::Rule;
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
