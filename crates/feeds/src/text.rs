//! From bytes to text: the character encodings of feeds.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

/// The text of a document, and what was wrong with its encoding.
///
/// As RFC 7303 has it: a byte order mark counts first, then `charset` of the Content-Type, then what the XML
/// declaration says. Bytes that are not in the encoding they claim are read as Windows-1252, which Latin-1 mostly is.
pub fn decoded(bytes: &[u8], charset: Option<&str>) -> (String, Option<String>) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[length..]);
        return (text.into_owned(), None);
    }
    if let Some(encoding) = without_mark(bytes) {
        return (encoding.decode(bytes).0.into_owned(), None);
    }
    let declared = charset.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    let declared = declared.or_else(|| declared_in(bytes)).unwrap_or(UTF_8);
    // A feed that is UTF-8 is, whatever it says: other encodings hardly ever look like it.
    if let Ok(text) = str::from_utf8(bytes) {
        return (text.to_owned(), None);
    }
    if let Some(text) = declared.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text.into_owned(), None);
    }
    let name = declared.name();
    let fallback = if declared == UTF_8 { WINDOWS_1252 } else { declared };
    // Mostly UTF-8 with a broken character stays so.
    let broken = String::from_utf8_lossy(bytes);
    let lost = broken.matches('\u{fffd}').count();
    let kept = bytes.iter().filter(|byte| **byte >= 0xc3).count();
    if declared == UTF_8 && lost * 4 < kept {
        let fault = format!("{lost} characters are not valid UTF-8 and are lost");
        return (broken.into_owned(), Some(fault));
    }
    let (text, _) = fallback.decode_without_bom_handling(bytes);
    let read = fallback.name();
    let fault =
        format!("the document is not in the encoding that it says ({name}); it was read as {read}");
    (text.into_owned(), Some(fault))
}

/// UTF-16 is told by its zeros where there is no mark.
fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?' | b'r' | b'f', 0, ..] => Some(encoding_rs::UTF_16LE),
        [0, b'<', 0, b'?' | b'r' | b'f', ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

/// What `<?xml … encoding="…"?>` says.
fn declared_in(bytes: &[u8]) -> Option<&'static Encoding> {
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
