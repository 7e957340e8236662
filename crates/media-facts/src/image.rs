//! The dimensions of pictures, from their headers.

use std::fs::File;
use std::io::{Read, Seek};

use quick_xml::events::{BytesStart, Event};

use super::bounded::{read_at, reader};
use super::{MediaFacts, contained};

/// Bytes above which a picture is not read whole, and no smaller ones are made of it.
const MAX_STILL: u64 = 256 << 20;

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
    facts.dimensions = Some((width, height));
    let bytes = match whole(file) {
        Ok(bytes) => bytes,
        Err(why) => return facts.problem("sizes", why),
    };
    facts.bare = pictures::Bare::of(&bytes);
    facts.bytes = facts.bare.map_or(facts.bytes, |bare| bare.bytes);
    match pictures::Facts::of(&bytes) {
        Ok(Some(picture)) => {
            facts.dimensions = Some((picture.width, picture.height));
            facts.picture = Some(picture);
        }
        Ok(None) if matches!(facts.media_type.as_str(), "image/heic" | "image/heif") => {
            facts.problem("sizes", "most browsers do not show HEIC");
        }
        Ok(None) => {}
        Err(fault) => facts.problem("sizes", fault),
    }
}

/// All bytes of a picture.
fn whole(mut file: &File) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(MAX_STILL + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_STILL {
        return Err("the file is larger than 256 MiB".to_owned());
    }
    Ok(bytes)
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
