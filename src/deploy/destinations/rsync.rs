//! Deploys to a folder on another machine with the program rsync. rsync sends only the changed
//! parts of a file, and renames each file when it is complete. feedwright decides which files are
//! sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use jiff::Timestamp;

use super::{MAX_SILENCE, ProgressCallback, RemoteFile, Target, ssh};
use crate::{Fault, LocalFile};
use local::make_folders;
use model::RemoteFolder;
use programs::process::{self, Bounds};

/// The exit code of rsync after an incomplete transfer, for example because a file is missing or
/// unreadable.
const EXIT_MISSING: i32 = 23;
const EXIT_VANISHED: i32 = 24;

pub struct Rsync {
    at: RemoteFolder,
    /// A local folder for files that are sent to the destination but are not part of the site.
    desk: PathBuf,
    /// The symlinks at the destination, which are not followed, with their targets.
    links: BTreeMap<String, String>,
}

impl Rsync {
    pub fn new(root: &Path, at: &RemoteFolder) -> Self {
        Self {
            at: at.clone(),
            desk: root.join(".feedwright").join("deploy-rsync"),
            links: BTreeMap::new(),
        }
    }

    /// Creates the folder `desk`, or deletes all files in it.
    fn create_empty_desk(&self) -> Result<(), Fault> {
        let _ = fs::remove_dir_all(&self.desk);
        make_folders(&self.desk).map_err(|error| Fault::cannot_read(self.desk.display(), &error))
    }

    /// Runs rsync, and writes `list` to its standard input. Returns `None` if a file that rsync
    /// should read does not exist.
    fn run(
        &self,
        arguments: &[&str],
        from: &str,
        to: &str,
        list: &[String],
    ) -> Result<Option<Vec<u8>>, Fault> {
        let mut command = Command::new("rsync");
        command.arg("-e").arg(ssh::words(self.at.port).join(" "));
        // File names may contain any character. With this option, rsync sends file names directly,
        // so that no remote shell interprets them.
        command
            .args(["--protect-args", "--from0", "--timeout=120"])
            .args(arguments)
            .args(["--", from]);
        if !to.is_empty() {
            command.arg(to);
        }
        let list: String = list.iter().map(|line| format!("{line}\0")).collect();
        // rsync applies its own `--timeout` only after the other side has responded. A transfer of
        // listed files can be silent for a long time, so it has no time limit here.
        let silence = if list.is_empty() { MAX_SILENCE } else { Duration::MAX };
        let bounds = Bounds { silence, ..Bounds::default() };
        // Times in a listing depend on the time zone. The messages must be English, so that they
        // can be parsed.
        command.env("TZ", "UTC").env("LC_ALL", "C");
        let output = process::output(&mut command, list.into_bytes(), bounds);
        let output = output.map_err(|error| self.start_fault(&error))?;
        if output.status.success() || output.status.code() == Some(EXIT_VANISHED) {
            return Ok(Some(output.stdout));
        }
        let error_output = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(EXIT_MISSING) && error_output.contains("No such file") {
            return Ok(None);
        }
        if output.status.code() == Some(EXIT_MISSING) && is_foreign_folder_error(&error_output) {
            return Ok(Some(output.stdout));
        }
        if error_output.contains("unknown option") || error_output.contains("unrecognized option") {
            return Err(Fault::permanent(
                format!(
                    "rsync is too old on this machine or on the server: {}",
                    error_output.trim()
                ),
                "install rsync 3.2.3 or later on both machines, or deploy with sftp:",
            ));
        }
        Err(ssh::refused("rsync", &self.at, &error_output))
    }

    fn start_fault(&self, error: &io::Error) -> Fault {
        if error.kind() == ErrorKind::TimedOut {
            let (host, minutes) = (&self.at.host, MAX_SILENCE.as_secs() / 60);
            return Fault::permanent(
                format!("{host} timed out: no response for {minutes} minutes"),
                format!(
                    "check that `ssh {host}` works and that rsync is installed there, and deploy again"
                ),
            );
        }
        Fault::permanent(
            format!("rsync cannot be run: {error}"),
            "install rsync on this machine and on the server, or deploy with sftp:",
        )
    }

