//! The recording of an item, as its author sees it: the waveform, the length, and the chapters in
//! the file.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;
use sound::{DecodeError, Peaks};

use super::Answer;
use super::media::locate;
use api_shared::ApiError;
use model::SitePath;
use project::Recording;
use server::App;
use source::chapters::embedded;
use source::disk::Disk;

/// A medium of a document.
#[derive(Debug, Deserialize)]
pub struct Medium {
    /// The path of the document.
    path: String,
    /// The name by which the document refers to the medium.
    of: String,
}

/// Measures recordings. The mutex lets one recording be decoded at a time.
#[derive(Default)]
pub struct Recordings(Mutex<()>);

impl Recordings {
    /// Returns the peaks of a recording, its length in seconds, and its chapters. Without peaks,
    /// returns the reason.
    pub fn measure(&self, app: &App, medium: &Medium) -> Answer {
        let path = locate(app, &medium.path, &medium.of)?;
        let root = app.live.root();
        let facts = Disk::new(root).media(&path);
        let facts = facts.map_err(|fault| ApiError::bad(fault.to_string()))?;
        let peaks = self.peaks(root, &path);
        let decoded = peaks.as_ref().map(|peaks| peaks.duration).ok();
        Ok(json!({
            "duration": facts.duration.or(decoded),
            // A recording that is cut off has fewer seconds than its header says.
            "decoded": decoded,
            "chapters": facts.chapters.iter().map(embedded).collect::<Vec<_>>(),
            "peaks": peaks.as_ref().map(|peaks| &peaks.values).ok(),
            "problem": peaks.as_ref().err().map(DecodeError::to_string),
        }))
    }

    /// Returns the peaks of a file. Decodes the file only if its peaks are not stored.
    fn peaks(&self, root: &Path, file: &SitePath) -> Result<Peaks, DecodeError> {
        let recording = Recording::of(root, file)?;
        if let Some(known) = recording.stored() {
            return Ok(known.peaks);
        }
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(recording.measure()?.peaks)
    }
}
