//! The values that a content file inherits from data files, layouts and JavaScript. Some of these
//! values prevent the content file from getting a page.

use serde_json::Value;

use super::project::{PROGRAMS, Project};
use super::script::{AbstractValue, UNKNOWN, of_data};
use crate::folder::front;
use crate::folder::source::{Source, Text, without_day};
use crate::folder::tree::{Tree, ending, joined, split};

/// Keys of layouts and global data that decide whether a content file has a page.
const VISIBILITY_KEYS: [&str; 4] =
    ["permalink", "draft", "eleventyExcludeFromCollections", "eleventyComputed"];
/// A string whose content is unknown.
const TEXT: AbstractValue<'static> = AbstractValue::Vague(None, true);

/// Adds inherited values to a content file, and hides it if it has no page. The nearest value takes
/// precedence. Returns whether collections exclude the content file.
pub fn inherit(
    text: &mut Text,
    tree: &mut Tree,
    project: &Project<'_>,
    source: &mut Source,
) -> bool {
    let mut data = with_list(AbstractValue::of(&text.fields.clone().into()));
    for key in &text.empty {
        data = data.with(key, AbstractValue::Is(Value::Null));
    }
    for stem in stems(&text.path, project) {
        for suffix in &project.folders.suffixes {
            for kind in ["json", "yaml", "yml", "toml", "js", "cjs", "mjs"] {
                let file = format!("{stem}{suffix}.{kind}");
                let is_program = PROGRAMS.contains(&kind);
                // Without the suffix, a JavaScript file is a script for browsers, not a data file.
                if !tree.has(&file) || is_program && suffix.is_empty() {
                    continue;
                }
                let value = match is_program {
                    true => exported(project, &file),
                    false => of_data(tree, &file),
                };
                if is_program {
                    source.note("a JavaScript data file was not run", &*file);
                }
                if !matches!(value, Some(AbstractValue::Object(_))) {
                    source.note("the data in this file cannot be determined", &*file);
                    text.hide(format!("the data in {file} cannot be determined"));
                }
                data = data.merged(&with_list(value.unwrap_or(UNKNOWN)));
            }
        }
    }
    copy_known(text, &data, &|_| true);
    data = layouts(text, data, tree, project);
    data = data.merged(&project.globals);
    copy_known(text, &data, &|key| VISIBILITY_KEYS.contains(&key));
    hide(text, with_page(data, text, project, source), project, source)
}

/// Returns the data that a program exports for content files.
fn exported<'t>(project: &Project<'t>, file: &str) -> Option<AbstractValue<'t>> {
    let value = project.library.exports(file)?.value();
    Some(value.called(&[UNKNOWN]))
}

