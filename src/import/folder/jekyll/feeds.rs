//! Redirects for feeds from Jekyll's plugin and from hand-written templates, and for the pages of terms.

use serde_json::Value;

use super::reading::Reading;
use crate::folder::data::{self, Data, texts_at};
use crate::folder::feeds::{Form, templates, terms};
use crate::folder::slug;
use crate::folder::source::{Source, expand_pattern};
use crate::folder::tree::Tree;
use model::Slug;
use site::{FacetKind, paths};

/// Adds redirects for the pages of terms that the plugin jekyll-archives writes.
pub fn redirect_archives(settings: &Data, source: &mut Source) {
    const KINDS: [(&str, &str, [&str; 2]); 2] =
        [("tags", "tag", ["tags", "tag"]), ("categories", "category", ["categories", "category"])];
    let Some(own) = data::table_at(settings, "jekyll-archives") else { return };
    let enabled = texts_at(own, "enabled");
    let is_enabled = |kind: &str| enabled.iter().any(|name| name == kind || name == "all");
    let shown = source.shows_untranslated;
    let languages: Vec<(Option<String>, String)> = match &source.languages[..] {
        [] => vec![(None, String::new())],
        [main, others @ ..] => std::iter::once((None, main.path.clone()))
            .chain(others.iter().map(|own| (Some(own.tag.clone()), own.path.clone())))
            .collect(),
    };
    for (_, name, keys) in KINDS.iter().filter(|(kind, ..)| is_enabled(kind)) {
        let keys = keys.map(str::to_owned);
        let pattern = data::text_at(own, &format!("permalinks.{name}"));
        let pattern = pattern.unwrap_or_else(|| format!("/{name}/:name/"));
        let main = terms(source, &keys, None);
        for (language, path) in &languages {
            let mut terms = terms(source, &keys, language.as_deref());
            terms.extend(main.iter().filter(|_| shown).cloned());
            for (_, term) in terms {
                let token = |token: &str| (token == "name").then(|| slug::plain(&term));
                let from = expand_pattern(&pattern, &token);
                let slug = Slug::from_tag(&term);
                if let (Some(from), Some(slug)) = (from, slug) {
                    let page = paths::facet(FacetKind::Tag, slug.as_str(), 1);
                    source.add_redirect(format!("{path}{from}"), page);
                }
            }
        }
    }
}

/// Adds a redirect for each feed.
pub fn redirect(tree: &mut Tree, reading: &Reading, settings: &Data, source: &mut Source) {
    let rooted = |path: &str| format!("/{}", path.trim_start_matches('/'));
    let path = data::text_at(settings, "feed.path").unwrap_or_else(|| "feed.xml".into());
    source.add_redirect(rooted(&path), Form::Xml.of_site());
    for category in texts_at(settings, "feed.categories") {
        source.add_redirect(format!("/feed/{category}.xml"), Form::Xml.of_list(Some(&category)));
    }
    let none = Data::new();
    let collections = match data::at(settings, "feed.collections") {
        Some(Value::Object(table)) => table
            .iter()
            .map(|(name, own)| (name.clone(), own.as_object().unwrap_or(&none).clone()))
            .collect(),
        _ => {
            let names = texts_at(settings, "feed.collections").into_iter();
            names.map(|name| (name, Data::new())).collect::<Vec<_>>()
        }
    };
    for (name, own) in collections {
        let path = data::text_at(&own, "path").unwrap_or_else(|| format!("/feed/{name}.xml"));
        source.add_redirect(rooted(&path), Form::Xml.of_site());
        for category in texts_at(&own, "categories") {
            let to = Form::Xml.of_list(Some(&category));
            source.add_redirect(format!("/feed/{name}/{category}.xml"), to);
        }
    }
    let tags = data::at(settings, "feed.tags").filter(|tags| !data::is_false(tags));
    if let Some(tags) = tags {
        let own = tags.as_object().unwrap_or(&none);
        let folder = data::text_at(own, "path").unwrap_or_else(|| "feed/by_tag".into());
        let folder = rooted(folder.trim_end_matches('/'));
        let (only, except) = (texts_at(own, "only"), texts_at(own, "except"));
        for (_, tag) in terms(source, &["tags".to_owned()], None) {
            let is_left = except.contains(&tag) || !only.is_empty() && !only.contains(&tag);
            if let Some(to) = Form::Xml.tag_feed(&tag).filter(|_| !is_left) {
                source.add_redirect(format!("{folder}/{}.xml", slug::plain(&tag)), to);
            }
        }
    }
    for (path, form) in templates(tree, &|path| reading.kind(path).is_err()) {
        let permalink = source.read(tree, &path);
        let permalink = permalink.and_then(|text| data::text_at(&text.fields, "permalink"));
        let public = permalink.filter(|path| !path.contains(':')).unwrap_or(path);
        if !public.ends_with(".html") {
            source.add_redirect(rooted(&public), form.of_site());
        }
    }
}
