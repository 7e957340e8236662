//! Publishing: a commit, a push or a deploy. The page first shows what each would do, and nothing
//! else is done.
//!
//! [`changes`] and [`push`] use the installed git through [`git`], and [`deploy`] runs this program
//! itself. Long-running tasks are [`deeds`].

mod changes;
mod deeds;
mod deploy;
mod git;
mod push;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Answer;
use api_shared::ApiError;
use server::App;

use deeds::About;
pub use deeds::{Deed, Deeds};
use git::Git;
use push::Branch;

/// The reason why something was not done, in words for the author.
#[derive(Debug, Clone, Serialize)]
pub struct Trouble {
    message: String,
    /// The output of git, a hook or a program.
    said: String,
    /// The command or the setting in site.toml that fixes the problem.
    command: Option<String>,
    /// The diagnostics that a deploy reported.
    found: Value,
}

impl Trouble {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), said: String::new(), command: None, found: Value::Null }
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
}

/// Converts to a 409, because nothing was done.
impl From<Trouble> for ApiError {
    fn from(trouble: Trouble) -> Self {
        let words = [trouble.message, trouble.said];
        Self::conflict(words.map(|part| part.trim().to_owned()).join("\n").trim_end())
    }
}

/// Returns what there is to commit, to push and to deploy.
pub fn standing(app: &App, deeds: &Deeds) -> Answer {
    let root = app.live.root();
    let git = Git::open(root).and_then(|git| Branch::of(&git).map(|branch| (git, branch)));
    let (commit, push) = match &git {
        Ok((git, branch)) => {
            let moment = app.live.newest();
            let changes = changes::changes(git, &moment.site.snapshot);
            let changes = changes.map(|all| json!({ "branch": branch.name, "files": all.files, "left_out": all.left_out }));
            let push = match &branch.head {
                Some(head) => branch.standing(git).map(|mut push| {
                    push["revision"] = json!(head);
                    push
                }),
                None => Err(Trouble::new("the repository has no commits to push yet")),
            };
            (changes, push)
        }
        Err(trouble) => (Err(trouble.clone()), Err(trouble.clone())),
    };
    let told =
        |part: Result<Value, Trouble>| part.unwrap_or_else(|trouble| json!({ "trouble": trouble }));
    Ok(json!({
        "commit": told(commit),
        "push": told(push),
        "deploy": told(deploy::destination(root).map(|to| json!({ "to": to }))),
        "deeds": deeds.all(),
    }))
}

/// The id of the requested task.
#[derive(Debug, Deserialize)]
pub struct Asked {
    id: String,
}

pub fn found(deeds: &Deeds, asked: &Asked) -> Answer {
    told(deeds.find(&asked.id))
}

/// Stops git and its hooks, or a deploy. Changes made before that stay.
pub fn stop(deeds: &Deeds, asked: &Asked) -> Answer {
    told(deeds.stop(&asked.id))
}

fn told(deed: Option<Deed>) -> Answer {
    deed.map(|deed| json!(deed))
        .ok_or_else(|| ApiError::not_found("the server no longer knows this task"))
}

pub fn commit(app: &Arc<App>, deeds: &Arc<Deeds>, wish: changes::Wish) -> Result<Deed, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    let seen = changes::changes(&git, &app.live.newest().site.snapshot)?.files;
    changes::checked(&wish, &seen)?;
    let subject = wish.message.trim().lines().next().unwrap_or_default().to_owned();
    let about = About { kind: "commit", subject: Some(format!("{}: {subject}", branch.name)) };
    deeds.begin(app, about, move |_, stop| changes::commit(&git, stop, &wish, &seen))
}

pub fn push(app: &Arc<App>, deeds: &Arc<Deeds>, wish: push::Wish) -> Result<Deed, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    branch.check(&git, &wish)?;
    let about = About { kind: "push", subject: Some(format!("{} {}", wish.to, wish.revision)) };
    deeds.begin(app, about, move |_, stop| branch.push(&git.until(stop), &wish))
}

pub fn plan(app: &Arc<App>, deeds: &Arc<Deeds>) -> Result<Deed, ApiError> {
    deploy::destination(app.live.root())?;
    let (root, serial) = (app.live.root().to_owned(), app.live.newest().serial);
    let about = About { kind: "plan", subject: None };
    deeds.begin(app, about, move |tell, stop| {
        deploy::run(&root, &["--dry-run"], tell, stop).map(|plan| deploy::shown(plan, serial))
    })
}

/// The plan to carry out, identified by the moment of the site that it was made for.
#[derive(Debug, Deserialize)]
pub struct Planned {
    serial: u64,
}

pub fn deploy(app: &Arc<App>, deeds: &Arc<Deeds>, planned: &Planned) -> Result<Deed, ApiError> {
    let to = deploy::destination(app.live.root())?;
    if app.live.newest().serial != planned.serial {
        return Err(ApiError::conflict(
            "the site has changed since this plan was made: make a new plan",
        ));
    }
    let root = app.live.root().to_owned();
    let about = About { kind: "deploy", subject: Some(to) };
    deeds.begin(app, about, move |tell, stop| deploy::run(&root, &[], tell, stop))
}
