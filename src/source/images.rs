//! Reader of `[images]` in `site.toml`.

use front_matter::Value;

use super::fields::Fields;
use super::records::{Found, Rules};
use model::field_type::ReadValue;
use model::{ImageConfig, ImageFormat, PhotoFact};

/// Maximum width of a resized picture, in pixels. WebP does not support wider pictures.
const MAX_WIDTH: i64 = 16_383;

/// Maximum number of widths.
const MAX_WIDTHS: usize = 8;

impl Rules for ImageConfig {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        match key {
            "widths" => widths(found.fields).map(ReadValue::from),
            "show" => Some(shown_facts(found.fields).into()),
            _ => formats(found.fields).map(ReadValue::from),
        }
    }
}

fn widths(fields: &Fields<'_, '_>) -> Option<Vec<u32>> {
    let place = fields.node("widths")?;
    let mut widths = Vec::new();
    for node in fields.list("widths") {
        match node.value.bare() {
            Value::Integer(width @ 16..=MAX_WIDTH) => widths.extend(u32::try_from(*width)),
            other => {
                let what = "a list of widths in pixels, from 16 to 16383";
                return fields.report_wrong_type("widths", node, what, other);
            }
        }
    }
    widths.sort_unstable();
    widths.dedup();
    if widths.is_empty() || widths.len() > MAX_WIDTHS {
        fields.reader.error(
            &place.span,
            format!("`images.widths` has {} widths, but must have 1 to 8", widths.len()),
            "write 1 to 8 widths, or `enabled = false` to generate no sizes",
        );
        return None;
    }
    Some(widths)
}

fn formats(fields: &Fields<'_, '_>) -> Option<Vec<ImageFormat>> {
    fields.node("formats")?;
    let nodes = fields.list("formats").iter();
    let formats = nodes.filter_map(|node| {
        fields.choice_of("formats", node, ImageFormat::NAMES, ImageFormat::parse)
    });
    let mut formats: Vec<ImageFormat> = formats.collect();
    // Browsers choose the first format that they support, so JPEG comes last.
    formats.sort_by_key(|format| *format == ImageFormat::Jpeg);
    formats.dedup();
    (!formats.is_empty()).then_some(formats)
}

/// Reads the facts about photos to show, without duplicates.
fn shown_facts(fields: &Fields<'_, '_>) -> Vec<PhotoFact> {
    let mut facts = Vec::new();
    for node in fields.list("show") {
        let fact = fields.choice_of("show", node, PhotoFact::NAMES, PhotoFact::parse);
        facts.extend(fact.filter(|fact| !facts.contains(fact)));
    }
    facts
}
