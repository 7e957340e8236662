//! Lines whose columns stand below each other.
//!
//! This is ours because the crate `comfy-table` (8.0.1) counts the columns of a terminal, not characters, leaves
//! characters that no one sees as they are, and wraps a long cell or cuts lines off instead of shortening the
//! first column to what the others leave; a third of this file would go, and three crates come.

use std::io::{self, Write};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use model::terminal::is_control;

/// Prints rows on standard output, two spaces between the columns. A reader that stops, as `head`
/// does, has what it wanted.
pub fn print(rows: &[Vec<String>]) {
    let _ = write(rows, &mut io::stdout().lock());
}

pub fn write(rows: &[Vec<String>], out: &mut impl Write) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or_default()
        })
        .collect();
    let mut out = io::BufWriter::new(out);
    for row in rows {
        let mut line = String::new();
        for (cell, column) in row.iter().zip(&widths) {
            line.extend(cell.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }));
            line.push_str(&" ".repeat(column - width(cell) + 2));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()
}

/// Characters that take a place of their own.
pub fn width(cell: &str) -> usize {
    cell.nfc().filter(|c| !is_combining_mark(*c)).count()
}
