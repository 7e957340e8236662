//! The commits that a push would send, and the push. A push is never forced.

use serde::Deserialize;
use serde_json::{Value, json};

use super::PublishError;
use super::git::{Git, READ_TIMEOUT, WRITE_TIMEOUT, without_passwords};
use super::tasks::StopFlag;

/// Maximum number of commits to list.
const MAX_COMMITS: &str = "--max-count=100";

/// The branch that is checked out.
#[derive(Clone)]
pub struct Branch {
    pub name: String,
    /// The last commit. None before the first commit.
    pub head: Option<String>,
}

/// The remote branch that a branch is pushed to.
pub struct RemoteBranch {
    remote: String,
    /// The full name of the branch on the remote.
    remote_ref: String,
    /// The local ref that tracks the remote branch.
    known: String,
    /// Whether the branch is not connected to the remote branch yet.
    is_new: bool,
}

/// A request to push the commits that the editor showed.
#[derive(Debug, Deserialize)]
pub struct PublishRequest {
    pub revision: String,
    pub to: String,
}

impl Branch {
    /// Returns the current branch. Returns an error while a merge, a rebase or a similar operation
    /// is in progress, because a commit or a push would interfere with it.
    pub fn of(git: &Git) -> Result<Self, PublishError> {
        let states = [
            ("MERGE_HEAD", "a merge is in progress", "git merge --continue"),
            ("rebase-merge", "a rebase is in progress", "git rebase --continue"),
            ("rebase-apply", "a rebase is in progress", "git rebase --continue"),
            ("CHERRY_PICK_HEAD", "a cherry-pick is in progress", "git cherry-pick --continue"),
            ("REVERT_HEAD", "a revert is in progress", "git revert --continue"),
        ];
        for (name, words, command) in states {
            let path = git.query(&["rev-parse", "--git-path", name])?.line();
            if path.is_some_and(|path| git.root().join(path).exists()) {
                return Err(PublishError::new(format!("{words}: finish it in a terminal first"))
                    .command(command));
            }
        }
        let name = git.query(&["symbolic-ref", "--quiet", "--short", "HEAD"])?.line();
        let name = name.ok_or_else(|| {
            PublishError::new("no branch is checked out (detached HEAD), so commits could be lost: switch to a branch first")
                .command("git switch -")
        })?;
        let head = git.query(&["rev-parse", "--verify", "--quiet", "HEAD"])?.line();
        Ok(Self { name, head })
    }

    fn remote_branch(&self, git: &Git) -> Result<RemoteBranch, PublishError> {
        let fields = [
            "push", "push:remotename", "push:remoteref", "upstream", "upstream:remotename",
            "upstream:remoteref",
        ];
        let format = fields.map(|field| format!("%({field})")).join("%00");
        let full_name = format!("refs/heads/{}", self.name);
        let said =
            git.query(&["for-each-ref", &format!("--format={format}"), &full_name])?.text()?;
        let said: Vec<&str> = said.trim_end_matches('\n').split('\0').collect();
        let ways = said
            .chunks_exact(3)
            .filter(|remote_branch| remote_branch.iter().all(|part| !part.is_empty()));
        let mut ways = ways.map(|remote_branch| RemoteBranch {
            known: remote_branch[0].to_owned(),
            remote: remote_branch[1].to_owned(),
            remote_ref: remote_branch[2].to_owned(),
            is_new: false,
        });
        match ways.next() {
            Some(remote_branch) => Ok(remote_branch),
            None => self.first_remote_branch(git),
        }
    }

    /// Returns the branch of the same name on `origin`, or on the only remote. The first push
    /// connects the branch to it.
    fn first_remote_branch(&self, git: &Git) -> Result<RemoteBranch, PublishError> {
        let remotes = git.query(&["remote"])?.text()?;
        let remotes: Vec<&str> = remotes.lines().collect();
        let name = &self.name;
        let found = match remotes.as_slice() {
            [only] => Some(*only),
            all => all.iter().copied().find(|remote| *remote == "origin"),
        };
        match found {
            Some(remote) => Ok(RemoteBranch {
                remote: remote.to_owned(),
                remote_ref: format!("refs/heads/{name}"),
                known: format!("refs/remotes/{remote}/{name}"),
                is_new: true,
            }),
            None if remotes.is_empty() => Err(PublishError::new(
                "this repository has no remote to push to: add one in a terminal",
            )
            .command(&format!("git remote add origin <address>\ngit push -u origin {name}"))),
            None => Err(PublishError::new(format!(
                "the branch {name} has no upstream branch: push it once in a terminal"
            ))
            .command(&format!("git push -u <remote> {name}"))),
        }
    }

    /// Returns the local ref that tracks the remote branch, if the remote branch is known.
    pub fn tracking(&self, git: &Git) -> Option<String> {
        let known = self.remote_branch(git).ok()?.known;
        git.commit(&known).map(|_| known)
    }

