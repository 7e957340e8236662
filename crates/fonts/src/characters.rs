//! The characters of a font and their glyphs, from the `cmap` table.

use std::collections::BTreeMap;

use crate::bytes::{push_u16, push_u32, read_u16, read_u24, read_u32};

pub type Glyphs = BTreeMap<u32, usize>;

/// The characters of a font and their glyphs.
pub struct Characters<'f> {
    pub glyphs: Glyphs,
    /// Subtable of character variants (format 14). A variation selector after a character selects a
    /// variant.
    variants: Option<&'f [u8]>,
}

const SEGMENTS_FORMAT: usize = 4;
const GROUPS_FORMAT: usize = 12;
const VARIANTS_FORMAT: usize = 14;

impl<'f> Characters<'f> {
    /// Reads the characters from a `cmap` table. Returns `None` if the table is broken, or has only
    /// encodings that browsers ignore, such as the encoding of symbol fonts.
    pub fn read(cmap: &'f [u8]) -> Option<Self> {
        let mut found: [Option<&[u8]>; 3] = [None; 3];
        for index in 0..read_u16(cmap, 2)? {
            let at = 4 + index * 8;
            let table = cmap.get(read_u32(cmap, at + 4)?..)?;
            let place = match (read_u16(cmap, at)?, read_u16(cmap, at + 2)?, read_u16(table, 0)?) {
                (0, 5, VARIANTS_FORMAT) => 0,
                (0, _, GROUPS_FORMAT) | (3, 10, GROUPS_FORMAT) => 1,
                (0, _, SEGMENTS_FORMAT) | (3, 1, SEGMENTS_FORMAT) => 2,
                _ => continue,
            };
            found[place] = Some(table);
        }
        let [variants, groups, segments] = found;
        let mut glyphs = match (groups, segments) {
            (Some(groups), _) => read_groups(groups)?,
            (None, segments) => read_segments(segments?)?,
        };
        glyphs.retain(|_, glyph| *glyph != 0);
        Some(Self { glyphs, variants })
    }

    /// Calls `each` with the character and the glyph of every variant.
    pub fn each_variant(&self, mut each: impl FnMut(u32, usize)) -> Option<()> {
        let Some(table) = self.variants else {
            return Some(());
        };
        for index in 0..read_u32(table, 6)? {
            let at = read_u32(table, 10 + index * 11 + 7)?;
            if at == 0 {
                continue;
            }
            for index in 0..read_u32(table, at)? {
                let at = at + 4 + index * 5;
                each(u32::try_from(read_u24(table, at)?).ok()?, read_u16(table, at + 3)?);
            }
        }
        Some(())
    }

    /// Writes a `cmap` table with only these characters. The table keeps the variants of all
    /// characters, because they take little space.
    pub fn write(&self, glyphs: &Glyphs) -> Option<Vec<u8>> {
        let mut tables = Vec::new();
        if let Some(variants) = self.variants {
            let length = read_u32(variants, 2)?;
            tables.push(([0, 5], variants.get(..length)?.to_vec()));
        }
        tables.push(([3, 1], segments(glyphs)?));
        if glyphs.keys().any(|character| *character > 0xffff) {
            tables.push(([3, 10], groups(glyphs)?));
        }
        let mut cmap = Vec::new();
        push_u16(&mut cmap, 0)?;
        push_u16(&mut cmap, tables.len())?;
        let mut at = 4 + tables.len() * 8;
        for (names, table) in &tables {
            for name in names {
                push_u16(&mut cmap, *name)?;
            }
            push_u32(&mut cmap, at)?;
            at += table.len();
        }
        cmap.extend(tables.into_iter().flat_map(|(_, table)| table));
        Some(cmap)
    }
}

fn read_groups(table: &[u8]) -> Option<Glyphs> {
    let mut glyphs = Glyphs::new();
    let mut next = 0;
    for index in 0..read_u32(table, 12)? {
        let at = 16 + index * 12;
        let [first, last, glyph] = [0, 4, 8].map(|field| read_u32(table, at + field));
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

fn read_segments(table: &[u8]) -> Option<Glyphs> {
    let mut glyphs = Glyphs::new();
    let twice = read_u16(table, 6)?;
    let mut next = 0;
    for index in 0..twice / 2 {
        let at = 14 + index * 2;
        let (last, first) = (read_u16(table, at)?, read_u16(table, at + 2 + twice)?);
        let delta = read_u16(table, at + 2 + twice * 2)?;
        let offset_at = at + 2 + twice * 3;
        let offset = read_u16(table, offset_at)?;
        if first < next {
            return None;
        }
        next = last + 1;
        for character in first..=last.min(0xfffe) {
            let glyph = if offset == 0 {
                character + delta
            } else {
                match read_u16(table, offset_at + offset + (character - first) * 2)? {
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
    // The format requires a last segment for the character 0xFFFF, with glyph 0.
    runs.push((0xffff, 0xffff, 0x1_0000));
    let count = runs.len();
    let log = count.ilog2();
    let range = 2 << log;
    let mut table = Vec::new();
    let head =
        [SEGMENTS_FORMAT, 16 + count * 8, 0, count * 2, range, log as usize, count * 2 - range];
    for number in head {
        push_u16(&mut table, number)?;
    }
    let each = |table: &mut Vec<u8>, of: fn(&(usize, usize, usize)) -> usize| {
        runs.iter().try_for_each(|run| push_u16(table, of(run)))
    };
    each(&mut table, |run| run.1)?;
    push_u16(&mut table, 0)?;
    each(&mut table, |run| run.0)?;
    each(&mut table, |run| (run.2 + 0x1_0000 - run.0) & 0xffff)?;
    each(&mut table, |_| 0)?;
    Some(table)
}

/// Writes a subtable of all characters (format 12).
fn groups(glyphs: &Glyphs) -> Option<Vec<u8>> {
    let runs = runs(glyphs);
    let mut table = Vec::new();
    push_u16(&mut table, GROUPS_FORMAT)?;
    push_u16(&mut table, 0)?;
    for number in [16 + runs.len() * 12, 0, runs.len()] {
        push_u32(&mut table, number)?;
    }
    for (first, last, glyph) in runs {
        for number in [first, last, glyph] {
            push_u32(&mut table, number)?;
        }
    }
    Some(table)
}
