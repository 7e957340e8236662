//! The manifest of an output folder: the files that earlier builds wrote, each with a fingerprint
//! of its inputs.
//!
//! For each file, a manifest records its fingerprint, the hash of its bytes, its length and its
//! version on the disk (`format`). Manifests are in `.feedwright/`, one for each output folder.
//! Each manifest has a copy next to it, which is used if the manifest is damaged. A manifest of a
//! folder inside the site is named after the folder's path relative to the site's root, so the
//! manifest stays valid when the site is moved or copied. A manifest of a folder outside the site
//! is named after the folder's absolute path; `moved_output` handles moves of the folder.
//!
//! Before a build writes its first file, it notes which files it will write. While that note
//! exists, the content of the noted files is unknown.

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

use super::out_dir::{path_inside_site, resolved};
use format::Written;
use local::make_folders;
use local::store::put;
use model::ByHash;
use moved_output::Place;
use source::open_folder::{FILES_PER_FOLDER, OpenFolder};

/// The record of a file that a build wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// The fingerprint of the inputs that the file was made from; 0 if there is none.
    pub fingerprint: u64,
    /// The hash of the file's bytes; 0 for a copy of a media file.
    pub hash: u64,
    pub length: u64,
    /// The file's [version](source::stamp::FileFacts::version) on the disk; 0 if unknown.
    pub version: u64,
}

/// The files of one output folder.
#[derive(Debug, Default)]
pub struct Manifest {
    path: PathBuf,
    /// The manifest's path in an earlier version of the program, if it differs.
    earlier: Option<PathBuf>,
    /// The folder's location, if the folder is outside the site.
    place: Option<Place>,
    /// The names of all files, concatenated.
    names: String,
    files: Vec<Line>,
    /// Indices in `files`, by the hash of the file's path. Computed when first needed.
    places: OnceLock<ByHash<usize>>,
    /// Whether the last build was interrupted or the manifest is damaged.
    pub unfinished: bool,
    /// The hash of the records that were written.
    pub hash: u64,
    /// Whether some files have another version on the disk than in their records.
    has_new_versions: bool,
}

#[derive(Debug)]
struct Line {
    /// The byte range of the file's escaped path in `names`.
    name: Range<usize>,
    record: FileRecord,
    trust: Trust,
}

/// How far a line of the manifest can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// According to earlier builds, the file matches its record. After [`Manifest::verify`], this
    /// is certain.
    Known,
    /// An earlier build wrote the file, but its content is unknown.
    Ours,
    /// The line is from a damaged manifest: the file may belong to the build.
    MaybeOurs,
}

