//! Empties the outlines and metrics of glyphs that are not kept. Glyph numbers do not change, so
//! all other tables stay valid.

use crate::bytes::{push_u16, push_u32, read_u16, read_u32};
use crate::substitutions::KeptGlyphs;
use crate::tables::{Tables, Tag};

/// Keeps only the outlines of the kept glyphs and of their components. Returns `None` if the font
/// has unsupported features.
pub fn trim(tables: &mut Tables<'_>, kept: &KeptGlyphs) -> Option<()> {
    let mut kept = kept.clone();
    if let Some(glyf) = tables.get(b"glyf") {
        let is_long = read_u16(tables.get(b"head")?, 50)? != 0;
        let data_offsets = data_offsets(tables.get(b"loca")?, 0, kept.len(), is_long)?;
        add_components(glyf, &data_offsets, &mut kept)?;
        let (glyf, data_offsets) = compact(glyf, &data_offsets, &kept, &[])?;
        let mut loca = Vec::new();
        push_offsets(&mut loca, &data_offsets, is_long)?;
        tables.set(*b"loca", loca);
        tables.set(*b"glyf", glyf);
    }
    let change = |tables: &mut Tables<'_>, tag: &Tag, trim: &dyn Fn(&[u8]) -> Option<Vec<u8>>| {
        if let Some(table) = tables.get(tag) {
            let trimmed = trim(table)?;
            tables.set(*tag, trimmed);
        }
        Some(())
    };
    change(tables, b"CFF ", &|cff| trim_charstrings(cff, 1, &kept))?;
    change(tables, b"CFF2", &|cff| trim_charstrings(cff, 2, &kept))?;
    change(tables, b"gvar", &|gvar| trim_variations(gvar, &kept))?;
    for (head, metrics) in [(b"hhea", b"hmtx"), (b"vhea", b"vmtx")] {
        let count = tables.get(head).and_then(|head| read_u16(head, 34));
        change(tables, metrics, &|table| Some(trim_metrics(table, count?, &kept)))?;
    }
    // Converts `post` to version 3, which has no glyph names. Only printers use glyph names.
    change(tables, b"post", &|post| Some([&[0, 3, 0, 0], post.get(4..32)?].concat()))
}

/// Reads the data offset of each glyph, and the end of the last glyph's data.
fn data_offsets(table: &[u8], at: usize, count: usize, is_long: bool) -> Option<Vec<usize>> {
    let place = |index: usize| match is_long {
        true => read_u32(table, at + index * 4),
        false => Some(read_u16(table, at + index * 2)? * 2),
    };
    (0..=count).map(place).collect()
}

fn push_offsets(table: &mut Vec<u8>, data_offsets: &[usize], is_long: bool) -> Option<()> {
    data_offsets.iter().try_for_each(|place| match is_long {
        true => push_u32(table, *place),
        false => push_u16(table, *place / 2),
    })
}

/// Replaces the data of dropped glyphs with `empty_outline`. Returns the joined data of
/// all glyphs, and the new offsets.
fn compact(
    data: &[u8],
    data_offsets: &[usize],
    kept: &KeptGlyphs,
    empty_outline: &[u8],
) -> Option<(Vec<u8>, Vec<usize>)> {
    let (mut found, mut starts) = (Vec::new(), vec![0]);
    for (between, is_kept) in data_offsets.windows(2).zip(kept) {
        let own = data.get(between[0]..between[1])?;
        found.extend(if *is_kept { own } else { empty_outline });
        starts.push(found.len());
        // Overlapping glyphs could make the data larger than the file.
        if found.len() > data.len() + kept.len() {
            return None;
        }
    }
    Some((found, starts))
}

