//! Font files: what they are, and how they are sent.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A font that was looked into, as browsers get it.
#[derive(Debug)]
pub struct FontFile {
    pub bytes: Vec<u8>,
    pub format: Format,
    /// The weights it has, as `font-weight` of `@font-face`: `400`, or `1 1000` of a variable font. None where the
    /// file does not tell without being unpacked.
    pub weight: Option<String>,
}

/// How the tables of a font are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Woff,
    Woff2,
}

impl Format {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Woff => "woff",
            Self::Woff2 => "woff2",
        }
    }
}

/// Reads a font: WOFF 2, WOFF, or TrueType and OpenType, which become WOFF.
///
/// # Errors
///
/// What the file is instead.
pub fn read(bytes: Vec<u8>) -> Result<FontFile, &'static str> {
    const CUT_OFF: &str = "is cut off, or no font";
    let is_whole = |bytes: &[u8]| number(bytes, 8).is_some_and(|length| length == bytes.len());
    match bytes.get(..4) {
        Some(b"wOF2") if is_whole(&bytes) => Ok(FontFile {
            weight: weight(has_axes_in_woff2(&bytes), None),
            bytes,
            format: Format::Woff2,
        }),
        Some(b"wOFF") if is_whole(&bytes) => Ok(FontFile {
            // Of each table its name, and four numbers.
            weight: weight(has_axes(&bytes, 44, 20), None),
            bytes,
            format: Format::Woff,
        }),
        Some(b"wOF2" | b"wOFF") => Err(CUT_OFF),
        Some(b"ttcf") => Err("is a collection of fonts"),
        Some([0, 1, 0, 0] | b"OTTO" | b"true") => {
            let tables = Table::all(&bytes).ok_or(CUT_OFF)?;
            let find = |tag: &[u8; 4]| tables.iter().find(|table| table.tag == tag);
            if find(b"cmap").is_none() || find(b"head").is_none() {
                return Err(CUT_OFF);
            }
            let own = find(b"OS/2").and_then(|table| table.bytes.get(4..6));
            let own = own.map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]));
            Ok(FontFile {
                weight: weight(find(b"fvar").is_some(), own),
                bytes: woff(&bytes[..4], &tables).ok_or(CUT_OFF)?,
                format: Format::Woff,
            })
        }
        _ => Err("is no font"),
    }
}

fn weight(is_variable: bool, own: Option<u16>) -> Option<String> {
    if is_variable {
        return Some("1 1000".to_owned());
    }
    let own = own.filter(|own| (1..=1000).contains(own));
    own.map(|own| own.to_string())
}

/// A whole number of four bytes.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 2] = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(usize::from(u16::from_be_bytes(bytes)))
}

/// Whether a directory of tables, from `start` and of entries of this size, names axes of variation.
fn has_axes(bytes: &[u8], start: usize, size: usize) -> bool {
    let entries = bytes.get(start..).unwrap_or_default().chunks_exact(size);
    let count = short(bytes, 12).unwrap_or_default();
    entries.take(count).any(|entry| entry.starts_with(b"fvar"))
}

/// Whether the directory of a WOFF 2 file names axes of variation (WOFF 2.0, section 4.1): an entry is the number of a
/// known table, or its name, and one or two lengths.
fn has_axes_in_woff2(bytes: &[u8]) -> bool {
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
    for _ in 0..short(bytes, 12).unwrap_or_default() {
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
        let is_transformed = if GLYF_AND_LOCA.contains(&table) {
            transform != 3
        } else {
            transform != 0
        };
        if is_transformed {
            skip_length(&mut at);
        }
    }
    false
}

/// A table of a TrueType or OpenType font.
struct Table<'f> {
    tag: &'f [u8],
    checksum: &'f [u8],
    bytes: &'f [u8],
}

impl<'f> Table<'f> {
    /// All of a font, in their order. None if one of them lies outside of the file.
    fn all(font: &'f [u8]) -> Option<Vec<Self>> {
        let entries = (0..short(font, 4)?).map(|index| {
            let entry = font.get(12 + index * 16..28 + index * 16)?;
            let (start, length) = (number(entry, 8)?, number(entry, 12)?);
            Some(Self {
                tag: &entry[..4],
                checksum: &entry[4..8],
                bytes: font.get(start..start.checked_add(length)?)?,
            })
        });
        entries.collect()
    }
}

