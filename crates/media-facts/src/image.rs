//! The dimensions of pictures, from their headers.

use std::fs::File;
use std::io::{self, Read, Seek};

use quick_xml::events::{BytesStart, Event};

use super::bounded::{read_at, reader};
use super::{MediaFacts, contained};

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let size = contained(|| {
        let reader = reader(file).map_err(|error| error.to_string())?;
        imagesize::reader_size(reader).map_err(|error| error.to_string())
    });
    let Some(size) = facts.take("dimensions", size) else {
        return;
    };
    let (Ok(width @ 1..), Ok(height @ 1..)) =
        (u32::try_from(size.width), u32::try_from(size.height))
    else {
        return facts.problem("dimensions", "the picture has no area");
    };
    let is_turned = facts.media_type == "image/jpeg"
        && reader(file).and_then(orientation).is_ok_and(|orientation| {
            // 5 to 8 are the orientations with a quarter turn.
            orientation.is_some_and(|orientation| (5..=8).contains(&orientation))
        });
    facts.dimensions = Some(if is_turned {
        (height, width)
    } else {
        (width, height)
    });
}

/// The Exif orientation (tag 0x0112) of a JPEG file, 1 to 8.
fn orientation(mut reader: impl Read + Seek) -> io::Result<Option<u16>> {
    let mut position = 2;
    // Exif is among the first segments.
    for _ in 0..32 {
        let segment = read_at(&mut reader, position, 10)?;
        let [0xff, marker, a, b, rest @ ..] = &segment[..] else {
            break;
        };
        let length = u64::from(u16::from_be_bytes([*a, *b]));
        match marker {
            0xe1 if rest.starts_with(b"Exif\0\0") => {
                let tiff = read_at(&mut reader, position + 10, length.saturating_sub(8))?;
                return Ok(orientation_in(&tiff));
            }
            // The picture itself starts.
            0xda | 0xd9 => break,
            _ => position += 2 + length,
        }
    }
    Ok(None)
}

/// The orientation in the first directory of a TIFF structure.
fn orientation_in(tiff: &[u8]) -> Option<u16> {
    let is_little = tiff.starts_with(b"II");
    let short = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    };
    let long = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    };
    let directory = long(4)? as usize;
    let count = usize::from(short(directory)?);
    (0..count)
        .map(|entry| directory + 2 + entry * 12)
        .find(|entry| short(*entry) == Some(0x0112))
        .and_then(|entry| short(entry + 8))
}

/// How much of an SVG file is searched for its root element, in bytes.
const SVG_HEAD: u64 = 64 << 10;

pub(super) fn read_svg(facts: &mut MediaFacts, file: &File) {
    let size = reader(file)
        .and_then(|mut reader| read_at(&mut reader, 0, SVG_HEAD))
        .map_err(|error| error.to_string())
        .map(|head| svg_size(&head));
    match facts.take("dimensions", size) {
        Some(None) => facts.problem(
            "dimensions",
            "the picture has neither a width and height in pixels nor a viewBox",
        ),
        Some(size) => facts.dimensions = size,
        None => {}
    }
}

fn svg_size(head: &[u8]) -> Option<(u32, u32)> {
    let head = String::from_utf8_lossy(head);
    let mut xml = quick_xml::Reader::from_str(&head);
    loop {
        match xml.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) => {
                return (root.local_name().as_ref() == "svg")
                    .then(|| root_size(&root))
                    .flatten();
            }
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// `width` and `height` in pixels, else the size of the `viewBox`.
fn root_size(svg: &BytesStart<'_>) -> Option<(u32, u32)> {
    let attribute = |name: &str| {
        let attribute = svg.try_get_attribute(name).ok()??;
        Some(attribute.value.into_owned())
    };
    let length = |name: &str| {
        let value = attribute(name)?;
        let value = value.trim();
        pixels(value.strip_suffix("px").unwrap_or(value))
    };
    if let (Some(width), Some(height)) = (length("width"), length("height")) {
        return Some((width, height));
    }
    let view_box = attribute("viewBox")?;
    let mut numbers = view_box
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|number| !number.is_empty())
        .skip(2);
    Some((pixels(numbers.next()?)?, pixels(numbers.next()?)?))
}

fn pixels(number: &str) -> Option<u32> {
    let pixels = number.trim().parse::<f64>().ok()?.round();
    (pixels >= 1.0 && pixels <= f64::from(u32::MAX)).then_some(pixels as u32)
}
