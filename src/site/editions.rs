//! The language editions of a site. Each has the texts in one language, with its own lists and paths.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::claims;
use super::item_counts::ItemCounts;
use super::item_entry::{Entries, ItemEntry};
use super::items::{ItemChanges, Items};
use super::snapshot::{Edition, EditionKind, PageEntry, Snapshot, newest_page_date};
use super::translations::{Translatable, groups, groups_with_drafts};
use model::{
    Channel, Config, ContentFolder, ItemId, Languages, NOT_FOUND_ID, Page, Report, Sections,
    SitePath, Status, Untranslated, is_in_language,
};

/// The previous snapshot, and the items that changed since.
pub type ChangesSince<'a> = (&'a Snapshot, &'a ItemChanges);

/// Creates the editions of a site with several languages. `not_found` has the 404 page of each
/// language. With `since`, an edition is made by applying the changes to the previous edition, so
/// the cost grows with the number of changes.
pub fn editions(
    whole: &Snapshot,
    not_found: &[PageEntry],
    since: Option<ChangesSince<'_>>,
    report: &mut Report,
) -> Vec<Edition> {
    let languages = &whole.config.languages;
    if languages.others.is_empty() {
        return Vec::new();
    }
    let since = since.filter(|since| translates_as_before(languages, since));
    let (items, pages) = (OnceLock::new(), Texts::of_pages(whole));
    let edition = |language: usize| {
        let shown = Shown::of(whole, language, &items, &pages);
        let mut found = Report::default();
        let items = since.and_then(|since| shown.changed_items(since));
        let items = items.unwrap_or_else(|| shown.items(&mut found));
        shown.check_pages(&mut found);
        let snapshot = shown.into_snapshot(items, not_found[language].clone());
        let tag = languages.tag(language).unwrap_or_default().to_owned();
        (Edition { kind: EditionKind::Language(tag), snapshot }, found)
    };
    let all = (0..=languages.others.len()).into_par_iter().map(edition);
    let (editions, found): (Vec<Edition>, Vec<Report>) = all.unzip();
    found.into_iter().for_each(|found| report.extend(found));
    editions
}

/// Returns whether changed items are in the same languages as before, and are translations of the
/// same items, if editions show texts that are not translated.
fn translates_as_before(languages: &Languages, (before, changes): &ChangesSince<'_>) -> bool {
    if !before.has_editions() || before.editions.iter().any(|one| !one.snapshot.keys.are_distinct) {
        return false;
    }
    let facts = |entries: &[Arc<ItemEntry>]| -> HashSet<_> {
        let facts = entries.iter().map(|entry| {
            let item = &entry.item;
            let names: Vec<String> = entry.names().map(Cow::into_owned).collect();
            let text = (item.language.clone(), item.text_path.clone());
            (names, text, item.translations.clone(), entry.is_public())
        });
        facts.collect()
    };
    languages.untranslated == Untranslated::Omit || facts(&changes.gone) == facts(&changes.new)
}

/// The languages of items or of pages.
struct Texts {
    /// Index of the language of each text.
    languages: Vec<usize>,
    /// `None` if editions show only texts in their language.
    translations: Option<Translations>,
}

/// Which texts of the default language are translated.
struct Translations {
    /// The languages into which each public text is translated.
    of: HashMap<ItemId, HashSet<usize>>,
    /// Drafts in whose place their edition shows the text that they translate.
    replaced: HashSet<ItemId>,
}

