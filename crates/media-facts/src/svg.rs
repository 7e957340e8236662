//! The dimensions of SVG pictures. They match the size at which browsers show the picture in an
//! `<img>` (SVG 2, section 7.8; CSS Images 3, section 5).

use std::fs::File;

use quick_xml::events::{BytesStart, Event};

use super::MediaFacts;
use super::bounded::{read_at, reader};

/// Number of bytes at the start of the file in which to search for the root element.
const MAX_HEAD_BYTES: u64 = 256 << 10;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let head = reader(file).and_then(|mut reader| read_at(&mut reader, 0, MAX_HEAD_BYTES));
    let head = head.map_err(|error| error.to_string());
    match facts.take("dimensions", head).map(|head| size(&head)) {
        Some(Root::Missing) => facts.damage = Some("damaged or not an image".to_owned()),
        Some(Root::Unsized) => facts
            .add_problem("dimensions", "the picture has neither a width and height nor a viewBox"),
        Some(Root::Sized(width, height)) => facts.dimensions = Some((width, height)),
        None => {}
    }
}

/// The root element of a file.
enum Root {
    Missing,
    /// The dimensions depend on the page that shows the picture.
    Unsized,
    Sized(u32, u32),
}

fn size(head: &[u8]) -> Root {
    let head = text(head);
    let mut xml = quick_xml::Reader::from_str(&head);
    loop {
        match xml.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) => {
                if root.local_name().as_ref() != "svg" {
                    return Root::Missing;
                }
                return root_size(&root)
                    .map_or(Root::Unsized, |(width, height)| Root::Sized(width, height));
            }
            Ok(Event::Eof) | Err(_) => return Root::Missing,
            Ok(_) => {}
        }
    }
}

/// Decodes UTF-16 if there is a byte order mark, and UTF-8 otherwise.
fn text(bytes: &[u8]) -> String {
    let utf_16 = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|unit| read([unit[0], unit[1]]));
        char::decode_utf16(units).map(|read| read.unwrap_or('\u{fffd}')).collect()
    };
    match bytes {
        [0xff, 0xfe, ..] => utf_16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf_16(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned(),
    }
}

/// Returns the width and height of the root element. If one is missing, it is computed from the
/// proportions of the `viewBox`. If both are missing, the size of the `viewBox` is used.
fn root_size(svg: &BytesStart<'_>) -> Option<(u32, u32)> {
    let attribute = |name: &str| {
        let attribute = svg.try_get_attribute(name).ok()??;
        Some(attribute.value.into_owned())
    };
    let view_box = attribute("viewBox").and_then(|numbers| view_box(&numbers));
    let style = attribute("style").unwrap_or_default();
    let length = |name: &str| {
        let style_property = style_property(&style, name).map(str::to_owned);
        style_property.or_else(|| attribute(name)).and_then(|value| pixels(&value))
    };
    let (width, height) = match (length("width"), length("height"), view_box) {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some((across, down))) => (width, width * down / across),
        (None, Some(height), Some((across, down))) => (height * across / down, height),
        (None, None, Some(size)) => size,
        (_, _, None) => return None,
    };
    Some((round_pixels(width)?, round_pixels(height)?))
}

/// Returns the value of a property in a `style` attribute. Such a property takes precedence over
/// the attribute of the same name.
fn style_property<'s>(style: &'s str, name: &str) -> Option<&'s str> {
    let declarations = style.split(';').filter_map(|one| one.split_once(':'));
    let own = declarations.filter(|(property, _)| property.trim().eq_ignore_ascii_case(name));
    own.map(|(_, value)| value.trim()).next_back()
}

/// Parses the width and height of a `viewBox`.
fn view_box(numbers: &str) -> Option<(f64, f64)> {
    let numbers = numbers.split(|c: char| c == ',' || c.is_ascii_whitespace());
    let numbers: Vec<f64> = numbers
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    match numbers[..] {
        [_, _, width, height] if width > 0.0 && height > 0.0 => Some((width, height)),
        _ => None,
    }
}

/// Converts a length to CSS pixels (CSS Values 4, section 6). Returns None for a length that
/// depends on the page, such as a percentage.
fn pixels(length: &str) -> Option<f64> {
    /// Default font size of browsers, in pixels.
    const FONT_SIZE: f64 = 16.0;
    let length = length.trim();
    // In `1e3`, the `e` is an exponent. In `1em`, the letters are a unit.
    let is_unit = |c: char| c.is_ascii_alphabetic() || c == '%';
    let unit = length.trim_end_matches(is_unit).len();
    let (number, unit) = length.split_at(unit);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "em" | "rem" => FONT_SIZE,
        _ => return None,
    };
    let number: f64 = number.parse().ok()?;
    let pixels = number * factor;
    (pixels.is_finite() && pixels > 0.0).then_some(pixels)
}

fn round_pixels(pixels: f64) -> Option<u32> {
    let pixels = pixels.round();
    (pixels >= 1.0 && pixels <= f64::from(u32::MAX)).then_some(pixels as u32)
}
