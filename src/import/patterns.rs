//! The patterns of a source's addresses.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::found::{Entry, Found};
use super::naming;
use model::{
    AddressPattern, Addresses, Config, Languages, PageSlug, Placeholder, folded, is_reserved,
};
use source::dates;

/// Paths of generated pages and feeds that an item cannot have.
const TAKEN: [&str; 6] = ["/archive/", "/albums/", "/subscribe/", "/feed/", "/card/", "/llms/"];

/// Folder of the site's items.
const ITEMS: &str = "content/items/";

/// The addresses of a site's items.
pub struct Patterns<'c> {
    languages: &'c Languages,
    zone: &'c TimeZone,
    base_url: &'c str,
    addresses: Addresses,
    /// Slugs of the sections, by folder and language.
    sections: HashMap<(String, usize), String>,
}

impl<'c> Patterns<'c> {
    /// Returns the addresses with the patterns of a site.
    pub fn of(found: &Found, config: &'c Config) -> Self {
        let addresses = config.addresses.clone();
        Self::new(found, &config.languages, (&config.timezone, &config.base_url), addresses)
    }

    fn new(
        found: &Found,
        languages: &'c Languages,
        (zone, base_url): (&'c TimeZone, &'c str),
        addresses: Addresses,
    ) -> Self {
        let sections = found.pages.iter().filter(|page| page.is_section).map(|page| {
            let language = languages.index(page.text("language"));
            ((page.folder.clone(), language), page.section_slug(base_url))
        });
        Self { languages, zone, base_url, addresses, sections: sections.collect() }
    }

    /// Returns the folder of an item: the innermost of its section and of the folders with a pattern.
    pub fn folder_of(&self, entry: &Entry) -> String {
        let wanted = self.wanted_folder(entry);
        let folders = self.addresses.folders.iter();
        let mut folders = folders
            .filter_map(|(folder, _)| Some(folder.strip_prefix(ITEMS)?.trim_end_matches('/')));
        let own = folders.find(|folder| is_below(&wanted, folder));
        let own = own.filter(|folder| folder.len() > entry.folder.len());
        own.unwrap_or(&entry.folder).to_owned()
    }

    /// Returns the folder of an item at the source, without its language. If the item is in a section,
    /// the folder is in the folder of the section.
    fn wanted_folder(&self, entry: &Entry) -> String {
        let (first, rest) =
            entry.source_folder.split_once('/').unwrap_or((&entry.source_folder, ""));
        let mut tags = self.languages.default.iter().chain(&self.languages.others);
        let is_language = tags.any(|tag| tag.eq_ignore_ascii_case(first));
        let folder = if is_language { rest } else { &entry.source_folder };
        if is_below(folder, &entry.folder) { folder.to_owned() } else { entry.folder.clone() }
    }

    /// Returns the pattern for the items in a folder.
    fn pattern_of(&self, folder: &str) -> Option<&AddressPattern> {
        let folder = format!("{ITEMS}{folder}/");
        let mut folders = self.addresses.folders.iter();
        let own = folders.find(|(known, _)| folder.starts_with(known.as_str()));
        own.map(|(_, pattern)| pattern).or(self.addresses.items.as_ref())
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
        let pattern = self.pattern_of(&self.wanted_folder(entry));
        let path = pattern.and_then(|pattern| self.fill(pattern, entry, slug));
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
                (part, _) if !day.is_empty() && part == day => "{year}-{month}-{day}".to_owned(),
                (part, _) if !day.is_empty() && part == format!("{day}-{slug}") => {
                    "{year}-{month}-{day}-{slug}".to_owned()
                }
                (part, _) => part.to_owned(),
            });
        }
        format!("/{}/", parts.join("/"))
    }

    /// Returns whether every item gets a different path.
    fn fits(&self, found: &Found) -> bool {
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
        let path_of = |entry: &Entry| {
            let pattern = self.pattern_of(&self.wanted_folder(entry))?;
            Some(self.fill(pattern, entry, &slug(entry)))
        };
        found.items.iter().all(|entry| match path_of(entry) {
            None => true,
            Some(Some(path)) => {
                let bare = bare(entry, &path);
                let is_of_language = bare == path && self.languages.has_mount(&path[1..]);
                let is_free = !is_reserved(&bare[1..]) && !TAKEN.contains(&&*bare);
                is_free && !is_of_language && taken.insert(folded(&path).into_owned())
            }
            Some(None) => entry.fields.get("status").is_some_and(|status| status == "unpublished"),
        })
    }
}

/// The patterns of a source's addresses, which a new site gets.
#[derive(Debug, Default)]
pub struct SourcePatterns {
    /// Pattern of most items.
    pub items: Option<String>,
    /// Patterns of folders in which most items have another pattern, by path below `content/items`.
    pub folders: BTreeMap<String, String>,
}

/// An item with the patterns that its former address fits.
struct Candidate {
    folder: String,
    patterns: Vec<String>,
    /// Whether the item is in the default language.
    is_main: bool,
    /// Whether the item states its address itself, so that other items can have another pattern.
    states_address: bool,
}

