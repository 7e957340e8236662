//! A site that changes, is built on top of what earlier builds left, and is compared with a copy that is built
//! for the first time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use feedwright::builder::{self, Outcome, Silent};
use feedwright::model::{ContentFolder, Diagnostic, Report};
use feedwright::project::Options;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::changes::{Change, Damage, SaveMethod, TIMES};
use super::sources::{LANGUAGES, OWN_ADDRESS, SOURCES};
use crate::support::small_site::tree;
use crate::support::wait;

/// Where each source lies, and which text each of its parts is.
type SourceTexts = Vec<(usize, Vec<usize>)>;

/// A site, with what was built of it.
pub struct ChangingSite {
    folder: TempDir,
    root: PathBuf,
    options: Options,
    said: SourceTexts,
    /// What the sources said at the last build and at the one before.
    built: [SourceTexts; 2],
    /// The last that could be built.
    last_built: (SourceTexts, Options),
    commits: usize,
}

impl ChangingSite {
    /// The site as it begins, built. It has texts in one language or in several.
    pub fn new(has_languages: bool) -> Self {
        let folder = folder();
        let root = folder.path().join("site");
        let said: SourceTexts = SOURCES
            .iter()
            .map(|source| {
                let mut texts = vec![0; source.parts.len()];
                texts[source.parts.len() - 1] = source.body;
                let languages = source.parts.iter().position(|part| *part == LANGUAGES);
                languages.into_iter().for_each(|part| texts[part] = usize::from(has_languages));
                let is_translation = source
                    .paths
                    .get(1)
                    .is_some_and(|path| path.contains(".de.") || path.contains("/de/"));
                (usize::from(has_languages && is_translation), texts)
            })
            .collect();
        let mut options = Options::new(&root);
        options.visibility.now = TIMES[0].parse().unwrap();
        let mut site = Self {
            folder,
            root,
            built: [said.clone(), said.clone()],
            last_built: (said.clone(), options.clone()),
            said,
            options,
            commits: 0,
        };
        for at in 0..SOURCES.len() {
            site.write(at, SaveMethod::InPlace);
        }
        site.build();
        site
    }

