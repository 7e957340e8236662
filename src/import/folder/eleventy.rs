//! Imports Eleventy sites. Their content files can be in any folder, inherit data from folders, and
//! use template tags in permalinks.

mod cascade;
mod feeds;
mod program;
mod project;
mod script;
mod syntax;

use serde_json::Value;

use cascade::inherit;
use project::{Folders, PROGRAMS, Project};
use script::{AbstractValue, Library};

use super::data::{self, Data};
use super::fields::aliases;
use super::front::Fences;
use super::languages;
use super::liquid::{self, LIQUID, expression};
use super::source::{Description, Engine, Source, TagContext, Text, dated, without_day};
use super::tags::{Replacement, Tag};
use super::tree::{Tree, ending, is_markdown, joined, kind, split};
use super::walk::{SERIES, TEMPLATE_PAGE, Use};

pub const ELEVENTY: Description = Description {
    kind: "Eleventy site",
    without: &["_site"],
    fences: Fences::Named,
    engine: LIQUID,
    translate,
    address: &["url"],
    settings: &[
        ("title", "title"),
        ("name", "title"),
        ("description", "description"),
        ("language", "language"),
        ("lang", "language"),
        ("author", "authors"),
        ("authors", "authors"),
        ("copyright", "copyright"),
    ],
    others: "",
    theme: "",
    read,
};

/// The template engine Nunjucks. In contrast to Liquid, it has comment tags.
const NUNJUCKS: Engine = Engine {
    forms: &[("{{", "}}"), ("{%", "%}"), ("{#", "#}")],
    conditions: &["if", "switch", "for", "asyncEach", "asyncAll", "set", "macro", "call"],
};

fn read(tree: &mut Tree) -> Result<Source, String> {
    if !tree.files.keys().any(|path| is_markdown(path)) {
        return Err("not an Eleventy site: it has no Markdown files".into());
    }
    let mut library = Library::default();
    let folders = Folders::of(tree, &mut library);
    folders.load(tree, &mut library);
    let (file, settings) = metadata(tree, &folders).unzip();
    let settings = settings.unwrap_or_default();
    let mut source = Source::new(&ELEVENTY, &settings, Data::new());
    let project = Project::of(tree, &library, &folders, &mut source);
    if let Some(settings) = &project.settings {
        source.note("the settings are JavaScript, which was not run: their filters, collections and copied folders were not imported", &*settings.path);
        let engine = settings.option("markdownTemplateEngine");
        source.engine = engine_by_name(match &engine {
            AbstractValue::Is(Value::Bool(false)) => "false",
            engine => engine.text().unwrap_or("liquid"),
        });
    }
    if let Some(file) = file {
        source.report_unread_settings(&settings, &file);
        source.values.insert(ending(split(&file).1).0.to_owned(), settings.into());
    }
    let programs = tree.below(&folders.data).filter(|path| PROGRAMS.contains(&ending(path).1));
    programs.for_each(|path| source.note("a JavaScript data file was not run", path));
    let input = &folders.input;
    source.roots = [input, "", "public/", "static/"].map(str::to_owned).to_vec();
    if !input.is_empty() {
        let inner = ["public/", "static/", "assets/"].map(|folder| format!("{input}{folder}"));
        source.roots.extend(inner);
    }
    let judge = |_: &Tree, path: &str| judge(path, &project);
    source.walk(tree, &judge, &mut |text, (), source, tree| {
        let text = complete(text, tree, &project, source);
        source.texts.extend(text);
    });
    // The option of Eleventy's plug-in for languages.
    let named = project.settings.as_ref().map(|settings| settings.texts_at("defaultLanguage"));
    languages::derive(&mut source, named.and_then(|named| named.into_iter().next()));
    feeds::redirect(tree, &project, &mut source);
    Ok(source)
}

/// Returns the path and the values of the data file that contains the site's title.
fn metadata(tree: &mut Tree, folders: &Folders) -> Option<(String, Data)> {
    let names = ["metadata", "site", "meta", "config"].into_iter().flat_map(|name| {
        ["json", "yaml", "yml", "toml"].map(|kind| format!("{}{name}.{kind}", folders.data))
    });
    let file = { names }.find(|path| tree.has(path))?;
    let settings = tree.text(&file).and_then(|text| data::of_file(&file, &text));
    Some((file, settings.unwrap_or_default()))
}

/// Returns the template engine for Markdown that settings or front matter name, such as `njk,md` or
/// `false`.
fn engine_by_name(name: &str) -> Engine {
    let mut names = name.split(',').map(str::trim);
    match names.find(|name| *name != "md") {
        None | Some("false") => Engine::default(),
        Some("njk" | "nunjucks") => NUNJUCKS,
        Some(_) => LIQUID,
    }
}

/// Returns how Eleventy uses a file.
fn judge(path: &str, project: &Project<'_>) -> Use<()> {
    let Some(inner) = path.strip_prefix(&project.folders.input) else {
        return Use::Other;
    };
    let (folder, name) = split(inner);
    match &*kind(name) {
        _ if project.folders.is_inside(path) => Use::Other,
        "md" => match project.ignores(path) {
            Some(place) => Use::Left(format!("excluded by {place}")),
            None if !project.reads_markdown => {
                Use::skipped("the template formats in the settings do not include `md`")
            }
            None if folder.is_empty() && is_about_code(name) => {
                Use::Noted("a file that documents the source code, such as README, was left out")
            }
            None => Use::Text(()),
        },
        "html" | "njk" | "liquid" | "hbs" | "ejs" | "webc" | "pug" | "haml" => {
            match inner.split('/').any(|part| part.starts_with('_')) {
                true => Use::Other,
                false => Use::Noted(TEMPLATE_PAGE),
            }
        }
        _ if is_markdown(name) => Use::skipped("Eleventy does not read files with this extension"),
        _ if name.contains(".11ty.") && project.ignores(path).is_none() => {
            Use::Noted("a page generated by JavaScript was left out")
        }
        _ => Use::Other,
    }
}

