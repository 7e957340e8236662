//! Writes all content of a source that the site does not have yet.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fetch::Client;
use rayon::prelude::*;

use super::bodies::written;
use super::files;
use super::fitting::{Fitting, Kind};
use super::found::{Entry, Found, Hidden, Note, add, note, to_text};
use super::known::ExistingContent;
use super::later::ExistingEntry;
use super::links;
use super::media::{self, Media, Place};
use super::naming::{self, below};
use super::redirects;
use model::{Config, PageSlug, SitePath};
use to_markdown::Conversion;

pub struct Run<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    /// Client that downloads media. `None` means that media are not downloaded.
    pub media: Option<&'a Client>,
    /// Callback that receives the number of entries processed so far.
    pub done: &'a (dyn Fn(usize) + Sync),
    /// Callback that receives a media address, and the number of bytes received from it.
    pub progress: &'a (dyn Fn(&str, u64) + Sync),
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub items: usize,
    pub pages: usize,
    /// Number of entries that already existed in the site.
    pub known: usize,
    /// Number of entries whose body stays HTML, completely or in part.
    pub with_html: usize,
    pub media: usize,
    /// Items and pages that are not public at the source.
    pub hidden: Vec<Hidden>,
    pub notes: Vec<Note>,
    /// The reason why the run stopped early.
    pub stopped: Option<String>,
}

/// Maximum number of items in a single folder. If there are more, they are written to folders by
/// year.
const MAX_FLAT_ITEMS: usize = 100;
/// Maximum number of entries whose media are downloaded at the same time.
const MAX_PARALLEL: usize = 4;

/// An entry to write, and its path in the site.
struct Task {
    kind: Kind,
    entry: Entry,
    /// Path of the content file, without its extension.
    stem: String,
    /// Converted body.
    text: Conversion,
    media: Vec<String>,
    /// Existing file of the entry, written by an earlier run. Such an entry may still need its
    /// media.
    existing: Option<SitePath>,
}

impl Task {
    fn new(kind: Kind, entry: Entry, stem: String) -> Self {
        Self { kind, entry, stem, text: Conversion::default(), media: Vec::new(), existing: None }
    }

    /// Creates a task for an entry that already exists in the site.
    fn existing(kind: Kind, entry: Entry, path: SitePath) -> Self {
        Self { existing: Some(path), ..Self::new(kind, entry, String::new()) }
    }

    fn existing_entry(&self) -> Option<ExistingEntry<'_>> {
        Some(ExistingEntry {
            path: self.existing.as_ref()?,
            fields: &self.entry.fields,
            shown: &self.media,
            place: &self.entry.place,
        })
    }

    /// Returns the target for links from other entries: the path of the file, or the public path if
    /// the file name is not known yet.
    fn target(&self, run: &Run<'_>) -> String {
        if run.media.is_some() {
            let slug = self.entry.text("slug").unwrap_or_default();
            return match self.kind {
                Kind::Page => format!("/{slug}/"),
                _ => format!("/i/{slug}/"),
            };
        }
        match self.entry.files.is_empty() && self.entry.texts.is_empty() {
            true => format!("{}.{}", self.stem, self.file_extension()),
            false => format!("{}/index.{}", self.stem, self.file_extension()),
        }
    }

    fn file_extension(&self) -> &'static str {
        if self.text.is_html { "html" } else { "md" }
    }
}