/// Adds to `kept` the components of kept composite glyphs in the `glyf` table.
fn add_components(glyf: &[u8], data_offsets: &[usize], kept: &mut KeptGlyphs) -> Option<()> {
    const IS_WIDE: usize = 0x1;
    const HAS_MORE: usize = 0x20;
    // Flags for the scales after a component, and their size in bytes: one, two or four scales.
    const SCALES: [(usize, usize); 3] = [(0x8, 2), (0x40, 4), (0x80, 8)];
    let glyphs = kept.iter().enumerate();
    let mut open: Vec<usize> = glyphs.filter(|(_, kept)| **kept).map(|(glyph, _)| glyph).collect();
    while let Some(glyph) = open.pop() {
        let outline = glyf.get(*data_offsets.get(glyph)?..*data_offsets.get(glyph + 1)?)?;
        let is_composite = outline.first().is_some_and(|byte| byte & 0x80 != 0);
        let mut at = 10;
        let mut has_more = is_composite;
        while has_more {
            let (flags, part) = (read_u16(outline, at)?, read_u16(outline, at + 2)?);
            let own = kept.get_mut(part)?;
            if !std::mem::replace(own, true) {
                open.push(part);
            }
            at += if flags & IS_WIDE != 0 { 8 } else { 6 };
            let scales = SCALES.iter().filter(|(flag, _)| flags & flag != 0);
            at += scales.map(|(_, length)| length).sum::<usize>();
            has_more = flags & HAS_MORE != 0;
        }
    }
    Some(())
}

/// Removes from the `gvar` table the variations of dropped glyphs.
fn trim_variations(gvar: &[u8], kept: &KeptGlyphs) -> Option<Vec<u8>> {
    const HEADER_BYTES: usize = 20;
    let is_long = read_u16(gvar, 14)? & 1 != 0;
    let (shared, start) = (read_u32(gvar, 8)?, read_u32(gvar, 16)?);
    let end_of_places = HEADER_BYTES + (kept.len() + 1) * if is_long { 4 } else { 2 };
    if read_u16(gvar, 12)? != kept.len() || shared > start || start < end_of_places {
        return None;
    }
    let data_offsets = data_offsets(gvar, HEADER_BYTES, kept.len(), is_long)?;
    let (data, data_offsets) = compact(gvar.get(start..)?, &data_offsets, kept, &[])?;
    let mut trimmed = gvar[..HEADER_BYTES].to_vec();
    push_offsets(&mut trimmed, &data_offsets, is_long)?;
    trimmed.extend(gvar.get(end_of_places..start)?);
    trimmed.extend(data);
    Some(trimmed)
}

/// Sets the metrics of glyphs that are not kept to zero, because zeros compress well. The last full
/// entry stays, because its width applies to all later glyphs.
fn trim_metrics(metrics: &[u8], count: usize, kept: &KeptGlyphs) -> Vec<u8> {
    let mut metrics = metrics.to_vec();
    for (glyph, is_kept) in kept.iter().enumerate() {
        let place = match glyph {
            _ if *is_kept || glyph + 1 == count => continue,
            _ if glyph < count => glyph * 4..glyph * 4 + 4,
            _ => count * 2 + glyph * 2..count * 2 + glyph * 2 + 2,
        };
        if let Some(own) = metrics.get_mut(place) {
            own.fill(0);
        }
    }
    metrics
}