impl Texts {
    fn of<'a>(whole: &Snapshot, all: impl Iterator<Item = Translatable<'a>> + Clone) -> Self {
        let languages = &whole.config.languages;
        let shows_all = languages.untranslated == Untranslated::Show;
        Self {
            languages: all.clone().map(|text| languages.index(text.language)).collect(),
            translations: shows_all.then(|| Translations::of(whole, all)),
        }
    }

    fn of_items(whole: &Snapshot) -> Self {
        Self::of(whole, whole.entries.iter().map(|entry| (&**entry).into()))
    }

    fn of_pages(whole: &Snapshot) -> Self {
        Self::of(whole, whole.pages.iter().map(Translatable::from))
    }

    /// Returns whether an edition has a text, given by its index. `language` is the edition's.
    fn shows(&self, language: usize, at: usize, (id, status): (&ItemId, Status)) -> bool {
        let own = self.languages[at];
        let Some(Translations { of, replaced }) = &self.translations else {
            return own == language;
        };
        match own {
            own if own == language => !replaced.contains(id),
            0 if status != Status::Unpublished => {
                of.get(id).is_none_or(|into| !into.contains(&language))
            }
            _ => false,
        }
    }
}

impl Translations {
    fn of<'a>(whole: &Snapshot, all: impl Iterator<Item = Translatable<'a>> + Clone) -> Self {
        let languages = &whole.config.languages;
        let index = |text: &Translatable<'_>| languages.index(text.language);
        let is_draft = |text: &Translatable<'_>| text.status == Status::Unpublished;
        let mut of = HashMap::new();
        for group in groups(all.clone()) {
            let into: HashSet<usize> = group.iter().map(index).collect();
            of.extend(group.iter().map(|text| (text.id.clone(), into.clone())));
        }
        let mut replaced = HashSet::new();
        if all.clone().any(|text| is_draft(&text)) {
            for group in groups_with_drafts(all) {
                let mut public = group.iter().filter(|text| !is_draft(text));
                let Some(original) = public.find(|text| index(text) == 0) else { continue };
                let into = of.get(original.id);
                let is_shown = |at: usize| at > 0 && into.is_none_or(|into| !into.contains(&at));
                let drafts = group.iter().filter(|text| is_draft(text) && is_shown(index(text)));
                replaced.extend(drafts.map(|text| text.id.clone()));
            }
        }
        Self { of, replaced }
    }
}

/// The texts that an edition shows.
struct Shown<'a> {
    whole: &'a Snapshot,
    /// Index of the edition's language.
    language: usize,
    /// Computed when first needed.
    items: &'a OnceLock<Texts>,
    pages: Vec<PageEntry>,
    config: Config,
    channel: Arc<Channel>,
}

impl<'a> Shown<'a> {
    fn of(whole: &'a Snapshot, language: usize, items: &'a OnceLock<Texts>, pages: &Texts) -> Self {
        let all = whole.pages.iter().enumerate();
        let shown =
            all.filter(|(at, entry)| pages.shows(language, *at, (&entry.page.id, entry.status)));
        let pages = shown.map(|(_, entry)| PageEntry { mount: String::new(), ..entry.clone() });
        let pages: Vec<PageEntry> = pages.collect();
        let mut config = whole.config.clone();
        config.mount = config.languages.mount(language);
        config.other_language =
            (language > 0).then(|| config.languages.tag(language).unwrap_or_default().to_owned());
        config.languages = Languages::default();
        let with_status = pages.iter().map(|entry| (&*entry.page, entry.status));
        config.addresses.sections = Sections::of(&config.languages, with_status);
        let other = language.checked_sub(1);
        let channel = match other.and_then(|at| whole.channel.in_languages.get(at)) {
            Some(channel) => Arc::new(channel.clone()),
            None => Arc::clone(&whole.channel),
        };
        Self { whole, language, items, pages, config, channel }
    }

    /// Returns the items of the edition. Reports clashes with untranslated items; other clashes were
    /// reported for the whole site.
    fn items(&self, report: &mut Report) -> Items {
        let whole = self.whole;
        let shown = whole.entries.iter().enumerate();
        let texts = self.items.get_or_init(|| Texts::of_items(whole));
        let shown = shown
            .filter(|(at, entry)| texts.shows(self.language, *at, (&entry.item.id, entry.status)));
        let entries: Entries = shown.map(|(_, entry)| in_edition(entry)).collect();
        let site = (&self.config, &*self.channel);
        let mut clashes = Report::default();
        let items = Items::of_entries(&whole.root, site, entries, whole.now, &mut clashes);
        if whole.keys.are_distinct {
            report.extend(clashes);
        }
        items
    }

