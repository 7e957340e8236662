//! The clauses of EN 301 549 that a site does not meet.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use model::{Diagnostic, Rule};

/// Returns the rules of clauses with the number of their warnings, by clause.
fn clauses(found: &[Diagnostic]) -> BTreeMap<&'static str, (&'static str, Rule, usize)> {
    let mut clauses = BTreeMap::new();
    for rule in found.iter().filter_map(|one| one.rule) {
        if let Some((number, title)) = rule.clause() {
            clauses.entry(number).or_insert((title, rule, 0)).2 += 1;
        }
    }
    clauses
}

/// Returns a table of the clauses for the text report.
pub fn summary(found: &[Diagnostic]) -> String {
    let clauses = clauses(found);
    let mut lines = vec![match clauses.is_empty() {
        true => "EN 301 549: no gaps found".to_owned(),
        false => "EN 301 549 requires, and this site lacks:".to_owned(),
    }];
    lines.extend(clauses.iter().map(|(number, (title, rule, count))| {
        format!("  {number} {title}: {count} ({})", rule.name())
    }));
    lines.push(
        "Check the other clauses yourself, such as audio descriptions of videos (9.1.2.5)"
            .to_owned(),
    );
    lines.join("\n")
}

/// Returns the clauses as JSON.
pub fn json(found: &[Diagnostic]) -> Vec<Value> {
    let clauses = clauses(found).into_iter();
    let clauses = clauses.map(|(number, (title, rule, count))| {
        json!({ "clause": number, "title": title, "rule": rule.name(), "count": count })
    });
    clauses.collect()
}
