//! The commits that a push would send, and the push. A push is never forced.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Trouble;
use super::git::{Git, WORK, without_passwords};

/// Maximum number of commits to list.
const MOST: &str = "--max-count=100";

/// The branch that is checked out.
pub struct Branch {
    pub name: String,
    /// The last commit. None before the first commit.
    pub head: Option<String>,
}

/// The remote branch that a branch is pushed to.
pub struct Way {
    remote: String,
    /// The full name of the branch on the remote.
    there: String,
    /// The local ref that tracks the remote branch.
    known: String,
}

/// A requested push of the commits that the page has shown.
#[derive(Debug, Deserialize)]
pub struct Wish {
    pub revision: String,
    pub to: String,
}

impl Branch {
    /// Returns the current branch. Returns an error while a merge, a rebase or a similar operation
    /// is in progress that a commit or a push would disturb.
    pub fn of(git: &Git) -> Result<Self, Trouble> {
        let states = [
            ("MERGE_HEAD", "a merge is in progress", "git merge --continue"),
            ("rebase-merge", "a rebase is in progress", "git rebase --continue"),
            ("rebase-apply", "a rebase is in progress", "git rebase --continue"),
            ("CHERRY_PICK_HEAD", "a cherry-pick is in progress", "git cherry-pick --continue"),
            ("REVERT_HEAD", "a revert is in progress", "git revert --continue"),
        ];
        for (name, words, command) in states {
            let path = git.ask(&["rev-parse", "--git-path", name])?.line();
            if path.is_some_and(|path| git.root().join(path).exists()) {
                return Err(Trouble::new(format!("{words}: finish it in a terminal first"))
                    .command(command));
            }
        }
        let name = git.ask(&["symbolic-ref", "--quiet", "--short", "HEAD"])?.line();
        let name = name.ok_or_else(|| {
            Trouble::new("no branch is checked out (detached HEAD), so commits could be lost: switch to a branch first")
                .command("git switch -")
        })?;
        let head = git.ask(&["rev-parse", "--verify", "--quiet", "HEAD"])?.line();
        Ok(Self { name, head })
    }

    fn way(&self, git: &Git) -> Result<Way, Trouble> {
        let fields = [
            "push", "push:remotename", "push:remoteref", "upstream", "upstream:remotename",
            "upstream:remoteref",
        ];
        let format = fields.map(|field| format!("%({field})")).join("%00");
        let named = format!("refs/heads/{}", self.name);
        let said = git.ask(&["for-each-ref", &format!("--format={format}"), &named])?.text()?;
        let said: Vec<&str> = said.trim_end_matches('\n').split('\0').collect();
        let ways = said.chunks_exact(3).filter(|way| way.iter().all(|part| !part.is_empty()));
        let mut ways = ways.map(|way| Way {
            known: way[0].to_owned(),
            remote: way[1].to_owned(),
            there: way[2].to_owned(),
        });
        match ways.next() {
            Some(way) => Ok(way),
            None => Err(self.no_way(git)?),
        }
    }

    fn no_way(&self, git: &Git) -> Result<Trouble, Trouble> {
        let remotes = git.ask(&["remote"])?.text()?;
        let mut remotes: Vec<&str> = remotes.lines().collect();
        remotes.sort_by_key(|name| *name != "origin");
        let name = &self.name;
        Ok(match remotes.first() {
            Some(remote) => Trouble::new(format!(
                "the branch {name} has no upstream branch: push it once in a terminal"
            ))
            .command(&format!("git push -u {remote} {name}")),
            None => Trouble::new("this repository has no remote to push to: add one in a terminal")
                .command(&format!("git remote add origin <address>\ngit push -u origin {name}")),
        })
    }

    /// Returns the commits that the remote lacks, according to the local tracking ref.
    pub fn standing(&self, git: &Git) -> Result<Value, Trouble> {
        let way = self.way(git)?;
        let range = match git.ask(&["rev-parse", "--verify", "--quiet", &way.known])?.line() {
            Some(_) => format!("{}..HEAD", way.known),
            None => "HEAD".to_owned(),
        };
        let format = "--format=%H%x00%h%x00%s%x00%an%x00%aI%x00";
        let said = git
            .ask(&["log", "--no-color", "--no-show-signature", MOST, format, &range, "--"])?
            .text()?;
        let parts: Vec<&str> = said.split('\0').map(|part| part.trim_start_matches('\n')).collect();
        let commits = parts.chunks_exact(5).map(|commit| {
            json!({ "revision": commit[0], "short": commit[1], "subject": commit[2], "author": commit[3], "time": commit[4] })
        });
        let count = |range: &str| {
            let said = git.ask(&["rev-list", "--count", range, "--"]);
            said.map(|said| said.line().and_then(|count| count.parse::<u64>().ok()))
        };
        let url = git.ask(&["remote", "get-url", "--push", "--", &way.remote])?.line();
        Ok(json!({
            "to": way.named(),
            "url": without_passwords(&url.unwrap_or_default()),
            "commits": commits.collect::<Vec<Value>>(),
            "ahead": count(&range)?,
            "behind": count(&format!("HEAD..{}", way.known))?.unwrap_or(0),
        }))
    }

    /// Returns the target of the push. Returns an error if the branch or the target is no longer
    /// the one shown.
    pub fn check(&self, git: &Git, wish: &Wish) -> Result<Way, Trouble> {
        let way = self.way(git)?;
        if self.head.as_ref() != Some(&wish.revision) || way.named() != wish.to {
            let words = "the branch has changed since it was shown: review it again";
            return Err(Trouble::new(words));
        }
        Ok(way)
    }

    /// Pushes the commits that were shown to the target that was shown.
    pub fn push(&self, git: &Git, wish: &Wish) -> Result<Value, Trouble> {
        let way = self.check(git, wish)?;
        // Names the commit, not the branch, because someone may commit at this moment.
        let spec = format!("{}:{}", wish.revision, way.there);
        let said =
            git.run(&["push", "--no-progress", "--no-force", "--", &way.remote, &spec], b"", WORK)?;
        match said.is_ok {
            true => Ok(json!({ "revision": wish.revision, "to": wish.to, "said": said.words })),
            false => Err(self.refused(&way, &said.words)),
        }
    }

    fn refused(&self, way: &Way, words: &str) -> Trouble {
        let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        let Way { remote, .. } = way;
        let trouble = if has(&["non-fast-forward", "fetch first"]) {
            Trouble::new("nothing was pushed: the remote has commits that you do not have. Pull them in a terminal, then push again")
                .command("git pull --rebase")
        } else if has(&[
            "could not read Username", "could not read Password", "Authentication failed",
            "Permission denied", "terminal prompts disabled", "Host key verification failed",
        ]) {
            Trouble::new("nothing was pushed: the remote requires a password, a key or a confirmation. Push in a terminal")
                .command("git push")
        } else if has(&["pre-push", "hook declined", "pre-receive"]) {
            Trouble::new("nothing was pushed: a hook rejected the push")
        } else if has(&[
            "Could not resolve host", "unable to access", "Connection", "timed out", "hung up",
            "Could not read from remote",
        ]) {
            Trouble::new(format!("nothing was pushed: {remote} cannot be reached"))
                .command("git push")
        } else {
            Trouble::new(format!("nothing was pushed to {remote}: git rejected the push"))
                .command("git push")
        };
        trouble.said(words)
    }
}

impl Way {
    fn named(&self) -> String {
        let branch = self.there.strip_prefix("refs/heads/").unwrap_or(&self.there);
        format!("{}/{branch}", self.remote)
    }
}
