//! Runs the installed git. Commits and pushes run as in a terminal: with the author's
//! configuration, hooks and keys. Read-only commands ([`Git::query`]) run no programs from the
//! repository's configuration, because the repository may be untrusted. Git never prompts, and
//! every command has a time limit.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::PublishError;
use super::tasks::StopFlag;
use programs::process::{self, Bounds};

/// Maximum duration of a read-only command.
pub const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum duration of a git command that commits or pushes, including the author's hooks.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// Maximum size of git's output to keep, in bytes.
const MAX_OUTPUT: usize = 32 * 1024 * 1024;

/// Maximum length of git's messages to show, in bytes.
const MAX_MESSAGES_SHOWN: usize = 4000;

/// Configuration for read-only commands.
const READ_ONLY_CONFIG: [&str; 3] =
    ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false"];

/// The oldest version of git that reads paths from standard input.
const MIN_VERSION: (u32, u32) = (2, 26);

/// The git repository that contains the site.
#[derive(Clone)]
pub struct Git {
    root: PathBuf,
    /// An index file to use in place of the author's index.
    index: Option<PathBuf>,
    /// The ssh command for git, with prompts disabled. None if the author configured a program
    /// other than ssh.
    ssh: Option<String>,
    /// Configuration that disables the filters of the repository during read-only commands.
    filter_overrides: Vec<String>,
    stop: StopFlag,
}

pub struct GitOutput {
    pub is_ok: bool,
    pub output: Vec<u8>,
    /// The messages of git and the hooks, without passwords.
    pub words: String,
}

impl GitOutput {
    /// Returns the output. If git failed, returns an error with its messages.
    pub fn bytes(self) -> Result<Vec<u8>, PublishError> {
        match self.is_ok {
            true => Ok(self.output),
            false => Err(PublishError::new("git failed").said(self.words)),
        }
    }

    /// Returns the output as text.
    pub fn text(self) -> Result<String, PublishError> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map_err(|_| PublishError::new("git's output is not UTF-8 text"))
    }

    /// Returns the output of a command that prints one line. Returns None if the command failed or
    /// printed nothing.
    pub fn line(self) -> Option<String> {
        let text = String::from_utf8(self.output).ok()?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        (self.is_ok && !line.is_empty()).then(|| line.to_owned())
    }
}

impl Git {
    /// Returns git for a folder that is perhaps in no repository.
    pub fn without_repository(root: &Path) -> Self {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        Self {
            root,
            index: None,
            ssh: None,
            filter_overrides: Vec::new(),
            stop: StopFlag::default(),
        }
    }

    /// Opens the repository of a site. Returns an error if git is missing or too old, or if the
    /// site is not in a repository.
    pub fn open(root: &Path) -> Result<Self, PublishError> {
        let mut git = Self::without_repository(root);
        let version = git.query(&["--version"])?.text()?;
        if parse_version(&version).is_some_and(|own| own < MIN_VERSION) {
            let (major, minor) = MIN_VERSION;
            return Err(PublishError::new(format!(
                "{} is too old: feedwright needs git {major}.{minor} or newer",
                version.trim()
            )));
        }
        let inside = git.query(&["rev-parse", "--is-inside-work-tree"])?;
        let words = inside.words.clone();
        if inside.line().as_deref() != Some("true") {
            // Git also fails with a message if the repository belongs to another user.
            return Err(match words.contains("not a git repository") {
                true => PublishError::new("the site is not in a git repository")
                    .command("git init")
                    .reason("missing"),
                false => PublishError::new("git cannot read this repository").said(words),
            });
        }
        git.ssh = git.ssh_command()?;
        let filters = ["config", "--null", "--show-scope", "--get-regexp", "^filter\\."];
        git.filter_overrides = filter_overrides(&git.query(&filters)?.output)?;
        Ok(git)
    }

    /// Returns the author's ssh command with prompts disabled.
    fn ssh_command(&self) -> Result<Option<String>, PublishError> {
        if std::env::var_os("GIT_SSH").is_some() {
            return Ok(None);
        }
        let named = match std::env::var("GIT_SSH_COMMAND") {
            Ok(named) => named,
            Err(_) => {
                let configured = self.query(&["config", "--get", "core.sshCommand"])?.line();
                configured.unwrap_or_else(|| "ssh".to_owned())
            }
        };
        let program = named.split_whitespace().next().unwrap_or_default();
        let is_ssh = Path::new(program).file_name().is_some_and(|name| name == "ssh");
        Ok(is_ssh.then(|| format!("{named} -oBatchMode=yes")))
    }

