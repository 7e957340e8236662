//! Options that are colours.

use front_matter::{Node, Value};
use serde_json::{Value as Json, json};

use super::kind::Backgrounds;
use crate::colour::Colour;
use model::Rule;
use source::fields::Fields;

/// Parses a colour. Reports an error and returns `None` if the value is not a colour.
pub fn colour(fields: &Fields<'_, '_>, name: &str, node: &Node) -> Option<Colour> {
    let text = fields.as_string(name, node)?;
    let colour = Colour::parse(&text);
    if colour.is_none() {
        let message = format!("`{}` is not a colour: {text:?}", fields.name(name));
        let help = "write # and six hexadecimal digits: \"#00694a\"";
        fields.reader.error(&node.span, message, help);
    }
    colour
}

/// Reads one colour for both schemes, or a colour for each scheme, and returns the colours in the
/// form that templates use. A single colour is darkened on light backgrounds and lightened on dark
/// ones, only as much as the minimum contrast requires.
pub fn colours<'r>(
    fields: &Fields<'r, '_>,
    (name, node): (&str, &'r Node),
    backgrounds: &Backgrounds,
) -> Option<Json> {
    let (light, dark) = match &node.value {
        Value::Table(table) => fields.read_table(name, table, |fields| {
            let [light, dark] = [("light", &backgrounds.light), ("dark", &backgrounds.dark)].map(
                |(key, of_scheme)| {
                    let node = fields.node(key)?;
                    let chosen = colour(fields, key, node)?;
                    if let Some(told) =
                        contrast_warning(chosen, of_scheme, backgrounds.min_contrast)
                    {
                        let near = adapt_contrast(chosen, of_scheme, backgrounds.min_contrast);
                        let help = format!("use {near}, the nearest colour with enough contrast");
                        fields.reader.error(
                            &node.span,
                            format!("`{}`: {told}", fields.name(key)),
                            help,
                        );
                    }
                    Some(chosen)
                },
            );
            let one = light.or(dark)?;
            Some((
                light.unwrap_or_else(|| {
                    adapt_contrast(one, &backgrounds.light, backgrounds.min_contrast)
                }),
                dark.unwrap_or_else(|| {
                    adapt_contrast(one, &backgrounds.dark, backgrounds.min_contrast)
                }),
            ))
        })?,
        _ => {
            let chosen = colour(fields, name, node)?;
            let light = adapt_contrast(chosen, &backgrounds.light, backgrounds.min_contrast);
            let dark = adapt_contrast(chosen, &backgrounds.dark, backgrounds.min_contrast);
            // Adapting a colour to dark pages is expected, so only adapting it to light pages gets
            // a warning.
            if let Some(told) =
                contrast_warning(chosen, &backgrounds.light, backgrounds.min_contrast)
            {
                let message = format!(
                    "`{}`: {told}, so light pages use {light}, the nearest colour with enough contrast",
                    fields.name(name)
                );
                let help = format!(
                    "set both colours to confirm this: {name} = {{ light = \"{light}\", dark = \"{dark}\" }}"
                );
                fields.reader.warning(Rule::Contrast, &node.span, message, help);
            }
            (light, dark)
        }
    };
    Some(json!({
        "light": light.to_string(),
        "dark": dark.to_string(),
        "on_light": light.text_colour().to_string(),
        "on_dark": dark.text_colour().to_string(),
    }))
}

fn adapt_contrast(colour: Colour, backgrounds: &[Colour], min_contrast: f64) -> Colour {
    colour.nearest_readable(backgrounds, min_contrast).unwrap_or(colour)
}

/// Returns a message if a colour has too little contrast with one of the backgrounds.
fn contrast_warning(colour: Colour, backgrounds: &[Colour], min_contrast: f64) -> Option<String> {
    let contrasts = backgrounds.iter().map(|paper| (paper, colour.contrast(*paper)));
    let (paper, contrast) = contrasts.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (contrast < min_contrast).then(|| {
        // Rounded down, so that a contrast just below the minimum does not look sufficient.
        let contrast = (contrast * 10.0).floor() / 10.0;
        format!("{colour} has a contrast of {contrast} : 1 to {paper}, but must have at least {min_contrast} : 1")
    })
}
