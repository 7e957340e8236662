//! Hugo: `content/`, sections, bundles, permalinks, shortcodes.

mod authors;
mod shortcodes;

use std::collections::{HashMap, HashSet};

use jiff::tz::TimeZone;
use serde_json::Value;

use super::data::{self, Data};
use super::fields::aliases;
use super::slug;
use super::source::{Source, Text, dated, expanded, of_day};
use super::tags::Form;
use super::tree::{Tree, ending, joined, split};
use crate::import::naming::key;

const FORMS: &[Form] = &[("{{<", ">}}"), ("{{%", "%}}")];
/// Sections of items by their usual names.
pub const SERIES: [&str; 14] = [
    "posts", "post", "blog", "blogs", "article", "articles", "news", "episodes", "episode",
    "podcast", "podcasts", "journal", "til", "links",
];
const READ: &[&str] = &[
    "baseurl",
    "title",
    "languagecode",
    "defaultcontentlanguage",
    "defaultcontentlanguageinsubdir",
    "languages",
    "copyright",
    "timezone",
    "permalinks",
    "taxonomies",
    "menu",
    "menus",
    "uglyurls",
    "contentdir",
    "staticdir",
    "params",
    "author",
    "theme",
    "paginate",
    "pagination",
];

/// How the site is set up.
struct Setup {
    data: Data,
    /// Languages, the usual one first, and the folder of each.
    languages: Vec<(String, Option<String>)>,
    in_subfolder: bool,
}

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let data = settings(tree);
    if data.is_empty() && tree.below("content/").next().is_none() {
        return Err(
            "no site of Hugo: it has neither hugo.toml nor config.toml nor a folder content".into(),
        );
    }
    let mut source = Source::new("a site of Hugo", FORMS, shortcodes::translate);
    let setup = Setup::of(data);
    source.authors = authors::read(tree);
    let first = setup
        .languages
        .first()
        .map(|(name, _)| format!("languages.{name}."));
    let of_language = first.unwrap_or_default();
    let titled = format!("{of_language}title");
    source.take_settings(
        &setup.data,
        "baseurl",
        &[
            ("title", "title"),
            (&titled, "title"),
            ("params.description", "description"),
            ("params.subtitle", "description"),
            ("languagecode", "language"),
            ("defaultcontentlanguage", "language"),
            ("copyright", "copyright"),
            ("params.author", "authors"),
            ("params.authors", "authors"),
            ("author", "authors"),
        ],
    );
    let zone = data::text_at(&setup.data, "timezone").and_then(|name| TimeZone::get(&name).ok());
    source.zone = zone.unwrap_or(TimeZone::UTC);
    source.values = setup
        .data
        .get("params")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    if let Some(Value::Object(taxonomies)) = data::get(&setup.data, "taxonomies") {
        let plural = taxonomies
            .values()
            .filter_map(data::text)
            .filter(|name| !matches!(&**name, "authors" | "author"));
        source.taxonomies = plural.collect();
    }
    let folders = data::get(&setup.data, "staticdir")
        .cloned()
        .map(data::texts)
        .unwrap_or_else(|| vec!["static".into()]);
    source.roots = folders
        .iter()
        .map(|folder| format!("{}/", folder.trim_matches('/')))
        .chain(["assets/".to_owned()])
        .collect();
    texts(tree, &setup, &mut source);
    menus(&setup, &mut source);
    let paged = ["paginate", "pagination.pagersize"]
        .iter()
        .find_map(|key| data::at(&setup.data, key)?.as_u64());
    source
        .settings
        .extend(paged.map(|count| ("items_per_page", count.to_string())));
    let left = source.values.keys().filter(|key| {
        ![
            "description",
            "subtitle",
            "author",
            "authors",
            "mainsections",
        ]
        .contains(&&*key.to_lowercase())
    });
    let left: Vec<String> = left.map(|key| format!("`params.{key}`")).collect();
    source.left_settings(&setup.data.clone(), READ, "the settings");
    if !left.is_empty() {
        source.note(
            format!(
                "settings of the theme that have no place here: {}",
                left.join(", ")
            ),
            "the settings",
        );
    }
    Ok(source)
}

