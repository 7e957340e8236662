//! Fonts: stacks of system fonts, and font files of the site.

use fonts::{Font, Format};
use front_matter::{Node, Value};
use serde_json::{Value as Json, json};

use super::card::CardFont;
use super::chosen::OptionReader;
use super::font_cache;
use super::preload::Preload;
use crate::MAX_ASSET;
use model::{Rule, SitePath};
use source::fields::{Fields, nearest};

/// Stacks of system fonts, by the name that a site sets.
const STACKS: [(&str, &str); 9] = [
    (
        "system",
        "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", \"Helvetica Neue\", Arial, sans-serif",
    ),
    (
        "serif",
        "Charter, \"Bitstream Charter\", \"Sitka Text\", Cambria, \"Noto Serif\", Georgia, serif",
    ),
    (
        "old-style",
        "\"Iowan Old Style\", \"Palatino Linotype\", Palatino, \"URW Palladio L\", P052, \"Book Antiqua\", Georgia, serif",
    ),
    (
        "humanist",
        "\"Gill Sans\", \"Gill Sans MT\", Candara, Calibri, Ubuntu, Cantarell, \"Open Sans\", sans-serif",
    ),
    (
        "grotesque",
        "\"Helvetica Neue\", Helvetica, Arimo, \"Liberation Sans\", \"Nimbus Sans\", Arial, sans-serif",
    ),
    (
        "geometric",
        "\"Avenir Next\", Avenir, \"Century Gothic\", \"URW Gothic\", Futura, sans-serif",
    ),
    ("slab", "Rockwell, \"Roboto Slab\", \"DejaVu Serif\", \"Sitka Small\", Georgia, serif"),
    (
        "rounded",
        "ui-rounded, \"Arial Rounded MT Bold\", Quicksand, Nunito, Varela, system-ui, sans-serif",
    ),
    (
        "mono",
        "ui-monospace, \"Cascadia Code\", \"Source Code Pro\", Menlo, Consolas, \"DejaVu Sans Mono\", monospace",
    ),
];

const EXTENSIONS: [&str; 4] = [".woff2", ".woff", ".ttf", ".otf"];

const FACES: [&str; 4] = ["regular", "bold", "italic", "bold_italic"];

/// Size in bytes above which a font file gets a warning, because pages that use it load slowly on a
/// phone.
const HEAVY_FONT_BYTES: usize = 150 * 1024;

/// The parts of a split font that few pages use.
const RARE_PARTS: [&str; 3] = ["latin-ext", "symbols", "rest"];

fn stack(name: &str) -> Option<&'static str> {
    let found = STACKS.iter().find(|(own, _)| *own == name);
    found.map(|(_, stack)| *stack)
}

/// Reads a font: the name of a stack, a file, or a table with a file for each face.
pub fn read<'r>(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'r, '_>,
    name: &str,
    node: &'r Node,
) -> Option<Json> {
    let family = format!("site-{}", name.replace('_', "-"));
    if let Value::Table(table) = &node.value {
        let own_name = fields.name(name);
        return fields.read_table(name, table, |fields| {
            let faces = FACES.map(|face| {
                let node = fields.node(face)?;
                add_face(chooser, fields, (face, node), (name, &family))
            });
            let fallback = fields.choice("fallback", &STACKS.map(|(name, _)| name), stack);
            if faces.iter().all(Option::is_none) {
                let message = format!("`{own_name}` has no usable font file");
                let help = "write regular = \"fonts/name.woff2\", and bold, italic and bold_italic if you have those files";
                fields.reader.error(&node.span, message, help);
                return None;
            }
            Some(font_with_files(&family, fallback))
        });
    }
    let text = fields.as_string(name, node)?;
    if let Some(stack) = stack(&text) {
        return Some(json!({ "family": stack, "has_files": false }));
    }
    if is_file(&text) {
        add_face(chooser, fields, (name, node), (name, &family))?;
        return Some(font_with_files(&family, None));
    }
    let names = STACKS.map(|(name, _)| name);
    let near = nearest(&text, &names)
        .map_or_else(String::new, |near| format!("did you mean \"{near}\"? Or "));
    let help =
        format!("{near}use {}, or the path of a woff2, woff, ttf or otf file", names.join(", "));
    let message = format!("`{}` cannot be {text:?}", fields.name(name));
    fields.reader.error(&node.span, message, help);
    None
}

