//! Conversion of a page's file to a [`Page`].

use std::borrow::Cow;

use front_matter::FrontMatter;

use super::body::content;
use super::check::validate_allowed;
use super::fields::{Fields, Reader};
use super::item::{date, id, status};
use super::{key_advice, shared_fields};
use model::content_folder::{ITEMS, PAGES};
use model::{
    Config, ContentFolder, ItemId, NOT_FOUND_ID, PAGE, Page, PageSlug, SitePath, Slug, Status,
};

/// Reads a page. Returns `None` if the file is not a valid page.
pub fn read(reader: &Reader<'_>) -> Option<Page> {
    read_front(reader, &reader.front_matter_with_defaults()?)
}

/// Reads a page from its front matter, which includes defaults.
pub fn read_front(reader: &Reader<'_>, front: &FrontMatter) -> Option<Page> {
    let fields = Fields::of_file(reader, &front.table, PAGE);
    fields.set_key_advice(key_advice::PAGE);
    let page = page(reader, &fields, front);
    validate_allowed(&fields);
    fields.finish();
    page
}

fn page(reader: &Reader<'_>, fields: &Fields<'_, '_>, front: &FrontMatter) -> Option<Page> {
    let path = reader.source.path;
    let is_not_found = text_path(reader.config, path).ends_with("/404");
    let named = if is_not_found {
        Some((ItemId::parse(NOT_FOUND_ID).ok()?, false))
    } else {
        id(fields, front)
    };
    let title = fields.required_text("title", &(0..0));
    let slug = if is_not_found { PageSlug::parse("404").ok() } else { slug(reader, fields) };
    let status = status(fields);
    // Errors in these fields are already reported. The other fields are still read to find their
    // errors.
    let is_known = named.is_some() && title.is_some() && slug.is_some();
    let (id, id_is_derived) = named.unwrap_or_else(|| (ItemId::derive(""), true));
    let scope = id.to_string();
    let (language, text_path) = shared_fields::text_language(fields);
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
        language,
        text_path,
        translations: shared_fields::translations(fields),
        content: content(reader, front.body, &scope),
        media: Vec::new(),
    };
    page.content.links.extend(reader.take_links());
    is_known.then_some(page)
}

/// Returns the path of a page's file without its extension and without its language.
fn text_path<'p>(config: &Config, path: &'p SitePath) -> Cow<'p, str> {
    match config.languages.of_file(path) {
        Some((_, path)) => path,
        None => path.page_path().into(),
    }
}

/// Returns the slug of a page without `slug` in its front matter, which is not necessarily valid.
fn derived_slug(config: &Config, path: &SitePath) -> String {
    let is_section = path.section_folder().is_some();
    let path = text_path(config, path);
    let slug = match &*path {
        path if is_section => {
            ContentFolder::inner(ITEMS, path).and_then(|path| path.rsplit_once('/'))
        }
        path if config.addresses.nested_pages => {
            ContentFolder::inner(PAGES, path).map(|path| (path, ""))
        }
        path => path.rsplit_once('/').map(|(_, name)| (name, "")),
    };
    let slug = slug.map_or(&*path, |(slug, _)| slug.trim_start_matches('/'));
    slug.to_lowercase().replace(['_', ' '], "-")
}

/// Returns the slug of a page without `slug` in its front matter. Returns `None` if the file's name
/// is not a valid slug.
pub fn slug_of_file(config: &Config, path: &SitePath) -> Option<PageSlug> {
    PageSlug::parse(&derived_slug(config, path)).ok()
}

/// Reads `slug`, or makes a slug from the file's name.
fn slug(reader: &Reader<'_>, fields: &Fields<'_, '_>) -> Option<PageSlug> {
    let node = fields.node("slug");
    let span = node.map_or(0..0, |node| node.span.clone());
    let text = match node {
        Some(node) => fields.as_string("slug", node)?,
        None => derived_slug(reader.config, reader.source.path),
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
