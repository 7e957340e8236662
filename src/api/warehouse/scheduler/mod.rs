//! Starts jobs, runs them in parallel and cancels them. `recovery` resumes jobs after a restart.

mod recovery;
mod spooled_file;

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::configuration::{Configuration, Origin, TypedFields, Work};
use super::grants::Grants;
use super::job_resource::{Job, JobDetails, JobOutcome};
use super::recent_inserts::RecentInserts;
use super::run::{self, JobContext};
use local::make_folders;
use server::App;
pub use spooled_file::SpooledFile;
use state::{JobRecord, JobState, StateError};
use tables::open_warehouse;
use warehouse::{Control, Fault, Reason, Stop, Store};

/// How long the result of a query without a destination table is kept.
pub const RESULT_RETENTION: Duration = Duration::from_hours(24);
/// The interval at which a waiting job checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of attempts to record the end of a job, and the pause after a failed attempt.
const MAX_RECORD_ATTEMPTS: usize = 3600;
const RECORD_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Maximum length of a job id, in bytes.
const MAX_ID_LENGTH: usize = 1024;

/// The jobs of a site. Clones share the same jobs.
#[derive(Clone)]
pub struct Scheduler(Arc<Shared>);

struct Shared {
    root: PathBuf,
    store: Mutex<Option<Store>>,
    /// The controls that stop unfinished jobs, by project and job id.
    running: Mutex<HashMap<(String, String), Control>>,
    slots: Arc<Semaphore>,
    /// Recently inserted rows.
    recent: RecentInserts,
    /// The number of jobs that have ended. Requests that wait for a job are notified when it
    /// changes.
    ended: watch::Sender<u64>,
    /// A shared lock that is held while this process runs jobs. It prevents other processes from
    /// recovering the unfinished jobs of this process.
    lock: Mutex<Option<File>>,
}

pub struct JobRequest<'a> {
    /// The project in the request's path.
    pub project: &'a str,
    /// The Job resource that the client sent.
    pub job: &'a Value,
    /// The data that was sent with the job.
    pub data: Option<SpooledFile>,
    /// The id of the key that starts the job.
    pub owner: &'a str,
    /// The rights that the key grants to the job.
    pub grants: Grants,
}

