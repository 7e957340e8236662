//! Site files: the templates in `site-files/`, their drafts, and their settings in `site.toml`.

mod input;
mod operations;
mod output;
mod preview;

use front_matter::Change;
use schemars::JsonSchema;
use serde::Serialize;

pub use operations::OPERATIONS;

use input::SiteFileInput;
use output::SiteFileOutput;

use super::input::Patch;
use super::output::{Empty, Validated};
use super::{Answer, ContentCall};
use api_shared::site_files::configure;
use api_shared::{ApiError, SiteFileState, Step, is_any};
use model::SitePath;
use server::Moment;
use source::text::read_text;

/// List of Site Files.
#[derive(Debug, Serialize, JsonSchema)]
struct SiteFileListOutput {
    /// All Site Files by name, including generated ones.
    items: Vec<SiteFileOutput>,
}

/// Answer to a creation.
#[derive(Debug, Serialize, JsonSchema)]
struct SiteFileCreated {
    /// Id of the new Site File.
    id: String,
}

fn list(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let moment = call.moment()?;
    let all = SiteFileState::all(&moment.site.snapshot);
    let root = call.app.live.root();
    Answer::ok(&SiteFileListOutput {
        items: all
            .iter()
            .map(|file| SiteFileOutput::of(root, &moment.site.snapshot, file))
            .collect(),
    })
}

fn read(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    show(call, &*call.moment()?, call.id())
}

fn show(call: &ContentCall<'_>, moment: &Moment, id: &str) -> Result<Answer, ApiError> {
    let file = SiteFileState::find(&moment.site.snapshot, id)?;
    let root = call.app.live.root();
    Answer::ok(&SiteFileOutput::of(root, &moment.site.snapshot, &file))
}

/// A site file as sent by a client, validated independently of other site files.
struct SentFile<'a> {
    content_type: Patch<&'static str>,
    draft: &'a Patch<String>,
    enabled: &'a Patch<bool>,
}

impl<'a> SentFile<'a> {
    fn check(input: &'a SiteFileInput, file: &SiteFileState<'_>) -> Result<Self, ApiError> {
        if let Patch::Value(template) = &input.draft_content {
            file.with_template(file.default_content_type(), template)
                .map_err(|fault| preview::draft_error(&fault))?;
        }
        Ok(Self {
            content_type: match &input.content_type {
                Patch::Omitted => Patch::Omitted,
                Patch::Null => Patch::Null,
                Patch::Value(text) => Patch::Value(input::content_type(text)?),
            },
            draft: &input.draft_content,
            enabled: &input.enabled,
        })
    }

    /// Returns the changes to `site.toml`.
    fn configuration(&self, file: &SiteFileState<'_>) -> Vec<Change> {
        let content_type = match self.content_type {
            Patch::Omitted => None,
            Patch::Null => Some(file.default_content_type()),
            Patch::Value(wanted) => Some(wanted),
        };
        let enabled = match self.enabled {
            Patch::Omitted => None,
            Patch::Null => Some(true),
            Patch::Value(wanted) => Some(*wanted),
        };
        file.configuration(content_type, enabled)
    }
}

fn required_filename(input: &SiteFileInput) -> Result<&str, ApiError> {
    let name = input.filename.value().ok_or_else(|| ApiError::bad("filename: is required"))?;
    input::filename(name)?;
    Ok(name)
}

fn validate(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let moment = call.moment()?;
    let file = SiteFileState::of(&moment.site.snapshot, required_filename(&input)?);
    SentFile::check(&input, &file)?;
    Answer::ok(&Validated::valid_answer())
}

