//! Redirects for the feeds that Zola writes: for the site, its languages, sections and terms. Also for
//! the pages of terms.

use serde_json::Value;

use super::Section;
use crate::folder::data::{self, Data};
use crate::folder::feeds::{Form, terms};
use crate::folder::fields::tag;
use crate::folder::slug;
use crate::folder::source::Source;
use model::Slug;
use site::{FacetKind, paths};

/// Adds a redirect for each feed.
pub fn redirect(sections: &[Section], settings: &Data, source: &mut Source) {
    let none = Data::new();
    let named = data::table_at(settings, "languages").unwrap_or(&none);
    let languages = named.iter().filter_map(|(name, own)| Some((name.as_str(), own.as_object()?)));
    for (name, form) in files(settings) {
        source.add_redirect(format!("/{name}"), form.of_site());
    }
    for (language, own) in languages.clone() {
        for (name, form) in files(own) {
            source.add_redirect(format!("/{language}/{name}"), form.of_site());
        }
    }
    for section in sections.iter().filter(|section| section.has_feed) {
        let folder = section.folder.strip_prefix("content").unwrap_or_default();
        let folder: String =
            folder.split('/').skip(1).map(|part| format!("/{}", slug::ascii(part))).collect();
        let own = section.language.as_ref().and_then(|language| named.get(language)?.as_object());
        let prefix =
            section.language.as_ref().map_or_else(String::new, |language| format!("/{language}"));
        let path = source.section_path(&format!("{prefix}{folder}/"));
        for (name, form) in files(own.unwrap_or(settings)) {
            let to = path.as_deref().map_or_else(|| form.of_site(), |path| form.of_section(path));
            source.add_redirect(format!("{prefix}{folder}/{name}"), to);
        }
    }
    let root = data::text_at(settings, "taxonomy_root")
        .map_or_else(String::new, |root| format!("/{root}"));
    let of_language = languages.map(|(language, own)| (Some(language), own));
    for (language, own) in of_language.chain([(None, settings)]) {
        let prefix = language.map_or_else(String::new, |language| format!("/{language}"));
        let taxonomies = data::get(own, "taxonomies").cloned().map(data::list).unwrap_or_default();
        let taxonomies = taxonomies.iter().filter_map(Value::as_object);
        let taxonomies =
            taxonomies.filter(|table| !data::get(table, "render").is_some_and(data::is_false));
        for table in taxonomies {
            let Some(taxonomy) = data::text_at(table, "name") else { continue };
            let terms =
                terms(source, std::slice::from_ref(&taxonomy), language.map(tag).as_deref());
            let folder = format!("{prefix}{root}/{}", name(settings, &taxonomy));
            let of_tags = if terms.is_empty() { "/" } else { paths::TAG_INDEX };
            source.add_redirect(format!("{folder}/"), of_tags.to_owned());
            for (_, term) in terms {
                let folder = format!("{folder}/{}", name(settings, &term));
                if let Some(slug) = Slug::from_tag(&term) {
                    let page = paths::facet(FacetKind::Tag, slug.as_str(), 1);
                    source.add_redirect(format!("{folder}/"), page);
                }
                if data::is_set(table, "feed") {
                    for (file, form) in files(own) {
                        let to = form.of_list(Some(&term));
                        source.add_redirect(format!("{folder}/{file}"), to);
                    }
                }
            }
        }
    }
}

/// Returns the name of a taxonomy or term in paths.
fn name(settings: &Data, text: &str) -> String {
    match data::text_at(settings, "slugify.taxonomies").as_deref() {
        Some("safe" | "off") => text.replace(' ', "_"),
        _ => slug::ascii(text),
    }
}

/// Returns the file names of a language's feeds, according to the settings.
fn files(settings: &Data) -> Vec<(String, Form)> {
    let keys = ["feed_filenames", "feed_filename"];
    let named = keys.iter().find_map(|key| data::get(settings, key).cloned());
    let names = named.map_or_else(|| vec!["atom.xml".to_owned()], data::texts);
    let form = |name: &String| match name.ends_with(".json") {
        true => Form::Json,
        false => Form::Xml,
    };
    names.into_iter().map(|name| (name.clone(), form(&name))).collect()
}
