//! Site files: the author's templates, and generated files that the author can override. The
//! sitemap is in `sitemap`.

use super::context;
use crate::inputs::{LlmsInputs, Shared, SiteFileInputs};
use crate::text;
use model::{Access, AiPreferences, Diagnostic, SiteFile};
use mustache::{Data, Partials, Template};
use site::paths;
use source::xml::well_formed;
use theme::template_error;

/// Size in bytes at which rendering stops. It is larger than the maximum size of a site file, so
/// that the error can report the actual size.
const MAX_RENDERED_SIZE: usize = 4 * SiteFile::MAX_BYTES;

/// Renders a template as a site file. The template must be valid. The result must be valid JSON or
/// XML if the media type is JSON or XML, and must not exceed 256 KiB.
pub fn render(shared: &Shared<'_>, inputs: &SiteFileInputs<'_>) -> Result<String, Diagnostic> {
    let (file, namespace) = (inputs.file, &shared.config.namespace);
    let mut template = parse(file)?;
    let context = context::site_file(shared, &inputs.context);
    template.rename_key(&format!("_{namespace}"), context::EXTENSION);
    template
        .rename_key(&format!("{namespace}_version"), &format!("{}_version", context::NAMESPACE));
    let mut out = String::new();
    let site = context::site(shared, &inputs.context, Some(file.filename.as_str()));
    let contexts = [context, Data::from([("_site", site)])];
    let partials = Partials::new();
    let rendered = match shared.trace {
        None => template.render_within(MAX_RENDERED_SIZE, &contexts, &partials, &mut out),
        Some(trace) => {
            let mut pieces = Vec::new();
            let rendered =
                template.render_traced(&contexts, &partials, None, &mut out, &mut pieces);
            trace.add(pieces, |_| None);
            rendered
        }
    };
    rendered.map_err(|error| {
        let is_long = out.len() > SiteFile::MAX_BYTES;
        let (message, help) = if is_long {
            (
                format!("this site file renders to more than {} bytes", SiteFile::MAX_BYTES),
                "list fewer items, or leave their content out",
            )
        } else {
            (error.message().to_owned(), "see the syntax in the documentation's page on templates")
        };
        let line = file.template.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        Diagnostic::error(message)
            .file(file.source.as_str())
            .position(error.line(), error.column(), line)
            .help(help)
    })?;
    check(file, &out)?;
    Ok(out)
}

/// Parses the template of a site file.
pub fn parse(file: &SiteFile) -> Result<Template, Diagnostic> {
    let template = Template::parse(file.template.as_str())
        .map_err(|error| template_error(&error, file.source.to_string()))?;
    if let Some(tag) = template.partial_names().next() {
        let line = file.template.lines().nth(tag.line - 1).unwrap_or_default();
        let message =
            format!("the partial {:?} cannot be included: site files have no partials", tag.name);
        return Err(Diagnostic::error(message)
            .file(file.source.as_str())
            .position(tag.line, tag.column, line)
            .help("write the text of the partial here"));
    }
    Ok(template)
}

fn check(file: &SiteFile, out: &str) -> Result<(), Diagnostic> {
    let fail = |message: String, offset: usize| {
        let (line, column, text) = model::Source { path: &file.source, text: out }.locate(offset);
        Diagnostic::error(message)
            .file(file.source.as_str())
            .position(line, column, text)
            .help("run `feedwright render` to print the output; line and column refer to it")
    };
    if out.len() > SiteFile::MAX_BYTES {
        return Err(Diagnostic::error(format!(
            "this site file renders to {} bytes; at most {} are allowed",
            out.len(),
            SiteFile::MAX_BYTES
        ))
        .file(file.source.as_str())
        .help("list fewer items, or leave their content out"));
    }
    if file.content_type.ends_with("json") {
        serde_json::from_str::<serde::de::IgnoredAny>(out).map_err(|error| {
            let before: usize =
                out.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            fail(
                format!("this site file renders to invalid JSON: {message}"),
                before + error.column().saturating_sub(1),
            )
        })?;
    } else if file.content_type.ends_with("xml") {
        well_formed(out).map_err(|(message, offset)| {
            fail(format!("this site file renders to invalid XML: {message}"), offset)
        })?;
    }
    Ok(())
}

/// Writes `robots.txt` (RFC 9309).
pub fn robots(shared: &Shared<'_>) -> String {
    let config = shared.config;
    if config.access != Access::Public {
        return "User-agent: *\nDisallow: /\n".into();
    }
    let mut out = String::from("User-agent: *\nAllow: /\n");
    if let Some(usage) = config.ai.content_usage() {
        out.push_str(&format!("{}: {usage}\n", AiPreferences::FIELD));
    }
    if config.has_sitemap() {
        let languages =
            shared.languages.iter().map(|one| config.root_url(&[&one.mount, "/"].concat()));
        let mut homes: Vec<String> = languages.collect();
        if homes.is_empty() {
            homes.push(config.url("/"));
        }
        let shows = shared.shows.iter().filter(|show| config.shows.contains(&show.mount));
        homes.extend(shows.map(|show| show.url.clone()));
        out.push('\n');
        for home in homes {
            out.push_str(&format!("Sitemap: {home}sitemap.xml\n"));
        }
    }
    out
}

/// Writes `llms.txt` in the format of llmstxt.org: a title, a summary and lists of links.
pub fn llms(shared: &Shared<'_>, inputs: &LlmsInputs<'_>) -> String {
    let config = shared.config;
    let mut out = format!("# {}\n", shared.title());
    let about = text::excerpt(&shared.channel.description_lead, 500);
    if !about.is_empty() {
        out.push_str(&format!("\n> {about}\n"));
    }
    out.push_str(&format!("\n## Feeds\n\n- [JSON Feed]({})\n", config.url(&paths::json_feed(1))));
    if config.feed.rss {
        out.push_str(&format!("- [RSS]({})\n", config.url(&paths::rss(1))));
    }
    if config.access != Access::Public {
        return out;
    }
    if !inputs.pages.is_empty() {
        out.push_str("\n## Pages\n\n");
        for entry in &inputs.pages {
            let slug = entry.page.slug.as_str();
            let path = match config.output.markdown {
                true => paths::markdown_of(&paths::page(slug)),
                false => paths::page(slug),
            };
            let url = config.url(&path);
            out.push_str(&link(&entry.page.title, &url, entry.page.meta_description.as_deref()));
        }
    }
    if !inputs.items.is_empty() {
        out.push_str("\n## Items\n\n");
        for entry in &inputs.items {
            let path = match config.output.markdown {
                true => paths::markdown_of(&entry.path),
                false => entry.path.clone(),
            };
            let url = config.url(&path);
            let title = match entry.item.title.as_str() {
                "" => match entry.item.content.name(60) {
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
