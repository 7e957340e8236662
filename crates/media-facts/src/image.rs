//! The dimensions of pictures, from their headers.

use std::fs::{File, Metadata};
use std::io::{Read, Seek};
use std::path::Path;

use pictures::Shot;

use super::bounded::reader;
use super::{MediaFacts, catch_panic, media_type};

/// Maximum size, in bytes, of a picture that is read completely. Larger pictures are not resized.
const MAX_PICTURE_BYTES: u64 = 256 << 20;

/// Media types whose dimensions can always be read, unless the file is damaged.
const MEASURABLE_TYPES: [&str; 9] = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif",
    "image/bmp", "image/tiff",
];

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let bytes = match read_all(file, facts.bytes) {
        Ok(bytes) => bytes,
        Err(why) => {
            facts.add_problem("sizes", why);
            facts.dimensions = header(file);
            return;
        }
    };
    // The `pictures` crate supports more variants of the formats that browsers show than
    // `imagesize`, and applies the orientation.
    facts.dimensions = match bytes.starts_with(b"BM") {
        true => bitmap(&bytes),
        false => pictures::dimensions(&bytes).or_else(|| header(file)),
    };
    if facts.dimensions.is_none() {
        if MEASURABLE_TYPES.contains(&&*facts.media_type) {
            facts.damage = Some("damaged or not an image".to_owned());
        } else {
            facts.add_problem("dimensions", "this image format is not supported");
        }
        return;
    }
    if is_bitmap_cut_off(&bytes) == Some(true) {
        facts.damage = Some("damaged or not an image".to_owned());
        return;
    }
    facts.bare = pictures::Bare::of(&bytes);
    facts.bytes = facts.bare.map_or(facts.bytes, |bare| bare.bytes);
    match pictures::Facts::of(&bytes) {
        Ok(Some(picture)) => facts.picture = Some(picture),
        Ok(None) if matches!(facts.media_type.as_str(), "image/heic" | "image/heif") => {
            facts.add_problem("sizes", "most browsers do not show HEIC");
        }
        Ok(None) => {}
        Err(pictures::Fault::Damaged(_)) => {
            facts.damage = Some("damaged or not an image".to_owned());
        }
        Err(fault) => facts.add_problem("sizes", fault),
    }
}

/// Reads the camera settings from a photo's Exif data. Returns None if the file contains none, or
/// is not a picture.
pub fn shot(path: &Path) -> Option<Box<Shot>> {
    if !media_type(path).starts_with("image/") {
        return None;
    }
    let file = File::open(path).ok()?;
    let length = file.metadata().ok().filter(Metadata::is_file)?.len();
    Shot::of(&read_all(&file, length).ok()?).map(Box::new)
}

/// Reads all bytes of a picture.
fn read_all(mut file: &File, length: u64) -> Result<Vec<u8>, String> {
    if length > MAX_PICTURE_BYTES {
        return Err("the file is larger than 256 MiB".to_owned());
    }
    let mut bytes = Vec::new();
    let read = file.rewind().and_then(|()| file.take(MAX_PICTURE_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Returns the dimensions from the header of any format that `imagesize` supports.
fn header(file: &File) -> Option<(u32, u32)> {
    let size = catch_panic(|| {
        let reader = reader(file).map_err(|error| error.to_string())?;
        imagesize::reader_size(reader).map_err(|error| error.to_string())
    });
    let size = size.ok()?;
    nonzero_dimensions(u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?)
}

fn nonzero_dimensions(width: u32, height: u32) -> Option<(u32, u32)> {
    (width > 0 && height > 0).then_some((width, height))
}

/// Returns whether a BMP picture ends before its last row. Returns None for other files, and if the
/// rows are compressed.
fn is_bitmap_cut_off(bytes: &[u8]) -> Option<bool> {
    let (width, height) = bytes.starts_with(b"BM").then(|| bitmap(bytes)).flatten()?;
    let long = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let bits = u16::from_le_bytes(*bytes.get(28..)?.first_chunk()?);
    let is_plain = long(14)? >= 40 && long(30)? == 0;
    // The size of each row is a multiple of 32 bits.
    let line = (u64::from(width) * u64::from(bits)).div_ceil(32) * 4;
    let end = line.checked_mul(height.into())?.checked_add(long(10)?.into())?;
    is_plain.then_some(end > bytes.len() as u64)
}

/// Returns the dimensions of a BMP picture. A negative height means that the rows are stored from
/// top to bottom.
fn bitmap(bytes: &[u8]) -> Option<(u32, u32)> {
    /// Size of the oldest header, in bytes. Its numbers have 16 bits.
    const CORE_HEADER_BYTES: u32 = 12;
    let long = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let short = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    if long(14)? == CORE_HEADER_BYTES {
        return nonzero_dimensions(short(18)?.into(), short(20)?.into());
    }
    let width = long(18)?.cast_signed();
    nonzero_dimensions(u32::try_from(width).ok()?, long(22)?.cast_signed().unsigned_abs())
}
