//! What earlier builds wrote into an output folder: which files are ours, and what they were made of.
//!
//! A manifest has a line a file: its fingerprint, its bytes' hash, its length, its path. Its first line holds a
//! checksum of the others. It lies in `.feedwright/`, one for each output folder, beside a copy, which is used where
//! it is damaged. A folder inside the site is named by its path from the site's root, so that the
//! manifest stays valid when the site is moved or copied. One outside is named by its absolute path
//! (`moved_output` says what becomes of it after a move).
//!
//! Before a build writes its first file it notes which it will write. While that note is there, what those files
//! hold is not known.

mod moved_output;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use self::moved_output::Place;
use super::out_dir::{inside, real};
use crate::model::ByHash;

const HEADER: &str = "feedwright output 2 ";

/// A line of the manifest: a file that a build wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// The fingerprint of what it was made of; 0 if there is none.
    pub fingerprint: u64,
    /// The hash of its bytes; 0 if it is a copy of a medium.
    pub hash: u64,
    pub length: u64,
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
    /// The index in `files` by the hash of a file's path.
    places: ByHash<usize>,
    /// Whether the last build was cut off, or what it noted is damaged.
    pub unfinished: bool,
    /// The hash of the whole manifest.
    pub text_hash: u64,
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
    /// The file is what the record says, as far as earlier builds know.
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
        fs::create_dir_all(path.parent()?).ok()?;
        let file = File::options().create(true).append(true).open(path).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Reads what is known of an output folder.
    pub fn load(root: &Path, out: &Path) -> Self {
        let path = state(root, out, "output");
        let earlier = Some(earlier_state(root, out)).filter(|earlier| *earlier != path);
        let place = inside(root, out).is_none().then(|| Place::of(root, out));
        let mut manifest = Self {
            path,
            earlier,
            place: place.flatten(),
            ..Self::default()
        };
        let begun = read(&manifest.begun()).unwrap_or_default();
        let before = || match &manifest.place {
            Some(place) if begun.is_empty() => place.take_list(&manifest.path),
            _ => None,
        };
        let text = read(&manifest.path)
            .or_else(|| read(manifest.earlier.as_deref()?))
            .or_else(before)
            .unwrap_or_default();
        manifest.text_hash = xxh3_64(text.as_bytes());
        let trust = trust_in(&text);
        if trust == Trust::MaybeOurs {
            let copy = read(&manifest.copy()).unwrap_or_default();
            if trust_in(&copy) != Trust::MaybeOurs {
                manifest.add_lines(&copy, Trust::Ours);
            }
        }
        manifest.add_lines(&text, trust);
        manifest.unfinished = !begun.is_empty() || trust != Trust::Known && !text.is_empty();
        for name in begun.lines().filter(|name| !name.is_empty()) {
            manifest.add(name, FileRecord::default(), Trust::Ours);
        }
        manifest
    }

    /// The record of a file, if it still holds what an earlier build wrote, as far as is known.
    pub fn known(&self, file: &str) -> Option<FileRecord> {
        let line = self.line(file)?;
        (line.trust == Trust::Known).then_some(line.record)
    }

    /// Whether an earlier build wrote this file, or may have.
    pub fn has(&self, file: &str) -> bool {
        self.line(file).is_some()
    }

    /// The files that earlier builds wrote.
    pub fn files(&self) -> impl Iterator<Item = (Cow<'_, str>, FileRecord)> {
        let lines = self.files.iter();
        let ours = lines.filter(|line| line.trust != Trust::MaybeOurs);
        ours.map(|line| (as_path(&self.names[line.name.clone()]), line.record))
    }

    /// Whether every file is there, as long as it was written.
    pub fn is_all_there(&self, out: &Path) -> bool {
        self.files.par_iter().all(|line| {
            let file = as_path(&self.names[line.name.clone()]);
            fs::symlink_metadata(out.join(&*file))
                .is_ok_and(|found| found.is_file() && found.len() == line.record.length)
        })
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
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        save(&self.begun(), &text)
    }

    /// Notes what a finished build wrote. Answers the hash of the manifest.
    pub fn finish(&self, records: &[(&str, FileRecord)]) -> io::Result<u64> {
        let mut lines = String::with_capacity(records.len() * 96);
        for (file, record) in records {
            push(&mut lines, file, record);
        }
        let text = format!("{HEADER}{:016x}\n{lines}", xxh3_64(lines.as_bytes()));
        save(&self.path, &text)?;
        save(&self.copy(), &text)?;
        if let Some(place) = &self.place {
            place.note()?;
        }
        fs::remove_file(self.begun())?;
        if let Some(earlier) = &self.earlier {
            let _ = fs::remove_file(earlier);
        }
        Ok(xxh3_64(text.as_bytes()))
    }

    fn begun(&self) -> PathBuf {
        self.path.with_extension("begun")
    }

    fn copy(&self) -> PathBuf {
        copy_of(&self.path)
    }

    fn line(&self, file: &str) -> Option<&Line> {
        let name = one_line(file);
        let line = &self.files[*self.places.get(&xxh3_64(name.as_bytes()))?];
        (self.names[line.name.clone()] == *name).then_some(line)
    }

    fn add_lines(&mut self, text: &str, trust: Trust) {
        let count = text.len() / 64;
        self.names.reserve(text.len());
        self.files.reserve(count);
        self.places.reserve(count);
        let lines = text.split_inclusive('\n').skip(1);
        for (name, record) in lines.filter_map(parsed) {
            self.add(name, record, trust);
        }
    }

    /// Adds a file, or what a later note says of one that is known already.
    fn add(&mut self, name: &str, record: FileRecord, trust: Trust) {
        let place = xxh3_64(name.as_bytes());
        if let Some(at) = self.places.get(&place) {
            self.files[*at].trust = Trust::Ours;
            return;
        }
        let start = self.names.len();
        self.names.push_str(name);
        self.places.insert(place, self.files.len());
        self.files.push(Line {
            name: start..self.names.len(),
            record,
            trust,
        });
    }
}

