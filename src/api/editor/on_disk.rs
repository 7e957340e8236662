//! The texts of files as they lie on the disk, told apart by versions, and writing over one that was seen.

use xxhash_rust::xxh3::xxh3_64;

use super::kind::FileKind;
use api_shared::{ApiError, Check, Step, Writer, Writing};
use model::SitePath;
use server::App;
use source::disk::Disk;
use source::text::read_text;

/// The text of a file. None if there is none.
pub fn text_of(app: &App, path: &SitePath) -> Result<Option<String>, ApiError> {
    let root = app.live.root();
    if !path.on_disk(root).exists() {
        return Ok(None);
    }
    if !Disk::new(root).is_inside(path) {
        return Err(ApiError::bad("path: this file lies outside the site"));
    }
    read_text(root, path).map(Some).map_err(|fault| ApiError::bad(fault.message))
}

/// 409: the page has seen another version than is there.
pub fn changed() -> ApiError {
    ApiError::conflict("the file is another one by now; nothing was written")
}

/// Tells the text of a file from others.
pub fn version(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Writes a text over one that was seen. Err (409) if another one is there by now.
pub fn write_over(
    writing: &Writing<'_>,
    (path, kind): (&SitePath, FileKind),
    seen: &str,
    text: &str,
) -> Result<(), ApiError> {
    let step = over(path, kind.check(), seen, text);
    writing.write(path.as_str(), Some(path), &[step])?;
    Ok(())
}

/// The step that makes a text another. Err (409) if somebody else has saved it since it was seen.
pub fn over(path: &SitePath, check: Check, seen: &str, text: &str) -> Step<'static> {
    let (seen, text) = (seen.to_owned(), text.to_owned());
    Step::change(path, check, move |there| match there == seen {
        true => Ok(text.clone()),
        false => Err(ApiError::conflict("this file was saved by someone else just now")),
    })
}

/// Begins to write. `by` is who the journal says has written.
pub fn begin<'a>(app: &'a App, operation: &str, by: &str) -> Writing<'a> {
    let by = Writer {
        operation: operation.to_owned(),
        key_id: by.to_owned(),
        causation: None,
        correlation: None,
    };
    Writing::begin(app, by)
}
