//! How the site gets online, and when it was last published.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::git::Git;
use super::push::Branch;
use super::schedule::{PLACES, Schedule};
use super::{PublishError, deploy};
use model::ContentFolder;
use project::{LastDeploy, Options};

/// The way of the site to its readers.
#[derive(Debug, PartialEq, Eq)]
pub enum Route {
    /// `feedwright deploy` sends the site to this address.
    Deploy(String),
    /// A workflow of the git host publishes the site after a push.
    Push(Schedule),
    /// The site has no destination.
    None,
}

/// The last publishing, as far as this machine knows it.
#[derive(Debug)]
pub struct Last {
    pub time: Option<Timestamp>,
    /// The commit with which the files are compared: the published one, or the last one.
    pub base: Option<String>,
    pub is_first: bool,
}

impl Route {
    /// Returns the route of a site or show. If its settings have a destination, only a workflow that a
    /// push or a time starts replaces the deploy. Returns an error if the settings cannot be read.
    pub fn of(options: &Options) -> Result<Self, PublishError> {
        Self::with_workflow(options, None)
    }

    /// Returns the route of a site for which the setup has just written a workflow, but not
    /// committed it yet.
    pub fn with_workflow(options: &Options, written: Option<&Path>) -> Result<Self, PublishError> {
        let root = &options.root;
        let repository = repository(root);
        let committed = committed_workflows(&repository, root);
        let is_at_host = |file: &Path| {
            written == Some(file) || committed.as_ref().is_none_or(|all| all.contains(file))
        };
        let show = options.show.as_ref().and_then(ContentFolder::show);
        match (Schedule::read(&repository, show, is_at_host), deploy::configured(options)) {
            (Some(schedule), Err(_) | Ok(None)) => Ok(Self::Push(schedule)),
            (Some(schedule), _) if schedule.is_automatic() => Ok(Self::Push(schedule)),
            (_, to) => Ok(to?.map_or(Self::None, Self::Deploy)),
        }
    }

    /// Returns when a workflow publishes the site: whether a push starts it, and its first scheduled
    /// run after now and after another moment.
    pub fn schedule(&self, after: Option<Timestamp>) -> Value {
        let Self::Push(schedule) = self else {
            return Value::Null;
        };
        let now = Timestamp::now();
        let next = schedule.next(after.map_or(now, |after| after.max(now)));
        json!({ "on_push": schedule.is_on_push, "next": next })
    }

    /// Returns the name of the route for the browser.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Deploy(_) => Some("deploy"),
            Self::Push(_) => Some("push"),
            Self::None => None,
        }
    }
}

/// Returns the root of the repository that contains the site, or else the site's root.
fn repository(root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let found = root.ancestors().find(|folder| folder.join(".git").exists());
    found.unwrap_or(&root).to_owned()
}

/// Returns the workflow files that git tracks, or that the next publishing commits because they are
/// in the site's folder. Returns None if git cannot list them.
fn committed_workflows(repository: &Path, root: &Path) -> Option<BTreeSet<PathBuf>> {
    let mut arguments = vec!["ls-files", "-z", "--cached"];
    if root.canonicalize().is_ok_and(|root| root == repository) {
        arguments.extend(["--others", "--exclude-standard"]);
    }
    arguments.push("--");
    arguments.extend(PLACES);
    let names = Git::without_repository(repository).query(&arguments).ok()?.text().ok()?;
    let names = names.split('\0').filter(|name| !name.is_empty());
    Some(names.map(|name| repository.join(name)).collect())
}

impl Last {
    pub fn of(options: &Options, route: &Route, git: Option<(&Git, &Branch)>) -> Self {
        let deploy = LastDeploy::read(options)
            .filter(|last| matches!(route, Route::Deploy(to) if *to == last.to));
        let known = git.and_then(|(git, branch)| branch.tracking(git));
        let head = git.and_then(|(_, branch)| branch.head.clone());
        match route {
            Route::Deploy(_) => {
                let revision = deploy.as_ref().and_then(|last| last.revision.clone());
                let is_known =
                    |revision: &String| git.is_some_and(|(git, _)| git.commit(revision).is_some());
                Self {
                    is_first: deploy.is_none(),
                    base: revision.filter(is_known).or(head),
                    time: deploy.map(|last| last.time),
                }
            }
            _ => Self {
                time: git.zip(known.as_ref()).and_then(|((git, _), known)| pushed(git, known)),
                is_first: known.is_none(),
                base: git
                    .zip(known)
                    .and_then(|((git, _), known)| git.common("HEAD", &known))
                    .or(head),
            },
        }
    }
}

/// Returns the time of the last push to a branch, or the time of the branch's last commit.
fn pushed(git: &Git, known: &str) -> Option<Timestamp> {
    let log = ["log", "-1", "--walk-reflogs", "--grep-reflog=update by push", "--date=iso-strict"];
    let said = git.query(&[&log[..], &["--format=%gd", known, "--"]].concat()).ok()?.line();
    let time =
        said.as_deref().and_then(|line| line.split_once("@{")?.1.strip_suffix('}')?.parse().ok());
    time.or_else(|| {
        git.query(&["log", "-1", "--format=%cI", known, "--"]).ok()?.line()?.parse().ok()
    })
}