impl Scheduler {
    /// Creates the scheduler for the site at `root`. Does not write to the disk.
    pub fn new(root: &Path) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        Self(Arc::new(Shared {
            root: root.to_owned(),
            store: Mutex::default(),
            running: Mutex::default(),
            slots: Arc::new(Semaphore::new(cores)),
            recent: RecentInserts::default(),
            ended: watch::Sender::new(0),
            lock: Mutex::default(),
        }))
    }

    pub fn store(&self) -> Result<Store, Fault> {
        let mut store = locked(&self.0.store);
        match &*store {
            Some(store) => Ok(store.clone()),
            None => Ok(store.insert(open_warehouse(&self.0.root)?).clone()),
        }
    }

    /// Returns the recently inserted rows.
    pub fn recent(&self) -> &RecentInserts {
        &self.0.recent
    }

    /// Returns the folder for uploaded data. Creates the folder if necessary.
    pub fn spool(&self) -> Result<PathBuf, Fault> {
        let folder = self.0.root.join(".feedwright/warehouse/spool");
        make_folders(&folder).map_err(Fault::internal)?;
        Ok(folder)
    }

    /// Returns a receiver that is notified whenever a job has ended.
    pub fn ended(&self) -> watch::Receiver<u64> {
        self.0.ended.subscribe()
    }

    /// Returns a job, or an error if the job does not exist.
    pub fn get(&self, app: &App, project: &str, id: &str) -> Result<Job, Fault> {
        let found = app.state.job(project, id).map_err(state)?;
        Job::read(found.ok_or_else(|| job_not_found(project, id))?)
    }

    /// Stops a job that has not ended. Its state changes shortly afterwards.
    pub fn cancel(&self, app: &App, project: &str, id: &str) -> Result<Job, Fault> {
        let job = self.get(app, project, id)?;
        if let Some(control) = locked(&self.0.running).get(&(project.to_owned(), id.to_owned())) {
            control.stop(Stop::Cancelled);
        }
        Ok(job)
    }

    /// Stops all jobs because the program is ending. The next process runs the jobs that have not
    /// started yet.
    pub fn shut_down(&self) {
        for control in locked(&self.0.running).values() {
            control.stop(Stop::Ending);
        }
        *locked(&self.0.lock) = None;
    }

    /// Starts a job and returns its state at that time. Blocks on disk access.
    pub fn start(&self, app: &Arc<App>, start: JobRequest<'_>) -> Result<Job, Fault> {
        let nothing = Value::Object(serde_json::Map::new());
        let reference = Some(&start.job["jobReference"]).filter(|reference| !reference.is_null());
        let reference = TypedFields::of(reference.unwrap_or(&nothing), "jobReference")?;
        reference.check_unused(&["projectId"], &[], &[])?;
        let id = match reference.text("jobId")?.filter(|id| !id.is_empty()) {
            Some(id) => valid_id(id)?.to_owned(),
            None => new_id()?,
        };
        let location = reference.text("location")?.unwrap_or("local");
        let given = &start.job["configuration"];
        let origin = Origin { project: start.project, job: &id, has_data: start.data.is_some() };
        let configuration = Configuration::read(given, origin)?;
        configuration.work.check(start.grants)?;
        let statistics = self.dry_run(app, &configuration.work, &start)?;
        let mut job = Job {
            record: JobRecord {
                number: 0,
                project: start.project.to_owned(),
                id,
                owner: start.owner.to_owned(),
                configuration: given.to_string(),
                details: String::new(),
                state: JobState::Pending,
                outcome: None,
                created: Timestamp::now(),
                started: None,
                ended: None,
            },
            details: JobDetails {
                location: location.to_owned(),
                grants: start.grants,
                data: None,
                statistics,
            },
            outcome: JobOutcome::default(),
        };
        if configuration.is_dry_run {
            job.record.state = JobState::Done;
            return Ok(job);
        }
        let data = start.data;
        job.details.data = data.as_ref().and_then(SpooledFile::name);
        job.record.details = serde_json::to_string(&job.details).map_err(Fault::internal)?;
        self.register_process()?;
        let control = Control::default();
        let name = (job.record.project.clone(), job.record.id.clone());
        if !app.state.add_job(&job.record).map_err(state)? {
            return Err(Fault::new(
                Reason::Duplicate,
                format!("the job {}:{} already exists", name.0, name.1),
            ));
        }
        // The state database now refers to the file, so the file must be kept.
        data.and_then(SpooledFile::keep);
        locked(&self.0.running).insert(name, control.clone());
        self.spawn(Arc::clone(app), job.clone(), control);
        Ok(job)
    }

    /// Returns the statistics that are known before a job runs. Returns an error if the job is
    /// invalid.
    fn dry_run(&self, app: &App, work: &Work, start: &JobRequest<'_>) -> Result<Value, Fault> {
        match work {
            Work::Query(work) => {
                let summary = run::dry_run(app, &self.store()?, start.project, work)?;
                if summary.writes {
                    let what = format!("run {}", summary.statement);
                    Grants::require_grant(start.grants.writes_tables, &what)?;
                }
                Ok(run::job_statistics(run::statistics(start.project, &summary)))
            }
            Work::Load(_) | Work::Extract(_) | Work::Copy(_) => Ok(Value::Null),
        }
    }

    /// Runs a job as soon as a slot is free.
    fn spawn(&self, app: Arc<App>, job: Job, control: Control) {
        let jobs = self.clone();
        let slots = Arc::clone(&self.0.slots);
        tokio::spawn(async move {
            let name = (job.record.project.clone(), job.record.id.clone());
            let _slot = free_slot(slots, &control).await;
            // The next process runs the job.
            if control.is_ending() {
                return;
            }
            let own = (jobs.clone(), Arc::clone(&app), job.clone(), control.clone());
            let ran = tokio::task::spawn_blocking(move || own.0.run(&own.1, &own.2, &own.3)).await;
            let outcome = ran
                .unwrap_or_else(|_| Some(JobOutcome::failed(&Fault::internal("the job failed"))));
            let _ = tokio::task::spawn_blocking(move || {
                if let Some(outcome) = outcome {
                    jobs.end_with_retries(&app, &job, &outcome, &control);
                }
                locked(&jobs.0.running).remove(&name);
                jobs.0.ended.send_modify(|count| *count += 1);
            })
            .await;
        });
    }

    /// Runs a job. Returns None if another process has already started the job.
    fn run(&self, app: &App, job: &Job, control: &Control) -> Option<JobOutcome> {
        let record = &job.record;
        let run = || {
            control.check()?;
            let store = self.store()?;
            let begun = app.state.begin_job(&record.project, &record.id, Timestamp::now());
            if !begun.map_err(state)? {
                return Ok(None);
            }
            let given: Value =
                serde_json::from_str(&record.configuration).map_err(Fault::internal)?;
            let origin = Origin {
                project: &record.project,
                job: &record.id,
                has_data: job.details.data.is_some(),
            };
            let configuration = Configuration::read(&given, origin)?;
            let data = self.data(job)?;
            run::run(
                &configuration,
                &JobContext {
                    app,
                    store: &store,
                    job: &applied_name(record),
                    project: &record.project,
                    details: &job.details,
                    data: data.as_deref(),
                    control: &control.within(configuration.limit),
                },
            )
            .map(Some)
        };
        run().unwrap_or_else(|fault| Some(JobOutcome::failed(&fault)))
    }

    /// Returns the file with a job's data.
    fn data(&self, job: &Job) -> Result<Option<PathBuf>, Fault> {
        let name = job.details.data.as_ref();
        name.map(|name| Ok(self.spool()?.join(name))).transpose()
    }

    /// Records the outcome of a job. Retries while the state database cannot be written, for
    /// example because the disk is full. Without retries, clients of the job would wait forever.
    fn end_with_retries(&self, app: &App, job: &Job, outcome: &JobOutcome, control: &Control) {
        for _ in 0..MAX_RECORD_ATTEMPTS {
            if self.end(app, job, outcome) || control.is_ending() {
                return;
            }
            std::thread::sleep(RECORD_RETRY_DELAY);
        }
    }

    /// Records the outcome of a job, and removes its data. Returns false if the state database
    /// could not be written.
    fn end(&self, app: &App, job: &Job, outcome: &JobOutcome) -> bool {
        let record = &job.record;
        let text = serde_json::to_string(outcome).unwrap_or_else(|_| "{}".into());
        let ended = app.state.end_job(&record.project, &record.id, &text, Timestamp::now());
        if ended.is_ok()
            && let Ok(Some(file)) = self.data(job)
        {
            let _ = fs::remove_file(file);
        }
        ended.is_ok()
    }
}

