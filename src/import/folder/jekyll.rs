//! Jekyll: `_posts/`, `_drafts/`, collections, pages, Liquid.

use jiff::tz::TimeZone;
use serde_json::Value;

use super::data::{self, Data};
use super::fields::aliases;
use super::kramdown;
use super::liquid::{self, FORMS, expression};
use super::slug;
use super::source::{Asked, Source, Text, dated, expanded, of_day};
use super::tags::{Instead, Tag};
use super::tree::{Tree, ending, split};
use crate::import::found::to_text;
use crate::import::naming::key;

const READ: &[&str] = &[
    "url",
    "baseurl",
    "title",
    "name",
    "description",
    "lang",
    "locale",
    "author",
    "timezone",
    "permalink",
    "collections",
    "defaults",
    "header_pages",
    "copyright",
    "exclude",
    "include",
    "collections_dir",
    "paginate",
    "paginate_path",
    "theme",
    "remote_theme",
    // How Jekyll runs.
    "plugins",
    "gems",
    "markdown",
    "highlighter",
    "kramdown",
    "sass",
    "livereload",
    "port",
    "host",
    "incremental",
    "safe",
    "encoding",
];

/// Where a text stands.
enum Kind {
    /// With the categories that its folders are.
    Post(Vec<String>),
    Draft,
    Of(String),
    Page,
}

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let file = ["_config.yml", "_config.yaml", "_config.toml"]
        .into_iter()
        .find(|path| tree.has(path));
    let settings = file.and_then(|file| data::of_file(file, &tree.text(file)?));
    let has_posts = tree
        .files
        .keys()
        .any(|path| path.split('/').any(|part| part == "_posts"));
    if settings.is_none() && !has_posts {
        return Err("no site of Jekyll: it has neither _config.yml nor a folder _posts".into());
    }
    let settings = settings.unwrap_or_default();
    let mut source = Source::new("a site of Jekyll", FORMS, translate);
    source.authors = authors(tree);
    let mut with_address = settings.clone();
    let address = format!(
        "{}{}",
        data::text_at(&settings, "url").unwrap_or_default(),
        data::text_at(&settings, "baseurl").unwrap_or_default()
    );
    with_address.insert("url".into(), address.into());
    source.take_settings(
        &with_address,
        "url",
        &[
            ("title", "title"),
            ("name", "title"),
            ("description", "description"),
            ("lang", "language"),
            ("locale", "language"),
            ("author", "authors"),
            ("copyright", "copyright"),
        ],
    );
    let zone = data::text_at(&settings, "timezone").and_then(|name| TimeZone::get(&name).ok());
    source.zone = zone.unwrap_or(TimeZone::UTC);
    source.roots = vec![String::new()];
    source.values = settings.clone();
    let paged = data::get(&settings, "paginate").and_then(Value::as_u64);
    source
        .settings
        .extend(paged.map(|count| ("items_per_page", count.to_string())));
    texts(tree, &settings, &mut source);
    let feed = ["plugins", "gems"].iter().any(|key| {
        data::get(&settings, key)
            .cloned()
            .map(data::texts)
            .unwrap_or_default()
            .iter()
            .any(|name| name == "jekyll-feed")
    });
    for text in source.texts.iter_mut().filter(|text| feed && !text.is_page) {
        text.guid = guid(text, source.base_url.as_ref());
    }
    source
        .redirects
        .push(("/feed.xml".into(), "/rss.xml".into()));
    for (order, page) in data::get(&settings, "header_pages")
        .cloned()
        .map(data::texts)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let address = source
            .texts
            .iter()
            .find(|text| text.path == *page)
            .and_then(|text| text.address.as_deref());
        if let (Some(address), Ok(order)) = (address.map(key), i64::try_from(order)) {
            source.navigation.insert(address, (None, order + 1));
        }
    }
    source.left_settings(&settings, READ, "_config.yml");
    Ok(source)
}

/// What the plugin `jekyll-feed` writes: the address without its ending.
fn guid(text: &Text, base: Option<&fetch::Url>) -> Option<String> {
    let address = text.address.as_deref()?.trim_end_matches('/');
    let slug = text.segment.as_deref()?;
    Some(format!(
        "{}{}/{slug}",
        base?.as_str().trim_end_matches('/'),
        match address.rsplit_once('/') {
            Some((folder, _)) if !text.address.as_deref()?.ends_with('/') => folder,
            _ => split(address).0,
        }
    ))
}

fn authors(tree: &mut Tree) -> Data {
    let files = [
        "_data/authors.yml",
        "_data/authors.yaml",
        "_data/authors.json",
    ];
    let held = files
        .into_iter()
        .find_map(|file| data::of_file(file, &tree.text(file)?));
    held.unwrap_or_default()
}

