//! A deploy on a thread of its own, which can be stopped.
//!
//! A stop ends the programs that it runs, and unwinds its thread at the next step. A request that hangs is left alone:
//! the deploy counts as stopped, and the thread sends nothing more when the request ends.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Trouble;
use super::git::without_passwords;
use crate::build::Progress;
use crate::deploy::{self, Audience, Failed, Note, Wish, plans_as_json};
use crate::project::Options;
use crate::source::program::Stop;
use crate::webhooks;

/// The most lines for people that are kept.
const MOST: usize = 100;

/// How often the stop is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a deploy that is stopped has to end.
const GRACE: Duration = Duration::from_secs(5);

/// The least time between two reports of how far a step is.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

enum Said {
    Progress(Value),
    End(Result<Value, Trouble>),
}

/// Deploys or plans, reports how far it is, and returns the report.
pub fn run(
    root: &Path,
    dry_run: bool,
    tell: &dyn Fn(Value),
    stop: &Stop,
) -> Result<Value, Trouble> {
    let (says, heard) = mpsc::channel();
    let watch = Arc::new(Watch {
        wish: Wish {
            dry_run,
            stop: stop.clone(),
            ..Wish::default()
        },
        step: Mutex::default(),
        plan: Mutex::default(),
        says,
    });
    let (works, root) = (Arc::clone(&watch), root.to_owned());
    thread::spawn(move || {
        let came = catch_unwind(AssertUnwindSafe(|| work(&root, &works)));
        let came = came.unwrap_or_else(|_| Err(Trouble::new("deploying failed")));
        let _ = works.says.send(Said::End(came));
    });
    let stopped = || {
        Trouble::new(match dry_run {
            true => "it was stopped",
            false => {
                "it was stopped: what was sent by then is there, and the next deploy sends the rest"
            }
        })
    };
    let mut since: Option<Instant> = None;
    loop {
        match heard.recv_timeout(LOOK) {
            Ok(Said::Progress(progress)) => tell(progress),
            Ok(Said::End(Err(_))) if stop.is_set() => return Err(stopped()),
            Ok(Said::End(came)) => return came,
            Err(RecvTimeoutError::Disconnected) => return Err(Trouble::new("deploying failed")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.is_set() && since.get_or_insert_with(Instant::now).elapsed() > GRACE {
            // The next deploy does not wait for it.
            watch.wish.hold(None);
            return Err(stopped());
        }
    }
}

fn work(root: &Path, watch: &Watch) -> Result<Value, Trouble> {
    let failed = |words: String| Trouble::new("deploying failed").said(without_passwords(&words));
    let options = Options::of_environment(root).map_err(failed)?;
    let done = deploy::run(&options, &watch.wish, watch).map_err(|why| match why {
        Failed::Usage(words) => failed(words),
        Failed::Build(report) | Failed::Deploy(report, _) => {
            Trouble::new("this stops it: mend it, and look again").found(json!(report.sorted()))
        }
    })?;
    let told = webhooks::tell_of_deploy(&options, &done);
    let told = told.map_err(|error| failed(error.to_string()))?;
    let mut report = match watch.wish.dry_run {
        true => held(&watch.plan).take(),
        false => done.as_json(),
    };
    let lines = told.map(|told| told.lines()).unwrap_or_default();
    let lines = lines.iter().take(MOST).map(|line| without_passwords(line));
    report["said"] = lines.collect::<Vec<_>>().join("\n").into();
    Ok(report)
}

struct Watch {
    wish: Wish,
    step: Mutex<Option<Step>>,
    plan: Mutex<Value>,
    says: Sender<Said>,
}

/// The part of the deploy that runs.
struct Step {
    name: &'static str,
    done: u64,
    of: Option<u64>,
    reported: Instant,
}

impl Watch {
    /// Unwinds the thread if the deploy is stopped.
    fn check(&self) {
        if self.wish.stop.is_set() {
            resume_unwind(Box::new("stopped"));
        }
    }

    fn report(&self, step: &mut Step) {
        let progress = json!({ "name": step.name, "done": step.done, "of": step.of });
        let _ = self.says.send(Said::Progress(progress));
        step.reported = Instant::now();
    }
}

impl Audience for Watch {
    fn progress(&self) -> &dyn Progress {
        self
    }

    fn note(&self, note: &Note<'_>) {
        self.check();
        if let Note::Plans(parts) = note {
            *held(&self.plan) = plans_as_json(parts);
        }
    }
}

impl Progress for Watch {
    fn phase(&self, name: &'static str, steps: usize) {
        self.moving(name, steps as u64);
    }

    fn moving(&self, name: &'static str, bytes: u64) {
        self.check();
        let step = Step {
            name,
            done: 0,
            of: Some(bytes).filter(|bytes| *bytes > 0),
            reported: Instant::now(),
        };
        self.report(held(&self.step).insert(step));
    }

    fn tick(&self) {
        self.moved(1);
    }

    fn moved(&self, bytes: u64) {
        self.check();
        if let Some(step) = held(&self.step).as_mut() {
            step.done += bytes;
            if step.reported.elapsed() >= BETWEEN_REPORTS {
                self.report(step);
            }
        }
    }

    fn finish(&self) {}
}

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
