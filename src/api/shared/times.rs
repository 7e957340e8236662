//! When a file was made and changed, for content that names no dates. Only APIs show these times: a
//! build must not depend on the clock.

use std::path::Path;

use jiff::Timestamp;

use super::ApiError;
use model::{Page, SitePath};

/// The present, rounded down to whole seconds as files hold it. A time later than now would not be
/// public.
pub fn now() -> Result<Timestamp, ApiError> {
    Timestamp::from_second(Timestamp::now().as_second()).map_err(ApiError::failed)
}

#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// When it was made, if the disk records that; else when it was changed.
    pub created: Timestamp,
    pub modified: Timestamp,
}

impl Times {
    /// The times of a file. None if it is missing.
    pub fn of(file: &Path) -> Option<Self> {
        let facts = file.metadata().ok()?;
        let modified = Timestamp::try_from(facts.modified().ok()?).ok()?;
        let born = facts.created().ok().and_then(|time| Timestamp::try_from(time).ok());
        Some(Self { created: born.map_or(modified, |born| born.min(modified)), modified })
    }

    /// When a file of the site was changed. None if it is missing.
    pub fn changed(root: &Path, file: &SitePath) -> Option<Timestamp> {
        Self::of(&file.on_disk(root)).map(|times| times.modified)
    }

    /// The first creation and the last change of several files. With no files, the times of the site's
    /// configuration.
    pub fn of_all(root: &Path, files: impl Iterator<Item = std::path::PathBuf>) -> Self {
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

/// When a page was created and updated: by its front matter, or else by the times of its file.
pub struct PageTimes {
    pub created: Timestamp,
    /// When it was last changed.
    pub modified: Timestamp,
}

impl PageTimes {
    pub fn of(root: &Path, page: &Page) -> Self {
        let file = page.source.as_ref().map(|path| path.on_disk(root));
        let times = Times::of_all(root, file.into_iter());
        Self {
            created: page.date_created.unwrap_or(times.created),
            modified: page.updated().unwrap_or(times.modified),
        }
    }
}
