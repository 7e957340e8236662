//! Publishing: a commit, a push or a deploy. The editor first shows the changes that the operation
//! would make. The operation then makes exactly these changes.
//!
//! [`setup`] configures where the site is published. [`route`] says how it gets there, [`summary`]
//! lists the changes in words, [`sequence`] publishes them in one task, and [`online`] says whether
//! a file is published.
//!
//! [`changes`] and [`push`] use the installed git through [`git`], and [`deploy`] runs
//! `feedwright deploy`. [`tasks`] runs long operations in the background.

mod changes;
mod deploy;
mod git;
mod online;
mod push;
mod route;
mod schedule;
mod sequence;
mod setup;
mod summary;
mod tasks;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Answer;
use super::shows::Chosen;
use api_shared::ApiError;
use model::{Diagnostic, Severity};
use project::Options;
use server::App;
use site::Snapshot;

use deploy::{options_chosen, options_of};
use git::{Git, without_passwords};
pub use online::online;
use push::Branch;
use route::Route;
use sequence::{Current, Opened};
pub use sequence::{combine, publish};
pub use setup::{preview, set_up, setup_state, test};
use tasks::TaskDescription;
pub use tasks::{Task, Tasks};

/// The reason why a commit, push or deploy failed, with a message for the author.
#[derive(Debug, Clone, Serialize)]
pub struct PublishError {
    message: String,
    /// The output of git, a hook or a program.
    said: String,
    /// The command or the setting in site.toml that fixes the problem.
    command: Option<String>,
    /// The diagnostics that a deploy reported.
    found: Value,
    /// A reason that the editor handles: `behind` or `missing`.
    reason: Option<&'static str>,
}

impl PublishError {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            said: String::new(),
            command: None,
            found: Value::Null,
            reason: None,
        }
    }

    fn said(self, words: impl Into<String>) -> Self {
        Self { said: words.into(), ..self }
    }

    fn command(self, command: &str) -> Self {
        Self { command: Some(command.to_owned()), ..self }
    }

    fn found(self, found: Value) -> Self {
        Self { found, ..self }
    }

    fn reason(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }
}

/// Converts a publishing error to a 409 (Conflict).
impl From<PublishError> for ApiError {
    fn from(trouble: PublishError) -> Self {
        let words = [trouble.message, trouble.command.unwrap_or_default(), trouble.said];
        Self::conflict(words.map(|part| part.trim().to_owned()).join("\n").trim_end())
    }
}

/// Returns the changes that can be committed, pushed and deployed.
pub fn publish_state(app: &App, tasks: &Tasks, chosen: &Chosen) -> Answer {
    let opened = Opened::of(app);
    let options = options_chosen(app.live.root(), chosen);
    let commit = opened.git.clone().and_then(|(_, branch)| {
        let all = opened.changes.as_ref().map_err(Clone::clone)?;
        Ok(json!({ "branch": branch.name, "files": all.files, "left_out": all.left_out }))
    });
    let push = opened.git.clone().and_then(|(git, branch)| match &branch.head {
        Some(head) => branch.publish_state(&git).map(|mut push| {
            push["revision"] = json!(head);
            push
        }),
        None => Err(PublishError::new("the repository has no commits to push yet")),
    });
    let task_answer = |part: Result<Value, PublishError>| {
        part.unwrap_or_else(|trouble| json!({ "trouble": trouble }))
    };
    Ok(json!({
        "commit": task_answer(commit),
        "push": task_answer(push),
        "deploy": task_answer(deploy::destination(&options).map(|to| json!({ "to": without_passwords(&to) }))),
        "deeds": tasks.all(),
        "now": task_answer(Current::of(app, opened, options).map(|current| current_state(app, &current))),
    }))
}

/// Returns how the site gets online, what is not published yet, and the steps that are left.
fn current_state(app: &App, current: &Current) -> Value {
    let options = &current.options;
    let snapshot = &app.live.newest().site.snapshot;
    let is_error = |fault: &&Diagnostic| fault.severity == Severity::Error;
    let to = match &current.route {
        Route::Deploy(to) => Some(without_passwords(to)),
        _ => None,
    };
    json!({
        "how": current.route.name(),
        "to": to,
        "schedule": current.route.schedule(None),
        "last": current.last.time,
        "summary": current.summary,
        "steps": current.steps(),
        "url": deploy::url(options),
        "show": options.show.as_ref().map(|show| &snapshot.of_folder(show).channel.title),
        "apart": published_apart(options, snapshot),
        "errors": app.live.faults().borrow().iter().filter(is_error).filter(|fault| options.reports(fault)).count(),
    })
}

