//! Rendering templates that nobody published: before they are, and only to look.

use schemars::JsonSchema;
use serde::Serialize;

use super::input::{self, SiteFilePreviewInput};
use crate::{Answer, ContentCall};
use api_shared::{ApiError, SiteFileState};
use model::Diagnostic;

/// What a template renders to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteFilePreviewOutput {
    /// Its media type.
    content_type: &'static str,
    /// What it renders to.
    rendered_content: String,
    /// Always true: what is not valid is an error.
    valid: bool,
}

/// Renders a template against the public feed as it is now.
pub fn preview(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let sent: SiteFilePreviewInput = call.input()?;
    let moment = call.moment();
    let snapshot = &moment.site.snapshot;
    let file = match (&sent.site_file_id, &sent.filename) {
        (Some(id), _) => SiteFileState::find(snapshot, id)?,
        (None, Some(name)) => SiteFileState::of(snapshot, name),
        (None, None) => return Err(ApiError::bad("filename: it is missing")),
    };
    if let Some(name) = &sent.filename {
        input::filename(name)?;
        if *name != file.filename {
            return Err(ApiError::bad(format!(
                "filename: that of the Site File is {}",
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
    let rendered_content = rendered.map_err(|fault| in_draft(&fault))?;
    Answer::ok(&SiteFilePreviewOutput { content_type, rendered_content, valid: true })
}

/// What is wrong with a draft.
pub fn in_draft(fault: &Diagnostic) -> ApiError {
    let place = match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        _ => String::new(),
    };
    let help = fault.help.as_ref().map(|help| format!("; {help}"));
    ApiError::bad(format!("draft_content: {place}{}{}", fault.message, help.unwrap_or_default()))
}
