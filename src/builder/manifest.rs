//! What earlier builds wrote into an output folder: which files are ours, and what they were made of.
//!
//! A manifest knows of each file its fingerprint, its bytes' hash, its length and its version on the disk
//! (`format`). It lies in `.feedwright/`, one for each output folder, beside a copy, which is used where
//! it is damaged. A folder inside the site is named by its path from the site's root, so that the
//! manifest stays valid when the site is moved or copied. One outside is named by its absolute path
//! (`moved_output` says what becomes of it after a move).
//!
//! Before a build writes its first file it notes which it will write. While that note is there, what those files
//! hold is not known.

mod format;
mod moved_output;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::out_dir::{inside, real};
use format::Written;
use local::make_folders;
use local::store::put;
use model::ByHash;
use moved_output::Place;
use source::open_folder::{OPENED, OpenFolder};

/// What is known of a file that a build wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// The fingerprint of what it was made of; 0 if there is none.
    pub fingerprint: u64,
    /// The hash of its bytes; 0 if it is a copy of a medium.
    pub hash: u64,
    pub length: u64,
    /// Which [version](source::stamp::FileFacts::version) on the disk this is; 0 if that is not known.
    pub version: u64,
}

/// The files of one output folder.
#[derive(Debug, Default)]
pub struct Manifest {
    path: PathBuf,
    /// The file that an earlier version of the program used, if its name differs.
    earlier: Option<PathBuf>,
    /// Where the folder is, if it lies outside the site.
    place: Option<Place>,
    /// The names of all files, one after the other.
    names: String,
    files: Vec<Line>,
    /// The index in `files` by the hash of a file's path; made when it is first needed.
    places: OnceLock<ByHash<usize>>,
    /// Whether the last build was cut off, or what it noted is damaged.
    pub unfinished: bool,
    /// The hash of what was written.
    pub hash: u64,
    /// Whether files have other versions than are noted.
    has_new_versions: bool,
}

#[derive(Debug)]
struct Line {
    /// Its path in `names`, on one line.
    name: Range<usize>,
    record: FileRecord,
    trust: Trust,
}

/// What a line is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// The file is what the record says, as far as earlier builds know; once it was
    /// [looked at](Manifest::look), it is.
    Known,
    /// An earlier build wrote the file, but what it holds is not known.
    Ours,
    /// The line is from a damaged manifest: the file may be ours.
    MaybeOurs,
}

