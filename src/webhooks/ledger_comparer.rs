//! Maintains the ledger: compares it with snapshots, and queues messages about the differences.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;
use serde_json::Value;

use super::MAX_CHAIN_DEPTH;
use super::changes::{Change, changes, deletion};
use super::message::{Facts, with_facts};
use super::object::{Addresses, object};
use super::resource::{ResourceDescription, SnapshotResource, snapshot_resources};
use super::visibility::previous_status;
use local::local_folder;
use model::{Config, Endpoint};
use render::PublishedRecordings;
use site::Snapshot;
use state::{LedgerChange, NewMessage, Resource, State, StateError};

/// The exclusive right to compare the ledger with the site and to send messages. It is a locked
/// file, or `None` if the disk does not support locks. The operating system releases the lock when
/// the last clone is dropped, or when the process ends or crashes. Each attempt in progress has a
/// clone.
pub type SenderLock = Arc<Option<File>>;

/// Compares the ledger with the site. Only one process at a time has a comparer.
pub struct LedgerComparer {
    root: PathBuf,
    state: State,
    pub turn: SenderLock,
    /// The mark of each resource at the last comparison. `None` before the first comparison.
    marks: Option<Marks>,
}

/// The marks of resources, by kind and id.
type Marks = HashMap<&'static str, HashMap<String, Mark>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    mark: u64,
    is_public: bool,
}

/// The results of a comparison that are stored in the database.
#[derive(Default)]
struct ComparisonResult {
    ledger: Vec<LedgerChange>,
    messages: Vec<NewMessage>,
    cut: BTreeSet<String>,
}

impl LedgerComparer {
    /// Creates a comparer. Returns `None` if another process has one.
    pub fn take(root: &Path, state: &State) -> Result<Option<Self>, StateError> {
        let folder = local_folder(root).map_err(StateError::Folder)?;
        let file = File::options()
            .create(true)
            .append(true)
            .open(folder.join("webhooks.lock"))
            .map_err(StateError::Folder)?;
        let turn = match file.try_lock() {
            Ok(()) => Some(file),
            Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
            // The disk does not support locks, so no lock is used.
            Err(std::fs::TryLockError::Error(_)) => None,
        };
        state.resume_messages()?;
        Ok(Some(Self {
            root: root.to_owned(),
            state: state.clone(),
            turn: Arc::new(turn),
            marks: None,
        }))
    }

