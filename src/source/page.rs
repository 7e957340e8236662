//! Conversion of a page's file to a [`Page`].

use front_matter::FrontMatter;

use super::body::content;
use super::check::validate_allowed;
use super::fields::{Fields, Reader};
use super::item::{date, id, status};
use super::{key_advice, shared_fields};
use model::{ItemId, NOT_FOUND_ID, PAGE, Page, PageSlug, SitePath, Slug, Status};

/// Reads a page. Returns `None` if the file is not a valid page.
pub fn read(reader: &Reader<'_>) -> Option<Page> {
    let front = reader.front_matter()?;
    let fields = Fields::of_file(reader, &front.table, PAGE);
    fields.set_key_advice(key_advice::PAGE);
    let page = page(reader, &fields, &front);
    validate_allowed(&fields);
    fields.finish();
    page
}

fn page(reader: &Reader<'_>, fields: &Fields<'_, '_>, front: &FrontMatter) -> Option<Page> {
    let path = reader.source.path;
    let name = name(path)?;
    let is_not_found = name == "404";
    let named = if is_not_found {
        Some((ItemId::parse(NOT_FOUND_ID).ok()?, false))
    } else {
        id(fields, front)
    };
    let title = fields.required_text("title", &(0..0));
    let slug = if is_not_found { PageSlug::parse("404").ok() } else { slug(reader, fields, name) };
    let status = status(fields);
    // Errors in these fields are already reported. The other fields are still read to find their
    // errors.
    let is_known = named.is_some() && title.is_some() && slug.is_some();
    let (id, id_is_derived) = named.unwrap_or_else(|| (ItemId::derive(""), true));
    let scope = id.to_string();
    let mut page = Page {
        id,
        id_is_derived,
        source: Some(path.clone()),
        title: title.unwrap_or_default(),
        slug: slug.or_else(|| PageSlug::parse("404").ok())?,
        aliases: aliases(fields),
        status: if is_not_found { Status::Published } else { status },
        show_in_navigation: fields.bool("show_in_navigation").unwrap_or(false) && !is_not_found,
        navigation_label: fields.text("navigation_label"),
        navigation_order: fields.integer("navigation_order"),
        navigation_group: fields.text("navigation_group"),
        meta_description: fields.text("meta_description"),
        date_published: date(fields, "date_published"),
        date_modified: date(fields, "date_modified"),
        date_created: date(fields, "date_created"),
        language: shared_fields::language(fields),
        translations: shared_fields::translations(fields),
        content: content(reader, front.body, &scope),
        media: Vec::new(),
    };
    page.content.links.extend(reader.take_links());
    is_known.then_some(page)
}

/// Returns the name of a page: the name of its file, or of its folder if the file is `index`.
fn name(path: &SitePath) -> Option<&str> {
    match path.stem() {
        "index" => path.parent()?.rsplit('/').next(),
        stem => Some(stem),
    }
}

fn words(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

/// Returns the slug of a page without `slug` in its front matter. Returns `None` if the file's name
/// is not a valid slug.
pub fn slug_of_file(path: &SitePath) -> Option<PageSlug> {
    PageSlug::parse(&words(name(path)?)).ok()
}

/// Reads `slug`, or makes a slug from the file's name.
fn slug(reader: &Reader<'_>, fields: &Fields<'_, '_>, name: &str) -> Option<PageSlug> {
    let node = fields.node("slug");
    let span = node.map_or(0..0, |node| node.span.clone());
    let text = match node {
        Some(node) => fields.as_string("slug", node)?,
        None => words(name),
    };
    match PageSlug::parse(&text) {
        Ok(slug) => Some(slug),
        Err(error) => {
            let words = Slug::from_title(&text)
                .map(|slug| slug.to_string())
                .filter(|slug| PageSlug::parse(slug).is_ok());
            let help = match (node.is_some(), words) {
                (true, Some(words)) => format!("write, for example, \"{words}\""),
                (true, None) => "write a slug of a–z, 0–9 and single hyphens".into(),
                (false, _) => "rename the file, or add `slug` to its front matter".into(),
            };
            reader.error(&span, error.to_string(), help);
            None
        }
    }
}

fn aliases(fields: &Fields<'_, '_>) -> Vec<PageSlug> {
    let mut aliases = Vec::new();
    for node in fields.list("aliases") {
        let Some(text) = fields.as_string("aliases", node) else {
            continue;
        };
        match PageSlug::parse(text.trim_matches('/')) {
            Ok(slug) => aliases.push(slug),
            Err(error) => fields.reader.error(
                &node.span,
                error.to_string(),
                "write a former slug of this page",
            ),
        }
    }
    aliases
}
