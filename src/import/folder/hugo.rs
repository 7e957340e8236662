//! Hugo: `content/`, sections, bundles, permalinks, shortcodes.

mod authors;
mod cascade;
mod dates;
mod feeds;
mod hidden;
mod segments;
mod setup;
mod shortcodes;

use std::collections::{HashMap, HashSet};

use jiff::tz::TimeZone;
use serde_json::Value;

use cascade::{Cascades, Target};
use dates::DateKeys;
use segments::Segments;
use setup::{Language, Setup, settings, texts_at};

use super::data;
use super::fields::aliases;
use super::markdown;
use super::shown::judged;
use super::slug;
use super::source::{Source, Text, dated, expanded, of_day};
use super::tags::Form;
use super::tree::{Tree, ending, is_markdown, joined, kind, split};
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
    "cascade",
    "frontmatter",
    "module",
    "outputs",
    "outputformats",
    "ignorefiles",
    "disablelanguages",
    "disablekinds",
    "builddrafts",
    "buildfuture",
    "buildexpired",
    "markup",
    "rendersegments",
    "segments",
];

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let data = settings(tree);
    if data.is_empty() && tree.below("content/").next().is_none() {
        return Err(
            "no site of Hugo: it has neither hugo.toml nor config.toml nor a folder content".into(),
        );
    }
    let mut source = Source::new("a site of Hugo", FORMS, shortcodes::translate);
    let setup = Setup::of(data, tree);
    source.authors = authors::read(tree);
    let first = setup.usual().map(|language| format!("languages.{}.", language.name));
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
    source.values =
        setup.data.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
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
    let folders = ["layouts/shortcodes/", "layouts/_shortcodes/"];
    (source.silent, source.deciding) = judged(tree, &folders, "Inner");
    texts(tree, &setup, &mut source);
    menus(&setup, &mut source);
    feeds::redirect(tree, &setup, &mut source);
    let paged = ["paginate", "pagination.pagersize"]
        .iter()
        .find_map(|key| data::at(&setup.data, key)?.as_u64());
    source.settings.extend(paged.map(|count| ("items_per_page", count.to_string())));
    let left = source.values.keys().filter(|key| {
        !["description", "subtitle", "author", "authors", "mainsections"]
            .contains(&&*key.to_lowercase())
    });
    let left: Vec<String> = left.map(|key| format!("`params.{key}`")).collect();
    source.left_settings(&setup.data.clone(), READ, "the settings");
    if !left.is_empty() {
        source.note(
            format!("settings of the theme that have no place here: {}", left.join(", ")),
            "the settings",
        );
    }
    Ok(source)
}

/// A text with its place: its path below the content folder, and its section.
struct Placed<'s> {
    text: Text,
    inner: String,
    section: String,
    language: Option<&'s Language>,
}

fn texts(tree: &mut Tree, setup: &Setup, source: &mut Source) {
    let (mut placed, cascades) = found(tree, setup, source);
    let date_keys = DateKeys::of(&setup.data);
    let names = date_keys.names();
    let segments = Segments::of(&setup.data);
    for one in &mut placed {
        let text = &mut one.text;
        let target = Target {
            inner: &one.inner,
            kind: kind_of(text, &one.inner),
            language: one.language.map(|language| language.name.as_str()),
        };
        let is_left = segments.leave_out(&target);
        let origins = cascades.apply(text, &target, setup, &names);
        if is_left {
            text.hide("`renderSegments` in the settings names no segment with it");
        }
        let read = date_keys.read(text, split(&one.inner).1, &source.zone);
        hidden::hide(text, &read, &origins, (setup, one.language), source);
    }
    placed.retain(|one| is_kept(tree, &one.text, source));
    let series = series(&placed, setup);
    for mut one in placed {
        let text = &mut one.text;
        text.is_page = !series.contains(&one.section);
        let address = address(text, &one.inner, (&one.section, one.language), setup, source);
        let folder = split(address.trim_start_matches('/').trim_end_matches('/')).0;
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        text.aliases = aliases(&mut text.fields, &["aliases"], &folder);
        let slug = data::take(&mut text.fields, &["slug"]).as_ref().and_then(data::text);
        let name = split(&one.inner).1;
        text.segment = slug.or_else(|| Some(dated(name).map_or(name, |(_, rest)| rest).to_owned()));
        data::take(&mut text.fields, &["url"]);
        text.address = Some(address);
        source.texts.push(one.text);
    }
    let taken: Vec<String> =
        source.texts.iter().filter_map(|text| text.address.as_deref().map(key)).collect();
    for section in series.iter().filter(|section| !taken.contains(section)) {
        source.redirects.push((format!("/{section}/"), "/".into()));
    }
}

/// The kind of a text's page, as in targets of cascades.
fn kind_of(text: &Text, inner: &str) -> &'static str {
    match (is_list(&text.path), inner) {
        (true, "") => "home",
        (true, _) => "section",
        (false, _) => "page",
    }
}

/// Whether a file is the text of a list: `_index.md`, `_index.de.md`.
fn is_list(path: &str) -> bool {
    split(path).1.split('.').next() == Some("_index")
}

