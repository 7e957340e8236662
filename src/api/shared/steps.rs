//! The steps of a write, one for each file that changes. If a step fails, the steps before it are
//! undone.

use front_matter::Change;

use super::{ApiError, cannot_edit};
use model::{Diagnostic, SitePath, Source};
use source::fields::Reader;

/// A function that reads a content file only to find its errors.
pub type Check = fn(&Reader<'_>);

/// Accepts any content, for files that feedwright does not parse.
pub fn is_any(_: &Reader<'_>) {}

/// A function that returns a file's new text, based on its current text.
pub(super) type Edit<'s> = Box<dyn Fn(&str) -> Result<String, ApiError> + 's>;

pub enum Step<'s> {
    /// Changes a file's text. If the author saves the file at the same time, the edit is repeated
    /// on the saved text.
    Change {
        path: SitePath,
        check: Check,
        edit: Edit<'s>,
    },
    Create {
        path: SitePath,
        check: Check,
        text: String,
    },
    /// Replaces a file with a file of a different name. The old file is moved to the trash after
    /// the new file is created.
    Convert {
        path: SitePath,
        to: SitePath,
        check: Check,
        edit: Edit<'s>,
    },
    /// Moves a file to the trash. If the file is the only content of its folder, moves the folder
    /// to the trash.
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

    /// Changes keys of a file that consists entirely of TOML.
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

    /// Changes a file and renames it.
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

/// Returns the text of a TOML file such as `site.toml` with some keys changed.
///
/// # Errors
///
/// Returns the errors of [`front_matter::edit_toml`].
pub fn apply_toml(source: Source<'_>, changes: &[Change]) -> Result<String, Vec<Diagnostic>> {
    let edited = front_matter::edit_toml(source.text, changes);
    edited.map_err(|faults| source.diagnostics(faults))
}