    /// Queues messages about changes since the last comparison, even if another process made that
    /// comparison. The first comparison of a site only fills the ledger. Returns the resources
    /// whose chains of events were cut off.
    pub fn queue_changes(
        &mut self,
        snapshot: &Snapshot,
        config: &Config,
        endpoints: &[Endpoint],
        now: Timestamp,
    ) -> Result<BTreeSet<String>, StateError> {
        let snapshot_resources = snapshot_resources(snapshot, now);
        let mut present = HashSet::with_capacity(snapshot_resources.len());
        // Two resources with the same id are an error in the site. Only the first one is used.
        let once = snapshot_resources.iter().filter(|one| present.insert((one.kind, &*one.id)));
        let differing: Vec<&SnapshotResource<'_>> =
            once.filter(|one| !self.is_marked(one)).collect();
        let described = differing
            .into_par_iter()
            .filter_map(|one| Some((one, one.describe(&self.root, config)?)));
        let described: Vec<(&SnapshotResource<'_>, ResourceDescription)> = described.collect();
        let rows = match &self.marks {
            Some(_) => None,
            None => Some(self.state.ledger_resources()?),
        };
        let is_first = matches!(rows, Some(None));
        let rows: Option<HashMap<(String, String), Resource>> = rows.map(|rows| {
            let rows = rows.unwrap_or_default().into_iter();
            rows.map(|row| ((row.kind.clone(), row.id.clone()), row)).collect()
        });
        let telling = Notifier {
            state: &self.state,
            endpoints: if is_first { &[] } else { endpoints },
            root: &self.root,
            addresses: Addresses {
                shown: &snapshot.config,
                published: config,
                recordings: PublishedRecordings::of(snapshot),
            },
            known_kinds: match (&rows, &self.marks) {
                (Some(rows), _) => rows.keys().map(|(kind, _)| kind.clone()).collect(),
                (None, Some(marks)) => marks.keys().map(|kind| (*kind).to_owned()).collect(),
                (None, None) => HashSet::new(),
            },
        };
        let mut notes = ComparisonResult::default();
        let mut marks = Vec::new();
        for (one, description) in described {
            let before = match &rows {
                Some(rows) => rows.get(&(one.kind.to_owned(), one.id.to_string())).cloned(),
                None => self.state.ledger_resource(one.kind, &one.id)?,
            };
            telling.record_change(one, before, &description, &mut notes)?;
            marks.push(one);
        }
        let deleted_resources =
            self.deleted_resources(&snapshot_resources, &present, rows.as_ref())?;
        for row in &deleted_resources {
            telling.record_deletion(row, &mut notes)?;
        }
        if is_first || !(notes.ledger.is_empty() && notes.messages.is_empty()) {
            self.state.record_resources(&notes.ledger, &notes.messages, now)?;
        }
        let known = self.marks.get_or_insert_default();
        for one in marks {
            let of_kind = known.entry(one.kind).or_default();
            of_kind.insert(one.id.to_string(), mark(one));
        }
        for row in deleted_resources {
            known.get_mut(&*row.kind).map(|of_kind| of_kind.remove(&row.id));
        }
        Ok(notes.cut)
    }

    fn is_marked(&self, one: &SnapshotResource<'_>) -> bool {
        let marks = self.marks.as_ref().and_then(|marks| marks.get(one.kind));
        marks.and_then(|marks| marks.get(&*one.id)) == Some(&mark(one))
    }

    /// Returns the resources in the ledger that no longer exist. If the file of a resource exists
    /// but currently cannot be read, the resource does not count as deleted.
    fn deleted_resources(
        &self,
        snapshot_resources: &[SnapshotResource<'_>],
        present: &HashSet<(&str, &str)>,
        rows: Option<&HashMap<(String, String), Resource>>,
    ) -> Result<Vec<Resource>, StateError> {
        let missing: Vec<Resource> = match rows {
            Some(rows) => {
                let rows = rows.values();
                rows.filter(|row| !present.contains(&(&*row.kind, &*row.id))).cloned().collect()
            }
            None => {
                let known = self.marks.iter().flatten();
                let known = known.flat_map(|(kind, ids)| ids.keys().map(move |id| (*kind, &**id)));
                let missing = known.filter(|one| !present.contains(one));
                let rows = missing.map(|(kind, id)| self.state.ledger_resource(kind, id));
                rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
            }
        };
        if missing.is_empty() {
            return Ok(missing);
        }
        let files: HashSet<&str> =
            snapshot_resources.iter().flat_map(SnapshotResource::files).collect();
        let is_broken =
            |row: &Resource| !files.contains(&*row.file) && self.root.join(&row.file).is_file();
        let mut deleted_resources: Vec<Resource> =
            missing.into_iter().filter(|row| !is_broken(row)).collect();
        deleted_resources.sort_by(|a, b| (&a.kind, &a.id).cmp(&(&b.kind, &b.id)));
        Ok(deleted_resources)
    }
}

fn mark(one: &SnapshotResource<'_>) -> Mark {
    Mark { mark: one.mark, is_public: one.is_public }
}

struct Notifier<'a> {
    state: &'a State,
    endpoints: &'a [Endpoint],
    root: &'a Path,
    addresses: Addresses<'a>,
    /// The kinds of the resources in the ledger.
    known_kinds: HashSet<String>,
}

impl Notifier<'_> {
    fn record_change(
        &self,
        one: &SnapshotResource<'_>,
        before: Option<Resource>,
        now: &ResourceDescription,
        notes: &mut ComparisonResult,
    ) -> Result<(), StateError> {
        let has_kind = self.known_kinds.contains(one.kind);
        let found = changes(one.kind, before.as_ref(), one.visibility(), now, has_kind);
        let journal = before.as_ref().map_or(0, |before| before.journal);
        let cause = self.cause(&one.id, &now.file, journal, found.is_empty())?;
        let resource = Resource {
            kind: one.kind.to_owned(),
            id: one.id.to_string(),
            file: now.file.clone(),
            is_public: one.is_public,
            keys: serde_json::to_string(&now.parts).unwrap_or_default(),
            data: now.data.clone(),
            journal: cause.journal,
        };
        let is_taken = |change: &Change| self.endpoints.iter().any(|one| one.takes(change.kind));
        if found.iter().any(is_taken) {
            let facts = Facts {
                object: object(one, self.root, &self.addresses),
                previous_status: before.as_ref().and_then(previous_status),
                site: self.addresses.published.url("/"),
            };
            let data = with_facts(&resource.data, facts);
            for change in found {
                self.queue_message(change, &resource, data.clone(), &cause, notes);
            }
        }
        if before.as_ref() != Some(&resource) {
            notes.ledger.push(LedgerChange::Written(resource));
        }
        Ok(())
    }

