//! Imports Hugo sites: `content/`, sections, bundles, permalinks, shortcodes.

mod authors;
mod cascade;
mod dates;
mod feeds;
mod hidden;
mod segments;
mod setup;
mod shortcodes;

use std::collections::HashSet;

use serde_json::Value;

use cascade::{Cascades, Target};
use dates::DateKeys;
use segments::Segments;
use setup::{Language, Place, Setup, settings};

use super::data::{self, texts_at};
use super::fields::aliases;
use super::front::Fences;
use super::markdown;
use super::shown::judged_shortcodes;
use super::slug;
use super::source::{
    Description, Engine, Source, Text, date_token, dated, expand_pattern, without_day,
};
use super::tree::{Tree, ending, is_text, joined, kind, prefix, split};
use super::walk::{OTHER_FORMAT, SERIES, Use, is_only_text, series};
use crate::naming::key;

pub const HUGO: Description = Description {
    kind: "Hugo site",
    without: &["public", "resources", "themes"],
    fences: Fences::Plain,
    engine: Engine { forms: &[("{{<", ">}}"), ("{{%", "%}}")], conditions: &[] },
    translate: shortcodes::translate,
    address: &["baseurl"],
    settings: &[
        ("title", "title"),
        ("params.description", "description"),
        ("params.subtitle", "description"),
        ("languagecode", "language"),
        ("defaultcontentlanguage", "language"),
        ("copyright", "copyright"),
        ("params.author", "authors"),
        ("params.authors", "authors"),
        ("author", "authors"),
        ("timezone", "timezone"),
        ("paginate", "items_per_page"),
        ("pagination.pagersize", "items_per_page"),
    ],
    others: "defaultcontentlanguageinsubdir languages permalinks taxonomies menu menus uglyurls \
        contentdir staticdir params.mainsections theme cascade frontmatter module outputs \
        outputformats ignorefiles disablelanguages disablekinds builddrafts buildfuture \
        buildexpired markup rendersegments segments",
    theme: "params",
    read,
};

fn read(tree: &mut Tree) -> Result<Source, String> {
    let data = settings(tree);
    if data.is_empty() && tree.below("content/").next().is_none() {
        return Err(
            "not a Hugo site: it has no hugo.toml, no config.toml and no folder `content`".into()
        );
    }
    let setup = Setup::of(data, tree);
    let mut source = Source::new(&HUGO, &setup.data, authors::read(tree));
    if let Some(language) = setup.usual() {
        let title = format!("languages.{}.title", language.name);
        source.take_setting(&setup.data, &title, "title");
    }
    if let Some(taxonomies) = data::table_at(&setup.data, "taxonomies") {
        let plural = taxonomies.values().filter_map(data::text);
        source.taxonomies =
            plural.filter(|name| !matches!(&**name, "authors" | "author")).collect();
    }
    let folders = match data::get(&setup.data, "staticdir") {
        Some(folders) => data::texts(folders.clone()),
        None => vec!["static".into()],
    };
    let folders = folders.iter().map(|folder| format!("{}/", folder.trim_matches('/')));
    source.roots = folders.chain(["assets/".to_owned()]).collect();
    let folders = ["layouts/shortcodes/", "layouts/_shortcodes/"];
    (source.silent, source.deciding) = judged_shortcodes(tree, &folders, "Inner");
    texts(tree, &setup, &mut source);
    menus(&setup, &mut source);
    feeds::redirect(tree, &setup, &mut source);
    source.report_unread_settings(&setup.data, "the settings");
    Ok(source)
}

/// A content file with its path below the content folder, its section and its language.
struct PlacedText<'s> {
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
        let is_left = segments.excludes(&target);
        let origins = cascades.apply(text, &target, setup, &names);
        if is_left {
            text.hide("no segment listed in `renderSegments` in the settings includes it");
        }
        let read = date_keys.read(text, split(&one.inner).1, &source.zone);
        hidden::hide(text, &read, &origins, (setup, one.language), source);
    }
    placed.retain(|one| is_imported(tree, &one.text, source));
    let main = texts_at(&setup.data, "params.mainsections");
    let is_series = |name: &str| {
        SERIES.contains(&&*name.to_lowercase()) || main.iter().any(|section| section == name)
    };
    let sections = placed.iter().filter(|one| !one.section.is_empty());
    let series = series(sections.map(|one| (&*one.section, &one.text)), &is_series);
    for mut one in placed {
        let text = &mut one.text;
        text.is_page = !series.contains(&one.section);
        let address = address(text, &one.inner, (&one.section, one.language), setup, source);
        let folder = prefix(split(address.trim_matches('/')).0);
        text.aliases = aliases(&mut text.fields, &["aliases"], &folder);
        let slug = data::take_text(&mut text.fields, &["slug"]);
        text.segment = slug.or_else(|| Some(without_day(split(&one.inner).1).to_owned()));
        data::take(&mut text.fields, &["url"]);
        text.address = Some(address);
        source.texts.push(one.text);
    }
    source.redirect_lists(series);
}

/// Returns the page kind of a content file, as named in cascade targets.
fn kind_of(text: &Text, inner: &str) -> &'static str {
    match (is_list(&text.path), inner) {
        (true, "") => "home",
        (true, _) => "section",
        (false, _) => "page",
    }
}

/// Returns whether a file contains the text of a list page, such as `_index.md` or `_index.de.md`.
fn is_list(path: &str) -> bool {
    split(path).1.split('.').next() == Some("_index")
}

