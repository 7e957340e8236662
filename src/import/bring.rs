//! Writes all content of a source that the site does not have yet.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rayon::prelude::*;

use super::bodies::written;
use super::files;
use super::fitting::{Fitting, Kind};
use super::found::{Entry, Found, Note, add, note, to_text};
use super::known::ExistingContent;
use super::links;
use super::media::{self, Media, Place};
use super::redirects;
use super::run::{Outcome, Run};
use super::tasks::{Task, tasks};
use model::SitePath;

/// Maximum number of entries whose media are downloaded at the same time.
const MAX_PARALLEL: usize = 4;

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
    let languages = &run.config.languages;
    found.redirects.retain(|(from, to)| from != to && !known.has_page(languages, from));
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
        languages,
        shared: Mutex::new(shared(&tasks, run.root)),
        names: Mutex::new(()),
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
    let paths = [true, false].map(|has_files| SitePath::new(task.path(has_files)));
    let [Some(with_files), Some(alone)] = paths else {
        return Err(format!("{} is not a valid file name", task.path(false)));
    };
    let folder = task.folder().to_owned();
    let Task { kind, entry, mut text, media: addresses, .. } = task;
    let Entry { mut fields, place, files, texts, .. } = entry;
    outcome.with_html += usize::from(text.html_blocks > 0);
    for (what, count) in std::mem::take(&mut text.removed) {
        let message = format!("{what} was removed: it is not allowed in imported content");
        let mut note = Note::new(message, place.clone());
        note.count = count;
        add(&mut outcome.notes, note);
    }
    outcome.media += files::copy(&files, &folder, run.root, &place, &mut outcome.notes);
    let mut has_own = !files.is_empty() || !texts.is_empty();
    for (name, text) in &texts {
        let path = SitePath::parse(&format!("{folder}/{name}"))
            .ok_or_else(|| format!("{name} is not a valid file name"))?;
        create(&path, text, run.root, &mut outcome.notes)?;
    }
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
