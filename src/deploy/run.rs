//! Executes a plan.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use super::foreign_files;
use super::notify::is_news;
use super::{Entry, Fault, LocalFile, Plan, RECORD, Record, Stage, Target, Terms};
use builder::Progress;

/// Maximum number of files in a batch, and its approximate maximum size in bytes. The record may be
/// updated after each batch.
const BATCH: (usize, u64) = (200, 64 * 1024 * 1024);

/// The delays before the second, third and fourth attempt.
const RETRY_DELAYS: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(8)];

/// Minimum time between two updates of the record. The time is also at least ten times as long as
/// the last update took.
const RECORD_INTERVAL: Duration = Duration::from_secs(5);

/// The result of a deploy to one destination.
#[derive(Debug, Clone, Default)]
pub struct Deployed {
    /// The files that were uploaded.
    pub put: Vec<String>,
    /// The total size of the uploaded files in bytes.
    pub bytes: u64,
    pub deleted: usize,
    /// Files that are new to visitors and have not been announced yet. They come from this deploy
    /// or from interrupted deploys.
    pub untold: Vec<String>,
}

impl Deployed {
    /// Returns the result of a deploy to a host that publishes a whole site. `sent` contains the
    /// files that were sent, and `untold` the files that are new to visitors.
    pub fn for_whole_site(plan: &Plan<'_>, sent: &[&LocalFile], untold: Vec<String>) -> Self {
        Self {
            untold,
            put: plan.put.iter().map(|put| put.file.path.clone()).collect(),
            bytes: sent.iter().map(|file| file.length).sum(),
            deleted: plan.delete.len(),
        }
    }
}

/// Examines a destination and returns the plan for it.
pub fn make_plan<'a>(
    target: &mut dyn Target,
    output_files: &'a [LocalFile],
    terms: &Terms<'_>,
) -> Result<Plan<'a>, Fault> {
    let known = read_record(target)?;
    if !known.site.is_empty() && known.site != terms.site && !terms.takes_over {
        return Err(Fault::contains_other_site(&known.site, terms.site));
    }
    let mut remote = with_retries(|| target.list())?;
    remote.retain(|file| file.path != RECORD);
    let mut terms = terms.clone();
    terms.separate.extend(foreign_files::places(&remote));
    let mut separate =
        output_files.iter().filter_map(|file| Some((file, terms.separate(&file.path)?)));
    if let Some((file, folder)) = separate.next() {
        return Err(Fault::separate(&file.path, folder));
    }
    let lengths = remote.iter().map(|file| (&*file.path, file.length));
    let lengths: HashMap<&str, u64> = lengths.collect();
    for (path, length) in terms.stored {
        let found = lengths.get(&**path).copied();
        if found != Some(*length) {
            return Err(Fault::not_stored(path, found));
        }
    }
    let plan = Plan::of(output_files, &remote, &known, &terms, target.stores_headers());
    if target.has_folders() {
        foreign_files::refuse_overwrites(&remote, &target.links(), &plan)?;
    }
    Ok(plan)
}

fn read_record(target: &mut dyn Target) -> Result<Record, Fault> {
    let bytes = with_retries(|| target.read(RECORD))?;
    bytes.map_or_else(|| Ok(Record::default()), |bytes| Record::parse(&bytes))
}

/// Executes a plan. If this fails or is interrupted, completed steps stay, and a new plan contains
/// the remaining steps. If `announces` is true, new files stay recorded as unannounced until
/// [`mark_announced`] is called.
pub fn deploy(
    target: &mut dyn Target,
    plan: Plan<'_>,
    announces: bool,
    progress: &dyn Progress,
) -> Result<Deployed, Fault> {
    if plan.is_done() {
        return Ok(Deployed::default());
    }
    let mut run = Run {
        target,
        looked_at: plan.record.deploy.clone(),
        record: plan.record,
        progress,
        noted: Instant::now(),
        between: RECORD_INTERVAL,
        done: Deployed::default(),
    };
    run.record.deploy = edit::new_id().to_string();
    // The record is written before the first file changes. If the deploy is interrupted, the record
    // has no outdated entries for files that have already changed.
    run.note()?;
    run.delete(&plan.clear)?;
    for stage in Stage::ALL {
        let files = plan.put.iter().map(|put| put.file);
        let files: Vec<&LocalFile> = files.filter(|file| file.stage == stage).collect();
        if files.is_empty() {
            continue;
        }
        let length = files.iter().map(|file| file.length).sum();
        progress.moving(stage.name(), length);
        for batch in batches(&files, BATCH, |file| file.length) {
            run.put(&batch)?;
        }
        // The record is updated after each stage, because files of the next stage may link to these
        // files.
        run.note()?;
    }
    run.delete(&plan.delete)?;
    run.done.untold = run.record.untold.iter().cloned().collect();
    // The record cannot be written a second time if the destination publishes everything at once.
    if !announces || run.target.is_atomic() {
        run.record.untold.clear();
    }
    run.write_record()?;
    with_retries(|| run.target.finish())?;
    progress.finish();
    Ok(run.done)
}