    fn record_deletion(
        &self,
        row: &Resource,
        notes: &mut ComparisonResult,
    ) -> Result<(), StateError> {
        let cause = self.cause(&row.id, &row.file, row.journal, false)?;
        let mut last = row.clone();
        if let Ok(Value::Object(mut data)) = serde_json::from_str(&row.data) {
            if let Some(public) = data.get_mut("public") {
                *public = false.into();
            }
            last.data = Value::Object(data).to_string();
        }
        let facts = Facts {
            object: None,
            previous_status: previous_status(row),
            site: self.addresses.published.url("/"),
        };
        let data = with_facts(&last.data, facts);
        for change in deletion(row) {
            self.queue_message(change, &last, data.clone(), &cause, notes);
        }
        let (kind, id) = (row.kind.clone(), row.id.clone());
        notes.ledger.push(LedgerChange::Gone(kind, id));
        Ok(())
    }

    /// Returns the cause of a change: the trace of the API write that made the change, or the
    /// default if there was no such write.
    fn cause(
        &self,
        id: &str,
        file: &str,
        journal: i64,
        is_same: bool,
    ) -> Result<Cause, StateError> {
        let known = Cause { journal, ..Cause::default() };
        if is_same {
            return Ok(known);
        }
        let Some(trace) = self.state.trace_of(id, file, journal)? else {
            return Ok(known);
        };
        let event = match &trace.causation {
            Some(event) => self.state.find_event(event)?,
            None => None,
        };
        // A write without a workflow id inherits the workflow of the event that caused it. If that
        // event has no workflow, the event's own id becomes the workflow id.
        let (depth, workflow) = match event {
            Some((depth, correlation)) => (depth + 1, correlation.or(trace.causation.clone())),
            None => (0, None),
        };
        Ok(Cause {
            journal: trace.journal,
            correlation: trace.correlation.or(workflow),
            causation: trace.causation,
            depth,
        })
    }

    fn queue_message(
        &self,
        change: Change,
        resource: &Resource,
        data: String,
        cause: &Cause,
        notes: &mut ComparisonResult,
    ) {
        let id = new_id();
        let is_cut = cause.depth > MAX_CHAIN_DEPTH;
        let name = format!("{}/{}", resource.kind, resource.id);
        let takers = self.endpoints.iter().filter(|one| one.takes(change.kind));
        for endpoint in takers {
            if is_cut {
                notes.cut.insert(name.clone());
            }
            notes.messages.push(NewMessage {
                id: id.clone(),
                endpoint: endpoint.name.clone(),
                kind: change.kind.to_owned(),
                resource: name.clone(),
                data: data.clone(),
                merges: change.changed.is_some(),
                changed: change.changed.clone(),
                causation: cause.causation.clone(),
                correlation: cause.correlation.clone(),
                depth: cause.depth,
                is_cut,
            });
        }
    }
}

#[derive(Debug, Default)]
struct Cause {
    journal: i64,
    causation: Option<String>,
    correlation: Option<String>,
    depth: u32,
}

/// Returns the id of a new event.
pub fn new_id() -> String {
    format!("msg_{}{}", edit::new_id(), edit::new_id())
}
