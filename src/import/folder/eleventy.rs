//! Eleventy: any folder, directory data, permalinks that are templates.

mod cascade;
mod feeds;
mod program;
mod project;
mod script;
mod syntax;

use serde_json::Value;

use cascade::inherit;
use project::{Folders, Project};
use script::{Known, Library};

use super::data;
use super::fields::aliases;
use super::front::Fences;
use super::hugo::SERIES;
use super::liquid::{self, FORMS, LIQUID, expression};
use super::source::{Asked, Engine, Source, Text, dated};
use super::tags::{Instead, Tag};
use super::tree::{Tree, ending, is_markdown, joined, kind, split};
use crate::import::naming::key;

/// Keys that say how Eleventy makes a page.
const ITS_OWN: [&str; 3] = ["permalink", "slug", "eleventyComputed"];
/// Nunjucks has a form for comments.
const NUNJUCKS: Engine = Engine {
    forms: &[("{{", "}}"), ("{%", "%}"), ("{#", "#}")],
    conditions: &["if", "switch", "for", "asyncEach", "asyncAll", "set", "macro", "call"],
};

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let holds_texts = tree.files.keys().any(|path| is_markdown(path));
    if !holds_texts {
        return Err("no site of Eleventy: no Markdown file is in it".into());
    }
    let mut source = Source::new("a site of Eleventy", FORMS, translate);
    source.fences = Fences::Named;
    let mut library = Library::default();
    let folders = Folders::of(tree, &mut library);
    folders.load(tree, &mut library);
    let project = Project::of(tree, &library, &folders, &mut source);
    if let Some(settings) = &project.settings {
        source.note("the settings are JavaScript, which was not run: its filters, collections and copied folders are unknown", &*settings.path);
        let engine = settings.option("markdownTemplateEngine");
        source.engine = engine_named(match &engine {
            Known::Is(Value::Bool(false)) => "false",
            engine => engine.text().unwrap_or("liquid"),
        });
    } else {
        source.engine = LIQUID;
    }
    let (input, data_folder) = (folders.input.clone(), folders.data.clone());
    let names = ["metadata", "site", "meta", "config"];
    let file = names
        .iter()
        .flat_map(|name| {
            ["json", "yaml", "yml", "toml"].map(|ending| format!("{data_folder}{name}.{ending}"))
        })
        .find(|path| tree.has(path));
    let settings =
        file.as_ref().and_then(|file| data::of_file(file, &tree.text(file)?)).unwrap_or_default();
    let channel = [
        ("title", "title"),
        ("name", "title"),
        ("description", "description"),
        ("language", "language"),
        ("lang", "language"),
        ("author", "authors"),
        ("authors", "authors"),
        ("copyright", "copyright"),
    ];
    source.take_settings(&settings, "url", &channel);
    if let Some(file) = file {
        let name = ending(split(&file).1).0.to_owned();
        source.values.insert(name, settings.clone().into());
        let read: Vec<&str> = channel.iter().map(|(key, _)| *key).chain(["url"]).collect();
        source.left_settings(&settings, &read, &file);
    }
    let others: Vec<String> = tree
        .below(&data_folder)
        .filter(|path| matches!(ending(path).1, "js" | "cjs" | "mjs"))
        .cloned()
        .collect();
    others.into_iter().for_each(|path| source.note("a JavaScript data file was not run", path));
    source.roots = [&*input, "", "public/", "static/"].map(str::to_owned).to_vec();
    if !input.is_empty() {
        source
            .roots
            .extend(["public/", "static/", "assets/"].map(|folder| format!("{input}{folder}")));
    }
    texts(tree, &project, &mut source);
    feeds::redirect(tree, &project, &mut source);
    Ok(source)
}

/// The engine that reads the tags in Markdown, by what settings or front matter call it: `njk,md`, `false`.
fn engine_named(name: &str) -> Engine {
    let mut names = name.split(',').map(str::trim);
    match names.find(|name| *name != "md") {
        None | Some("false") => Engine::default(),
        Some("njk" | "nunjucks") => NUNJUCKS,
        Some(_) => LIQUID,
    }
}