/// Converts a single tag to a list of tags.
fn with_list(data: AbstractValue<'_>) -> AbstractValue<'_> {
    let AbstractValue::Object(object) = &data else {
        return data;
    };
    match object.fields.get("tags") {
        Some(tag @ AbstractValue::Is(Value::String(_))) => {
            data.with("tags", AbstractValue::List(vec![tag.clone()].into()))
        }
        _ => data,
    }
}

/// Copies known values of inherited data to the front matter of a content file.
fn copy_known(text: &mut Text, data: &AbstractValue<'_>, is_kept: &dyn Fn(&str) -> bool) {
    let AbstractValue::Object(object) = data else {
        return;
    };
    let fields = object.fields.iter().filter(|(key, _)| is_kept(key));
    let known = fields.filter_map(|(key, value)| Some((key.clone(), value.json()?)));
    text.fields.extend(known.filter(|(_, value)| !value.is_null()));
}

/// Returns the paths of the data files for a content file and for its folders, without suffixes and
/// extensions.
fn stems(path: &str, project: &Project<'_>) -> Vec<String> {
    let (folder, name) = split(path);
    let mut stems = vec![joined(folder, ending(name).0).unwrap_or_default()];
    let input = project.folders.input.trim_end_matches('/');
    let base_name = &project.folders.base_name;
    let mut at = folder;
    while at.len() >= input.len() && !at.is_empty() {
        let name = base_name.as_deref().unwrap_or(split(at).1);
        stems.push(format!("{at}/{name}"));
        at = split(at).0;
    }
    if input.is_empty() {
        stems.extend(base_name.clone());
    }
    stems
}

/// Adds the values that a content file inherits from its layouts.
fn layouts<'t>(
    text: &mut Text,
    mut data: AbstractValue<'t>,
    tree: &mut Tree,
    project: &Project<'t>,
) -> AbstractValue<'t> {
    let mut layout = data.member("layout");
    if layout.is_undefined() {
        layout = project.globals.member("layout");
    }
    let mut seen = Vec::new();
    loop {
        let name = match &layout {
            AbstractValue::Is(Value::String(name)) => {
                project.aliases.get(name).unwrap_or(name).clone()
            }
            AbstractValue::Vague(..) | AbstractValue::Function(_) => {
                text.hide("JavaScript computes its layout, which cannot be determined");
                return data;
            }
            _ => return data,
        };
        let places = [&project.folders.layouts, &project.folders.includes];
        let path = places.into_iter().find_map(|folder| {
            let bare = format!("{folder}{name}");
            let with_ending = [
                "njk", "liquid", "html", "md", "hbs", "ejs", "webc", "pug", "haml", "mustache",
                "11ty.js", "11ty.cjs", "11ty.mjs",
            ]
            .map(|kind| format!("{bare}.{kind}"));
            std::iter::once(bare).chain(with_ending).find(|path| tree.has(path))
        });
        let Some(path) = path.filter(|path| !seen.contains(path)) else {
            let settings = project.settings.as_ref();
            if seen.is_empty()
                && settings.is_some_and(|one| one.calls("addTemplate").next().is_some())
            {
                text.hide(format!(
                    "its layout `{name}` may come from `addTemplate` in the settings"
                ));
            }
            return data;
        };
        let fields = match PROGRAMS.contains(&ending(&path).1) {
            true => exported(project, &path).map_or(UNKNOWN, |value| value.member("data")),
            false => {
                let whole = tree.text(&path).unwrap_or_default();
                front::read(&whole, front::Fences::Named)
                    .map_or(UNKNOWN, |front| AbstractValue::of(&front.fields.into()))
            }
        };
        layout = fields.member("layout");
        data = data.merged(&fields);
        copy_known(text, &data, &|key| VISIBILITY_KEYS.contains(&key));
        seen.push(path);
    }
}

/// Adds the known data that Eleventy itself provides for the page of a content file.
fn with_page<'t>(
    data: AbstractValue<'t>,
    text: &Text,
    project: &Project<'t>,
    source: &Source,
) -> AbstractValue<'t> {
    let known = |text: &str| AbstractValue::Is(text.into());
    let inner = text.path.strip_prefix(&project.folders.input).unwrap_or(&text.path);
    let (folder, name) = split(inner);
    let stem = joined(folder, without_day(ending(name).0)).unwrap_or_default();
    let mut page = vec![
        ("inputPath".to_owned(), known(&format!("./{}", text.path))),
        ("filePathStem".to_owned(), known(&format!("/{stem}"))),
        ("fileSlug".to_owned(), known(without_day(text.stem()))),
    ];
    let at = text.moment(&source.zone).and_then(|at| at.to_zoned(source.zone.clone()).ok());
    page.extend(at.map(|at| {
        let number = Value::from(at.timestamp().as_millisecond());
        ("date".to_owned(), AbstractValue::Is(number))
    }));
    let env = AbstractValue::object([("runMode".to_owned(), known("build"))], false);
    let data = data.with("eleventy", AbstractValue::object([("env".to_owned(), env)], false));
    let data = data.with("page", AbstractValue::object(page, false));
    let data = data.with("collections", UNKNOWN).with("pkg", UNKNOWN);
    match &project.settings {
        Some(settings) => settings.with_changes(data),
        None => data,
    }
}

