//! Recovery after a restart: resumes jobs that have not ended, and removes uploaded data that is no
//! longer needed.
//!
//! A lock on `jobs.lock` shows whether another process runs jobs of the same site. Every process
//! that runs jobs holds a shared lock. Only a process that holds an exclusive lock may determine
//! the outcome of jobs of other processes.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{RESULT_RETENTION, Scheduler, applied_name, locked, state};
use crate::job_resource::{Job, JobOutcome};
use crate::run;
use server::{App, ServeEvent};
use state::{JobRecord, JobState};
use warehouse::{Control, DatasetId, Fault, Reason, Store};

/// Age at which uploaded data counts as abandoned.
const SPOOL_RETENTION: Duration = Duration::from_hours(24 * 8);

impl Scheduler {
    /// Resumes the unfinished jobs of the previous process. Returns before the server answers its
    /// first request, so that no job of this process is resumed. The resumed jobs run in the
    /// background.
    pub async fn resume_jobs(&self, app: &Arc<App>) {
        let (jobs, own) = (self.clone(), Arc::clone(app));
        let taken = tokio::task::spawn_blocking(move || jobs.recover(&own));
        if let Ok(Err(fault)) = taken.await {
            let message = format!(
                "the unfinished warehouse jobs of the previous run were not resumed: {fault}"
            );
            app.live.announce(ServeEvent::Refused(message));
        }
    }

    /// Resumes the unfinished jobs of the previous process, before this process starts any job.
    /// Pending jobs are run. Running jobs count as failed, unless their transaction was committed.
    fn recover(&self, app: &Arc<App>) -> Result<(), Fault> {
        if !self.0.root.join(".feedwright/warehouse").is_dir() {
            return Ok(());
        }
        let Some(exclusive_lock) = self.exclusive_lock()? else {
            return self.register_process();
        };
        let unfinished = app.state.unfinished_jobs().map_err(state)?;
        let store = self.store()?;
        let _ = store.sweep(RESULT_RETENTION);
        if let Ok(spool) = self.spool() {
            sweep(&spool);
        }
        for record in unfinished {
            let job = Job::read(record)?;
            if job.record.state == JobState::Pending {
                let control = Control::default();
                let name = (job.record.project.clone(), job.record.id.clone());
                locked(&self.0.running).insert(name, control.clone());
                self.spawn(Arc::clone(app), job, control);
                continue;
            }
            let outcome = match applied(&store, &job.record) {
                Ok(Some(applied)) => run::recovered_outcome(&applied),
                Ok(None) => JobOutcome::failed(&Fault::new(
                    Reason::Stopped,
                    "the server was restarted while the job was running; nothing was written: start the job again",
                )),
                Err(fault) => JobOutcome::failed(&fault),
            };
            self.end(app, &job, &outcome);
        }
        exclusive_lock.unlock().map_err(Fault::internal)?;
        self.register_process()
    }

    /// Returns the lock file, locked exclusively. While the lock is held, no process runs jobs, so
    /// jobs that have not ended can be recovered. Returns None if this or another process runs
    /// jobs.
    fn exclusive_lock(&self) -> Result<Option<File>, Fault> {
        let lock = locked(&self.0.lock);
        let file = self.lock_file()?;
        let is_alone = lock.is_none() && file.try_lock().is_ok();
        Ok(is_alone.then_some(file))
    }

    /// Acquires the shared lock of a process that runs jobs. Waits while another process recovers
    /// jobs.
    pub(super) fn register_process(&self) -> Result<(), Fault> {
        let mut lock = locked(&self.0.lock);
        if lock.is_none() {
            let file = self.lock_file()?;
            file.lock_shared().map_err(Fault::internal)?;
            *lock = Some(file);
        }
        Ok(())
    }

    fn lock_file(&self) -> Result<File, Fault> {
        let file = self.store()?.folder().join("jobs.lock");
        let mut options = File::options();
        let opened = options.create(true).append(true).open(file);
        opened.map_err(Fault::internal)
    }
}

/// Returns the outcome recorded in a job's transaction, or None if the transaction was not
/// committed.
fn applied(store: &Store, record: &JobRecord) -> Result<Option<String>, Fault> {
    let name = applied_name(record);
    for dataset in store.datasets()? {
        // A dataset with a damaged file must not hide other datasets.
        if let Ok(Some(applied)) = store.applied(&dataset.id, &name) {
            return Ok(Some(applied));
        }
    }
    // A query's result may be complete, but it is removed because no client knows about it.
    let own = format!("{}:{}", record.project, record.id);
    for job in [own, name] {
        let _ = store.remove_dataset(&DatasetId::of_job(&job), true);
    }
    Ok(None)
}

/// Removes abandoned uploads.
fn sweep(spool: &Path) {
    for entry in fs::read_dir(spool).into_iter().flatten().flatten() {
        let is_old = entry
            .metadata()
            .and_then(|facts| facts.modified())
            .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > SPOOL_RETENTION));
        if is_old {
            let _ = fs::remove_file(entry.path());
        }
    }
}
