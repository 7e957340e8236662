//! `images`, and `srcset`, their deprecated form.

use front_matter::{Node, Value};

use super::media::known_type;
use super::shapes::{count, each, required_address, resolve};
use crate::model::podcast::{PodcastImage, SrcsetEntry};
use crate::source::fields::Fields;
use crate::source::reference::Reference;

/// `image` and `images`: paths, URLs or tables; a `srcset`, alone or as such a table, is the deprecated tag.
pub fn images(
    fields: &Fields<'_, '_>,
    keys: &[&'static str],
) -> (Vec<PodcastImage>, Vec<SrcsetEntry>) {
    let mut sets = srcset(fields);
    let images = each(fields, keys, |key, node| match &node.value {
        Value::Table(table) if table.get("srcset").is_some() => {
            sets.extend(fields.within(key, table, srcset));
            None
        }
        Value::Table(table) => fields.within(key, table, |entry| image(entry, node)),
        _ => resolve(fields, key, node).map(|found| described(PodcastImage::default(), &found)),
    });
    (images, sets)
}

fn image(fields: &Fields<'_, '_>, node: &Node) -> Option<PodcastImage> {
    // With it, the table is another tag.
    fields.ignore(&["srcset"]);
    let image = PodcastImage {
        href: String::new(),
        alt: fields.text("alt", 2000),
        purpose: fields.text("purpose", 128),
        aspect_ratio: aspect_ratio(fields),
        width: count(fields, "width"),
        height: count(fields, "height"),
        media_type: fields.text("type", 255),
    };
    let reference = required_address(fields, "href", &node.span)?;
    Some(described(image, &reference))
}

/// Fills in what a local file tells and the author did not.
fn described(mut image: PodcastImage, reference: &Reference) -> PodcastImage {
    image.href = reference.url().to_owned();
    let Some(facts) = reference.facts() else {
        return image;
    };
    image.media_type = image.media_type.or_else(|| known_type(reference));
    if let Some((width, height)) = facts
        .dimensions
        .filter(|(width, height)| *width > 0 && *height > 0)
        && image.width.is_none()
        && image.height.is_none()
    {
        image.width = Some(u64::from(width));
        image.height = Some(u64::from(height));
        let common = greatest_common_divisor(width, height);
        let ratio = || format!("{}/{}", width / common, height / common);
        image.aspect_ratio = Some(image.aspect_ratio.unwrap_or_else(ratio));
    }
    image
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// `aspect-ratio` (or `aspectRatio`), as CSS writes it: a number, or two apart by `/`.
fn aspect_ratio(fields: &Fields<'_, '_>) -> Option<String> {
    let key = match fields.node("aspectRatio") {
        Some(_) => "aspectRatio",
        None => "aspect-ratio",
    };
    let node = fields.node(key)?;
    let text = match &node.value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        _ => fields.as_string(key, node)?,
    };
    let is_number = |part: &str| {
        part.trim()
            .parse::<f64>()
            .is_ok_and(|number| number.is_finite() && number > 0.0)
    };
    let is_ratio = match text.split_once('/') {
        Some((width, height)) => is_number(width) && is_number(height),
        None => is_number(&text),
    };
    if is_ratio {
        return Some(text);
    }
    fields.reader.error(
        &node.span,
        format!("`{}` is no aspect ratio: {text:?}", fields.name(key)),
        "write width and height, as in \"16/9\"",
    );
    None
}

/// `srcset`: texts as HTML writes them, or tables of `url` and `descriptor`.
fn srcset(fields: &Fields<'_, '_>) -> Vec<SrcsetEntry> {
    let mut entries = Vec::new();
    for node in fields.list("srcset") {
        match &node.value {
            Value::Table(table) => entries.extend(fields.within("srcset", table, |entry| {
                let descriptor = entry.text("descriptor", 32);
                let reference = required_address(entry, "url", &node.span)?;
                Some(srcset_entry(&reference, descriptor))
            })),
            _ => {
                let Some(text) = fields.as_string("srcset", node) else {
                    continue;
                };
                entries.extend(srcset_parts(&text).filter_map(|(path, descriptor)| {
                    let reference = fields.reader.reference(path, &node.span)?;
                    Some(srcset_entry(&reference, descriptor.map(str::to_owned)))
                }));
            }
        }
    }
    entries
}

/// The addresses of a `srcset`, each with its descriptor. A comma ends an entry where white space follows.
fn srcset_parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split(", ")
        .flat_map(|part| part.split(",\n"))
        .filter_map(|part| {
            let mut words = part.trim().trim_end_matches(',').split_whitespace();
            Some((words.next()?, words.next()))
        })
}

fn srcset_entry(reference: &Reference, descriptor: Option<String>) -> SrcsetEntry {
    let dimensions = reference.facts().and_then(|facts| facts.dimensions);
    SrcsetEntry {
        url: reference.url().to_owned(),
        descriptor: descriptor.or_else(|| dimensions.map(|(width, _)| format!("{width}w"))),
    }
}
