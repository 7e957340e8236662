//! Writes recordings with tags. The audio is copied from the author's file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use model::PublishedRecording;
use recording_tags::Tagged;
use source::disk::same_content;
use source::stamp::FileFacts;

/// A recording to write.
pub struct Recording<'a> {
    /// The author's file.
    source: PathBuf,
    recording: &'a PublishedRecording,
}

impl<'a> Recording<'a> {
    pub fn of(root: &Path, recording: &'a PublishedRecording) -> Self {
        Self { source: root.join(&recording.file), recording }
    }

    /// Returns whether a file contains the recording with its tags.
    pub fn is_same(&self, path: &Path) -> io::Result<bool> {
        let (source, existing) = (File::open(&self.source)?, File::open(path)?);
        let tagged: &Tagged = &self.recording.tagged;
        Ok(existing.metadata()?.len() == tagged.len()
            && same_content(Tagged::reader(tagged, source), existing)?)
    }

    /// Writes the recording with its tags to a file.
    pub fn copy(&self, to: &Path) -> io::Result<()> {
        let mut source = File::open(&self.source)?;
        self.recording.tagged.copy(&mut source, &mut File::create(to)?)?;
        let version = FileFacts::of(&fs::metadata(&self.source)?).version();
        if version != self.recording.version {
            return Err(io::Error::other("the recording changed at the same time; build again"));
        }
        Ok(())
    }
}
