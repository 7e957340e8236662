//! Feeds of an imported site, and the feeds of this site that correspond to them.

use std::collections::BTreeSet;

use super::data;
use super::source::{Source, Text};
use super::tree::{Tree, kind};
use model::Slug;
use site::{FacetKind, paths};

/// The format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Xml,
    Json,
}

impl Form {
    /// Returns the path of the feed for the whole site.
    pub fn of_site(self) -> String {
        match self {
            Self::Xml => paths::rss(1),
            Self::Json => paths::json_feed(1),
        }
    }

    /// Returns the path of a tag's feed, or of the whole site's feed if `tag` is `None`.
    pub fn of_list(self, tag: Option<&str>) -> String {
        tag.and_then(|tag| self.tag_feed(tag)).unwrap_or_else(|| self.of_site())
    }

    /// Returns the path of the feed of a section, which has this path.
    pub fn of_section(self, path: &str) -> String {
        match self {
            Self::Xml => format!("{path}rss.xml"),
            Self::Json => format!("{path}feed.json"),
        }
    }

    /// Returns the path of a tag's feed, or `None` if the tag has no valid slug.
    pub fn tag_feed(self, tag: &str) -> Option<String> {
        let slug = Slug::from_tag(tag)?;
        Some(match self {
            Self::Xml => paths::facet_rss(FacetKind::Tag, slug.as_str()),
            Self::Json => paths::facet_json(FacetKind::Tag, slug.as_str()),
        })
    }
}

/// Returns the format of the feed that a template generates, or `None` if the template does not
/// generate a feed.
pub fn output_format(text: &str) -> Option<Form> {
    let is_xml = ["<rss", "<feed", "<rdf:RDF"].iter().any(|tag| text.contains(tag));
    let is_json = text.contains("jsonfeed.org/version");
    match (is_xml, is_json) {
        (true, _) => Some(Form::Xml),
        (false, true) => Some(Form::Json),
        _ => None,
    }
}

/// Returns the templates that generate feeds, each with the format of its feed.
pub fn templates(tree: &mut Tree, is_left: &dyn Fn(&str) -> bool) -> Vec<(String, Form)> {
    const KINDS: [&str; 8] = ["xml", "rss", "atom", "json", "njk", "liquid", "html", "hbs"];
    let paths = tree.files.keys();
    let paths: Vec<String> =
        paths.filter(|path| KINDS.contains(&&*kind(path)) && !is_left(path)).cloned().collect();
    let form = |path: String| {
        let text = tree.text(&path)?;
        Some((output_format(&text)?, path))
    };
    let found = paths.into_iter().filter_map(form);
    found.map(|(form, path)| (path, form)).collect()
}

/// Returns the terms that public items in a language have under these front matter keys, each with its
/// key.
pub fn terms(
    source: &Source,
    keys: &[String],
    language: Option<&str>,
) -> BTreeSet<(String, String)> {
    let is_public = |text: &&Text| {
        !text.is_page && text.hidden.is_none() && text.language.as_deref() == language
    };
    let texts = source.texts.iter().filter(is_public);
    let of_text = |text: &Text| {
        let of_key = |key: &String| {
            let inner = format!("taxonomies.{key}");
            let value = data::get(&text.fields, key).or_else(|| data::at(&text.fields, &inner));
            let terms = value.cloned().map(data::texts).unwrap_or_default();
            terms.into_iter().map(|term| (key.clone(), term)).collect::<Vec<_>>()
        };
        keys.iter().flat_map(of_key).collect::<Vec<_>>()
    };
    texts.flat_map(of_text).collect()
}
