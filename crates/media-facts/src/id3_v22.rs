//! Converts the frames of ID3v2.2, which iTunes wrote until 2005, to version 2.3.

use std::borrow::Cow;

/// Frames whose body is the same in both versions.
const SAME: [(&[u8; 3], &[u8; 4]); 29] = [
    (b"TT1", b"TIT1"),
    (b"TT2", b"TIT2"),
    (b"TT3", b"TIT3"),
    (b"TP1", b"TPE1"),
    (b"TP2", b"TPE2"),
    (b"TP3", b"TPE3"),
    (b"TCM", b"TCOM"),
    (b"TXT", b"TEXT"),
    (b"TLA", b"TLAN"),
    (b"TCO", b"TCON"),
    (b"TAL", b"TALB"),
    (b"TPA", b"TPOS"),
    (b"TRK", b"TRCK"),
    (b"TRC", b"TSRC"),
    (b"TYE", b"TYER"),
    (b"TDA", b"TDAT"),
    (b"TIM", b"TIME"),
    (b"TPB", b"TPUB"),
    (b"TCR", b"TCOP"),
    (b"TEN", b"TENC"),
    (b"TSS", b"TSSE"),
    (b"TBP", b"TBPM"),
    (b"TCP", b"TCMP"),
    (b"TXX", b"TXXX"),
    (b"WXX", b"WXXX"),
    (b"WAF", b"WOAF"),
    (b"COM", b"COMM"),
    (b"ULT", b"USLT"),
    (b"UFI", b"UFID"),
];

/// Returns the id and the body of the frames that version 2.3 also has. `rest` is a tag without its
/// header.
pub fn frames(mut rest: &[u8]) -> Vec<([u8; 4], Cow<'_, [u8]>)> {
    let mut frames = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<6>() {
        let [a, b, c, size @ ..] = *head;
        let size = size.iter().fold(0, |size, byte| size << 8 | usize::from(*byte));
        let Some((body, after)) = after.split_at_checked(size).filter(|_| a != 0) else {
            break;
        };
        rest = after;
        if let Some((_, id)) = SAME.iter().find(|(old, _)| **old == [a, b, c]) {
            frames.push((**id, Cow::Borrowed(body)));
        } else if [a, b, c] == *b"PIC" {
            frames.extend(picture(body).map(|body| (*b"APIC", Cow::Owned(body))));
        }
    }
    frames
}

/// Converts a picture, whose format has three letters, to one with a media type.
fn picture(body: &[u8]) -> Option<Vec<u8>> {
    let (encoding, rest) = body.split_first()?;
    let (format, rest) = rest.split_first_chunk::<3>()?;
    let media_type: &[u8] = match format {
        b"JPG" => b"image/jpeg",
        b"PNG" => b"image/png",
        _ => return None,
    };
    Some([&[*encoding], media_type, b"\0", rest].concat())
}
