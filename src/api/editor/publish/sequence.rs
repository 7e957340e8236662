//! Publishes with one request: commits, pushes and deploys, as the site's destination needs. After a
//! failure, the next request continues with the steps that are left.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::changes::{self, Change, Changes, changes, changes_since};
use super::git::{Git, without_passwords};
use super::push::{self, Branch};
use super::route::{Last, Route};
use super::summary::Summary;
use super::tasks::{StopFlag, Task, TaskDescription, Tasks};
use super::{PublishError, deploy};
use crate::shows::Chosen;
use crate::{EDITOR, records};
use api_shared::ApiError;
use model::ContentFolder;
use project::Options;
use server::App;

/// A request to publish the changes that the editor showed.
#[derive(Debug, Deserialize)]
pub struct PublishRequest {
    seen: String,
    message: String,
    /// Whether to deploy without a push, while the remote has changes from elsewhere.
    #[serde(default)]
    skips_push: bool,
    #[serde(flatten)]
    chosen: Chosen,
}

/// The repository of a site, or why it cannot be used.
pub struct Opened {
    pub git: Result<(Git, Branch), PublishError>,
    /// The changes since the last commit.
    pub changes: Result<Changes, PublishError>,
    /// Whether git or the repository is missing.
    is_absent: bool,
}

impl Opened {
    pub fn of(app: &App) -> Self {
        let git = Git::open(app.live.root());
        let is_absent = git.is_err();
        let git = git.and_then(|git| Branch::of(&git).map(|branch| (git, branch)));
        let changes = match &git {
            Ok((git, _)) => changes(git, &app.live.newest().site.snapshot),
            Err(error) => Err(error.clone()),
        };
        Self { git, changes, is_absent }
    }
}

/// A site, or a show with its own destination, with the changes to publish.
pub struct Current {
    pub options: Options,
    pub route: Route,
    pub last: Last,
    pub summary: Summary,
    /// The repository, unless there is none.
    pub git: Option<(Git, Branch)>,
    /// The files to commit.
    files: Vec<Change>,
}

impl Current {
    /// Reads the state of the site. Returns an error if the repository is in a state in which
    /// nothing can be published, such as a merge with conflicts.
    pub fn of(app: &App, opened: Opened, options: Options) -> Result<Self, PublishError> {
        let route = Route::of(&options)?;
        let (git, files) = match (opened.git, opened.is_absent, &route) {
            (Err(_), true, Route::Deploy(_) | Route::None) => (None, Vec::new()),
            (Err(error), ..) => return Err(error),
            (Ok(git), ..) => (Some(git), opened.changes?.files),
        };
        if let (Some((git, branch)), Route::Push(_)) = (&git, &route) {
            branch.target(git)?;
        }
        let own = git.as_ref().map(|(git, branch)| (git, branch));
        let last = Last::of(&options, &route, own);
        let snapshot = &app.live.newest().site.snapshot;
        let head = own.and_then(|(_, branch)| branch.head.as_ref());
        let mut since = match (own, &last.base) {
            (Some((git, _)), Some(base)) if head != Some(base) => {
                changes_since(git, base, snapshot)?.files
            }
            _ => files.clone(),
        };
        let show = options.show.as_ref();
        since.retain(|file| is_for(show, &file.path));
        let snapshot = show.map_or(snapshot, |show| snapshot.of_folder(show));
        let summary = Summary::of(own.map(|(git, _)| git), since, &last, &route, snapshot);
        let is_committed = |file: &Change| file.is_content && is_for(show, &file.path);
        let files = files.into_iter().filter(is_committed).collect();
        Ok(Self { options, route, last, summary, git, files })
    }

    /// Returns the names of the steps that are left.
    pub fn steps(&self) -> Vec<&'static str> {
        let mut steps = Vec::new();
        if !self.files.is_empty() {
            steps.push("commit");
        }
        if let Some((git, branch)) = &self.git
            && branch.target(git).is_ok()
            && (!self.files.is_empty() || branch.has_unpushed(git))
        {
            steps.push("push");
        }
        if matches!(self.route, Route::Deploy(_)) {
            steps.push("deploy");
        }
        steps
    }
}

/// Returns whether a file changes the site, or the show with its own destination: a file of the show,
/// or settings, themes and workflows, which all shows share.
fn is_for(show: Option<&ContentFolder>, path: &str) -> bool {
    let Some(show) = show else { return true };
    match ContentFolder::split(path) {
        Some((folder, _)) => folder == show.as_str(),
        None => !path.starts_with("site-files/"),
    }
}

