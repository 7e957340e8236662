//! Redirects for the feeds that Hugo writes: for the site, its sections and its terms, in each
//! language. Also for the pages of terms.

use std::collections::BTreeSet;

use super::Addresses;
use super::permalinks::{self, List};
use super::setup::{Language, Setup};
use crate::folder::data::{self, texts_at};
use crate::folder::feeds::{Form, terms};
use crate::folder::slug;
use crate::folder::source::Source;
use crate::folder::tree::{Tree, split};
use model::Slug;
use site::{FacetKind, paths};

/// The address of a list page without a slash at its end, and its tag if it has one.
type ListPage = (String, Option<String>);

/// Adds redirects from the feeds, and from the pages of terms.
pub fn redirect(tree: &Tree, setup: &Setup, own: &Addresses, source: &mut Source) {
    let mut languages: Vec<Option<&Language>> = setup.enabled().map(Some).collect();
    if languages.is_empty() {
        languages.push(setup.usual());
    }
    let taxonomies = setup.taxonomies_or_default();
    let mut sections = sections(tree, setup);
    sections.retain(|section| {
        let first = section.split('/').next().unwrap_or_default();
        !taxonomies.iter().any(|taxonomy| taxonomy == first)
    });
    for language in languages {
        let prefix = setup.path_of(language);
        let is_other = |own: &&Language| setup.usual().is_some_and(|usual| usual.name != own.name);
        let tag = language.filter(is_other).map(|language| language.tag.as_str());
        let terms = terms(source, &taxonomies, tag);
        // A content file can state the address of a taxonomy or of a term.
        let address = |inner: String, list: List<'_>| {
            let stated = own.get(&(inner, tag.map(str::to_owned)));
            let stated = stated.map(|address| address.trim_end_matches('/').to_owned());
            stated.unwrap_or_else(|| permalinks::of_list(list, setup, language))
        };
        let of_term = |(taxonomy, term): &(String, String)| {
            let inner = format!("{taxonomy}/{}", slug::hugo_path(term));
            (address(inner, List::Term(taxonomy, term)), Some(term.clone()))
        };
        let of_taxonomy =
            |name: &String| (address(name.to_lowercase(), List::Taxonomy(name)), None);
        let of_section =
            |name: &String| (permalinks::of_list(List::Section(name), setup, language), None);
        // The path of a section can differ from its folder.
        let of_texts = source.texts.iter().filter(|text| {
            text.is_section && text.language.as_deref() == tag && text.address.is_some()
        });
        let of_texts = of_texts.filter_map(|text| {
            Some((text.address.as_deref()?.trim_end_matches('/').to_owned(), None))
        });
        let of_sections: BTreeSet<ListPage> =
            of_texts.chain(sections.iter().map(of_section)).collect();
        let lists: [(&str, Vec<ListPage>); 4] = [
            ("home", vec![(prefix.clone(), None)]),
            ("section", of_sections.into_iter().collect()),
            ("taxonomy", taxonomies.iter().map(of_taxonomy).collect()),
            ("term", terms.iter().map(of_term).collect()),
        ];
        // A page outside the path of its language redirects to the page in its language, too.
        let mount = tag.map_or_else(String::new, |tag| format!("/{}", tag.to_lowercase()));
        let in_language = |from: &str, to: String| match from.starts_with(&format!("{prefix}/")) {
            true => to,
            false => format!("{mount}{to}"),
        };
        let disabled = texts_at(&setup.data, "disablekinds");
        let is_disabled = |kind: &str| disabled.iter().any(|name| name.eq_ignore_ascii_case(kind));
        let of_tags = if terms.is_empty() { "/" } else { paths::TAG_INDEX };
        for (kind, lists) in &lists[2..] {
            for (path, tag) in lists.iter().filter(|_| !is_disabled(kind)) {
                let page = tag.as_deref().and_then(Slug::from_tag);
                let page = page.map(|slug| paths::facet(FacetKind::Tag, slug.as_str(), 1));
                let from = format!("{path}/");
                let to = in_language(&from, page.unwrap_or_else(|| of_tags.to_owned()));
                source.add_redirect(from, to);
            }
        }
        for (kind, lists) in &lists {
            for (name, form) in files(setup, kind) {
                for (path, tag) in lists {
                    let section = source.section_path(&format!("{path}/"));
                    let to = match section.filter(|_| tag.is_none()) {
                        Some(section) => form.of_section(&section),
                        None => form.of_list(tag.as_deref()),
                    };
                    let from = format!("{path}/{name}");
                    let to = in_language(&from, to);
                    source.add_redirect(from, to);
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
