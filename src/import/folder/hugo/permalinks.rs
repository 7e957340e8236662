//! Addresses of content files: from `url` in their front matter, from `permalinks` in the settings, or
//! from their paths.

use serde_json::Value;

use super::PlacedText;
use super::setup::{Language, Setup};
use crate::folder::data::{self, Data};
use crate::folder::slug;
use crate::folder::source::{Source, date_token, expand_pattern};
use crate::folder::tree::{joined, split};

/// Components of dates in patterns, which follow Go's example date, and their `strftime` formats.
const DATE_COMPONENTS: [(&str, &str); 10] = [
    ("2006", "year"),
    ("06", "short_year"),
    ("January", "long_month"),
    ("Jan", "short_month"),
    ("01", "month"),
    ("1", "i_month"),
    ("02", "day"),
    ("2", "i_day"),
    ("Monday", "long_day"),
    ("Mon", "short_day"),
];

/// Returns the address of a content file. `kind` is Hugo's page kind, such as `page`.
pub fn address(one: &PlacedText<'_>, kind: &str, setup: &Setup, source: &Source) -> String {
    let PlacedText { text, inner, section, language, sections } = one;
    let prefix = setup.path_of(*language);
    let url = data::text_at(&text.fields, "url");
    let (folder, name) = split(inner);
    let own = data::text_at(&text.fields, "slug").map(|slug| slug::hugo(&slug));
    let token = |token: &str| {
        let title = || data::text_at(&text.fields, "title").map(|title| slug::hugo(&title));
        let (token, range) = token.split_once('[').unwrap_or((token, ""));
        match token {
            "section" | "sectionslug" => Some(section.to_owned()),
            "sections" | "sectionslugs" => {
                Some(slug::hugo(&slice(sections, range.trim_end_matches(']'))))
            }
            "title" => title(),
            "slug" => own.clone().or_else(title),
            "filename" | "contentbasename" => Some(slug::hugo(name)),
            "slugorfilename" | "slugorcontentbasename" => {
                own.clone().or_else(|| Some(slug::hugo(name)))
            }
            token => {
                let component = DATE_COMPONENTS.iter().find(|(component, _)| *component == token);
                let token = component.map_or(token, |(_, token)| token);
                date_token(token, text.moment(&source.zone)?)
            }
        }
    };
    if let Some(url) = url {
        let filled = Some(&url).filter(|url| has_tokens(url));
        let url = filled.and_then(|url| expand_pattern(url, &token)).unwrap_or(url);
        return match url.starts_with('/') {
            true => url,
            false => format!("{prefix}/{url}"),
        };
    }
    let pattern = setup.permalink(*language, kind, section);
    let by_pattern = pattern.and_then(|pattern| expand_pattern(&pattern, &token));
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

/// Returns whether an address in front matter has tokens such as `:year`.
pub fn has_tokens(url: &str) -> bool {
    url.split('/').any(|part| part.starts_with(':'))
}

/// A list page that Hugo generates without a content file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List<'n> {
    Section(&'n str),
    Taxonomy(&'n str),
    /// A taxonomy and one of its terms.
    Term(&'n str, &'n str),
}

/// Returns the address of a list page without a slash at its end.
pub fn of_list(list: List<'_>, setup: &Setup, language: Option<&Language>) -> String {
    let (kind, folder, name) = match list {
        List::Section(name) => ("section", name, name),
        List::Taxonomy(name) => ("taxonomy", name, name),
        List::Term(taxonomy, term) => ("term", taxonomy, term),
    };
    let name = slug::hugo_path(name);
    let token = |token: &str| {
        let (token, range) = token.split_once('[').unwrap_or((token, ""));
        match token {
            "section" | "sectionslug" => Some(folder.to_owned()),
            "sections" | "sectionslugs" => Some(slice(folder, range.trim_end_matches(']'))),
            "title"
            | "slug"
            | "filename"
            | "contentbasename"
            | "slugorfilename"
            | "slugorcontentbasename" => Some(name.clone()),
            _ => None,
        }
    };
    let pattern = setup.permalink(language, kind, folder);
    let by_pattern = pattern.and_then(|pattern| expand_pattern(&pattern, &token));
    let usual = || match list {
        List::Section(folder) | List::Taxonomy(folder) => format!("/{folder}"),
        List::Term(taxonomy, _) => format!("/{taxonomy}/{name}"),
    };
    let path = by_pattern.unwrap_or_else(usual);
    format!("{}{}", setup.path_of(language), path.trim_end_matches('/'))
}

/// Returns the parts of a path that a range such as `1:` or `last` selects. Without a range, returns
/// the path.
fn slice(path: &str, range: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let index = |text: &str| match text {
        "last" => Some(parts.len() - 1),
        text => text.parse().ok(),
    };
    let (start, end) = match range.split_once(':') {
        _ if range.is_empty() => (0, parts.len()),
        Some((start, end)) => (index(start).unwrap_or(0), index(end).unwrap_or(parts.len())),
        None => index(range).map_or((0, 0), |at| (at, at + 1)),
    };
    parts.get(start..end.min(parts.len())).unwrap_or_default().join("/")
}

impl Setup {
    /// Returns the pattern for the pages of a kind in a section or taxonomy. Patterns without a kind
    /// apply to pages and terms. The values of a language take precedence.
    fn permalink(&self, language: Option<&Language>, kind: &str, section: &str) -> Option<String> {
        let own = language.map(|language| format!("languages.{}.permalinks", language.name));
        let keys = own.into_iter().chain(["permalinks".to_owned()]);
        let tables = keys.filter_map(|key| data::table_at(&self.data, &key));
        let of = |table: &Data| {
            let is_own = |key: &str| key.trim_matches(['/', '.']).eq_ignore_ascii_case(section);
            let own = table.iter().find(|(key, _)| is_own(key));
            own.and_then(|(_, pattern)| data::text(pattern))
        };
        let pattern = |table: &Data| {
            let of_kind = data::table_at(table, kind).and_then(of);
            of_kind.or_else(|| of(table).filter(|_| matches!(kind, "page" | "term")))
        };
        tables.filter_map(pattern).next()
    }
}