/// Records that these files were announced. The record is read again, because another deploy may
/// have changed it in the meantime.
pub fn mark_announced(target: &mut dyn Target, files: &[String]) -> Result<(), Fault> {
    if target.is_atomic() || files.is_empty() {
        return Ok(());
    }
    let mut record = read_record(target)?;
    for path in files {
        record.untold.remove(path);
    }
    with_retries(|| target.write(RECORD, &record.bytes()))
}

struct Run<'a> {
    target: &'a mut dyn Target,
    /// The id of the deploy that wrote the record from which the plan was made.
    looked_at: String,
    record: Record,
    progress: &'a dyn Progress,
    noted: Instant,
    between: Duration,
    done: Deployed,
}

impl Run<'_> {
    fn put(&mut self, files: &[&LocalFile]) -> Result<(), Fault> {
        let progress = self.progress;
        let tags = with_retries(|| self.target.put(files, &|bytes| progress.moved(bytes)))?;
        let stores_headers = self.target.stores_headers();
        for (file, tag) in files.iter().zip(tags) {
            if !file.is_unchanged() {
                return Err(Fault::changed(&file.path));
            }
            let entry = Entry {
                hash: file.hash.clone(),
                length: file.length,
                tag,
                sent_as: match stores_headers {
                    true => Entry::fields(&file.sent_as),
                    false => String::new(),
                },
                unwanted: None,
                former: self.record.files.remove(&file.path).unwrap_or_default().former,
            };
            if is_news(&file.path) {
                self.record.untold.insert(file.path.clone());
            }
            self.record.files.insert(file.path.clone(), entry);
            self.done.put.push(file.path.clone());
            self.done.bytes += file.length;
        }
        if self.noted.elapsed() >= self.between {
            self.note()?;
        }
        Ok(())
    }

    fn delete(&mut self, paths: &[String]) -> Result<(), Fault> {
        for batch in paths.chunks(BATCH.0) {
            let names: Vec<&str> = batch.iter().map(String::as_str).collect();
            with_retries(|| self.target.delete(&names))?;
            for path in batch {
                self.record.files.remove(path);
            }
            self.done.deleted += batch.len();
        }
        Ok(())
    }

    /// Writes the current record, unless all files are published at once.
    fn note(&mut self) -> Result<(), Fault> {
        if self.target.is_atomic() {
            return Ok(());
        }
        self.write_record()
    }

    fn write_record(&mut self) -> Result<(), Fault> {
        let start = Instant::now();
        if !self.target.is_atomic() {
            let remote = read_record(self.target)?;
            if ![&self.looked_at, &self.record.deploy].contains(&&remote.deploy) {
                return Err(self.concurrent_deploy_fault(remote));
            }
        }
        let bytes = self.record.bytes();
        with_retries(|| self.target.write(RECORD, &bytes))?;
        self.noted = Instant::now();
        self.between = RECORD_INTERVAL.max(10 * start.elapsed());
        Ok(())
    }

    /// Returns the fault for a concurrent deploy. The record of the other deploy is kept. Files
    /// that only this deploy uploaded are added to it, so that a later deploy recognizes them as
    /// files of the site.
    fn concurrent_deploy_fault(&mut self, mut remote: Record) -> Fault {
        let known = remote.files.len();
        for path in &self.done.put {
            remote.files.entry(path.clone()).or_default();
        }
        if remote.files.len() > known {
            // An error from this write is ignored, because the concurrent deploy is the more
            // important error.
            let _ = with_retries(|| self.target.write(RECORD, &remote.bytes()));
        }
        Fault::permanent(
            "another deploy to the same destination ran at the same time",
            "deploy again when it has ended: the destination may contain a mixture of both deploys",
        )
    }
}

/// Splits files into batches that are sent together. `most` contains the maximum number of files in
/// a batch and its approximate maximum size in bytes.
pub fn batches<T: Copy>(files: &[T], most: (usize, u64), length: impl Fn(T) -> u64) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut bytes = 0;
    for file in files {
        match batches.last_mut() {
            Some(batch) if batch.len() < most.0 && bytes + length(*file) <= most.1 => {
                batch.push(*file);
            }
            _ => {
                bytes = 0;
                batches.push(vec![*file]);
            }
        }
        bytes += length(*file);
    }
    batches
}

/// Runs an operation. After a temporary fault, the operation is retried a few times.
fn with_retries<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    for wait in RETRY_DELAYS {
        match attempt() {
            Err(fault) if fault.is_temporary => thread::sleep(wait),
            done => return done,
        }
    }
    attempt()
}
