//! Detects the delimiter, the header and the column types of CSV files.

use super::kinds::PossibleTypes;
use super::{SAMPLE_ROWS, clean, make_unique};
use crate::control::Control;
use crate::error::Fault;
use crate::load::csv::{Dialect, Record, Records};
use crate::load::lines::Lines;
use crate::load::{Csv, Source};
use crate::types::{Field, Type};

/// The detected format and columns of a CSV file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CsvGuess {
    pub fields: Vec<Field>,
    pub delimiter: u8,
    /// Number of rows before the first data row.
    pub skip: u64,
}

/// A row of the sample: the text of each cell, or `None` for NULL.
type Row = Vec<Option<String>>;

/// Detects the format and columns from the first rows of the files.
pub(crate) fn csv(sources: &[Source], csv: &Csv, control: &Control) -> Result<CsvGuess, Fault> {
    let candidates: &[u8] = match &csv.delimiter {
        Some(delimiter) => std::slice::from_ref(delimiter),
        None => b",|\t",
    };
    let mut best: Option<(u8, Vec<Row>)> = None;
    for &delimiter in candidates {
        let rows = sample(sources, csv, delimiter, control)?;
        let is_better = match &best {
            Some((_, other)) => columns(&rows) > columns(other),
            None => true,
        };
        if is_better {
            best = Some((delimiter, rows));
        }
    }
    let (delimiter, rows) = best.unwrap_or((b',', Vec::new()));
    if rows.is_empty() {
        return Err(Fault::invalid(
            "the schema cannot be detected because the files have no rows; set schema.fields",
        ));
    }
    Ok(guess(&rows, delimiter, csv.skip))
}

/// Returns the number of columns in the first row if at least 90 % of the rows have the same number
/// of columns. Otherwise returns 1.
fn columns(rows: &[Row]) -> usize {
    let first = rows.first().map_or(1, Vec::len);
    let same = rows.iter().filter(|row| row.len() == first).count();
    if same * 10 >= rows.len() * 9 { first } else { 1 }
}

fn sample(
    sources: &[Source],
    csv: &Csv,
    delimiter: u8,
    control: &Control,
) -> Result<Vec<Row>, Fault> {
    let mut rows = Vec::new();
    // The last skipped row is kept in the sample, because it can be a header.
    let passed = csv.skip.unwrap_or(0).saturating_sub(1);
    for (file, source) in sources.iter().enumerate() {
        let mut lines = Lines::open(source, control)?;
        // Allows line breaks in quoted cells, as a load with detected columns does.
        let mut records = Records::new(Dialect { newlines: true, ..csv.dialect(delimiter) });
        let mut number = 0;
        while rows.len() < SAMPLE_ROWS {
            control.check()?;
            let Some(record) = records.next(&mut lines)? else {
                break;
            };
            number += 1;
            let is_header_again = file > 0 && number <= csv.skip.unwrap_or(0);
            if number <= passed || is_header_again {
                continue;
            }
            match record {
                Ok(record) if !record.is_blank() => rows.push(row(record, csv)),
                _ => {}
            }
        }
    }
    Ok(rows)
}

fn row(record: &Record, csv: &Csv) -> Row {
    record.cells().map(|cell| (!csv.is_null(cell)).then(|| cell.text.to_owned())).collect()
}

fn guess(rows: &[Row], delimiter: u8, skip: Option<u64>) -> CsvGuess {
    let has_header = match skip {
        Some(0) => false,
        Some(_) => true,
        None => is_header(rows),
    };
    let data = &rows[usize::from(has_header)..];
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut fields: Vec<Field> = (0..width)
        .map(|at| {
            let of = kinds(data, at).narrowest();
            let header = has_header.then(|| rows[0].get(at)?.as_deref()).flatten();
            let name = header.map(clean).filter(|name| !name.is_empty());
            Field::new(name.unwrap_or_else(|| generated_name(&of, at)), of)
        })
        .collect();
    make_unique(&mut fields);
    CsvGuess { fields, delimiter, skip: skip.unwrap_or(u64::from(has_header)) }
}

/// Returns whether the first row is a header. In a header, all cells are text, and in at least one
/// column, the cells below the header are not text.
fn is_header(rows: &[Row]) -> bool {
    let Some((first, data)) = rows.split_first() else {
        return false;
    };
    // `n` and `t` are valid BOOL values, but can also be the names of columns of other types.
    let is_name = |(at, cell): (usize, &Option<String>)| match cell {
        None => false,
        Some(text) => match PossibleTypes::of(text).narrowest() {
            Type::String => true,
            Type::Boolean => kinds(data, at).narrowest() != Type::Boolean,
            _ => false,
        },
    };
    let is_typed = |at: usize| kinds(data, at).narrowest() != Type::String;
    first.iter().enumerate().all(is_name) && (0..first.len()).any(is_typed)
}

fn kinds(rows: &[Row], column: usize) -> PossibleTypes {
    rows.iter()
        .filter_map(|row| row.get(column)?.as_deref())
        .filter(|text| !text.is_empty())
        .fold(PossibleTypes::ANY, |kinds, text| kinds.and(PossibleTypes::of(text)))
}

/// Returns a name for an unnamed column, such as `int64_field_0`, like BigQuery.
fn generated_name(of: &Type, at: usize) -> String {
    let stem = match of {
        Type::Integer => "int64",
        Type::Float => "double",
        Type::Boolean => "bool",
        other => &other.schema_name().to_ascii_lowercase(),
    };
    format!("{stem}_field_{at}")
}
