//! Cuts fonts into parts by script, so that browsers load only the parts that a page needs. Each
//! part renders its characters like the whole font.
//!
//! [`read`] takes a TrueType, OpenType, WOFF or WOFF 2 file. The result is the font as WOFF, cut
//! into [`Part`]s: Latin, Greek, Cyrillic, Arabic and so on. Each part has a `unicode-range`: a
//! browser loads the part if a page contains one of these characters. [`needed`] returns the parts
//! needed for a language, so that a page can preload them.
//!
//! # Invariants
//!
//! - The crate is independent of sites and files: its input and output are bytes. The same input
//!   always produces the same parts.
//! - Each character of a font is in a part. A part renders like the whole font, including kerning,
//!   ligatures, marks and contextual letter forms. For this, a part keeps every glyph that a
//!   substitution can produce, with the same glyph number. A variable font keeps its axes.
//! - A font with unsupported features is not cut. It is returned as one part.
//! - No input makes the crate panic or run for a long time.
//!
//! # Why this crate does not use klippa
//!
//! The crate `klippa` of Google's fontations is not published. `fontcull-klippa` (0.1.2), a
//! published fork, adds nine crates and takes 126 s to compile, compared with 6 s for this crate.
//! The fork cannot write WOFF.

mod bytes;
mod characters;
mod outlines;
mod pairs;
mod scripts;
mod substitutions;
mod tables;

use borsh::{BorshDeserialize, BorshSerialize};
use rayon::prelude::*;

use bytes::{read_u16, read_u32};
use characters::{Characters, Glyphs};
pub use scripts::needed;
use scripts::{REST_PART, SCRIPTS, SHARED_CHARACTERS, SYMBOLS, contains_character};
use substitutions::KeptGlyphs;
use tables::{Tables, Tag};

/// Fonts up to this unpacked size in bytes are kept whole, because one small file loads faster than
/// two files.
const MAX_WHOLE_BYTES: usize = 48 * 1024;

/// A font in the form that browsers load.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Font {
    /// Weights of the font, as the `font-weight` of an `@font-face` rule: `400`, or `200 900` for a
    /// variable font. `None` if the file does not specify a weight.
    pub weight: Option<String>,
    /// File format of the parts.
    pub format: Format,
    /// Parts, in the order of their `@font-face` rules. If several parts contain a character,
    /// browsers use the last of these parts.
    pub parts: Vec<Part>,
}

/// A font file with some of the font's characters, or with the whole font.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Part {
    /// Name of the part, such as `latin` or `greek`. Empty for the whole font.
    pub name: String,
    /// Characters of the part, as a CSS `unicode-range`. Empty for the whole font.
    pub range: String,
    pub bytes: Vec<u8>,
}

/// File formats of the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Format {
    /// WOFF 1.0.
    Woff,
    /// WOFF 2.
    Woff2,
}

impl Format {
    /// Returns the file extension, which is also the name of the format in CSS.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Woff => "woff",
            Self::Woff2 => "woff2",
        }
    }
}

/// Reads a font and cuts it into parts. A WOFF 2 file is not cut.
///
/// # Errors
///
/// Returns a description of the problem if the file is not a usable font.
pub fn read(file: &[u8]) -> Result<Font, &'static str> {
    const CUT_OFF: &str = "is truncated or not a font";
    let is_whole = read_u32(file, 8) == Some(file.len());
    match file.get(..4) {
        Some(b"wOF2") if is_whole => Ok(Font {
            weight: has_axes(file).then(|| ALL_WEIGHTS.to_owned()),
            format: Format::Woff2,
            parts: vec![whole_part(file.to_vec())],
        }),
        Some(b"ttcf") => Err("is a font collection, which is not supported"),
        Some([0, 1, 0, 0] | b"OTTO" | b"true" | b"wOFF") => {
            let is_packed = file.starts_with(b"wOFF");
            let tables = Tables::read(file).filter(|_| is_whole || !is_packed);
            let tables = tables.ok_or(CUT_OFF)?;
            if !tables.has(b"cmap") || !tables.has(b"head") {
                return Err(CUT_OFF);
            }
            Ok(Font {
                weight: weight(&tables),
                format: Format::Woff,
                parts: parts(&tables)
                    .or_else(|| Some(vec![whole_part(tables.into_woff()?)]))
                    .ok_or(CUT_OFF)?,
            })
        }
        Some(b"wOF2") => Err(CUT_OFF),
        _ => Err("is not a font"),
    }
}

/// Returns a font as an uncompressed TrueType or OpenType file. Returns `None` if the file is not a
/// font, or damaged.
pub fn unpacked(file: &[u8]) -> Option<Vec<u8>> {
    match file.get(..4)? {
        [0, 1, 0, 0] | b"OTTO" | b"true" => Some(file.to_vec()),
        b"wOFF" => Some(Tables::read(file)?.into_sfnt()),
        b"wOF2" => wuff::decompress_woff2(file).ok(),
        _ => None,
    }
}

fn whole_part(bytes: Vec<u8>) -> Part {
    Part { name: String::new(), range: String::new(), bytes }
}

/// Tables with glyphs or substitutions that this crate cannot trace. Fonts with such tables are not
/// cut.
const UNTRACEABLE_TABLES: [&Tag; 8] =
    [b"COLR", b"SVG ", b"CBDT", b"sbix", b"EBDT", b"morx", b"mort", b"VARC"];

/// Tables to omit from parts: signatures of the whole file, metrics for old screens, alternatives
/// to `GSUB`, and math layout, for which browsers use other fonts.
const OMITTED_TABLES: [&Tag; 15] = [
    b"MATH", b"DSIG", b"hdmx", b"VDMX", b"LTSH", b"PCLT", b"FFTM", b"PfEd", b"TeX ", b"BDF ",
    b"Silf", b"Sill", b"Feat", b"Glat", b"Gloc",
];

