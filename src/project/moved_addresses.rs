//! Warns about items and pages whose address or id changed since the last build. The warning
//! contains the front matter line that keeps the old address or id.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use front_matter::{FrontMatter, Value};
use serde_json::json;

use super::Site;
use super::addresses::{AddressKind, Addresses, PublishedAddress, TextHashes};
use model::{Access, Diagnostic, Fix, Rule, SitePath, Slug, Source, Status};
use render::{Document, PathAnswer};
use site::{PageEntry, paths};
use source::notation::Notation;
use source::place::place_of;
use source::text::read_text;

/// Maximum number of warnings. Renaming a folder can change many addresses.
const MAX_WARNINGS: usize = 100;

impl Addresses {
    /// Returns warnings about items and pages that have a different address or id in `now`.
    pub fn moved(&self, root: &Path, site: &Site, now: &Self) -> Vec<Diagnostic> {
        let newcomers = LazyCell::new(|| NewEntries::of(now, self));
        let told = MoveReport { root, site };
        let mut found = Vec::new();
        let mut more = 0;
        for before in self.missing_in(now) {
            let moved = match told.now(&before) {
                CurrentPlace::Elsewhere(segment, source) => told.address(&before, segment, source),
                CurrentPlace::Unchanged => None,
                CurrentPlace::Gone => newcomers.find(&before).and_then(|now| told.id(&before, now)),
            };
            match moved {
                Some(_) if found.len() >= MAX_WARNINGS => more += 1,
                moved => found.extend(moved),
            }
        }
        if more > 0 {
            let message = format!("{more} more published addresses or ids have changed");
            let warning = Diagnostic::warning(Rule::MovedAddress, message);
            found.push(warning.help("fix the listed warnings, then check again"));
        }
        found
    }

    /// Returns warnings about items and pages that have a different id in `now`, by kind and old
    /// id.
    pub(super) fn renamed(
        &self,
        root: &Path,
        site: &Site,
        now: &Self,
    ) -> HashMap<(AddressKind, &str), Diagnostic> {
        let newcomers = NewEntries::of(now, self);
        let told = MoveReport { root, site };
        let gone = self.missing_in(now).into_iter();
        let gone = gone.filter(|before| matches!(told.now(before), CurrentPlace::Gone));
        gone.filter_map(|before| {
            let warning = told.id(&before, newcomers.find(&before)?)?;
            Some(((before.kind, before.id), warning))
        })
        .collect()
    }
}

/// Items and pages with new ids that are derived from their paths. An id that the author wrote is
/// never reported as changed, because the author chose it.
struct NewEntries<'a> {
    sources: HashMap<(AddressKind, &'a str), PublishedAddress<'a>>,
    /// New entries by kind and hashes. The value is `None` if several entries have the same hashes,
    /// because the renamed file is then ambiguous.
    alike: HashMap<(AddressKind, TextHashes), Option<PublishedAddress<'a>>>,
    files: HashSet<&'a str>,
}

impl<'a> NewEntries<'a> {
    pub fn of(now: &'a Addresses, before: &Addresses) -> Self {
        let old: HashSet<_> = before.published().map(|old| (old.kind, old.id)).collect();
        let new = now.published();
        let new = new.filter(|new| new.id_is_derived && !old.contains(&(new.kind, new.id)));
        let mut newcomers = Self {
            sources: HashMap::new(),
            alike: HashMap::new(),
            files: now.published().map(|published| published.source).collect(),
        };
        for new in new {
            for matching_hashes in matching_hashes(new.hashes) {
                let alike = newcomers.alike.entry((new.kind, matching_hashes));
                alike.and_modify(|other| *other = None).or_insert_with(|| Some(new.clone()));
            }
            newcomers.sources.insert((new.kind, new.source), new);
        }
        newcomers
    }

    /// Returns the new entry of an item or page whose id changed. The entry is in the same file or
    /// in a renamed file.
    pub fn find<'s>(
        &'s self,
        before: &'s PublishedAddress<'s>,
    ) -> Option<&'s PublishedAddress<'s>> {
        let kind = before.kind;
        if let Some(now) = self.sources.get(&(kind, before.source)) {
            return Some(now);
        }
        if !before.id_is_derived || self.files.contains(before.source) {
            return None;
        }
        let alike = |matching_hashes| self.alike.get(&(kind, matching_hashes))?.as_ref();
        matching_hashes(before.hashes).find_map(alike)
    }
}