    /// Deletes files and empty folders with these names at the destination. Filter rules protect
    /// everything else. The rsync option for this purpose, `--delete-missing-args`, is not used,
    /// because rsync versions with the fixes from May 2026 reject it ("invalid file mode 00").
    fn delete_named(&self, names: &BTreeSet<String>) -> Result<(), Fault> {
        self.create_empty_desk()?;
        let folders = names.iter().flat_map(|name| parent_folders(name));
        let folders: BTreeSet<&str> = folders.collect();
        // In folders that exist on both sides, rsync deletes files that are missing from `desk`.
        for folder in &folders {
            let folder = self.desk.join(folder);
            make_folders(&folder).map_err(|error| Fault::cannot_read(folder.display(), &error))?;
        }
        let kept = folders.iter().map(|folder| format!("{folder}/"));
        let rules = kept.chain(names.iter().cloned()).map(|name| rule(&name));
        let rules: Vec<String> = rules.collect();
        let arguments = [
            "--recursive", "--delete",
            // With these options, a symlink or file that has replaced a folder stays unchanged.
            "--existing", "--ignore-existing", "--include-from=-", "--exclude=*",
        ];
        let from = format!("{}/", self.desk.display());
        self.run(&arguments, &from, &self.destination_path(""), &rules).map(drop)
    }

    fn destination_path(&self, path: &str) -> String {
        format!("{}:{}/{path}", self.at.host, self.at.folder)
    }
}

/// Returns whether all errors from rsync are about unreadable folders in the destination, such as
/// root's `lost+found`.
fn is_foreign_folder_error(error_output: &str) -> bool {
    let mut faults = error_output.lines().filter(|line| line.starts_with("rsync: "));
    let is_within = |line: &str| {
        let is_look = line.contains(" opendir \"") || line.contains(" readlink_stat(\"");
        // In rsync's messages, a path that ends with `/.` is the destination itself.
        is_look && line.contains("Permission denied (13)") && !line.contains("/.\" failed")
    };
    faults.clone().next().is_some() && faults.all(is_within)
}

