//! The pattern of a source's addresses.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::found::{Entry, Found};
use super::naming;
use model::{AddressPattern, Config, Languages, PageSlug, Placeholder, folded, is_reserved};
use source::dates;

/// Paths of generated pages and feeds that an item cannot have.
const TAKEN: [&str; 6] = ["/archive/", "/albums/", "/subscribe/", "/feed/", "/card/", "/llms/"];

/// The addresses of a site's items.
pub struct Patterns<'c> {
    languages: &'c Languages,
    zone: &'c TimeZone,
    base_url: &'c str,
    pattern: Option<AddressPattern>,
    /// Slugs of the sections, by folder and language.
    sections: HashMap<(String, usize), String>,
}

impl<'c> Patterns<'c> {
    /// Returns the addresses with the pattern of a site.
    pub fn of(found: &Found, config: &'c Config) -> Self {
        let pattern = config.addresses.items.clone();
        Self::new(found, &config.languages, (&config.timezone, &config.base_url), pattern)
    }

    fn new(
        found: &Found,
        languages: &'c Languages,
        (zone, base_url): (&'c TimeZone, &'c str),
        pattern: Option<AddressPattern>,
    ) -> Self {
        let sections = found.pages.iter().filter(|page| page.is_section).map(|page| {
            let language = languages.index(page.text("language"));
            ((page.folder.clone(), language), page.section_slug(base_url))
        });
        Self { languages, zone, base_url, pattern, sections: sections.collect() }
    }

    /// Returns the slug of the innermost section of a folder. It is empty if there is none.
    pub fn section_slug(&self, folder: &str, language: usize) -> &str {
        let folders = std::iter::successors(Some(folder), |folder| {
            folder.rsplit_once('/').map(|(above, _)| above)
        });
        let mut slugs =
            folders.filter_map(|folder| self.sections.get(&(folder.to_owned(), language)));
        slugs.next().map_or("", String::as_str)
    }

    /// Returns the path of an item.
    pub fn path_of(&self, entry: &Entry, slug: &str) -> String {
        let mount = self.languages.mount(self.language(entry));
        let path = self.pattern.as_ref().and_then(|pattern| self.fill(pattern, entry, slug));
        path.unwrap_or_else(|| format!("{mount}/i/{slug}/"))
    }

    fn language(&self, entry: &Entry) -> usize {
        self.languages.index(entry.text("language"))
    }

    /// Returns the path of an item with a pattern, and with the path of its language.
    fn fill(&self, pattern: &AddressPattern, entry: &Entry, slug: &str) -> Option<String> {
        let language = self.language(entry);
        let date = date(entry, self.zone);
        let value = |placeholder| match placeholder {
            Placeholder::Slug => Some(slug.to_owned()),
            Placeholder::Id => Some(entry.id().to_owned()),
            Placeholder::Section => Some(self.section_slug(&entry.folder, language).to_owned()),
            Placeholder::Language => Some(self.languages.code(language)),
            placeholder => placeholder.of_date(date?),
        };
        let path = pattern.fill(value).ok()?;
        let mount = self.languages.mount(language);
        let is_below = path.strip_prefix(&*mount).is_some_and(|rest| rest.starts_with('/'));
        Some(if is_below { path } else { format!("{mount}{path}") })
    }

    /// Returns the patterns of an entry's address: its date, section, slug, id and language are
    /// placeholders.
    fn of_entry(&self, entry: &Entry, has_default: bool) -> Vec<String> {
        let Some(path) = entry.former_path(self.base_url) else { return Vec::new() };
        let language = self.language(entry);
        let bare = entry.without_language(&path);
        let section = self.section_slug(&entry.folder, language);
        let below_section = bare.strip_prefix('/').and_then(|path| path.strip_prefix(section));
        let below_section =
            below_section.filter(|path| !section.is_empty() && path.starts_with('/'));
        let below_section = below_section.map(|rest| ("/{section}", rest));
        let start = match () {
            () if !has_default => "",
            () if entry
                .language_path
                .eq_ignore_ascii_case(&format!("/{}", self.languages.code(language))) =>
            {
                "/{language}"
            }
            () => return Vec::new(),
        };
        let starts = [Some(("", bare)), below_section].into_iter().flatten();
        starts
            .map(|(section, rest)| format!("{start}{section}{}", self.placeholders(entry, rest)))
            .collect()
    }