    /// Returns whether the remote branch lacks commits, or is not connected to the branch yet.
    pub fn has_unpushed(&self, git: &Git) -> bool {
        let Ok(remote_branch) = self.remote_branch(git) else {
            return false;
        };
        let range = format!("{}..HEAD", remote_branch.known);
        let said = git.query(&["rev-list", "--max-count=1", &range, "--"]).ok();
        remote_branch.is_new || said.is_none_or(|said| !said.is_ok || !said.output.is_empty())
    }

    /// Fetches the commits of the remote branch, and merges them. If they conflict with the own
    /// commits or files, or if `stop` is set, nothing changes.
    pub fn combine(&self, git: &Git, stop: &StopFlag) -> Result<Value, PublishError> {
        let remote_branch = self.remote_branch(git)?;
        let stopping = git.with_stop(stop);
        let stopped = |error| match stop.is_set() {
            true => PublishError::new("combining was stopped. Nothing was changed here"),
            false => error,
        };
        let fetch = ["fetch", "--no-progress", "--", &remote_branch.remote];
        let fetched = stopping.run(&fetch, b"", WRITE_TIMEOUT).map_err(stopped)?;
        let is_missing = match fetched.is_ok {
            true => git.commit(&remote_branch.known).is_none(),
            false => fetched.words.contains("find remote ref"),
        };
        if is_missing {
            let words = format!(
                "nothing was combined: the branch {} was not found",
                remote_branch.full_name()
            );
            return Err(PublishError::new(words)
                .command(&format!("git ls-remote --heads {}", remote_branch.remote))
                .said(fetched.words));
        }
        if !fetched.is_ok {
            return Err(self.push_error(&remote_branch, &fetched.words));
        }
        // A repository that was created at the host with a first file has an unrelated history.
        let unrelated = ["--allow-unrelated-histories"];
        let unrelated = if remote_branch.is_new { &unrelated[..] } else { &[] };
        let merge = ["merge", "--quiet", "--no-edit", "--no-progress", &remote_branch.known];
        let before = status(git)?;
        let merged = stopping.run(&[&merge[..], unrelated].concat(), b"", WRITE_TIMEOUT);
        let done = |words: String| json!({ "to": remote_branch.full_name(), "said": words });
        let trouble = match merged {
            Ok(merged) if merged.is_ok => return Ok(done(merged.words)),
            // If a merge is stopped while its last hook is running, the merge is already made.
            Err(error) if git.commit("HEAD") != self.head => return Ok(done(error.message)),
            Err(error) => stopped(error),
            Ok(merged) => {
                let output = String::from_utf8_lossy(&merged.output).into_owned();
                PublishError::new("both versions changed the same lines, or a file that is not stored yet. Nothing was changed here. A helper can combine the versions in a terminal")
                    .command("git pull --no-rebase")
                    .said([output, merged.words].concat())
            }
        };
        match restore(git, &before) {
            true => Err(trouble),
            false => {
                let words = "combining was interrupted, and some files may have changed: compare them before you continue";
                Err(PublishError::new(words).command("git status").said(trouble.message))
            }
        }
    }

    /// Returns the commits that are missing from the remote, according to the local tracking ref.
    pub fn publish_state(&self, git: &Git) -> Result<Value, PublishError> {
        let remote_branch = self.remote_branch(git)?;
        let range =
            match git.query(&["rev-parse", "--verify", "--quiet", &remote_branch.known])?.line() {
                Some(_) => format!("{}..HEAD", remote_branch.known),
                None => "HEAD".to_owned(),
            };
        let format = "--format=%H%x00%h%x00%s%x00%an%x00%aI%x00";
        let said = git
            .query(&[
                "log", "--no-color", "--no-show-signature", MAX_COMMITS, format, &range, "--",
            ])?
            .text()?;
        let parts: Vec<&str> = said.split('\0').map(|part| part.trim_start_matches('\n')).collect();
        let commits = parts.chunks_exact(5).map(|commit| {
            json!({ "revision": commit[0], "short": commit[1], "subject": commit[2], "author": commit[3], "time": commit[4] })
        });
        let count = |range: &str| {
            let said = git.query(&["rev-list", "--count", range, "--"]);
            said.map(|said| said.line().and_then(|count| count.parse::<u64>().ok()))
        };
        let url = git.query(&["remote", "get-url", "--push", "--", &remote_branch.remote])?.line();
        Ok(json!({
            "to": remote_branch.full_name(),
            "url": without_passwords(&url.unwrap_or_default()),
            "commits": commits.collect::<Vec<Value>>(),
            "ahead": count(&range)?,
            "behind": count(&format!("HEAD..{}", remote_branch.known))?.unwrap_or(0),
        }))
    }

    /// Returns the name of the remote branch.
    pub fn target(&self, git: &Git) -> Result<String, PublishError> {
        self.remote_branch(git).map(|remote_branch| remote_branch.full_name())
    }