/// Returns whether a content file is imported. The text of a list page is imported only if the list
/// has no other content.
fn is_imported(tree: &Tree, text: &Text, source: &mut Source) -> bool {
    if !is_list(&text.path) {
        return true;
    }
    let folder = format!("{}/", split(&text.path).0);
    let is_home = !folder.trim_end_matches('/').contains('/');
    let is_imported = !is_home && is_only_text(tree, &folder) && !text.body.trim().is_empty();
    if !is_imported {
        source.report_left_list(text);
    }
    is_imported
}

/// Reads the files in the content folders, and the cascades in their front matter.
fn found<'s>(
    tree: &mut Tree,
    setup: &'s Setup,
    source: &mut Source,
) -> (Vec<PlacedText<'s>>, Cascades) {
    let is_bundle =
        |path: &&String| split(path).1.split('.').next() == Some("index") && is_text(path);
    let bundles = tree.files.keys().filter(is_bundle).map(|path| split(path).0);
    let bundles: HashSet<String> =
        bundles.filter(|folder| folder.contains('/')).map(str::to_owned).collect();
    let judge = |tree: &Tree, path: &str| {
        let Some(place) = setup.place(tree, path) else {
            return Use::Other;
        };
        let folder = split(path).0;
        // The main file of a bundle is the `index` file in its folder. Other content files in this
        // folder belong to the bundle.
        let above = if place.is_index() { split(folder).0 } else { folder };
        match (&*kind(path), place.ignored) {
            ("org" | "adoc" | "asciidoc" | "rst" | "pandoc", _) => Use::Noted(OTHER_FORMAT),
            ("gotmpl", _) => Use::skipped("it is a template that generates pages"),
            _ if !is_text(path) => Use::Other,
            (_, Some(reason)) => Use::skipped(reason),
            _ if folders_of(above).any(|folder| bundles.contains(folder)) => {
                Use::skipped("it belongs to another page's bundle and has no page of its own")
            }
            _ => Use::Text(place),
        }
    };
    let mut placed = Vec::new();
    let mut cascades = Cascades::new();
    source.walk(tree, &judge, &mut |mut text, place: Place<'s>, source, _| {
        if !text.is_html && !setup.is_true("markup.goldmark.renderer.unsafe") {
            remove_html(&mut text, source);
        }
        let language = place.language.map(|language| &language.name);
        if place.is_index() {
            text.folder = Some(format!("{}/", split(&text.path).0));
        }
        let usual = setup.usual().map(|language| &language.name);
        text.language = language.filter(|name| Some(*name) != usual).cloned();
        let inner = match place.is_index() || is_list(&text.path) {
            true => split(&place.inner).0.to_owned(),
            false => ending(&place.inner).0.to_owned(),
        };
        let section = inner.split_once('/').map_or("", |(first, _)| first).to_owned();
        let key = data::take_text(&mut text.fields, &["translationkey"]);
        text.same = key.or_else(|| Some(inner.clone()));
        text.date = dated(split(&inner).1).map(|(day, _)| day.to_owned());
        let kind = kind_of(&text, &inner);
        cascades.take(
            &mut text,
            &Target { inner: &inner, kind, language: language.map(|name| &**name) },
        );
        placed.push(PlacedText { text, inner, section, language: place.language });
    });
    (placed, cascades)
}

/// Removes comments and HTML blocks, unless the settings make Hugo publish them.
fn remove_html(text: &mut Text, source: &mut Source) {
    type Removal = fn(&str) -> (String, usize);
    let removals: [(Removal, &str); 2] = [
        (markdown::without_comments, "HTML comments were left out: Hugo does not publish them"),
        (
            markdown::without_blocks,
            "HTML blocks were left out: Hugo publishes them only with `markup.goldmark.renderer.unsafe`",
        ),
    ];
    for (remove, message) in removals {
        let (body, count) = remove(&text.body);
        if count > 0 {
            source.note(message, &*text.path);
            text.body = body;
        }
    }
}

/// Returns a folder and all its parent folders.
fn folders_of(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| folder.contains('/').then(|| split(folder).0))
}

fn address(
    text: &Text,
    inner: &str,
    (section, language): (&str, Option<&Language>),
    setup: &Setup,
    source: &Source,
) -> String {
    let prefix = setup.path_of(language);
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
            token => date_token(token, text.moment(&source.zone)?),
        }
    };
    let by_pattern =
        pattern.and_then(data::text).and_then(|pattern| expand_pattern(&pattern, &token));
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
    let menus = ["menus", "menu"].iter().find_map(|key| data::table_at(&setup.data, key));
    let main = menus.and_then(|menus| data::get(menus, "main").or_else(|| menus.values().next()));
    let entries = main.cloned().map(data::list).unwrap_or_default();
    for entry in entries.iter().filter_map(Value::as_object) {
        let target = data::text_at(entry, "pageref").or_else(|| data::text_at(entry, "url"));
        let Some(target) = target else {
            continue;
        };
        let place = key(&target);
        let is_page = |text: &Text| {
            text.is_page && text.address.as_deref().is_some_and(|address| key(address) == place)
        };
        if source.texts.iter().any(is_page) {
            let order = data::get(entry, "weight").and_then(Value::as_i64).unwrap_or(0);
            source.navigation.insert(place, (data::text_at(entry, "name"), order));
        } else if !place.is_empty() {
            source.note(
                format!("the menu entry `{target}` was left out: it is not a page"),
                "the settings",
            );
        }
    }
}
