//! What earlier builds wrote into an output folder: which files are ours, and what they were made of.
//!
//! A manifest has a line a file: its fingerprint, its bytes' hash, its length, its path. It lies in
//! `.feedwright/`, one for each output folder. A folder inside the site is named by its path from the site's
//! root, so that the manifest stays valid when the site is moved or copied.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::out_dir::real;

const DONE: &str = "feedwright output 1";
const WRITING: &str = "feedwright output 1, unfinished";

/// A line of the manifest: a file that a build wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// By path from the output folder.
    pub records: HashMap<String, FileRecord>,
    /// Whether the last build was cut off: its files are ours, but what they hold is not known.
    pub unfinished: bool,
    /// The hash of the whole manifest.
    pub text_hash: u64,
}

impl Manifest {
    /// Waits until no other build writes into an output folder. Other builds wait while the returned file is
    /// open. None where the disk has no locks, or the state cannot be written: the build says so when it has
    /// something to write.
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
        let earlier = Some(earlier_state(root, out)).filter(|earlier| *earlier != path);
        let text = std::fs::read_to_string(&path)
            .or_else(|_| std::fs::read_to_string(earlier.as_ref().unwrap_or(&path)))
            .unwrap_or_default();
        let mut lines = text.lines();
        let unfinished = match lines.next() {
            Some(DONE) => false,
            Some(WRITING) => true,
            _ => {
                return Self {
                    path,
                    earlier,
                    ..Self::default()
                };
            }
        };
        Self {
            path,
            earlier,
            records: lines.filter_map(record).collect(),
            unfinished,
            text_hash: xxh3_64(text.as_bytes()),
        }
    }

    /// Notes which files this build will write before it writes the first, so that an interrupted build
    /// leaves no file that later builds do not know as theirs.
    pub fn begin<'a>(&self, files: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let unknown = FileRecord {
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
    pub fn finish(&self, records: &[(&str, FileRecord)]) -> io::Result<()> {
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
        let saved =
            std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, &self.path));
        match (&saved, &self.earlier) {
            (Err(_), _) => drop(std::fs::remove_file(&temporary)),
            (Ok(()), Some(earlier)) => drop(std::fs::remove_file(earlier)),
            (Ok(()), None) => {}
        }
        saved
    }
}

/// A file of the build's state that belongs to one output folder: by its path from the site's root
/// where it lies in the site, by its absolute path where it does not.
fn state(root: &Path, out: &Path, what: &str) -> PathBuf {
    let (real_root, real_out) = (real(root), real(out));
    let name = match real_out.strip_prefix(&real_root) {
        Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
        Err(_) => real_out.to_string_lossy().into_owned(),
    };
    state_file(root, what, &name)
}

/// The manifest of an earlier version of the program, always named by the absolute path.
fn earlier_state(root: &Path, out: &Path) -> PathBuf {
    let out = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
    state_file(root, "output", &out.to_string_lossy())
}

fn state_file(root: &Path, what: &str, name: &str) -> PathBuf {
    let key = xxh3_64(name.as_bytes());
    root.join(".feedwright").join(format!("{what}-{key:016x}"))
}

fn push(text: &mut String, file: &str, record: &FileRecord) {
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

fn record(line: &str) -> Option<(String, FileRecord)> {
    let mut parts = line.splitn(4, ' ');
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let record = FileRecord {
        fingerprint: number()?,
        hash: number()?,
        length: number()?,
    };
    let file = parts.next()?;
    let file = if file.contains('\\') {
        file.replace("\\n", "\n").replace("\\r", "\r")
    } else {
        file.to_owned()
    };
    Some((file, record))
}

/// On some systems a file's name may hold line ends: they are escaped. No path of a site holds a backslash.
fn one_line(file: &str) -> std::borrow::Cow<'_, str> {
    if file.contains(['\n', '\r']) {
        file.replace('\n', "\\n").replace('\r', "\\r").into()
    } else {
        file.into()
    }
}
