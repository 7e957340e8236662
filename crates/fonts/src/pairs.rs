//! Trimming of kerning (pairs in `GPOS`): the values of pairs without two kept glyphs become zero
//! in place. Zeros compress to almost nothing, and no offset changes.

use std::ops::Range;

use crate::bytes::short;
use crate::reach::{Kept, covered, subtables};

const PAIRS: usize = 2;
const EXTENSION: usize = 9;

/// Maximum number of values. No legitimate font has more.
const MAX_VALUES: usize = 10_000_000;

/// Returns the table without the kerning of pairs that cannot occur. Returns `None` if the table is
/// broken.
pub fn trim(gpos: &[u8], kept: &Kept) -> Option<Vec<u8>> {
    let mut values = Values { needed: vec![false; gpos.len()], others: Vec::new(), count: 0 };
    for (kind, table) in subtables(gpos, EXTENSION)? {
        let start = gpos.len() - table.len();
        match (kind, short(table, 0)?) {
            (PAIRS, 1) => values.of_glyphs(table, start, kept)?,
            (PAIRS, 2) => values.of_classes(table, start, kept)?,
            _ => {}
        }
    }
    let mut trimmed = gpos.to_vec();
    for place in values.others.into_iter().flatten() {
        if !values.needed[place] {
            trimmed[place] = 0;
        }
    }
    Some(trimmed)
}

/// The positions of kerning values in a table. Several lookups may share a value.
struct Values {
    needed: Vec<bool>,
    others: Vec<Range<usize>>,
    count: usize,
}

impl Values {
    fn see(&mut self, place: Range<usize>, is_needed: bool) -> Option<()> {
        self.count += 1;
        let own = self.needed.get_mut(place.clone())?;
        if is_needed {
            own.fill(true);
        } else {
            self.others.push(place);
        }
        (self.count < MAX_VALUES).then_some(())
    }

    /// Reads pairs of glyphs: each first glyph has a list of second glyphs.
    fn of_glyphs(&mut self, table: &[u8], start: usize, kept: &Kept) -> Option<()> {
        let size = size_of_values(table)?;
        let has = |glyph: usize| kept.get(glyph) == Some(&true);
        for (index, first) in covered(table, short(table, 2)?)?.into_iter().enumerate() {
            let set = short(table, 10 + index * 2)?;
            for pair in 0..short(table, set)? {
                let at = set + 2 + pair * (2 + size);
                let is_needed = has(first) && has(short(table, at)?);
                self.see(start + at + 2..start + at + 2 + size, is_needed)?;
            }
        }
        Some(())
    }

    /// Reads pairs of classes: each first class has a row with all second classes.
    fn of_classes(&mut self, table: &[u8], start: usize, kept: &Kept) -> Option<()> {
        let size = size_of_values(table)?;
        let (rows, columns) = (short(table, 12)?, short(table, 14)?);
        let has = |glyph: usize| kept.get(glyph) == Some(&true);
        let class_of = classes(table, short(table, 8)?)?;
        let mut needed_rows = vec![false; rows];
        let firsts = covered(table, short(table, 2)?)?.into_iter();
        for glyph in firsts.filter(|glyph| has(*glyph)) {
            if let Some(row) = needed_rows.get_mut(class_of(glyph)) {
                *row = true;
            }
        }
        let class_of = classes(table, short(table, 10)?)?;
        let mut needed_columns = vec![false; columns];
        for glyph in (0..kept.len()).filter(|glyph| has(*glyph)) {
            if let Some(column) = needed_columns.get_mut(class_of(glyph)) {
                *column = true;
            }
        }
        for (row, is_row) in needed_rows.into_iter().enumerate() {
            for (column, is_column) in needed_columns.iter().enumerate() {
                let at = start + 16 + (row * columns + column) * size;
                self.see(at..at + size, is_row && *is_column)?;
            }
        }
        Some(())
    }
}

/// Returns the size in bytes of a pair's two values: two bytes for each number in the value
/// formats.
fn size_of_values(table: &[u8]) -> Option<usize> {
    let formats = short(table, 4)? << 16 | short(table, 6)?;
    Some(usize::try_from(formats.count_ones()).ok()? * 2)
}

/// Returns a function from a glyph to its class. Glyphs without a class are in class 0.
fn classes(table: &[u8], at: usize) -> Option<impl Fn(usize) -> usize> {
    let mut ranges = Vec::new();
    match short(table, at)? {
        1 => {
            let first = short(table, at + 2)?;
            for index in 0..short(table, at + 4)? {
                let class = short(table, at + 6 + index * 2)?;
                ranges.push((first + index, first + index, class));
            }
        }
        2 => {
            for index in 0..short(table, at + 2)? {
                let at = at + 4 + index * 6;
                ranges.push((short(table, at)?, short(table, at + 2)?, short(table, at + 4)?));
            }
        }
        _ => return None,
    }
    ranges.sort_unstable();
    Some(move |glyph: usize| {
        let after = ranges.partition_point(|(first, ..)| *first <= glyph);
        let range = after.checked_sub(1).and_then(|index| ranges.get(index));
        range.filter(|(_, last, _)| glyph <= *last).map_or(0, |(.., class)| *class)
    })
}
