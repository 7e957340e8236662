//! Site Files: templates in `site-files/`, their drafts beside them, and what `site.toml` says of them.

mod file_state;
mod input;
mod operations;
mod preview;

use front_matter::Change;
use schemars::JsonSchema;
use serde::Serialize;

pub use operations::OPERATIONS;

use file_state::{FileState, SiteFileOutput};
use input::SiteFileInput;

use super::input::Patch;
use super::output::{Empty, Validated};
use super::{Answer, ContentCall};
use crate::api::shared::{ApiError, Step};
use crate::model::SitePath;
use crate::render::PathAnswer;
use crate::server::Moment;
use crate::source::config;
use crate::source::fields::Reader;
use crate::source::text::read_text;

/// The table of `site.toml` that says what templates cannot.
const TABLE: &str = "site_files";

/// Site Files.
#[derive(Debug, Serialize, JsonSchema)]
struct SiteFileListOutput {
    /// All of them, generated ones too, by name.
    items: Vec<SiteFileOutput>,
}

/// The answer to a creation.
#[derive(Debug, Serialize, JsonSchema)]
struct SiteFileCreated {
    /// The new id.
    id: String,
}

fn list(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let moment = call.moment();
    let all = FileState::all(&moment.site.snapshot);
    let root = call.app.live.root();
    Answer::ok(&SiteFileListOutput {
        items: all.iter().map(|file| file.output(root)).collect(),
    })
}

fn read(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    show(call, &call.moment(), call.id())
}

fn show(call: &ContentCall<'_>, moment: &Moment, id: &str) -> Result<Answer, ApiError> {
    let file = FileState::find(&moment.site.snapshot, id)?;
    Answer::ok(&file.output(call.app.live.root()))
}

/// A Site File as it was sent, checked without regard to other Site Files.
struct SentFile<'a> {
    content_type: Patch<&'static str>,
    draft: &'a Patch<String>,
    enabled: &'a Patch<bool>,
}

