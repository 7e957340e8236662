//! What earlier builds wrote into an output folder: which files are ours, and what they were made of.
//!
//! A line a file: its fingerprint, its bytes' hash, its length, its path. Kept in `.feedwright/`, one
//! for each output folder.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

const DONE: &str = "feedwright output 1";
const WRITING: &str = "feedwright output 1, unfinished";

/// What is known of a file that a build wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// What it was made of; 0 where that is not watched.
    pub fingerprint: u64,
    /// The hash of its bytes; 0 where it is a copy.
    pub hash: u64,
    /// Its length in bytes.
    pub length: u64,
}

/// The files of one output folder.
#[derive(Debug, Default)]
pub struct Manifest {
    path: PathBuf,
    /// By path from the output folder.
    pub records: HashMap<String, Record>,
    /// Whether the last build was cut off: its files are ours, but what they hold is not known.
    pub unfinished: bool,
    /// The hash of the whole manifest.
    pub text_hash: u64,
}

impl Manifest {
    /// Waits until no other build writes into an output folder, and keeps others waiting for as long
    /// as the file is open. None where the disk has no locks, or the state cannot be written: the
    /// build says so when it has something to write.
    pub fn lock(root: &Path, out: &Path) -> Option<File> {
        let path = state(root, out, "lock");
        std::fs::create_dir_all(path.parent()?).ok()?;
        let file = File::options().create(true).append(true).open(path).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Reads what is known of an output folder.
    pub fn load(root: &Path, out: &Path) -> Self {
        let path = state(root, out, "output");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut lines = text.lines();
        let unfinished = match lines.next() {
            Some(DONE) => false,
            Some(WRITING) => true,
            _ => {
                return Self {
                    path,
                    ..Self::default()
                };
            }
        };
        Self {
            path,
            records: lines.filter_map(record).collect(),
            unfinished,
            text_hash: xxh3_64(text.as_bytes()),
        }
    }

    /// Notes which files will be ours before the first is written, so that a build that is cut off
    /// leaves none that nobody owns.
    pub fn begin<'a>(&self, files: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let unknown = Record {
            fingerprint: 0,
            hash: 0,
            length: 0,
        };
        let mut text = format!("{WRITING}\n");
        for (file, record) in &self.records {
            push(&mut text, file, record);
        }
        for file in files.filter(|file| !self.records.contains_key(*file)) {
            push(&mut text, file, &unknown);
        }
        self.save(&text)
    }

    /// Notes what a finished build wrote.
    pub fn finish(&self, records: &[(&str, Record)]) -> io::Result<()> {
        let mut text = String::with_capacity(records.len() * 96);
        text.push_str(DONE);
        text.push('\n');
        for (file, record) in records {
            push(&mut text, file, record);
        }
        self.save(&text)
    }

    fn save(&self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let temporary = self.path.with_extension("new");
        std::fs::write(&temporary, text)?;
        std::fs::rename(&temporary, &self.path)
    }
}

/// A file of the build's state that belongs to one output folder.
fn state(root: &Path, out: &Path, what: &str) -> PathBuf {
    let out = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
    let key = xxh3_64(out.to_string_lossy().as_bytes());
    root.join(".feedwright").join(format!("{what}-{key:016x}"))
}

fn push(text: &mut String, file: &str, record: &Record) {
    use std::fmt::Write;
    let _ = writeln!(
        text,
        "{:x} {:x} {:x} {}",
        record.fingerprint,
        record.hash,
        record.length,
        one_line(file)
    );
}

fn record(line: &str) -> Option<(String, Record)> {
    let mut parts = line.splitn(4, ' ');
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let record = Record {
        fingerprint: number()?,
        hash: number()?,
        length: number()?,
    };
    let file = parts.next()?;
    let file = match file.contains('\\') {
        true => file.replace("\\n", "\n").replace("\\r", "\r"),
        false => file.to_owned(),
    };
    Some((file, record))
}

/// A file's name may hold line ends on some systems. No path of a site holds a backslash.
fn one_line(file: &str) -> std::borrow::Cow<'_, str> {
    if file.contains(['\n', '\r']) {
        file.replace('\n', "\\n").replace('\r', "\\r").into()
    } else {
        file.into()
    }
}
