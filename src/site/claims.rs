//! Checks that ids, segments and aliases of items and paths of pages are unique.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::item_entry::ItemEntry;
use super::snapshot::{Keys, PageEntry};
use model::{
    Config, Diagnostic, FileReport, GeneratedKind, ItemId, Languages, List, Placeholder, Report,
    Severity, SharedMap, SiteFile, SitePath, folded, is_reserved,
};
use source::place::place_of;
use source::show::file_of_addresses;

/// Maps every id, segment, alias and path to its item. Two items cannot share a key. Keys that differ
/// only in case or Unicode form count as the same: some disks and hosts do not distinguish them, so
/// the files of one item would replace the files of the other.
pub fn keys(
    root: &Path,
    config: &Config,
    entries: &List<Arc<ItemEntry>>,
    report: &mut Report,
) -> Keys {
    let before = report.len();
    let errors_in_paths = || -> Vec<Diagnostic> {
        // Items of shows were already checked with the patterns of their show.
        let own = entries.par_iter().filter(|entry| entry.channel.is_none());
        let incomplete = own.filter_map(|entry| incomplete_path(root, config, entry));
        let of_language =
            entries.par_iter().filter_map(|entry| path_of_language(root, config, entry));
        incomplete.chain(of_language).collect()
    };
    let claims = || claim(root, config, entries, report);
    let (owners, errors) = rayon::join(claims, errors_in_paths);
    report.extend(errors);
    Keys { owners, are_distinct: report.len() == before }
}

/// Returns the placeholder of the item's pattern for which the item has no value.
fn missing_value(config: &Config, entry: &ItemEntry) -> Option<Placeholder> {
    // An item with a complete path needs no second look.
    match entry.own_path() {
        Some(_) => None,
        None => config.path_of(&entry.item)?.err(),
    }
}

/// Returns the error for a public item that lacks a value of the pattern of its address.
fn incomplete_path(root: &Path, config: &Config, entry: &ItemEntry) -> Option<Diagnostic> {
    let missing = missing_value(config, entry)?;
    let (name, key) = (missing.name(), missing.key());
    let message =
        format!("the address of this item needs `{key}`, because its pattern contains {{{name}}}");
    let file = file_of_addresses(root, &config.content);
    let error = Diagnostic::error(message)
        .help(format!("add `{key}`, or change the pattern in `[addresses]` in {file}"));
    entry.is_public().then(|| place_of(root, &entry.item.source, "title", "", error))
}

/// Returns whether the item's path is below the path of a language that the item does not have.
fn is_in_other_language(config: &Config, entry: &ItemEntry) -> bool {
    let path = entry.own_path().map(|path| path.trim_start_matches('/'));
    let own = entry.mount.trim_start_matches('/');
    path.is_some_and(|path| {
        config.languages.has_mount(path) && (own.is_empty() || !path.starts_with(own))
    })
}

/// Returns the error for an item whose path is below the path of another language.
fn path_of_language(root: &Path, config: &Config, entry: &ItemEntry) -> Option<Diagnostic> {
    let path = entry.own_path().filter(|_| is_in_other_language(config, entry))?;
    let error = Diagnostic::error(format!("the address {path} is below the path of a language"))
        .help("change the pattern in `[addresses]` in site.toml, or the `language` of this item");
    Some(place_of(root, &entry.item.source, "language", "", error))
}

impl Keys {
    /// Returns the keys after the entries `gone` were replaced by `new`. Returns `None` if there is
    /// an error, such as two items with the same key.
    pub fn changed(
        &self,
        config: &Config,
        gone: &[Arc<ItemEntry>],
        new: &[Arc<ItemEntry>],
    ) -> Option<Self> {
        let mut owners = self.owners.clone();
        for key in gone.iter().flat_map(|entry| entry.keys()) {
            owners.remove(&folded(&key));
        }
        for entry in new {
            if missing_value(config, entry).is_some() || is_in_other_language(config, entry) {
                return None;
            }
            for key in entry.keys() {
                let other = owners.insert(&folded(&key), Arc::clone(entry));
                if other.is_some_and(|other| !Arc::ptr_eq(&other, entry)) {
                    return None;
                }
            }
        }
        Some(Self { owners, are_distinct: true })
    }
}