impl Manifest {
    /// Locks an output folder and waits while another build holds the lock. The lock is held as
    /// long as the returned file is open. Returns None if the disk does not support locks, or if
    /// the state cannot be written. In the latter case, the build reports the error when it writes.
    pub fn lock(root: &Path, out: &Path) -> Option<File> {
        let path = state(root, out, "lock");
        make_folders(path.parent()?).ok()?;
        let file = File::options().create(true).append(true).open(path).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Loads the manifest of an output folder.
    pub fn load(root: &Path, out: &Path) -> Self {
        let path = state(root, out, "output");
        let earlier = Some(earlier_state_path(root, out)).filter(|earlier| *earlier != path);
        let place = path_inside_site(root, out).is_none().then(|| Place::of(root, out));
        let mut manifest = Self { path, earlier, place: place.flatten(), ..Self::default() };
        let begun_path = fs::read(manifest.begun_path()).unwrap_or_default();
        let before = || match &manifest.place {
            Some(place) if begun_path.is_empty() => place.take_over_manifest(&manifest.path),
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
        manifest.unfinished = !begun_path.is_empty() || is_unknown;
        let begun_path = String::from_utf8_lossy(&begun_path);
        for name in begun_path.lines().filter(|name| !name.is_empty()) {
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

    /// Compares every known file with the disk and marks changed files as [`Trust::Ours`]. If only
    /// the version differs, as in a copy of the output, compares the bytes of the file.
    pub fn verify(&mut self, out: &Path) {
        let names = &self.names;
        let has_new = self.files.par_chunks_mut(FILES_PER_FOLDER).map(|lines| {
            let folder = OpenFolder::of(out);
            let known = lines.iter_mut();
            let known = known.filter(|line| line.trust == Trust::Known);
            known.fold(false, |has_new, line| {
                let file = as_path(&names[line.name.clone()]);
                let before = line.record.version;
                match line.record.with_current_version(&folder, &file, out) {
                    Some(record) => line.record = record,
                    None => line.trust = Trust::Ours,
                }
                has_new | (line.record.version != before)
            })
        });
        self.has_new_versions = has_new.reduce(|| false, |a, b| a | b);
    }

    /// Saves the determined file versions, so that the next build need not read the files again. If
    /// saving fails, the next build reads them.
    pub fn save_versions(&self) {
        if self.has_new_versions {
            let files = self.files.iter();
            let files = files.map(|line| (&self.names[line.name.clone()], line.record));
            let _ = put(&self.path, &format::encode(files).0);
        }
    }

    /// Returns the index of each file's line. Fast if the files are mostly in the order of the
    /// lines.
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

    /// Returns the record of the file at this line index, if the file is unchanged since an earlier
    /// build wrote it.
    pub fn known(&self, line: usize) -> Option<FileRecord> {
        let line = &self.files[line];
        (line.trust == Trust::Known).then_some(line.record)
    }

    /// Returns whether an earlier build wrote this file, or may have written it.
    pub fn has(&self, file: &str) -> bool {
        self.place(file).is_some()
    }

    /// Iterates over the files that earlier builds wrote, with the indices of their lines.
    pub fn files(&self) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
        let lines = self.files.iter().enumerate();
        let ours = lines.filter(|(_, line)| line.trust != Trust::MaybeOurs);
        ours.map(|(at, line)| (at, as_path(&self.names[line.name.clone()])))
    }

    /// Returns the files of earlier builds that no route of this build has, with the indices of their
    /// lines. `lines` are the lines of the routes.
    pub fn unrouted(&self, lines: &[Option<usize>]) -> Vec<(String, usize)> {
        let mut is_current = vec![false; self.files.len()];
        for line in lines.iter().flatten() {
            is_current[*line] = true;
        }
        let obsolete = self.files().filter(|(line, _)| !is_current[*line]);
        let mut unrouted: Vec<(String, usize)> =
            obsolete.map(|(line, file)| (file.into_owned(), line)).collect();
        unrouted.sort_unstable();
        unrouted
    }

    /// Returns whether every file exists as it was written. Only valid after
    /// [`verify`](Self::verify).
    pub fn is_complete(&self) -> bool {
        self.files.iter().all(|line| line.trust == Trust::Known)
    }

    /// Returns whether the manifest was damaged, so that some of its files may be the author's.
    pub fn is_damaged(&self) -> bool {
        self.files.iter().any(|line| line.trust == Trust::MaybeOurs)
    }

    /// Notes which files this build will write, before it writes the first. Otherwise an
    /// interrupted build would leave files that later builds do not recognize as generated files.
    pub fn begin<'a>(&self, files: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let mut text = String::from("\n");
        for file in files {
            text.push_str(&one_line(file));
            text.push('\n');
        }
        // The content of files that an interrupted build began to write is still unknown.
        for line in self.files.iter().filter(|line| line.trust == Trust::Ours) {
            text.push_str(&self.names[line.name.clone()]);
            text.push('\n');
        }
        put(&self.begun_path(), text.as_bytes())
    }

    /// Saves the records of a finished build, and returns their hash.
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
        fs::remove_file(self.begun_path())?;
        if let Some(earlier) = &self.earlier {
            let _ = fs::remove_file(earlier);
        }
        Ok(hash)
    }

    fn begun_path(&self) -> PathBuf {
        self.path.with_extension("begun")
    }

    fn copy(&self) -> PathBuf {
        copy_of(&self.path)
    }

    /// Returns the index of a file's line.
    fn place(&self, file: &str) -> Option<usize> {
        let name = one_line(file);
        let places = self.places.get_or_init(|| self.line_indices());
        let at = *places.get(&xxh3_64(name.as_bytes()))?;
        (self.names[self.files[at].name.clone()] == *name).then_some(at)
    }

    fn line_indices(&self) -> ByHash<usize> {
        let lines = self.files.iter().enumerate();
        lines.map(|(at, line)| (xxh3_64(self.names[line.name.clone()].as_bytes()), at)).collect()
    }

    /// Adds a file. A file that is already listed becomes [`Trust::Ours`]: a second entry means
    /// that its content is uncertain.
    fn add(&mut self, name: &str, record: FileRecord, trust: Trust) {
        let mut places = self.places.take().unwrap_or_else(|| self.line_indices());
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
    /// Returns the record with the file's current version. Returns None if the file is missing or
    /// was replaced.
    fn with_current_version(self, folder: &OpenFolder, file: &str, out: &Path) -> Option<Self> {
        let found = folder.look_up_no_follow(file).ok()?;
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

/// Adds a file's line to `files`, and the file's name to `names`.
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

/// Returns the path of a file of the build's state for one output folder. A folder inside the site
/// is identified by its path relative to the site's root, another folder by its absolute path.
pub fn state(root: &Path, out: &Path, suffix: &str) -> PathBuf {
    let name = match path_inside_site(root, out) {
        Some(path_inside_site) => path_inside_site.to_string_lossy().replace('\\', "/"),
        None => external_name(out).to_string_lossy().into_owned(),
    };
    state_path_of(root, &name, suffix)
}

/// Returns the name of an output folder outside the site: its absolute path with a trailing slash.
/// Earlier versions already named manifests this way.
fn external_name(out: &Path) -> PathBuf {
    resolved(out).join("")
}

/// Returns the path of a file of the build's state for the output folder with this name.
fn state_path_of(root: &Path, name: &str, suffix: &str) -> PathBuf {
    let key = xxh3_64(name.as_bytes());
    root.join(".feedwright").join(format!("{suffix}-{key:016x}"))
}

/// Returns the path of the manifest of an earlier version of the program, which was always named
/// after the absolute path.
fn earlier_state_path(root: &Path, out: &Path) -> PathBuf {
    let out = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
    let key = xxh3_64(out.to_string_lossy().as_bytes());
    root.join(".feedwright").join(format!("output-{key:016x}"))
}

/// Escapes line ends, which file names may contain on some systems. No path of a site contains a
/// backslash.
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
