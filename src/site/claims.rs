//! Checks that ids, segments and aliases of items and paths of pages are unique.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::item_entry::ItemEntry;
use super::snapshot::{Keys, PageEntry};
use model::{
    Diagnostic, FileReport, GeneratedKind, ItemId, List, RESERVED_SLUGS, Report, Severity,
    SharedMap, SiteFile, SitePath, folded,
};
use source::place::place_of;

/// Maps every id, segment and alias to its item. Two items cannot share a key. Keys that differ
/// only in case or Unicode form count as the same: some disks and hosts do not distinguish them, so
/// the files of one item would replace the files of the other.
pub fn keys(root: &Path, entries: &List<Arc<ItemEntry>>, report: &mut Report) -> Keys {
    let before = report.len();
    Keys { owners: claim(root, entries, report), are_distinct: report.len() == before }
}

impl Keys {
    /// Returns the keys after the entries `gone` were replaced by `new`. Returns `None` if two items
    /// claim the same key.
    pub fn changed(&self, gone: &[Arc<ItemEntry>], new: &[Arc<ItemEntry>]) -> Option<Self> {
        let mut owners = self.owners.clone();
        for key in gone.iter().flat_map(|entry| entry.names()) {
            owners.remove(&folded(key));
        }
        for entry in new {
            for key in entry.names() {
                let other = owners.insert(&folded(key), Arc::clone(entry));
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
            found.add(&clash.second.item.source, || clash.report_to(root, field, noun));
        }
    };
    for entry in entries {
        claim(entry.item.id.as_str(), entry, "id", "id");
    }
    for entry in entries {
        claim(&entry.segment, entry, "slug", "URL segment");
    }
    for entry in entries {
        for alias in &entry.item.aliases {
            claim(alias.as_str(), entry, "aliases", "URL segment");
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
    own: &'e str,
}

impl<'e> Clash<'e> {
    fn of(holder: &'e ItemEntry, claimant: &'e ItemEntry, key: &'e str, field: &str) -> Self {
        let is_key = |own: &str| folded(own) == folded(key);
        // If an alias clashes with an id or segment, the alias is at fault, whichever file comes
        // first.
        let is_aliased = field == "aliases"
            && [holder.item.id.as_str(), &holder.segment].into_iter().any(is_key);
        let in_order = is_aliased || holder.item.source <= claimant.item.source;
        let (first, second) = if in_order { (holder, claimant) } else { (claimant, holder) };
        let own = second.names().find(|own| is_key(own)).unwrap_or(key);
        Self { first, second, own }
    }

    fn report_to(&self, root: &Path, field: &str, noun: &str) -> Diagnostic {
        let Self { first, second, own } = self;
        let file = &first.item.source;
        let message = if first.names().any(|name| name == *own) {
            format!("the {noun} `{own}` is already used by {file}")
        } else {
            format!("the {noun} `{own}` differs from one in {file} only in case or Unicode form")
        };
        let help = match field {
            "id" => help_for_id(file, &second.item.source),
            "aliases" => "remove this alias from one of the two files",
            _ => "give one of the two another `slug`",
        };
        let error = Diagnostic::error(message);
        place_of(root, &second.item.source, field, own, error).help(help)
    }
}

/// Returns the help for two files with the same id. If both files contain the same item in two
/// formats, another id would publish the item twice.
fn help_for_id(first: &SitePath, second: &SitePath) -> &'static str {
    fn text(path: &SitePath) -> &str {
        let path = path.as_str();
        let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
        path.strip_suffix("/index").unwrap_or(path)
    }
    match text(first) == text(second) {
        true => "remove the outdated file: both seem to have the same content in different formats",
        false => "give one of the two another `id`, or remove the `id`",
    }
}

/// Checks that the ids of pages are unique, and that no page has a current or former path that is
/// reserved or already in use.
pub fn check_pages(
    root: &Path,
    pages: &[PageEntry],
    site_files: &[Arc<SiteFile>],
    report: &mut Report,
) {
    let mut taken: HashMap<&str, &SitePath> = HashMap::new();
    let mut ids: HashMap<&ItemId, &SitePath> = HashMap::new();
    let mut found = FileErrors::default();
    for PageEntry { page, .. } in pages {
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
    for (PageEntry { page, .. }, slug, field) in slugs.chain(aliases) {
        let Some(source) = &page.source else { continue };
        let slug = slug.as_str();
        let is_site_file = GeneratedKind::ALL.map(GeneratedKind::filename).contains(&slug)
            || site_files.iter().any(|file| file.filename == slug);
        let problem = if RESERVED_SLUGS.contains(&slug) && !page.is_not_found_page() {
            "reserved".to_owned()
        } else if is_site_file {
            "already used by a site file".to_owned()
        } else if let Some(first) = taken.insert(slug, source).filter(|first| *first != source) {
            format!("already used by {first}")
        } else {
            continue;
        };
        let diagnostic = Diagnostic::error(format!("the path /{slug}/ is {problem}"));
        let help = match field {
            "aliases" => "remove this alias",
            _ => "change the `slug` of the page, or rename its file",
        };
        found.add(source, || place_of(root, source, field, slug, diagnostic).help(help));
    }
    found.report_to(report);
}