    /// Returns the same repository with a different index.
    pub fn with_index(&self, index: &Path) -> Self {
        Self { index: Some(index.to_owned()), ..self.clone() }
    }

    /// Returns the same repository, with commands that end when `stop` is set.
    pub fn with_stop(&self, stop: &StopFlag) -> Self {
        Self { stop: stop.clone(), ..self.clone() }
    }

    /// Returns the id of the commit that a revision refers to.
    pub fn commit(&self, revision: &str) -> Option<String> {
        let named = format!("{revision}^{{commit}}");
        self.query(&["rev-parse", "--verify", "--quiet", "--end-of-options", &named]).ok()?.line()
    }

    /// Returns the last commit that two revisions have in common.
    pub fn common(&self, one: &str, other: &str) -> Option<String> {
        self.query(&["merge-base", one, other]).ok()?.line()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Runs a read-only command. The command runs no programs from the repository's configuration
    /// (filters, hooks, monitors, remote helpers), and fetches nothing.
    pub fn query(&self, arguments: &[&str]) -> Result<GitOutput, PublishError> {
        self.query_with_input(arguments, &[])
    }

    /// Runs a read-only command with `input` as its standard input.
    pub fn query_with_input(
        &self,
        arguments: &[&str],
        input: &[u8],
    ) -> Result<GitOutput, PublishError> {
        let mut all = vec!["--no-optional-locks"];
        let settings = READ_ONLY_CONFIG.iter().copied();
        for setting in settings.chain(self.filter_overrides.iter().map(String::as_str)) {
            all.extend(["-c", setting]);
        }
        all.extend(arguments);
        let mut command = self.command(&all);
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        self.said(&mut command, input, READ_TIMEOUT)
    }

    /// Runs git with the author's configuration, and with `input` as its standard input. Paths are
    /// literal, not patterns.
    pub fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        most: Duration,
    ) -> Result<GitOutput, PublishError> {
        self.said(&mut self.command(arguments), input, most)
    }

