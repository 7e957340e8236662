//! Languages of an export: of the plugins Polylang, which stores them as terms, and WPML, which shows
//! them in addresses.

use std::collections::{BTreeMap, HashSet};

use feeds::Feed;
use model::{Languages, is_in_language};

use super::super::found::{Entry, Found, OtherLanguage, SourceLanguages};
use super::library::meta;

/// Key under which WPML stores the id of the entry that an entry is a copy of.
const COPY: &str = "_icl_lang_duplicate_of";

/// Sets the languages and the translations of entries if the export comes from WPML.
pub fn read_wpml(feed: &mut Feed) {
    let copies = feed.items.iter().filter_map(|item| item.wordpress.as_ref());
    let originals: HashSet<String> =
        copies.filter_map(|entry| meta(entry, COPY)).map(str::to_owned).collect();
    if originals.is_empty() {
        return;
    }
    for item in &mut feed.items {
        let Some(entry) = &mut item.wordpress else { continue };
        let own = Some(entry.id.clone()).filter(|id| originals.contains(id));
        let of = meta(entry, COPY).map(str::to_owned).or(own);
        entry.translations = entry.translations.take().or(of);
        let link = item.link.as_deref().and_then(|link| fetch::Url::parse(link).ok());
        item.language = item.language.take().or_else(|| language_of(&link?));
    }
}

/// Returns the language in an address: `?lang=de`, or a first part such as `de` or `pt-br`.
fn language_of(url: &fetch::Url) -> Option<String> {
    if let Some((_, language)) = url.query_pairs().find(|(key, _)| key == "lang") {
        return Some(language.into_owned());
    }
    let first = url.path_segments()?.next()?;
    let mut parts = first.split('-');
    let is_language =
        parts.all(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_lowercase()));
    (is_language && first.len() <= 5).then(|| first.to_owned())
}

/// Finds the languages of the imported entries. `site` is the language of the channel.
pub fn find(found: &mut Found, site: Option<&str>) {
    let entries = || found.items.iter().chain(&found.pages);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for language in entries().filter_map(|entry| entry.text("language")) {
        *counts.entry(language.to_owned()).or_default() += 1;
    }
    let has_others = entries().any(|entry| entry.text("language").is_none());
    let main = site.and_then(|site| counts.keys().find(|tag| is_in_language(site, tag)).cloned());
    let main = main.or_else(|| site.filter(|_| has_others).map(str::to_owned));
    let usual = || counts.iter().max_by_key(|(_, count)| **count).map(|(tag, _)| tag.clone());
    let Some(main) = main.or_else(|| if has_others { None } else { usual() }) else { return };
    let is_known = entries().any(|entry| entry.translation_key.is_some())
        || entries().any(|entry| {
            entry.text("language").is_some_and(|own| own != main && is_below(entry, own))
        });
    let others: Vec<String> = counts.into_keys().filter(|tag| *tag != main).collect();
    if !is_known || others.is_empty() {
        return;
    }
    let has_path = |tag: &str| {
        entries().any(|entry| entry.text("language") == Some(tag) && is_below(entry, tag))
    };
    let paths: BTreeMap<String, String> = std::iter::once(&main)
        .chain(&others)
        .map(|tag| (tag.clone(), if has_path(tag) { format!("/{tag}") } else { String::new() }))
        .collect();
    for entry in found.items.iter_mut().chain(&mut found.pages) {
        let tag = entry.text("language").unwrap_or(&main);
        let path = paths.get(tag).filter(|_| is_below(entry, tag));
        entry.language_path = path.cloned().unwrap_or_default();
    }
    let other = |tag: &String| OtherLanguage {
        tag: tag.clone(),
        path: paths.get(tag).cloned().unwrap_or_default(),
        channel: None,
    };
    let others_found = others.iter().map(other).collect();
    if paths.get(&main).is_some_and(|path| !path.is_empty()) {
        found.redirects.push((format!("/{main}/"), "/".to_owned()));
    }
    let languages = Languages { default: Some(main), others, ..Languages::default() };
    found.languages = Some(SourceLanguages { languages, others: others_found });
}

/// Returns whether the address of an entry is below the path of a language.
fn is_below(entry: &Entry, language: &str) -> bool {
    let url = entry.address.as_ref();
    url.and_then(|url| url.path_segments()?.next()).is_some_and(|first| first == language)
}