fn claim(
    root: &Path,
    config: &Config,
    entries: &List<Arc<ItemEntry>>,
    report: &mut Report,
) -> SharedMap<Arc<ItemEntry>> {
    let mut keys: SharedMap<Arc<ItemEntry>> = SharedMap::for_keys(entries.len() * 2);
    let mut clashing: HashSet<[*const ItemEntry; 2]> = HashSet::new();
    let mut found = FileErrors::default();
    let mut claim = |key: &str, entry: &Arc<ItemEntry>, field: &str, noun: &str| {
        let folded = folded(key);
        let Some(other) = keys.get(&folded).filter(|other| !Arc::ptr_eq(other, entry)) else {
            keys.insert(&folded, Arc::clone(entry));
            return;
        };
        // Two files with the same id also have the same segment; only one error is reported.
        if clashing.insert([Arc::as_ptr(other), Arc::as_ptr(entry)]) {
            let clash = Clash::of(other, entry, key, field);
            let error = || clash.report_to(root, config, field, noun);
            found.add(&clash.second.item.source, error);
        }
    };
    for entry in entries {
        if let Some(text) = entry.text() {
            claim(&text, entry, "language", "text");
        }
    }
    for entry in entries {
        claim(entry.item.id.as_str(), entry, "id", "id");
    }
    for entry in entries {
        for segment in entry.names().skip(1).take(1) {
            claim(&segment, entry, "slug", "URL segment");
        }
    }
    for entry in entries {
        for alias in entry.names().skip(2) {
            claim(&alias, entry, "aliases", "URL segment");
        }
    }
    for entry in entries {
        if let Some(path) = entry.own_path() {
            claim(path, entry, "title", "address");
        }
    }
    found.report_to(report);
    keys
}

/// Errors grouped by file, so that a file with a thousand errors is read only once to locate them.
#[derive(Default)]
struct FileErrors(BTreeMap<SitePath, FileReport>);

impl FileErrors {
    fn add(&mut self, file: &SitePath, error: impl FnOnce() -> Diagnostic) {
        let of_file = self.0.entry(file.clone()).or_default();
        of_file.add(Severity::Error, error);
    }

    fn report_to(self, report: &mut Report) {
        for (file, found) in self.0 {
            report.extend(found.finish(file.as_str()));
        }
    }
}

/// A key that two entries claim. The error is reported at the second entry.
struct Clash<'e> {
    first: &'e ItemEntry,
    second: &'e ItemEntry,
    /// The key as spelled in the second entry.
    own: Cow<'e, str>,
}

impl<'e> Clash<'e> {
    fn of(holder: &'e ItemEntry, claimant: &'e ItemEntry, key: &'e str, field: &str) -> Self {
        let is_key = |own: &str| folded(own) == folded(key);
        // If an alias clashes with an id or segment, the alias is at fault, whichever file comes
        // first.
        let is_aliased = field == "aliases" && holder.names().take(2).any(|own| is_key(&own));
        let in_order = is_aliased || holder.item.source <= claimant.item.source;
        let (first, second) = if in_order { (holder, claimant) } else { (claimant, holder) };
        let own = second.keys().find(|own| is_key(own)).unwrap_or(key.into());
        Self { first, second, own }
    }

    fn report_to(&self, root: &Path, config: &Config, field: &str, noun: &str) -> Diagnostic {
        let Self { first, second, own } = self;
        let file = &first.item.source;
        let message = if field == "language" {
            same_text(file)
        } else if first.keys().any(|name| name == *own) {
            format!("the {noun} `{own}` is already used by {file}")
        } else {
            format!("the {noun} `{own}` differs from one in {file} only in case or Unicode form")
        };
        let help = match field {
            "id" => help_for_id(file, &second.item.source).to_owned(),
            "aliases" => "remove this alias from one of the two files".to_owned(),
            "slug" => "give one of the two another `slug`".to_owned(),
            "language" => HELP_FOR_TEXT.to_owned(),
            _ => {
                let keys = config.addresses.keys_of(&second.item);
                format!("give one of the two another {keys}")
            }
        };
        let error = Diagnostic::error(message);
        let edition = [second.mount.trim_start_matches('/'), "/"].concat();
        let text = own.strip_prefix(&*edition).unwrap_or(own);
        place_of(root, &second.item.source, field, text, error).help(help)
    }
}

