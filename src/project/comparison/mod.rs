//! Compares a site with its published state: reports addresses and guids that vanish or change, and
//! changed files of episodes.
//!
//! The published state is one of these: a feed or a sitemap, by its address or as a file; a built
//! folder; or a git revision, whose site is read like any other.

mod feed;
mod folder;
pub(super) mod revision;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use front_matter::FrontMatter;
use percent_encoding::percent_decode_str;
use recording_tags::Tags;

use super::addresses::{AddressKind, Addresses};
use super::moved_addresses::{former_as_written, front_matter_line};
use super::{Options, Site};
use model::{Diagnostic, Fix, Item, ItemId, Rule, SitePath, Source, Status};
use render::PublishedRecordings;
use site::ItemEntry;
use source::place::place_of;
use source::text::read_text;

/// Maximum number of warnings for each rule. A site that moved completely would have a warning for
/// each address.
const MAX_WARNINGS: usize = 100;

#[derive(Debug, Default)]
pub struct Published {
    /// Address of the published site. Addresses below it belong to the site.
    pub base: Option<String>,
    pub items: Vec<PublishedItem>,
    /// The ids and paths of pages. Only a git revision has page ids.
    pub pages: Vec<(ItemId, String)>,
    /// Further addresses, absolute or relative to the site's root.
    pub addresses: Vec<String>,
    /// Whether sizes are of the author's files. The sizes in a feed include tags.
    pub is_untagged: bool,
    /// Entries for recognizing renamed files, available only for a git revision.
    pub files: Addresses,
}

#[derive(Debug, Default)]
pub struct PublishedItem {
    pub guid: String,
    pub address: Option<String>,
    pub title: String,
    pub enclosure: Option<(String, Option<u64>)>,
    /// The tags of the recording, without pictures. Only a git revision has them.
    pub tags: Option<Box<Tags>>,
}

/// Reads a published state. `what` is an address, a file, a folder or a git revision.
///
/// # Errors
///
/// Returns an error if `what` is none of these, or cannot be read.
pub fn published(options: &Options, what: &str) -> Result<Published, String> {
    if what.starts_with("https://") || what.starts_with("http://") {
        return feed::at(what);
    }
    let path = Path::new(what);
    if path.is_dir() {
        return folder::read(path);
    }
    if path.is_file() {
        return feed::read_file(path);
    }
    revision::read(options, what)
}

/// Returns warnings about everything in the published state that is missing or different in the
/// site.
pub fn changes(root: &Path, site: &Site, published: &Published) -> Vec<Diagnostic> {
    let comparison = Comparison::new(root, site, published);
    let now = Addresses::of(&site.snapshot);
    let mut renamed = published.files.renamed(root, site, &now);
    let mut found = Vec::new();
    // Paths that were already compared. Further addresses at or below these paths are not reported.
    let mut told: HashSet<String> = HashSet::new();
    for item in &published.items {
        let path = item.address.as_deref().and_then(|at| comparison.path(at));
        match renamed.remove(&(AddressKind::Item, item.guid.as_str())) {
            Some(warning) => found.push(warning),
            None => found.extend(comparison.item(item, path.as_deref())),
        }
        told.extend(path.filter(|path| path != "/"));
    }
    for (id, path) in &published.pages {
        match renamed.remove(&(AddressKind::Page, id.as_str())) {
            Some(warning) => found.push(warning),
            None => found.extend(comparison.page(id, path)),
        }
        told.insert(path.clone());
    }
    for address in &published.addresses {
        let Some(path) = comparison.path(address) else {
            continue;
        };
        let mut above = path.match_indices('/').map(|(at, _)| &path[..=at]);
        if above.any(|above| told.contains(above)) {
            continue;
        }
        if let Some(gone) = comparison.address(&path) {
            found.push(gone);
            told.insert(path);
        }
    }
    found.extend(comparison.changed_recordings(published));
    limit_warnings(found)
}

/// Returns tags for a comparison. A git revision is read without its recordings, whose length is the
/// end of the last chapter.
fn without_ends(mut tags: Tags) -> Tags {
    tags.chapters.iter_mut().for_each(|chapter| chapter.end_ms = 0);
    tags
}

/// Keeps the first [`MAX_WARNINGS`] warnings of each rule, and adds a warning with the number of
/// omitted warnings.
fn limit_warnings(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut counts: HashMap<Rule, usize> = HashMap::new();
    let mut kept = Vec::new();
    for one in found {
        let Some(rule) = one.rule else { continue };
        let count = counts.entry(rule).or_default();
        *count += 1;
        if *count <= MAX_WARNINGS {
            kept.push(one);
        }
    }
    let mut more: Vec<_> = counts.into_iter().filter(|(_, count)| *count > MAX_WARNINGS).collect();
    more.sort_unstable();
    kept.extend(more.into_iter().map(|(rule, count)| {
        let message = format!("{} more warnings of this kind", count - MAX_WARNINGS);
        Diagnostic::warning(rule, message).help("fix the listed warnings, then check again")
    }));
    kept
}

