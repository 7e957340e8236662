//! Small sites in temporary folders, for tests that build them.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use feedwright::builder::{self, Outcome, Silent};
use feedwright::model::Report;
use feedwright::project::Options;
use tempfile::TempDir;

use crate::support::program;

/// A site in a temporary folder, removed with it.
pub struct SmallSite {
    dir: TempDir,
}

/// A site with an address and a channel, and nothing else.
pub fn site() -> SmallSite {
    bare()
        .with("site.toml", "base_url = \"https://example.com\"\n")
        .with("content/channel.md", "+++\ntitle = \"A small site\"\n+++\nIts description.\n")
}

/// An empty folder.
pub fn bare() -> SmallSite {
    SmallSite { dir: tempfile::tempdir().unwrap() }
}

impl SmallSite {
    /// Adds a file, or replaces it.
    pub fn with(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.write(path, bytes);
        self
    }

    /// Adds an item whose file is this text.
    pub fn item(self, text: impl AsRef<[u8]>) -> Self {
        self.with("content/items/a.md", text)
    }

    /// Adds a symbolic link.
    #[cfg(unix)]
    pub fn link(self, path: &str, target: impl AsRef<Path>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
        self
    }

    /// Removes a file or folder.
    pub fn without(self, path: &str) -> Self {
        self.remove(path);
        self
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Makes its content files as old as the millennium, so that the dates they name are the later ones.
    pub fn with_old_dates(self) -> Self {
        for path in tree(&self.path("content")).into_keys() {
            self.touch(&format!("content/{path}"), "2000-01-01T00:00:00Z");
        }
        self
    }

    /// Sets when a file was changed.
    pub fn touch(&self, path: &str, date: &str) {
        let date: jiff::Timestamp = date.parse().unwrap();
        let file = fs::File::options().write(true).open(self.path(path));
        file.unwrap().set_modified(date.into()).unwrap();
    }

    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn exists(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// Builds as of 1 June 2026.
    pub fn options(&self) -> Options {
        let mut options = Options::new(self.root());
        options.visibility.now = "2026-06-01T12:00:00Z".parse().unwrap();
        options
    }

    pub fn build(&self) -> Result<Outcome, Report> {
        builder::run(&self.options(), &Silent)
    }

    /// Builds a site that has no errors.
    pub fn built(&self) -> Outcome {
        self.build().unwrap_or_else(|report| {
            let found: Vec<String> = report.sorted().iter().map(ToString::to_string).collect();
            panic!("{}", found.join("\n\n"))
        })
    }

    /// What a build reports, as people read it, with `<site>` for the folder.
    pub fn report(&self) -> String {
        let (verdict, found) = match self.build() {
            Ok(outcome) => ("built", outcome.warnings),
            Err(report) => ("not built", report.sorted()),
        };
        let mut text = verdict.to_owned();
        for diagnostic in found {
            text.push_str(&format!("\n{diagnostic}"));
        }
        text.replace(&self.root().display().to_string(), "<site>")
    }

    /// Every file of the output.
    pub fn output(&self) -> BTreeMap<String, Vec<u8>> {
        tree(&self.path("public"))
    }
}

/// Every file below a folder by its path, links followed; empty folders count as a path with a slash. One that
/// goes meanwhile, as a database's log does when its last user closes it, is not there.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
        let mut empty = true;
        for entry in fs::read_dir(folder).into_iter().flatten() {
            empty = false;
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{name}/"), files);
            } else {
                match fs::read(entry.path()) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    read => drop(files.insert(name, read.unwrap())),
                }
            }
        }
        if empty {
            files.insert(prefix.to_owned(), Vec::new());
        }
    }
    let mut files = BTreeMap::new();
    collect(folder, "", &mut files);
    files
}

/// Runs the program in a site's folder: its exit code, standard output and standard error.
pub fn feedwright(site: &SmallSite, arguments: &[&str]) -> (i32, String, String) {
    let ran = program::run(program::command().current_dir(site.root()).args(arguments));
    (ran.code.unwrap(), ran.out.trim_end().to_owned(), ran.err.trim_end().to_owned())
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    for (path, bytes) in tree(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