    /// Reports clashes of pages with untranslated pages.
    fn check_pages(&self, report: &mut Report) {
        let shows_all = self.whole.config.languages.untranslated == Untranslated::Show;
        if self.whole.has_no_errors && shows_all {
            let mount = &self.config.mount;
            let pages = self.pages.iter();
            let in_site = pages.map(|entry| PageEntry { mount: mount.clone(), ..entry.clone() });
            let in_site: Vec<PageEntry> = in_site.collect();
            let languages = &self.config.languages;
            claims::check_pages(&self.whole.root, languages, &in_site, &[], report);
        }
    }

    /// Returns the items of the edition after changes. Returns `None` if two items now have the same
    /// name.
    fn changed_items(&self, (before, changes): ChangesSince<'_>) -> Option<Items> {
        let languages = &self.whole.config.languages;
        let own = &before.editions.get(self.language)?.snapshot;
        let known = |entry: &Arc<ItemEntry>| {
            let found = own.find(entry.item.id.as_str());
            // The name of an item can be the id of an item in another language.
            found.filter(|own| own.item.id == entry.item.id).cloned()
        };
        // Changes keep untranslated texts as they were (see `translates_as_before`).
        let is_shown = |entry: &&Arc<ItemEntry>| match languages.untranslated {
            Untranslated::Show => known(entry).is_some(),
            Untranslated::Omit => languages.index(entry.item.language.as_deref()) == self.language,
        };
        let changes = ItemChanges {
            gone: changes.gone.iter().filter_map(known).collect(),
            new: changes.new.iter().filter(is_shown).map(in_edition).collect(),
            has_moved: changes.has_moved,
            names: OnceLock::new(),
        };
        changes.apply_to(own, (&self.config, &self.channel), self.whole.now)
    }

    fn into_snapshot(self, items: Items, not_found: PageEntry) -> Snapshot {
        let whole = self.whole;
        let is_default = self.language == 0;
        let calendars = whole.calendars.in_language(&whole.config.languages, self.language);
        Snapshot {
            root: Arc::clone(&whole.root),
            facets: items.facets,
            last_changed: items.dates.newest.max(newest_page_date(&self.pages, whole.now)),
            item_dates: items.dates,
            item_counts: items.counts,
            config: self.config,
            channel: self.channel,
            entries: items.entries,
            feed_items: items.published.clone(),
            shared_recordings: Arc::clone(&whole.shared_recordings),
            published: items.published,
            waiting: items.waiting,
            pages: self.pages,
            not_found,
            site_files: if is_default { whole.site_files.clone() } else { Vec::new() },
            site_file_drafts: Vec::new(),
            shows: calendars.live_items(whole.visibility.now, &whole.config.host),
            calendars,
            redirects: if is_default { Arc::clone(&whole.redirects) } else { Arc::default() },
            planet: if is_default { Arc::clone(&whole.planet) } else { Arc::default() },
            media: Arc::clone(&whole.media),
            pictures: None,
            recordings: None,
            now: whole.now,
            visibility: whole.visibility,
            keys: items.keys,
            editions: Vec::new(),
            is_edition: true,
            network: None,
            linking: items.linking,
            names: items.names,
            tagged: OnceLock::new(),
            has_no_errors: whole.has_no_errors,
        }
    }
}

/// Returns the entry of an item in the edition of its language.
fn in_edition(entry: &Arc<ItemEntry>) -> Arc<ItemEntry> {
    match entry.mount.is_empty() {
        true => Arc::clone(entry),
        false => Arc::new(entry.in_edition()),
    }
}

impl Snapshot {
    /// Returns whether the snapshot has texts in several languages, whose pages the editions have.
    pub fn has_editions(&self) -> bool {
        self.editions.first().is_some_and(|edition| edition.language().is_some())
    }

