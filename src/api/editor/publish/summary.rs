//! The changes since the last publishing, in the words of readers: new episodes, corrected pages.

use std::collections::BTreeMap;
use std::path::Path;

use front_matter::Value as Field;
use jiff::Timestamp;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::changes::Change;
use super::git::Git;
use super::route::{Last, Route};
use crate::forms::Form;
use model::{ContentFolder, SitePath, Status};
use site::Snapshot;
use source::show_folders::SHOW_FILE;

/// Maximum number of former versions to read.
const MAX_FORMER: usize = 200;

/// The changes that publishing would put online.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    changes: Vec<Entry>,
    /// The changed files with their diffs.
    files: Vec<Change>,
    /// A hash of the changes, which detects later changes.
    pub seen: String,
    /// Whether the site was not published from here before. `changes` then lists all its content.
    is_first: bool,
}

/// An item, a page, or other changed files.
#[derive(Debug, Serialize)]
struct Entry {
    /// `new`, `corrected`, `removed`, `draft`, `scheduled`, or `due` for an item whose date has come.
    what: &'static str,
    /// `episode`, `post`, `photo`, `page`, `event`, `description`, `setting` or `file`.
    noun: &'static str,
    title: Option<String>,
    path: String,
    /// The positions of its files in [`Summary::files`].
    files: Vec<usize>,
}

/// Who sees a version of an item or a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visible {
    No,
    Later,
    Yes,
}

/// An item or a page of the site.
struct Content<'s> {
    noun: &'static str,
    title: &'s str,
    path: &'s str,
    date: Option<Timestamp>,
    visible: Visible,
}

impl Summary {
    /// Describes the files that differ from the last published version.
    pub fn of(
        git: Option<&Git>,
        mut files: Vec<Change>,
        last: &Last,
        route: &Route,
        snapshot: &Snapshot,
    ) -> Self {
        let all = contents(snapshot);
        let is_first = last.is_first && !matches!(route, Route::None);
        let mut summary = Self { is_first, ..Self::default() };
        if let (Some(git), Some(base)) = (git, &last.base) {
            files.retain(|file| file.is_content);
            let parts: Vec<String> =
                files.iter().map(|file| format!("{} {}\0", file.version, file.path)).collect();
            summary.seen = format!("{base}-{:016x}", xxh3_64(parts.concat().as_bytes()));
            summary.changes = entries(git, base, &files, &all);
            summary.files = files;
        }
        if summary.is_first {
            let not_found = snapshot.not_found_pages().filter_map(|one| one.page.source.as_ref());
            let not_found: Vec<&str> = not_found.map(SitePath::as_str).collect();
            let is_listed = |content: &&Content<'_>| {
                content.visible == Visible::Yes && !not_found.contains(&content.path)
            };
            summary.changes = all
                .iter()
                .filter(is_listed)
                .map(|content| content.entry("new", Vec::new()))
                .collect();
            summary.files.clear();
        } else if let (Route::Deploy(_), Some(time)) = (route, last.time) {
            let is_due = |content: &&Content<'_>| {
                content.visible == Visible::Yes
                    && content.date.is_some_and(|date| date > time)
                    && !summary.changes.iter().any(|entry| entry.path == content.path)
            };
            let due: Vec<Entry> =
                all.iter().filter(is_due).map(|content| content.entry("due", Vec::new())).collect();
            summary.changes.extend(due);
        }
        summary
    }

    /// Returns whether a file, or another file of its item, is not published yet.
    pub fn contains(&self, path: &str) -> bool {
        self.changes.iter().any(|entry| entry.path == path)
    }
}

impl Content<'_> {
    fn entry(&self, what: &'static str, files: Vec<usize>) -> Entry {
        let title = Some(self.title.to_owned()).filter(|title| !title.is_empty());
        Entry { what, noun: self.noun, title, path: self.path.to_owned(), files }
    }
}