impl<'a> SentFile<'a> {
    fn check(input: &'a SiteFileInput, file: &FileState<'_>) -> Result<Self, ApiError> {
        if let Patch::Value(template) = &input.draft_content {
            preview::parse(&file.with_template(file.usual_type(), template)?)?;
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

    /// What of `site.toml` has to change.
    fn configuration(&self, file: &FileState<'_>) -> Vec<Change> {
        let at = |key| [TABLE, file.filename.as_str(), key];
        let mut changes = Vec::new();
        let content_type = match self.content_type {
            Patch::Omitted => file.content_type(),
            Patch::Null => file.usual_type(),
            Patch::Value(wanted) => wanted,
        };
        if content_type != file.content_type() {
            let path = at("content_type");
            changes.push(if content_type == file.usual_type() {
                Change::remove(&path)
            } else {
                Change::set(&path, content_type)
            });
        }
        let enabled = match self.enabled {
            Patch::Omitted => file.config.enabled,
            Patch::Null => true,
            Patch::Value(wanted) => *wanted,
        };
        if enabled != file.config.enabled {
            let path = at("enabled");
            changes.push(if enabled {
                Change::remove(&path)
            } else {
                Change::set(&path, false)
            });
        }
        changes
    }
}

fn named(input: &SiteFileInput) -> Result<&str, ApiError> {
    let name = input
        .filename
        .value()
        .ok_or_else(|| ApiError::bad("filename: it is missing"))?;
    input::filename(name)?;
    Ok(name)
}

fn validate(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let moment = call.moment();
    let file = FileState::of(&moment.site.snapshot, named(&input)?);
    SentFile::check(&input, &file)?;
    Answer::ok(&Validated::yes())
}

fn create(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let writing = call.begin_writing();
    let site = &writing.before.site;
    let file = FileState::of(&site.snapshot, named(&input)?);
    let sent = SentFile::check(&input, &file)?;
    let path = file.draft_path()?;
    let on_disk = [&path, &file.published_path()?].map(|path| path.on_disk(call.app.live.root()));
    let stands = site.find(&format!("/{}", file.filename));
    if file.exists()
        || on_disk.iter().any(|file| file.exists())
        || matches!(stands, Some(PathAnswer::Document(_)))
    {
        return Err(ApiError::conflict(format!(
            "filename: the site has a {} already",
            file.filename
        )));
    }
    let template = sent.draft.value().map_or("", String::as_str);
    let mut steps = configure(sent.configuration(&file))?;
    steps.push(Step::create(&path, template, is_any));
    let id = file.id();
    writing.write(&id, Some(&path), &steps)?;
    Answer::created(&SiteFileCreated { id })
}

/// A template is checked before it is written, and by no reader.
fn is_any(_: &Reader<'_>) {}

/// The step that changes `site.toml`; none where nothing has to change.
fn configure(changes: Vec<Change>) -> Result<Vec<Step<'static>>, ApiError> {
    let path = SitePath::parse("site.toml").ok_or_else(|| ApiError::failed("no site.toml"))?;
    Ok(if changes.is_empty() {
        Vec::new()
    } else {
        vec![Step::change_toml(&path, config::check, changes)]
    })
}

fn update(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: SiteFileInput = call.input()?;
    let writing = call.begin_writing();
    let file = FileState::find(&writing.before.site.snapshot, call.id())?;
    if input.filename.is_sent() && input.filename.value() != Some(&file.filename) {
        return Err(ApiError::bad(format!(
            "filename: it is {}, and cannot change",
            file.filename
        )));
    }
    let sent = SentFile::check(&input, &file)?;
    let mut steps = configure(sent.configuration(&file))?;
    let path = file.draft_path()?;
    match sent.draft {
        Patch::Omitted => {}
        Patch::Null => steps.extend(draft(&file, file.base().unwrap_or_default())?),
        Patch::Value(template) => steps.extend(draft(&file, template)?),
    }
    let moment = writing.write(call.id(), Some(&path), &steps)?;
    show(call, &moment, call.id())
}

/// The step that writes a draft. None if the draft equals what is published.
fn draft(file: &FileState<'_>, template: &str) -> Result<Option<Step<'static>>, ApiError> {
    let path = file.draft_path()?;
    Ok(match (file.draft, file.base() == Some(template)) {
        (None, true) => None,
        (Some(_), true) => Some(Step::remove(&path)),
        (None, false) => Some(Step::create(&path, template, is_any)),
        (Some(_), false) => Some(becomes(&path, template)),
    })
}

/// The step that makes a template another.
fn becomes(path: &SitePath, template: &str) -> Step<'static> {
    let template = template.to_owned();
    Step::change(path, is_any, move |_| Ok(template.clone()))
}

fn publish(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing();
    let before = &writing.before;
    let file = FileState::find(&before.site.snapshot, call.id())?;
    let (path, draft) = (file.published_path()?, file.draft_path()?);
    let template = match (file.draft, file.base()) {
        (Some(_), _) => read_text(call.app.live.root(), &draft)?,
        (None, base) => base.unwrap_or_default().to_owned(),
    };
    if file.draft.is_some() || file.published.is_some() {
        preview::render(
            call.app.live.root(),
            before,
            &file.with_template(file.content_type(), &template)?,
        )?;
    }
    let steps = match (file.draft, file.published) {
        (None, _) => Vec::new(),
        (Some(_), Some(_)) => vec![becomes(&path, &template), Step::remove(&draft)],
        (Some(_), None) => vec![Step::create(&path, &template, is_any), Step::remove(&draft)],
    };
    let moment = writing.write(call.id(), Some(&path), &steps)?;
    show(call, &moment, call.id())
}

fn reset(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing();
    let file = FileState::find(&writing.before.site.snapshot, call.id())?;
    if file.kind.is_none() {
        return Err(ApiError::bad(format!(
            "{} is not generated, so there is nothing to reset it to",
            file.filename
        )));
    }
    let mut changes = Vec::new();
    if file.config.content_type.is_some() {
        changes.push(Change::remove(&[TABLE, &file.filename, "content_type"]));
    }
    let path = file.published_path()?;
    let moment = writing.write(call.id(), Some(&path), &take_away(&file, changes)?)?;
    show(call, &moment, call.id())
}

fn delete(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing();
    let file = FileState::find(&writing.before.site.snapshot, call.id())?;
    if file.kind.is_some() {
        return Err(ApiError::bad(format!(
            "{} is generated and cannot be deleted; reset it, or set `enabled` to false",
            file.filename
        )));
    }
    let is_configured = writing
        .before
        .site
        .snapshot
        .config
        .site_files
        .contains_key(&file.filename);
    let changes = if is_configured {
        vec![Change::remove(&[TABLE, &file.filename])]
    } else {
        Vec::new()
    };
    let path = file.published_path()?;
    writing.write(call.id(), Some(&path), &take_away(&file, changes)?)?;
    Answer::ok(&Empty {})
}

/// The steps that move template and draft to the trash. The published template goes first, and the entry
/// in `site.toml` last, so that nothing is published again in between.
fn take_away(file: &FileState<'_>, changes: Vec<Change>) -> Result<Vec<Step<'static>>, ApiError> {
    let own = [file.published, file.draft].into_iter().flatten();
    let mut steps: Vec<Step<'_>> = own.map(|own| Step::remove(&own.source)).collect();
    steps.extend(configure(changes)?);
    Ok(steps)
}
