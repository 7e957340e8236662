//! Renders templates before they are published, without saving them.

use schemars::JsonSchema;
use serde::Serialize;

use super::input::{self, SiteFilePreviewInput};
use crate::{Answer, ContentCall};
use api_shared::{ApiError, SiteFileState};
use model::Diagnostic;

/// Rendered content of a template.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteFilePreviewOutput {
    /// Media type.
    content_type: &'static str,
    /// Rendered content.
    rendered_content: String,
    /// Always true. An invalid template gets an error instead.
    valid: bool,
}

/// Renders a template with the current public feed.
pub fn preview(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let sent: SiteFilePreviewInput = call.input()?;
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let file = match (&sent.site_file_id, &sent.filename) {
        (Some(id), _) => SiteFileState::find(snapshot, id)?,
        (None, Some(name)) => SiteFileState::of(snapshot, name),
        (None, None) => {
            return Err(ApiError::bad("filename: is required if site_file_id is omitted"));
        }
    };
    if let Some(name) = &sent.filename {
        input::filename(name)?;
        if *name != file.filename {
            return Err(ApiError::bad(format!(
                "filename: must be {}, the name of the Site File",
                file.filename
            )));
        }
    }
    let content_type = match &sent.content_type {
        Some(text) => input::content_type(text)?,
        None => file.content_type(),
    };
    let template = sent.draft_content.as_str();
    let generated = file.generated(&moment).filter(|_| template.is_empty());
    let rendered = generated.unwrap_or_else(|| file.render(&moment, content_type, template));
    let rendered_content = rendered.map_err(|fault| draft_error(&fault))?;
    Answer::ok(&SiteFilePreviewOutput { content_type, rendered_content, valid: true })
}

/// Returns the error for an invalid draft, with the position of the problem in the draft.
pub fn draft_error(fault: &Diagnostic) -> ApiError {
    let place = match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        _ => String::new(),
    };
    let help = fault.help.as_ref().map(|help| format!("; {help}"));
    ApiError::bad(format!("draft_content: {place}{}{}", fault.message, help.unwrap_or_default()))
}
