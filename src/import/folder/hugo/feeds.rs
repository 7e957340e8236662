//! Redirects for the feeds that Hugo writes: for the site, its sections and its tags, in each
//! language.

use std::collections::BTreeSet;

use super::setup::Setup;
use crate::folder::data::{self, texts_at};
use crate::folder::feeds::{Form, terms};
use crate::folder::slug;
use crate::folder::source::Source;
use crate::folder::tree::{Tree, split};

/// The folder of a list page, and its tag if it has one.
type List = (String, Option<String>);

/// Adds a redirect for each feed.
pub fn redirect(tree: &Tree, setup: &Setup, source: &mut Source) {
    let prefixes: BTreeSet<String> = match setup.languages.is_empty() {
        true => BTreeSet::from([setup.path_of(None)]),
        false => {
            let languages = setup.languages.iter().filter(|one| !one.is_disabled);
            languages.map(|language| setup.path_of(Some(language))).collect()
        }
    };
    let taxonomies = taxonomies(setup);
    let terms = terms(source, &taxonomies);
    let of_term = |(taxonomy, term): &(String, String)| {
        (format!("/{taxonomy}/{}", slug::hugo_path(term)), Some(term.clone()))
    };
    let of_list = |name: &String| (format!("/{name}"), None);
    let lists: [(&str, Vec<List>); 4] = [
        ("home", vec![(String::new(), None)]),
        ("section", sections(tree, setup).iter().map(of_list).collect()),
        ("taxonomy", taxonomies.iter().map(of_list).collect()),
        ("term", terms.iter().map(of_term).collect()),
    ];
    for prefix in prefixes {
        for (kind, lists) in &lists {
            for (name, form) in files(setup, kind) {
                for (folder, tag) in lists {
                    source.add_redirect(
                        format!("{prefix}{folder}/{name}"),
                        form.of_list(tag.as_deref()),
                    );
                }
            }
        }
    }
}

/// Returns the file names of the feeds that Hugo writes for each list page of a kind.
fn files(setup: &Setup, kind: &str) -> Vec<(String, Form)> {
    let disabled = texts_at(&setup.data, "disablekinds");
    if disabled.iter().any(|name| name.eq_ignore_ascii_case(kind)) {
        return Vec::new();
    }
    let named = texts_at(&setup.data, &format!("outputs.{kind}"));
    let formats = match named.is_empty() {
        true => vec!["rss".to_owned()],
        false => named.iter().map(|name| name.to_lowercase()).collect(),
    };
    let file = |format: String| {
        let setting =
            |key: &str| data::text_at(&setup.data, &format!("outputformats.{format}.{key}"));
        let usual = if format == "rss" { "application/rss+xml" } else { "" };
        let media_type = setting("mediatype").unwrap_or_else(|| usual.to_owned());
        let form = match &*media_type {
            "application/feed+json" => Form::Json,
            kind if kind.contains("rss") || kind.contains("atom") => Form::Xml,
            _ => return None,
        };
        // The media type is looked up in two steps, because it may contain a dot.
        let types = data::table_at(&setup.data, "mediatypes");
        let suffix = types
            .and_then(|types| data::get(types, &media_type)?.as_object())
            .and_then(|table| texts_at(table, "suffixes").into_iter().next());
        let suffix = suffix.unwrap_or_else(|| match form {
            Form::Xml => "xml".to_owned(),
            Form::Json => "json".to_owned(),
        });
        let base = setting("basename").unwrap_or_else(|| "index".to_owned());
        let folder = setting("path").map_or_else(String::new, |path| format!("{path}/"));
        Some((format!("{folder}{base}.{suffix}"), form))
    };
    let is_disabled = |name: &str| disabled.iter().any(|kind| kind.eq_ignore_ascii_case(name));
    let kept = formats.into_iter().filter(|format| !is_disabled(format));
    kept.filter_map(file).collect()
}

/// Returns the folders that have a list page: top-level folders, and folders with an `_index` file.
fn sections(tree: &Tree, setup: &Setup) -> BTreeSet<String> {
    let mut sections = BTreeSet::new();
    for path in tree.files.keys() {
        let Some(place) = setup.place(tree, path) else {
            continue;
        };
        let (folder, name) = split(&place.inner);
        if name.split('.').next() == Some("_index") && !folder.is_empty() {
            sections.insert(slug::hugo_path(folder));
        }
        let is_bundle = name.split('.').next() == Some("index") && !folder.contains('/');
        if let Some((first, _)) = place.inner.split_once('/').filter(|_| !is_bundle) {
            sections.insert(slug::hugo_path(first));
        }
    }
    sections
}

fn taxonomies(setup: &Setup) -> Vec<String> {
    match data::table_at(&setup.data, "taxonomies") {
        Some(table) => {
            let names: BTreeSet<String> = table.values().filter_map(data::text).collect();
            names.into_iter().collect()
        }
        None => ["categories", "tags"].map(str::to_owned).into(),
    }
}