struct Comparison<'a> {
    root: &'a Path,
    site: &'a Site,
    /// Whether the published sizes are of the author's files.
    is_untagged: bool,
    /// Base URLs of the site: the configured URL and the published URL.
    bases: Vec<&'a str>,
    by_guid: HashMap<&'a str, &'a ItemEntry>,
    /// Items whose guids are not in the published state, by title. `None` if several items have the
    /// same title.
    new_by_title: HashMap<&'a str, Option<&'a ItemEntry>>,
    known_guids: HashSet<&'a str>,
}

fn guid(item: &Item) -> &str {
    item.guid.as_deref().unwrap_or(item.id.as_str())
}

impl<'a> Comparison<'a> {
    fn new(root: &'a Path, site: &'a Site, published: &'a Published) -> Self {
        let entries = || site.snapshot.entries.iter().map(AsRef::as_ref);
        let mut bases = vec![site.snapshot.config.base_url.as_str()];
        bases.extend(published.base.as_deref());
        let known_guids: HashSet<&str> = published.items.iter().map(|item| &*item.guid).collect();
        let mut new_by_title = HashMap::new();
        for entry in entries().filter(|entry| !known_guids.contains(guid(&entry.item))) {
            let same = new_by_title.entry(entry.item.title.as_str());
            same.and_modify(|other| *other = None).or_insert(Some(entry));
        }
        new_by_title.remove("");
        Self {
            root,
            site,
            is_untagged: published.is_untagged,
            bases,
            by_guid: entries().map(|entry| (guid(&entry.item), entry)).collect(),
            new_by_title,
            known_guids,
        }
    }

    /// Returns the percent-decoded path of an address of the site, or `None` for other addresses.
    fn path(&self, address: &str) -> Option<String> {
        let address = address.split(['?', '#']).next().unwrap_or_default();
        let below = |base: &&str| {
            let rest = address.strip_prefix(base.trim_end_matches('/'))?;
            (rest.is_empty() || rest.starts_with('/')).then_some(rest)
        };
        let path = match address.starts_with('/') {
            true => address,
            false => self.bases.iter().find_map(below)?,
        };
        let path = percent_decode_str(path).decode_utf8().ok()?;
        Some(if path.is_empty() { "/".into() } else { path.into_owned() })
    }

    fn item(&self, old: &PublishedItem, path: Option<&str>) -> Vec<Diagnostic> {
        let at_path =
            path.and_then(|path| self.site.find(path)?.document()?.item(&self.site.snapshot));
        if let Some(entry) = self.by_guid.get(old.guid.as_str()) {
            let address = path.and_then(|path| self.moved_addresses(entry, path));
            return address.into_iter().chain(self.enclosure(old, entry)).collect();
        }
        let is_new = |entry: &&ItemEntry| !self.known_guids.contains(guid(&entry.item));
        let same = at_path.filter(is_new);
        let same = same.or_else(|| self.new_by_title.get(old.title.as_str()).copied()?);
        match same {
            Some(entry) => vec![self.guid(old, entry)],
            None => vec![self.warn_missing(&old.guid, path)],
        }
    }

    /// Warns if the published address of an item is broken, because the item moved or is not public
    /// any more.
    fn moved_addresses(&self, entry: &ItemEntry, path: &str) -> Option<Diagnostic> {
        let source = &entry.item.source;
        if !entry.is_public() {
            let why = match entry.item.status {
                Status::Unpublished => "the item is now a draft",
                _ => "the date of the item is now in the future",
            };
            let message = format!("{path} was published, but {why}");
            let help = "publish the item, or delete it";
            let warning = Diagnostic::warning(Rule::Vanished, message).help(help);
            return Some(place_of(self.root, source, "status", "", warning));
        }
        if self.site.find(path).is_some() {
            return None;
        }
        let now = entry.path.clone();
        let languages = &self.site.snapshot.config.languages;
        let former = former_as_written(languages, AddressKind::Item, [path, &now]);
        let message =
            format!("the published address {path} no longer works: this item is now at {now}");
        let warning = Diagnostic::warning(Rule::MovedAddress, message);
        Some(self.with_fix(source, warning, "aliases", former.unwrap_or(path)))
    }

    fn guid(&self, old: &PublishedItem, entry: &ItemEntry) -> Diagnostic {
        let message = format!(
            "the published guid {:?} of this item has changed: every app will show it as a new item",
            old.guid
        );
        let warning = Diagnostic::warning(Rule::ChangedId, message);
        self.with_fix(&entry.item.source, warning, "guid", &old.guid)
    }

    /// Adds a fix to a warning, and shows the front matter line that restores the published value.
    fn with_fix(
        &self,
        source: &SitePath,
        warning: Diagnostic,
        key: &str,
        value: &str,
    ) -> Diagnostic {
        let front = read_text(self.root, source).ok();
        let front: Option<FrontMatter> =
            front.and_then(|text| Source { path: source, text: &text }.front_matter().ok());
        let line = front_matter_line(front.as_ref(), key, value);
        let fix = match key {
            "aliases" => Fix::Add { key: key.into(), text: value.into() },
            _ => Fix::Set { key: key.into(), text: value.into() },
        };
        let warning = warning.help(format!("keep it with this line in the front matter: {line}"));
        place_of(self.root, source, key, "", warning.fix(fix))
    }