    /// Returns the index of each edition. `None` means the site itself, unless its editions have all of
    /// its pages.
    pub fn parts(&self) -> Vec<Option<usize>> {
        let own = (!self.has_editions()).then_some(None);
        own.into_iter().chain(self.published_editions().map(Some)).collect()
    }

    /// Returns the indices of the editions that are published with this site: all except shows that
    /// are published as separate sites.
    pub fn published_editions(&self) -> impl Iterator<Item = usize> + use<'_> {
        let is_here = |at: &usize| !self.editions[*at].snapshot.config.is_elsewhere();
        (0..self.editions.len()).filter(is_here)
    }

    /// Returns the show with this folder as a separate site, if it has its own address.
    #[must_use]
    pub fn into_site_of(self, show: &ContentFolder) -> Self {
        let own = self.of_folder(show);
        if own.config.own_url.is_none() {
            return self;
        }
        Self {
            is_edition: false,
            shared_recordings: Arc::default(),
            tagged: OnceLock::new(),
            network: Some(Arc::new(self.clone())),
            ..own.clone()
        }
    }

    /// Returns the published address of an item whose show is published as a separate site.
    pub fn url_on_own_site(&self, entry: &ItemEntry) -> Option<String> {
        let config = &self.edition_of_item(entry)?.config;
        let path = entry.path.strip_prefix(&*entry.mount)?;
        config.own_url.is_some().then(|| config.published_url_of(path))
    }

    /// Returns the mounts of shows that are published as separate sites, in this snapshot.
    pub fn mounts_elsewhere(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let shows = self.network_shows().map(|(_, show)| &show.config);
        shows.filter(|show| show.own_url.is_some()).map(Config::mount_in_network)
    }

    /// Returns the snapshot with all shows: of the network of a show, or this snapshot.
    pub fn whole_network(&self) -> &Self {
        self.network.as_deref().unwrap_or(self)
    }

    /// Returns the edition that has the documents of an item of this snapshot, or `None` if this
    /// snapshot has them.
    pub fn edition_of_item(&self, entry: &ItemEntry) -> Option<&Self> {
        let mut editions = self.editions.iter().map(|edition| &edition.snapshot);
        editions.find(|edition| {
            edition.config.mount_in_network() == entry.mount
                && (self.has_editions() || !entry.mount.is_empty())
        })
    }

    /// Returns the name and the snapshot of each show.
    pub fn network_shows(&self) -> impl Iterator<Item = (&str, &Self)> + Clone {
        let shows = self.editions.iter();
        shows.filter_map(|edition| Some((edition.show()?, &edition.snapshot)))
    }

    /// Returns this snapshot, then the snapshot of each show.
    pub fn with_shows(&self) -> impl Iterator<Item = &Self> + Clone {
        [self].into_iter().chain(self.network_shows().map(|(_, show)| show))
    }

    /// Returns the snapshot of the show with this content folder, or this snapshot.
    pub fn of_folder(&self, content: &ContentFolder) -> &Self {
        self.with_shows().find(|own| own.config.content == *content).unwrap_or(self)
    }

    /// Returns the files with a name that a text of the file `source` means: files of its content
    /// folder, or else of other folders.
    pub fn files_named_for(&self, source: &SitePath, name: &str) -> Vec<&str> {
        let own = self.of_folder(&ContentFolder::of(source.as_str()));
        let language = match own.has_editions() {
            true => own.language_of_file(source.as_str()),
            false => None,
        };
        match own.files_named(name, language) {
            files if files.is_empty() => {
                self.with_shows().flat_map(|one| one.files_named(name, None)).collect()
            }
            files => files,
        }
    }

    /// Returns a copy of this snapshot without its shows and without their items.
    #[must_use]
    pub fn without_shows(&self) -> Self {
        let own = |entries: &Entries| -> Entries {
            entries.iter().filter(|entry| entry.mount.is_empty()).cloned().collect()
        };
        let entries = own(&self.entries);
        Self {
            item_counts: ItemCounts::of(entries.iter()),
            entries,
            published: own(&self.published),
            waiting: own(&self.waiting),
            editions: Vec::new(),
            ..self.clone()
        }
    }

    /// Calls `change` with this snapshot and with each edition.
    pub fn for_each_edition(&mut self, change: &mut dyn FnMut(&mut Self)) {
        change(self);
        self.editions.iter_mut().for_each(|edition| edition.snapshot.for_each_edition(change));
    }

    /// Returns the edition in the language of a text.
    pub fn edition_of(&self, language: Option<&str>) -> Option<&Edition> {
        let edition = self.editions.get(self.config.languages.index(language));
        edition.filter(|edition| edition.language().is_some())
    }

    /// Returns the snapshot that has the page of a text: the edition in its language, or this
    /// snapshot.
    pub fn in_language(&self, language: Option<&str>) -> &Self {
        self.edition_of(language).map_or(self, |edition| &edition.snapshot)
    }

    /// Returns the language of a text, for a site with several languages also if the text does not
    /// state it.
    pub fn language_of<'a>(&'a self, stated: Option<&'a str>) -> Option<&'a str> {
        self.config.languages.of_text(stated)
    }

    /// Returns whether a text is in a language. A text with a region, such as `de-AT`, is also in
    /// the language `de`. `stated` is the language that the text states.
    pub fn is_in_language(&self, stated: Option<&str>, language: &str) -> bool {
        let own = self.language_of(stated).unwrap_or_else(|| self.language());
        is_in_language(own, language)
    }

    /// Returns the item with this id, segment or alias in the language of a text.
    pub fn find_in_language(&self, language: Option<&str>, key: &str) -> Option<&Arc<ItemEntry>> {
        let mount = self.config.languages.mount(self.config.languages.index(language));
        match mount.strip_prefix('/') {
            Some(edition) => self.find(&[edition, "/", key].concat()),
            None => self.find(key),
        }
    }

    /// Returns the 404 page of each language.
    pub fn not_found_pages(&self) -> impl Iterator<Item = &PageEntry> + Clone {
        let own = (!self.has_editions()).then_some(&self.not_found);
        let languages = self.editions.iter().filter(|edition| edition.language().is_some());
        own.into_iter().chain(languages.map(|edition| &edition.snapshot.not_found))
    }
}

