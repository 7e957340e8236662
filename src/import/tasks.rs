//! The content files that a run writes, each with its path and its former paths.

use super::fitting::Kind;
use super::found::{Entry, Found, Note, note};
use super::known::ExistingContent;
use super::later::ExistingEntry;
use super::media;
use super::naming;
use super::patterns::Patterns;
use super::run::{Outcome, Run};
use super::stems::Stem;
use super::translations;
use model::{Languages, PageSlug, SitePath};
use to_markdown::Conversion;

/// Maximum number of items in a single folder. If there are more, they are written to folders by
/// year.
const MAX_FLAT_ITEMS: usize = 100;

/// An entry to write, and its path in the site.
pub struct Task {
    pub kind: Kind,
    pub entry: Entry,
    /// Path of the content file, without its extension.
    pub stem: Stem,
    /// Path of the page on the site.
    public_path: String,
    /// Converted body.
    pub text: Conversion,
    pub media: Vec<String>,
    /// Existing file of the entry, written by an earlier run. Such an entry may still need its
    /// media.
    pub existing: Option<SitePath>,
}

impl Task {
    fn new(kind: Kind, entry: Entry, stem: Stem, public_path: String) -> Self {
        let (text, media) = (Conversion::default(), Vec::new());
        Self { kind, entry, stem, public_path, text, media, existing: None }
    }

    /// Creates a task for an entry that already exists in the site.
    fn existing(kind: Kind, entry: Entry, path: SitePath) -> Self {
        Self { existing: Some(path), ..Self::new(kind, entry, Stem::default(), String::new()) }
    }

    pub fn existing_entry(&self) -> Option<ExistingEntry<'_>> {
        Some(ExistingEntry {
            path: self.existing.as_ref()?,
            fields: &self.entry.fields,
            shown: &self.media,
            place: &self.entry.place,
        })
    }

    /// Returns the target for links from other entries: the path of the file, or the public path if
    /// the file name is not known yet.
    pub fn target(&self, run: &Run<'_>) -> String {
        if run.media.is_some() {
            return self.public_path.clone();
        }
        self.path(!self.entry.files.is_empty() || !self.entry.texts.is_empty())
    }

    /// Returns the path of the file. A text with its own files is the `index` of their folder.
    pub fn path(&self, has_files: bool) -> String {
        let Stem { path, language } = &self.stem;
        let is_alone = !has_files || self.kind == Kind::Channel || self.entry.is_section;
        let name = if is_alone { "" } else { "/index" };
        let is_html = self.text.is_html && !self.entry.is_section;
        format!("{path}{name}{language}.{}", if is_html { "html" } else { "md" })
    }

    /// Returns the folder for files of the entry. The files of the channel are shared.
    pub fn folder(&self) -> &str {
        match self.kind {
            Kind::Channel => media::SHARED,
            _ if self.entry.is_section => self.stem.path.trim_end_matches("/section"),
            Kind::Item | Kind::Page => &self.stem.path,
        }
    }
}

/// Creates a task for each entry. Names are assigned in the order of the source, so that a repeated
/// import assigns the same names.
pub fn tasks(
    found: &mut Found,
    known: &mut ExistingContent,
    run: &Run<'_>,
    outcome: &mut Outcome,
) -> Vec<Task> {
    translations::advise(found, run.config, outcome);
    translations::link(found, &run.config.languages);
    let patterns = Patterns::of(found, run.config);
    let mut naming = Naming { known, run, patterns, outcome, redirects: Vec::new(), elsewhere: 0 };
    let mut tasks = naming.channels(found);
    let is_large = found.items.len() > MAX_FLAT_ITEMS;
    naming.know(found);
    let items = std::mem::take(&mut found.items);
    tasks.extend(items.into_iter().map(|entry| naming.item(entry, is_large)));
    let pages = std::mem::take(&mut found.pages);
    tasks.extend(pages.into_iter().filter_map(|entry| naming.page(entry)));
    naming.report_elsewhere();
    translations::mount_redirects(found, &run.config.languages);
    let moved = std::mem::take(&mut naming.redirects);
    found.redirects.extend(moved);
    tasks
}

