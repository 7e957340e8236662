//! Eleventy: any folder, directory data, permalinks that are templates.

use serde_json::Value;

use super::data;
use super::fields::aliases;
use super::hugo::SERIES;
use super::liquid::{self, FORMS, expression};
use super::source::{Asked, Source, Text, dated};
use super::tags::{Instead, Tag};
use super::tree::{Tree, ending, joined, split};
use crate::import::naming::key;

/// Keys that say how Eleventy makes a page.
const ITS_OWN: [&str; 2] = ["permalink", "slug"];

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let program = tree.files.keys().find(|path| is_program(path)).cloned();
    let holds_texts = tree.files.keys().any(|path| ending(path).1 == "md");
    if !holds_texts {
        return Err("no site of Eleventy: no Markdown file is in it".into());
    }
    let mut source = Source::new("a site of Eleventy", FORMS, translate);
    let input = input(tree, program.as_deref());
    if let Some(program) = program {
        source.note("its settings are a program, which was not run: filters, collections and copied folders are not known from it", program);
    }
    let data_folder = format!("{input}_data/");
    let names = ["metadata", "site", "meta", "config"];
    let file = names
        .iter()
        .flat_map(|name| {
            ["json", "yaml", "yml", "toml"].map(|ending| format!("{data_folder}{name}.{ending}"))
        })
        .find(|path| tree.has(path));
    let settings = file
        .as_ref()
        .and_then(|file| data::of_file(file, &tree.text(file)?))
        .unwrap_or_default();
    source.take_settings(
        &settings,
        "url",
        &[
            ("title", "title"),
            ("name", "title"),
            ("description", "description"),
            ("language", "language"),
            ("lang", "language"),
            ("author", "authors"),
            ("authors", "authors"),
            ("copyright", "copyright"),
        ],
    );
    if let Some(file) = file {
        let name = ending(split(&file).1).0.to_owned();
        source.values.insert(name, settings.clone().into());
        let read = [
            "url",
            "title",
            "name",
            "description",
            "language",
            "lang",
            "author",
            "authors",
            "copyright",
        ];
        source.left_settings(&settings, &read, &file);
    }
    let others: Vec<String> = tree
        .below(&data_folder)
        .filter(|path| matches!(ending(path).1, "js" | "cjs" | "mjs"))
        .cloned()
        .collect();
    others
        .into_iter()
        .for_each(|path| source.note("data that a program makes were not read", path));
    source.roots = [&*input, "", "public/", "static/"]
        .map(str::to_owned)
        .to_vec();
    if !input.is_empty() {
        source
            .roots
            .extend(["public/", "static/", "assets/"].map(|folder| format!("{input}{folder}")));
    }
    texts(tree, &input, &mut source);
    Ok(source)
}

fn is_program(path: &str) -> bool {
    matches!(
        path,
        ".eleventy.js" | "eleventy.config.js" | "eleventy.config.mjs" | "eleventy.config.cjs"
    )
}