    /// Warns if the published address of a page is broken: the page moved, or is gone.
    fn page(&self, id: &ItemId, path: &str) -> Option<Diagnostic> {
        if self.site.find(path).is_some() {
            return None;
        }
        let now = self.site.snapshot.page(id.as_str());
        let now = now.filter(|now| now.status != Status::Unpublished);
        let Some((now, source)) = now.and_then(|now| Some((now, now.page.source.as_ref()?))) else {
            return self.address(path);
        };
        let message = format!(
            "the published address {path} no longer works: this page is now at {}",
            now.path()
        );
        let warning = Diagnostic::warning(Rule::MovedAddress, message);
        Some(self.with_fix(source, warning, "aliases", path.trim_matches('/')))
    }

    fn warn_missing(&self, guid: &str, path: Option<&str>) -> Diagnostic {
        let message = match path {
            Some(path) => {
                format!(
                    "{path} was published with the guid {guid:?}, but the site no longer has this item"
                )
            }
            None => format!(
                "an item with the guid {guid:?} was published, but the site no longer has it"
            ),
        };
        let help = "restore the item, or redirect its address in content/redirects.toml";
        Diagnostic::warning(Rule::Vanished, message).help(help)
    }

    fn address(&self, path: &str) -> Option<Diagnostic> {
        if self.site.find(path).is_some() {
            return None;
        }
        let message = format!("{path} was published, but the site no longer has a page there");
        let help = format!(
            "restore the page, or redirect the address in content/redirects.toml: {path:?} = \"/…/\""
        );
        Some(Diagnostic::warning(Rule::Vanished, message).help(help))
    }

    /// Warns about recordings whose published bytes change because of new tags. In a feed, only the
    /// size can show a change; a git revision has the tags.
    fn changed_recordings(&self, published: &Published) -> Option<Diagnostic> {
        let recordings = PublishedRecordings::of(&self.site.snapshot);
        let (mut count, mut bytes) = (0_usize, 0_u64);
        for old in &published.items {
            let entry = self.by_guid.get(old.guid.as_str());
            let tags = entry.and_then(|entry| recordings.tags(entry));
            let Some((tags, entry)) = tags.zip(entry) else { continue };
            let length = recordings.size_in_bytes(entry).unwrap_or(0);
            let is_changed = match (&old.tags, &old.enclosure) {
                (Some(former), _) => **former != without_ends(tags.tags),
                (None, Some((_, Some(former)))) => *former > 0 && *former != length,
                _ => false,
            };
            if is_changed {
                (count, bytes) = (count + 1, bytes + length);
            }
        }
        if count == 0 {
            return None;
        }
        let size = match bytes.div_ceil(1_000_000) {
            megabytes @ ..1000 => format!("{megabytes} MB"),
            megabytes => format!("{}.{} GB", megabytes / 1000, megabytes / 100 % 10),
        };
        let message = match count {
            1 => format!("1 recording ({size}) gets new tags"),
            count => format!("{count} recordings ({size}) get new tags"),
        };
        let help = "deploy sends them again; to keep the published files, undo the changes of the channel or the items";
        Some(Diagnostic::warning(Rule::ChangedEnclosure, message).help(help))
    }

    /// Warns if the file of an item is missing, or differs in address or size from the published
    /// file.
    fn enclosure(&self, old: &PublishedItem, entry: &ItemEntry) -> Option<Diagnostic> {
        let (url, length) = old.enclosure.as_ref()?;
        let source: &SitePath = &entry.item.source;
        let tell = |message: String, help: &str| {
            let warning = Diagnostic::warning(Rule::ChangedEnclosure, message).help(help);
            Some(place_of(self.root, source, "attachment", "", warning))
        };
        let Some(now) = &entry.item.attachment else {
            let message =
                format!("this item was published with the file {url}, but has no file now");
            return tell(
                message,
                "restore the `attachment`, or keep the old file online: apps may link to it for years",
            );
        };
        let is_same = *url == now.url || {
            let (old, now) = (self.path(url), self.path(&now.url));
            old.is_some() && old == now
        };
        if !is_same {
            let message =
                format!("this item was published with the file {url}, but now has {}", now.url);
            return tell(
                message,
                "redirect the old address to the new file: apps may use it for years",
            );
        }
        let has_tags = || PublishedRecordings::of(&self.site.snapshot).tags(entry).is_some();
        match (length, now.size_in_bytes) {
            // The size of a recording with tags changes with its front matter.
            _ if !self.is_untagged && has_tags() => None,
            (Some(old), Some(now)) if *old > 0 && *old != now => tell(
                format!("the file of this item was published with {old} bytes, but now has {now}"),
                "rename the file if the recording changed: caches and apps keep the old version",
            ),
            _ => None,
        }
    }
}