/// The named steps of a task and their states, as the browser shows them.
pub struct Steps<'r> {
    states: RefCell<Vec<(&'static str, &'static str)>>,
    report: &'r dyn Fn(Value),
}

impl<'r> Steps<'r> {
    pub fn new(names: &[&'static str], report: &'r dyn Fn(Value)) -> Self {
        let states = names.iter().map(|name| (*name, "waiting")).collect();
        Self { states: RefCell::new(states), report }
    }

    /// Reports the progress of the step that is running.
    pub fn tell(&self, progress: &Value) {
        let mut all = json!({ "steps": *self.states.borrow() });
        for key in ["name", "done", "of"] {
            all[key] = progress[key].clone();
        }
        (self.report)(all);
    }

    /// Runs a step, unless it is not among the names.
    pub fn run(
        &self,
        name: &str,
        step: impl FnOnce() -> Result<Value, PublishError>,
    ) -> Result<Value, PublishError> {
        if !self.states.borrow().iter().any(|(known, _)| *known == name) {
            return Ok(Value::Null);
        }
        self.set(name, "running");
        let outcome = step();
        self.set(name, if outcome.is_ok() { "done" } else { "failed" });
        outcome
    }

    fn set(&self, name: &str, state: &'static str) {
        for step in self.states.borrow_mut().iter_mut().filter(|(known, _)| *known == name) {
            step.1 = state;
        }
        self.tell(&Value::Null);
    }
}

/// Publishes the changes that the editor showed.
pub fn publish(
    app: &Arc<App>,
    tasks: &Arc<Tasks>,
    request: PublishRequest,
) -> Result<Task, ApiError> {
    let options = deploy::options_chosen(app.live.root(), &request.chosen);
    let current = Current::of(app, Opened::of(app), options)?;
    if current.summary.seen != request.seen {
        return Err(ApiError::conflict(
            "the site has changed since this list was made: look at the new list, then publish again",
        ));
    }
    let files = &current.files;
    let mut names = current.steps();
    if request.skips_push && names.contains(&"deploy") {
        names.retain(|name| *name != "push");
    }
    let chosen = files.iter().map(Into::into).collect();
    let to_commit = changes::PublishRequest { message: request.message, files: chosen };
    if names.contains(&"commit") {
        changes::find_requested(&to_commit, files)?;
    }
    let url = deploy::url(&current.options);
    if names.contains(&"deploy") {
        deploy::check_keys(&current.options)?;
    }
    let about = TaskDescription { kind: "publish", subject: None };
    let own = Arc::clone(app);
    tasks.begin(app, about, move |report, stop| {
        let root = own.live.root();
        let note = |kind: &str, subject: &str| {
            // The step is done even if the journal cannot be written.
            let _ = records::note(&own, EDITOR, kind.to_owned(), subject.to_owned());
        };
        let steps = Steps::new(&names, report);
        let commit = steps.run("commit", || {
            let Some((git, branch)) = &current.git else {
                return Ok(Value::Null);
            };
            let done = changes::commit(git, stop, &to_commit, &current.files)?;
            let subject = to_commit.message.trim().lines().next().unwrap_or_default();
            note("commit", &format!("{}: {subject}", branch.name));
            Ok(done)
        })?;
        let push = steps.run("push", || {
            let done = push_now(root, stop)?;
            let part = |key: &str| done[key].as_str().unwrap_or_default();
            note("push", &format!("{} {}", part("to"), part("revision")));
            Ok(done)
        })?;
        let deploy = steps.run("deploy", || {
            let done = deploy::run(&current.options, false, &|progress| steps.tell(&progress), stop);
            if let Route::Deploy(to) = &current.route {
                note(if done.is_ok() { "deploy" } else { "deployFailed" }, &without_passwords(to));
            }
            done
        })?;
        let host_builds = matches!(current.route, Route::Push(_));
        Ok(json!({ "url": url, "commit": commit, "push": push, "deploy": deploy, "host_builds": host_builds }))
    })
}

/// Pushes the current commit of the branch.
fn push_now(root: &Path, stop: &StopFlag) -> Result<Value, PublishError> {
    let git = Git::open(root)?.with_stop(stop);
    let branch = Branch::of(&git)?;
    let revision = branch.head.clone().unwrap_or_default();
    let request = push::PublishRequest { revision, to: branch.target(&git)? };
    branch.push(&git, &request)
}

/// Combines the own commits with those that the remote has from elsewhere.
pub fn combine(app: &Arc<App>, tasks: &Arc<Tasks>) -> Result<Task, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    let about = TaskDescription { kind: "combine", subject: Some(branch.target(&git)?) };
    tasks.begin(app, about, move |_, stop| branch.combine(&git, stop))
}
