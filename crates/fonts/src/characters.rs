//! The characters of a font, each with its glyph (`cmap` table).

use std::collections::BTreeMap;

use crate::bytes::{long, put_long, put_short, short, triple};

pub type Glyphs = BTreeMap<u32, usize>;

/// The characters of a font, read from its `cmap` table.
pub struct Characters<'f> {
    pub glyphs: Glyphs,
    /// Variants of characters, selected by a variation selector that follows the character (format
    /// 14).
    variants: Option<&'f [u8]>,
}

const SEGMENTS: usize = 4;
const GROUPS: usize = 12;
const VARIANTS: usize = 14;

impl<'f> Characters<'f> {
    /// Reads the characters from a `cmap` table. Returns `None` if the table is broken, or of a
    /// kind that browsers do not read, such as for symbol fonts.
    pub fn read(cmap: &'f [u8]) -> Option<Self> {
        let mut found: [Option<&[u8]>; 3] = [None; 3];
        for index in 0..short(cmap, 2)? {
            let at = 4 + index * 8;
            let table = cmap.get(long(cmap, at + 4)?..)?;
            let place = match (short(cmap, at)?, short(cmap, at + 2)?, short(table, 0)?) {
                (0, 5, VARIANTS) => 0,
                (0, _, GROUPS) | (3, 10, GROUPS) => 1,
                (0, _, SEGMENTS) | (3, 1, SEGMENTS) => 2,
                _ => continue,
            };
            found[place] = Some(table);
        }
        let [variants, groups, segments] = found;
        let mut glyphs = match (groups, segments) {
            (Some(groups), _) => of_groups(groups)?,
            (None, segments) => of_segments(segments?)?,
        };
        glyphs.retain(|_, glyph| *glyph != 0);
        Some(Self { glyphs, variants })
    }

    /// Calls `each` with the character and glyph of every variant.
    pub fn each_variant(&self, mut each: impl FnMut(u32, usize)) -> Option<()> {
        let Some(table) = self.variants else {
            return Some(());
        };
        for index in 0..long(table, 6)? {
            let at = long(table, 10 + index * 11 + 7)?;
            if at == 0 {
                continue;
            }
            for index in 0..long(table, at)? {
                let at = at + 4 + index * 5;
                each(u32::try_from(triple(table, at)?).ok()?, short(table, at + 3)?);
            }
        }
        Some(())
    }

    /// Writes a `cmap` table with these characters only. The variants of all characters stay,
    /// because they need little space.
    pub fn write(&self, glyphs: &Glyphs) -> Option<Vec<u8>> {
        let mut tables = Vec::new();
        if let Some(variants) = self.variants {
            let length = long(variants, 2)?;
            tables.push(([0, 5], variants.get(..length)?.to_vec()));
        }
        tables.push(([3, 1], segments(glyphs)?));
        if glyphs.keys().any(|character| *character > 0xffff) {
            tables.push(([3, 10], groups(glyphs)?));
        }
        let mut cmap = Vec::new();
        put_short(&mut cmap, 0)?;
        put_short(&mut cmap, tables.len())?;
        let mut at = 4 + tables.len() * 8;
        for (names, table) in &tables {
            for name in names {
                put_short(&mut cmap, *name)?;
            }
            put_long(&mut cmap, at)?;
            at += table.len();
        }
        cmap.extend(tables.into_iter().flat_map(|(_, table)| table));
        Some(cmap)
    }
}

fn of_groups(table: &[u8]) -> Option<Glyphs> {
    let mut glyphs = Glyphs::new();
    let mut next = 0;
    for index in 0..long(table, 12)? {
        let at = 16 + index * 12;
        let [first, last, glyph] = [0, 4, 8].map(|field| long(table, at + field));
        let (first, last, glyph) = (first?, last?, glyph?);
        if first < next || last > 0x10_ffff {
            return None;
        }
        next = last + 1;
        for character in first..=last {
            glyphs.insert(u32::try_from(character).ok()?, glyph + (character - first));
        }
    }
    Some(glyphs)
}

fn of_segments(table: &[u8]) -> Option<Glyphs> {
    let mut glyphs = Glyphs::new();
    let twice = short(table, 6)?;
    let mut next = 0;
    for index in 0..twice / 2 {
        let at = 14 + index * 2;
        let (last, first) = (short(table, at)?, short(table, at + 2 + twice)?);
        let delta = short(table, at + 2 + twice * 2)?;
        let offset_at = at + 2 + twice * 3;
        let offset = short(table, offset_at)?;
        if first < next {
            return None;
        }
        next = last + 1;
        for character in first..=last.min(0xfffe) {
            let glyph = if offset == 0 {
                character + delta
            } else {
                match short(table, offset_at + offset + (character - first) * 2)? {
                    0 => 0,
                    glyph => glyph + delta,
                }
            };
            glyphs.insert(u32::try_from(character).ok()?, glyph & 0xffff);
        }
    }
    Some(glyphs)
}

/// Groups consecutive characters with consecutive glyphs. Returns the first and last character and
/// the first glyph of each run.
fn runs(glyphs: &Glyphs) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (character, glyph) in glyphs {
        let character = *character as usize;
        match runs.last_mut() {
            Some((first, last, start))
                if *last + 1 == character && *start + (character - *first) == *glyph =>
            {
                *last = character;
            }
            _ => runs.push((character, character, *glyph)),
        }
    }
    runs
}

/// Writes a subtable of 16-bit characters (format 4).
fn segments(glyphs: &Glyphs) -> Option<Vec<u8>> {
    let mut runs = runs(glyphs);
    runs.retain(|(first, ..)| *first < 0xffff);
    if let Some((_, last, _)) = runs.last_mut() {
        *last = (*last).min(0xfffe);
    }
    // The format requires a last segment 0xFFFF with the glyph 0.
    runs.push((0xffff, 0xffff, 0x1_0000));
    let count = runs.len();
    let log = count.ilog2();
    let range = 2 << log;
    let mut table = Vec::new();
    let head = [SEGMENTS, 16 + count * 8, 0, count * 2, range, log as usize, count * 2 - range];
    for number in head {
        put_short(&mut table, number)?;
    }
    let each = |table: &mut Vec<u8>, of: fn(&(usize, usize, usize)) -> usize| {
        runs.iter().try_for_each(|run| put_short(table, of(run)))
    };
    each(&mut table, |run| run.1)?;
    put_short(&mut table, 0)?;
    each(&mut table, |run| run.0)?;
    each(&mut table, |run| (run.2 + 0x1_0000 - run.0) & 0xffff)?;
    each(&mut table, |_| 0)?;
    Some(table)
}

/// Writes a subtable of all characters (format 12).
fn groups(glyphs: &Glyphs) -> Option<Vec<u8>> {
    let runs = runs(glyphs);
    let mut table = Vec::new();
    put_short(&mut table, GROUPS)?;
    put_short(&mut table, 0)?;
    for number in [16 + runs.len() * 12, 0, runs.len()] {
        put_long(&mut table, number)?;
    }
    for (first, last, glyph) in runs {
        for number in [first, last, glyph] {
            put_long(&mut table, number)?;
        }
    }
    Some(table)
}
