//! The setup of publishing: writes the destination to `site.toml` and the workflow of the git host,
//! creates the repository, and tests both. The editor first shows what the setup will write.

use std::fs;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::Arc;

use front_matter::Change;
use serde::Deserialize;
use serde_json::{Value, json};

use super::changes::{self, changes, is_part_of_a_site};
use super::git::{Git, READ_TIMEOUT};
use super::push::Branch;
use super::route::Route;
use super::sequence::Steps;
use super::tasks::{StopFlag, Task, TaskDescription, Tasks};
use super::{PublishError, deploy};
use crate::on_disk::{begin, load_text, replace_step, version};
use crate::shows::Chosen;
use crate::{Answer, EDITOR};
use api_shared::{ApiError, apply_toml, cannot_edit};
use model::{Destination, HostingTarget, SitePath, Source};
use project::{Forge, Options, Workflow, read_config};
use server::App;
use source::config;

/// The ignored files of a new repository.
const IGNORED: &str = "/public\n/.feedwright\n*.feedwright-new\n";

/// Where the site will live.
#[derive(Debug, Clone, Deserialize)]
pub struct SetupRequest {
    /// The destination, as in `[deploy] to`.
    to: String,
    /// Further keys of `[deploy]`.
    region: Option<String>,
    endpoint: Option<String>,
    /// The public address of the site. None keeps it.
    base_url: Option<String>,
    /// The host for `[hosting] targets`, if it has special files for redirects.
    target: Option<String>,
    /// The address of the repository, if it has no remote.
    remote: Option<String>,
    /// The git host that publishes the site after each push.
    workflow: Option<String>,
    /// The author's name and email for the history, if git does not know them.
    name: Option<String>,
    email: Option<String>,
    /// The version of `site.toml` that the editor showed. None only shows the changes.
    version: Option<String>,
}

/// The files that a setup writes.
struct Setup {
    site: SitePath,
    before: String,
    after: String,
    /// The workflow, and a `.gitignore` for a new repository, unless they exist.
    new_files: Vec<(PathBuf, String)>,
    /// The workflow, if it is outside the site's folder. The setup commits it, because the editor
    /// only lists the changes of the site's folder.
    outside: Option<PathBuf>,
    steps_at_forge: Vec<String>,
}

impl Setup {
    fn of(app: &App, request: &SetupRequest) -> Result<Self, ApiError> {
        let root = app.live.root();
        let to = Destination::parse(&request.to)
            .map_err(|help| ApiError::bad(format!("this destination is not valid: {help}")))?;
        if let Some(remote) = &request.remote {
            Destination::parse(&format!("git:{remote}#main"))
                .map_err(|_| ApiError::bad("this address of a repository is not valid: copy it from the page of the repository, without a password"))?;
        }
        let site =
            SitePath::parse("site.toml").ok_or_else(|| ApiError::bad("site.toml is missing"))?;
        let before = load_text(app, &site)?.unwrap_or_default();
        let changes = request.changes(&to, app)?;
        let source = Source { path: &site, text: &before };
        let after = apply_toml(source, &changes).map_err(cannot_edit)?;
        let mut new_files = Vec::new();
        let mut steps_at_forge = Vec::new();
        let mut outside = None;
        if let Some(name) = &request.workflow {
            let forge =
                Forge::parse(name).ok_or_else(|| ApiError::bad("this git host is unknown"))?;
            let mut config = read_config(&Options::new(root)).0;
            config.deploy.to = Some(to);
            let workflow = Workflow::of(root, forge, &config);
            steps_at_forge = workflow.steps_at_forge();
            let text = workflow.text();
            let is_ours = fs::read_to_string(&workflow.file).map_or(true, |known| known == text);
            if is_ours && root.canonicalize().is_ok_and(|root| !workflow.file.starts_with(root)) {
                outside = Some(workflow.file.clone());
            }
            new_files.push((workflow.file, text));
        }
        if Git::open(root).is_err() {
            new_files.push((root.join(".gitignore"), IGNORED.to_owned()));
        }
        new_files.retain(|(file, _)| !file.exists());
        Ok(Self { site, before, after, new_files, outside, steps_at_forge })
    }
}

