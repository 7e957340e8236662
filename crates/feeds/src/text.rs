//! Detects the character encoding of feeds, and decodes them.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

/// Decodes a document. Returns its text, and a message if its bytes do not match the declared
/// encoding.
///
/// As in RFC 7303, a byte order mark has the highest priority, then the `charset` of the
/// Content-Type, then the encoding in the XML declaration. Bytes that are declared as UTF-8 but are
/// not valid UTF-8 are decoded as Windows-1252, which is nearly the same as Latin-1.
pub fn decode_text(bytes: &[u8], charset: Option<&str>) -> (String, Option<String>) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[length..]);
        return (text.into_owned(), None);
    }
    if let Some(encoding) = detect_utf16(bytes) {
        return (encoding.decode(bytes).0.into_owned(), None);
    }
    let declared = charset.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    let declared = declared.or_else(|| declared_encoding(bytes)).unwrap_or(UTF_8);
    // Valid UTF-8 is decoded as UTF-8, regardless of the declared encoding, because text in other
    // encodings is hardly ever valid UTF-8.
    if let Ok(text) = str::from_utf8(bytes) {
        return (text.to_owned(), None);
    }
    if let Some(text) = declared.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text.into_owned(), None);
    }
    let name = declared.name();
    let fallback = if declared == UTF_8 { WINDOWS_1252 } else { declared };
    // Text that is mostly valid UTF-8, with a few invalid characters, is still decoded as UTF-8.
    let broken = String::from_utf8_lossy(bytes);
    let lost = broken.matches('\u{fffd}').count();
    let stored = bytes.iter().filter(|byte| **byte >= 0xc3).count();
    if declared == UTF_8 && lost * 4 < stored {
        let fault = format!("{lost} characters are not valid UTF-8 and were lost");
        return (broken.into_owned(), Some(fault));
    }
    let (text, _) = fallback.decode_without_bom_handling(bytes);
    let read = fallback.name();
    let fault = format!(
        "the document is not in the encoding that it declares ({name}); it was read as {read}"
    );
    (text.into_owned(), Some(fault))
}

/// Detects UTF-16 without a byte order mark by its zero bytes.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?' | b'r' | b'f', 0, ..] => Some(encoding_rs::UTF_16LE),
        [0, b'<', 0, b'?' | b'r' | b'f', ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

/// Returns the encoding in `<?xml … encoding="…"?>`.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.trim_ascii_start();
    let end = memmem::find(start, b"?>")?;
    let declaration = start.strip_prefix(b"<?xml")?.get(..end.checked_sub(5)?)?;
    let at = memmem::find(declaration, b"encoding")?;
    let value = declaration[at + 8..].trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let end = memchr::memchr(*quote, value)?;
    Encoding::for_label(&value[..end])
}
