//! The glyphs that a text can show: the glyphs of its characters and their substitutes (`GSUB`).

use crate::bytes::{long, short, shorts};

/// For each glyph number, whether the glyph is kept.
pub type Kept = Vec<bool>;

/// Maximum number of steps. No legitimate font takes more.
const MAX_STEPS: usize = 50_000_000;

/// Adds all possible substitutes of kept glyphs, by any lookup and feature. That may be more glyphs
/// than a text shows, but never fewer. Returns `None` if the table is broken.
pub fn add_substitutes(gsub: &[u8], kept: &mut Kept) -> Option<()> {
    let subtables = subtables(gsub, 7)?;
    let mut reach = Reach { kept, steps: 0, grew: true };
    while std::mem::take(&mut reach.grew) {
        for (kind, table) in &subtables {
            match kind {
                1 => reach.single(table)?,
                2 | 3 => reach.several(table)?,
                4 => reach.ligatures(table)?,
                8 => reach.reverse(table)?,
                // Contextual lookups only decide where the other lookups apply.
                _ => {}
            }
        }
    }
    Some(())
}

/// Returns the subtables of all lookups of `GSUB` or `GPOS`, each with its type. `extension` is the
/// type of lookups that only point to another subtable.
pub fn subtables(table: &[u8], extension: usize) -> Option<Vec<(usize, &[u8])>> {
    let lookups = short(table, 8)?;
    let mut found = Vec::new();
    for lookup in shorts(table, lookups)? {
        let lookup = lookups + lookup;
        let kind = short(table, lookup)?;
        for subtable in shorts(table, lookup + 4)? {
            let at = lookup + subtable;
            let (kind, at) = if kind == extension {
                (short(table, at + 2)?, at + long(table, at + 4)?)
            } else {
                (kind, at)
            };
            found.push((kind, table.get(at..)?));
        }
    }
    (found.len() <= 0xffff).then_some(found)
}

/// Returns the glyphs of a coverage table, in order.
pub fn covered(table: &[u8], at: usize) -> Option<Vec<usize>> {
    match short(table, at)? {
        1 => Some(shorts(table, at + 2)?.collect()),
        2 => {
            let mut glyphs = Vec::new();
            for index in 0..short(table, at + 2)? {
                let at = at + 4 + index * 6;
                glyphs.extend(short(table, at)?..=short(table, at + 2)?);
                if glyphs.len() > 0x1_0000 {
                    return None;
                }
            }
            Some(glyphs)
        }
        _ => None,
    }
}

struct Reach<'k> {
    kept: &'k mut Kept,
    steps: usize,
    grew: bool,
}

impl Reach<'_> {
    fn has(&self, glyph: usize) -> bool {
        self.kept.get(glyph) == Some(&true)
    }

    fn keep(&mut self, glyph: usize) {
        if let Some(kept) = self.kept.get_mut(glyph) {
            self.grew |= !*kept;
            *kept = true;
        }
    }

    /// Counts steps. Returns `None` after too many.
    fn step(&mut self, count: usize) -> Option<()> {
        self.steps += count;
        (self.steps < MAX_STEPS).then_some(())
    }

    /// Returns the covered glyphs that are kept, each with its coverage index.
    fn found(&mut self, table: &[u8]) -> Option<Vec<(usize, usize)>> {
        let covered = covered(table, short(table, 2)?)?;
        self.step(covered.len())?;
        let places = covered.into_iter().enumerate();
        Some(places.filter(|(_, glyph)| self.has(*glyph)).collect())
    }

    fn single(&mut self, table: &[u8]) -> Option<()> {
        let is_shift = short(table, 0)? == 1;
        for (place, glyph) in self.found(table)? {
            let other = if is_shift {
                (glyph + short(table, 4)?) & 0xffff
            } else {
                short(table, 6 + place * 2)?
            };
            self.keep(other);
        }
        Some(())
    }

    /// Follows lookups that replace a glyph with several glyphs, or with one of several alternates.
    fn several(&mut self, table: &[u8]) -> Option<()> {
        for (place, _) in self.found(table)? {
            for glyph in shorts(table, short(table, 6 + place * 2)?)? {
                self.step(1)?;
                self.keep(glyph);
            }
        }
        Some(())
    }

    fn ligatures(&mut self, table: &[u8]) -> Option<()> {
        for (place, _) in self.found(table)? {
            let set = short(table, 6 + place * 2)?;
            for ligature in shorts(table, set)? {
                let at = set + ligature;
                let others = short(table, at + 2)?.saturating_sub(1);
                self.step(1 + others)?;
                let mut others = (0..others).map(|index| short(table, at + 4 + index * 2));
                if others.all(|other| other.is_some_and(|other| self.has(other))) {
                    self.keep(short(table, at)?);
                }
            }
        }
        Some(())
    }

    fn reverse(&mut self, table: &[u8]) -> Option<()> {
        let mut at = 4;
        for _ in ["before", "after"] {
            at += 2 + short(table, at)? * 2;
        }
        for (place, _) in self.found(table)? {
            self.keep(short(table, at + 2 + place * 2)?);
        }
        Some(())
    }
}
