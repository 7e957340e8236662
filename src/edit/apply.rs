//! Edits content files with the crate [`front_matter`], and converts the faults that the crate
//! reports into errors in the file.

use front_matter::Change;

use model::{Diagnostic, Source};

/// Returns the text of a content file with changed front matter and, if `body` is given, a new
/// body.
///
/// # Errors
///
/// Returns an error in the same cases as [`front_matter::edit`].
pub fn apply(
    source: Source<'_>,
    changes: &[Change],
    body: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    let edited = front_matter::edit(source.text, changes);
    let text = edited.map_err(|faults| source.diagnostics(faults))?;
    let Some(body) = body else {
        return Ok(text);
    };
    front_matter::with_body(&text, body).map_err(|faults| {
        let edited = Source { path: source.path, text: &text };
        edited.diagnostics(faults)
    })
}
