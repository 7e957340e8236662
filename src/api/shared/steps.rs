//! The steps of a write: how each file changes. Either all are done or none.

use front_matter::Change;

use super::{ApiError, cannot_edit};
use model::{Diagnostic, SitePath, Source};
use source::fields::Reader;

/// Reads a content file only to find what is wrong with it.
pub type Check = fn(&Reader<'_>);

/// A text that no reader reads.
pub fn is_any(_: &Reader<'_>) {}

/// Makes the new text of a file from the one that is there.
pub(super) type Edit<'s> = Box<dyn Fn(&str) -> Result<String, ApiError> + 's>;

pub enum Step<'s> {
    /// It changes. If its author saves it meanwhile, the edit is made again.
    Change {
        path: SitePath,
        check: Check,
        /// Makes the new text.
        edit: Edit<'s>,
    },
    Create {
        path: SitePath,
        check: Check,
        text: String,
    },
    /// It is replaced by a file with another name. The old one goes to the trash once the new one is
    /// there.
    Convert {
        path: SitePath,
        to: SitePath,
        check: Check,
        /// Makes the new text.
        edit: Edit<'s>,
    },
    /// It goes to the trash. If it stands for its folder, the folder goes.
    Remove {
        path: SitePath,
    },
}

impl<'s> Step<'s> {
    pub fn change(
        path: &SitePath,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Self {
        Self::Change { path: path.clone(), check, edit: Box::new(edit) }
    }

    /// Changes keys of a file that is all TOML.
    pub fn change_toml(path: &SitePath, check: Check, changes: Vec<Change>) -> Self {
        let source = path.clone();
        Self::change(path, check, move |text| {
            let path = &source;
            apply_toml(Source { path, text }, &changes).map_err(cannot_edit)
        })
    }

    pub fn create(path: &SitePath, text: &str, check: Check) -> Self {
        Self::Create { path: path.clone(), check, text: text.to_owned() }
    }

    /// Changes a file that gets another name with that.
    pub fn convert(
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Self {
        Self::Convert { path: path.clone(), to: to.clone(), check, edit: Box::new(edit) }
    }

    /// Moves a file to the trash.
    pub fn remove(path: &SitePath) -> Self {
        Self::Remove { path: path.clone() }
    }
}

impl Step<'_> {
    pub(super) fn path(&self) -> &SitePath {
        match self {
            Self::Change { path, .. }
            | Self::Create { path, .. }
            | Self::Convert { path, .. }
            | Self::Remove { path } => path,
        }
    }
}

/// The text of a file that is all TOML (`site.toml`), with keys changed.
///
/// # Errors
///
/// As for [`front_matter::edit_toml`].
pub fn apply_toml(source: Source<'_>, changes: &[Change]) -> Result<String, Vec<Diagnostic>> {
    let edited = front_matter::edit_toml(source.text, changes);
    edited.map_err(|faults| source.diagnostics(faults))
}