/// Waits for a free slot. Returns None if the job is stopped before it gets a slot.
async fn free_slot(slots: Arc<Semaphore>, control: &Control) -> Option<OwnedSemaphorePermit> {
    let free_slot = slots.acquire_owned();
    tokio::pin!(free_slot);
    loop {
        tokio::select! {
            free_slot = &mut free_slot => return free_slot.ok(),
            () = tokio::time::sleep(POLL_INTERVAL) => {
                if control.check().is_err() {
                    return None;
                }
            }
        }
    }
}

/// Returns the name that identifies a job in datasets. The name includes the creation time, because
/// a deleted job may have had the same id.
fn applied_name(record: &JobRecord) -> String {
    let created = record.created.as_millisecond();
    format!("{}:{}@{created}", record.project, record.id)
}

/// Validates a job id from a client: letters, digits, underscores and dashes.
fn valid_id(id: &str) -> Result<&str, Fault> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if id.len() <= MAX_ID_LENGTH && id.chars().all(is_part) {
        Ok(id)
    } else {
        Err(Fault::invalid(format!(
            "invalid job id {id:?}: use at most {MAX_ID_LENGTH} letters, digits, underscores and dashes"
        ))
        .at("jobReference.jobId"))
    }
}

fn new_id() -> Result<String, Fault> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(Fault::internal)?;
    Ok(format!("job_{:032x}", u128::from_ne_bytes(random)))
}

/// Returns the error for a job that does not exist.
pub fn job_not_found(project: &str, id: &str) -> Fault {
    Fault::not_found(format!("job not found: {project}:{id}"))
}

fn state(error: StateError) -> Fault {
    Fault::internal(error)
}

/// Locks a mutex, even if it is poisoned. A panic leaves no inconsistent data behind these locks.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