/// Completes a content file by Eleventy's rules, for example with inherited data and its address.
fn complete(
    mut text: Text,
    tree: &mut Tree,
    project: &Project<'_>,
    source: &mut Source,
) -> Option<Text> {
    let path = text.path.clone();
    let inner = path.strip_prefix(&project.folders.input).unwrap_or(&path);
    let own: Vec<String> = text.fields.keys().cloned().collect();
    text.date = dated(text.stem()).map(|(day, _)| day.to_owned());
    let stem = without_day(text.stem()).to_owned();
    if let Some(uncertainty) = &project.uncertainty {
        text.hide(uncertainty);
    }
    text.is_unlisted = inherit(&mut text, tree, project, source);
    let engine = data::take_text(&mut text.fields, &["templateEngineOverride"]);
    text.engine = engine.map(|name| engine_by_name(&name));
    for key in ["pagination", "eleventyExcludeFromCollections"] {
        data::take(&mut text.fields, &[key]);
    }
    let date = data::text_at(&text.fields, "date").unwrap_or_default();
    if matches!(&*date, "git Last Modified" | "Last Modified" | "Created" | "git Created") {
        text.fields.remove("date");
        source.note(format!("`date: {date}` was ignored: it is not a date"), &*text.path);
    }
    let mut tags = data::texts_at(&text.fields, "tags");
    let first = inner.split('/').next().filter(|_| inner.contains('/')).unwrap_or_default();
    let is_series = |name: &str| SERIES.contains(&name);
    text.is_page = !is_series(first) && !tags.iter().any(|tag| is_series(tag));
    // Tags that only define a collection are removed.
    tags.retain(|tag| !is_series(tag) && tag != "all" && tag != "nav");
    text.fields.remove("tags");
    text.fields.extend((!tags.is_empty()).then(|| ("tags".to_owned(), tags.into())));
    text.address = address(&text, inner, &stem, source);
    let is_index = ending(split(inner).1).0 == "index";
    let folder = split(inner).0;
    text.item_folder = if is_index { split(folder).0 } else { folder }.to_owned();
    let permalink = data::text_at(&text.fields, "permalink");
    let is_fixed = permalink.is_some_and(|permalink| !permalink.contains("{{"));
    text.states_address = is_fixed && own.iter().any(|key| key == "permalink");
    let slug = data::text_at(&text.fields, "slug");
    for key in ["permalink", "slug", "eleventyComputed"] {
        data::take(&mut text.fields, &[key]);
    }
    text.segment = slug.or_else(|| Some(if stem.is_empty() { "index".to_owned() } else { stem }));
    text.aliases = aliases(&mut text.fields, &["aliases", "redirect_from"], "");
    // An inherited layout is not a property of the content file itself.
    text.fields.retain(|key, _| key != "layout" || own.contains(key));
    if text.is_template() {
        source.note(TEMPLATE_PAGE, &*path);
        return None;
    }
    Some(text)
}

fn is_about_code(name: &str) -> bool {
    let name = name.to_uppercase();
    ["README", "LICENSE", "CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT"]
        .iter()
        .any(|known| name.starts_with(known))
}

fn address(text: &Text, inner: &str, stem: &str, source: &mut Source) -> Option<String> {
    // The default path keeps a date at the start of the file name. Only `fileSlug` and
    // `filePathStem` omit it.
    let (folder, name) = split(inner);
    let usual = match (folder, ending(name).0) {
        ("", "index") => "/".to_owned(),
        (folder, "index") => format!("/{folder}/"),
        ("", name) => format!("/{name}/"),
        (folder, name) => format!("/{folder}/{name}/"),
    };
    let pattern = match data::get(&text.fields, "permalink") {
        None => return Some(usual),
        // With `permalink: false`, a content file has no page of its own.
        Some(Value::Bool(false)) => return None,
        // If the permalink is a table, its key `build` contains the path.
        Some(Value::Object(table)) => data::text_at(table, "build")?,
        Some(value) => data::text(value)?,
    };
    let path_stem = joined(folder, without_day(ending(name).0)).unwrap_or_default();
    let mut out = String::new();
    let mut at = 0;
    while let Some(tag) = Tag::next(&pattern, at, LIQUID.forms) {
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
            source.note(format!("the address `{pattern}` cannot be determined: its pages get no redirects from their former addresses"), &*text.path);
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

/// Evaluates a tag such as `page.date | date: '%Y/%m/%d'`.
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

fn translate(tag: &Tag<'_>, asked: &TagContext<'_>) -> Replacement {
    if tag.form.0 == "{#" {
        return tag.replacement("");
    }
    if tag.form.0 == "{{" {
        let stem = asked.text.segment.as_deref().unwrap_or_default();
        let value = |name: &str| variable(name, asked.text, stem, asked.source);
        return tag.replacement(expression(tag.inner, &value)?);
    }
    liquid::simple(tag, asked)
}