/// Whether a text is imported. The text of a list is imported if the list has no other content.
fn is_kept(tree: &Tree, text: &Text, source: &mut Source) -> bool {
    if !is_list(&text.path) {
        return true;
    }
    let folder = format!("{}/", split(&text.path).0);
    let is_home = !folder.trim_end_matches('/').contains('/');
    let is_kept = !is_home && is_alone(tree, &folder) && !text.body.trim().is_empty();
    if !is_kept {
        source.left_list(text);
    }
    is_kept
}

/// Reads the texts of the content folders, and the cascades in their front matter.
fn found<'s>(
    tree: &mut Tree,
    setup: &'s Setup,
    source: &mut Source,
) -> (Vec<Placed<'s>>, Cascades) {
    let paths: Vec<String> = tree.files.keys().cloned().collect();
    let is_text = |path: &str| is_markdown(path) || matches!(&*kind(path), "html" | "htm");
    let is_bundle =
        |path: &&String| split(path).1.split('.').next() == Some("index") && is_text(path);
    let bundles = paths.iter().filter(is_bundle).map(|path| split(path).0);
    let bundles: HashSet<&str> = bundles.filter(|folder| folder.contains('/')).collect();
    let mut placed = Vec::new();
    let mut cascades = Cascades::new();
    for path in &paths {
        let Some(place) = setup.place(tree, path) else {
            continue;
        };
        if !is_text(path) {
            match &*kind(path) {
                "org" | "adoc" | "asciidoc" | "rst" | "pandoc" => {
                    source
                        .note("a text in another format than Markdown was left out", path.as_str());
                }
                "gotmpl" => source.leave(path, "a template makes pages from it"),
                _ => {}
            }
            continue;
        }
        if let Some(reason) = place.ignored {
            source.leave(path, reason);
            continue;
        }
        let (folder, name) = split(&place.inner);
        let is_index = ending(name).0 == "index";
        let own = split(path).0;
        // A bundle's own text lies in it; other texts below belong to it.
        let above = if is_index { split(own).0 } else { own };
        if folders_of(above).any(|folder| bundles.contains(folder)) {
            source.leave(path, "it belongs to the bundle of another text and has no page");
            continue;
        }
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        // Hugo leaves out comments unless the settings let HTML through.
        if !text.is_html && !setup.is_yes("markup.goldmark.renderer.unsafe") {
            let (body, count) = markdown::without_comments(&text.body);
            if count > 0 {
                source.note("comments, which Hugo does not publish, were left out", path.as_str());
                text.body = body;
            }
            let (body, count) = markdown::without_blocks(&text.body);
            if count > 0 {
                source.note(
                    "blocks of HTML, which Hugo does not publish without `markup.goldmark.renderer.unsafe`, were left out",
                    path.as_str(),
                );
                text.body = body;
            }
        }
        let is_list = is_list(path);
        if is_index {
            text.folder = Some(format!("{own}/"));
        }
        let usual = setup.usual().map(|language| &language.name);
        text.language =
            place.language.map(|language| language.name.clone()).filter(|name| Some(name) != usual);
        let inner =
            if is_index || is_list { folder.to_owned() } else { ending(&place.inner).0.to_owned() };
        let section = inner.split_once('/').map_or("", |(first, _)| first).to_owned();
        let key = data::take(&mut text.fields, &["translationkey"]);
        text.same = key.as_ref().and_then(data::text);
        text.same = text.same.or_else(|| Some(inner.clone()));
        text.date = dated(split(&inner).1).map(|(day, _)| day.to_owned());
        let target = Target {
            inner: &inner,
            kind: kind_of(&text, &inner),
            language: place.language.map(|language| language.name.as_str()),
        };
        cascades.take(&mut text, &target);
        placed.push(Placed { text, inner, section, language: place.language });
    }
    (placed, cascades)
}

/// A folder, and those that it lies in.
fn folders_of(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| folder.contains('/').then(|| split(folder).0))
}

/// Whether a folder holds one text.
pub fn is_alone(tree: &Tree, folder: &str) -> bool {
    let mut texts = tree.below(folder).filter(|path| is_markdown(path));
    texts.next().is_some() && texts.next().is_none()
}

/// The sections whose texts are items: by name, by the settings, or since most of their texts have dates.
fn series(placed: &[Placed<'_>], setup: &Setup) -> Vec<String> {
    let main = texts_at(&setup.data, "params.mainsections");
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

fn address(
    text: &Text,
    inner: &str,
    (section, language): (&str, Option<&Language>),
    setup: &Setup,
    source: &Source,
) -> String {
    let prefix = setup.prefix(language);
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
    let by_pattern = pattern.and_then(data::text).and_then(|pattern| expanded(&pattern, &token));
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
    let menus = ["menus", "menu"].iter().find_map(|key| data::get(&setup.data, key)?.as_object());
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
            text.is_page && text.address.as_deref().is_some_and(|address| key(address) == place)
        };
        if source.texts.iter().any(is_page) {
            let order = data::get(&entry, "weight").and_then(Value::as_i64).unwrap_or(0);
            source.navigation.insert(place, (data::text_at(&entry, "name"), order));
        } else if !place.is_empty() {
            source.note(format!("the menu's `{target}` is no Page"), "the settings");
        }
    }
}
