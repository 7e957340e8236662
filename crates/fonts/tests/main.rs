//! Tests with a handmade font that is cut into parts.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::ZlibDecoder;
use fonts::{Format, needed, read};
use proptest::prelude::*;

type Tables = BTreeMap<[u8; 4], Vec<u8>>;

fn u16_bytes(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Outline lengths in bytes of the glyphs `.notdef`, `f`, `i`, the ligature `fi`, `б`, an accent,
/// and `é`, which has 0 here because it is composed of `i` and the accent.
const OUTLINES: [usize; 7] = [12, 16, 20, 24, 28, 32, 0];

fn tables() -> Tables {
    let mut glyf = Vec::new();
    let mut loca = vec![0];
    for (glyph, length) in OUTLINES.iter().enumerate() {
        match length {
            0 => glyf.extend(u16_bytes(&[0xffff, 0, 0, 0, 0, 0x20, 2, 0, 0x0, 5, 0])),
            _ => glyf.extend(vec![u8::try_from(glyph).unwrap(); *length]),
        }
        loca.push(u16::try_from(glyf.len() / 2).unwrap());
    }
    // Each of f, i, é and б is in a separate segment.
    let characters = [(0x66, 1), (0x69, 2), (0xe9, 6), (0x431, 4), (0xffff, 0)];
    let of = |field: fn(&(u16, u16)) -> u16| characters.iter().map(field).collect::<Vec<u16>>();
    let mut cmap = u16_bytes(&[0, 1, 3, 1, 0, 12, 4, 16 + 8 * 5, 0, 10, 0, 0, 0]);
    cmap.extend(u16_bytes(&of(|one| one.0)));
    cmap.extend([0, 0]);
    cmap.extend(u16_bytes(&of(|one| one.0)));
    cmap.extend(u16_bytes(&of(|one| one.1.wrapping_sub(one.0))));
    cmap.extend(u16_bytes(&[0; 5]));
    // A single lookup, which replaces f and i with their ligature.
    let gsub = [1, 0, 0, 0, 10, 1, 4, 4, 0, 1, 8, 1, 8, 1, 14, 1, 1, 1, 1, 4, 3, 2, 2];
    let mut head = vec![0; 54];
    head[3] = 1;
    let mut hhea = vec![0; 36];
    hhea[35] = 7;
    let mut maxp = vec![0; 32];
    maxp[5] = 7;
    let mut os2 = vec![0; 78];
    os2[4..6].copy_from_slice(&600_u16.to_be_bytes());
    let metrics: Vec<u16> = (1..=7).flat_map(|glyph| [glyph * 100, glyph]).collect();
    Tables::from([
        (*b"GSUB", u16_bytes(&gsub)),
        (*b"OS/2", os2),
        (*b"cmap", cmap),
        (*b"glyf", glyf),
        (*b"head", head),
        (*b"hhea", hhea),
        (*b"hmtx", u16_bytes(&metrics)),
        (*b"loca", u16_bytes(&loca)),
        (*b"maxp", maxp),
        // A large table, because small fonts are not cut into parts.
        (*b"name", (0..60_000_u32).map(|n| ((n * n) >> 3) as u8).collect()),
    ])
}

fn font_file(tables: &Tables) -> Vec<u8> {
    let mut font = u16_bytes(&[1, 0, u16::try_from(tables.len()).unwrap(), 0, 0, 0]);
    let mut data: Vec<u8> = Vec::new();
    for (tag, bytes) in tables {
        font.extend(tag);
        font.extend([9; 4]);
        for number in [12 + 16 * tables.len() + data.len(), bytes.len()] {
            font.extend(u32::try_from(number).unwrap().to_be_bytes());
        }
        data.extend(bytes);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    font.extend(data);
    font
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn unpack_woff(woff: &[u8]) -> Tables {
    assert_eq!(number(woff, 8), woff.len());
    let entries = woff[44..].chunks(20).take(usize::from(woff[13]));
    let tables = entries.map(|entry| {
        let [start, packed, length] = [4, 8, 12].map(|at| number(entry, at));
        let mut bytes = woff[start..start + packed].to_vec();
        if packed < length {
            bytes.clear();
            ZlibDecoder::new(&woff[start..start + packed]).read_to_end(&mut bytes).unwrap();
        }
        assert_eq!(bytes.len(), length);
        (entry[..4].try_into().unwrap(), bytes)
    });
    tables.collect()
}

/// Returns the lengths of the glyph outlines.
fn outline_lengths(tables: &Tables) -> Vec<usize> {
    let loca = &tables[b"loca"];
    let places: Vec<usize> =
        loca.chunks(2).map(|two| usize::from(two[0]) * 512 + usize::from(two[1]) * 2).collect();
    places.windows(2).map(|between| between[1] - between[0]).collect()
}

#[test]
fn a_subset_has_only_the_glyphs_its_characters_need() {
    let font = read(&font_file(&tables())).unwrap();
    assert_eq!((font.format, font.weight.as_deref()), (Format::Woff, Some("600")));
    let parts: Vec<_> =
        font.parts.iter().map(|part| (part.name.as_str(), part.range.as_str())).collect();
    assert_eq!(parts, [("cyrillic", "U+431"), ("latin", "U+66-69, U+E9")]);

    let cyrillic = unpack_woff(&font.parts[0].bytes);
    assert_eq!(outline_lengths(&cyrillic), [12, 0, 0, 0, 28, 0, 0]);
    let latin = unpack_woff(&font.parts[1].bytes);
    // The Latin part also keeps the ligature, and the accent that é is composed of.
    assert_eq!(outline_lengths(&latin), [12, 16, 20, 24, 0, 32, 22]);
    assert_eq!(latin[b"hmtx"][16..20], [0; 4]);
    assert_eq!(latin[b"hmtx"][12..16], tables()[b"hmtx"][12..16]);
    assert_eq!(latin[b"GSUB"], tables()[b"GSUB"]);
}

#[test]
fn the_container_format_does_not_change_the_subsets() {
    let mut whole = tables();
    let font = read(&font_file(&whole)).unwrap();
    assert_eq!(read(&font_file(&whole)).unwrap(), font);
    // A font with an unsupported table is converted to WOFF without being cut.
    whole.insert(*b"COLR", vec![0; 14]);
    let packed = read(&font_file(&whole)).unwrap();
    assert_eq!(packed.parts.len(), 1);
    assert_eq!((packed.parts[0].name.as_str(), packed.parts[0].range.as_str()), ("", ""));
    let mut without = unpack_woff(&packed.parts[0].bytes);
    without.remove(b"COLR");
    assert_eq!(read(&font_file(&without)).unwrap(), font);
}

#[test]
fn a_variable_font_reports_its_weight_range() {
    let mut whole = tables();
    let mut fvar = u16_bytes(&[1, 0, 16, 2, 1, 20, 0, 0]);
    fvar.extend(b"wght");
    fvar.extend(u16_bytes(&[200, 0, 400, 0, 900, 0, 0, 256]));
    whole.insert(*b"fvar", fvar);
    assert_eq!(read(&font_file(&whole)).unwrap().weight.as_deref(), Some("200 900"));
}

#[test]
fn small_and_single_script_fonts_are_not_split() {
    let mut small = tables();
    small.remove(b"name");
    assert_eq!(read(&font_file(&small)).unwrap().parts.len(), 1);
    let mut one = tables();
    let cmap = one.get_mut(b"cmap").unwrap();
    // Replaces б with ı, so that all characters are Latin.
    for at in (0..cmap.len() - 1).filter(|at| cmap[*at..*at + 2] == [4, 0x31]).collect::<Vec<_>>() {
        cmap[at..at + 2].copy_from_slice(&[1, 0x31]);
    }
    assert_eq!(read(&font_file(&one)).unwrap().parts.len(), 1);
}

#[test]
fn a_woff2_directory_reveals_variable_axes() {
    let with = |directory: &[u8], count: u8| {
        let mut font = [b"wOF2".as_slice(), &[0; 44]].concat();
        font[13] = count;
        font.extend(directory);
        font[11] = u8::try_from(font.len()).unwrap();
        let read = read(&font).unwrap();
        assert_eq!(read.parts[0].bytes, font);
        read.weight
    };
    // The entries are `glyf` (transformed), a table with the explicit tag `abcd`, `loca` (not
    // transformed), and `fvar`.
    let directory = [10, 0x81, 0, 5, 63, b'a', b'b', b'c', b'd', 3, 0xcb, 4, 47, 9];
    assert_eq!(with(&directory, 4).as_deref(), Some("1 1000"));
    assert_eq!(with(&directory, 3), None);
}

#[test]
fn invalid_and_truncated_fonts_are_errors() {
    let whole = font_file(&tables());
    for length in [0, 3, 5, 11, 12, 100, 171, 172, 1000, whole.len() - 4] {
        assert!(read(&whole[..length]).is_err(), "{length}");
    }
    for bytes in [b"wOF2abc".as_slice(), b"wOFF", b"<svg>", b""] {
        assert!(read(bytes).is_err());
    }
    assert_eq!(read(b"ttcf\0\x01\0\0"), Err("is a font collection, which is not supported"));
}

#[test]
fn a_language_needs_the_latin_subset_and_its_script() {
    assert_eq!(needed("en-GB"), ["latin"]);
    assert_eq!(needed("ru"), ["latin", "cyrillic"]);
    assert_eq!(needed("sr-Latn-RS"), ["latin"]);
    assert_eq!(needed("uz-Cyrl"), ["latin", "cyrillic"]);
    assert_eq!(needed("vi"), ["latin", "vietnamese"]);
    assert_eq!(needed("zh-Hans"), ["latin", "cjk"]);
    assert_eq!(needed(""), ["latin"]);
}

proptest! {
    /// A font with changed bytes can be rejected, kept whole or cut, but must not cause a panic.
    #[test]
    fn any_changed_bytes_are_read_without_a_panic(changes in prop::collection::vec((0_usize..900, any::<u8>()), 1..6)) {
        let mut bytes = font_file(&tables());
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn any_bytes_after_a_signature_are_read_without_a_panic(start in prop::sample::select(vec![*b"wOF2", *b"wOFF", *b"OTTO", [0, 1, 0, 0]]), rest: Vec<u8>) {
        // Writes the correct length into the header, so that `read` does not reject the file for
        // its length.
        let mut bytes = [start.as_slice(), &rest].concat();
        let whole = u32::try_from(bytes.len()).unwrap().to_be_bytes();
        if let Some(length) = bytes.get_mut(8..12) {
            length.copy_from_slice(&whole);
        }
        let _ = read(&bytes);
    }
}