impl SetupRequest {
    /// Returns the changes of `site.toml`.
    fn changes(&self, to: &Destination, app: &App) -> Result<Vec<Change>, ApiError> {
        let config = read_config(&Options::new(app.live.root())).0;
        let old = config.deploy.to.as_ref();
        let is_same_kind = old.is_some_and(|old| discriminant(old) == discriminant(to));
        let mut changes = vec![Change::set(&["deploy", "to"], to.address())];
        // A key of the old destination must not affect the new one: a token would be sent to the
        // old endpoint.
        let is_bucket = matches!(to, Destination::S3(_));
        for (key, given, is_in_form) in [
            ("region", &self.region, is_bucket),
            ("endpoint", &self.endpoint, is_bucket),
            ("key_env", &None, false),
            ("secret_env", &None, false),
        ] {
            match given.as_deref().map(str::trim).filter(|given| !given.is_empty()) {
                Some(given) => changes.push(Change::set(&["deploy", key], given)),
                None if is_in_form || !is_same_kind => {
                    changes.push(Change::remove(&["deploy", key]));
                }
                None => {}
            }
        }
        if let Some(base_url) = &self.base_url {
            let base_url = config::parse_base_url(base_url)
                .map_err(|help| ApiError::bad(format!("this address is not valid: {help}")))?;
            changes.insert(0, Change::set(&["base_url"], base_url));
        }
        let old_target = old.filter(|_| !is_same_kind).and_then(target_of);
        let kept = config.hosting.iter().filter(|target| Some(**target) != old_target);
        let mut targets: Vec<&str> = kept.map(|target| target.as_str()).collect();
        // Other targets are the author's choice.
        if config.hosting.is_empty() || targets.len() < config.hosting.len() {
            let new = self.target.as_deref().filter(|new| !targets.contains(new));
            targets.extend(new);
            if !targets.is_empty() {
                changes.push(Change::set(&["hosting", "targets"], targets));
            } else if !config.hosting.is_empty() {
                changes.push(Change::remove(&["hosting", "targets"]));
            }
        }
        Ok(changes)
    }
}

/// Returns the entry of `[hosting] targets` that a setup writes for a destination.
fn target_of(to: &Destination) -> Option<HostingTarget> {
    match to {
        Destination::Netlify(_) => Some(HostingTarget::Netlify),
        Destination::CloudflarePages(_) => Some(HostingTarget::CloudflarePages),
        Destination::Git { .. } => Some(HostingTarget::GithubPages),
        _ => None,
    }
}

/// Returns what a setup asks for: the address of the site, the author and the remote.
pub fn setup_state(app: &App) -> Answer {
    let git = Git::without_repository(app.live.root());
    let has_git = git.query(&["--version"]).is_ok();
    let opened = Git::open(app.live.root()).ok();
    let remote =
        opened.as_ref().and_then(|git| git.query(&["remote", "get-url", "origin"]).ok()?.line());
    let config = read_config(&Options::new(app.live.root())).0;
    Ok(json!({
        "base_url": config.base_url,
        "is_example": config::example_address_warning(app.live.root()).is_some(),
        "has_git": has_git,
        "has_repository": opened.is_some(),
        "has_name": has_git && knows_author(&git),
        "is_connected": opened.as_ref().is_some_and(is_connected),
        "remote": remote.map(|remote| super::git::without_passwords(&remote)),
    }))
}

/// Returns whether commits were exchanged with the remote. Until then, its address can be corrected.
fn is_connected(git: &Git) -> bool {
    let known = git.query(&["for-each-ref", "--count=1", "refs/remotes/origin"]);
    known.is_ok_and(|known| !known.output.is_empty())
}

fn knows_author(git: &Git) -> bool {
    let config =
        |key: &str| git.query(&["config", "--get", key]).ok().and_then(super::git::GitOutput::line);
    let is_set = |key: &str, name: &str| std::env::var_os(name).is_some() || config(key).is_some();
    is_set("user.name", "GIT_AUTHOR_NAME") && is_set("user.email", "GIT_AUTHOR_EMAIL")
}

/// Returns the files that the setup would write, before and after it.
pub fn preview(app: &App, request: &SetupRequest) -> Answer {
    let setup = Setup::of(app, request)?;
    let root = app.live.root();
    let has_workflow = matches!(Route::of(&Options::new(root)), Ok(Route::Push(_)));
    let shown = |file: &PathBuf| file.strip_prefix(root).unwrap_or(file).display().to_string();
    let mut files =
        vec![json!({ "path": setup.site, "before": setup.before, "after": setup.after })];
    files.extend(
        setup
            .new_files
            .iter()
            .map(|(file, text)| json!({ "path": shown(file), "before": "", "after": text })),
    );
    Ok(
        json!({ "version": version(&setup.before), "files": files, "remaining": setup.steps_at_forge, "keeps_workflow": has_workflow && request.workflow.is_none() }),
    )
}

/// Writes the files that the editor showed, and starts the task that creates the repository and
/// tests the destination.
pub fn set_up(app: &Arc<App>, tasks: &Arc<Tasks>, request: SetupRequest) -> Result<Task, ApiError> {
    let writing = begin(app, "setUpPublishing", EDITOR);
    let setup = Setup::of(app, &request)?;
    if request.version.as_ref() != Some(&version(&setup.before)) {
        return Err(ApiError::conflict(
            "site.toml has changed in the meantime; nothing was written: look at the changes again",
        ));
    }
    if setup.before != setup.after {
        let step = replace_step(&setup.site, config::check, &setup.before, &setup.after);
        writing.write(setup.site.as_str(), Some(&setup.site), &[step])?;
    }
    drop(writing);
    for (file, text) in &setup.new_files {
        edit::create(file, text.as_bytes()).map_err(|error| {
            ApiError::failed(format!("{} cannot be written: {error}", file.display()))
        })?;
    }
    let options = Options::new(app.live.root());
    begin_test(app, tasks, options, Some((request, setup.outside)))
}