/// Packs the tables of a font (WOFF 1.0): each by itself, where that makes it smaller.
fn woff(flavour: &[u8], tables: &[Table<'_>]) -> Option<Vec<u8>> {
    let round = |length: usize| length.next_multiple_of(4);
    let whole = 12
        + tables
            .iter()
            .map(|table| 16 + round(table.bytes.len()))
            .sum::<usize>();
    let mut directory: Vec<u8> = Vec::new();
    let mut data: Vec<u8> = Vec::new();
    let start = 44 + 20 * tables.len();
    for table in tables {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(table.bytes).ok()?;
        let packed = encoder.finish().ok()?;
        let kept = if packed.len() < table.bytes.len() {
            packed.as_slice()
        } else {
            table.bytes
        };
        directory.extend(table.tag);
        for number in [start + data.len(), kept.len(), table.bytes.len()] {
            directory.extend(u32::try_from(number).ok()?.to_be_bytes());
        }
        directory.extend(table.checksum);
        data.extend(kept);
        data.resize(round(data.len()), 0);
    }
    let mut font = b"wOFF".to_vec();
    font.extend(flavour);
    font.extend(u32::try_from(start + data.len()).ok()?.to_be_bytes());
    font.extend(u16::try_from(tables.len()).ok()?.to_be_bytes());
    font.extend([0, 0]);
    font.extend(u32::try_from(whole).ok()?.to_be_bytes());
    // Version 1.0, and neither metadata nor private data.
    font.extend([0, 1, 0, 0]);
    font.extend([0; 20]);
    font.extend(directory);
    font.extend(data);
    Some(font)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    const TABLES: [(&[u8; 4], &[u8]); 4] = [
        (b"OS/2", &[0, 4, 0, 0, 2, 188]),
        (b"cmap", &[7; 500]),
        (b"fvar", &[0; 40]),
        (b"head", &[1, 2, 3]),
    ];

    fn font(tables: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut font = vec![
            0,
            1,
            0,
            0,
            0,
            u8::try_from(tables.len()).unwrap(),
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        let mut data: Vec<u8> = Vec::new();
        for (tag, bytes) in tables {
            font.extend(*tag);
            font.extend([9; 4]);
            let start = 12 + 16 * tables.len() + data.len();
            for number in [start, bytes.len()] {
                font.extend(u32::try_from(number).unwrap().to_be_bytes());
            }
            data.extend(*bytes);
            data.resize(data.len().next_multiple_of(4), 0);
        }
        font.extend(data);
        font
    }

    #[test]
    fn a_font_is_packed_and_each_table_stays_what_it_was() {
        let packed = read(font(&TABLES)).unwrap();
        assert_eq!(packed.weight.as_deref(), Some("1 1000"));
        let bytes = &packed.bytes;
        assert_eq!(number(bytes, 8), Some(bytes.len()));
        assert_eq!(number(bytes, 16), Some(font(&TABLES).len()));
        for (at, (tag, table)) in TABLES.iter().enumerate() {
            let entry = &bytes[44 + at * 20..64 + at * 20];
            let [start, kept, whole] = [4, 8, 12].map(|at| number(entry, at).unwrap());
            let mut unpacked = bytes[start..start + kept].to_vec();
            if kept < whole {
                unpacked.clear();
                let mut packed = ZlibDecoder::new(&bytes[start..start + kept]);
                packed.read_to_end(&mut unpacked).unwrap();
            }
            assert_eq!((&entry[..4], unpacked.as_slice()), (tag.as_slice(), *table));
        }
        let again = read(packed.bytes.clone()).unwrap();
        assert_eq!(again.bytes, packed.bytes);
        assert_eq!(again.weight.as_deref(), Some("1 1000"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(start in select(vec![*b"wOF2", *b"wOFF", *b"OTTO", [0, 1, 0, 0]]), rest: Vec<u8>) {
            // Lengths that are right lead further in.
            let mut bytes = [start.as_slice(), &rest].concat();
            let whole = u32::try_from(bytes.len()).unwrap().to_be_bytes();
            if let Some(length) = bytes.get_mut(8..12) {
                length.copy_from_slice(&whole);
            }
            let _ = read(bytes);
        }
    }

    #[test]
    fn a_font_tells_its_weight() {
        let tables = [TABLES[0], TABLES[1], TABLES[3]];
        let font = read(font(&tables)).unwrap();
        assert_eq!(font.weight.as_deref(), Some("700"));
        assert_eq!(font.format, Format::Woff);
    }

    #[test]
    fn the_directory_of_a_woff2_tells_of_axes() {
        let with = |directory: &[u8], count: u8| {
            let mut font = [b"wOF2".as_slice(), &[0; 44]].concat();
            font[13] = count;
            font.extend(directory);
            let length = u8::try_from(font.len()).unwrap();
            font[11] = length;
            read(font).unwrap().weight
        };
        // glyf (transformed), a table of its own name, loca (as it is), fvar.
        let directory = [
            10, 0x81, 0, 5, 63, b'a', b'b', b'c', b'd', 3, 0xcb, 4, 47, 9,
        ];
        assert_eq!(with(&directory, 4).as_deref(), Some("1 1000"));
        assert_eq!(with(&directory, 3), None);
    }

    #[test]
    fn what_is_no_font_or_cut_off_is_refused() {
        let whole = font(&TABLES);
        for length in 0..whole.len() - 1 {
            assert!(read(whole[..length].to_vec()).is_err(), "{length}");
        }
        for bytes in [b"wOF2abc".as_slice(), b"wOFF", b"ttcf", b"<svg>", b""] {
            assert!(read(bytes.to_vec()).is_err());
        }
    }
}