    fn said(
        &self,
        command: &mut Command,
        input: &[u8],
        most: Duration,
    ) -> Result<GitOutput, PublishError> {
        let bounds = Bounds {
            most,
            kept: MAX_OUTPUT,
            is_apart: true,
            is_stopped: &|| self.stop.is_set(),
            ..Bounds::default()
        };
        let said = process::output(command, input.to_vec(), bounds);
        let said = said.map_err(|error| incomplete_error(&error))?;
        Ok(GitOutput {
            is_ok: said.status.success(),
            output: said.stdout,
            words: shown(&String::from_utf8_lossy(&said.stderr)),
        })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(&self.root)
            .args(["--no-pager", "--literal-pathspecs", "-c", "core.quotePath=false"])
            // Ends a transfer over HTTP if the server sends nothing for a minute.
            .args(["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"])
            .args(arguments)
            // With English messages, this program can recognize errors. With UTF-8, hooks can use
            // any character.
            .env("LC_ALL", "C.UTF-8")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .env("SSH_ASKPASS", "false")
            .env("SSH_ASKPASS_REQUIRE", "force")
            .env("GIT_EDITOR", "false");
        if let Some(ssh) = &self.ssh {
            command.env("GIT_SSH_COMMAND", ssh);
        }
        // In a git hook, these variables refer to the hook's repository.
        for name in [
            "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
        ] {
            command.env_remove(name);
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command
    }
}

/// Returns configuration that replaces each filter of the repository with the author's filter of
/// the same name. If the author has no such filter, the filter is disabled. `said` lists the
/// filters with the scopes that configure them.
fn filter_overrides(said: &[u8]) -> Result<Vec<String>, PublishError> {
    let parts: Vec<&[u8]> = said.split(|byte| *byte == 0).collect();
    let mut trusted: BTreeMap<String, String> = BTreeMap::new();
    let mut own = BTreeSet::new();
    for entry in parts.chunks_exact(2) {
        let entry = entry.iter().map(|part| String::from_utf8_lossy(part));
        let [scope, setting] = entry.collect::<Vec<_>>().try_into().unwrap_or_default();
        let (key, value) = setting.split_once('\n').unwrap_or((&setting, "true"));
        match &*scope {
            "local" | "worktree" => drop(own.insert(key.to_owned())),
            _ => drop(trusted.insert(key.to_owned(), value.to_owned())),
        }
    }
    let setting = |key: String| {
        if key.contains('=') {
            let words =
                "this repository configures a filter with = in its name: commit in a terminal";
            return Err(PublishError::new(words).command("git commit"));
        }
        let none = match key.ends_with(".required") {
            true => "false",
            false => "",
        };
        let value = trusted.get(&key).map_or(none, String::as_str);
        Ok(format!("{key}={value}"))
    };
    own.into_iter().map(setting).collect()
}

fn parse_version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.split_whitespace().nth(2)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Returns the error for a git command that did not finish.
fn incomplete_error(error: &io::Error) -> PublishError {
    match error.kind() {
        ErrorKind::Interrupted => {
            PublishError::new("git was stopped: check the state of the repository")
        }
        ErrorKind::TimedOut => PublishError::new(
            "git timed out and was stopped: it may have waited for a password or for another program",
        ),
        _ => PublishError::new(format!("git cannot be run: {error}"))
            .said("Install git: https://git-scm.com/downloads"),
    }
}

/// Returns the end of git's messages, without the passwords in URLs.
fn shown(words: &str) -> String {
    let words = without_passwords(words.trim());
    let start = words.len().saturating_sub(MAX_MESSAGES_SHOWN);
    let start = (start..words.len()).find(|at| words.is_char_boundary(*at));
    words[start.unwrap_or(words.len())..].to_owned()
}

/// Removes secrets from the URLs in a string. The user part of a URL can include a password, and
/// the query can include a token.
pub fn without_passwords(text: &str) -> String {
    let is_end = |c: char| matches!(c, '\'' | '"' | '<' | '>') || c.is_whitespace();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        let (address, after) = after.split_at(after.find(is_end).unwrap_or(after.len()));
        let address = without_user(address);
        let shown = &address[..address.find(['?', '#']).unwrap_or(address.len())];
        out.push_str(before);
        out.push_str(shown);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns the part of a URL after the user part. A password can contain a slash. If the text in
/// place of the port is not a number, the slash belongs to a password.
fn without_user(address: &str) -> &str {
    let host = address.find(['/', '?', '#']).unwrap_or(address.len());
    let own = address[..host].rsplit('@').next().unwrap_or_default();
    let port = own.rsplit_once(':').map_or("", |(_, port)| port);
    let is_host = port.bytes().all(|byte| byte.is_ascii_digit()) || port.ends_with(']');
    let end = if is_host { host } else { address.len() };
    address[..end].rfind('@').map_or(address, |user| &address[user + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_passwords() {
        for (text, shown) in [
            (
                "fatal: unable to access 'https://ada:hush@git.example/x/'",
                "fatal: unable to access 'https://git.example/x/'",
            ),
            ("https://hush@git.example", "https://git.example"),
            ("https://ada:a@b@git.example/@x", "https://git.example/@x"),
            ("git@git.example:x.git and ssh://git@h/x", "git@git.example:x.git and ssh://h/x"),
            ("https://ada:hu/sh@git.example/x", "https://git.example/x"),
            (
                "no 'https://git.example:8443/x?token=hush#y', https://[::1]/x@y",
                "no 'https://git.example:8443/x', https://[::1]/x@y",
            ),
            ("https://ada@git.example:8443?token=hush", "https://git.example:8443"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }

    #[test]
    fn repository_filters_are_replaced_or_removed() {
        let said = b"global\0filter.lfs.clean\ngit-lfs clean\0local\0filter.lfs.clean\nevil\0\
            system\0filter.x.clean\nx\0worktree\0filter.evil.required\0local\0filter.evil.process\nevil\0";
        assert_eq!(
            filter_overrides(said).unwrap(),
            [
                "filter.evil.process=", "filter.evil.required=false",
                "filter.lfs.clean=git-lfs clean"
            ]
        );
        assert!(filter_overrides(b"").unwrap().is_empty());
        assert!(filter_overrides(b"local\0filter.a=b.clean\nevil\0").is_err());
    }

    #[test]
    fn git_versions_are_parsed() {
        assert_eq!(parse_version("git version 2.47.3\n"), Some((2, 47)));
        assert_eq!(parse_version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(parse_version("git"), None);
    }
}
