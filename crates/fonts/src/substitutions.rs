//! Finds the glyphs that can replace other glyphs, in the `GSUB` table.

use crate::bytes::{read_u16, read_u16_list, read_u32};

/// Whether each glyph is kept, indexed by glyph number.
pub type KeptGlyphs = Vec<bool>;

/// Maximum number of steps. No legitimate font needs more.
const MAX_STEPS: usize = 50_000_000;

/// Adds all glyphs that any lookup or feature can substitute for kept glyphs. This can add glyphs
/// that never occur, but never misses a glyph. Returns `None` if the table is broken.
pub fn add_substitutes(gsub: &[u8], kept: &mut KeptGlyphs) -> Option<()> {
    let subtables = subtables(gsub, 7)?;
    let mut substitutions = SubstitutionTracer { kept, steps: 0, has_grown: true };
    while std::mem::take(&mut substitutions.has_grown) {
        for (kind, table) in &subtables {
            match kind {
                1 => substitutions.follow_single(table)?,
                2 | 3 => substitutions.follow_multiple(table)?,
                4 => substitutions.follow_ligatures(table)?,
                8 => substitutions.follow_reverse(table)?,
                // Contextual lookups only determine where other lookups apply.
                _ => {}
            }
        }
    }
    Some(())
}

/// Returns the subtables of all lookups of a `GSUB` or `GPOS` table, each with its lookup type.
/// `extension` is the type of lookups that only point to subtables of another type.
pub fn subtables(table: &[u8], extension: usize) -> Option<Vec<(usize, &[u8])>> {
    let lookups = read_u16(table, 8)?;
    let mut found = Vec::new();
    for lookup in read_u16_list(table, lookups)? {
        let lookup = lookups + lookup;
        let kind = read_u16(table, lookup)?;
        for subtable in read_u16_list(table, lookup + 4)? {
            let at = lookup + subtable;
            let (kind, at) = if kind == extension {
                (read_u16(table, at + 2)?, at + read_u32(table, at + 4)?)
            } else {
                (kind, at)
            };
            found.push((kind, table.get(at..)?));
        }
    }
    (found.len() <= 0xffff).then_some(found)
}

/// Returns the glyphs of a coverage table, in order.
pub fn coverage(table: &[u8], at: usize) -> Option<Vec<usize>> {
    match read_u16(table, at)? {
        1 => Some(read_u16_list(table, at + 2)?.collect()),
        2 => {
            let mut glyphs = Vec::new();
            for index in 0..read_u16(table, at + 2)? {
                let at = at + 4 + index * 6;
                glyphs.extend(read_u16(table, at)?..=read_u16(table, at + 2)?);
                if glyphs.len() > 0x1_0000 {
                    return None;
                }
            }
            Some(glyphs)
        }
        _ => None,
    }
}

struct SubstitutionTracer<'k> {
    kept: &'k mut KeptGlyphs,
    steps: usize,
    has_grown: bool,
}

impl SubstitutionTracer<'_> {
    fn has(&self, glyph: usize) -> bool {
        self.kept.get(glyph) == Some(&true)
    }

    fn keep(&mut self, glyph: usize) {
        if let Some(kept) = self.kept.get_mut(glyph) {
            self.has_grown |= !*kept;
            *kept = true;
        }
    }

    /// Counts steps. Returns `None` when [`MAX_STEPS`] is reached.
    fn step(&mut self, count: usize) -> Option<()> {
        self.steps += count;
        (self.steps < MAX_STEPS).then_some(())
    }

    /// Returns the kept glyphs that a subtable covers, each with its coverage index.
    fn found(&mut self, table: &[u8]) -> Option<Vec<(usize, usize)>> {
        let coverage = coverage(table, read_u16(table, 2)?)?;
        self.step(coverage.len())?;
        let places = coverage.into_iter().enumerate();
        Some(places.filter(|(_, glyph)| self.has(*glyph)).collect())
    }

    fn follow_single(&mut self, table: &[u8]) -> Option<()> {
        let is_shift = read_u16(table, 0)? == 1;
        for (place, glyph) in self.found(table)? {
            let other = if is_shift {
                (glyph + read_u16(table, 4)?) & 0xffff
            } else {
                read_u16(table, 6 + place * 2)?
            };
            self.keep(other);
        }
        Some(())
    }

    /// Follows lookups that replace a glyph with several glyphs, or with one of several alternates.
    fn follow_multiple(&mut self, table: &[u8]) -> Option<()> {
        for (place, _) in self.found(table)? {
            for glyph in read_u16_list(table, read_u16(table, 6 + place * 2)?)? {
                self.step(1)?;
                self.keep(glyph);
            }
        }
        Some(())
    }

    fn follow_ligatures(&mut self, table: &[u8]) -> Option<()> {
        for (place, _) in self.found(table)? {
            let set = read_u16(table, 6 + place * 2)?;
            for ligature in read_u16_list(table, set)? {
                let at = set + ligature;
                let others = read_u16(table, at + 2)?.saturating_sub(1);
                self.step(1 + others)?;
                let mut others = (0..others).map(|index| read_u16(table, at + 4 + index * 2));
                if others.all(|other| other.is_some_and(|other| self.has(other))) {
                    self.keep(read_u16(table, at)?);
                }
            }
        }
        Some(())
    }

    fn follow_reverse(&mut self, table: &[u8]) -> Option<()> {
        let mut at = 4;
        for _ in ["before", "after"] {
            at += 2 + read_u16(table, at)? * 2;
        }
        for (place, _) in self.found(table)? {
            self.keep(read_u16(table, at + 2 + place * 2)?);
        }
        Some(())
    }
}