/// Returns the patterns of most items' addresses, as far as feedwright can publish all items with them.
pub fn source_patterns(found: &Found, base_url: &str) -> SourcePatterns {
    let languages = found.languages.as_ref().map(|own| own.languages.clone()).unwrap_or_default();
    let zone = TimeZone::UTC;
    let patterns = |addresses| Patterns::new(found, &languages, (&zone, base_url), addresses);
    let none = patterns(Addresses::default());
    let items = || found.items.iter().filter(|entry| entry.address.is_some());
    // The language is a part of the pattern if the default language has a path, too.
    let default = items().find(|entry| none.language(entry) == 0);
    let has_default = default.is_some_and(|entry| !entry.language_path.is_empty());
    let candidate = |entry: &Entry| Candidate {
        folder: none.wanted_folder(entry),
        patterns: none.of_entry(entry, has_default),
        is_main: none.language(entry) == 0,
        states_address: entry.states_address,
    };
    let candidates: Vec<Candidate> = items().map(candidate).collect();
    // Only the general pattern applies to items outside all folders.
    let outside = candidates.iter().filter(|one| one.folder.is_empty()).collect::<Vec<_>>();
    let usual = usual(&outside).or_else(|| usual(&candidates.iter().collect::<Vec<_>>()));
    for items in [usual, None] {
        let own = SourcePatterns { folders: of_folders(&candidates, items.as_deref()), items };
        let addresses = own.addresses();
        if addresses.has_patterns() && patterns(addresses).fits(found) {
            return own;
        }
    }
    SourcePatterns::default()
}

/// Returns the patterns of folders, if the majority of their items have a pattern other than `items`.
fn of_folders(candidates: &[Candidate], items: Option<&str>) -> BTreeMap<String, String> {
    let above = |folder: &str| folder.rsplit_once('/').map(|(above, _)| above.to_owned());
    let mut folders: BTreeMap<String, Vec<&Candidate>> = BTreeMap::new();
    for one in candidates {
        let all = std::iter::successors(Some(one.folder.clone()), |folder| above(folder));
        for folder in all.filter(|folder| !folder.is_empty()) {
            folders.entry(folder).or_default().push(one);
        }
    }
    let mut own: BTreeMap<String, String> = BTreeMap::new();
    for (folder, inner) in folders {
        let mut outer = std::iter::successors(above(&folder), |folder| above(folder));
        let inherited = outer.find_map(|outer| own.get(&outer)).map(String::as_str).or(items);
        let inherits = inner.iter().filter(|one| {
            inherited.is_some_and(|pattern| one.patterns.iter().any(|own| own == pattern))
        });
        // The stated address of a single item is not a pattern for its folder.
        let is_single = matches!(&inner[..], [item] if item.states_address);
        let is_other = inherits.count() * 2 < inner.len() && !is_single;
        let pattern = usual(&inner).filter(|_| is_other);
        if let Some(pattern) = pattern.filter(|pattern| Some(&**pattern) != inherited) {
            own.insert(folder, pattern);
        }
    }
    own
}

/// Returns the pattern of the majority of items. Without a majority, counts only the items that do not
/// state their addresses, and then only the items in the default language.
fn usual(items: &[&Candidate]) -> Option<String> {
    let among = |is_counted: &dyn Fn(&Candidate) -> bool| {
        let items: Vec<&&Candidate> = items.iter().filter(|item| is_counted(item)).collect();
        let mut counts: HashMap<&String, usize> = HashMap::new();
        for pattern in items.iter().flat_map(|item| &item.patterns) {
            *counts.entry(pattern).or_default() += 1;
        }
        let (text, count) = counts.into_iter().max_by_key(|(text, count)| (*count, *text))?;
        let is_valid = AddressPattern::parse(text).is_ok() && !is_reserved(&text[1..]);
        (count * 2 > items.len() && is_valid).then(|| text.clone())
    };
    let all = among(&|_| true);
    let all = all.or_else(|| among(&|item| !item.states_address));
    all.or_else(|| among(&|item| item.is_main))
}

impl SourcePatterns {
    fn addresses(&self) -> Addresses {
        let parsed = |text: &String| AddressPattern::parse(text).ok();
        let folders = self.folders.iter().rev();
        let folders =
            folders.filter_map(|(folder, text)| Some((format!("{ITEMS}{folder}/"), parsed(text)?)));
        Addresses {
            items: self.items.as_ref().and_then(parsed),
            folders: folders.collect(),
            ..Addresses::default()
        }
    }
}

/// Returns whether a folder is another folder or below it. All folders are below the empty folder.
fn is_below(folder: &str, other: &str) -> bool {
    let rest = folder.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || other.is_empty() || rest.starts_with('/'))
}

fn date(entry: &Entry, zone: &TimeZone) -> Option<Date> {
    let time = dates::parse(entry.text("date_published")?, zone).ok()?;
    Some(zone.to_datetime(time).date())
}

fn slug(entry: &Entry) -> String {
    naming::segment(entry.segment.as_deref(), entry.text("title"), entry.id())
}
