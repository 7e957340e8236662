//! Readers of `images`, and of `srcset`, its deprecated form.

use front_matter::Value;

use super::media::known_type;
use crate::fields::Fields;
use crate::records::{Found, Rules, record};
use crate::reference::Reference;
use crate::shapes::each;
use model::field_type::ReadValue;
use model::podcast::{PodcastImage, SrcsetEntry};

/// Reads `image` and `images`: paths, URLs or tables. A `srcset`, alone or in such a table, is the
/// deprecated tag.
pub fn images(
    fields: &Fields<'_, '_>,
    keys: &[&'static str],
) -> (Vec<PodcastImage>, Vec<SrcsetEntry>) {
    let mut sets = srcset(fields);
    let images = each(fields, keys, |key, node| match &node.value {
        Value::Table(table) if table.get("srcset").is_some() => {
            sets.extend(fields.read_table(key, table, srcset));
            None
        }
        _ => record(fields, key, node),
    });
    (images, sets)
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Reads `srcset`: strings as in HTML, or tables of `url` and `descriptor`.
fn srcset(fields: &Fields<'_, '_>) -> Vec<SrcsetEntry> {
    let mut entries = Vec::new();
    for node in fields.list("srcset") {
        match &node.value {
            Value::Table(_) => entries.extend(record(fields, "srcset", node)),
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

/// Returns the addresses of a `srcset`, each with its descriptor. A comma ends an entry only before
/// whitespace.
fn srcset_parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split(", ").flat_map(|part| part.split(",\n")).filter_map(|part| {
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

impl Rules for SrcsetEntry {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        Some(srcset_entry(found.reference.as_ref()?, self.descriptor))
    }
}

impl Rules for PodcastImage {
    /// Reads `aspect-ratio` (or `aspectRatio`) as in CSS: a number, or two numbers separated by
    /// `/`.
    fn own(found: &mut Found<'_, '_, '_>, _: &'static str) -> Option<ReadValue> {
        let fields = found.fields;
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
            let number = part.trim().parse::<f64>();
            number.is_ok_and(|number| number.is_finite() && number > 0.0)
        };
        let is_ratio = match text.split_once('/') {
            Some((width, height)) => is_number(width) && is_number(height),
            None => is_number(&text),
        };
        if is_ratio {
            return Some(ReadValue::Text(text));
        }
        fields.reader.error(
            &node.span,
            format!("`{}` is not an aspect ratio: {text:?}", fields.name(key)),
            "write width and height, as in \"16/9\"",
        );
        None
    }

    /// Fills in missing values from the facts about a local file.
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let reference = found.reference.as_ref()?;
        let Some(facts) = reference.facts() else {
            return Some(self);
        };
        self.media_type = self.media_type.or_else(|| known_type(reference));
        if let Some((width, height)) = facts.dimensions
            && width > 0
            && height > 0
            && self.width.is_none()
            && self.height.is_none()
        {
            self.width = Some(u64::from(width));
            self.height = Some(u64::from(height));
            let common = greatest_common_divisor(width, height);
            let ratio = || format!("{}/{}", width / common, height / common);
            self.aspect_ratio = Some(self.aspect_ratio.unwrap_or_else(ratio));
        }
        Some(self)
    }
}
