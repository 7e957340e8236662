//! Warns about items and pages whose address or id changed since the last build. The warning
//! contains the front matter line that keeps the old address or id.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use front_matter::{FrontMatter, Value};
use serde_json::json;

use super::Site;
use super::addresses::{AddressKind, Addresses, PublishedAddress, TextHashes};
use super::moved_shows;
use model::{
    Access, ContentFolder, Diagnostic, Fix, Languages, Rule, SitePath, Slug, Source, Status,
};
use site::Snapshot;
use source::notation::Notation;
use source::place::place_of;
use source::redirects;
use source::show::place_of_path;
use source::text::read_text;

/// Maximum number of warnings. Renaming a folder can change many addresses.
const MAX_WARNINGS: usize = 100;

impl Addresses {
    /// Returns warnings about items and pages that have a different address or id in `now`, and the
    /// addresses to compare with next time. These contain the old address or id of each warning, so
    /// that the warning is repeated until the author keeps the old address or id.
    pub fn moved(&self, root: &Path, site: &Site, now: &Self) -> (Vec<Diagnostic>, Self) {
        let newcomers = LazyCell::new(|| NewEntries::of(now, self));
        let told = MoveReport { root, site };
        let mut found = Vec::new();
        let (mut lost, mut renamed) = (Vec::new(), HashSet::new());
        for before in self.missing_in(now) {
            let moved = match told.now(&before) {
                CurrentPlace::Elsewhere(path, source) => {
                    told.address(&before, &path, source).into_iter().collect()
                }
                CurrentPlace::Unchanged => Vec::new(),
                CurrentPlace::Show(show) => moved_shows::warnings(root, site, before.path, show),
                // One warning is enough, because feedwright cannot redirect to another site.
                CurrentPlace::OtherSite(moved) => {
                    found.extend(moved);
                    continue;
                }
                CurrentPlace::Gone => {
                    let Some(now) = newcomers.find(&before) else { continue };
                    let moved = told.renamed(&before, now);
                    if !moved.is_empty() {
                        renamed.insert((now.kind, now.id.to_owned()));
                    }
                    moved
                }
            };
            if !moved.is_empty() {
                found.extend(moved);
                lost.push(before);
            }
        }
        let more = found.len().saturating_sub(MAX_WARNINGS);
        found.truncate(MAX_WARNINGS);
        if more > 0 {
            let message = format!("{more} more published addresses or ids have changed");
            let warning = Diagnostic::warning(Rule::MovedAddress, message);
            found.push(warning.help("run `feedwright check --fix`, which keeps all old addresses"));
        }
        let is_kept =
            |one: &PublishedAddress<'_>| !renamed.contains(&(one.kind, one.id.to_owned()));
        (found, now.filtered(is_kept).with(&lost))
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
        let gone = gone.filter(|before| before.kind != AddressKind::Show);
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
    /// The address has changed. Contains the new path, and the file of the item or page.
    Elsewhere(String, &'a SitePath),
    /// This show has another path.
    Show(&'a Snapshot),
    /// The show, or the item, is now part of another site. Contains the warnings.
    OtherSite(Vec<Diagnostic>),
    /// No item, page or show has the id.
    Gone,
}

/// A published address that no longer shows the same item or page.
struct LostAddress<'a> {
    path: &'a str,
    /// The address, as written in `aliases`. `None` if aliases cannot contain it.
    former: Option<String>,
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
        let (status, path, source) = match before.kind {
            AddressKind::Item => match snapshot.find(before.id) {
                Some(entry) if entry.item.id.as_str() == before.id => {
                    (entry.status, entry.path.clone(), Some(&entry.item.source))
                }
                _ => return self.on_other_site(before).unwrap_or(CurrentPlace::Gone),
            },
            AddressKind::Show => {
                return match moved_shows::find(self.site, before.id) {
                    None => CurrentPlace::Gone,
                    Some(show) if moved_shows::path_of(show) == before.path => {
                        CurrentPlace::Unchanged
                    }
                    Some(show) if show.config.own_url.is_none() => CurrentPlace::Show(show),
                    Some(show) => CurrentPlace::OtherSite(moved_shows::warnings(
                        self.root, self.site, before.path, show,
                    )),
                };
            }
            AddressKind::Page => match snapshot.page(before.id) {
                Some(entry) => (entry.status, entry.path(), entry.page.source.as_ref()),
                None => return CurrentPlace::Gone,
            },
        };
        match source {
            Some(source) if status != Status::Unpublished && path != before.path => {
                CurrentPlace::Elsewhere(path, source)
            }
            _ => CurrentPlace::Unchanged,
        }
    }

    /// Returns the place of an item that was moved out of this show, which is a separate site.
    fn on_other_site(&self, before: &PublishedAddress<'_>) -> Option<CurrentPlace<'a>> {
        let network = self.site.snapshot.network.as_deref()?;
        let entry = network.find(before.id).filter(|entry| entry.item.id.as_str() == before.id)?;
        let LostAddress { path, .. } = self.lost_address(before, before.path)?;
        let own = network.url_on_own_site(entry);
        let new = own.unwrap_or_else(|| network.config.url(&entry.path));
        let (config, source) = (&self.site.snapshot.config, &entry.item.source);
        let url = config.published_url_of(path);
        let message =
            format!("the published address {url} no longer works: {source} is now at {new}");
        let file = redirects::file(&config.content);
        let help = format!("keep the old address with this line in {file}: {path:?} = {new:?}");
        let warning = Diagnostic::warning(Rule::MovedAddress, message).help(help);
        let warning = place_of_path(self.root, config, warning);
        entry.is_public().then(|| CurrentPlace::OtherSite(vec![warning]))
    }

    /// Warns about a changed id, or about the addresses of a show whose folder was renamed.
    fn renamed(
        &self,
        before: &PublishedAddress<'_>,
        now: &PublishedAddress<'_>,
    ) -> Vec<Diagnostic> {
        if before.kind != AddressKind::Show {
            return self.id(before, now).into_iter().collect();
        }
        let show = moved_shows::find(self.site, now.id);
        show.map_or_else(Vec::new, |show| {
            moved_shows::warnings(self.root, self.site, before.path, show)
        })
    }

    /// Warns about a changed address. Returns `None` if the old address redirects.
    pub fn address(
        &self,
        before: &PublishedAddress<'_>,
        new: &str,
        source: &SitePath,
    ) -> Option<Diagnostic> {
        let LostAddress { path: old, former, new_owner } = self.lost_address(before, new)?;
        let what = before.kind.as_str();
        let is_free = new_owner.is_none();
        let (how, also) = match new_owner {
            None => ("no longer works".to_owned(), String::new()),
            Some(file) => {
                let keys = self.keys_of(&file);
                (format!("now belongs to {file}"), format!("give {file} another {keys}, and "))
            }
        };
        // A separate error reports a file that cannot be read. The address of the file is compared
        // once the file can be read.
        let front = self.front_matter(source)?;
        let line = match &former {
            Some(former) => {
                let line = front_matter_line(Some(&front), "aliases", former);
                format!("in the front matter: {line}")
            }
            None => {
                let file = redirects::file(&ContentFolder::default());
                format!("in {file}: {old:?} = {new:?}")
            }
        };
        let fix = former.map(|text| Fix::Add { key: "aliases".to_owned(), text });
        let diagnostic = Diagnostic::warning(
            Rule::MovedAddress,
            format!("the published address {old} {how}: this {what} is now at {new}"),
        )
        .help(format!("{also}keep the old address with this line {line}"));
        let key = match front.table.get("slug") {
            Some(_) => "slug",
            None => "title",
        };
        let fix = fix.filter(|_| is_free).map(Box::new);
        let diagnostic = Diagnostic { fix, ..diagnostic };
        Some(place_of(self.root, source, key, "", diagnostic))
    }

    /// Returns the front matter keys that determine the address of a file.
    fn keys_of(&self, file: &str) -> String {
        let snapshot = &self.site.snapshot;
        let mut entries = snapshot.entries.iter();
        let entry = entries.find(|entry| entry.item.source.as_str() == file);
        let keys = entry.map(|entry| {
            let own = snapshot.edition_of_item(entry).unwrap_or(snapshot);
            own.config.addresses.keys_of(&entry.item)
        });
        keys.unwrap_or_else(|| "`slug`".to_owned())
    }

    /// Returns the old address of an item or page, if the address is broken now or belongs to
    /// another item or page.
    fn lost_address<'b>(
        &self,
        before: &PublishedAddress<'b>,
        new: &str,
    ) -> Option<LostAddress<'b>> {
        let path = before.path;
        let snapshot = &self.site.snapshot;
        if snapshot.config.access != Access::Public {
            return None;
        }
        let new_owner = match self.site.find(path) {
            None => None,
            Some(found) => {
                let document = found.document()?;
                let item = document.item(snapshot).map(|entry| entry.item.source.to_string());
                let page = || {
                    let source = document.page(snapshot)?.page.source.as_ref();
                    Some(source.map(ToString::to_string).unwrap_or_default())
                };
                Some(item.or_else(page)?)
            }
        };
        let former = former_as_written(&snapshot.config.languages, before.kind, [path, new]);
        let former = former.map(str::to_owned);
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
        let rest = |of: &PublishedAddress<'_>| {
            of.path.trim_end_matches('/').strip_suffix(of.id).map(str::to_owned)
        };
        let comes_back = rest(before).is_some_and(|start| rest(now) == Some(start));
        let lost_address = self
            .lost_address(before, now.path)
            .filter(|lost_address| !comes_back && lost_address.new_owner.is_none());
        let lost_address = lost_address.and_then(|lost| Some((lost.path, lost.former?)));
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
            AddressKind::Page | AddressKind::Show => "",
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
            Some((path, former)) => (
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

/// Returns the former path of a page at `new` as written in `aliases`: a slug, or else the whole path.
/// Returns `None` if the page was in another language, because aliases of pages are slugs.
pub(super) fn former_as_written<'p>(
    languages: &Languages,
    kind: AddressKind,
    [path, new]: [&'p str; 2],
) -> Option<&'p str> {
    let [old_mount, mount] = [path, new].map(|path| languages.mount_of(path));
    if old_mount != mount {
        return Some(path).filter(|_| kind == AddressKind::Item);
    }
    let path_in_language = &path[mount.len()..];
    let slug = match kind {
        AddressKind::Item => {
            path_in_language.strip_prefix("/i/").map(|rest| rest.trim_end_matches('/'))
        }
        AddressKind::Page | AddressKind::Show => Some(path_in_language.trim_matches('/')),
    };
    let is_slug = |slug: &&str| kind == AddressKind::Page || Slug::parse(slug).is_ok();
    Some(slug.filter(is_slug).unwrap_or(path))
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