fn contents(snapshot: &Snapshot) -> Vec<Content<'_>> {
    let subject = Form::of_site(snapshot);
    let visible = |status: Status, date: Option<Timestamp>| match status {
        Status::Unpublished => Visible::No,
        _ if date.is_some_and(|date| date > Timestamp::now()) => Visible::Later,
        _ => Visible::Yes,
    };
    let items = snapshot.entries.iter().map(|entry| {
        let item = &entry.item;
        Content {
            noun: Form::in_site(item, subject).name(),
            title: &item.title,
            path: item.source.as_str(),
            date: item.date_published,
            visible: visible(item.status, item.date_published),
        }
    });
    let pages = snapshot.all_pages().filter_map(|entry| {
        let page = &entry.page;
        Some(Content {
            noun: "page",
            title: &page.title,
            path: page.source.as_ref()?.as_str(),
            date: page.date_published,
            visible: visible(page.status, page.date_published),
        })
    });
    items.chain(pages).collect()
}

/// Groups the files by the item that they belong to, and says what happened to it.
fn entries(git: &Git, base: &str, files: &[Change], all: &[Content<'_>]) -> Vec<Entry> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        groups.entry(owner(&file.path, all)).or_default().push(at);
    }
    let mut left = MAX_FORMER;
    let mut former = |main: Option<&Change>| match main {
        Some(file) if file.kind != "added" => {
            left = left.saturating_sub(1);
            if left > 0 { Former::read(git, base, &file.path) } else { None }
        }
        _ => None,
    };
    let entry = |(path, own): (String, Vec<usize>)| {
        let main = own.iter().map(|at| &files[*at]).find(|file| file.path == path);
        let content = all.iter().find(|content| content.path == path);
        let before = former(main);
        let was_visible = main.is_none() || before.as_ref().is_some_and(|before| before.is_public);
        let Some(content) = content else {
            let is_deleted = main.is_some_and(|main| main.kind == "deleted");
            let noun = noun_of(&path);
            let is_document = matches!(noun, "post" | "page");
            let what = match (is_deleted, main.map(|main| main.kind)) {
                (true, _) if is_document && !was_visible => "draft",
                (true, _) => "removed",
                (_, Some("added")) => "new",
                _ => "corrected",
            };
            return Entry {
                what,
                noun,
                title: before.and_then(|before| before.title),
                path,
                files: own,
            };
        };
        let what = match (was_visible, content.visible) {
            (false, Visible::No) => "draft",
            (true, Visible::No) if main.is_none() => "draft",
            (true, Visible::No) => "removed",
            (_, Visible::Later) => "scheduled",
            (false, Visible::Yes) => "new",
            (true, Visible::Yes) => "corrected",
        };
        content.entry(what, own)
    };
    groups.into_iter().map(entry).collect()
}

/// Returns the path of the item or page that a file belongs to, or the file's own path.
fn owner(path: &str, all: &[Content<'_>]) -> String {
    let in_folder = |content: &&Content<'_>| {
        let folder = content.path.rsplit_once('/').filter(|(_, name)| name.starts_with("index."));
        folder.is_some_and(|(folder, _)| {
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let found = all.iter().find(in_folder);
    found.map_or(path, |content| content.path).to_owned()
}

fn noun_of(path: &str) -> &'static str {
    let is_text = Path::new(path).extension().is_some_and(|end| end == "md" || end == "html");
    let Some((_, inner)) = ContentFolder::split(path) else {
        return "setting";
    };
    match inner {
        _ if inner.starts_with("channel.") => "description",
        _ if inner == SHOW_FILE => "setting",
        _ if inner.starts_with("items/") && is_text => "post",
        _ if inner.starts_with("pages/") && is_text => "page",
        _ if inner.starts_with("calendars/") => "event",
        _ => "file",
    }
}

/// The published version of an item or a page.
struct Former {
    title: Option<String>,
    is_public: bool,
}

impl Former {
    fn read(git: &Git, base: &str, path: &str) -> Option<Self> {
        let text = git.query(&["show", &format!("{base}:./{path}")]).ok()?.text().ok()?;
        let front = front_matter::parse(&text).ok()?;
        let field = |key| front.table.get(key).map(|node| &node.value);
        let is_draft = matches!(field("status"), Some(Field::String(status)) if status == "unpublished")
            || matches!(field("draft"), Some(Field::Bool(true)));
        let title = match field("title") {
            Some(Field::String(title)) => Some(title.clone()),
            _ => None,
        };
        Some(Self { title, is_public: !is_draft })
    }
}