/// Tests the remote and the destination.
pub fn test(app: &Arc<App>, tasks: &Arc<Tasks>, chosen: &Chosen) -> Result<Task, ApiError> {
    begin_test(app, tasks, deploy::options_chosen(app.live.root(), chosen), None)
}

/// Creates what is missing of the repository, if there is a request, and commits a workflow outside
/// the site's folder. Then tests the remote and the destination.
fn begin_test(
    app: &Arc<App>,
    tasks: &Arc<Tasks>,
    options: Options,
    request: Option<(SetupRequest, Option<PathBuf>)>,
) -> Result<Task, ApiError> {
    let (request, outside) = request.unzip();
    let outside = outside.flatten();
    let own = Arc::clone(app);
    let about = TaskDescription { kind: "setup", subject: None };
    tasks.begin(app, about, move |report, stop| {
        let root = own.live.root();
        let has_git = Git::without_repository(root).query(&["--version"]).is_ok();
        let route = Route::with_workflow(&options, outside.as_deref())?;
        let mut names = Vec::new();
        if has_git && request.is_some() {
            names.extend(["repository", "first"]);
        }
        let has_remote = Git::open(root).and_then(|git| Branch::of(&git)?.target(&git)).is_ok();
        if has_git
            && (has_remote || request.as_ref().is_some_and(|request| request.remote.is_some()))
        {
            names.push("connection");
        }
        if matches!(route, Route::Deploy(_)) {
            names.push("destination");
        }
        let steps = Steps::new(&names, report);
        let request = request.as_ref();
        steps.run("repository", || {
            request.map_or(Ok(Value::Null), |request| create_repository(&own, request))
        })?;
        steps.run("first", || {
            let done = commit_first(&own, stop)?;
            let Some(file) = &outside else {
                return Ok(done);
            };
            let git = Git::open(root)?;
            changes::commit_file(&git, stop, file, "Publish the site with a workflow")
        })?;
        steps.run("connection", || {
            let git = Git::open(root)?.with_stop(stop);
            Branch::of(&git)?.try_push(&git).map(|()| Value::Null)
        })?;
        steps
            .run("destination", || {
                deploy::check_keys(&options)?;
                deploy::run(&options, true, &|progress| steps.tell(&progress), stop)
            })
            .map(
                |plan| json!({ "put": plan["put"].as_array().map(Vec::len), "said": plan["said"] }),
            )
    })
}

/// Creates the repository with its author and its remote, as far as they are missing.
fn create_repository(app: &App, request: &SetupRequest) -> Result<Value, PublishError> {
    let root = app.live.root();
    let bare = Git::without_repository(root);
    let run = |git: &Git, arguments: &[&str]| git.run(arguments, b"", READ_TIMEOUT)?.text();
    if Git::open(root).is_err_and(|error| error.reason == Some("missing")) {
        run(&bare, &["-c", "init.defaultBranch=main", "init", "--quiet"])?;
    }
    let git = Git::open(root)?;
    let is_unknown = !knows_author(&git);
    if is_unknown || request.name.is_some() {
        // A history that stays on this machine needs no real author.
        let title = &app.live.newest().site.snapshot.channel.title;
        let email = format!("author@{}", read_config(&Options::new(root)).0.host);
        let names = [("user.name", &request.name, title), ("user.email", &request.email, &email)];
        for (key, given, usual) in names {
            run(&git, &["config", key, given.as_ref().unwrap_or(usual)])?;
        }
    }
    let has_origin = git.query(&["remote", "get-url", "origin"])?.is_ok;
    if let Some(remote) = request.remote.as_ref().filter(|_| !is_connected(&git)) {
        let verb = if has_origin { "set-url" } else { "add" };
        run(&git, &["remote", verb, "--", "origin", remote.trim()])?;
    }
    Ok(Value::Null)
}

/// Commits the files of the site as the first version, unless there is one.
fn commit_first(app: &App, stop: &StopFlag) -> Result<Value, PublishError> {
    let git = Git::open(app.live.root())?;
    if Branch::of(&git)?.head.is_some() {
        return Ok(Value::Null);
    }
    let mut files = changes(&git, &app.live.newest().site.snapshot)?.files;
    files.retain(|file| is_part_of_a_site(&file.path));
    let request = changes::PublishRequest {
        message: "First version of the site".to_owned(),
        files: files.iter().map(Into::into).collect(),
    };
    changes::commit(&git, stop, &request, &files)
}