/// Returns the message about two files with one text in one language.
fn same_text(first: &SitePath) -> String {
    format!("this text has the same language as {first}, and the same name")
}

const HELP_FOR_TEXT: &str = "rename one of the two files, or state another `language`";

/// Returns the help for two files with the same id. If both files contain the same item in two
/// formats, another id would publish the item twice.
fn help_for_id(first: &SitePath, second: &SitePath) -> &'static str {
    match first.page_path() == second.page_path() {
        true => "remove the outdated file: both seem to have the same content in different formats",
        false => "give one of the two another `id`, or remove the `id`",
    }
}

/// Checks that the ids of pages are unique, and that no page has a current or former path that is
/// reserved or already in use.
pub fn check_pages(
    root: &Path,
    languages: &Languages,
    pages: &[PageEntry],
    site_files: &[Arc<SiteFile>],
    report: &mut Report,
) {
    let mut taken: HashMap<(&str, &str), &SitePath> = HashMap::new();
    let mut ids: HashMap<&ItemId, &SitePath> = HashMap::new();
    let mut found = FileErrors::default();
    let mut texts: HashMap<(&str, &str), &SitePath> = HashMap::new();
    let mut same_texts: HashSet<&SitePath> = HashSet::new();
    for PageEntry { page, mount, .. } in pages {
        let Some((source, path)) = page.source.as_ref().zip(page.text_path.as_deref()) else {
            continue;
        };
        if let Some(first) = texts.insert((mount, path), source) {
            let error = Diagnostic::error(same_text(first)).help(HELP_FOR_TEXT);
            found.add(source, || place_of(root, source, "language", "", error));
            same_texts.insert(source);
        }
    }
    for PageEntry { page, .. } in pages.iter().filter(|entry| !entry.page.is_not_found_page()) {
        let Some(source) = &page.source else { continue };
        if let Some(first) = ids.insert(&page.id, source) {
            let diagnostic =
                Diagnostic::error(format!("the id `{}` is already used by {first}", page.id));
            found.add(source, || {
                place_of(root, source, "id", page.id.as_str(), diagnostic)
                    .help(help_for_id(first, source))
            });
        }
    }
    let slugs = pages.iter().map(|entry| (entry, &entry.page.slug, "slug"));
    let aliases = pages.iter().flat_map(|entry| {
        let aliases = entry.page.aliases.iter();
        aliases.map(move |alias| (entry, alias, "aliases"))
    });
    // Slugs come first: if a current path clashes with a former one, the former path is at fault,
    // whichever file comes first.
    for (PageEntry { page, mount, .. }, slug, field) in slugs.chain(aliases) {
        let Some(source) = &page.source else { continue };
        let slug = slug.as_str();
        let is_site_file = mount.is_empty()
            && GeneratedKind::ALL.map(GeneratedKind::filename).contains(&slug)
            || mount.is_empty() && site_files.iter().any(|file| file.filename == slug);
        let problem = if is_reserved(slug) && !page.is_not_found_page() {
            "reserved".to_owned()
        } else if mount.is_empty() && languages.has_mount(slug) {
            "the path of a language".to_owned()
        } else if is_site_file {
            "already used by a site file".to_owned()
        } else if let Some(first) = taken
            .insert((mount, slug), source)
            .filter(|first| *first != source && !same_texts.contains(source))
        {
            format!("already used by {first}")
        } else {
            continue;
        };
        let diagnostic = Diagnostic::error(format!("the path {mount}/{slug}/ is {problem}"));
        let help = match field {
            "aliases" => "remove this alias",
            _ => "change the `slug` of the page, or rename its file",
        };
        found.add(source, || place_of(root, source, field, slug, diagnostic).help(help));
    }
    found.report_to(report);
}