fn kind(path: &str, collections: &[String], prefix: &str) -> Option<Kind> {
    let inner = path.strip_prefix(prefix).unwrap_or(path);
    let parts: Vec<&str> = inner.split('/').collect();
    let folders = &parts[..parts.len() - 1];
    if let Some(at) = folders.iter().position(|part| *part == "_posts") {
        return Some(Kind::Post(
            folders[..at]
                .iter()
                .map(|part| (*part).to_owned())
                .collect(),
        ));
    }
    if folders.contains(&"_drafts") {
        return Some(Kind::Draft);
    }
    let first = folders.first().and_then(|first| first.strip_prefix('_'));
    if let Some(first) = first.filter(|first| collections.iter().any(|name| name == first)) {
        return Some(Kind::Of(first.to_owned()));
    }
    (!parts.iter().any(|part| part.starts_with(['_', '.']))).then_some(Kind::Page)
}

fn texts(tree: &mut Tree, settings: &Data, source: &mut Source) {
    let collections: Vec<String> = match data::get(settings, "collections") {
        Some(Value::Object(table)) => table.keys().cloned().collect(),
        Some(list) => data::texts(list.clone()),
        None => Vec::new(),
    };
    let prefix = data::text_at(settings, "collections_dir").map_or_else(String::new, |folder| {
        format!("{}/", folder.trim_matches('/'))
    });
    let left = data::get(settings, "exclude")
        .cloned()
        .map(data::texts)
        .unwrap_or_default();
    let is_left = |path: &str| {
        left.iter()
            .any(|one| path == one || path.starts_with(&format!("{}/", one.trim_end_matches('/'))))
    };
    let paths: Vec<String> = tree
        .files
        .keys()
        .filter(|path| !is_left(path))
        .cloned()
        .collect();
    for path in &paths {
        let is_text = matches!(ending(path).1, "md" | "markdown" | "mkd" | "html" | "htm");
        let Some(kind) = kind(path, &collections, &prefix).filter(|_| is_text) else {
            if matches!(ending(path).1, "textile" | "adoc" | "rst" | "org") {
                source.note("a text that is no Markdown was left out", path.as_str());
            }
            continue;
        };
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        // Without front matter Jekyll copies a file as it is.
        if text.above == 0 {
            if !matches!(kind, Kind::Page) {
                source.note(
                    "a text without front matter, which Jekyll does not read, was left out",
                    path.as_str(),
                );
            }
            continue;
        }
        defaults(&mut text, &kind, settings);
        text.is_draft = matches!(kind, Kind::Draft);
        text.is_page = matches!(kind, Kind::Page)
            || matches!(kind, Kind::Of(_))
                && data::get(&text.fields, "date").is_none()
                && !is_series(&kind);
        let stem = text.stem().to_owned();
        if let Some((day, rest)) = dated(&stem).filter(|_| !matches!(kind, Kind::Page)) {
            text.date = Some(day.to_owned());
            text.segment = Some(rest.to_owned());
        } else {
            text.segment = Some(stem);
        }
        if let Kind::Post(folders) = &kind {
            text.tags = folders.clone();
        }
        // Jekyll parts these at spaces.
        for key in ["tags", "categories"] {
            if let Some(Value::String(names)) = data::get(&text.fields, key)
                .cloned()
                .filter(|_| !matches!(kind, Kind::Page))
            {
                let names: Vec<&str> = names
                    .split(if names.contains(',') { ',' } else { ' ' })
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .collect();
                text.fields.insert(key.into(), names.into());
            }
        }
        text.aliases = aliases(&mut text.fields, &["redirect_from", "aliases"], "");
        text.address = address(&text, &kind, settings, source);
        let is_home = text
            .address
            .as_deref()
            .is_some_and(|address| key(address).is_empty() || key(address) == "404");
        if is_home || (text.is_html && text.is_page && has_template(&text.body)) {
            source.note(
                "a page that is a template was left out: the theme has its own",
                path.as_str(),
            );
            continue;
        }
        for key in ["permalink", "slug"] {
            data::take(&mut text.fields, &[key])
                .filter(|_| key == "slug")
                .as_ref()
                .and_then(data::text)
                .into_iter()
                .for_each(|slug| text.segment = Some(slug));
        }
        if !text.is_html {
            text.body = kramdown::plain(&text.body, &mut |what, line| {
                source.note(
                    format!("kramdown's `{what}` was left out"),
                    format!("{path}:{}", text.above + line),
                )
            });
        }
        source.texts.push(text);
    }
}

fn is_series(kind: &Kind) -> bool {
    matches!(kind, Kind::Of(name) if super::hugo::SERIES.contains(&name.as_str()))
}

fn has_template(body: &str) -> bool {
    body.contains("{%")
        && ["for ", "assign ", "include ", "if "]
            .iter()
            .any(|word| body.contains(word))
}

