//! Deploys to a branch of a git repository, such as a branch that a pages host publishes. A deploy
//! creates one commit with git's low-level commands. It changes no work tree, index or branch of
//! the author.
//!
//! If the site is in a repository, that repository is used, so that the author's remotes, keys and
//! permissions apply. Otherwise a repository is created in `.feedwright/`.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{MAX_SILENCE, ProgressCallback, RemoteFile, Target, ssh};
use crate::{Fault, LocalFile};
use local::make_folders;
use programs::process::{self, Bounds};

/// The ref of the fetched branch. Because of this ref, the next deploy fetches only new objects.
const FETCHED_REF: &str = "refs/feedwright/deploy";

pub struct Git {
    root: PathBuf,
    /// The repository in `.feedwright/`, or `None` if the site is in a repository.
    own: Option<PathBuf>,
    remote: String,
    branch: String,
    /// The index file that the commit is built from.
    index: PathBuf,
    /// The commit at the head of the remote branch, or `None` if the branch does not exist.
    parent: Option<String>,
    /// The ssh command for git, or `None` if the author has configured an ssh command for git.
    ssh: Option<String>,
}

impl Git {
    /// Opens the repository and fetches the branch.
    pub fn open(root: &Path, remote: &str, branch: &str) -> Result<Self, Fault> {
        let root = &std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
        let state = root.join(".feedwright");
        let cannot_write = |error| Fault::cannot_read(state.display(), &error);
        make_folders(&state).map_err(cannot_write)?;
        let mut git = Self {
            root: root.to_path_buf(),
            own: None,
            remote: remote.to_owned(),
            branch: branch.to_owned(),
            index: state.join("deploy-index"),
            parent: None,
            ssh: None,
        };
        // An interrupted deploy may have left this lock.
        let _ = fs::remove_file(state.join("deploy-index.lock"));
        if git.text(&["rev-parse", "--git-dir"]).is_err() {
            git.own = Some(state.join("deploy.git"));
            git.text(&["init", "--quiet", "--bare"])?;
        }
        let is_named = ["GIT_SSH_COMMAND", "GIT_SSH"].map(env::var_os) != [None, None]
            || git.text(&["config", "--get", "core.sshCommand"]).is_ok();
        if ssh::is_named() || !is_named {
            git.ssh = Some(ssh::words(None).join(" "));
        }
        git.fetch()?;
        Ok(git)
    }

    fn fetch(&mut self) -> Result<(), Fault> {
        let head = format!("refs/heads/{}", self.branch);
        let listed = self.text(&["ls-remote", "--", &self.remote, &head])?;
        self.parent = listed.split_whitespace().next().map(str::to_owned);
        let fetched = match &self.parent {
            Some(parent) => {
                let spec = format!("+{head}:{FETCHED_REF}");
                let mut arguments = vec![
                    "fetch", "--progress", "--no-tags", "--no-write-fetch-head",
                    "--no-recurse-submodules",
                ];
                // A complete clone must not become shallow. In any other repository, it is enough
                // to fetch the last commit.
                if self.own.is_some()
                    || self.text(&["rev-parse", "--is-shallow-repository"])?.trim() == "true"
                {
                    arguments.push("--depth=1");
                }
                arguments.extend(["--", &self.remote, &spec]);
                if self.text(&["cat-file", "-e", &format!("{parent}^{{tree}}")]).is_err() {
                    self.text(&arguments)?;
                }
                self.text(&["read-tree", parent])
            }
            None => self.text(&["read-tree", "--empty"]),
        };
        fetched.map(drop)
    }

    /// Runs git with these arguments and returns its output.
    fn text(&self, arguments: &[&str]) -> Result<String, Fault> {
        let output = self.run(arguments, Vec::new())?;
        String::from_utf8(output).map_err(|_| {
            let message = format!("the branch {} has a file whose name is not UTF-8", self.branch);
            Fault::permanent(message, "rename or remove that file")
        })
    }