/// Returns hashes for recognizing a renamed file, the most reliable first: of title and text, of
/// the text alone, and of the title alone.
fn matching_hashes(of: TextHashes) -> impl Iterator<Item = TextHashes> {
    let TextHashes { title, text } = of;
    let both = (title != 0 && text != 0).then_some(of);
    let by_text = (text != 0).then_some(TextHashes { title: 0, text });
    let by_title = (title != 0).then_some(TextHashes { title, text: 0 });
    [both, by_text, by_title].into_iter().flatten()
}

/// Whether a published item or page has kept its address.
enum CurrentPlace<'a> {
    /// The address is unchanged, or the item or page is a draft now.
    Unchanged,
    /// The address has changed. Contains its new segment, and the file of the item or page.
    Elsewhere(&'a str, &'a SitePath),
    /// No item or page has the id.
    Gone,
}

/// A published address that no longer shows the same item or page.
struct LostAddress {
    path: String,
    /// The address, as written in `aliases`.
    former: String,
    /// File of the item or page at the address now, if there is one.
    new_owner: Option<String>,
}

struct MoveReport<'a> {
    pub root: &'a Path,
    /// The current site.
    pub site: &'a Site,
}

impl<'a> MoveReport<'a> {
    pub fn now(&self, before: &PublishedAddress<'_>) -> CurrentPlace<'a> {
        let snapshot = &self.site.snapshot;
        let (status, segment, source) = match before.kind {
            AddressKind::Item => match snapshot.find(before.id) {
                Some(entry) if entry.item.id.as_str() == before.id => {
                    (entry.status, entry.segment.as_str(), Some(&entry.item.source))
                }
                _ => return CurrentPlace::Gone,
            },
            AddressKind::Page => match snapshot.page(before.id) {
                Some(PageEntry { page, status, .. }) => {
                    (*status, page.slug.as_str(), page.source.as_ref())
                }
                None => return CurrentPlace::Gone,
            },
        };
        match source {
            Some(source) if status != Status::Unpublished && segment != before.segment => {
                CurrentPlace::Elsewhere(segment, source)
            }
            _ => CurrentPlace::Unchanged,
        }
    }

    /// Warns about a changed address. Returns `None` if the old address redirects.
    pub fn address(
        &self,
        before: &PublishedAddress<'_>,
        segment: &str,
        source: &SitePath,
    ) -> Option<Diagnostic> {
        let LostAddress { path: old, former, new_owner } = self.lost_address(before)?;
        let (what, new) = match before.kind {
            AddressKind::Item => ("item", paths::item(segment)),
            AddressKind::Page => ("page", paths::page(segment)),
        };
        let is_free = new_owner.is_none();
        let (how, also) = match new_owner {
            None => ("no longer works".to_owned(), String::new()),
            Some(file) => {
                (format!("now belongs to {file}"), format!("give {file} another `slug`, and "))
            }
        };
        // A separate error reports a file that cannot be read. The address of the file is compared
        // once the file can be read.
        let front = self.front_matter(source)?;
        let line = front_matter_line(Some(&front), "aliases", &former);
        let fix = Fix::Add { key: "aliases".to_owned(), text: former };
        let diagnostic = Diagnostic::warning(
            Rule::MovedAddress,
            format!("the published address {old} {how}: this {what} is now at {new}"),
        )
        .help(format!("{also}keep the old address with this line in the front matter: {line}"));
        let key = match front.table.get("slug") {
            Some(_) => "slug",
            None => "title",
        };
        let fix = is_free.then(|| Box::new(fix));
        let diagnostic = Diagnostic { fix, ..diagnostic };
        Some(place_of(self.root, source, key, "", diagnostic))
    }

    /// Returns the old address of an item or page, if the address is broken now or belongs to
    /// another item or page.
    fn lost_address(&self, before: &PublishedAddress<'_>) -> Option<LostAddress> {
        let path = match before.kind {
            AddressKind::Item => paths::item(before.segment),
            AddressKind::Page => paths::page(before.segment),
        };
        let snapshot = &self.site.snapshot;
        if snapshot.config.access != Access::Public {
            return None;
        }
        let new_owner = match self.site.find(&path) {
            None => None,
            Some(PathAnswer::Document(Document::Item(at))) => {
                Some(snapshot.entries[at].item.source.to_string())
            }
            Some(PathAnswer::Document(Document::Page(at))) => {
                let source = snapshot.pages[at].page.source.as_ref();
                Some(source.map(ToString::to_string).unwrap_or_default())
            }
            Some(_) => return None,
        };
        let is_slug = before.kind == AddressKind::Page || Slug::parse(before.segment).is_ok();
        // An address that is not a slug is written as a complete path.
        let former = if is_slug { before.segment } else { &path }.to_owned();
        Some(LostAddress { path, former, new_owner })
    }

    /// Warns about a changed id, and about an address that changed together with the id.
    pub fn id(
        &self,
        before: &PublishedAddress<'_>,
        now: &PublishedAddress<'_>,
    ) -> Option<Diagnostic> {
        let id = before.id;
        let source = SitePath::parse(now.source)?;
        // If the old address ends with the old id, restoring the id restores the address too.
        let rest = |of: &PublishedAddress<'_>| of.segment.strip_suffix(of.id).map(str::to_owned);
        let comes_back = rest(before).is_some_and(|start| rest(now) == Some(start));
        let lost_address = self
            .lost_address(before)
            .filter(|lost_address| !comes_back && lost_address.new_owner.is_none());
        let was = if before.source == now.source {
            format!("the id of this file changed from `{id}`")
        } else {
            format!(
                "this file was moved from {}, so its id, which derives from the path, changed from `{id}`",
                before.source
            )
        };
        let so = match before.kind {
            AddressKind::Item => ": feed readers will show the item again",
            AddressKind::Page => "",
        };
        let front = self.front_matter(&source);
        let line = |key, value| front_matter_line(front.as_ref(), key, value);
        let set = Fix::Set { key: "id".to_owned(), text: id.to_owned() };
        let (message, help, fix) = match lost_address {
            None => (
                format!("{was}{so}"),
                format!("keep the old id with this line in the front matter: {}", line("id", id)),
                set,
            ),
            Some(LostAddress { path, former, .. }) => (
                format!("{was}{so}; its old address {path} no longer works"),
                format!(
                    "keep the old id and address with these lines in the front matter: {} and {}",
                    line("id", id).trim_end_matches(','),
                    line("aliases", &former)
                ),
                Fix::All(vec![set, Fix::Add { key: "aliases".to_owned(), text: former }]),
            ),
        };
        let diagnostic = Diagnostic::warning(Rule::ChangedId, message).help(help);
        Some(place_of(self.root, &source, "id", "", diagnostic.fix(fix)))
    }

    fn front_matter(&self, path: &SitePath) -> Option<FrontMatter> {
        let text = read_text(self.root, path).ok()?;
        Source { path, text: &text }.front_matter().ok()
    }
}

/// Returns a front matter line that sets or extends a key. The line for a list includes the current
/// values of the list.
pub(super) fn front_matter_line(front: Option<&FrontMatter>, key: &str, value: &str) -> String {
    let node = front.and_then(|front| front.table.get(key));
    let listed = match node.map(|node| &node.value) {
        Some(Value::List(list)) => list.iter().filter_map(|node| text_of(&node.value)).collect(),
        Some(value) => text_of(value).into_iter().collect(),
        None => Vec::new(),
    };
    let value = match key {
        "aliases" => {
            let all = listed.into_iter().chain([value]);
            let all: Vec<String> = all.map(|text| json!(text).to_string()).collect();
            format!("[{}]", all.join(", "))
        }
        _ => json!(value).to_string(),
    };
    let notation = Notation::of_front(front);
    let end = if notation.is_json() { "," } else { "" };
    notation.pair(key, &value) + end
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::Plain(_, text) => Some(text),
        _ => None,
    }
}