    /// Makes changes and builds.
    pub fn step(&mut self, changes: &[Change]) {
        for change in changes {
            self.apply(change);
        }
        let outcome = self.build();
        if let (true, Some(outcome)) = (changes.is_empty(), outcome) {
            assert_eq!((outcome.written, outcome.removed), (0, 0), "nothing changed");
        }
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::EditPart { source, part, text, saved } => {
                self.said[*source].1[*part] = *text;
                self.write(*source, *saved);
            }
            Change::MoveSource { source, path } => {
                let from = self.path(*source);
                self.said[*source].0 = *path;
                self.place_source(*source, from);
            }
            Change::Return => {
                let before = self.built[1].clone();
                self.set_sources(before);
            }
            Change::Touch(source) => {
                let path = self.path(*source).map(|path| self.root.join(path));
                let file = path.and_then(|path| fs::File::options().append(true).open(path).ok());
                if let Some(file) = file {
                    let time: jiff::Timestamp = "2026-04-04T00:00:00Z".parse().unwrap();
                    file.set_modified(time.into()).unwrap();
                }
            }
            Change::Time(at) => self.options.visibility.now = TIMES[*at].parse().unwrap(),
            Change::Drafts(drafts) => self.options.visibility.drafts = *drafts,
            Change::Future(future) => self.options.visibility.future = *future,
            Change::Preview(preview) => {
                self.options.base_url = preview.then(|| "https://preview.example".into());
            }
            Change::Move => {
                let name = if self.root.ends_with("site") { "moved" } else { "site" };
                let to = self.folder.path().join(name);
                fs::rename(&self.root, &to).unwrap();
                self.root = to;
                self.options.root.clone_from(&self.root);
            }
            Change::Commit => self.commit(),
            Change::Aside => {
                if self.build().is_some() {
                    let mut options = self.options.clone();
                    options.out = Some(self.second_output());
                    builder::run(&options, &Silent).unwrap();
                    assert_same(&tree(&self.second_output()), &tree(&self.out()));
                }
            }
            Change::Wait => wait::settled(&self.root),
            Change::Output(harm, file) => {
                let out = self.out();
                damage_file(&out, *harm, |files| file.index(files));
            }
            Change::State(harm, file) => {
                // What is lost cannot be known any more where something changed as well.
                if self.build().is_some_and(|built| !publishes_last_valid_text(&built)) {
                    let state = self.root.join(".feedwright");
                    damage_file(&state, *harm, |files| file.index(files));
                    let _ = fs::remove_dir_all(self.second_output());
                    self.build();
                }
            }
        }
    }

    /// Lets all sources say this.
    fn set_sources(&mut self, said: SourceTexts) {
        let before = std::mem::replace(&mut self.said, said);
        for at in 0..SOURCES.len() {
            let from = Some(SOURCES[at].paths[before[at].0]).filter(|path| !path.is_empty());
            if before[at] != self.said[at] {
                self.place_source(at, from.map(str::to_owned));
            }
        }
    }

    /// Moves a source to its place, away or back.
    fn place_source(&self, at: usize, from: Option<String>) {
        let to = self.path(at);
        if from != to {
            let moved = self.root.join("moving");
            if let Some(from) = from {
                let from = self.root.join(from);
                fs::rename(&from, &moved).unwrap();
                remove_empty(from.parent().unwrap());
            }
            if let Some(to) = to.map(|to| self.root.join(to)) {
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                let _ = fs::rename(&moved, to);
            }
            let _ = fs::remove_file(&moved);
        }
        self.write(at, SaveMethod::InPlace);
    }

    /// Where a source lies.
    fn path(&self, at: usize) -> Option<String> {
        let path = SOURCES[at].paths[self.said[at].0];
        (!path.is_empty()).then(|| path.to_owned())
    }

    /// What a source says.
    fn text(&self, at: usize) -> String {
        let source = &SOURCES[at];
        let parts = source.parts.iter().zip(&self.said[at].1);
        let text: String = parts.map(|(part, text)| part[*text]).collect();
        let path = source.paths[self.said[at].0];
        let above = if path.starts_with("shows/") { 2 } else { 1 };
        let up = "../".repeat(path.matches('/').count().saturating_sub(above));
        text.replace("NAME", source.name).replace("UP", &up)
    }

    /// Writes a source where it lies, if it says something else.
    fn write(&self, at: usize, saved: SaveMethod) {
        let Some(path) = self.path(at).map(|path| self.root.join(path)) else {
            return;
        };
        let text = self.text(at);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let time = fs::metadata(&path).and_then(|facts| facts.modified());
        match saved {
            SaveMethod::Replaced => {
                let beside = path.with_file_name(".beside");
                fs::write(&beside, text).unwrap();
                fs::rename(beside, path).unwrap();
            }
            SaveMethod::InPlace => fs::write(path, text).unwrap(),
            SaveMethod::WithItsTime => {
                fs::write(&path, text).unwrap();
                if let Ok(time) = time {
                    let file = fs::File::options().append(true).open(path).unwrap();
                    file.set_modified(time).unwrap();
                }
            }
        }
    }

    fn commit(&mut self) {
        self.commits += 1;
        let date = format!("2026-02-{:02}T00:00:00Z", 1 + self.commits % 28);
        let git = |arguments: &[&str]| {
            let output = Command::new("git")
                .current_dir(&self.root)
                .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
                .args(["-c", "commit.gpgsign=false", "-c", "gc.auto=0"])
                .args(arguments)
                .env("GIT_COMMITTER_DATE", &date)
                .env_remove("GIT_DIR")
                .output()
                .unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
        };
        if self.commits == 1 {
            fs::write(self.root.join(".gitignore"), "public*\n.feedwright\n").unwrap();
            git(&["init", "-q", "--template="]);
        }
        git(&["add", "-A"]);
        git(&["commit", "-qm", "More", "--allow-empty"]);
    }

    /// The other output folder.
    fn second_output(&self) -> PathBuf {
        self.folder.path().join("aside")
    }

    fn out(&self) -> PathBuf {
        self.root.join("public")
    }

    /// Builds on top of what is there, and for the first time in a copy. Where neither can be built, the site
    /// goes back to what could.
    fn build(&mut self) -> Option<Outcome> {
        let outcome = self.compare();
        if outcome.is_some() {
            self.last_built = (self.said.clone(), self.options.clone());
        } else {
            let (said, mut options) = self.last_built.clone();
            self.set_sources(said);
            options.root.clone_from(&self.root);
            self.options = options;
            assert!(self.compare().is_some(), "what could be built still can");
        }
        self.built.swap(0, 1);
        self.built[0].clone_from(&self.said);
        outcome
    }

    /// Whether the site is built as it is published.
    fn is_public(&self) -> bool {
        let Options { base_url, visibility, .. } = &self.options;
        base_url.is_none() && !visibility.drafts && !visibility.future
    }

    /// Builds the show with its own address on top of what is there, and for the first time in the copy.
    fn compare_show(&self, clean: &Options) {
        let settings = fs::read_to_string(self.root.join("shows/feet/show.toml"));
        if !settings.is_ok_and(|text| text.contains(OWN_ADDRESS)) {
            return;
        }
        let show = Some(ContentFolder::of_show("feet"));
        let build = |options: &Options| {
            let options = Options { show: show.clone(), ..options.clone() };
            let built = builder::run(&options, &Silent);
            let facts = built.as_ref().map(facts).map_err(|_| ());
            (facts, build_messages(built), tree(&options.root.join("public-feet")))
        };
        let (kept, clean) = (build(&self.options), build(clean));
        assert_eq!((kept.0, &kept.1), (clean.0, &clean.1));
        if kept.0.is_ok() {
            assert_same(&kept.2, &clean.2);
        }
    }

    fn compare(&self) -> Option<Outcome> {
        let before = tree(&self.out());
        let kept = builder::run(&self.options, &Silent);
        // After the build, which may save the last valid text of a Site File among the sources.
        let copy = folder();
        copy_sources(&self.root, copy.path());
        let mut options = self.options.clone();
        options.root = copy.path().to_path_buf();
        let clean = builder::run(&options, &Silent);
        match (kept, clean) {
            (Ok(kept), Ok(clean)) => {
                assert_same(&tree(&self.out()), &tree(&copy.path().join("public")));
                assert_eq!(facts(&kept), facts(&clean));
                assert_eq!(lines(kept.warnings.clone()), lines(clean.warnings));
                self.compare_show(&options);
                Some(kept)
            }
            (Err(kept), Err(clean)) => {
                let kept = errors(kept);
                let mut clean = errors(clean);
                // As below, where this is the only error.
                if !self.is_public() {
                    clean
                        .retain(|error| kept.contains(error) || !error.contains("--> site-files/"));
                }
                assert_eq!(kept, clean);
                assert_same(&tree(&self.out()), &before);
                None
            }
            // A build with drafts, with future items or for another address keeps that text in local state alone.
            (Ok(kept), Err(_)) if !self.is_public() && publishes_last_valid_text(&kept) => {
                Some(kept)
            }
            (kept, clean) => {
                panic!("on top {:?}, the copy {:?}", build_messages(kept), build_messages(clean))
            }
        }
    }
}

