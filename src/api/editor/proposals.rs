//! The proposals and recent calls of agents, for the person who accepts or discards the proposals.

use serde::Deserialize;
use serde_json::{Value, json};
use warp::http::StatusCode;

use super::kind::FileKind;
use super::on_disk::{begin, changed, load_text, replace_seen, version};
use super::records;
use super::tools::AGENT_NAMES;
use super::{Answer, EDITOR};
use api_shared::ApiError;
use server::App;
use server::http::{Response, private_json};
use state::{JournalQuery, Proposal};

/// Maximum number of calls to list.
const CALLS: u32 = 100;

#[derive(Debug, Deserialize)]
pub struct ProposalRequest {
    id: String,
}

/// Returns the waiting proposals, and the latest calls of agents, newest first.
pub fn list(app: &App) -> Answer {
    let proposals = app.state.proposals()?.into_iter().map(|proposal| {
        json!({
            "id": proposal.id,
            "time": proposal.time,
            "agent": proposal.agent,
            "path": proposal.path,
            "reason": proposal.reason,
            "version": version(&proposal.before),
            "before": proposal.before,
            "after": proposal.after,
        })
    });
    let calls = app.state.journal(JournalQuery {
        limit: Some(CALLS),
        by: Some(AGENT_NAMES),
        ..JournalQuery::default()
    })?;
    let calls = calls.into_iter().rev().map(|call| {
        json!({
            "time": call.time,
            "tool": call.operation,
            "about": call.subject,
            "path": call.path,
            "agent": call.key_id,
        })
    });
    Ok(json!({ "proposals": proposals.collect::<Value>(), "calls": calls.collect::<Value>() }))
}

/// Writes a proposal to its file. If the file has changed since the agent read it, writes nothing
/// and returns a 409 with the current text.
pub fn accept(app: &App, request: &ProposalRequest) -> Result<Response, ApiError> {
    let proposal = find(app, request)?;
    let (path, kind) = FileKind::at(&proposal.path)?;
    let writing = begin(app, "accept_proposal", EDITOR);
    let written = replace_seen(&writing, (&path, kind), &proposal.before, &proposal.after);
    match written {
        Err(fault) if matches!(fault.status, StatusCode::CONFLICT | StatusCode::NOT_FOUND) => {
            let current = load_text(app, &path)?;
            // The proposal was accepted earlier, but the answer was lost.
            if current.as_ref() == Some(&proposal.after) {
                app.state.end_proposal(&proposal.id)?;
                return Ok(private_json(StatusCode::OK, &json!({})));
            }
            let why = match current.as_ref() == Some(&proposal.before) {
                // The file has not changed, so the error is about the proposed text.
                true => fault.message,
                false => changed().message,
            };
            let answer = json!({ "error": why, "there": current });
            return Ok(private_json(StatusCode::CONFLICT, &answer));
        }
        written => written?,
    }
    app.state.end_proposal(&proposal.id)?;
    Ok(private_json(StatusCode::OK, &json!({})))
}

pub fn discard(app: &App, request: &ProposalRequest) -> Answer {
    let proposal = find(app, request)?;
    app.state.end_proposal(&proposal.id)?;
    records::note(app, EDITOR, "discard_proposal".to_owned(), proposal.path)?;
    Ok(json!({}))
}

fn find(app: &App, request: &ProposalRequest) -> Result<Proposal, ApiError> {
    let mut waiting = app.state.proposals()?.into_iter();
    waiting.find(|proposal| proposal.id == request.id).ok_or_else(|| {
        ApiError::not_found("proposal not found: it was already accepted or discarded")
    })
}
