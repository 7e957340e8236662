//! The tools that write. Changes to drafts are written to the files, and changes to published files
//! are stored as proposals.

use front_matter::Change;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::super::date::{complete_publication, with_date};
use super::super::files::{new_draft, new_translation};
use super::super::kind::FileKind;
use super::super::on_disk::{begin, replace_seen, version};
use super::super::text::text_json;
use super::agent_files::File;
use super::arguments::{self, ContentKind};
use super::{Call, CallResult};
use api_shared::{ApiError, Step, cannot_edit};
use model::Status;
use source::schema::Kind;
use state::{MAX_PROPOSALS, Proposal, random_id};

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 500;

pub fn create_draft(
    call: &Call<'_>,
    sent: &arguments::CreateDraft,
) -> Result<CallResult, ApiError> {
    let kind = match sent.kind {
        Some(ContentKind::Page) => FileKind::Content(Kind::Page),
        _ => FileKind::Content(Kind::Item),
    };
    let fields = sent.fields.clone().unwrap_or_default();
    for own in ["id", "title", "status"] {
        if fields.contains_key(own) {
            return Err(ApiError::bad(match own {
                "status" => {
                    "arguments.fields.status: remove it; a draft is unpublished until its author publishes it"
                        .to_owned()
                }
                "title" => "arguments.fields.title: remove it, and use `arguments.title`".to_owned(),
                _ => "arguments.fields.id: remove it; feedwright creates the id of a draft".to_owned(),
            }));
        }
    }
    let writing = begin(call.app, "create_draft", call.agent.name());
    let language = sent.language.as_deref();
    let (path, text) = match &sent.translation_of {
        None => new_draft(&writing, kind, &sent.title, language)?,
        Some(original) => {
            let original = File::named(call.app, original)?;
            let language =
                language.ok_or_else(|| ApiError::bad("arguments.language: is missing"))?;
            new_translation(&writing, original.source(), language, Some(&sent.title))?
        }
    };
    let (path, kind) = FileKind::at(path.as_str())?;
    let empty = File { path, kind, text };
    let text = sent.text.as_deref().map(|text| match text {
        text if text.ends_with('\n') || text.is_empty() => text.to_owned(),
        text => format!("{text}\n"),
    });
    let draft = edit::apply(empty.source(), &changes(&fields), text.as_deref());
    let draft = empty.with(draft.map_err(cannot_edit)?);
    draft.check(call.app)?;
    if !draft.is_draft(call.app) {
        return Err(publishing_forbidden());
    }
    let step = Step::create(&draft.path, &draft.text, kind.check());
    writing.write(draft.path.as_str(), Some(&draft.path), &[step])?;
    CallResult::written(write_answer(call, &draft))
}

pub fn propose_edit(
    call: &Call<'_>,
    sent: &arguments::ProposeEdit,
) -> Result<CallResult, ApiError> {
    let current = File::seen(call.app, &sent.file, &sent.version)?;
    let edited_text = edited_text(&current, sent)?;
    let new = current.with(complete_publication(
        call.app, &current.path, current.kind, &current.text, edited_text,
    )?);
    if new.text == current.text {
        return Err(ApiError::bad(
            "arguments: the edit changes nothing: pass `replacements`, `fields` or `text`",
        ));
    }
    new.check(call.app)?;
    let status_and_id = (current.status_and_id(call.app), new.status_and_id(call.app));
    if let (Some((_, old)), Some((_, new))) = &status_and_id
        && old != new
    {
        return Err(ApiError::bad("id: cannot be changed, because apps identify the item by it"));
    }
    let was_draft = current.is_draft(call.app);
    match (call.agent.may_publish(), was_draft, new.is_draft(call.app)) {
        (true, ..) | (_, true, true) => {
            let writing = begin(call.app, "propose_edit", call.agent.name());
            replace_seen(&writing, (&current.path, current.kind), &current.text, &new.text)?;
            CallResult::written(write_answer(call, &new))
        }
        (_, true, false) => Err(publishing_forbidden()),
        (_, false, _) => propose(call, &current, new, sent.reason.as_deref()),
    }
}

