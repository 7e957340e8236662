//! Tests of SQL functions.

mod dates;
mod evaluator;
mod json;
mod properties;
mod resolution;
mod strings;
mod values;

use evaluator::Evaluator;

/// Checks lines of the form `call => value`.
fn check_table(lines: &str) {
    let evaluator = Evaluator::new();
    let mut wrong = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (call, wanted) = line.split_once(" =>").unwrap();
        let wanted = wanted.strip_prefix(' ').unwrap_or(wanted);
        let found = evaluator.show(call);
        if found != wanted {
            wrong.push(format!("{call}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
