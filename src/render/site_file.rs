//! Site Files: the author's templates, and the three that are generated until overridden.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::html::context;
use super::{json_feed, sitemap, text, view};
use crate::model::{Access, Diagnostic, GeneratedKind, Page, SiteFile, SortKey, SortOrder, Status};
use crate::render::view::Neighbours;
use crate::site::{ItemEntry, PageEntry, Snapshot, paths};
use crate::source::xml::well_formed;
use crate::theme::template_error;
use mustache::{Data, Partials, Template};

/// Bytes after which a rendering is stopped. It is more than a Site File may have, so that the error can say
/// how much too long it is.
const ENOUGH: usize = 4 * SiteFile::MAX_BYTES;

/// Items and Pages in the context of a Site File.
const LISTED: usize = 100;

/// The sort key of Pages in the context of a Site File: the time of the last change, newest first, and a
/// text that orders Pages of one time.
pub type PageOrder<'a> = &'a dyn Fn(&Page) -> (Reverse<Option<Timestamp>>, String);

/// The order of Pages in documents of a build: Pages of one time stay in the order of the snapshot.
pub const AS_BUILT: PageOrder<'_> = &|page| (Reverse(page.updated(None)), String::new());

/// The context all Site Files of a snapshot share.
pub fn context(snapshot: &Snapshot, order: PageOrder<'_>) -> Value {
    let config = &snapshot.config;
    let at = Neighbours {
        own: config.url(&paths::json_feed(1)),
        ..Neighbours::default()
    };
    let mut feed = view::value(&view::feed(snapshot, &at, context::NAMESPACE).with_shows(snapshot));
    let entries = newest_items(snapshot);
    let pages = newest_pages(snapshot, order);
    let items: Vec<Value> = entries.iter().map(|entry| item(snapshot, entry)).collect();
    let page_values: Vec<Value> = pages
        .iter()
        .map(|entry| context::page_value(snapshot, entry))
        .collect();
    let view = view::feed(snapshot, &at, &config.namespace).with_shows(snapshot);
    let json = json_feed::document(snapshot, &view, entries.iter().copied());
    if let Value::Object(feed) = &mut feed {
        view::fill(
            feed,
            &["next_url", "icon", "favicon", "authors", "language"],
        );
        feed.insert("items".into(), with_loop(items));
        feed.insert("pages".into(), with_loop(page_values));
        feed.insert("current_year".into(), snapshot.year().into());
        feed.insert(
            "_site".into(),
            json!({
                "generated_at": snapshot.last_changed().map(text::rfc3339),
                "has_items": !entries.is_empty(),
                "has_pages": !pages.is_empty(),
                "json_feed": String::from_utf8(json).unwrap_or_default(),
                "json_feed_url": config.url(&paths::json_feed(1)),
                "rss_feed_url": config.feed.rss.then(|| config.url(&paths::rss(1))),
                "sitemap_url": config.has_sitemap().then(|| config.url("/sitemap.xml")),
                "origin": config.origin(),
            }),
        );
    }
    feed
}

/// The newest published items by date, whatever the feed is sorted by.
fn newest_items(snapshot: &Snapshot) -> Vec<&ItemEntry> {
    let mut entries: Vec<&ItemEntry> = snapshot.published.iter().map(AsRef::as_ref).collect();
    let feed = &snapshot.config.feed;
    if (feed.sort, feed.order) != (SortKey::Published, SortOrder::Desc) {
        let date = |entry: &ItemEntry| SortKey::Published.date(&entry.item);
        entries.sort_by(|a, b| {
            SortOrder::Desc.compare((&date(a), &a.item.id), (&date(b), &b.item.id))
        });
    }
    entries.truncate(LISTED);
    entries
}

/// Published Pages, the most recently changed first, never the 404 Page.
fn newest_pages<'s>(snapshot: &'s Snapshot, order: PageOrder<'_>) -> Vec<&'s PageEntry> {
    let mut pages: Vec<&PageEntry> = snapshot
        .pages
        .iter()
        .filter(|entry| entry.status == Status::Published)
        .collect();
    pages.sort_by_cached_key(|entry| order(&entry.page));
    pages.truncate(LISTED);
    pages
}

fn item(snapshot: &Snapshot, entry: &ItemEntry) -> Value {
    let mut value = context::item(snapshot, entry, true);
    value["_site"] = json!({
        "web_url": snapshot.config.url(&paths::item(&entry.segment)),
        "images": sitemap::images(&entry.item),
        "videos": sitemap::videos(&entry.item),
    });
    value
}

fn with_loop(mut list: Vec<Value>) -> Value {
    let last = list.len().saturating_sub(1);
    for (at, entry) in list.iter_mut().enumerate() {
        entry["_loop"] =
            json!({ "index": at + 1, "index0": at, "first": at == 0, "last": at == last });
    }
    Value::Array(list)
}

/// Renders a template as a Site File. The template has to parse; the result has to be JSON or XML if its
/// media type says so, and at most 256 KiB.
pub fn render(file: &SiteFile, namespace: &str, context: &Value) -> Result<String, Diagnostic> {
    let mut template = parse(file)?;
    template.rename_key(&format!("_{namespace}"), context::EXTENSION);
    template.rename_key(
        &format!("{namespace}_version"),
        &format!("{}_version", context::NAMESPACE),
    );
    let mut out = String::new();
    let mut own = json!({});
    own["_site"] = context["_site"].clone();
    own["_site"]["filename"] = file.filename.as_str().into();
    let contexts = [Data::from(context), Data::from(&own)];
    let rendered = template.render_within(ENOUGH, &contexts, &Partials::new(), &mut out);
    rendered.map_err(|error| {
        let is_long = out.len() > SiteFile::MAX_BYTES;
        let (message, help) = if is_long {
            (
                format!(
                    "this Site File renders to more than {} bytes",
                    SiteFile::MAX_BYTES
                ),
                "list fewer items, or leave their content out",
            )
        } else {
            (
                error.message().to_owned(),
                "the documentation's page on templates has the syntax",
            )
        };
        let line = file
            .template
            .lines()
            .nth(error.line().saturating_sub(1))
            .unwrap_or_default();
        Diagnostic::error(message)
            .file(file.source.as_str())
            .position(error.line(), error.column(), line)
            .help(help)
    })?;
    check(file, &out)?;
    Ok(out)
}

