//! What `feedwright deploy` would do, and doing it: by the program itself, as in a terminal, with the author's own
//! variables.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::Trouble;
use super::git::without_passwords;
use crate::model::Destination;
use crate::project::{Options, read_config};

/// Most lines of what it says that are kept.
const MOST: usize = 100;

/// Where the site goes. Err if nothing says it.
pub fn destination(root: &Path) -> Result<String, Trouble> {
    if !cfg!(feature = "deploy") {
        return Err(Trouble::new(
            "this program was built without `deploy`: publish with another one",
        ));
    }
    let (config, found) = read_config(&Options::new(root));
    if found.has_errors() {
        return Err(Trouble::new("site.toml has errors: see Check"));
    }
    let example = Destination::examples().next().unwrap_or_default();
    match config.deploy.to {
        Some(to) => Ok(without_passwords(&to.address())),
        None => Err(
            Trouble::new("site.toml does not say where the site goes: add this to it")
                .command(&format!("[deploy]\nto = \"{example}\"")),
        ),
    }
}

/// Runs the command, tells how far it is, and answers its report.
pub fn run(root: &Path, more: &[&str], tell: &dyn Fn(Value)) -> Result<Value, Trouble> {
    let lost =
        |error: &dyn std::fmt::Display| Trouble::new(format!("feedwright cannot be run: {error}"));
    let program = std::env::current_exe().map_err(|error| lost(&error))?;
    let mut child = Command::new(program)
        .arg("--site")
        .arg(root)
        .args(["deploy", "--json"])
        .args(more)
        .env("FEEDWRIGHT_PROGRESS", "json")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            lost(&error).said("If the program was replaced since: end `serve`, and start it again")
        })?;
    let (said, stdout) = (child.stderr.take(), child.stdout.take());
    let report = thread::spawn(move || {
        let mut report = Vec::new();
        stdout.map(|mut stdout| stdout.read_to_end(&mut report));
        report
    });
    let mut words = Vec::new();
    for line in said
        .into_iter()
        .flat_map(|said| BufReader::new(said).split(b'\n'))
        .map_while(Result::ok)
    {
        let line = String::from_utf8_lossy(&line).into_owned();
        match line.strip_prefix("progress: ").map(serde_json::from_str) {
            Some(Ok(progress)) => tell(progress),
            _ if words.len() < MOST => words.push(without_passwords(&line)),
            _ => {}
        }
    }
    let status = child.wait().map_err(|error| lost(&error))?;
    let report = report.join().unwrap_or_default();
    let report: Option<Value> = serde_json::from_slice(&report).ok();
    let words = words.join("\n");
    match (status.success(), report) {
        (true, Some(mut report)) => {
            report["said"] = words.into();
            Ok(report)
        }
        (_, Some(report)) => {
            let found = report["diagnostics"].clone();
            Err(Trouble::new("this stops it: mend it, and look again")
                .said(words)
                .found(found))
        }
        (_, None) => Err(Trouble::new("deploying failed").said(words)),
    }
}

/// The parts of a plan that people look at; most files of a first deploy are too many.
pub fn shown(mut plan: Value, serial: u64) -> Value {
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
