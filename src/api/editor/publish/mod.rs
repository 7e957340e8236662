//! Publishing: a commit, a push, a deploy. Of each it is shown first what it would do, and nothing else is done.
//!
//! [`changes`] and [`push`] work with the [`git`] that is installed, [`deploy`] with the program itself. What takes a while
//! is one of the [`deeds`].

mod changes;
mod deeds;
mod deploy;
mod git;
mod push;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Answer, parse};
use crate::api::shared::ApiError;
use crate::server::App;

use deeds::About;
pub use deeds::Deeds;
use git::Git;
use push::Branch;

/// Why something is not done, in clear words.
#[derive(Debug, Clone, Serialize)]
pub struct Trouble {
    message: String,
    /// What git, a hook or a program said.
    said: String,
    /// What mends it in a terminal, or in site.toml.
    command: Option<String>,
    /// What `check` found.
    found: Value,
}

impl Trouble {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            said: String::new(),
            command: None,
            found: Value::Null,
        }
    }

    fn said(self, words: impl Into<String>) -> Self {
        Self {
            said: words.into(),
            ..self
        }
    }

    fn command(self, command: &str) -> Self {
        Self {
            command: Some(command.to_owned()),
            ..self
        }
    }

    fn found(self, found: Value) -> Self {
        Self { found, ..self }
    }
}

/// 409: nothing was done.
impl From<Trouble> for ApiError {
    fn from(trouble: Trouble) -> Self {
        let words = [trouble.message, trouble.said];
        Self::conflict(
            words
                .map(|part| part.trim().to_owned())
                .join("\n")
                .trim_end(),
        )
    }
}

/// Answers an operation that is named `publish` or `publish-…`.
pub fn run(deeds: &Arc<Deeds>, app: &Arc<App>, operation: &str, body: &[u8]) -> Answer {
    let begun = match operation {
        "publish" => return Ok(standing(deeds, app)),
        "publish-deed" => return found(deeds, &parse(body)?),
        "publish-commit" => commit(deeds, app, parse(body)?),
        "publish-push" => push(deeds, app, parse(body)?),
        "publish-plan" => plan(deeds, app),
        "publish-deploy" => deploy(deeds, app, &parse(body)?),
        _ => Err(ApiError::not_found("the editor has no such operation")),
    };
    begun.map(|deed| json!(deed))
}

/// What there is to commit, to push and to deploy.
fn standing(deeds: &Deeds, app: &App) -> Value {
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
                None => Err(Trouble::new("there is no commit to push yet")),
            };
            (changes, push)
        }
        Err(trouble) => (Err(trouble.clone()), Err(trouble.clone())),
    };
    let told =
        |part: Result<Value, Trouble>| part.unwrap_or_else(|trouble| json!({ "trouble": trouble }));
    json!({
        "commit": told(commit),
        "push": told(push),
        "deploy": told(deploy::destination(root).map(|to| json!({ "to": to }))),
        "deeds": deeds.all(),
    })
}

/// A deed that is asked after.
#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
}

fn found(deeds: &Deeds, asked: &Asked) -> Answer {
    let deed = deeds.find(&asked.id);
    deed.map(|deed| json!(deed))
        .ok_or_else(|| ApiError::not_found("the server knows nothing of this any more"))
}

fn commit(
    deeds: &Arc<Deeds>,
    app: &Arc<App>,
    wish: changes::Wish,
) -> Result<deeds::Deed, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    let seen = changes::changes(&git, &app.live.newest().site.snapshot)?.files;
    changes::checked(&wish, &seen)?;
    let subject = wish
        .message
        .trim()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    let about = About {
        kind: "commit",
        subject: Some(format!("{}: {subject}", branch.name)),
    };
    deeds.begin(app, about, move |_| changes::commit(&git, &wish, &seen))
}

fn push(deeds: &Arc<Deeds>, app: &Arc<App>, wish: push::Wish) -> Result<deeds::Deed, ApiError> {
    let git = Git::open(app.live.root())?;
    let branch = Branch::of(&git)?;
    branch.check(&git, &wish)?;
    let about = About {
        kind: "push",
        subject: Some(format!("{} {}", wish.to, wish.revision)),
    };
    deeds.begin(app, about, move |_| branch.push(&git, &wish))
}

fn plan(deeds: &Arc<Deeds>, app: &Arc<App>) -> Result<deeds::Deed, ApiError> {
    deploy::destination(app.live.root())?;
    let (root, serial) = (app.live.root().to_owned(), app.live.newest().serial);
    let about = About {
        kind: "plan",
        subject: None,
    };
    deeds.begin(app, about, move |tell| {
        deploy::run(&root, &["--dry-run"], tell).map(|plan| deploy::shown(plan, serial))
    })
}

/// The plan that is to be done, by the moment of the site that it was made of.
#[derive(Debug, Deserialize)]
struct Planned {
    serial: u64,
}

fn deploy(deeds: &Arc<Deeds>, app: &Arc<App>, planned: &Planned) -> Result<deeds::Deed, ApiError> {
    let to = deploy::destination(app.live.root())?;
    if app.live.newest().serial != planned.serial {
        return Err(ApiError::conflict(
            "the site changed since this was planned: plan again",
        ));
    }
    let root = app.live.root().to_owned();
    let about = About {
        kind: "deploy",
        subject: Some(to),
    };
    deeds.begin(app, about, move |tell| deploy::run(&root, &[], tell))
}