/// Reads the template of a Site File.
pub fn parse(file: &SiteFile) -> Result<Template, Diagnostic> {
    let template = Template::parse(file.template.as_str())
        .map_err(|error| template_error(&error, file.source.to_string()))?;
    if let Some(tag) = template.partial_names().next() {
        let line = file.template.lines().nth(tag.line - 1).unwrap_or_default();
        let message = format!("there is no partial {:?}: Site Files have none", tag.name);
        return Err(Diagnostic::error(message)
            .file(file.source.as_str())
            .position(tag.line, tag.column, line)
            .help("write its text here"));
    }
    Ok(template)
}

fn check(file: &SiteFile, out: &str) -> Result<(), Diagnostic> {
    let fail = |message: String, offset: usize| {
        let (line, column, text) = crate::model::Source {
            path: &file.source,
            text: out,
        }
        .locate(offset);
        Diagnostic::error(message)
            .file(file.source.as_str())
            .position(line, column, text)
            .help("line and column are of what the template renders to; `feedwright render` prints it")
    };
    if out.len() > SiteFile::MAX_BYTES {
        return Err(Diagnostic::error(format!(
            "this Site File renders to {} bytes, and may have {}",
            out.len(),
            SiteFile::MAX_BYTES
        ))
        .file(file.source.as_str())
        .help("list fewer items, or leave their content out"));
    }
    if file.content_type.ends_with("json") {
        serde_json::from_str::<serde::de::IgnoredAny>(out).map_err(|error| {
            let before: usize = out
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1))
                .map(str::len)
                .sum();
            let message = error.to_string();
            let message = message
                .split(" at line ")
                .next()
                .unwrap_or_default()
                .to_owned();
            fail(
                format!("this Site File renders to invalid JSON: {message}"),
                before + error.column().saturating_sub(1),
            )
        })?;
    } else if file.content_type.ends_with("xml") {
        well_formed(out).map_err(|(message, offset)| {
            fail(
                format!("this Site File renders to invalid XML: {message}"),
                offset,
            )
        })?;
    }
    Ok(())
}

/// A Site File that is generated because no template overrides it. The sitemap is `sitemap`'s.
pub fn generated(kind: GeneratedKind, snapshot: &Snapshot) -> String {
    match kind {
        GeneratedKind::Robots => robots(snapshot),
        GeneratedKind::Llms => llms(snapshot),
        GeneratedKind::Sitemap => String::new(),
    }
}

/// `robots.txt` (RFC 9309).
fn robots(snapshot: &Snapshot) -> String {
    let config = &snapshot.config;
    match config.access {
        Access::Public if !config.has_sitemap() => "User-agent: *\nAllow: /\n".into(),
        Access::Public => format!(
            "User-agent: *\nAllow: /\n\nSitemap: {}\n",
            config.url("/sitemap.xml")
        ),
        Access::Headless | Access::Offline => "User-agent: *\nDisallow: /\n".into(),
    }
}

/// llmstxt.org's format: a title, a summary, and lists of links.
fn llms(snapshot: &Snapshot) -> String {
    let config = &snapshot.config;
    let mut out = format!("# {}\n", view::title(snapshot));
    let about = text::excerpt(&snapshot.channel.description_text, 500);
    if !about.is_empty() {
        out.push_str(&format!("\n> {about}\n"));
    }
    out.push_str(&format!(
        "\n## Feeds\n\n- [JSON Feed]({})\n",
        config.url(&paths::json_feed(1))
    ));
    if config.feed.rss {
        out.push_str(&format!("- [RSS]({})\n", config.url(&paths::rss(1))));
    }
    if config.access != Access::Public {
        return out;
    }
    let pages = newest_pages(snapshot, AS_BUILT);
    if !pages.is_empty() {
        out.push_str("\n## Pages\n\n");
        for entry in pages {
            let url = config.url(&paths::page(entry.page.slug.as_str()));
            out.push_str(&link(
                &entry.page.title,
                &url,
                entry.page.meta_description.as_deref(),
            ));
        }
    }
    if !snapshot.published.is_empty() {
        out.push_str("\n## Items\n\n");
        for entry in newest_items(snapshot) {
            let url = config.url(&paths::item(&entry.segment));
            let title = match entry.item.title.as_str() {
                "" => match text::excerpt(&entry.item.content.beginning, 60) {
                    words if words.is_empty() => entry.item.id.to_string(),
                    words => words,
                },
                title => text::excerpt(title, 300),
            };
            out.push_str(&link(&title, &url, entry.item.summary.as_deref()));
        }
    }
    out
}

fn link(title: &str, url: &str, about: Option<&str>) -> String {
    let title = title.replace('[', "(").replace(']', ")");
    match about {
        Some(about) => format!("- [{title}]({url}): {}\n", text::excerpt(about, 200)),
        None => format!("- [{title}]({url})\n"),
    }
}