    fn placeholders(&self, entry: &Entry, path: &str) -> String {
        let date = date(entry, self.zone);
        let (slug, id) = (slug(entry), entry.id());
        let of_date = |placeholder: Placeholder| placeholder.of_date(date?);
        let mut parts: Vec<String> = Vec::new();
        for part in path.trim_matches('/').split('/') {
            let before = parts.last().map(String::as_str);
            let dated = [Placeholder::Year, Placeholder::Month, Placeholder::Day].map(of_date);
            let day = dated.iter().flatten().cloned().collect::<Vec<_>>().join("-");
            parts.push(match (part, &dated) {
                (part, _) if part == slug => "{slug}".to_owned(),
                (part, _) if part == id => "{id}".to_owned(),
                (part, [Some(year), ..]) if part == year => "{year}".to_owned(),
                (part, [_, Some(month), _]) if part == month && before == Some("{year}") => {
                    "{month}".to_owned()
                }
                (part, [.., Some(day)]) if part == day && before == Some("{month}") => {
                    "{day}".to_owned()
                }
                (part, _) if !day.is_empty() && part == format!("{day}-{slug}") => {
                    "{year}-{month}-{day}-{slug}".to_owned()
                }
                (part, _) => part.to_owned(),
            });
        }
        format!("/{}/", parts.join("/"))
    }

    /// Returns whether every item gets a different path.
    fn fits(&self, found: &Found, pattern: &AddressPattern) -> bool {
        let bare = |entry: &Entry, path: &str| {
            let mount = self.languages.mount(self.language(entry));
            path.strip_prefix(&*mount).unwrap_or(path).to_owned()
        };
        let pages = found.pages.iter().filter_map(|page| {
            let mount = self.languages.mount(self.language(page));
            let wanted = page.segment.as_deref().or(page.text("title"))?;
            Some(format!("{mount}/{}/", PageSlug::from_title(wanted)?))
        });
        let mut taken: HashSet<String> = pages.collect();
        found.items.iter().all(|entry| match self.fill(pattern, entry, &slug(entry)) {
            Some(path) => {
                let bare = bare(entry, &path);
                let is_of_language = bare == path && self.languages.has_mount(&path[1..]);
                let is_free = !is_reserved(&bare[1..]) && !TAKEN.contains(&&*bare);
                is_free && !is_of_language && taken.insert(folded(&path).into_owned())
            }
            None => entry.fields.get("status").is_some_and(|status| status == "unpublished"),
        })
    }
}

/// Returns the pattern of most items' addresses, if feedwright can publish all items with it.
pub fn pattern(found: &Found, base_url: &str) -> Option<String> {
    let languages = found.languages.as_ref().map(|own| own.languages.clone()).unwrap_or_default();
    let zone = TimeZone::UTC;
    let patterns = Patterns::new(found, &languages, (&zone, base_url), None);
    let items = found.items.iter().filter(|entry| entry.address.is_some());
    // The language is a part of the pattern if the default language has a path, too.
    let default = items.clone().find(|entry| patterns.language(entry) == 0);
    let has_default = default.is_some_and(|entry| !entry.language_path.is_empty());
    let mut counts: HashMap<String, usize> = HashMap::new();
    for pattern in items.clone().flat_map(|entry| patterns.of_entry(entry, has_default)) {
        *counts.entry(pattern).or_default() += 1;
    }
    let (text, count) = counts.into_iter().max_by_key(|(text, count)| (*count, text.clone()))?;
    let pattern = AddressPattern::parse(&text).ok().filter(|_| !is_reserved(&text[1..]))?;
    let is_usual = count * 2 > items.count();
    (is_usual && patterns.fits(found, &pattern)).then_some(text)
}

fn date(entry: &Entry, zone: &TimeZone) -> Option<Date> {
    let time = dates::parse(entry.text("date_published")?, zone).ok()?;
    Some(zone.to_datetime(time).date())
}

fn slug(entry: &Entry) -> String {
    naming::segment(entry.segment.as_deref(), entry.text("title"), entry.id())
}