/// Empties the charstrings (outlines) of glyphs that are not kept, in a `CFF ` or `CFF2` table.
/// Zeros fill the freed bytes, so that no other offset changes.
fn trim_charstrings(cff: &[u8], version: u8, kept: &KeptGlyphs) -> Option<Vec<u8>> {
    const ENDCHAR: u8 = 14;
    let is_first = version == 1;
    let start = usize::from(*cff.get(2)?);
    let settings = if is_first {
        let names = Index::read(cff, start, true)?;
        let all = Index::read(cff, names.end(), true)?;
        cff.get(all.start + all.data_offsets.first()?..all.start + all.data_offsets.get(1)?)?
    } else {
        cff.get(start..start + read_u16(cff, 3)?)?
    };
    let at = charstrings_offset(settings)?;
    let index = Index::read(cff, at, is_first)?;
    if index.data_offsets.len() != kept.len() + 1 {
        return None;
    }
    let data = cff.get(index.start..index.end())?;
    let empty_outline: &[u8] = if is_first { &[ENDCHAR] } else { &[] };
    let is_accent_composite =
        |between: &[usize]| data.get(between[0]..between[1]).is_some_and(is_accent_composite);
    let mut programs = index.data_offsets.windows(2).zip(kept);
    if is_first && programs.any(|(between, kept)| *kept && is_accent_composite(between)) {
        return None;
    }
    let (data, data_offsets) = compact(data, &index.data_offsets, kept, empty_outline)?;
    let mut trimmed = cff.get(..index.offsets)?.to_vec();
    for place in data_offsets {
        let bytes = u32::try_from(place + 1).ok()?.to_be_bytes();
        trimmed.extend(bytes.get(4 - index.size..)?);
    }
    trimmed.extend(data);
    if trimmed.len() > index.end() {
        return None;
    }
    trimmed.resize(index.end(), 0);
    trimmed.extend(cff.get(index.end()..)?);
    Some(trimmed)
}

/// Returns whether a charstring composes its glyph from two other glyphs (`endchar` with four
/// numbers).
fn is_accent_composite(program: &[u8]) -> bool {
    let (mut at, mut numbers) = (0, 0);
    while let Some(byte) = program.get(at) {
        at += match byte {
            14 => return numbers >= 4,
            28 => 3,
            32..=246 => 1,
            247..=254 => 2,
            255 => 5,
            _ => return false,
        };
        numbers += 1;
    }
    false
}

/// Reads the offset of the charstrings from the font's Top DICT (operator 17).
fn charstrings_offset(settings: &[u8]) -> Option<usize> {
    let (mut at, mut last) = (0, None);
    while let Some(byte) = settings.get(at).copied() {
        let (length, number) = match byte {
            17 => return last,
            12 => (2, None),
            0..=27 => (1, None),
            28 => (3, read_u16(settings, at + 1)),
            29 => (5, read_u32(settings, at + 1)),
            30 => {
                let end = settings.get(at + 1..)?.iter();
                let end = end.take_while(|byte| *byte & 0xf != 0xf && *byte >> 4 != 0xf);
                (2 + end.count(), None)
            }
            32..=246 => (1, usize::from(byte).checked_sub(139)),
            247..=250 => {
                let second = usize::from(*settings.get(at + 1)?);
                (2, Some((usize::from(byte) - 247) * 256 + second + 108))
            }
            251..=254 => (2, None),
            _ => return None,
        };
        at += length;
        last = number;
    }
    None
}

/// A CFF INDEX: an array of entries of variable length.
struct Index {
    /// Position of the array of offsets. Each offset has `size` bytes.
    offsets: usize,
    size: usize,
    start: usize,
    data_offsets: Vec<usize>,
}

impl Index {
    fn read(cff: &[u8], at: usize, is_first: bool) -> Option<Self> {
        let (count, head) =
            if is_first { (read_u16(cff, at)?, 2) } else { (read_u32(cff, at)?, 4) };
        if count == 0 || count > 0xffff {
            return None;
        }
        let size = usize::from(*cff.get(at + head)?);
        let offsets = at + head + 1;
        let start = offsets + (count + 1) * size;
        let list = cff.get(offsets..start)?;
        let place = |bytes: &[u8]| {
            let place = bytes.iter().fold(0, |place, byte| place << 8 | usize::from(*byte));
            place.checked_sub(1)
        };
        if !(1..=4).contains(&size) {
            return None;
        }
        Some(Self {
            offsets,
            size,
            start,
            data_offsets: list.chunks_exact(size).map(place).collect::<Option<_>>()?,
        })
    }

    fn end(&self) -> usize {
        self.start + self.data_offsets.last().copied().unwrap_or_default()
    }
}