fn read(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the lines of a manifest are worth, by its first line.
fn trust_in(text: &str) -> Trust {
    let (head, lines) = text.split_once('\n').unwrap_or_default();
    match head.strip_prefix(HEADER) {
        Some(checksum) if checksum == format!("{:016x}", xxh3_64(lines.as_bytes())) => Trust::Known,
        // An earlier version of the program wrote no checksum.
        None if head == "feedwright output 1" => Trust::Known,
        None if head == "feedwright output 1, unfinished" => Trust::Ours,
        _ => Trust::MaybeOurs,
    }
}

fn save(path: &Path, text: &str) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let saved = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if saved.is_err() {
        drop(fs::remove_file(&temporary));
    }
    saved
}

fn copy_of(list: &Path) -> PathBuf {
    list.with_extension("copy")
}

/// A file of the build's state that belongs to one output folder: by its path from the site's root
/// where it lies in the site, by its absolute path where it does not.
fn state(root: &Path, out: &Path, what: &str) -> PathBuf {
    let name = match inside(root, out) {
        Some(inside) => inside.to_string_lossy().replace('\\', "/"),
        None => real(out).to_string_lossy().into_owned(),
    };
    state_of(root, &name, what)
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

fn push(text: &mut String, file: &str, record: &FileRecord) {
    let FileRecord {
        fingerprint,
        hash,
        length,
    } = record;
    for number in [fingerprint, hash, length] {
        push_hex(text, *number);
        text.push(' ');
    }
    text.push_str(&one_line(file));
    text.push('\n');
}

fn push_hex(text: &mut String, number: u64) {
    let digits = (64 - number.leading_zeros()).div_ceil(4).max(1);
    for place in (0..digits).rev() {
        let digit = (number >> (4 * place)) & 0xf;
        text.extend(char::from_digit(
            u32::try_from(digit).unwrap_or_default(),
            16,
        ));
    }
}

/// The path in a line, and its record. None for a line that is cut off.
fn parsed(line: &str) -> Option<(&str, FileRecord)> {
    let mut start = 0;
    let mut number = || {
        let mut number: u64 = 0;
        for (at, byte) in line.bytes().enumerate().skip(start) {
            if byte == b' ' {
                start = at + 1;
                return Some(number);
            }
            let digit = char::from(byte).to_digit(16)?;
            number = number.checked_mul(16)?.checked_add(u64::from(digit))?;
        }
        None
    };
    let record = FileRecord {
        fingerprint: number()?,
        hash: number()?,
        length: number()?,
    };
    Some((line[start..].strip_suffix('\n')?, record))
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