    /// Returns the target of the push. Returns an error if the branch or the target has changed
    /// since the editor showed it.
    pub fn check(
        &self,
        git: &Git,
        publish_request: &PublishRequest,
    ) -> Result<RemoteBranch, PublishError> {
        let remote_branch = self.remote_branch(git)?;
        if self.head.as_ref() != Some(&publish_request.revision)
            || remote_branch.full_name() != publish_request.to
        {
            let words = "the branch has changed since it was shown: review it again";
            return Err(PublishError::new(words));
        }
        Ok(remote_branch)
    }

    /// Pushes exactly the commits that the editor showed, to the target that the editor showed.
    pub fn push(&self, git: &Git, publish_request: &PublishRequest) -> Result<Value, PublishError> {
        let remote_branch = self.check(git, publish_request)?;
        // Pushes the commit instead of the branch, because someone may commit to the branch at the
        // same time.
        let spec = format!("{}:{}", publish_request.revision, remote_branch.remote_ref);
        let said = git.run(
            &["push", "--no-progress", "--no-force", "--", &remote_branch.remote, &spec],
            b"",
            WRITE_TIMEOUT,
        )?;
        if !said.is_ok {
            return Err(self.push_error(&remote_branch, &said.words));
        }
        if remote_branch.is_new {
            let upstream = format!("--set-upstream-to={}", remote_branch.full_name());
            git.run(&["branch", "--quiet", &upstream, &self.name], b"", READ_TIMEOUT)?;
        }
        Ok(
            json!({ "revision": publish_request.revision, "to": publish_request.to, "said": said.words }),
        )
    }

    /// Checks whether the remote would accept a push, without sending anything.
    pub fn try_push(&self, git: &Git) -> Result<(), PublishError> {
        let remote_branch = self.remote_branch(git)?;
        let spec = format!("HEAD:{}", remote_branch.remote_ref);
        let push = ["push", "--dry-run", "--no-verify", "--no-progress", "--no-force", "--"];
        let said =
            git.run(&[&push[..], &[&remote_branch.remote, &spec]].concat(), b"", WRITE_TIMEOUT)?;
        match said.is_ok {
            true => Ok(()),
            false => Err(self.push_error(&remote_branch, &said.words)),
        }
    }

    fn push_error(&self, remote_branch: &RemoteBranch, words: &str) -> PublishError {
        let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        let RemoteBranch { remote, .. } = remote_branch;
        let trouble = if has(&["non-fast-forward", "fetch first"]) {
            PublishError::new("nothing was pushed: the repository has changes from elsewhere that this computer does not have")
                .command("git pull --rebase")
                .reason("behind")
        } else if has(&[
            "epository not found", "' not found", "does not appear to be a git repository",
        ]) {
            PublishError::new("nothing was pushed: the repository does not exist, or you may not see it. Create it at your host, or correct its address")
                .command(&format!("git remote set-url {remote} <address>"))
        } else if has(&[
            "could not read Username", "could not read Password", "Authentication failed",
            "Permission denied", "terminal prompts disabled", "Host key verification failed",
        ]) {
            PublishError::new("nothing was pushed: the remote requires a password, a key or a confirmation. Push once in a terminal, which asks for it")
                .command("git push")
        } else if has(&["pre-push", "hook declined", "pre-receive"]) {
            PublishError::new("nothing was pushed: a hook rejected the push")
        } else if has(&[
            "Could not resolve host", "unable to access", "Connection", "timed out", "hung up",
            "Could not read from remote",
        ]) {
            PublishError::new(format!("nothing was pushed: {remote} cannot be reached"))
                .command("git push")
        } else {
            PublishError::new(format!("nothing was pushed to {remote}: git rejected the push"))
                .command("git push")
        };
        trouble.said(words)
    }
}

/// Returns the files that differ from the last commit.
fn status(git: &Git) -> Result<Vec<u8>, PublishError> {
    git.query(&["status", "--porcelain", "-z"])?.bytes()
}

/// Restores the files after a merge that failed. `before` is the status before the merge. Returns
/// whether the status is the same again.
fn restore(git: &Git, before: &[u8]) -> bool {
    let is_restored = || status(git).is_ok_and(|now| now == before);
    let is_aborted = git.run(&["merge", "--abort"], b"", WRITE_TIMEOUT).is_ok_and(|it| it.is_ok);
    // A merge that ends in its hook has changed the files, but git does not know it as a merge. A
    // reset would lose changes that the author has staged.
    let mut entries = before.split(|byte| *byte == 0).filter_map(|entry| entry.first());
    if !is_aborted && !is_restored() && entries.all(|staged| matches!(staged, b' ' | b'?')) {
        let _ = git.run(&["reset", "--quiet", "--merge"], b"", WRITE_TIMEOUT);
    }
    is_restored()
}

impl RemoteBranch {
    fn full_name(&self) -> String {
        let branch = self.remote_ref.strip_prefix("refs/heads/").unwrap_or(&self.remote_ref);
        format!("{}/{branch}", self.remote)
    }
}
