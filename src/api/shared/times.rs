//! Creation and modification times of files, for content whose front matter has no dates. Only APIs
//! show these times, because a build must not depend on the clock.

use std::path::Path;

use jiff::Timestamp;

use super::ApiError;
use model::{Page, SitePath};

/// Returns the current time in whole seconds, as written to files. The time is rounded down,
/// because content with a time in the future would not be public yet.
pub fn now() -> Result<Timestamp, ApiError> {
    Timestamp::from_second(Timestamp::now().as_second()).map_err(ApiError::failed)
}

#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// The creation time if the file system records it, otherwise the modification time.
    pub created: Timestamp,
    pub modified: Timestamp,
}

impl Times {
    /// Returns the times of a file, or None if the file is missing.
    pub fn of(file: &Path) -> Option<Self> {
        let facts = file.metadata().ok()?;
        let modified = Timestamp::try_from(facts.modified().ok()?).ok()?;
        let born = facts.created().ok().and_then(|time| Timestamp::try_from(time).ok());
        Some(Self { created: born.map_or(modified, |born| born.min(modified)), modified })
    }

    /// Returns the modification time of a file of the site, or None if the file is missing.
    pub fn changed(root: &Path, file: &SitePath) -> Option<Timestamp> {
        Self::of(&file.on_disk(root)).map(|times| times.modified)
    }

    /// Returns the earliest creation time and the latest modification time of several files. If
    /// there are no files, returns the times of `site.toml`.
    pub fn from_files(root: &Path, files: impl Iterator<Item = std::path::PathBuf>) -> Self {
        let all = files.filter_map(|file| Self::of(&file));
        let joined = all.reduce(|a, b| Self {
            created: a.created.min(b.created),
            modified: a.modified.max(b.modified),
        });
        joined
            .or_else(|| Self::of(&root.join("site.toml")))
            .unwrap_or(Self { created: Timestamp::UNIX_EPOCH, modified: Timestamp::UNIX_EPOCH })
    }
}

/// The creation and modification times of a page: from its front matter, otherwise from its file.
pub struct PageTimes {
    pub created: Timestamp,
    pub modified: Timestamp,
}

impl PageTimes {
    pub fn of(root: &Path, page: &Page) -> Self {
        let file = page.source.as_ref().map(|path| path.on_disk(root));
        let times = Times::from_files(root, file.into_iter());
        Self {
            created: page.date_created.unwrap_or(times.created),
            modified: page.updated().unwrap_or(times.modified),
        }
    }
}
