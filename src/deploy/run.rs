//! Does what a plan says.

use std::thread;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::{Entry, Fault, LocalFile, Plan, RECORD, Record, Stage, Stored, Target};
use crate::build::Progress;

/// Most files, and about the most bytes, that are put before the record is told.
const BATCH: (usize, u64) = (200, 64 * 1024 * 1024);

/// How long to wait before each further attempt.
const WAITS: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(8),
];

/// The record is written again when this long has passed, and ten times as long as writing it takes.
const BETWEEN_NOTES: Duration = Duration::from_secs(5);

/// What a deploy did.
#[derive(Debug, Clone, Default)]
pub struct Deployed {
    /// The files that were put.
    pub put: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
    pub deleted: usize,
}

impl Deployed {
    /// What a host did that takes a site as a whole, and which of its files it was sent.
    pub fn of_whole(plan: &Plan<'_>, sent: &[&LocalFile]) -> Self {
        Self {
            put: plan.put.iter().map(|put| put.file.path.clone()).collect(),
            bytes: sent.iter().map(|file| file.length).sum(),
            deleted: plan.delete.len(),
        }
    }
}

/// Looks at a place and says what is to be done there.
pub fn look<'a>(
    target: &mut dyn Target,
    here: &'a [LocalFile],
    stored: &Stored,
    (now, keep_days): (Timestamp, u16),
) -> Result<Plan<'a>, Fault> {
    let known = read_record(target)?;
    let mut there = again(|| target.list())?;
    there.retain(|file| file.path != RECORD);
    let keep = SignedDuration::from_hours(24 * i64::from(keep_days));
    let keeps_fields = target.keeps_fields();
    for (path, length) in stored {
        let found = there.iter().find(|file| file.path == *path);
        if found.is_none_or(|file| file.length != *length) {
            return Err(Fault::not_stored(path, found.map(|file| file.length)));
        }
    }
    Ok(Plan::of(
        (here, stored),
        &there,
        &known,
        (now, keep),
        keeps_fields,
    ))
}

fn read_record(target: &mut dyn Target) -> Result<Record, Fault> {
    let bytes = again(|| target.read(RECORD))?;
    bytes.map_or_else(|| Ok(Record::default()), |bytes| Record::parse(&bytes))
}

/// Does what a plan says. After an error or a kill, what was done stays, and a new plan holds the rest.
pub fn deploy(
    target: &mut dyn Target,
    plan: Plan<'_>,
    progress: &dyn Progress,
) -> Result<Deployed, Fault> {
    if plan.is_done() {
        return Ok(Deployed::default());
    }
    let mut run = Run {
        target,
        record: plan.record,
        progress,
        noted: Instant::now(),
        between: BETWEEN_NOTES,
        done: Deployed::default(),
    };
    run.record.deploy = crate::edit::new_id().to_string();
    // Before the first file is touched: after a kill, nobody believes what was said of those files.
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
        // What comes next names these files: they are there from now on.
        run.note()?;
    }
    run.delete(&plan.delete)?;
    run.finish()?;
    progress.finish();
    Ok(run.done)
}

struct Run<'a> {
    target: &'a mut dyn Target,
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
            };
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

    /// Writes the record as it is now, where a kill leaves what was put.
    fn note(&mut self) -> Result<(), Fault> {
        if self.target.is_atomic() {
            return Ok(());
        }
        self.write_record()
    }

    fn write_record(&mut self) -> Result<(), Fault> {
        let start = Instant::now();
        let bytes = self.record.bytes();
        again(|| self.target.write(RECORD, &bytes))?;
        self.noted = Instant::now();
        self.between = BETWEEN_NOTES.max(10 * start.elapsed());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if !self.target.is_atomic() && read_record(self.target)?.deploy != self.record.deploy {
            return Err(Fault::lasting(
                "another deploy to the same place ran meanwhile",
                "deploy again when it has ended: what is there may be a mixture of both",
            ));
        }
        self.write_record()?;
        again(|| self.target.finish())
    }
}

/// Files in groups that are sent together: at most so many, and about so many bytes.
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

/// Tries a few times what may pass.
fn again<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    for wait in WAITS {
        match attempt() {
            Err(fault) if fault.may_pass => thread::sleep(wait),
            done => return done,
        }
    }
    attempt()
}
