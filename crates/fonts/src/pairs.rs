//! Removes kerning pairs with a glyph that is not kept, by setting their values in the `GPOS` table
//! to zero. Zeros compress to almost nothing, and no offset changes.

use std::ops::Range;

use crate::bytes::read_u16;
use crate::substitutions::{KeptGlyphs, coverage, subtables};

const PAIRS: usize = 2;
const EXTENSION: usize = 9;

/// Maximum number of kerning values in a font. No legitimate font has more.
const MAX_VALUES: usize = 10_000_000;

/// Returns the table without kerning pairs that have a glyph that is not kept, or `None` if the
/// table is broken.
pub fn trim(gpos: &[u8], kept: &KeptGlyphs) -> Option<Vec<u8>> {
    let mut values = Values { needed: vec![false; gpos.len()], others: Vec::new(), count: 0 };
    for (kind, table) in subtables(gpos, EXTENSION)? {
        let start = gpos.len() - table.len();
        match (kind, read_u16(table, 0)?) {
            (PAIRS, 1) => values.read_glyph_pairs(table, start, kept)?,
            (PAIRS, 2) => values.read_class_pairs(table, start, kept)?,
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

/// The positions of kerning values in a table. Several lookups can share a value.
struct Values {
    needed: Vec<bool>,
    others: Vec<Range<usize>>,
    count: usize,
}

impl Values {
    fn mark_value(&mut self, place: Range<usize>, is_needed: bool) -> Option<()> {
        self.count += 1;
        let own = self.needed.get_mut(place.clone())?;
        if is_needed {
            own.fill(true);
        } else {
            self.others.push(place);
        }
        (self.count < MAX_VALUES).then_some(())
    }

    /// Reads glyph pairs (format 1). Each first glyph has a list of second glyphs.
    fn read_glyph_pairs(&mut self, table: &[u8], start: usize, kept: &KeptGlyphs) -> Option<()> {
        let size = values_size(table)?;
        let has = |glyph: usize| kept.get(glyph) == Some(&true);
        for (index, first) in coverage(table, read_u16(table, 2)?)?.into_iter().enumerate() {
            let set = read_u16(table, 10 + index * 2)?;
            for pair in 0..read_u16(table, set)? {
                let at = set + 2 + pair * (2 + size);
                let is_needed = has(first) && has(read_u16(table, at)?);
                self.mark_value(start + at + 2..start + at + 2 + size, is_needed)?;
            }
        }
        Some(())
    }

    /// Reads class pairs (format 2). Each first class has a row with a value for each second class.
    fn read_class_pairs(&mut self, table: &[u8], start: usize, kept: &KeptGlyphs) -> Option<()> {
        let size = values_size(table)?;
        let (rows, columns) = (read_u16(table, 12)?, read_u16(table, 14)?);
        let has = |glyph: usize| kept.get(glyph) == Some(&true);
        let class_of = class_lookup(table, read_u16(table, 8)?)?;
        let mut needed_rows = vec![false; rows];
        let firsts = coverage(table, read_u16(table, 2)?)?.into_iter();
        for glyph in firsts.filter(|glyph| has(*glyph)) {
            if let Some(row) = needed_rows.get_mut(class_of(glyph)) {
                *row = true;
            }
        }
        let class_of = class_lookup(table, read_u16(table, 10)?)?;
        let mut needed_columns = vec![false; columns];
        for glyph in (0..kept.len()).filter(|glyph| has(*glyph)) {
            if let Some(column) = needed_columns.get_mut(class_of(glyph)) {
                *column = true;
            }
        }
        for (row, is_row) in needed_rows.into_iter().enumerate() {
            for (column, is_column) in needed_columns.iter().enumerate() {
                let at = start + 16 + (row * columns + column) * size;
                self.mark_value(at..at + size, is_row && *is_column)?;
            }
        }
        Some(())
    }
}

/// Returns the size in bytes of a pair's values. Each bit that is set in the two value formats adds
/// two bytes.
fn values_size(table: &[u8]) -> Option<usize> {
    let formats = read_u16(table, 4)? << 16 | read_u16(table, 6)?;
    Some(usize::try_from(formats.count_ones()).ok()? * 2)
}

/// Returns a function that looks up a glyph's class. Glyphs that are not in the table belong to
/// class 0.
fn class_lookup(table: &[u8], at: usize) -> Option<impl Fn(usize) -> usize> {
    let mut ranges = Vec::new();
    match read_u16(table, at)? {
        1 => {
            let first = read_u16(table, at + 2)?;
            for index in 0..read_u16(table, at + 4)? {
                let class = read_u16(table, at + 6 + index * 2)?;
                ranges.push((first + index, first + index, class));
            }
        }
        2 => {
            for index in 0..read_u16(table, at + 2)? {
                let at = at + 4 + index * 6;
                ranges.push((
                    read_u16(table, at)?,
                    read_u16(table, at + 2)?,
                    read_u16(table, at + 4)?,
                ));
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