/// Assigns names and former paths.
struct Naming<'a, 'r> {
    known: &'a mut ExistingContent,
    run: &'a Run<'r>,
    patterns: Patterns<'a>,
    outcome: &'a mut Outcome,
    redirects: Vec<(String, String)>,
    /// Number of items whose former address is on another host.
    elsewhere: usize,
}

impl Naming<'_, '_> {
    fn languages(&self) -> &Languages {
        &self.run.config.languages
    }

    /// Returns the index of an entry's language.
    fn language(&self, entry: &Entry) -> usize {
        self.languages().index(entry.text("language"))
    }

    /// Creates the task of the channel, and of the channel in each other language.
    fn channels(&mut self, found: &mut Found) -> Vec<Task> {
        let main = "content/channel";
        let file = |name: &str| {
            let files = ["md", "html"].map(|ending| format!("{name}.{ending}"));
            let mut files = files.into_iter().filter_map(SitePath::new);
            files.find(|path| path.on_disk(self.run.root).exists())
        };
        if file(main).is_some() {
            self.known.keep_inherited(found);
        }
        let others = found.languages.iter_mut().flat_map(|own| &mut own.others);
        let languages = self.languages();
        let others = others.filter_map(|own| {
            let at = languages.others.iter().position(|tag| *tag == own.tag)?;
            Some((format!(".{}", languages.code(at + 1)), own.channel.take()?))
        });
        let others: Vec<(String, Entry)> = others.collect();
        let main = found.channel.take().map(|entry| (String::new(), entry));
        let task = |(language, entry): (String, Entry)| match file(&format!(
            "content/channel{language}"
        )) {
            Some(path) => Task::existing(Kind::Channel, entry, path),
            None => {
                let stem = Stem { path: "content/channel".to_owned(), language };
                Task::new(Kind::Channel, entry, stem, "/".to_owned())
            }
        };
        main.into_iter().chain(others).map(task).collect()
    }

    /// Records the names of entries that the site already has.
    fn know(&mut self, found: &Found) {
        for entry in found.items.iter().chain(&found.pages) {
            if let Some(path) = self.known.file(entry).cloned() {
                self.known.stems.know(&self.run.config.languages, entry, &path);
            }
        }
    }

    fn item(&mut self, mut entry: Entry, is_large: bool) -> Task {
        if let Some(path) = self.known.file(&entry) {
            self.outcome.known += 1;
            let path = path.clone();
            return Task::existing(Kind::Item, entry, path);
        }
        let language = self.language(&entry);
        let wanted = naming::segment(entry.segment.as_deref(), entry.text("title"), entry.id());
        let slug = self.known.items[language].free(&wanted);
        let path = self.patterns.path_of(&entry, &slug);
        entry.folder = self.patterns.folder_of(&entry);
        self.former_address(&mut entry, &slug, &path);
        let date = entry.text("date_published");
        let year = date.and_then(|date| date.get(..4)).filter(|_| is_large);
        let folders = [entry.folder.as_str(), year.unwrap_or_default(), &slug];
        let folders: Vec<&str> = folders.into_iter().filter(|part| !part.is_empty()).collect();
        let wanted = format!("content/items/{}", folders.join("/"));
        let stem = self.known.stems.of(&self.run.config.languages, &entry, &wanted);
        entry.set("slug", slug);
        self.complete(Task::new(Kind::Item, entry, stem, path))
    }