impl Manifest {
    /// Waits until no other build writes into an output folder. Other builds wait while the returned file is
    /// open. None where the disk has no locks, or the state cannot be written: the build says so when it has
    /// something to write.
    pub fn lock(root: &Path, out: &Path) -> Option<File> {
        let path = state(root, out, "lock");
        make_folders(path.parent()?).ok()?;
        let file = File::options().create(true).append(true).open(path).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Reads what is known of an output folder.
    pub fn load(root: &Path, out: &Path) -> Self {
        let path = state(root, out, "output");
        let earlier = Some(earlier_state(root, out)).filter(|earlier| *earlier != path);
        let place = inside(root, out).is_none().then(|| Place::of(root, out));
        let mut manifest = Self { path, earlier, place: place.flatten(), ..Self::default() };
        let begun = fs::read(manifest.begun()).unwrap_or_default();
        let before = || match &manifest.place {
            Some(place) if begun.is_empty() => place.take_list(&manifest.path),
            _ => None,
        };
        let bytes = read(&manifest.path)
            .or_else(|| read(manifest.earlier.as_deref()?))
            .or_else(before)
            .unwrap_or_default();
        let written = format::decode(&bytes);
        let is_damaged = written.trust == Some(Trust::MaybeOurs);
        let is_unknown = written.trust.is_some_and(|trust| trust != Trust::Known);
        manifest.hash = written.hash;
        let copy = is_damaged.then(|| read(&manifest.copy()).unwrap_or_default());
        let copy = format::decode(&copy.unwrap_or_default());
        if copy.trust.is_some_and(|trust| trust != Trust::MaybeOurs) {
            manifest.take(copy);
            let lines = manifest.files.iter_mut();
            lines.for_each(|line| line.trust = Trust::Ours);
        }
        manifest.take(written);
        manifest.unfinished = !begun.is_empty() || is_unknown;
        let begun = String::from_utf8_lossy(&begun);
        for name in begun.lines().filter(|name| !name.is_empty()) {
            manifest.add(name, FileRecord::default(), Trust::Ours);
        }
        manifest
    }

    fn take(&mut self, written: Written) {
        if self.files.is_empty() && written.is_distinct {
            (self.names, self.files) = (written.names, written.files);
            return;
        }
        for line in written.files {
            self.add(&written.names[line.name], line.record, line.trust);
        }
    }

    /// Looks at every file that is known, and forgets what the files hold that are not what the record says. Where
    /// only the version differs, as it does in a copy of the output, its bytes tell.
    pub fn look(&mut self, out: &Path) {
        let names = &self.names;
        let has_new = self.files.par_chunks_mut(OPENED).map(|lines| {
            let folder = OpenFolder::of(out);
            let known = lines.iter_mut();
            let known = known.filter(|line| line.trust == Trust::Known);
            known.fold(false, |has_new, line| {
                let file = as_path(&names[line.name.clone()]);
                let before = line.record.version;
                match line.record.of_now(&folder, &file, out) {
                    Some(record) => line.record = record,
                    None => line.trust = Trust::Ours,
                }
                has_new | (line.record.version != before)
            })
        });
        self.has_new_versions = has_new.reduce(|| false, |a, b| a | b);
    }

    /// Notes the versions that were found, so that the next build need not read those files. If that fails, it
    /// reads them.
    pub fn save_versions(&self) {
        if self.has_new_versions {
            let files = self.files.iter();
            let files = files.map(|line| (&self.names[line.name.clone()], line.record));
            let _ = put(&self.path, &format::encode(files).0);
        }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// For each of these files the index of its line. They mostly stand in the order of the lines.
    pub fn lines_of<'f>(&self, files: impl Iterator<Item = &'f str>) -> Vec<Option<usize>> {
        let mut next = 0;
        let line_of = |file: &str| {
            let is_next = |line: &&Line| self.names[line.name.clone()] == *one_line(file);
            let at = match self.files.get(next).filter(is_next) {
                Some(_) => Some(next),
                None => self.place(file),
            };
            next = at.map_or(next, |at| at + 1);
            at
        };
        files.map(line_of).collect()
    }

    /// The record of a file by the index of its line, if it still holds what an earlier build wrote.
    pub fn known(&self, line: usize) -> Option<FileRecord> {
        let line = &self.files[line];
        (line.trust == Trust::Known).then_some(line.record)
    }

    /// Whether an earlier build wrote this file, or may have.
    pub fn has(&self, file: &str) -> bool {
        self.place(file).is_some()
    }

    /// The files that earlier builds wrote, by the indexes of their lines.
    pub fn files(&self) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
        let lines = self.files.iter().enumerate();
        let ours = lines.filter(|(_, line)| line.trust != Trust::MaybeOurs);
        ours.map(|(at, line)| (at, as_path(&self.names[line.name.clone()])))
    }

    /// Whether every file is there as it was written, once they were looked at.
    pub fn is_all_there(&self) -> bool {
        self.files.iter().all(|line| line.trust == Trust::Known)
    }