fn is_file(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    EXTENSIONS.iter().any(|extension| text.ends_with(extension))
}

fn font_with_files(family: &str, fallback: Option<&str>) -> Json {
    let fallback = fallback.unwrap_or(STACKS[0].1);
    json!({ "family": format!("\"{family}\", {fallback}"), "has_files": true })
}

/// Adds a font file to the theme's assets, and its `@font-face` rules. `face` is one of [`FACES`].
/// Any other string means a regular face.
fn add_face(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'_, '_>,
    (face, node): (&str, &Node),
    (option, family): (&str, &str),
) -> Option<()> {
    let file = chooser.file(fields, (face, node), MAX_ASSET)?;
    let root = chooser.root()?;
    let font = match font_cache::read(root, &file.path, &file.bytes) {
        Ok(font) => font,
        Err(why) => {
            let message = format!("{} {why}", file.path);
            let help = "use the original woff2, woff, ttf or otf file";
            fields.reader.error(&node.span, message, help);
            return None;
        }
    };
    warn_if_large(fields, node, &file.path, &font);
    let weight = match font.weight {
        Some(weight) => weight,
        None if face.starts_with("bold") => "700".to_owned(),
        None => "400".to_owned(),
    };
    let is_italic = face.ends_with("italic");
    if !is_italic {
        let (option, is_bold) = (option.to_owned(), face == "bold");
        chooser.gathered.card_fonts.push(CardFont { option, is_bold, bytes: file.bytes.into() });
    }
    let style = if is_italic { "italic" } else { "normal" };
    let extension = font.format.extension();
    for part in font.parts {
        let path = if part.name.is_empty() && file.path.extension() == extension {
            file.path.to_string()
        } else if part.name.is_empty() {
            format!("{}.{extension}", file.path)
        } else {
            format!("{}.{}.{extension}", file.path, part.name)
        };
        // The path is relative to the style sheet. The style sheet is next to the path's top-level
        // folder.
        let path = chooser.add(&path, part.bytes);
        let range = if part.range.is_empty() {
            String::new()
        } else {
            format!(" unicode-range: {};", part.range)
        };
        chooser.gathered.faces.push_str(&format!(
            "@font-face {{ font-family: \"{family}\"; src: url(\"{path}\") format(\"{extension}\"); font-weight: {weight}; font-style: {style}; font-display: swap;{range} }}\n"
        ));
        if !is_italic && !face.starts_with("bold") {
            let file = json!({ "path": path, "type": format!("font/{extension}") });
            let part = part.name;
            chooser.gathered.preloads.push(Preload { part, file });
        }
    }
    Some(())
}

/// Warns about a font that takes a long time to load. If a font is split into parts, a visitor
/// loads only one or two of them.
fn warn_if_large(fields: &Fields<'_, '_>, node: &Node, path: &SitePath, font: &Font) {
    let usual = font.parts.iter().filter(|part| !RARE_PARTS.contains(&part.name.as_str()));
    let heaviest = usual.max_by_key(|part| part.bytes.len());
    let Some(part) = heaviest.filter(|part| part.bytes.len() > HEAVY_FONT_BYTES) else {
        return;
    };
    let size = part.bytes.len() / 1000;
    let (message, help) = match font.format {
        _ if !part.name.is_empty() => (
            format!("{path}: the part for {} adds {size} KB to a first visit", part.name),
            "use a font with fewer weights, axes or alternates",
        ),
        Format::Woff2 => (
            format!("{path} adds {size} KB to a first visit"),
            "use the original ttf or otf: feedwright splits it, and visitors load only the parts that a page needs",
        ),
        Format::Woff => (
            format!("{path} adds {size} KB to a first visit"),
            "make a woff2 with only the characters you use: `pyftsubset name.ttf --unicodes=U+0-24F,U+2000-206F --layout-features='*' --flavor=woff2`",
        ),
    };
    fields.reader.warning(Rule::HeavyFont, &node.span, message, help);
}
