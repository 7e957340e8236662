//! Rendering templates that nobody published: before they are, and only to look.

use std::cmp::Reverse;
use std::path::Path;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::file_state::FileState;
use super::input::{self, SiteFilePreviewInput};
use crate::api::content::pages::Dates;
use crate::api::content::{Answer, ContentCall};
use crate::api::shared::ApiError;
use crate::model::{Diagnostic, Page, SiteFile};
use crate::render::{Body, Document, site_file};
use crate::server::Moment;

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
        (Some(id), _) => FileState::find(snapshot, id)?,
        (None, Some(name)) => FileState::of(snapshot, name),
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
    let rendered_content = match file.kind {
        Some(kind) if sent.draft_content.is_empty() => {
            let document = Document::Generated(kind);
            match moment.site.renderer().render(&document) {
                Ok(Body::Bytes(bytes)) => String::from_utf8(bytes).map_err(ApiError::failed)?,
                Ok(Body::File(_) | Body::SearchFile(_)) => String::new(),
                Err(fault) => return Err(in_draft(&fault)),
            }
        }
        _ => render(
            call.app.live.root(),
            &moment,
            &file.with_template(content_type, &sent.draft_content)?,
        )?,
    };
    Answer::ok(&SiteFilePreviewOutput {
        content_type,
        rendered_content,
        valid: true,
    })
}

/// What a template renders to now, with the Pages in the order of their list. Err says where it, or what it renders to, is not valid.
pub fn render(root: &Path, moment: &Moment, file: &SiteFile) -> Result<String, ApiError> {
    parse(file)?;
    let place = |page: &Page| {
        let modified = Dates::of(root, page).modified.as_millisecond();
        let modified = Timestamp::from_millisecond(modified).ok();
        (Reverse(modified), page.id.to_string())
    };
    moment
        .site
        .renderer()
        .site_file_by(file, &place)
        .map_err(|fault| in_draft(&fault))
}

/// Refuses a template that is too large or cannot be read, whatever it would render to.
pub fn parse(file: &SiteFile) -> Result<(), ApiError> {
    if file.template.len() > SiteFile::MAX_BYTES {
        return Err(ApiError::bad(format!(
            "draft_content: it has {} bytes, and may have {}",
            file.template.len(),
            SiteFile::MAX_BYTES
        )));
    }
    let parsed = site_file::parse(file).map(|_| ());
    parsed.map_err(|fault| in_draft(&fault))
}

fn in_draft(fault: &Diagnostic) -> ApiError {
    let place = match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        _ => String::new(),
    };
    let help = fault.help.as_ref().map(|help| format!("; {help}"));
    ApiError::bad(format!(
        "draft_content: {place}{}{}",
        fault.message,
        help.unwrap_or_default()
    ))
}