/// The folder of texts, as the settings say in so many words.
fn input(tree: &mut Tree, program: Option<&str>) -> String {
    let text = program
        .and_then(|program| tree.text(program))
        .unwrap_or_default();
    let said = text.split("input:").nth(1).and_then(|rest| {
        let rest = rest.trim_start();
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`'))?;
        rest[1..].split(quote).next()
    });
    let folder = said
        .and_then(|folder| joined("", folder))
        .unwrap_or_default();
    let folder = if folder.is_empty() {
        folder
    } else {
        format!("{folder}/")
    };
    if tree.below(&folder).next().is_some() {
        folder
    } else {
        String::new()
    }
}

fn texts(tree: &mut Tree, input: &str, source: &mut Source) {
    let paths: Vec<String> = tree.below(input).cloned().collect();
    for path in &paths {
        let inner = path.strip_prefix(input).unwrap_or(path);
        let name = split(inner).1;
        match ending(name).1 {
            "md" | "markdown" => {}
            "html" | "njk" | "liquid" | "hbs" | "ejs" | "webc" | "pug" | "haml" => {
                if !inner.split('/').any(|part| part.starts_with('_')) {
                    source.note(
                        "a page that is a template was left out: the theme has its own",
                        path.as_str(),
                    );
                }
                continue;
            }
            _ => continue,
        }
        let is_apart = inner.split('/').any(|part| part.starts_with('_'))
            || split(inner).0.is_empty() && is_about_code(name);
        if is_apart {
            continue;
        }
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        let own: Vec<String> = text.fields.keys().cloned().collect();
        inherit(&mut text, tree, input, source);
        let stem = text.stem().to_owned();
        let stem = dated(&stem).map_or_else(
            || stem.clone(),
            |(day, rest)| {
                text.date = Some(day.to_owned());
                rest.to_owned()
            },
        );
        let date = data::text_at(&text.fields, "date").unwrap_or_default();
        if matches!(
            &*date,
            "git Last Modified" | "Last Modified" | "Created" | "git Created"
        ) {
            text.fields.remove("date");
            source.note(format!("`date: {date}` names no day"), path.as_str());
        }
        let tags = data::get(&text.fields, "tags")
            .cloned()
            .map(data::texts)
            .unwrap_or_default();
        let folders: Vec<&str> = split(inner).0.split('/').collect();
        let in_series = tags
            .iter()
            .map(String::as_str)
            .chain(folders.first().copied())
            .any(|name| SERIES.contains(&name));
        text.is_page = !in_series;
        // What makes a collection is no tag of a text.
        let tags: Vec<String> = tags
            .into_iter()
            .filter(|tag| !SERIES.contains(&tag.as_str()) && tag != "all" && tag != "nav")
            .collect();
        text.fields.remove("tags");
        text.fields
            .extend((!tags.is_empty()).then(|| ("tags".to_owned(), tags.into())));
        text.segment = Some(if stem.is_empty() {
            "index".to_owned()
        } else {
            stem.clone()
        });
        text.address = address(&text, inner, &stem, source);
        let slug = data::text_at(&text.fields, "slug");
        for key in ITS_OWN {
            data::take(&mut text.fields, &[key]);
        }
        text.segment = slug.or(text.segment);
        text.aliases = aliases(&mut text.fields, &["aliases", "redirect_from"], "");
        // How a folder's texts look is nothing that their author wrote in them.
        text.fields
            .retain(|key, _| key != "layout" || own.contains(key));
        if text
            .address
            .as_deref()
            .is_some_and(|address| key(address).is_empty() || key(address) == "404")
        {
            source.note(
                "a page that is a template was left out: the theme has its own",
                path.as_str(),
            );
            continue;
        }
        source.texts.push(text);
    }
}

fn is_about_code(name: &str) -> bool {
    let name = name.to_uppercase();
    [
        "README",
        "LICENSE",
        "CHANGELOG",
        "CONTRIBUTING",
        "CODE_OF_CONDUCT",
    ]
    .iter()
    .any(|known| name.starts_with(known))
}

/// Values from the data files of its folders and its own, the nearest first.
fn inherit(text: &mut Text, tree: &mut Tree, input: &str, source: &mut Source) {
    let path = text.path.clone();
    let (folder, name) = split(&path);
    let mut stems = vec![joined(folder, ending(name).0).unwrap_or_default()];
    let mut at = folder;
    while at.len() >= input.trim_end_matches('/').len() && !at.is_empty() {
        stems.push(format!("{at}/{}", split(at).1));
        at = split(at).0;
    }
    let mut tags = data::get(&text.fields, "tags")
        .cloned()
        .map(data::list)
        .unwrap_or_default();
    for stem in stems {
        for ending in ["json", "11tydata.json"] {
            let file = format!("{stem}.{ending}");
            let held = if tree.has(&file) {
                tree.text(&file)
                    .and_then(|text| data::of_file(&file, &text))
            } else {
                None
            };
            for (key, value) in held.unwrap_or_default() {
                if key == "tags" {
                    tags.extend(data::list(value));
                } else {
                    text.fields.entry(key).or_insert(value);
                }
            }
        }
        for ending in ["11tydata.js", "11tydata.cjs", "11tydata.mjs"] {
            let file = format!("{stem}.{ending}");
            if tree.has(&file) {
                // Such a file says mostly one thing: what makes these texts a collection.
                let said = tree.text(&file).unwrap_or_default();
                let named = SERIES.iter().filter(|name| {
                    said.contains(&format!("\"{name}\"")) || said.contains(&format!("'{name}'"))
                });
                tags.extend(named.map(|name| Value::from(*name)));
                source.note("data that a program makes were not read", file);
            }
        }
    }
    if !tags.is_empty() {
        text.fields.insert("tags".into(), tags.into());
    }
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
    let end = if path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.contains('.'))
        || path.is_empty()
    {
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
    liquid::simple(tag)
}
