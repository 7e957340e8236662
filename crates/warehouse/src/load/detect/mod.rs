//! Detects the names and types of columns from the first rows of files.

mod csv;
mod json;
mod kinds;

pub(super) use csv::csv;
pub(super) use json::json;

use crate::types::Field;

/// Maximum number of rows to examine.
const SAMPLE_ROWS: usize = 500;

/// Converts a name in a file to a valid column name. Invalid characters are replaced with `_`.
pub(super) fn clean(name: &str) -> String {
    let name: String =
        name.trim().chars().take(300).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let is_taken = name.eq_ignore_ascii_case("_rowid_");
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() || is_taken => {
            let cut: String = name.chars().take(299).collect();
            format!("_{cut}")
        }
        _ => name,
    }
}

/// Makes column names unique by adding a number: a second `name` becomes `name_1`.
fn make_unique(fields: &mut [Field]) {
    for at in 1..fields.len() {
        let (before, rest) = fields.split_at_mut(at);
        let is_known = |name: &str| before.iter().any(|field| field.has_name(name));
        let name = &rest[0].name;
        if is_known(name) {
            let stem: String = name.chars().take(290).collect();
            let free = (1..).map(|n| format!("{stem}_{n}")).find(|name| !is_known(name));
            rest[0].name = free.unwrap_or_default();
        }
    }
}
