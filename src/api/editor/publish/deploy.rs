//! Runs `feedwright deploy` for the site or for a show with its own destination, with or without
//! `--dry-run`. The command has the author's environment variables, as in a terminal.

use std::env;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::PublishError;
use super::git::without_passwords;
use super::tasks::StopFlag;
use crate::shows::Chosen;
use model::{Config, ContentFolder, Destination};
use programs::process::{self, Bounds};
use project::{Options, destination_secrets, read_config};
use source::show_folders::settings_file;

/// Maximum number of lines of the command's messages to keep.
const MAX_MESSAGE_LINES: usize = 100;

/// Returns the options of the site that contains the files of a content folder: of a show with its own
/// destination, or else of the network.
pub fn options_of(root: &Path, content: Option<ContentFolder>) -> Options {
    let network = Options::new(root);
    let show = content.filter(|content| content.show().is_some());
    let own = Options { show, ..network.clone() };
    let config = read_config(&own).0;
    match own.show.as_ref() == Some(&config.content) && config.deploy.to.is_some() {
        true => own,
        false => network,
    }
}

/// Returns the options of the site that Publish publishes for the chosen folder.
pub fn options_chosen(root: &Path, chosen: &Chosen) -> Options {
    options_of(root, chosen.show_folder())
}

/// Returns the path of the file with the settings of the site or show.
fn file_of(config: &Config) -> String {
    settings_file(&config.content).map(|file| file.to_string()).unwrap_or_default()
}

/// Returns the address of the destination, or None if the settings have none.
pub fn configured(options: &Options) -> Result<Option<String>, PublishError> {
    if !cfg!(feature = "deploy") {
        return Err(PublishError::new(
            "deploy is not available: this feedwright was built without the `deploy` feature",
        ));
    }
    let (config, found) = read_config(options);
    if found.has_errors() {
        let file = file_of(&config);
        return Err(PublishError::new(format!(
            "{file} has errors: fix the errors listed under Problems"
        )));
    }
    Ok(config.deploy.to.map(|to| to.address()))
}

/// Returns the destination. Returns an error if `site.toml` has no deploy destination.
pub fn destination(options: &Options) -> Result<String, PublishError> {
    let example = Destination::examples().next().unwrap_or_default();
    configured(options)?.ok_or_else(|| {
        PublishError::new("site.toml has no deploy destination: add one, such as")
            .command(&format!("[deploy]\nto = \"{example}\""))
    })
}

/// Returns the public address. `serve` may use another one.
pub fn url(options: &Options) -> String {
    read_config(options).0.url("/")
}

/// Returns an error if `serve` lacks an environment variable with a key of the destination.
pub fn check_keys(options: &Options) -> Result<(), PublishError> {
    let deploy = read_config(options).0.deploy;
    let names = deploy.to.iter().chain(&deploy.media).flat_map(destination_secrets);
    let missing: Vec<&str> = names.filter(|name| env::var_os(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let words = format!(
        "feedwright does not have the key of your host: stop `serve`, and start it with {}",
        missing.join(" and ")
    );
    let exports: String = missing.iter().map(|name| format!("export {name}=\"…\"\n")).collect();
    Err(PublishError::new(words).command(&format!("{exports}feedwright serve --open")))
}

/// Runs `feedwright deploy`, passes its progress to `report_progress`, and returns its report.
pub fn run(
    options: &Options,
    is_dry_run: bool,
    report_progress: &dyn Fn(Value),
    stop: &StopFlag,
) -> Result<Value, PublishError> {
    let mut command = Command::new(env::current_exe().map_err(|error| run_error(&error))?);
    command
        .arg("--site")
        .arg(&options.root)
        .args(["deploy", "--json"])
        .env("FEEDWRIGHT_PROGRESS", "json");
    if is_dry_run {
        command.arg("--dry-run");
    }
    if let Some(name) = options.show.as_ref().and_then(ContentFolder::show) {
        command.arg(format!("--show={name}"));
    }
    let (mut words, mut begun) = (Vec::new(), Vec::new());
    let mut take = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        match line.strip_prefix("progress: ").map(serde_json::from_str) {
            Some(Ok(progress)) => report_progress(progress),
            _ if words.len() < MAX_MESSAGE_LINES => words.push(without_passwords(line.trim_end())),
            _ => {}
        }
    };
    let mut hear = |part: &[u8]| {
        begun.extend_from_slice(part);
        while let Some(end) = begun.iter().position(|byte| *byte == b'\n') {
            take(&begun.drain(..=end).collect::<Vec<u8>>());
        }
    };
    let bounds = Bounds {
        is_apart: true,
        is_stopped: &|| stop.is_set(),
        hear: Some(&mut hear),
        ..Bounds::default()
    };
    let said = process::output(&mut command, Vec::new(), bounds);
    if !begun.is_empty() {
        take(&begun);
    }
    let words = words.join("\n");
    let said = said.map_err(|error| match error.kind() {
        ErrorKind::Interrupted if !is_dry_run => PublishError::new(
            "the deploy was stopped: files sent so far remain, and the next deploy sends the rest",
        )
        .said(words.as_str()),
        ErrorKind::Interrupted => PublishError::new("the plan was stopped").said(words.as_str()),
        _ => run_error(&error),
    })?;
    let report: Option<Value> = serde_json::from_slice(&said.stdout).ok();
    match (said.status.success(), report) {
        (true, Some(mut report)) => {
            report["said"] = words.into();
            Ok(report)
        }
        (_, Some(report)) => {
            let found = report["diagnostics"].clone();
            Err(PublishError::new("these errors prevent the deploy: fix them, and try again")
                .said(words)
                .found(found))
        }
        (_, None) => Err(PublishError::new("the deploy failed").said(words)),
    }
}

fn run_error(error: &io::Error) -> PublishError {
    PublishError::new(format!("feedwright cannot be run: {error}"))
        .said("If feedwright was updated, stop `serve` and start it again")
}

/// Shortens the lists in a plan, because a first deploy can have too many files to show. Adds the
/// original length of each list, and `serial`.
pub fn shorten_plan(mut plan: Value, serial: u64) -> Value {
    for place in ["", "/media"] {
        let Some(place) = plan.pointer_mut(place) else {
            continue;
        };
        for list in ["put", "delete", "waiting"] {
            if let Some(all) = place[list].as_array_mut() {
                let count = all.len();
                all.truncate(200);
                place[format!("{list}_count")] = json!(count);
            }
        }
    }
    plan["serial"] = json!(serial);
    plan
}