/// Returns the parent folders of a path, outermost first.
fn parent_folders(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_end_matches('/');
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Returns a filter rule that matches exactly one path, relative to the destination. In rsync, a
/// backslash is an escape character only in patterns with a wildcard.
fn rule(path: &str) -> String {
    let wild = ['*', '?', '['];
    if !path.contains(wild) {
        return format!("/{path}");
    }
    let escaped = path.chars().flat_map(|c| {
        let needs_it = c == '\\' || wild.contains(&c);
        needs_it.then_some('\\').into_iter().chain([c])
    });
    std::iter::once('/').chain(escaped).collect()
}

/// Parses a line of a listing: kind, permissions, length, day, time, name.
fn parse_line(line: &str) -> Option<(char, RemoteFile)> {
    let kind = line.chars().next()?;
    let mut rest = line.trim_start_matches(|c: char| c != ' ');
    let mut word = || {
        let (word, after) = rest.trim_start_matches(' ').split_once(' ')?;
        rest = after;
        Some(word)
    };
    let length = word()?.parse().ok()?;
    let (day, time) = (word()?, word()?);
    let file = RemoteFile { length, tag: format!("{day} {time}"), path: rest.to_owned() };
    Some((kind, file))
}

/// Returns a file's modification time, formatted as in a listing.
fn tag(file: &LocalFile) -> Result<String, Fault> {
    let modified = fs::metadata(&file.on_disk).and_then(|facts| facts.modified());
    let modified = modified.map_err(|error| Fault::cannot_read(file.on_disk.display(), &error))?;
    let modified = Timestamp::try_from(modified).unwrap_or_default();
    Ok(modified.strftime("%Y/%m/%d %H:%M:%S").to_string())
}

/// Returns the local folder that a file's path is relative to.
fn folder_of(file: &LocalFile) -> &Path {
    let parts = Path::new(&file.path).components().count();
    file.on_disk.ancestors().nth(parts).unwrap_or(&file.on_disk)
}

impl Target for Rsync {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        let arguments = [
            "--recursive", // Lists symlinks with their targets, without following them.
            "--links", "--list-only", "--no-human-readable", "--8-bit-output",
        ];
        let list = self.run(&arguments, &self.destination_path(""), "", &[])?.unwrap_or_default();
        let mut files = Vec::new();
        self.links.clear();
        for (kind, file) in String::from_utf8_lossy(&list).lines().filter_map(parse_line) {
            match (kind, file.path.split_once(" -> ")) {
                ('-', _) => files.push(file),
                ('l', Some((path, to))) => {
                    self.links.insert(path.to_owned(), to.to_owned());
                }
                _ => {}
            }
        }
        Ok(files)
    }

    fn links(&self) -> BTreeMap<String, String> {
        self.links.clone()
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        self.create_empty_desk()?;
        let copy = self.desk.join("read");
        let read = self.run(&[], &self.destination_path(path), &copy.to_string_lossy(), &[])?;
        read.map(|_| fs::read(&copy).map_err(|error| Fault::cannot_read(copy.display(), &error)))
            .transpose()
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        let Some(first) = files.first() else {
            return Ok(Vec::new());
        };
        let tags: Vec<String> = files.iter().map(|file| tag(file)).collect::<Result<_, _>>()?;
        // Without `./`, rsync would treat a name that begins with `#` or `;` as a comment.
        let names = files.iter().map(|file| format!("./{}", file.path));
        let names: Vec<String> = names.collect();
        let arguments = [
            "--files-from=-", "--times", "--omit-dir-times", "--ignore-times", "--copy-links",
            "--compress", "--mkpath", "--chmod=D755,F644",
        ];
        let from = format!("{}/", folder_of(first).display());
        if self.run(&arguments, &from, &self.destination_path(""), &names)?.is_none() {
            return Err(Fault::permanent(
                "a file in the output folder disappeared during the upload",
                "deploy again when no build is running",
            ));
        }
        files.iter().for_each(|file| sent(file.length));
        Ok(tags)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        self.create_empty_desk()?;
        let copy = self.desk.join(path);
        fs::write(&copy, bytes).map_err(|error| Fault::cannot_read(copy.display(), &error))?;
        let arguments = ["--ignore-times", "--mkpath", "--perms", "--chmod=F600"];
        self.run(&arguments, &copy.to_string_lossy(), &self.destination_path(path), &[]).map(drop)
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        if paths.is_empty() {
            return Ok(());
        }
        self.delete_named(&paths.iter().map(|path| (*path).to_owned()).collect())?;
        // Deletes the innermost folders first. A folder that is not empty stays.
        let mut folders: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for path in paths {
            for (depth, folder) in parent_folders(path).enumerate() {
                folders.entry(depth).or_default().insert(format!("{folder}/"));
            }
        }
        let mut inner_first = folders.values().rev();
        inner_first.try_for_each(|folders| self.delete_named(folders))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_parsed_with_any_names() {
        let line = "-rw-r--r--          1234 2026/11/23 12:20:51 a b/ ü  c.html";
        let (kind, found) = parse_line(line).unwrap();
        assert_eq!((kind, found.length), ('-', 1234));
        assert_eq!(found.tag, "2026/11/23 12:20:51");
        assert_eq!(found.path, "a b/ ü  c.html");
        let (kind, found) =
            parse_line("lrwxrwxrwx            1 2026/11/23 12:20:51 a -> b").unwrap();
        assert_eq!((kind, found.path.as_str()), ('l', "a -> b"));
    }

    #[test]
    fn a_rule_matches_exactly_one_path() {
        assert_eq!(rule(r"a\b/c.mp3"), r"/a\b/c.mp3");
        assert_eq!(rule(r"a\[b]*?.mp3"), r"/a\\\[b]\*\?.mp3");
        assert_eq!(parent_folders("a/b/c/").collect::<Vec<_>>(), ["a", "a/b"]);
    }

    #[test]
    fn only_inner_folders_may_be_unreadable() {
        let fault = |path: &str| {
            format!(
                "A banner.\nrsync: [sender] opendir \"{path}\" failed: Permission denied (13)\nrsync error: some files/attrs were not transferred\n"
            )
        };
        assert!(is_foreign_folder_error(&fault("/srv/www/lost+found")));
        assert!(!is_foreign_folder_error(&fault("/srv/www/.")));
        let full =
            "rsync: [receiver] write failed on \"/srv/www/a\": No space left on device (28)\n";
        assert!(!is_foreign_folder_error(&(fault("/srv/www/lost+found") + full)));
        assert!(!is_foreign_folder_error(""));
    }
}
