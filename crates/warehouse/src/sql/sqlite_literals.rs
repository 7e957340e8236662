//! Writes text and bytes as literals in SQLite's SQL.

/// Returns text as a literal in SQLite's SQL.
pub(super) fn text_sql(text: &str) -> String {
    // SQLite stops reading SQL at a NUL character.
    if text.contains('\0') {
        format!("CAST({} AS TEXT)", bytes_sql(text.as_bytes()))
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Returns bytes as a literal in SQLite's SQL.
pub(super) fn bytes_sql(bytes: &[u8]) -> String {
    let mut sql = String::with_capacity(2 * bytes.len() + 3);
    sql.push_str("x'");
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            sql.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    sql.push('\'');
    sql
}
