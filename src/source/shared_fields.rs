//! Readers of fields that the channel, items and pages share: authors, pictures, search metadata.

use front_matter::{Node, Value};

use super::fields::Fields;
use super::records::{Found, Rules, read_section, record};
use model::field_type::ReadValue;
use model::{Author, Image, Rule, Seo};

/// Maximum number of authors of an item.
const MAX_AUTHORS: usize = 50;

/// Reads `authors` (or `author`): names, or tables of `name`, `type` and `url`.
pub fn authors(fields: &Fields<'_, '_>) -> Vec<Author> {
    let nodes = [("authors", fields.list("authors")), ("author", fields.list("author"))];
    let mut authors = Vec::new();
    for (key, list) in nodes {
        let set = list.iter().filter(|node| node.value != Value::Null);
        authors.extend(set.filter_map(|node| record::<Author>(fields, key, node)));
        if let Some(extra) = list.get(MAX_AUTHORS) {
            fields.reader.error(
                &extra.span,
                format!("an item can have at most {MAX_AUTHORS} authors"),
                "remove the rest",
            );
        }
    }
    authors
}

impl Rules for Author {}

/// Reads `language`: a language tag (RFC 5646).
pub fn language(fields: &Fields<'_, '_>) -> Option<String> {
    language_tag(fields, "language", fields.node("language")?)
}

/// Returns the language of an item or page: the language in its front matter, or else the language
/// in the file's name or folder. Also returns the file's path without the language, if the site has
/// several languages.
pub fn text_language(fields: &Fields<'_, '_>) -> (Option<String>, Option<Box<str>>) {
    let reader = fields.reader;
    let own = language(fields);
    match reader.config.languages.of_file(reader.source.path) {
        Some((of_file, path)) => {
            let default = reader.config.languages.default.as_deref();
            let of_file = of_file.or(default).map(str::to_owned);
            (own.or(of_file), Some(path.into_owned().into()))
        }
        None => (own, None),
    }
}

/// Reads a language tag. Validates only its form: letters, followed by parts of letters and digits.
pub fn language_tag(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<String> {
    let tag = fields.text_of(key, node)?;
    let mut parts = tag.split('-');
    let primary = parts.next().unwrap_or_default();
    let well_formed = (2..=8).contains(&primary.len())
        && primary.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        });
    if !well_formed {
        let message = format!("`{}` cannot be {tag:?}", fields.name(key));
        fields.reader.error(
            &node.span,
            message,
            "write a language tag, such as en, pt-BR or zh-Hans",
        );
        return None;
    }
    Some(tag)
}

/// Reads `translations`: the items or pages with the same content in other languages. Each
/// translation is given as the last segment of its address or as its id.
pub fn translations(fields: &Fields<'_, '_>) -> Vec<String> {
    let names = fields.strings("translations").into_iter();
    let names = names.map(|name| name.trim_matches('/').to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// Reads a picture: a path or URL, or a table of `url` and `alt`.
pub fn image(fields: &Fields<'_, '_>, key: &'static str) -> Option<Image> {
    let node = fields.node(key)?;
    match &node.value {
        Value::Table(table) => fields.read_table(key, table, |image| {
            let alt = image.text("alt");
            let found = picture(image, "url", image.node("url")?)?;
            Some(Image { alt, ..found })
        }),
        _ => picture(fields, key, node),
    }
}

fn picture(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<Image> {
    let text = fields.as_string(key, node)?;
    if text.is_empty() {
        return None;
    }
    let reference = fields.reader.reference(&text, &node.span)?;
    let media_type = reference.media_type();
    if reference.facts().is_some() && !media_type.starts_with("image/") {
        let message =
            format!("`{}` is not a picture: its media type is {media_type}", fields.name(key));
        fields.reader.error(&node.span, message, "use a JPEG, PNG, WebP, AVIF, GIF or SVG file");
        return None;
    }
    let mime_type = media_type.starts_with("image/").then_some(media_type);
    let dimensions = reference.facts().and_then(|facts| facts.dimensions);
    Some(Image {
        url: reference.url().to_owned(),
        alt: None,
        mime_type,
        width: dimensions.map(|(width, _)| width),
        height: dimensions.map(|(_, height)| height),
    })
}

/// Reads `seo`: a table of `title`, `description` and `social_image`.
pub fn seo(fields: &Fields<'_, '_>) -> Seo {
    read_section(fields, "seo").unwrap_or_default()
}

impl Rules for Seo {
    fn own(found: &mut Found<'_, '_, '_>, _: &'static str) -> Option<ReadValue> {
        let image = social_image(found.fields)?;
        Some(ReadValue::Made(Box::new(vec![image])))
    }
}

fn social_image(seo: &Fields<'_, '_>) -> Option<Image> {
    let node = seo.node("social_image")?;
    let image = match &node.value {
        Value::Table(table) => seo.read_table("social_image", table, |fields| {
            // The dimensions and the type that clients of the API send are used only if no file
            // provides them.
            let pixels = |key| u32::try_from(fields.integer(key)?).ok();
            let given = pixels("width").zip(pixels("height"));
            let mime_type = fields.text("mime_type");
            let alt = fields.text("alt");
            let mut image = picture(fields, "url", fields.node("url")?)?;
            if let (None, Some((width, height))) = (image.dimensions(), given) {
                (image.width, image.height) = (Some(width), Some(height));
            }
            image.mime_type = image.mime_type.or(mime_type);
            Some(Image { alt, ..image })
        })?,
        _ => picture(seo, "social_image", node)?,
    };
    if let Some((width, height)) = image.dimensions()
        && (width, height) != (1200, 630)
    {
        let message =
            format!("this social image is {width} × {height} pixels; networks show 1200 × 630");
        seo.reader.warning(
            Rule::SocialImage,
            &node.span,
            message,
            "crop or scale it to 1200 × 630",
        );
    }
    Some(image)
}