fn texts(tree: &mut Tree, project: &Project<'_>, source: &mut Source) {
    let paths: Vec<String> = tree.below(&project.folders.input).cloned().collect();
    for path in &paths {
        let inner = path.strip_prefix(&project.folders.input).unwrap_or(path);
        let name = split(inner).1;
        match &*kind(name) {
            _ if project.folders.is_inside(path) => continue,
            "md" => {}
            "html" | "njk" | "liquid" | "hbs" | "ejs" | "webc" | "pug" | "haml" => {
                if !inner.split('/').any(|part| part.starts_with('_')) {
                    source.note(
                        "a page made by a template was left out: the theme has its own",
                        path.as_str(),
                    );
                }
                continue;
            }
            _ if is_markdown(name) => {
                source.leave(path, "Eleventy does not read files with this extension");
                continue;
            }
            _ => {
                if name.contains(".11ty.") && project.ignores(path).is_none() {
                    source.note("a page that a program makes was left out", path.as_str());
                }
                continue;
            }
        }
        if let Some(place) = project.ignores(path) {
            let reason = format!("{place} names it");
            source.leave(path, reason);
            continue;
        }
        if !project.reads_markdown {
            source.leave(path, "the template formats in the settings do not name `md`");
            continue;
        }
        if split(inner).0.is_empty() && is_about_code(name) {
            source.note("a text about the source code was left out", path.as_str());
            continue;
        }
        let Some(text) = source.read(tree, path) else {
            continue;
        };
        let text = complete(text, inner, tree, project, source);
        source.texts.extend(text);
    }
}

/// Reads a text with its data, its address and other properties by Eleventy's rules.
fn complete(
    mut text: Text,
    inner: &str,
    tree: &mut Tree,
    project: &Project<'_>,
    source: &mut Source,
) -> Option<Text> {
    let own: Vec<String> = text.fields.keys().cloned().collect();
    let stem = text.stem().to_owned();
    let stem = dated(&stem).map_or_else(
        || stem.clone(),
        |(day, rest)| {
            text.date = Some(day.to_owned());
            rest.to_owned()
        },
    );
    if let Some(doubt) = &project.doubt {
        text.hide(doubt);
    }
    text.is_unlisted = inherit(&mut text, tree, project, source);
    let engine = data::take(&mut text.fields, &["templateEngineOverride"]);
    let engine = engine.as_ref().and_then(data::text);
    text.engine = engine.map(|name| engine_named(&name));
    for key in ["pagination", "eleventyExcludeFromCollections"] {
        data::take(&mut text.fields, &[key]);
    }
    let date = data::text_at(&text.fields, "date").unwrap_or_default();
    if matches!(&*date, "git Last Modified" | "Last Modified" | "Created" | "git Created") {
        text.fields.remove("date");
        source.note(format!("`date: {date}` is not a date"), &*text.path);
    }
    let tags = data::get(&text.fields, "tags").cloned().map(data::texts).unwrap_or_default();
    let folders: Vec<&str> = split(inner).0.split('/').collect();
    let in_series = tags
        .iter()
        .map(String::as_str)
        .chain(folders.first().copied())
        .any(|name| SERIES.contains(&name));
    text.is_page = !in_series;
    // A tag that only makes a collection is not a tag of the text.
    let tags: Vec<String> = tags
        .into_iter()
        .filter(|tag| !SERIES.contains(&tag.as_str()) && tag != "all" && tag != "nav")
        .collect();
    text.fields.remove("tags");
    text.fields.extend((!tags.is_empty()).then(|| ("tags".to_owned(), tags.into())));
    text.segment = Some(if stem.is_empty() { "index".to_owned() } else { stem.clone() });
    text.address = address(&text, inner, &stem, source);
    let slug = data::text_at(&text.fields, "slug");
    for key in ITS_OWN {
        data::take(&mut text.fields, &[key]);
    }
    text.segment = slug.or(text.segment);
    text.aliases = aliases(&mut text.fields, &["aliases", "redirect_from"], "");
    // The layout of a folder's texts is not a field of each text.
    text.fields.retain(|key, _| key != "layout" || own.contains(key));
    let is_template = text
        .address
        .as_deref()
        .is_some_and(|address| key(address).is_empty() || key(address) == "404");
    if is_template {
        source.note("a page made by a template was left out: the theme has its own", &*text.path);
    }
    (!is_template).then_some(text)
}

