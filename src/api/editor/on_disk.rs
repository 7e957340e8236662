//! Reads documents from the disk, identifies their versions, and replaces them if they have not
//! changed since they were loaded.

use xxhash_rust::xxh3::xxh3_64;

use super::kind::FileKind;
use api_shared::{ApiError, Check, Step, Writer, Writing};
use model::SitePath;
use server::App;
use source::disk::Disk;
use source::text::read_text;

/// Returns the text of a file, or None if the file is missing.
pub fn load_text(app: &App, path: &SitePath) -> Result<Option<String>, ApiError> {
    let root = app.live.root();
    if !path.on_disk(root).exists() {
        return Ok(None);
    }
    if !Disk::new(root).is_inside(path) {
        return Err(ApiError::bad("path: this file is outside the site"));
    }
    read_text(root, path).map(Some).map_err(|fault| ApiError::bad(fault.message))
}

/// Returns a 409: the file has changed since the browser loaded it.
pub fn changed() -> ApiError {
    ApiError::conflict("the file has changed in the meantime; nothing was written")
}

/// Returns a hash that identifies a version of a document.
pub fn version(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Replaces a document. Returns a 409 if the file's text is no longer `seen`.
pub fn replace_seen(
    writing: &Writing<'_>,
    (path, kind): (&SitePath, FileKind),
    seen: &str,
    text: &str,
) -> Result<(), ApiError> {
    let step = replace_step(path, kind.check(), seen, text);
    writing.write(path.as_str(), Some(path), &[step])?;
    Ok(())
}

/// Returns the step that replaces a document. The step fails with a 409 if the file's text is no
/// longer `seen`.
pub fn replace_step(path: &SitePath, check: Check, seen: &str, text: &str) -> Step<'static> {
    let (seen, text) = (seen.to_owned(), text.to_owned());
    Step::change(path, check, move |there| match there == seen {
        true => Ok(text.clone()),
        false => {
            Err(ApiError::conflict("the file has changed in the meantime; nothing was written"))
        }
    })
}

/// Begins a write. `by` is the name of the writer in the journal.
pub fn begin<'a>(app: &'a App, operation: &str, by: &str) -> Writing<'a> {
    let by = Writer {
        operation: operation.to_owned(),
        key_id: by.to_owned(),
        causation: None,
        correlation: None,
    };
    Writing::begin(app, by)
}