fn create(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let writing = call.begin_writing()?;
    let site = &writing.before.site;
    let file = SiteFileState::of(&site.snapshot, required_filename(&input)?);
    let sent = SentFile::check(&input, &file)?;
    file.check_is_new(call.app.live.root(), site)?;
    let path = file.draft_path()?;
    let template = sent.draft.value().map_or("", String::as_str);
    let mut steps = Vec::from_iter(configure(sent.configuration(&file)));
    steps.push(Step::create(&path, template, is_any));
    let id = file.id();
    writing.write(&id, Some(&path), &steps)?;
    Answer::created(&SiteFileCreated { id })
}

fn update(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let writing = call.begin_writing()?;
    let file = SiteFileState::find(&writing.before.site.snapshot, call.id())?;
    if input.filename.is_sent() && input.filename.value() != Some(&file.filename) {
        return Err(ApiError::bad(format!(
            "filename: cannot be changed; the Site File is named {}",
            file.filename
        )));
    }
    let sent = SentFile::check(&input, &file)?;
    let mut steps = Vec::from_iter(configure(sent.configuration(&file)));
    let path = file.draft_path()?;
    match sent.draft {
        Patch::Omitted => {}
        Patch::Null => steps.extend(draft(&file, file.base().unwrap_or_default())?),
        Patch::Value(template) => steps.extend(draft(&file, template)?),
    }
    let moment = writing.write(call.id(), Some(&path), &steps)?;
    show(call, &moment, call.id())
}

/// Returns the step that writes the draft, or removes a draft that equals the published template.
/// Returns None if there is nothing to write or remove.
fn draft(file: &SiteFileState<'_>, template: &str) -> Result<Option<Step<'static>>, ApiError> {
    let path = file.draft_path()?;
    Ok(match (file.draft, file.base() == Some(template)) {
        (None, true) => None,
        (Some(_), true) => Some(Step::remove(&path)),
        (None, false) => Some(Step::create(&path, template, is_any)),
        (Some(_), false) => Some(replace_template(&path, template)),
    })
}

/// Returns the step that replaces the template in a file.
fn replace_template(path: &SitePath, template: &str) -> Step<'static> {
    let template = template.to_owned();
    Step::change(path, is_any, move |_| Ok(template.clone()))
}

fn publish(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing()?;
    let before = &writing.before;
    let file = SiteFileState::find(&before.site.snapshot, call.id())?;
    let (path, draft) = (file.published_path()?, file.draft_path()?);
    let template = match (file.draft, file.base()) {
        (Some(_), _) => read_text(call.app.live.root(), &draft)?,
        (None, base) => base.unwrap_or_default().to_owned(),
    };
    if file.draft.is_some() || file.published.is_some() {
        let rendered = file.render(before, file.content_type(), &template);
        rendered.map_err(|fault| preview::draft_error(&fault))?;
    }
    let steps = match (file.draft, file.published) {
        (None, _) => Vec::new(),
        (Some(_), Some(_)) => vec![replace_template(&path, &template), Step::remove(&draft)],
        (Some(_), None) => vec![Step::create(&path, &template, is_any), Step::remove(&draft)],
    };
    let moment = writing.write(call.id(), Some(&path), &steps)?;
    show(call, &moment, call.id())
}

fn reset(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing()?;
    let file = SiteFileState::find(&writing.before.site.snapshot, call.id())?;
    if file.kind.is_none() {
        return Err(ApiError::bad(format!(
            "{} cannot be reset: it is not a generated Site File",
            file.filename
        )));
    }
    let path = file.published_path()?;
    let steps = file.removal_steps();
    let moment = writing.write(call.id(), Some(&path), &steps)?;
    show(call, &moment, call.id())
}

fn delete(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing()?;
    let file = SiteFileState::find(&writing.before.site.snapshot, call.id())?;
    if file.kind.is_some() {
        return Err(ApiError::bad(format!(
            "{} is generated and cannot be deleted; reset it, or set `enabled` to false",
            file.filename
        )));
    }
    let path = file.published_path()?;
    let steps = file.removal_steps();
    writing.write(call.id(), Some(&path), &steps)?;
    Answer::ok(&Empty {})
}