/// A temporary folder, in memory where that can be: so many builds would wait for a disk most of the time.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// How many there are of what.
fn facts(outcome: &Outcome) -> [usize; 4] {
    let Outcome { items, drafts, waiting, files, .. } = outcome;
    [*items, *drafts, *waiting, *files]
}

/// Whether the last valid text of a Site File is published in place of one that is not valid.
fn publishes_last_valid_text(outcome: &Outcome) -> bool {
    let mut warnings = outcome.warnings.iter();
    warnings.any(|warning| warning.message.ends_with("the last valid version is published"))
}

fn build_messages(build: Result<Outcome, Report>) -> Vec<String> {
    build.map_or_else(errors, |outcome| lines(outcome.warnings))
}

fn errors(report: Report) -> Vec<String> {
    let mut lines = lines(report.sorted());
    lines.retain(|line| !line.starts_with("warning"));
    lines
}

/// What is wrong with the site as it is, without what is said of addresses that are no more.
fn lines(found: Vec<Diagnostic>) -> Vec<String> {
    let found = found.iter().map(ToString::to_string);
    let former_path_messages = [
        "the published address", "the id of this file changed", "this file was moved",
        "has changed with its path",
    ];
    found.filter(|line| !former_path_messages.iter().any(|former| line.contains(former))).collect()
}

/// Asserts that two folders hold the same.
#[track_caller]
pub fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let names = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    for (name, bytes) in left {
        if let Some(other) = right.get(name) {
            let [bytes, other] = [bytes, other].map(|bytes| String::from_utf8_lossy(bytes));
            assert_eq!(bytes, other, "{name}");
        }
    }
    assert_eq!(names(left), names(right));
}

/// Copies the author's files with their times, as a clone has them: no output and no local state.
pub fn copy_sources(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(from).unwrap();
        let is_output = ["public", "public-feet"].iter().any(|folder| path.starts_with(folder));
        if is_output || path.starts_with(".feedwright") {
            continue;
        }
        let target = to.join(path);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(entry.path(), &target).unwrap();
            let time = entry.metadata().unwrap().modified().unwrap();
            let file = fs::File::options().append(true).open(target);
            // What git keeps can only be read, and nobody asks for its time.
            let _ = file.and_then(|file| file.set_modified(time));
        }
    }
}

/// Does harm to the files of a folder; `choose` chooses one of so many. The last valid texts of Site Files are
/// spared: without them a template that stops rendering is an error, and nothing is published.
fn damage_file(folder: &Path, harm: Damage, choose: impl Fn(usize) -> usize) {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.filter_entry(|entry| entry.file_name() != "site-files");
    let files = files.filter_map(Result::ok);
    let files: Vec<PathBuf> =
        files.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect();
    if files.is_empty() {
        return;
    }
    let path = &files[choose(files.len())];
    match harm {
        Damage::Gone => fs::remove_file(path).unwrap(),
        Damage::Empty => fs::write(path, "").unwrap(),
        Damage::CutOff(at) => {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..at.index(bytes.len() + 1)]).unwrap();
        }
        Damage::FolderGone => files
            .iter()
            .filter(|file| file.parent() == path.parent())
            .for_each(|file| fs::remove_file(file).unwrap()),
        Damage::EverythingGone => files.iter().for_each(|file| fs::remove_file(file).unwrap()),
    }
}

/// Removes a folder that holds nothing any more, but none that a site begins with.
fn remove_empty(folder: &Path) {
    let of_a_site = ["items", "pages", "media", "calendars", "site-files", "content"];
    // A show is there as long as its folder of items.
    if folder.ends_with("shows") {
        return;
    }
    let is_of_show = folder.components().any(|part| part.as_os_str() == "shows");
    if is_of_show || !of_a_site.iter().any(|name| folder.ends_with(name)) {
        let is_removed = fs::remove_dir(folder).is_ok();
        if let Some(above) = folder.parent().filter(|_| is_removed && is_of_show) {
            remove_empty(above);
        }
    }
}
