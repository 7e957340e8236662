//! Formats the results of `check` as SARIF 2.1.0 (OASIS), which code hosts and editors read.

use serde_json::{Value, json};

use super::explain::page;
use super::forges::{Found, fingerprints};
use model::{Rule, Severity, url};

/// The rule id for errors in SARIF, because errors do not belong to a rule.
const ERROR: &str = "error";

pub(super) fn sarif(found: &Found<'_>) -> Value {
    let mut rules: Vec<Option<Rule>> = found.all.iter().map(|one| one.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let results = found.all.iter().zip(fingerprints(found));
    let results: Vec<Value> = results
        .map(|(one, fingerprint)| {
            let level = match one.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let mut text = one.message.clone();
            if let Some(help) = &one.help {
                text += &format!("\n{help}");
            }
            json!({
                "ruleId": one.rule.map_or(ERROR, Rule::name),
                "ruleIndex": rules.binary_search(&one.rule).unwrap_or_default(),
                "level": level,
                "message": { "text": text },
                "locations": [{ "physicalLocation": location_json(found, one) }],
                "partialFingerprints": { "feedwright/v1": fingerprint },
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "feedwright",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().copied().map(rule_json).collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule_json(rule: Option<Rule>) -> Value {
    let Some(rule) = rule else {
        let text = "The site cannot be built.";
        return json!({ "id": ERROR, "shortDescription": { "text": text }, "help": { "text": text } });
    };
    let (summary, markdown) = page(rule);
    json!({
        "id": rule.name(),
        "shortDescription": { "text": summary },
        "help": { "text": markdown, "markdown": markdown },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn location_json(found: &Found<'_>, one: &model::Diagnostic) -> Value {
    let mut location_json = json!({
        "artifactLocation": { "uri": url::encode_path(&found.file(one)), "uriBaseId": "%SRCROOT%" },
    });
    if let (Some(line), Some(column)) = (one.line, one.column) {
        location_json["region"] = json!({ "startLine": line, "startColumn": column });
    }
    location_json
}
