//! Collects the words of documents, on several threads at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entry::{Passage, PassageStarts, Start};
use super::worker::Worker;

/// Collects the words of documents. Each thread of the pool has separate lists.
#[derive(Debug)]
pub struct WordCollector {
    workers: Vec<Mutex<Worker>>,
}

impl Default for WordCollector {
    fn default() -> Self {
        let workers = 0..=rayon::current_num_threads();
        Self { workers: workers.map(|_| Mutex::default()).collect() }
    }
}

impl WordCollector {
    /// Begins a document. `number` is its position in the list of documents from which the index
    /// will be made.
    pub fn document(&self, number: usize) -> DocumentWords<'_> {
        let worker = rayon::current_thread_index().map_or(0, |thread| thread + 1);
        let worker = worker.min(self.workers.len() - 1);
        DocumentWords {
            worker: lock_worker(&self.workers[worker]),
            number: number as u32,
            collected: CollectedDocument::default(),
        }
    }

    pub(super) fn workers(&self) -> Vec<MutexGuard<'_, Worker>> {
        self.workers.iter().map(lock_worker).collect()
    }
}

fn lock_worker(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects the words of one document.
#[derive(Debug)]
pub struct DocumentWords<'g> {
    worker: MutexGuard<'g, Worker>,
    number: u32,
    collected: CollectedDocument,
}

impl<'g> DocumentWords<'g> {
    /// Adds the words of the document's title, which must be plain text.
    pub fn add_title(&mut self, title: &str) {
        self.worker.add(title, true);
    }

    /// Adds the words of the document's text, or of other content such as tags and authors.
    pub fn add_content(&mut self, text: &str) {
        self.worker.add(text, false);
    }

    /// Continues with the document's transcripts. Call this method after adding the title and the
    /// content.
    pub fn transcripts(mut self) -> TranscriptWords<'g> {
        self.worker.finish_document(self.number);
        TranscriptWords { document: self, before: Start::default() }
    }
}

/// Collects the words of one document's transcripts.
#[derive(Debug)]
pub struct TranscriptWords<'g> {
    document: DocumentWords<'g>,
    /// Start of the previous passage.
    before: Start,
}

impl TranscriptWords<'_> {
    pub fn begin(&mut self) {
        let transcripts = &mut self.document.collected.transcripts;
        transcripts.push(PassageStarts::default());
        self.before = Start::default();
    }

    /// Adds the next passage of the transcript that [`begin`](Self::begin) started.
    pub fn add(&mut self, passage: &Passage<'_>) {
        let DocumentWords { worker, number, collected } = &mut self.document;
        let Some(transcript) = collected.transcripts.last_mut() else {
            return;
        };
        transcript.push(passage, &mut self.before);
        worker.add(passage.text, false);
        worker.finish_passage(*number);
    }

    /// Finishes the document, and returns the data that [`make`](super::make) needs.
    pub fn finish(self) -> CollectedDocument {
        self.document.collected
    }
}

/// The data of a document whose words have been collected.
#[derive(Debug, Default)]
pub struct CollectedDocument {
    pub(super) transcripts: Vec<PassageStarts>,
}

impl CollectedDocument {
    pub(super) fn passages(&self) -> usize {
        self.transcripts.iter().map(PassageStarts::passages).sum()
    }
}