/// `hugo.toml` or `config.toml`, and what lies in `config/_default/`, a file each key.
fn settings(tree: &mut Tree) -> Data {
    let mut data = Data::new();
    let names: Vec<String> = tree
        .files
        .keys()
        .filter(|path| {
            let (folder, name) = split(path);
            let is_root = folder.is_empty() && matches!(ending(name).0, "hugo" | "config");
            (is_root || folder == "config/_default")
                && matches!(ending(name).1, "toml" | "yaml" | "yml" | "json")
        })
        .cloned()
        .collect();
    for path in names {
        let Some(found) = tree
            .text(&path)
            .and_then(|text| data::of_file(&path, &text))
        else {
            tree.notes.push(crate::import::found::Note::new(
                "these settings cannot be read",
                path,
            ));
            continue;
        };
        match ending(split(&path).1).0 {
            "hugo" | "config" => data.extend(found),
            name => {
                let name = name
                    .split_once('.')
                    .map_or(name.to_owned(), |(key, language)| {
                        format!("{key}.{language}")
                    });
                data.insert(name, found.into());
            }
        }
    }
    data
}

impl Setup {
    fn of(data: Data) -> Self {
        let usual = data::text_at(&data, "defaultcontentlanguage").unwrap_or_else(|| "en".into());
        let named = data::get(&data, "languages")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        let mut languages: Vec<(String, Option<String>)> = named
            .iter()
            .map(|(name, language)| {
                let folder = language
                    .as_object()
                    .and_then(|language| data::text_at(language, "contentdir"));
                (
                    name.clone(),
                    folder.map(|folder| format!("{}/", folder.trim_matches('/'))),
                )
            })
            .collect();
        languages.sort_by_key(|(name, _)| *name != usual);
        let in_subfolder = data::get(&data, "defaultcontentlanguageinsubdir")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        Self {
            data,
            languages,
            in_subfolder,
        }
    }

    /// The path of a text in its content folder, and its language.
    fn place(&self, path: &str) -> Option<(String, Option<&str>)> {
        let own = self.languages.iter().find_map(|(name, folder)| {
            Some((
                path.strip_prefix(folder.as_deref()?)?.to_owned(),
                Some(name.as_str()),
            ))
        });
        let base = data::text_at(&self.data, "contentdir").unwrap_or_else(|| "content".into());
        let (inner, language) = own.or_else(|| {
            let inner = path.strip_prefix(&format!("{}/", base.trim_matches('/')))?;
            Some((
                inner.to_owned(),
                self.languages.first().map(|(name, _)| name.as_str()),
            ))
        })?;
        let (stem, kind) = ending(&inner);
        let suffix = stem.rsplit_once('.').and_then(|(stem, suffix)| {
            let known = self.languages.iter().find(|(name, _)| name == suffix)?;
            Some((format!("{stem}.{kind}"), Some(known.0.as_str())))
        });
        Some(suffix.unwrap_or((inner, language)))
    }
}

/// A text with its place: its path below the content folder, and its section.
struct Placed {
    text: Text,
    inner: String,
    section: String,
}

