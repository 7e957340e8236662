//! Redirects for the feeds that Hugo writes: for the site, its sections and its terms, in each
//! language. Also for the pages of terms.

use std::collections::BTreeSet;

use super::setup::{Language, Setup};
use super::{Addresses, permalinks};
use crate::folder::data::{self, texts_at};
use crate::folder::feeds::{Form, terms};
use crate::folder::slug;
use crate::folder::source::Source;
use crate::folder::tree::{Tree, split};
use model::Slug;
use site::{FacetKind, paths};

/// The folder of a list page, and its tag if it has one.
type List = (String, Option<String>);

/// Adds redirects from the feeds, and from the pages of terms.
pub fn redirect(tree: &Tree, setup: &Setup, own: &Addresses, source: &mut Source) {
    let mut languages: Vec<Option<&Language>> = setup.enabled().map(Some).collect();
    if languages.is_empty() {
        languages.push(setup.usual());
    }
    let taxonomies = setup.taxonomies_or_default();
    let sections = sections(tree, setup);
    for language in languages {
        let prefix = setup.path_of(language);
        let is_other = |own: &&Language| setup.usual().is_some_and(|usual| usual.name != own.name);
        let tag = language.filter(is_other).map(|language| language.tag.as_str());
        let terms = terms(source, &taxonomies, tag);
        // A content file can state the address of a taxonomy or of a term.
        let folder = |inner: String, terms: (&str, Option<&str>)| {
            let stated = own.get(&(inner, tag.map(str::to_owned)));
            let stated = stated.and_then(|address| address.strip_prefix(&prefix));
            let stated = stated.map(|path| path.trim_end_matches('/').to_owned());
            stated.unwrap_or_else(|| permalinks::of_term(setup, language, terms))
        };
        let of_term = |(taxonomy, term): &(String, String)| {
            let inner = format!("{taxonomy}/{}", slug::hugo_path(term));
            (folder(inner, (taxonomy, Some(term))), Some(term.clone()))
        };
        let of_taxonomy = |name: &String| (folder(name.to_lowercase(), (name, None)), None);
        let of_list = |name: &String| (format!("/{name}"), None);
        // The path of a section can differ from its folder.
        let of_texts =
            source.texts.iter().filter(|text| text.is_section && text.language.as_deref() == tag);
        let of_texts = of_texts.filter_map(|text| text.address.as_deref()?.strip_prefix(&prefix));
        let of_texts: BTreeSet<String> =
            of_texts.map(|path| path.trim_matches('/').to_owned()).collect();
        let lists: [(&str, Vec<List>); 4] = [
            ("home", vec![(String::new(), None)]),
            ("section", sections.union(&of_texts).map(of_list).collect()),
            ("taxonomy", taxonomies.iter().map(of_taxonomy).collect()),
            ("term", terms.iter().map(of_term).collect()),
        ];
        let disabled = texts_at(&setup.data, "disablekinds");
        let is_disabled = |kind: &str| disabled.iter().any(|name| name.eq_ignore_ascii_case(kind));
        let of_tags = if terms.is_empty() { "/" } else { paths::TAG_INDEX };
        for (kind, lists) in &lists[2..] {
            for (folder, tag) in lists.iter().filter(|_| !is_disabled(kind)) {
                let page = tag.as_deref().and_then(Slug::from_tag);
                let page = page.map(|slug| paths::facet(FacetKind::Tag, slug.as_str(), 1));
                let to = page.unwrap_or_else(|| of_tags.to_owned());
                source.add_redirect(format!("{prefix}{folder}/"), to);
            }
        }
        for (kind, lists) in &lists {
            for (name, form) in files(setup, kind) {
                for (folder, tag) in lists {
                    let section = source.section_path(&format!("{prefix}{folder}/"));
                    let to = match section.filter(|_| tag.is_none()) {
                        Some(section) => form.of_section(&section),
                        None => form.of_list(tag.as_deref()),
                    };
                    source.add_redirect(format!("{prefix}{folder}/{name}"), to);
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
