//! Finds files that end before their pixels do, as an upload that was interrupted leaves them.

use img_parts::jpeg::Jpeg;
use memchr::memmem;

use super::boxes;

/// The marker at the end of a JPEG file (ISO/IEC 10918-1, B.2.1). Within pixels no marker has this number.
const END_OF_JPEG: &[u8] = b"\xff\xd9";

/// Whether the pixels of a JPEG file have no end. `jpeg` is what these bytes hold.
pub(crate) fn is_jpeg_cut_off(bytes: &[u8], jpeg: &Jpeg) -> bool {
    let Some(scan) = jpeg.segment_by_marker(0xda) else {
        return true;
    };
    let length = scan.len_with_entropy() - scan.len();
    let pixels = bytes.len().checked_sub(length).map(|at| &bytes[at..]);
    pixels.is_none_or(|pixels| memmem::find(pixels, END_OF_JPEG).is_none())
}

/// Whether a GIF, AVIF or HEIC file ends within a picture.
pub(crate) fn is_cut_off(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"GIF8") {
        return is_gif_cut_off(bytes).unwrap_or(true);
    }
    boxes::is_of_boxes(bytes) && boxes::is_cut_off(bytes)
}

/// None if the file ends within a block. A file without a trailer is common, and shown everywhere.
fn is_gif_cut_off(bytes: &[u8]) -> Option<bool> {
    /// Bytes of the header and the screen descriptor (GIF89a, sections 17 and 18).
    const HEAD: usize = 13;
    let table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    };
    let mut at = HEAD + table(*bytes.get(10)?);
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
