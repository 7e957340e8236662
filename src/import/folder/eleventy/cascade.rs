//! The values that a text gets from data files, layouts and JavaScript.

use serde_json::Value;

use super::program::{Program, literals};
use super::project::Project;
use super::script::is_false;
use crate::import::folder::data::{self, Data};
use crate::import::folder::front;
use crate::import::folder::hugo::SERIES;
use crate::import::folder::source::{Source, Text};
use crate::import::folder::tree::{Tree, ending, joined, split};

/// Keys of a layout's front matter that decide whether a text has a page.
const OF_LAYOUTS: [&str; 4] = [
    "permalink",
    "draft",
    "eleventyExcludeFromCollections",
    "eleventyComputed",
];

/// The JavaScript data files of a text, nearest first.
pub type Programs = Vec<Program>;

/// Adds inherited values to a text, the nearest first.
pub fn inherit(
    text: &mut Text,
    tree: &mut Tree,
    project: &Project,
    source: &mut Source,
) -> Programs {
    let mut programs = Programs::new();
    let mut tags = data::get(&text.fields, "tags")
        .cloned()
        .map(data::list)
        .unwrap_or_default();
    for stem in stems(&text.path, project) {
        for suffix in &project.suffixes {
            for kind in ["json", "yaml", "yml", "toml"] {
                let file = format!("{stem}{suffix}.{kind}");
                if tree.has(&file) && !file.eq_ignore_ascii_case(&text.path) {
                    held(text, tree, &file, &mut tags, source);
                }
            }
            for kind in ["js", "cjs", "mjs"] {
                let file = format!("{stem}{suffix}.{kind}");
                // Scripts for browsers have names without the suffix.
                if suffix.is_empty() || !tree.has(&file) {
                    continue;
                }
                let said = tree.text(&file).unwrap_or_default();
                let named = SERIES.iter().filter(|name| {
                    said.contains(&format!("\"{name}\"")) || said.contains(&format!("'{name}'"))
                });
                // Such a file usually names the collection of its folder.
                tags.extend(named.map(|name| Value::from(*name)));
                source.note("a JavaScript data file was not run", &*file);
                programs.push(Program::new(&file, &said));
            }
        }
    }
    for kind in ["js", "cjs", "mjs"] {
        let file = format!("{}eleventyComputed.{kind}", project.data);
        if tree.has(&file) {
            let said = tree.text(&file).unwrap_or_default();
            programs.push(Program::new(&file, &said));
        }
    }
    layouts(text, tree, project);
    for key in OF_LAYOUTS {
        for kind in ["json", "yaml", "yml"] {
            let file = format!("{}{key}.{kind}", project.data);
            let value = tree.has(&file).then(|| tree.text(&file)).flatten();
            let value = value.and_then(|text| serde_json::from_str::<Value>(&text).ok());
            if let Some(value) = value {
                text.fields.entry(key).or_insert(value);
            }
        }
    }
    if !tags.is_empty() {
        text.fields.insert("tags".into(), tags.into());
    }
    programs
}

fn held(text: &mut Text, tree: &mut Tree, file: &str, tags: &mut Vec<Value>, source: &mut Source) {
    let read = tree
        .text(file)
        .and_then(|inner| data::of_file(file, &inner));
    let Some(mut read) = read else {
        source.note("these data cannot be read", file);
        text.hide(format!("{file} cannot be read"));
        return;
    };
    let own = data::take(&mut read, &["tags"]);
    tags.extend(own.map(data::list).unwrap_or_default());
    for (key, value) in read {
        match (text.fields.get_mut(&key), value) {
            (Some(Value::Object(own)), Value::Object(value)) => {
                for (key, value) in value {
                    own.entry(key).or_insert(value);
                }
            }
            (Some(_), _) => {}
            (None, value) => drop(text.fields.insert(key, value)),
        }
    }
}

/// The data files of a text and of its folders, without suffix and extension.
fn stems(path: &str, project: &Project) -> Vec<String> {
    let (folder, name) = split(path);
    let mut stems = vec![joined(folder, ending(name).0).unwrap_or_default()];
    let input = project.input.trim_end_matches('/');
    let mut at = folder;
    while at.len() >= input.len() && !at.is_empty() {
        let name = project.base_name.as_deref().unwrap_or(split(at).1);
        stems.push(format!("{at}/{name}"));
        at = split(at).0;
    }
    if input.is_empty() {
        stems.extend(project.base_name.clone());
    }
    stems
}

