//! Copies files without the metadata that reveals where and when a picture was taken.

use std::panic::catch_unwind;

use img_parts::jpeg::{Jpeg, markers};
use img_parts::png::Png;
use img_parts::webp::WebP;
use img_parts::{Bytes, ImageEXIF};
use memchr::memchr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::boxes;
use super::container::Container;
use super::exif::Exif;

/// Facts about the copy of a file [without metadata](without_metadata), if the copy differs from
/// the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bare {
    /// Hash of the original file.
    pub hash: u64,
    /// Length of the copy in bytes.
    pub bytes: u64,
}

impl Bare {
    /// Reads the facts from the bytes of a file. Returns `None` if the file contains nothing to
    /// remove, and is published unchanged.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let copy = without_metadata(bytes)?;
        Some(Self { hash: xxh3_64(bytes), bytes: copy.len() as u64 })
    }
}

/// Returns a copy of a picture for publication. Pixels, colours and the orientation stay exactly
/// the same. Exif, XMP, IPTC, comments and data that cameras append are removed. Except in HEIC and
/// AVIF files, the names of the photographer and the copyright holder are kept. Returns `None` if
/// there is nothing to remove.
///
/// Supports JPEG, PNG, WebP, HEIC and AVIF, including animations. Returns `None` for other formats.
pub fn without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    let copy = catch_unwind(|| copy_without_metadata(bytes));
    copy.unwrap_or_default()
}

fn copy_without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    if boxes::is_heif(bytes) {
        return boxes::without_metadata(bytes);
    }
    let picture =
        if bytes.starts_with(&[0xff, 0xd8]) { &bytes[..end_of_jpeg(bytes)] } else { bytes };
    let copy = match Container::of(picture)? {
        Container::Jpeg(file) => jpeg(file),
        Container::Png(file) => png(file),
        Container::WebP(file) => webp(file),
    };
    (copy != bytes).then(|| copy.to_vec())
}

fn kept(exif: Option<Bytes>) -> Option<Bytes> {
    let kept = exif.and_then(|exif| Exif::of(&exif)?.kept());
    kept.map(Bytes::from)
}

fn jpeg(mut file: Jpeg) -> Bytes {
    let exif = kept(file.exif());
    let has_exif = exif.is_some();
    file.segments_mut().retain(|segment| {
        let contents = segment.contents();
        match segment.marker() {
            markers::APP0 | markers::APP14 => true,
            // Segments with Exif data are replaced below. All other APP1 segments, such as XMP, are
            // removed.
            markers::APP1 => has_exif && contents.starts_with(b"Exif\0\0"),
            markers::APP2 => contents.starts_with(b"ICC_PROFILE\0"),
            markers::COM => false,
            marker => !(0xe0..=0xef).contains(&marker),
        }
    });
    file.set_exif(exif);
    file.encoder().bytes()
}

/// Returns the offset at which a JPEG picture ends (ISO/IEC 10918-1, annex B). Cameras append other
/// pictures and videos there.
fn end_of_jpeg(bytes: &[u8]) -> usize {
    let mut at = 2;
    while let Some(next) = memchr(0xff, bytes.get(at..).unwrap_or_default()) {
        let marker = at + next;
        let length = match bytes.get(marker + 1) {
            Some(&markers::EOI) => return marker + 2,
            // These two bytes are an escaped byte of the scan, or a marker without content such as
            // a restart marker. A single 0xff is padding before a marker.
            Some(0x00 | 0x01 | 0xd0..=0xd8) => 2,
            Some(0xff) => 1,
            Some(_) => match bytes.get(marker + 2..marker + 4) {
                Some([a, b]) => 2 + usize::from(u16::from_be_bytes([*a, *b])).max(2),
                _ => break,
            },
            None => break,
        };
        at = marker + length;
    }
    bytes.len()
}

fn png(mut file: Png) -> Bytes {
    let exif = kept(file.exif());
    file.chunks_mut()
        .retain(|chunk| !matches!(&chunk.kind(), b"tEXt" | b"zTXt" | b"iTXt" | b"eXIf" | b"tIME"));
    file.set_exif(exif);
    file.encoder().bytes()
}

fn webp(mut file: WebP) -> Bytes {
    let exif = kept(file.exif());
    file.remove_chunks_by_id(*b"XMP ");
    file.set_exif(exif);
    file.encoder().bytes()
}
