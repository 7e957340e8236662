//! The author's settings for warnings: `[check]` of `site.toml`, and `allow` of front matter.

use front_matter::{Node, Value};

use super::fields::{Fields, nearest};
use model::{CheckConfig, Rule, SitePath, Source};

/// Reads `[check]`.
pub fn read(fields: &Fields<'_, '_>) -> CheckConfig {
    CheckConfig { allow: rules(fields, "allow"), deny: rules(fields, "deny"), paths: paths(fields) }
}

/// Validates `allow` in the front matter of a content file. The key takes effect later, when all
/// problems are known.
pub fn validate_allowed(fields: &Fields<'_, '_>) {
    rules(fields, "allow");
}

/// Returns the rules that a file's front matter silences for the file. Returns no rules if the
/// front matter cannot be parsed; that error is reported elsewhere.
pub fn allowed_in(source: Source<'_>) -> Vec<Rule> {
    if !source.text.contains("allow") {
        return Vec::new();
    }
    let front = source.front_matter().ok();
    let node = front.as_ref().and_then(|front| front.table.get("allow"));
    let nodes = node.map_or(&[][..], listed);
    nodes.iter().filter_map(name).filter_map(Rule::parse).collect()
}

fn rules(fields: &Fields<'_, '_>, key: &'static str) -> Vec<Rule> {
    let parse_rule = |node: &Node| parse_rule(fields, key, node);
    fields.list(key).iter().filter_map(parse_rule).collect()
}

/// Returns the rule with this name. Warns if there is no such rule.
fn parse_rule(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<Rule> {
    let name = fields.as_string(key, node)?;
    let rule = Rule::parse(&name);
    if rule.is_none() {
        let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        let help = match nearest(&name, &names) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "write a rule's name, which its warnings show in brackets".to_owned(),
        };
        let message = format!("there is no rule {name:?}");
        let reader = fields.reader;
        reader.warning(Rule::UnknownRule, &node.span, message, help);
    }
    rule
}

/// Reads `[check.paths]`: files and folders, each with the rules whose warnings are silenced there.
fn paths(fields: &Fields<'_, '_>) -> Vec<(SitePath, Vec<Rule>)> {
    const KEY: &str = "paths";
    let Some(node) = fields.node(KEY) else {
        return Vec::new();
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in &table.entries {
        let Some(path) = SitePath::parse(entry.key.trim_end_matches('/')) else {
            let message = format!("{:?} is not a path in this site", entry.key);
            let help =
                "write a file or folder, relative to the site's root: \"content/items/2009\"";
            fields.reader.error(&entry.key_span, message, help);
            continue;
        };
        let nodes = listed(&entry.node).iter();
        found.push((path, nodes.filter_map(|node| parse_rule(fields, KEY, node)).collect()));
    }
    found
}

fn listed(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(list) => list,
        _ => std::slice::from_ref(node),
    }
}

fn name(node: &Node) -> Option<&str> {
    match &node.value {
        Value::String(text) | Value::Plain(_, text) => Some(text),
        _ => None,
    }
}