    /// Notes which files this build will write before it writes the first, so that an interrupted build
    /// leaves no file that later builds do not know as theirs.
    pub fn begin<'a>(&self, files: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let mut text = String::from("\n");
        for file in files {
            text.push_str(&one_line(file));
            text.push('\n');
        }
        // What an interrupted build was to write is still not known.
        for line in self.files.iter().filter(|line| line.trust == Trust::Ours) {
            text.push_str(&self.names[line.name.clone()]);
            text.push('\n');
        }
        put(&self.begun(), text.as_bytes())
    }

    /// Notes what a finished build wrote. Answers the hash of that.
    pub fn finish<'f>(
        &self,
        records: impl Iterator<Item = (&'f str, FileRecord)> + Clone,
    ) -> io::Result<u64> {
        let (bytes, hash) = format::encode(records);
        let (saved, copied) = rayon::join(|| put(&self.path, &bytes), || put(&self.copy(), &bytes));
        saved.and(copied)?;
        if let Some(place) = &self.place {
            place.note()?;
        }
        fs::remove_file(self.begun())?;
        if let Some(earlier) = &self.earlier {
            let _ = fs::remove_file(earlier);
        }
        Ok(hash)
    }

    fn begun(&self) -> PathBuf {
        self.path.with_extension("begun")
    }

    fn copy(&self) -> PathBuf {
        copy_of(&self.path)
    }

    /// The index of a file's line.
    fn place(&self, file: &str) -> Option<usize> {
        let name = one_line(file);
        let places = self.places.get_or_init(|| self.all_places());
        let at = *places.get(&xxh3_64(name.as_bytes()))?;
        (self.names[self.files[at].name.clone()] == *name).then_some(at)
    }

    fn all_places(&self) -> ByHash<usize> {
        let lines = self.files.iter().enumerate();
        lines.map(|(at, line)| (xxh3_64(self.names[line.name.clone()].as_bytes()), at)).collect()
    }

    /// Adds a file, or what a later note says of one that is known already.
    fn add(&mut self, name: &str, record: FileRecord, trust: Trust) {
        let mut places = self.places.take().unwrap_or_else(|| self.all_places());
        let place = xxh3_64(name.as_bytes());
        match places.get(&place) {
            Some(at) => self.files[*at].trust = Trust::Ours,
            None => {
                places.insert(place, self.files.len());
                push_line(&mut self.names, &mut self.files, name, (record, trust));
            }
        }
        self.places = OnceLock::from(places);
    }
}

impl FileRecord {
    /// The record of the file that is there now. None if that is not the file that was written.
    fn of_now(self, folder: &OpenFolder, file: &str, out: &Path) -> Option<Self> {
        let found = folder.look_at_itself(file).ok()?;
        if !found.is_file || found.length != self.length {
            return None;
        }
        let version = found.version();
        let has_its_bytes = || {
            let bytes = || fs::read(out.join(file));
            self.hash != 0 && bytes().is_ok_and(|bytes| xxh3_64(&bytes) == self.hash)
        };
        (version == self.version || has_its_bytes()).then_some(Self { version, ..self })
    }
}

/// Adds the line of a file, and its name to those of all.
fn push_line(
    names: &mut String,
    files: &mut Vec<Line>,
    name: &str,
    (record, trust): (FileRecord, Trust),
) {
    let start = names.len();
    names.push_str(name);
    files.push(Line { name: start..names.len(), record, trust });
}

fn read(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

fn copy_of(list: &Path) -> PathBuf {
    list.with_extension("copy")
}

/// A file of the build's state that belongs to one output folder: by its path from the site's root
/// where it lies in the site, by its absolute path where it does not.
pub fn state(root: &Path, out: &Path, what: &str) -> PathBuf {
    let name = match inside(root, out) {
        Some(inside) => inside.to_string_lossy().replace('\\', "/"),
        None => name_outside(out).to_string_lossy().into_owned(),
    };
    state_of(root, &name, what)
}

/// The name of an output folder outside the site: its absolute path, with a slash at its end, as it stood in the
/// names of lists from the start.
fn name_outside(out: &Path) -> PathBuf {
    real(out).join("")
}

/// A file of the build's state that belongs to the output folder of this name.
fn state_of(root: &Path, name: &str, what: &str) -> PathBuf {
    let key = xxh3_64(name.as_bytes());
    root.join(".feedwright").join(format!("{what}-{key:016x}"))
}

/// The manifest of an earlier version of the program, always named by the absolute path.
fn earlier_state(root: &Path, out: &Path) -> PathBuf {
    let out = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
    let key = xxh3_64(out.to_string_lossy().as_bytes());
    root.join(".feedwright").join(format!("output-{key:016x}"))
}

/// On some systems a file's name may hold line ends: they are escaped. No path of a site holds a backslash.
fn one_line(file: &str) -> Cow<'_, str> {
    if file.bytes().any(|byte| byte == b'\n' || byte == b'\r') {
        file.replace('\n', "\\n").replace('\r', "\\r").into()
    } else {
        file.into()
    }
}

fn as_path(name: &str) -> Cow<'_, str> {
    if name.contains('\\') {
        name.replace("\\n", "\n").replace("\\r", "\r").into()
    } else {
        name.into()
    }
}