fn is_about_code(name: &str) -> bool {
    let name = name.to_uppercase();
    ["README", "LICENSE", "CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT"]
        .iter()
        .any(|known| name.starts_with(known))
}

fn address(text: &Text, inner: &str, stem: &str, source: &mut Source) -> Option<String> {
    // A day stays in it: only `fileSlug` and `filePathStem` leave that out.
    let (folder, name) = split(inner);
    let usual = match (folder, ending(name).0) {
        ("", "index") => "/".to_owned(),
        (folder, "index") => format!("/{folder}/"),
        ("", name) => format!("/{name}/"),
        (folder, name) => format!("/{folder}/{name}/"),
    };
    let pattern = match data::get(&text.fields, "permalink") {
        None => return Some(usual),
        // It has no page of its own there.
        Some(Value::Bool(false)) => return None,
        // In a table, the value of `build` decides.
        Some(Value::Object(table)) => data::text_at(table, "build")?,
        Some(value) => data::text(value)?,
    };
    let bare = ending(name).0;
    let bare = dated(bare).map_or(bare, |(_, rest)| rest);
    let path_stem = joined(folder, bare).unwrap_or_default();
    let mut out = String::new();
    let mut at = 0;
    while let Some(tag) = Tag::next(&pattern, at, FORMS) {
        out += &pattern[at..tag.span.start];
        let value = |name: &str| match name {
            "page.filePathStem" => Some(format!("/{path_stem}")),
            name => variable(name, text, stem, source),
        };
        let filled = if tag.form.0 == "{{" {
            dated_expression(tag.inner, text, source).or_else(|| expression(tag.inner, &value))
        } else {
            None
        };
        let Some(filled) = filled else {
            source.note(format!("the address `{pattern}` is made by a program: where such pages were is not known"), &*text.path);
            return None;
        };
        out += &filled;
        at = tag.span.end;
    }
    out += &pattern[at..];
    let path = joined("", &out)?;
    let path = path
        .strip_suffix("index.html")
        .map_or(path.clone(), |path| path.trim_end_matches('/').to_owned());
    let end = if path.rsplit('/').next().is_some_and(|name| name.contains('.')) || path.is_empty() {
        ""
    } else {
        "/"
    };
    Some(format!("/{path}{end}"))
}

fn variable(name: &str, text: &Text, stem: &str, source: &Source) -> Option<String> {
    match name {
        "page.fileSlug" => Some(stem.to_owned()),
        "page.url" => text.address.clone(),
        name => data::text_at(&text.fields, name).or_else(|| data::text_at(&source.values, name)),
    }
}

/// `page.date | date: '%Y/%m/%d'`
fn dated_expression(inner: &str, text: &Text, source: &Source) -> Option<String> {
    let (name, filter) = inner.split_once('|')?;
    if !matches!(name.trim(), "page.date" | "date") {
        return None;
    }
    let form = filter
        .trim()
        .strip_prefix("date")?
        .trim_start()
        .strip_prefix(':')?
        .trim()
        .trim_matches(['"', '\'']);
    jiff::fmt::strtime::format(form, text.moment(&source.zone)?).ok()
}

fn translate(tag: &Tag<'_>, asked: &Asked<'_>) -> Instead {
    if tag.form.0 == "{#" {
        return tag.by("");
    }
    if tag.form.0 == "{{" {
        let value = |name: &str| {
            variable(
                name,
                asked.text,
                asked.text.segment.as_deref().unwrap_or_default(),
                asked.source,
            )
        };
        return tag.by(expression(tag.inner, &value)?);
    }
    liquid::simple(tag, asked)
}