/// Writes all entries that the site does not have yet.
pub fn bring(mut found: Found, run: &Run<'_>) -> Outcome {
    let mut known = ExistingContent::of(run.root);
    let mut outcome = Outcome {
        notes: std::mem::take(&mut found.notes),
        hidden: std::mem::take(&mut found.hidden),
        ..Outcome::default()
    };
    links::mark(&mut found, &run.config.base_url);
    redirects::add_feeds(&mut found, &run.config.base_url);
    let mut targets = files::former_targets(&found, &run.config.base_url);
    let mut tasks = tasks(&mut found, &mut known, run, &mut outcome);
    let source = to_markdown::Source { design: found.design, is_foreign: found.is_foreign };
    // File names depend on which bodies stay HTML, so all bodies are converted first.
    tasks.par_iter_mut().for_each(|task| {
        let body = std::mem::take(&mut task.entry.body);
        task.media = media::body_media(&body);
        if task.existing.is_none() {
            task.text = written(body, source, run.config);
        }
    });
    // An existing page takes precedence over a redirect from its path.
    found.redirects.retain(|(from, _)| !known.pages.has(from.trim_matches('/')));
    for task in tasks.iter().filter(|task| task.existing.is_none()) {
        for name in [&task.entry.place, &task.entry.identity] {
            targets.insert(to_text(name), task.target(run));
        }
    }
    let copied = files::copy(&found.files, "content/media", run.root, "", &mut outcome.notes);
    outcome.media += copied;
    for (path, text) in &found.texts {
        let written = match SitePath::parse(path) {
            Some(path) => create(&path, text, run.root, &mut outcome.notes),
            None => Err(format!("{path} is not a valid file name")),
        };
        outcome.stopped = outcome.stopped.take().or(written.err());
    }
    let media = run.media.map(|client| Media {
        root: run.root,
        client,
        uses: uses(&tasks),
        progress: run.progress,
        shared: Mutex::new(shared(&tasks, run.root)),
    });
    if media.is_none() {
        tasks.retain(|task| task.existing.is_none());
    }
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let tasks: Vec<Mutex<Option<Task>>> =
        tasks.into_iter().map(|task| Mutex::new(Some(task))).collect();
    let shared = Mutex::new(outcome);
    // The notes of each task, so that they can be reported in the order of the tasks.
    let notes = Mutex::new(BTreeMap::new());
    let workers = match run.media {
        Some(_) => MAX_PARALLEL,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(at).and_then(|task| lock(task).take()) else {
                        break;
                    };
                    if lock(&shared).stopped.is_some() {
                        return;
                    }
                    let kind = task.kind;
                    let is_new = usize::from(task.existing.is_none());
                    let mut own = Outcome::default();
                    let result = match (task.existing_entry(), &media) {
                        (Some(existing), Some(media)) => {
                            existing.bring(media, &mut own.notes).map(|count| own.media = count)
                        }
                        (_, media) => write(task, (media.as_ref(), &targets), run, &mut own),
                    };
                    lock(&notes).insert(at, std::mem::take(&mut own.notes));
                    let mut outcome = lock(&shared);
                    match result {
                        Ok(()) => {
                            outcome.with_html += own.with_html;
                            outcome.media += own.media;
                            outcome.items += is_new * usize::from(kind == Kind::Item);
                            outcome.pages += is_new * usize::from(kind == Kind::Page);
                        }
                        Err(why) => outcome.stopped = outcome.stopped.take().or(Some(why)),
                    }
                    drop(outcome);
                    (run.done)(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    let mut outcome = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let notes = std::mem::take(&mut *lock(&notes));
    for note in notes.into_values().flatten() {
        add(&mut outcome.notes, note);
    }
    if outcome.stopped.is_none() {
        media::clear(run.root);
        redirects::write(&found.redirects, run.root, &mut outcome.notes);
    }
    outcome
}

fn lock<T>(held: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    held.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Creates a task for each entry. Names are assigned in the order of the source, so that a repeated
/// import assigns the same names.
fn tasks(
    found: &mut Found,
    known: &mut ExistingContent,
    run: &Run<'_>,
    outcome: &mut Outcome,
) -> Vec<Task> {
    let mut tasks = Vec::new();
    let channel = "content/channel.md";
    let channel = SitePath::parse(channel).filter(|path| path.on_disk(run.root).exists());
    if channel.is_some() {
        known.keep_inherited(found);
    }
    tasks.extend(found.channel.take().map(|entry| match channel {
        Some(path) => Task::existing(Kind::Channel, entry, path),
        None => Task::new(Kind::Channel, entry, "content/channel".to_owned()),
    }));
    let is_large = found.items.len() > MAX_FLAT_ITEMS;
    let mut elsewhere = 0;
    for mut entry in std::mem::take(&mut found.items) {
        let id = entry.id().to_owned();
        let existing = known.files.get(&entry.identity);
        if let Some(path) = existing.or_else(|| known.files.get(&id)) {
            outcome.known += 1;
            tasks.push(Task::existing(Kind::Item, entry, path.clone()));
            continue;
        }
        let slug = naming::segment(entry.segment.as_deref(), entry.text("title"), &id);
        let slug = known.items.free(&slug);
        elsewhere += usize::from(former_path(&mut entry, &slug, &run.config.base_url, outcome));
        let date = entry.text("date_published");
        let year = date.and_then(|date| date.get(..4)).filter(|_| is_large);
        let folder = year.map_or_else(String::new, |year| format!("{year}/"));
        entry.set("slug", slug.clone());
        let stem = format!("content/items/{folder}{slug}");
        tasks.push(Task::new(Kind::Item, entry, stem));
    }
    if elsewhere > 0 {
        let message = format!(
            "the former pages of {elsewhere} items are on a host other than {}: set up their redirects on that host",
            run.config.base_url
        );
        outcome.notes.push(Note::new(message, String::new()));
    }
    for mut entry in std::mem::take(&mut found.pages) {
        let id = entry.id().to_owned();
        if let Some(path) = known.files.get(&id) {
            outcome.known += 1;
            tasks.push(Task::existing(Kind::Page, entry, path.clone()));
            continue;
        }
        let aliases = former_paths(&mut entry);
        let wanted = entry.segment.as_deref().or(entry.text("title")).unwrap_or_default();
        let slug =
            PageSlug::from_title(wanted).map_or_else(|| "page".to_owned(), |slug| slug.to_string());
        let slug = match slug.as_str() {
            // A site can have only one 404 page.
            "404" if run.root.join("content/pages/404.md").exists() => {
                outcome.known += 1;
                continue;
            }
            "404" => slug,
            _ => known.pages.free(&slug),
        };
        let path = entry.address.as_ref().and_then(|url| below(url, &run.config.base_url));
        let paths = path.into_iter().chain(aliases);
        // An unpublished page had no public address.
        let is_public = entry.fields.get("status").is_none_or(|status| status != "unpublished");
        let moved =
            paths.filter(|path| is_public && !["", &slug].contains(&path.trim_matches('/')));
        found.redirects.extend(moved.map(|path| (path, format!("/{slug}/"))));
        entry.set("slug", slug.clone());
        let stem = format!("content/pages/{slug}");
        tasks.push(Task::new(Kind::Page, entry, stem));
    }
    tasks
}

/// Removes the former paths from the front matter and returns them.
fn former_paths(entry: &mut Entry) -> Vec<String> {
    let paths = entry.aliases().map(str::to_owned).collect();
    entry.fields.remove("aliases");
    paths
}

/// Records the former address of an item as an alias. Returns true if the address is on another
/// host, because only that host can redirect it.
fn former_path(entry: &mut Entry, slug: &str, base_url: &str, outcome: &mut Outcome) -> bool {
    let Some(url) = entry.address.take() else {
        return false;
    };
    let Some(path) = below(&url, base_url) else {
        return true;
    };
    let path = percent_encoding::percent_decode_str(&path).decode_utf8_lossy();
    let by_id = format!("/i/{}", entry.id());
    let is_same = path == format!("/i/{slug}/") || path.trim_end_matches('/') == by_id;
    if url.query().is_some() {
        let message =
            format!("the former address {url} has a query string: static hosts cannot redirect it");
        outcome.notes.push(Note::new(message, entry.place.clone()));
    } else if !is_same && path != "/" {
        let mut aliases = former_paths(entry);
        aliases.push(path.into_owned());
        entry.set("aliases", aliases);
    }
    false
}

/// Returns the number of entries that reference each media address.
fn uses(tasks: &[Task]) -> HashMap<String, usize> {
    let mut uses = HashMap::new();
    for task in tasks {
        let mut own = task.media.clone();
        media::each_file(&mut task.entry.fields.clone(), &mut |_, value| {
            own.extend(value.as_str().map(str::to_owned));
        });
        own.sort();
        own.dedup();
        for url in own {
            *uses.entry(url).or_default() += 1;
        }
    }
    uses
}

/// Returns the files that an earlier run downloaded to the shared folder: their references, by
/// address.
fn shared(tasks: &[Task], root: &Path) -> HashMap<String, String> {
    let existing = tasks.par_iter().filter_map(Task::existing_entry);
    existing.flat_map_iter(|existing| existing.shared(root)).collect()
}

fn write(
    task: Task,
    (media, targets): (Option<&Media<'_>>, &HashMap<String, String>),
    run: &Run<'_>,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let file_extension = task.file_extension();
    let Task { kind, entry, stem, mut text, media: addresses, .. } = task;
    let Entry { mut fields, place, files, texts, .. } = entry;
    outcome.with_html += usize::from(text.html_blocks > 0);
    for (what, count) in std::mem::take(&mut text.removed) {
        let message = format!("{what} was removed: it is not allowed in imported content");
        let mut note = Note::new(message, place.clone());
        note.count = count;
        add(&mut outcome.notes, note);
    }
    // Files of the channel go to the shared folder, and files of an item or page to its own folder.
    let folder = match kind {
        Kind::Channel => media::SHARED.to_owned(),
        Kind::Item | Kind::Page => stem.clone(),
    };
    outcome.media += files::copy(&files, &folder, run.root, &place, &mut outcome.notes);
    let mut has_own = !files.is_empty() || !texts.is_empty();
    for (name, text) in &texts {
        let path = SitePath::parse(&format!("{folder}/{name}"))
            .ok_or_else(|| format!("{name} is not a valid file name"))?;
        create(&path, text, run.root, &mut outcome.notes)?;
    }
    let paths = [true, false].map(|has_own| match has_own && kind != Kind::Channel {
        true => SitePath::parse(&format!("{stem}/index.{file_extension}")),
        false => SitePath::parse(&format!("{stem}.{file_extension}")),
    });
    let [Some(with_files), Some(alone)] = paths else {
        return Err(format!("{stem} is not a valid file name"));
    };
    if let (Some(media), Some(folder)) = (media, SitePath::parse(&folder)) {
        let mut own = Place {
            file: &with_files,
            folder: &folder,
            place: &place,
            notes: &mut outcome.notes,
            brought: HashMap::new(),
        };
        media.bring_fields(&mut fields, &mut own).map_err(|fault| fault.message)?;
        media.bring_body(&mut text.text, &addresses, &mut own).map_err(|fault| fault.message)?;
        outcome.media += own.count();
        has_own |= own.count() > 0;
    }
    let path = if has_own { with_files } else { alone };
    text.text = files::resolve_links(&text.text, path.as_str(), targets);
    let fitting = Fitting { kind, path: &path, root: run.root, config: run.config, place: &place };
    let text = fitting.text(fields, &text.text, &mut outcome.notes);
    create(&path, &text, run.root, &mut outcome.notes)
}

/// Writes a file, unless the file exists already.
fn create(path: &SitePath, text: &str, root: &Path, notes: &mut Vec<Note>) -> Result<(), String> {
    let file = path.on_disk(root);
    match edit::create(&file, text.as_bytes()) {
        Err(_) if std::fs::read(&file).is_ok_and(|existing| existing == text.as_bytes()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = "the file already exists and was not changed";
            note(notes, message, path.to_string());
            Ok(())
        }
        Err(error) => Err(format!("{path} cannot be written: {error}")),
        Ok(()) => Ok(()),
    }
}
