//! Executes a plan.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use super::in_the_way;
use super::notify::is_news;
use super::{Entry, Fault, LocalFile, Plan, RECORD, Record, Stage, Target, Terms};
use builder::Progress;

/// Maximum number of files per batch, and its approximate maximum size in bytes. The record is
/// updated after each batch.
const BATCH: (usize, u64) = (200, 64 * 1024 * 1024);

/// The delay before each further attempt.
const WAITS: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(8)];

/// Minimum interval between two writes of the record. The interval is also at least ten times the
/// duration of a write.
const BETWEEN_NOTES: Duration = Duration::from_secs(5);

/// The result of a deploy.
#[derive(Debug, Clone, Default)]
pub struct Deployed {
    /// The files that were uploaded.
    pub put: Vec<String>,
    /// The total size of these files in bytes.
    pub bytes: u64,
    pub deleted: usize,
    /// Files that are new to visitors and not announced yet, both from this deploy and from
    /// interrupted ones.
    pub untold: Vec<String>,
}

impl Deployed {
    /// Returns the result of a deploy to a host that publishes a whole site. `sent` are the files
    /// sent to it, and `untold` the files that are new to visitors.
    pub fn of_whole(plan: &Plan<'_>, sent: &[&LocalFile], untold: Vec<String>) -> Self {
        Self {
            untold,
            put: plan.put.iter().map(|put| put.file.path.clone()).collect(),
            bytes: sent.iter().map(|file| file.length).sum(),
            deleted: plan.delete.len(),
        }
    }
}

/// Examines a destination and returns the plan for it.
pub fn look<'a>(
    target: &mut dyn Target,
    here: &'a [LocalFile],
    terms: &Terms<'_>,
) -> Result<Plan<'a>, Fault> {
    let known = read_record(target)?;
    if !known.site.is_empty() && known.site != terms.site && !terms.takes_over {
        return Err(Fault::of_another_site(&known.site, terms.site));
    }
    let mut there = again(|| target.list())?;
    there.retain(|file| file.path != RECORD);
    let mut terms = terms.clone();
    terms.apart.extend(in_the_way::places(&there));
    let mut apart = here.iter().filter_map(|file| Some((file, terms.apart(&file.path)?)));
    if let Some((file, folder)) = apart.next() {
        return Err(Fault::apart(&file.path, folder));
    }
    let lengths = there.iter().map(|file| (&*file.path, file.length));
    let lengths: HashMap<&str, u64> = lengths.collect();
    for (path, length) in terms.stored {
        let found = lengths.get(&**path).copied();
        if found != Some(*length) {
            return Err(Fault::not_stored(path, found));
        }
    }
    let plan = Plan::of(here, &there, &known, &terms, target.keeps_fields());
    if target.has_folders() {
        in_the_way::refuse(&there, &target.links(), &plan)?;
    }
    Ok(plan)
}

fn read_record(target: &mut dyn Target) -> Result<Record, Fault> {
    let bytes = again(|| target.read(RECORD))?;
    bytes.map_or_else(|| Ok(Record::default()), |bytes| Record::parse(&bytes))
}

/// Executes a plan. After an error or a kill, completed steps stay, and a new plan contains the
/// rest. If `tells` is true, new files stay recorded as unannounced until [`told`].
pub fn deploy(
    target: &mut dyn Target,
    plan: Plan<'_>,
    tells: bool,
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
        between: BETWEEN_NOTES,
        done: Deployed::default(),
    };
    run.record.deploy = edit::new_id().to_string();
    // Written before the first file is touched, so that after a kill no outdated entry of these
    // files is trusted.
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
        // The files of the next stage link to these files, which exist now.
        run.note()?;
    }
    run.delete(&plan.delete)?;
    run.done.untold = run.record.untold.iter().cloned().collect();
    // A destination that publishes everything at once cannot write the record a second time.
    if !tells || run.target.is_atomic() {
        run.record.untold.clear();
    }
    run.write_record()?;
    again(|| run.target.finish())?;
    progress.finish();
    Ok(run.done)
}

/// Records that these files were announced. Another deploy may have uploaded more files meanwhile.
pub fn told(target: &mut dyn Target, files: &[String]) -> Result<(), Fault> {
    if target.is_atomic() || files.is_empty() {
        return Ok(());
    }
    let mut record = read_record(target)?;
    for path in files {
        record.untold.remove(path);
    }
    again(|| target.write(RECORD, &record.bytes()))
}

struct Run<'a> {
    target: &'a mut dyn Target,
    /// The id of the deploy whose record the plan is based on.
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
        let tags = again(|| self.target.put(files, &|bytes| progress.moved(bytes)))?;
        let keeps_fields = self.target.keeps_fields();
        for (file, tag) in files.iter().zip(tags) {
            if !file.is_unchanged() {
                return Err(Fault::changed(&file.path));
            }
            let entry = Entry {
                hash: file.hash.clone(),
                length: file.length,
                tag,
                sent_as: match keeps_fields {
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
            again(|| self.target.delete(&names))?;
            for path in batch {
                self.record.files.remove(path);
            }
            self.done.deleted += batch.len();
        }
        Ok(())
    }

    /// Writes the current record, unless the destination publishes everything at once.
    fn note(&mut self) -> Result<(), Fault> {
        if self.target.is_atomic() {
            return Ok(());
        }
        self.write_record()
    }

    fn write_record(&mut self) -> Result<(), Fault> {
        let start = Instant::now();
        if !self.target.is_atomic() {
            let there = read_record(self.target)?;
            if ![&self.looked_at, &self.record.deploy].contains(&&there.deploy) {
                return Err(self.give_way(there));
            }
        }
        let bytes = self.record.bytes();
        again(|| self.target.write(RECORD, &bytes))?;
        self.noted = Instant::now();
        self.between = BETWEEN_NOTES.max(10 * start.elapsed());
        Ok(())
    }

    /// Returns the fault for a concurrent deploy. That deploy's record stays. The files that only
    /// this deploy uploaded are added to it, so that a later deploy recognizes them as files of the
    /// site.
    fn give_way(&mut self, mut there: Record) -> Fault {
        let known = there.files.len();
        for path in &self.done.put {
            there.files.entry(path.clone()).or_default();
        }
        if there.files.len() > known {
            // The fault of the concurrent deploy is more important than this one.
            let _ = again(|| self.target.write(RECORD, &there.bytes()));
        }
        Fault::lasting(
            "another deploy to the same destination ran at the same time",
            "deploy again when it has ended: the destination may contain a mixture of both",
        )
    }
}

/// Splits files into batches that are sent together. `most` is the maximum number of files, and the
/// approximate maximum size in bytes.
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

/// Retries an operation a few times if its fault may be temporary.
fn again<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    for wait in WAITS {
        match attempt() {
            Err(fault) if fault.may_pass => thread::sleep(wait),
            done => return done,
        }
    }
    attempt()
}
