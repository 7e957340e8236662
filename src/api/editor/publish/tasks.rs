//! Long-running tasks: a commit with its hooks, a push, a deploy. A task runs in the background,
//! and only one task runs at a time. The browser polls for the task's state, so that it gets the
//! result even if the device was asleep.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::PublishError;
use crate::{EDITOR, records};
use api_shared::ApiError;
use server::App;
use state::{StateError, random_id};

/// A running or finished task. A finished task is kept until the next task of its kind begins.
#[derive(Debug, Clone, Serialize)]
pub struct Task {
    id: String,
    kind: &'static str,
    began: Timestamp,
    ended: Option<Timestamp>,
    progress: Value,
    done: Option<Value>,
    trouble: Option<PublishError>,
    #[serde(skip)]
    stop: StopFlag,
}

/// A flag that signals a task to stop.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The description of a task, for the editor and the journal.
pub struct TaskDescription {
    pub kind: &'static str,
    /// The target of the task. None if the journal does not record the task.
    pub subject: Option<String>,
}

/// The last task of each kind.
#[derive(Default)]
pub struct Tasks(Mutex<Vec<Task>>);

impl Tasks {
    /// Starts a task and returns it. Returns a 409 while another task is running.
    pub fn begin(
        self: &Arc<Self>,
        app: &Arc<App>,
        about: TaskDescription,
        work: impl FnOnce(&dyn Fn(Value), &StopFlag) -> Result<Value, PublishError> + Send + 'static,
    ) -> Result<Task, ApiError> {
        let task = Task {
            id: random_id()?,
            kind: about.kind,
            began: Timestamp::now(),
            ended: None,
            progress: Value::Null,
            done: None,
            trouble: None,
            stop: StopFlag::default(),
        };
        {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(other) = all.iter().find(|task| task.ended.is_none()) {
                let words =
                    format!("a {} is still running: wait until it has finished", other.kind);
                return Err(ApiError::conflict(words));
            }
            all.retain(|other| other.kind != task.kind);
            all.push(task.clone());
        }
        let (tasks, app) = (Arc::clone(self), Arc::clone(app));
        let (id, stop) = (task.id.clone(), task.stop.clone());
        thread::spawn(move || {
            let report_progress = |progress| tasks.change(&id, |task| task.progress = progress);
            let panic_error = || {
                PublishError::new(
                    "the server failed unexpectedly: check what was done, and try again",
                )
            };
            let work = std::panic::AssertUnwindSafe(|| work(&report_progress, &stop));
            let outcome = std::panic::catch_unwind(work).unwrap_or_else(|_| Err(panic_error()));
            let noted = note(&app, about, outcome.is_ok());
            tasks.change(&id, |task| {
                task.ended = Some(Timestamp::now());
                match outcome {
                    Ok(mut done) => {
                        if let Err(error) = noted {
                            done["unnoted"] = error.to_string().into();
                        }
                        task.done = Some(done);
                    }
                    Err(trouble) => task.trouble = Some(trouble),
                }
            });
        });
        Ok(task)
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Task)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = all.iter_mut().find(|task| task.id == id) {
            change(task);
        }
    }

    /// Signals a task to stop, which can take some time. Returns None if there is no such task.
    pub fn stop(&self, id: &str) -> Option<Task> {
        let task = self.find(id)?;
        task.stop.set();
        Some(task)
    }

    /// Returns the current state of a task.
    pub fn find(&self, id: &str) -> Option<Task> {
        self.all().into_iter().find(|task| task.id == id)
    }

    /// Returns the last task of each kind.
    pub fn all(&self) -> Vec<Task> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }
}

/// Records a task in the journal. A failed task is also recorded, because it may have made some of
/// its changes.
fn note(app: &App, about: TaskDescription, is_done: bool) -> Result<(), StateError> {
    let Some(subject) = about.subject else {
        return Ok(());
    };
    let operation = match is_done {
        true => about.kind.to_owned(),
        false => format!("{}Failed", about.kind),
    };
    records::note(app, EDITOR, operation, subject)
}