/// Returns the 404 page of each language: the author's page, or the built-in page.
pub fn not_found_pages(
    config: &Config,
    pages: &mut Vec<PageEntry>,
    built_in: impl Fn(Option<&str>) -> PageEntry,
) -> Vec<PageEntry> {
    let languages = &config.languages;
    let (mut own, others): (Vec<PageEntry>, Vec<PageEntry>) =
        pages.drain(..).partition(|entry| entry.page.is_not_found_page());
    *pages = others;
    let of_language = |language: usize| {
        let is_own =
            |entry: &PageEntry| languages.index(entry.page.language.as_deref()) == language;
        let other = language.checked_sub(1).map(|at| languages.others[at].as_str());
        let entry = match own.iter().position(is_own) {
            Some(at) => own.swap_remove(at),
            None => built_in(other),
        };
        match other {
            Some(tag) => not_found_in(entry, tag, languages.mount(language)),
            None => entry,
        }
    };
    (0..=languages.others.len()).map(of_language).collect()
}

/// Returns a 404 page with the id and the path that it has in another language.
fn not_found_in(entry: PageEntry, tag: &str, mount: String) -> PageEntry {
    let id = format!("{NOT_FOUND_ID}-{}", tag.to_ascii_lowercase());
    let page = Page {
        id: ItemId::parse(&id).unwrap_or_else(|_| entry.page.id.clone()),
        language: entry.page.language.clone().or_else(|| Some(tag.to_owned())),
        ..Page::clone(&entry.page)
    };
    PageEntry { page: Arc::new(page), mount, ..entry }
}