    fn page(&mut self, mut entry: Entry) -> Option<Task> {
        if let Some(path) = self.known.file(&entry) {
            self.outcome.known += 1;
            let path = path.clone();
            return Some(Task::existing(Kind::Page, entry, path));
        }
        let language = self.language(&entry);
        let config = self.run.config;
        let wanted = match entry.is_section {
            true => self.patterns.section_slug(&entry.folder, language),
            false => entry.segment.as_deref().or(entry.text("title")).unwrap_or_default(),
        };
        let slug = PageSlug::parse(wanted).ok().or_else(|| PageSlug::from_title(wanted));
        let slug = slug.map_or_else(|| "page".to_owned(), |slug| slug.to_string());
        let slug = match slug.as_str() {
            // A site can have only one 404 page.
            "404" if self.run.root.join("content/pages/404.md").exists() => {
                self.outcome.known += 1;
                return None;
            }
            "404" => slug,
            _ => self.known.pages[language].free(&slug),
        };
        let stem = match entry.is_section {
            true => self.known.stems.of_section(&config.languages, &entry),
            false => {
                let wanted = format!("content/pages/{slug}");
                Some(self.known.stems.of(&config.languages, &entry, &wanted))
            }
        };
        let Some(stem) = stem else {
            let message = "the text of a section was left out: the site has it in another language";
            note(&mut self.outcome.notes, message, entry.place);
            return None;
        };
        let path = format!("{}/{slug}/", config.languages.mount(language));
        let former = entry.former_path(&config.base_url);
        let former = former.into_iter().chain(former_paths(&mut entry));
        // An unpublished page had no public address.
        let is_public = entry.fields.get("status").is_none_or(|status| status != "unpublished");
        let is_own =
            |former: &String| ["", path.trim_matches('/')].contains(&former.trim_matches('/'));
        let moved: Vec<String> = former.filter(|former| is_public && !is_own(former)).collect();
        self.redirects.extend(moved.into_iter().map(|former| (former, path.clone())));
        entry.set("slug", slug);
        Some(self.complete(Task::new(Kind::Page, entry, stem, path)))
    }

    /// Removes values that a new file has by its name or its folder.
    fn complete(&self, mut task: Task) -> Task {
        let languages = self.languages();
        let Some(file) = SitePath::new(task.path(false)) else { return task };
        if let Some((named, _)) = languages.of_file(&file) {
            let named = named.or(languages.default.as_deref());
            let own = task.entry.text("language");
            if own.zip(named).is_some_and(|(own, named)| own.eq_ignore_ascii_case(named)) {
                task.entry.fields.remove("language");
            }
        }
        if let Some(defaults) = self.run.config.defaults.of_file(&self.run.config.languages, &file)
        {
            let defaults = super::folder::of_table(&defaults.table);
            task.entry.fields.retain(|key, value| defaults.get(key) != Some(value));
        }
        task
    }

    /// Records the former address of an item as an alias.
    fn former_address(&mut self, entry: &mut Entry, slug: &str, path: &str) {
        let config = self.run.config;
        let mount = config.languages.mount(self.language(entry));
        let mut former = former_paths(entry);
        if let Some(url) = entry.address.clone() {
            match entry.former_path(&config.base_url) {
                // Only the other host can redirect the address.
                None => self.elsewhere += 1,
                Some(_) if url.query().is_some() => {
                    let message = format!(
                        "the former address {url} has a query string: static hosts cannot redirect it"
                    );
                    self.outcome.notes.push(Note::new(message, entry.place.clone()));
                }
                Some(address) => former.push(address),
            }
            entry.address = None;
        }
        let ids = [slug, entry.id()].map(|key| format!("{mount}/i/{key}"));
        let is_own = |former: &str| {
            let former = former.trim_end_matches('/');
            former.is_empty()
                || former == path.trim_end_matches('/')
                || ids.iter().any(|own| own == former)
        };
        let aliases: Vec<String> = former.into_iter().filter(|former| !is_own(former)).collect();
        entry.set("aliases", aliases);
    }

    fn report_elsewhere(&mut self) {
        if self.elsewhere == 0 {
            return;
        }
        let message = format!(
            "the former pages of {} items are on a host other than {}: set up their redirects on that host",
            self.elsewhere, self.run.config.base_url
        );
        self.outcome.notes.push(Note::new(message, String::new()));
    }
}

/// Removes the former paths from the front matter and returns them.
fn former_paths(entry: &mut Entry) -> Vec<String> {
    let paths = entry.aliases().map(str::to_owned).collect();
    entry.fields.remove("aliases");
    paths
}
