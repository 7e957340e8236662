//! Search on the published site in headless Chromium (`browser.cjs`).

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::known_items::KnownItem;
use super::site::Site;
use super::table::print;

/// Prints the table of browser times, or the reason why no browser could be measured.
pub fn run(site: &Site, known: &[KnownItem]) {
    match run_queries(site, known) {
        Ok(times) => table(&times),
        Err(error) => println!("\nNot looked at in a browser: {}", error.trim()),
    }
}

fn run_queries(site: &Site, known: &[KnownItem]) -> Result<Value, String> {
    let queries: Vec<&str> = known.iter().map(|item| item.query.as_str()).collect();
    let file = site.root.join("queries.json");
    std::fs::write(&file, json!(queries).to_string()).map_err(|error| error.to_string())?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/search/browser.cjs");
    let mut command = Command::new("node");
    command.arg(script).arg(site.public()).arg(&file);
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn table(times: &Value) {
    let row = |name: &str, field: &str, aim: &str| {
        let all = times[field].as_array().into_iter().flatten();
        let mut all: Vec<f64> = all.filter_map(Value::as_f64).collect();
        all.sort_by(f64::total_cmp);
        let at = |at: usize| all.get(at).map_or("–".into(), |time| format!("{time:.1} ms"));
        vec![
            name.to_owned(),
            at(all.len() / 2),
            at((all.len() * 9).div_ceil(10).saturating_sub(1)),
            at(all.len().saturating_sub(1)),
            all.len().to_string(),
            aim.to_owned(),
        ]
    };
    print(
        &["Chromium, nothing cached", "median", "90 %", "most", "of", "aim"],
        &[
            row("first key to the first results", "first", "150 ms"),
            row("next key to its results", "next", "10 ms"),
            row("400 kbit/s, 400 ms: first key to its results", "slow", "2,500 ms"),
            row("– a whole query, put in at once, to its results", "slowWhole", "2,500 ms"),
            row("– typed fast: last key to the results", "slowTyped", ""),
        ],
    );
}
