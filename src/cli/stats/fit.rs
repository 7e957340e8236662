//! Shortens names so that a table fits the terminal.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::table::width;

/// Shortens the cells of the first column, so that each line has at most `max_width` characters.
/// Cells are never shortened to fewer than 16 characters.
pub fn fit(rows: &mut [Vec<String>], max_width: usize) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let others: usize = (1..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell) + 2).max().unwrap_or_default()
        })
        .sum();
    let most = max_width.saturating_sub(others).max(16);
    for cell in rows.iter_mut().filter_map(|row| row.first_mut()) {
        if width(cell) > most {
            *cell = shortened(cell, most);
        }
    }
}

/// Returns the beginning of a cell, followed by an ellipsis.
fn shortened(cell: &str, most: usize) -> String {
    let mut places = 0;
    let shortened_cell = cell.nfc().take_while(|c| {
        places += usize::from(!is_combining_mark(*c));
        places < most
    });
    let shortened_cell: String = shortened_cell.collect();
    format!("{}…", shortened_cell.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::write;

    #[test]
    fn long_names_are_shortened_to_the_width() {
        let row = |name: &str| vec![name.to_owned(), " 12".to_owned(), "5.0 %".to_owned()];
        let long = "Walk on the harbour e\u{301}tude, the ferry and the tide";
        let mut rows = vec![row("EPISODE"), row("Short"), row(long)];
        fit(&mut rows, 41);
        assert_eq!(rows[1], row("Short"));
        assert_eq!(rows[2][0], "Walk on the harbour étude, t…");
        let mut out = Vec::new();
        write(&rows, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let max_length = out.lines().map(|line| line.chars().count()).max();
        assert_eq!(max_length, Some(41), "{out}");
        let mut rows = vec![row(long)];
        fit(&mut rows, 5);
        assert_eq!(rows[0][0], "Walk on the har…");
    }
}