    /// Runs git, and writes `input` to its standard input. Hooks are disabled, because they are
    /// meant for the author's own commits.
    fn run(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root);
        if let Some(own) = &self.own {
            command.arg("--git-dir").arg(own);
        }
        // If feedwright runs in a git hook, these variables refer to the repository of that hook.
        for name in
            ["GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"]
        {
            command.env_remove(name);
        }
        command
            .args(["--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
            .args(["-c", "gc.auto=0", "-c", "core.splitIndex=false"])
            // git aborts if the transfer is slower than one byte per second for a minute.
            .args(["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"])
            .args(arguments)
            .env("GIT_INDEX_FILE", &self.index)
            .env("GIT_TERMINAL_PROMPT", "0")
            // The messages must be English, so that they can be parsed.
            .env("LC_ALL", "C");
        if let Some(ssh) = &self.ssh {
            command.env("GIT_SSH_COMMAND", ssh);
            // With this variable, git passes OpenSSH options to any command, regardless of its
            // name.
            command.env("GIT_SSH_VARIANT", "ssh");
        }
        let silence = match arguments[0] {
            "ls-remote" | "fetch" | "push" => MAX_SILENCE,
            _ => Duration::MAX,
        };
        let bounds = Bounds { silence, ..Bounds::default() };
        let output = process::output(&mut command, input, bounds);
        let output = output.map_err(|error| self.start_fault(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(self.refused(arguments[0], &String::from_utf8_lossy(&output.stderr)))
    }

    fn start_fault(&self, error: &io::Error) -> Fault {
        if error.kind() == ErrorKind::TimedOut {
            let (remote, minutes) = (&self.remote, MAX_SILENCE.as_secs() / 60);
            return Fault::permanent(
                format!("{remote} timed out: no response for {minutes} minutes"),
                format!("check that `git ls-remote {remote}` works, and deploy again"),
            );
        }
        Fault::permanent(
            format!("git cannot be run: {error}"),
            "install git, which feedwright needs to publish to a branch",
        )
    }

    /// Returns the fault for a failed git command, with its remedy.
    fn refused(&self, command: &str, error_output: &str) -> Fault {
        // Progress lines do not describe the error.
        let is_progress = |line: &&str| line.contains('\r') || line.ends_with("done.");
        let lines: Vec<&str> =
            error_output.trim().lines().filter(|line| !is_progress(line)).collect();
        let error_output = lines.join("\n");
        let has = |words: &[&str]| words.iter().any(|word| error_output.contains(word));
        let message = format!("git {command} failed: {error_output}");
        let remote = &self.remote;
        if has(&["(branch is currently checked out)"]) {
            Fault::permanent(
                format!("the branch {} is checked out in the repository {remote}", self.branch),
                "use a bare repository, or check out another branch there; to publish to a folder, use folder: or rsync:",
            )
        } else if has(&[
            "stale info", "fetch first", "non-fast-forward", "cannot lock ref",
            "incorrect old value",
        ]) {
            Fault::permanent(
                format!("the branch {} at {remote} changed during the deploy", self.branch),
                "deploy again to start from the new state of the branch",
            )
        } else if has(&[
            "Authentication failed", "Permission", "permission", "could not read Username",
            "error: 403", "denied",
        ]) {
            Fault::permanent(
                message,
                format!(
                    "check that `git push {remote}` works; in CI, give the job write permission"
                ),
            )
        } else if has(&[
            "does not appear to be a git repository", "not found", "No such remote",
            "does not exist",
        ]) {
            Fault::permanent(
                message,
                format!(
                    "correct `to` in [deploy], or add the remote with `git remote add`: there is no repository at {remote}"
                ),
            )
        } else if has(&[
            "Could not resolve host", "unable to access", "Connection", "timed out", "early EOF",
            "hung up",
        ]) {
            Fault::temporary(message, "check the network connection, and deploy again")
        } else {
            Fault::permanent(message, "fix this error, and deploy again")
        }
    }

    /// Updates entries of the index with new object ids. `None` removes an entry.
    fn set(&self, files: &[(&str, Option<&str>)]) -> Result<(), Fault> {
        let mut lines = Vec::new();
        for (path, id) in files {
            let line = match id {
                Some(id) => format!("100644 {id}\t{path}\0"),
                None => format!(
                    "0 {}\t{path}\0",
                    "0".repeat(self.parent.as_ref().map_or(40, String::len))
                ),
            };
            lines.extend_from_slice(line.as_bytes());
        }
        self.run(&["update-index", "-z", "--index-info"], lines).map(drop)
    }

    /// Creates a commit. The author comes from the environment or from the git configuration. If
    /// there is no author, feedwright is the author.
    fn commit(&self, tree: &str) -> Result<String, Fault> {
        let name = ["-c", "user.name=feedwright", "-c", "user.email=feedwright@localhost"];
        let is_known = self.text(&["var", "GIT_COMMITTER_IDENT"]).is_ok()
            && self.text(&["var", "GIT_AUTHOR_IDENT"]).is_ok();
        let mut arguments = if is_known { Vec::new() } else { name.to_vec() };
        arguments.extend(["commit-tree", tree, "-m", "Publish the site"]);
        if let Some(parent) = &self.parent {
            arguments.extend(["-p", parent]);
        }
        Ok(self.text(&arguments)?.trim().to_owned())
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.index);
    }
}

impl Target for Git {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        let Some(parent) = &self.parent else {
            return Ok(Vec::new());
        };
        let tree = self.text(&["ls-tree", "-r", "-l", "-z", "--full-tree", parent])?;
        let entries = tree.split_terminator('\0').filter_map(|entry| {
            let (about, path) = entry.split_once('\t')?;
            let mut about = about.split_whitespace().skip(2);
            Some(RemoteFile {
                path: path.to_owned(),
                tag: about.next()?.to_owned(),
                length: about.next()?.parse().unwrap_or(0),
            })
        });
        Ok(entries.collect())
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        let Some(parent) = &self.parent else {
            return Ok(None);
        };
        let listed = self.text(&["ls-tree", "-z", "--full-tree", parent, "--", path])?;
        let Some(id) = listed.split_whitespace().nth(2) else {
            return Ok(None);
        };
        self.run(&["cat-file", "blob", id], Vec::new()).map(Some)
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        let mut paths = Vec::new();
        for file in files {
            let path = std::path::absolute(&file.on_disk)
                .map_err(|error| Fault::cannot_read(&file.path, &error))?;
            if file.path.contains('\n') {
                return Err(Fault::permanent(
                    format!("the file name {:?} contains a line break", file.path),
                    "rename the file",
                ));
            }
            paths.extend_from_slice(path.as_os_str().as_encoded_bytes());
            paths.push(b'\n');
        }
        let ids = self.run(&["hash-object", "-w", "--no-filters", "--stdin-paths"], paths)?;
        let ids = String::from_utf8_lossy(&ids).into_owned();
        let ids: Vec<&str> = ids.lines().collect();
        let named = files.iter().zip(&ids);
        let named: Vec<_> = named.map(|(file, id)| (file.path.as_str(), Some(*id))).collect();
        self.set(&named)?;
        files.iter().for_each(|file| sent(file.length));
        Ok(ids.into_iter().map(str::to_owned).collect())
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let id = self.run(&["hash-object", "-w", "--no-filters", "--stdin"], bytes.to_vec())?;
        let id = String::from_utf8_lossy(&id);
        self.set(&[(path, Some(id.trim()))])
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        let gone: Vec<_> = paths.iter().map(|path| (*path, None)).collect();
        self.set(&gone)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        let tree = self.text(&["write-tree"])?;
        let commit = self.commit(tree.trim())?;
        let lease = format!(
            "--force-with-lease=refs/heads/{}:{}",
            self.branch,
            self.parent.as_deref().unwrap_or_default()
        );
        let spec = format!("{commit}:refs/heads/{}", self.branch);
        self.text(&["push", "--progress", &lease, "--", &self.remote, &spec])?;
        // With this ref, the next deploy does not fetch the pushed commit again.
        self.text(&["update-ref", FETCHED_REF, &commit])?;
        self.parent = Some(commit);
        Ok(())
    }

    fn is_atomic(&self) -> bool {
        true
    }
}
