//! Long-running tasks: a commit with its hooks, a push, a deploy. A task runs in the background,
//! and only one runs at a time. The page polls for its state, so that a phone that was asleep
//! misses nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::Trouble;
use crate::{EDITOR, records};
use api_shared::ApiError;
use server::App;
use state::{StateError, random_id};

/// A running or finished task. A finished task is kept until the next task of its kind begins.
#[derive(Debug, Clone, Serialize)]
pub struct Deed {
    id: String,
    kind: &'static str,
    began: Timestamp,
    ended: Option<Timestamp>,
    progress: Value,
    done: Option<Value>,
    trouble: Option<Trouble>,
    #[serde(skip)]
    stop: Stop,
}

/// A flag that asks a task to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The description of a task, for the page and the journal.
pub struct About {
    pub kind: &'static str,
    /// The target of the task. None if the journal does not record the task.
    pub subject: Option<String>,
}

/// The last task of each kind.
#[derive(Default)]
pub struct Deeds(Mutex<Vec<Deed>>);

impl Deeds {
    /// Starts a task and returns it. Returns a 409 while another task runs.
    pub fn begin(
        self: &Arc<Self>,
        app: &Arc<App>,
        about: About,
        work: impl FnOnce(&dyn Fn(Value), &Stop) -> Result<Value, Trouble> + Send + 'static,
    ) -> Result<Deed, ApiError> {
        let deed = Deed {
            id: random_id()?,
            kind: about.kind,
            began: Timestamp::now(),
            ended: None,
            progress: Value::Null,
            done: None,
            trouble: None,
            stop: Stop::default(),
        };
        {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(other) = all.iter().find(|deed| deed.ended.is_none()) {
                let words =
                    format!("a {} is still running: wait until it has finished", other.kind);
                return Err(ApiError::conflict(words));
            }
            all.retain(|other| other.kind != deed.kind);
            all.push(deed.clone());
        }
        let (deeds, app) = (Arc::clone(self), Arc::clone(app));
        let (id, stop) = (deed.id.clone(), deed.stop.clone());
        thread::spawn(move || {
            let tell = |progress| deeds.change(&id, |deed| deed.progress = progress);
            let lost = || {
                Trouble::new("the server failed unexpectedly: check what was done, and try again")
            };
            let work = std::panic::AssertUnwindSafe(|| work(&tell, &stop));
            let came = std::panic::catch_unwind(work).unwrap_or_else(|_| Err(lost()));
            let noted = note(&app, about, came.is_ok());
            deeds.change(&id, |deed| {
                deed.ended = Some(Timestamp::now());
                match came {
                    Ok(mut done) => {
                        if let Err(error) = noted {
                            done["unnoted"] = error.to_string().into();
                        }
                        deed.done = Some(done);
                    }
                    Err(trouble) => deed.trouble = Some(trouble),
                }
            });
        });
        Ok(deed)
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Deed)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(deed) = all.iter_mut().find(|deed| deed.id == id) {
            change(deed);
        }
    }

    /// Asks a task to stop, which may take some time. Returns None if there is no such task.
    pub fn stop(&self, id: &str) -> Option<Deed> {
        let deed = self.find(id)?;
        deed.stop.set();
        Some(deed)
    }

    /// Returns the current state of a task.
    pub fn find(&self, id: &str) -> Option<Deed> {
        self.all().into_iter().find(|deed| deed.id == id)
    }

    /// Returns the last task of each kind.
    pub fn all(&self) -> Vec<Deed> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }
}

/// Records a task in the journal. Records a failed task, too, because it may have been done in
/// part.
fn note(app: &App, about: About, is_done: bool) -> Result<(), StateError> {
    let Some(subject) = about.subject else {
        return Ok(());
    };
    let operation = match is_done {
        true => about.kind.to_owned(),
        false => format!("{}Failed", about.kind),
    };
    records::note(app, EDITOR, operation, subject)
}
