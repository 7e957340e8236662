//! The recorded numbers, a line a case.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// What is counted of each case, and how far it may be from what is recorded.
pub struct Column {
    pub name: &'static str,
    /// In per cent.
    pub tolerance: f64,
}

/// Holds what was counted to what is recorded in a file of this folder, or records it anew.
pub fn compare_or_record(file: &str, note: &str, columns: &[Column], counted: &[(&str, Vec<u64>)]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/counted_work").join(file);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text(note, columns, counted)).unwrap();
        return;
    }
    let recorded = fs::read_to_string(&path).unwrap();
    let recorded = parse(&recorded);
    let mut complaints = Vec::new();
    for (case, numbers) in counted {
        let known = recorded.get(case).map_or(&[] as &[u64], Vec::as_slice);
        if known.len() != numbers.len() {
            complaints.push(format!("{case}: not recorded"));
        }
        for ((column, now), then) in columns.iter().zip(numbers).zip(known) {
            let most = *then as f64 * column.tolerance / 100.0;
            if now.abs_diff(*then) as f64 > most {
                let name = column.name;
                complaints.push(format!("{case}: {name} {now}, recorded are {then}"));
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "{}\n\nIf that is meant: UPDATE=1 cargo nextest run -E 'test(/^counted_work::/)'\n{}",
        complaints.join("\n"),
        text(note, columns, counted)
    );
}

/// The first line of a recorded file, without its mark.
pub fn note(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/counted_work").join(file);
    let text = fs::read_to_string(path).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("# ").to_owned()
}

fn parse(text: &str) -> BTreeMap<&str, Vec<u64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let mut cells = line.split('|').map(str::trim);
            let case = cells.next().unwrap_or_default();
            (case, cells.map(|cell| cell.parse().unwrap()).collect())
        })
        .collect()
}

fn text(note: &str, columns: &[Column], counted: &[(&str, Vec<u64>)]) -> String {
    let mut text = format!("# {note}\n{:<36}", "case");
    for column in columns {
        let _ = write!(text, "|{:>13}", column.name);
    }
    for (case, numbers) in counted {
        let _ = write!(text, "\n{case:<36}");
        for number in numbers {
            let _ = write!(text, "|{number:>13}");
        }
    }
    text + "\n"
}
