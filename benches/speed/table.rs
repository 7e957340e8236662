//! Markdown tables.

use std::time::Duration;

/// Prints a table. All columns except the first hold numbers.
pub fn print(heads: &[&str], rows: &[Vec<String>]) {
    println!("\n| {} |", heads.join(" | "));
    println!("| --- |{}", " ---: |".repeat(heads.len() - 1));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

pub fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

pub fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// Formats a size in MiB (2^20 bytes).
pub fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Formats a size in MB (a million bytes).
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

pub fn ratio(one: Duration, other: Duration) -> String {
    format!("{:.2}", one.as_secs_f64() / other.as_secs_f64())
}

/// Formats a number with a comma after every three digits.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
