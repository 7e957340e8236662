//! Prints tables with aligned columns.
//!
//! The crate `comfy-table` (8.0.1) is not used. It measures terminal columns, not characters, and
//! leaves invisible characters unchanged. It wraps long cells or cuts off lines instead of
//! shortening the first column. It would replace only a third of this file, and it adds three
//! crates.

use std::io::{self, Write};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use model::terminal::is_control;

/// Prints rows on standard output, with two spaces between columns. Ignores write errors, because
/// programs such as `head` may close the pipe early.
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

/// Returns the number of characters in a cell, not counting combining marks.
pub fn width(cell: &str) -> usize {
    cell.nfc().filter(|c| !is_combining_mark(*c)).count()
}
