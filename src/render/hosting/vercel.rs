//! The `vercel.json` file.

use serde_json::{Value, json};

use super::rules::POLICY;
use super::{HostingFacts, inert_extensions_regex};

/// Maximum number of redirects to write. Vercel reads 2,048 rules of all kinds.
pub const LIMIT: usize = 2_000;

/// Returns the `vercel.json` file. `trailingSlash` adds a slash to paths without an extension, and
/// does not affect files.
pub fn file(site: &HostingFacts) -> String {
    let mut redirects: Vec<Value> = site
        .redirects
        .iter()
        .take(LIMIT)
        .map(|redirect| {
            let from = literal(&site.location(&redirect.from));
            // Vercel adds the slash before it checks redirects.
            let from = if from.ends_with('/') { from } else { format!("{from}{{/}}?") };
            json!({ "source": from, "destination": site.location(&redirect.to), "statusCode": 301 })
        })
        .collect();
    let mut rewrites = Vec::new();
    let base = literal(&site.location(""));
    for rewrite in &site.rewrites {
        let (from, to) = (source(&base, &rewrite.from), source(&site.location(""), &rewrite.to));
        // Vercel checks rewrites after files, and redirects before files.
        if site.pages {
            redirects.push(json!({ "source": from, "destination": to, "statusCode": 301 }));
        } else {
            rewrites.push(json!({ "source": from, "destination": to }));
        }
    }
    let document = json!({
        "trailingSlash": true,
        "redirects": redirects,
        "rewrites": rewrites,
        "headers": headers(site, &base),
    });
    format!("{document:#}\n")
}

fn headers(site: &HostingFacts, base: &str) -> Vec<Value> {
    let cors = json!({ "key": "Access-Control-Allow-Origin", "value": "*" });
    let rule = |path: &str, headers: Vec<Value>| json!({ "source": source(base, path), "headers": headers });
    let mut all = Vec::new();
    if !site.fields.is_empty() {
        let fields = site.fields.iter();
        let fields = fields.map(|(name, value)| json!({ "key": name, "value": value }));
        all.push(rule("/*", fields.collect()));
    }
    for typed in &site.types {
        for path in typed.paths() {
            let media_type = json!({ "key": "Content-Type", "value": typed.media_type });
            all.push(rule(path, vec![media_type, cors.clone()]));
        }
    }
    let typed = json!({ "key": "X-Content-Type-Options", "value": "nosniff" });
    all.push(rule("/media/*", vec![cors, typed]));
    let policy = json!({ "key": "Content-Security-Policy", "value": POLICY });
    all.push(json!({
        "source": format!("{base}/media/((?!.*{}$).+)", inert_extensions_regex()),
        "headers": [policy],
    }));
    let caching = json!({ "key": "Cache-Control", "value": super::rules::IMMUTABLE });
    for folder in &site.immutable {
        all.push(rule(&format!("{folder}*"), vec![caching.clone()]));
    }
    all
}

/// Returns a path-to-regexp pattern that matches exactly this path.
pub fn literal(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '(' | ')' | '*' | '+' | ':' | '?' | '{' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn source(base: &str, path: &str) -> String {
    match path.strip_suffix("/*") {
        Some(folder) => format!("{base}{folder}/(.+)"),
        None => format!("{base}{}", path.replacen('*', ":id", 1).replace('*', ":clip")),
    }
}