fn texts(tree: &mut Tree, setup: &Setup, source: &mut Source) {
    let paths: Vec<String> = tree.files.keys().cloned().collect();
    let is_bundle = |path: &&String| {
        let (stem, kind) = ending(split(path).1);
        stem.split('.').next() == Some("index") && matches!(kind, "md" | "html" | "markdown")
    };
    let bundles = paths.iter().filter(is_bundle).map(|path| split(path).0);
    let bundles = bundles.filter(|folder| folder.contains('/'));
    let bundles: HashSet<&str> = bundles.collect();
    let mut placed = Vec::new();
    for path in &paths {
        let Some((inner, language)) = setup.place(path) else {
            continue;
        };
        let (folder, name) = split(&inner);
        match ending(name).1 {
            "md" | "markdown" | "html" | "htm" => {}
            "org" | "adoc" | "asciidoc" | "rst" | "pandoc" => {
                source.note("a text that is no Markdown was left out", path.as_str());
                continue;
            }
            _ => continue,
        }
        let is_index = ending(name).0 == "index";
        let own = split(path).0;
        // A bundle's own text lies in it; other texts below belong to it.
        let above = if is_index { split(own).0 } else { own };
        let is_inside = folders_of(above).any(|folder| bundles.contains(folder));
        if is_inside {
            source.note(
                "a text in the bundle of another one has no page of its own, and was left out",
                path.as_str(),
            );
            continue;
        }
        let is_list = ending(name).0 == "_index";
        let prefix = format!("{}/", split(path).0);
        let is_alone = is_list && is_alone(tree, &prefix);
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        if is_list && (folder.is_empty() || !is_alone || text.body.trim().is_empty()) {
            source.left_list(&text);
            continue;
        }
        if is_index {
            text.folder = Some(prefix);
        }
        text.language = language
            .filter(|language| {
                setup
                    .languages
                    .first()
                    .is_some_and(|(first, _)| first != language)
            })
            .map(str::to_owned);
        let logical = if is_index || is_list {
            folder.to_owned()
        } else {
            ending(&inner).0.to_owned()
        };
        let section = logical
            .split_once('/')
            .map_or("", |(first, _)| first)
            .to_owned();
        let key = data::take(&mut text.fields, &["translationkey"]);
        text.same = key.as_ref().and_then(data::text);
        text.same = text.same.or_else(|| Some(logical.clone()));
        text.date = dated(split(&logical).1).map(|(day, _)| day.to_owned());
        placed.push(Placed {
            text,
            inner: logical,
            section,
        });
    }
    let series = series(&placed, setup);
    for mut one in placed {
        let text = &mut one.text;
        text.is_page = !series.contains(&one.section);
        let address = address(text, &one.inner, &one.section, setup, source);
        let folder = split(address.trim_start_matches('/').trim_end_matches('/')).0;
        let folder = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        text.aliases = aliases(&mut text.fields, &["aliases"], &folder);
        let slug = data::take(&mut text.fields, &["slug"])
            .as_ref()
            .and_then(data::text);
        let name = split(&one.inner).1;
        text.segment = slug.or_else(|| Some(dated(name).map_or(name, |(_, rest)| rest).to_owned()));
        data::take(&mut text.fields, &["url"]);
        text.address = Some(address);
        source.texts.push(one.text);
    }
    source
        .redirects
        .push(("/index.xml".into(), "/rss.xml".into()));
    let taken: Vec<String> = source
        .texts
        .iter()
        .filter_map(|text| text.address.as_deref().map(key))
        .collect();
    for section in series.iter().filter(|section| !taken.contains(section)) {
        source.redirects.push((format!("/{section}/"), "/".into()));
        source
            .redirects
            .push((format!("/{section}/index.xml"), "/rss.xml".into()));
    }
}

/// A folder, and those that it lies in.
fn folders_of(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| {
        folder.contains('/').then(|| split(folder).0)
    })
}

/// Whether a folder holds one text.
pub fn is_alone(tree: &Tree, folder: &str) -> bool {
    let mut texts = tree.below(folder).filter(|path| ending(path).1 == "md");
    texts.next().is_some() && texts.next().is_none()
}

