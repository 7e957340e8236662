//! Detects truncated files, which are often interrupted uploads.

use img_parts::jpeg::Jpeg;
use memchr::memmem;

use super::boxes;

/// Marker at the end of a JPEG file (ISO/IEC 10918-1, B.2.1). It cannot occur inside the pixel
/// data.
const END_OF_JPEG: &[u8] = b"\xff\xd9";

/// Returns whether the end of the pixel data is missing. `bytes` is the JPEG file, and `jpeg` the
/// parsed file.
pub(crate) fn is_jpeg_cut_off(bytes: &[u8], jpeg: &Jpeg) -> bool {
    let Some(scan) = jpeg.segment_by_marker(0xda) else {
        return true;
    };
    let length = scan.len_with_entropy() - scan.len();
    let pixels = bytes.len().checked_sub(length).map(|at| &bytes[at..]);
    pixels.is_none_or(|pixels| memmem::find(pixels, END_OF_JPEG).is_none())
}

/// Returns whether a GIF, AVIF or HEIC file ends inside a picture.
pub(crate) fn is_cut_off(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"GIF8") {
        return is_gif_cut_off(bytes).unwrap_or(true);
    }
    boxes::is_heif(bytes) && boxes::is_cut_off(bytes)
}

/// Returns whether a GIF file contains no picture, or `None` if the file ends inside a block. A
/// missing trailer is allowed, because such files are common and all programs show them.
fn is_gif_cut_off(bytes: &[u8]) -> Option<bool> {
    /// Size of the header and the screen descriptor in bytes (GIF89a, sections 17 and 18).
    const HEADER_BYTES: usize = 13;
    let table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    };
    let mut at = HEADER_BYTES + table(*bytes.get(10)?);
    let mut pictures = 0;
    while let Some(kind) = bytes.get(at) {
        match kind {
            0x21 => at += 2,
            0x2c => {
                pictures += 1;
                at += 11 + table(*bytes.get(at + 9)?);
            }
            _ => break,
        }
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
    }
    Some(pictures == 0)
}