/// Cuts a font into parts. Returns `None` if the font should stay whole, because it is small, has
/// only one script, or has unsupported features.
fn parts(font: &Tables<'_>) -> Option<Vec<Part>> {
    if font.unpacked_length() <= MAX_WHOLE_BYTES
        || UNTRACEABLE_TABLES.iter().any(|tag| font.has(tag))
    {
        return None;
    }
    let count = read_u16(font.get(b"maxp")?, 4)?;
    let characters = Characters::read(font.get(b"cmap")?)?;
    let (shared, own): (Glyphs, Glyphs) = characters
        .glyphs
        .iter()
        .partition(|(character, _)| contains_character(&SHARED_CHARACTERS, **character));
    let mut groups: Vec<(&'static str, Glyphs)> = Vec::new();
    for (character, glyph) in own {
        let mut scripts = SCRIPTS.iter().chain([&SYMBOLS]);
        let script = scripts.find(|script| contains_character(script.ranges, character));
        let name = script.map_or(REST_PART, |script| script.name);
        match groups.iter_mut().find(|(own, _)| *own == name) {
            Some((_, glyphs)) => drop(glyphs.insert(character, glyph)),
            None => groups.push((name, Glyphs::from([(character, glyph)]))),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    // Latin is last, so that browsers take shared characters, such as combining marks, from the
    // Latin part, which every page loads anyway.
    groups.reverse();
    groups
        .into_par_iter()
        .map(|(name, own)| {
            let mut glyphs = shared.clone();
            glyphs.extend(&own);
            Some(Part {
                name: name.to_owned(),
                range: range(&glyphs),
                bytes: part(font, &characters, &glyphs, count)?,
            })
        })
        .collect()
}

/// Returns the font as WOFF, reduced to these characters.
fn part(
    font: &Tables<'_>,
    characters: &Characters<'_>,
    glyphs: &Glyphs,
    count: usize,
) -> Option<Vec<u8>> {
    let mut kept: KeptGlyphs = vec![false; count];
    *kept.first_mut()? = true;
    for glyph in glyphs.values() {
        *kept.get_mut(*glyph)? = true;
    }
    characters.each_variant(|character, glyph| {
        if let Some(kept) = kept.get_mut(glyph) {
            *kept |= glyphs.contains_key(&character);
        }
    })?;
    if let Some(gsub) = font.get(b"GSUB") {
        substitutions::add_substitutes(gsub, &mut kept)?;
    }
    let mut part = font.clone();
    part.all.retain(|tag, _| !OMITTED_TABLES.contains(&tag));
    part.set(*b"cmap", characters.write(glyphs)?);
    outlines::trim(&mut part, &kept)?;
    if let Some(gpos) = font.get(b"GPOS") {
        part.set(*b"GPOS", pairs::trim(gpos, &kept)?);
    }
    part.into_woff()
}

/// Formats characters as a `unicode-range`. Ranges with small gaps between them are merged, to
/// shorten the result.
fn range(glyphs: &Glyphs) -> String {
    const MAX_GAP: u32 = 32;
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for character in glyphs.keys().copied() {
        match runs.last_mut() {
            Some((_, last)) if character - *last <= MAX_GAP => *last = character,
            _ => runs.push((character, character)),
        }
    }
    let runs = runs.into_iter().map(|(first, last)| match first == last {
        true => format!("U+{first:X}"),
        false => format!("U+{first:X}-{last:X}"),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// All weights, for a variable font whose range of weights is unknown.
const ALL_WEIGHTS: &str = "1 1000";

fn weight(tables: &Tables<'_>) -> Option<String> {
    if let Some(fvar) = tables.get(b"fvar") {
        let axes = read_u16(fvar, 4)?;
        let size = read_u16(fvar, 10)?;
        let mut axes = (0..read_u16(fvar, 8)?).map(|index| axes + index * size);
        let Some(axis) = axes.find(|at| fvar.get(*at..at + 4) == Some(b"wght")) else {
            return Some(ALL_WEIGHTS.to_owned());
        };
        return Some(format!("{} {}", read_u16(fvar, axis + 4)?, read_u16(fvar, axis + 12)?));
    }
    let own = read_u16(tables.get(b"OS/2")?, 4)?;
    (1..=1000).contains(&own).then(|| own.to_string())
}

/// Returns whether the directory of a WOFF 2 file lists the `fvar` table, which contains the
/// variation axes (WOFF 2.0, section 4.1). Each entry consists of a known table's number or a table
/// name, followed by one or two lengths.
fn has_axes(bytes: &[u8]) -> bool {
    const FVAR: u8 = 47;
    const GLYF_AND_LOCA: [u8; 2] = [10, 11];
    const UNKNOWN: u8 = 63;
    let mut at = 48;
    let skip_length = |at: &mut usize| {
        while bytes.get(*at).is_some_and(|byte| byte & 0x80 != 0) {
            *at += 1;
        }
        *at += 1;
    };
    for _ in 0..read_u16(bytes, 12).unwrap_or_default() {
        let Some(flags) = bytes.get(at) else {
            return false;
        };
        let (table, transform) = (flags & 63, flags >> 6);
        at += 1;
        if table == FVAR || (table == UNKNOWN && bytes.get(at..at + 4) == Some(b"fvar")) {
            return true;
        }
        at += if table == UNKNOWN { 4 } else { 0 };
        skip_length(&mut at);
        let is_transformed =
            if GLYF_AND_LOCA.contains(&table) { transform != 3 } else { transform != 0 };
        if is_transformed {
            skip_length(&mut at);
        }
    }
    false
}