/// Values that the settings give to all texts in a folder or of a kind.
fn defaults(text: &mut Text, kind: &Kind, settings: &Data) {
    let own = match kind {
        Kind::Post(_) => "posts",
        Kind::Draft => "drafts",
        Kind::Of(name) => name,
        Kind::Page => "pages",
    };
    for default in data::get(settings, "defaults")
        .cloned()
        .map(data::list)
        .unwrap_or_default()
    {
        let Value::Object(default) = default else {
            continue;
        };
        let path = data::text_at(&default, "scope.path").unwrap_or_default();
        let named = data::text_at(&default, "scope.type");
        if !text.path.starts_with(path.trim_end_matches("/*"))
            || named.is_some_and(|named| named != own)
        {
            continue;
        }
        if let Some(Value::Object(values)) = data::get(&default, "values") {
            // How it looks is nothing that an author wrote there.
            for (key, value) in values.iter().filter(|(key, _)| *key != "layout") {
                text.fields
                    .entry(key.clone())
                    .or_insert_with(|| value.clone());
            }
        }
    }
}

fn address(text: &Text, kind: &Kind, settings: &Data, source: &Source) -> Option<String> {
    let style = data::text_at(settings, "permalink").unwrap_or_else(|| "date".into());
    let own = data::text_at(&text.fields, "permalink");
    let dated = match &*style {
        "date" => "/:categories/:year/:month/:day/:title:output_ext",
        "pretty" => "/:categories/:year/:month/:day/:title/",
        "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
        "weekdate" => "/:categories/:year/W:week/:short_day/:title:output_ext",
        "none" => "/:categories/:title:output_ext",
        own => own,
    };
    // Pages and collections end as posts do.
    let end = match dated {
        dated if dated.ends_with('/') => "/",
        dated if dated.ends_with(":output_ext") => ":output_ext",
        _ => "",
    };
    let pattern = own.unwrap_or_else(|| match kind {
        Kind::Post(_) | Kind::Draft => dated.to_owned(),
        Kind::Of(name) => {
            let own = data::text_at(settings, &format!("collections.{name}.permalink"));
            own.unwrap_or_else(|| format!("/:collection/:path{end}"))
        }
        Kind::Page if ending(split(&text.path).1).0 == "index" => "/:path/".to_owned(),
        Kind::Page => format!("/:path/:basename{end}"),
    });
    let (folder, name) = split(&text.path);
    let stem = text.segment.clone().unwrap_or_default();
    let slug = data::text_at(&text.fields, "slug").unwrap_or_else(|| stem.clone());
    let mut categories = text.tags.clone();
    for key in ["categories", "category"] {
        categories.extend(
            data::get(&text.fields, key)
                .cloned()
                .map(data::texts)
                .unwrap_or_default(),
        );
    }
    let mut seen = Vec::new();
    for category in categories.iter().map(|category| category.to_lowercase()) {
        if !seen.contains(&category) {
            seen.push(category);
        }
    }
    let token = |token: &str| match token {
        "title" => Some(slug.replace(' ', "-")),
        "slug" => Some(slug::plain(&slug)),
        "categories" => Some(seen.join("/")),
        "slugified_categories" => Some(
            seen.iter()
                .map(|one| slug::plain(one))
                .collect::<Vec<_>>()
                .join("/"),
        ),
        "output_ext" => Some(".html".to_owned()),
        "basename" => Some(ending(name).0.to_owned()),
        "name" => Some(slug::plain(&stem)),
        "collection" => match kind {
            Kind::Of(name) => Some(name.clone()),
            _ => None,
        },
        "path" => match kind {
            Kind::Of(of) => Some(
                ending(text.path.split_once(&format!("_{of}/"))?.1)
                    .0
                    .to_owned(),
            ),
            _ => Some(folder.to_owned()),
        },
        token => of_day(token, text.moment(&source.zone)?),
    };
    expanded(&pattern, &token)
}

fn translate(tag: &Tag<'_>, asked: &Asked<'_>) -> Instead {
    if tag.form.0 == "{{" {
        let value = |name: &str| match name {
            "site.baseurl" => Some(String::new()),
            "site.url" => asked
                .source
                .base_url
                .as_ref()
                .map(|url| url.origin().ascii_serialization()),
            name => match name.split_once('.')? {
                ("site", key) => data::text_at(&asked.source.values, key),
                ("page", key) => data::text_at(&asked.text.fields, key),
                _ => None,
            },
        };
        return tag.by(expression(tag.inner, &value)?);
    }
    let texts = &asked.source.texts;
    match tag.name {
        "link" => {
            let wanted = tag
                .inner
                .trim_start_matches("link")
                .trim()
                .trim_matches(['"', '\''])
                .trim_start_matches('/');
            match texts.iter().find(|text| text.path == wanted) {
                Some(text) => tag.by(to_text(&text.path)),
                None => tag
                    .by(format!("/{wanted}"))
                    .filter(|_| !wanted.starts_with('_') && !wanted.contains("{{")),
            }
        }
        "post_url" => {
            let wanted = tag
                .inner
                .trim_start_matches("post_url")
                .trim()
                .trim_matches(['"', '\''])
                .trim_start_matches('/');
            let is_it = |text: &&Text| {
                ending(&text.path.replace("_posts/", ""))
                    .0
                    .ends_with(wanted)
            };
            tag.by(to_text(&texts.iter().find(is_it)?.path))
        }
        _ => liquid::simple(tag),
    }
}