/// Adds the values about a text's page from the front matter of its layouts.
fn layouts(text: &mut Text, tree: &mut Tree, project: &Project) {
    let mut layout = data::text_at(&text.fields, "layout");
    let mut seen = Vec::new();
    while let Some(name) = layout.take() {
        let name = project.aliases.get(&name).unwrap_or(&name).clone();
        let places = [&project.layouts, &project.includes];
        let path = places.into_iter().find_map(|folder| {
            let bare = format!("{folder}{name}");
            let with_ending = [
                "njk", "liquid", "html", "md", "hbs", "ejs", "webc", "pug", "haml", "mustache",
            ]
            .map(|kind| format!("{bare}.{kind}"));
            std::iter::once(bare)
                .chain(with_ending)
                .find(|path| tree.has(path))
        });
        let Some(path) = path.filter(|path| !seen.contains(path)) else {
            return;
        };
        let read = tree
            .text(&path)
            .and_then(|whole| front::read(&whole, front::Fences::Named).ok());
        let fields = read.map(|front| front.fields).unwrap_or_default();
        for key in OF_LAYOUTS {
            if let Some(value) = fields.get(key) {
                text.fields.entry(key).or_insert_with(|| value.clone());
            }
        }
        layout = data::text_at(&fields, "layout");
        seen.push(path);
    }
}

/// Hides a text if its front matter or JavaScript gives it no page.
pub fn hide(text: &mut Text, programs: &Programs, project: &Project, source: &Source) {
    let computed = data::at(&text.fields, "eleventyComputed.permalink").cloned();
    let own = data::get(&text.fields, "permalink").cloned();
    for permalink in [own.clone(), computed].into_iter().flatten() {
        match &permalink {
            Value::Bool(false) => text.hide("`permalink: false`"),
            Value::Object(table) => match data::get(table, "build") {
                Some(build) if !data::is_no(build) => {}
                _ if table.is_empty() => {}
                _ => text.hide("its `permalink` disables its page"),
            },
            Value::String(template) if template.contains("{%") && template.contains("false") => {
                text.hide(format!(
                    "its `permalink` is decided by a template: `{template}`"
                ));
            }
            _ => {}
        }
    }
    let known = data_of(text, project, source);
    // A function from elsewhere.
    let is_name = |value: &str| {
        value
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
    };
    let mut judge = |value: &str, program: &Program| {
        let verdict = is_false(value, &program.code, &known);
        if verdict == Some(false) {
            return;
        }
        if value.trim() == "false" {
            text.hide(format!("`permalink: false` in {}", program.path));
        } else if let Some(key) = decides(value, &text.fields) {
            text.hide(format!(
                "`{key}`, by which {} decides what to publish",
                program.path
            ));
        } else if verdict == Some(true) || value.contains("false") || is_name(value.trim()) {
            text.hide(format!(
                "{} decides that it has no page, or may do so",
                program.path
            ));
        }
    };
    let of_settings = project.settings.as_ref();
    for program in programs.iter().chain(of_settings) {
        // Front matter comes before data, and computed data before both.
        let is_computed =
            program.code.contains("eleventyComputed") || program.path.contains("eleventyComputed");
        if own.is_none() || is_computed {
            let values = program.values_of("permalink");
            values.into_iter().for_each(|value| judge(&value, program));
        }
    }
    if let Some(settings) = of_settings {
        let preprocessors = settings.preprocessors();
        preprocessors
            .into_iter()
            .for_each(|value| judge(value, settings));
    }
}

/// The data of a text as programs see them, as far as they are known.
fn data_of(text: &Text, project: &Project, source: &Source) -> Value {
    let mut known: Data = source.values.clone();
    known.extend(text.fields.clone());
    let inner = text.path.strip_prefix(&project.input).unwrap_or(&text.path);
    let mut page = Data::from_iter([
        (
            "inputPath".to_owned(),
            Value::from(format!("./{}", text.path)),
        ),
        (
            "filePathStem".to_owned(),
            Value::from(format!("/{}", ending(inner).0)),
        ),
        ("fileSlug".to_owned(), Value::from(text.stem())),
    ]);
    let at = text
        .moment(&source.zone)
        .and_then(|at| at.to_zoned(source.zone.clone()).ok());
    page.extend(at.map(|at| {
        (
            "date".to_owned(),
            Value::from(at.timestamp().as_millisecond()),
        )
    }));
    known.insert("page".to_owned(), page.into());
    let mode = serde_json::json!({ "env": { "runMode": "build" } });
    known.insert("eleventy".to_owned(), mode);
    known.into()
}

/// Returns the key of a text for which an expression may be false, so that the text has no page.
fn decides(code: &str, fields: &Data) -> Option<String> {
    if !code.contains("false") {
        return None;
    }
    let program = Program {
        path: String::new(),
        code: code.to_owned(),
    };
    let words = literals(code);
    let named =
        |name: &str| !matches!(name, "permalink" | "title" | "layout") && program.names(name);
    let found = fields.iter().find(|(name, value)| {
        let is_set = match value {
            Value::Bool(is_set) => {
                let is_showing =
                    name.starts_with("publish") || *name == "public" || *name == "visible";
                *is_set != is_showing
            }
            value => {
                let mut texts = data::texts((*value).clone()).into_iter();
                texts.any(|text| words.contains(&text))
            }
        };
        is_set && named(name)
    });
    found.map(|(name, _)| name.clone())
}