/// Stores a change as a proposal, until a person accepts or discards it.
fn propose(
    call: &Call<'_>,
    current: &File,
    new: File,
    reason: Option<&str>,
) -> Result<CallResult, ApiError> {
    let proposal = Proposal {
        id: random_id()?,
        time: Timestamp::now(),
        agent: call.agent.name().to_owned(),
        path: current.path.to_string(),
        reason: reason.map(|reason| reason.chars().take(MAX_REASON).collect()),
        before: current.text.clone(),
        after: new.text,
    };
    let Some(id) = call.app.state.propose(&proposal)? else {
        return Err(ApiError::busy(format!(
            "{MAX_PROPOSALS} proposals are already waiting: a person must accept or discard some first"
        )));
    };
    let answer = json!({
        "file": current.path,
        "state": "proposed",
        "proposal": id,
        "note": "This file is published, so it changes only when a person accepts the proposal in the editor.",
    });
    CallResult::read(current.path.as_str(), answer)
}

/// Applies an agent's edits, and returns the new text of the file.
fn edited_text(current: &File, sent: &arguments::ProposeEdit) -> Result<String, ApiError> {
    let mut text = sent.text.clone().unwrap_or_else(|| current.text.clone());
    for (at, part) in sent.replacements.iter().flatten().enumerate() {
        let place = format!("arguments.replacements[{at}].old");
        if part.old.is_empty() {
            return Err(ApiError::bad(format!("{place}: must not be empty")));
        }
        // Agents use Unix line endings, even if the file has other line endings.
        let is_dos = !text.contains(&part.old) && text.contains("\r\n");
        let spelled = |own: &str| match is_dos {
            true => own.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => own.to_owned(),
        };
        let (old, new) = (spelled(&part.old), spelled(&part.new));
        text = match text.matches(&old).count() {
            1 => text.replacen(&old, &new, 1),
            0 => {
                return Err(ApiError::bad(format!("{place}: not found in the text")));
            }
            times => {
                return Err(ApiError::bad(format!(
                    "{place}: occurs {times} times in the text; include more of the surrounding text"
                )));
            }
        };
    }
    let Some(fields) = &sent.fields else {
        return Ok(text);
    };
    let changed = current.with(text);
    edit::apply(changed.source(), &changes(fields), None).map_err(cannot_edit)
}

fn changes(fields: &Map<String, Value>) -> Vec<Change> {
    let change = |(key, value): (&String, &Value)| match value {
        Value::Null => Change::remove(&[key]),
        value => Change::set(&[key], value.clone()),
    };
    fields.iter().map(change).collect()
}

pub fn publish(call: &Call<'_>, sent: &arguments::Publish) -> Result<CallResult, ApiError> {
    let current = File::seen(call.app, &sent.file, &sent.version)?;
    if !current.is_draft(call.app) {
        return Err(ApiError::bad(format!("file: {} is not a draft", current.path)));
    }
    let text = edit::apply(current.source(), &[Change::remove(&["status"])], None);
    let text = text.map_err(cannot_edit)?;
    let text = match &sent.date {
        Some(date) => {
            let date = date.parse::<Timestamp>().map_err(|_| {
                ApiError::bad(format!(
                    "arguments.date: {date:?} is not an RFC 3339 date and time, such as 2026-11-20T09:30:00Z"
                ))
            })?;
            with_date(&current.path, &text, date.to_string())?
        }
        None => complete_publication(call.app, &current.path, current.kind, &current.text, text)?,
    };
    let new = current.with(text);
    new.check(call.app)?;
    let writing = begin(call.app, "publish", call.agent.name());
    replace_seen(&writing, (&current.path, current.kind), &current.text, &new.text)?;
    CallResult::written(write_answer(call, &new))
}

/// Returns the answer to a write.
fn write_answer(call: &Call<'_>, file: &File) -> Value {
    let text_json = text_json(call.app, &file.path, file.kind, &file.text);
    let status = file.status_and_id(call.app).map(|(status, _)| status);
    json!({
        "file": file.path,
        "state": "saved",
        "status": status.unwrap_or(Status::Unpublished),
        "version": version(&file.text),
        "problems": text_json["problems"],
    })
}

fn publishing_forbidden() -> ApiError {
    ApiError::new(
        warp::http::StatusCode::FORBIDDEN,
        "status: agents cannot publish: keep `status: unpublished`, which the author removes to publish",
    )
}