/// Hides a content file that has no page. Returns whether collections exclude the content file.
fn hide<'t>(
    text: &mut Text,
    mut data: AbstractValue<'t>,
    project: &Project<'t>,
    source: &mut Source,
) -> bool {
    for (function, place) in &project.preprocessors {
        match function.called(&[data.clone(), TEXT]) {
            AbstractValue::Is(Value::Bool(false)) => {
                text.hide(format!("the preprocessor at {place} excludes this file"))
            }
            AbstractValue::Vague(_, false) => {
                text.hide(format!("the preprocessor at {place} may exclude this file"))
            }
            _ => {}
        }
    }
    let computed = data.member("eleventyComputed");
    let own = data.clone();
    if let AbstractValue::Object(computed) = &computed {
        data = computed.fields.keys().fold(data, |data, key| data.with(key, UNKNOWN));
        // Each value is computed twice, because it may depend on the values of later keys.
        for key in computed.fields.keys().chain(computed.fields.keys()) {
            let before = data.with(key, own.member(key));
            let value = match &computed.fields[key] {
                function @ AbstractValue::Function(_) => function.called(&[before]),
                // The string is a template, and its result is unknown.
                AbstractValue::Is(Value::String(_)) => TEXT,
                AbstractValue::Object(_) => UNKNOWN,
                value => value.clone(),
            };
            data = data.with(key, value);
        }
    }
    let permalink = match computed.member("permalink") {
        AbstractValue::Undefined => own.member("permalink"),
        value => value,
    };
    let before = data.with("permalink", own.member("permalink"));
    judge(text, &permalink, &before, source);
    if !matches!(computed, AbstractValue::Object(_) | AbstractValue::Undefined) {
        text.hide("`eleventyComputed` cannot be determined");
    }
    if !own.member("pagination").is_undefined() {
        text.hide("it uses `pagination`, which may generate several pages or none");
    }
    data.member("eleventyExcludeFromCollections").truth() != Some(false)
}

/// Hides a content file if its permalink disables the page, or if it may disable the page.
fn judge<'t>(
    text: &mut Text,
    permalink: &AbstractValue<'t>,
    data: &AbstractValue<'t>,
    source: &mut Source,
) {
    let (mut value, mut place) = (permalink.clone(), None);
    // A permalink function can return another function. Functions are called up to three levels
    // deep.
    for _ in 0..3 {
        if let AbstractValue::Function(function) = &value {
            place.get_or_insert_with(|| function.script().place(function.node));
            value = value.called(std::slice::from_ref(data));
        }
    }
    match (&value, place) {
        (AbstractValue::Object(table), _) => match value.member("build") {
            AbstractValue::Undefined if table.fields.is_empty() => {}
            AbstractValue::Undefined => text.hide("its `permalink` disables its page"),
            build => judge(text, &build, data, source),
        },
        (AbstractValue::Undefined, _) => {}
        (AbstractValue::Is(Value::String(template)), None) => {
            if template.contains("{%") && template.contains("false") {
                text.hide(format!(
                    "its `permalink` is a template that may disable its page: `{template}`"
                ));
            }
        }
        (AbstractValue::Is(Value::String(address)), Some(_)) if !address.is_empty() => {
            text.fields.insert("permalink".into(), address.as_str().into());
        }
        (AbstractValue::Is(_), None) => text.hide("`permalink: false`"),
        (AbstractValue::Is(_), Some(place)) => {
            text.hide(format!("the code at {place} disables its page"))
        }
        (AbstractValue::Vague(Some(true), true), place) => {
            let place = place.unwrap_or_else(|| text.path.clone());
            // The page exists, but its address is unknown.
            text.fields.insert("permalink".into(), false.into());
            source
                .note("JavaScript computes an address: its pages get no redirects from their former addresses", place);
        }
        (_, Some(place)) => text.hide(format!("the code at {place} may disable its page")),
        _ => text.hide("JavaScript decides whether it has a page"),
    }
}