/// The sections whose texts are items: by name, by the settings, or since most of their texts have dates.
fn series(placed: &[Placed], setup: &Setup) -> Vec<String> {
    let main = data::at(&setup.data, "params.mainsections")
        .cloned()
        .map(data::texts)
        .unwrap_or_default();
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for one in placed.iter().filter(|one| !one.section.is_empty()) {
        let (all, with_date) = counts.entry(&one.section).or_default();
        *all += 1;
        *with_date +=
            usize::from(data::get(&one.text.fields, "date").is_some() || one.text.date.is_some());
    }
    let is_series = |name: &str, (all, with_date): (usize, usize)| {
        SERIES.contains(&&*name.to_lowercase())
            || main.iter().any(|one| one == name)
            || with_date * 2 > all
    };
    let mut series: Vec<String> = counts
        .into_iter()
        .filter(|(name, count)| is_series(name, *count))
        .map(|(name, _)| name.to_owned())
        .collect();
    series.sort();
    series
}

fn address(text: &Text, inner: &str, section: &str, setup: &Setup, source: &Source) -> String {
    let first = setup.languages.first().map(|(name, _)| name.as_str());
    let prefix = match (&text.language, first) {
        (Some(language), _) => format!("/{language}"),
        (None, Some(first)) if setup.in_subfolder => format!("/{first}"),
        _ => String::new(),
    };
    if let Some(url) = data::text_at(&text.fields, "url") {
        return match url.starts_with('/') {
            true => url,
            false => format!("{prefix}/{url}"),
        };
    }
    let (folder, name) = split(inner);
    let own = data::text_at(&text.fields, "slug").map(|slug| slug::hugo(&slug));
    let pattern = data::at(&setup.data, &format!("permalinks.page.{section}"))
        .or_else(|| data::at(&setup.data, &format!("permalinks.{section}")));
    let token = |token: &str| {
        let title = || data::text_at(&text.fields, "title").map(|title| slug::hugo(&title));
        match token {
            "section" => Some(section.to_owned()),
            "sections" => Some(slug::hugo(folder)),
            "title" => title(),
            "slug" => own.clone().or_else(title),
            "filename" | "contentbasename" => Some(slug::hugo(name)),
            "slugorfilename" | "slugorcontentbasename" => {
                own.clone().or_else(|| Some(slug::hugo(name)))
            }
            token => of_day(token, text.moment(&source.zone)?),
        }
    };
    let by_pattern = pattern
        .and_then(data::text)
        .and_then(|pattern| expanded(&pattern, &token));
    let path = by_pattern.unwrap_or_else(|| {
        let name = own.clone().unwrap_or_else(|| slug::hugo_path(name));
        let path = joined(&slug::hugo_path(folder), &name);
        format!("/{}", path.unwrap_or(name))
    });
    let ugly = data::get(&setup.data, "uglyurls").is_some_and(|ugly| match ugly {
        Value::Object(sections) => data::get(sections, section) == Some(&Value::Bool(true)),
        ugly => *ugly == Value::Bool(true),
    });
    let path = path.trim_end_matches('/');
    format!("{prefix}{path}{}", if ugly { ".html" } else { "/" })
}

fn menus(setup: &Setup, source: &mut Source) {
    let menus = ["menus", "menu"]
        .iter()
        .find_map(|key| data::get(&setup.data, key)?.as_object());
    let main = menus.and_then(|menus| data::get(menus, "main").or_else(|| menus.values().next()));
    for entry in main.cloned().map(data::list).unwrap_or_default() {
        let Value::Object(entry) = entry else {
            continue;
        };
        let Some(target) =
            data::text_at(&entry, "pageref").or_else(|| data::text_at(&entry, "url"))
        else {
            continue;
        };
        let place = key(&target);
        let is_page = |text: &Text| {
            text.is_page
                && text
                    .address
                    .as_deref()
                    .is_some_and(|address| key(address) == place)
        };
        if source.texts.iter().any(is_page) {
            let order = data::get(&entry, "weight")
                .and_then(Value::as_i64)
                .unwrap_or(0);
            source
                .navigation
                .insert(place, (data::text_at(&entry, "name"), order));
        } else if !place.is_empty() {
            source.note(format!("the menu's `{target}` is no Page"), "the settings");
        }
    }
}