/// Returns the titles of the shows that must be published on their own: neither a push nor a deploy of
/// the network publishes them.
fn published_apart<'s>(options: &Options, snapshot: &'s Snapshot) -> Vec<&'s str> {
    if options.show.is_some() {
        return Vec::new();
    }
    let is_apart = |show: &&Snapshot| {
        let own = options_of(&options.root, Some(show.config.content.clone()));
        own.show.is_some() && matches!(Route::of(&own), Ok(Route::Deploy(_)))
    };
    let shows = snapshot.network_shows().map(|(_, show)| show);
    shows.filter(is_apart).map(|show| show.channel.title.as_str()).collect()
}

/// The id of the requested task.
#[derive(Debug, Deserialize)]
pub struct TaskRequest {
    id: String,
}

pub fn found(tasks: &Tasks, request: &TaskRequest) -> Answer {
    task_answer(tasks.find(&request.id))
}

/// Stops git and its hooks, or a deploy. Changes that were already made are kept.
pub fn stop(tasks: &Tasks, request: &TaskRequest) -> Answer {
    task_answer(tasks.stop(&request.id))
}

fn task_answer(task: Option<Task>) -> Answer {
    task.map(|task| json!(task))
        .ok_or_else(|| ApiError::not_found("the server no longer has this task"))
}

pub fn commit(
    app: &Arc<App>,
    tasks: &Arc<Tasks>,
    publish_request: changes::PublishRequest,
) -> Result<Task, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    let seen = changes::changes(&git, &app.live.newest().site.snapshot)?.files;
    changes::find_requested(&publish_request, &seen)?;
    let subject = publish_request.message.trim().lines().next().unwrap_or_default().to_owned();
    let about =
        TaskDescription { kind: "commit", subject: Some(format!("{}: {subject}", branch.name)) };
    tasks.begin(app, about, move |_, stop| changes::commit(&git, stop, &publish_request, &seen))
}

pub fn push(
    app: &Arc<App>,
    tasks: &Arc<Tasks>,
    publish_request: push::PublishRequest,
) -> Result<Task, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    branch.check(&git, &publish_request)?;
    let about = TaskDescription {
        kind: "push",
        subject: Some(format!("{} {}", publish_request.to, publish_request.revision)),
    };
    tasks.begin(app, about, move |_, stop| branch.push(&git.with_stop(stop), &publish_request))
}

pub fn plan(app: &Arc<App>, tasks: &Arc<Tasks>, chosen: &Chosen) -> Result<Task, ApiError> {
    let options = options_chosen(app.live.root(), chosen);
    deploy::destination(&options)?;
    let serial = app.live.newest().serial;
    let about = TaskDescription { kind: "plan", subject: None };
    tasks.begin(app, about, move |report_progress, stop| {
        deploy::run(&options, true, report_progress, stop)
            .map(|plan| deploy::shorten_plan(plan, serial))
    })
}

/// The plan to deploy. `serial` identifies the version of the site for which the plan was made.
#[derive(Debug, Deserialize)]
pub struct Planned {
    serial: u64,
    #[serde(flatten)]
    chosen: Chosen,
}

pub fn deploy(app: &Arc<App>, tasks: &Arc<Tasks>, planned: &Planned) -> Result<Task, ApiError> {
    let options = options_chosen(app.live.root(), &planned.chosen);
    let to = deploy::destination(&options)?;
    if app.live.newest().serial != planned.serial {
        return Err(ApiError::conflict(
            "the site has changed since this plan was made: make a new plan",
        ));
    }
    let about = TaskDescription { kind: "deploy", subject: Some(without_passwords(&to)) };
    tasks.begin(app, about, move |report_progress, stop| {
        deploy::run(&options, false, report_progress, stop)
    })
}
