//! A resumable upload in pieces. A client first sends a configuration and receives an address for
//! the data. After a lost connection, the client requests the number of bytes that have arrived.
//! The answer to the last piece is the Job resource.

use std::fs::File;
use std::io::Write;

use serde_json::Value;
use warp::http::StatusCode;
use warp::http::header::{CONTENT_LENGTH, LOCATION, RANGE};

use super::range::UploadRange;
use super::session::{StoredUpload, UploadSession};
use super::spool::{self, MAX_SIZE, random_name, too_long};
use super::{MAX_CONFIGURATION, check};
use crate::answer::{format_of, object, plain_body, response};
use crate::call::{Reply, WarehouseCall};
use crate::error;
use crate::job_resource::Job;
use crate::jobs;
use api_shared::{ApiError, FAILED, blocking};
use jiff::Timestamp;
use server::http::{self, BodyStream, Response, set};

/// Begins an upload. The response contains the address of the upload.
pub async fn begin(
    call: WarehouseCall,
    body: BodyStream,
    path: &str,
) -> Result<Response, ApiError> {
    call.access.require_start()?;
    let bytes = plain_body(&call.headers, body, MAX_CONFIGURATION).await?;
    let path = path.to_owned();
    blocking(FAILED, move || {
        let mut job = Value::Object(object(&bytes)?);
        check(&call, &job)?;
        if job["jobReference"]["jobId"].as_str().is_none_or(str::is_empty) {
            // The id must stay the same if the client sends the last piece again.
            job["jobReference"]["jobId"] = format!("job_{}", random_name()?).into();
        }
        let session = UploadSession {
            owner: call.key.id.clone(),
            project: call.project()?.as_str().to_owned(),
            job,
            total: announced_length(&call)?,
            created: Timestamp::now(),
            is_done: false,
        };
        let stored = StoredUpload::new(&call.jobs)?;
        stored.save(&session)?;
        let mut response = http::bytes(StatusCode::OK, "text/plain; charset=utf-8", "");
        set(&mut response, LOCATION, &address(&call, &path, &stored.id));
        Ok(response)
    })
    .await?
}

/// Returns the number of bytes that a client announces.
fn announced_length(call: &WarehouseCall) -> Result<Option<u64>, ApiError> {
    const NAME: &str = "X-Upload-Content-Length";
    let Some(header) = call.headers.get("x-upload-content-length") else {
        return Ok(None);
    };
    let total: Option<u64> = header.to_str().ok().and_then(|text| text.trim().parse().ok());
    match total {
        Some(total) if total > MAX_SIZE => Err(too_long()),
        Some(total) => Ok(Some(total)),
        None => Err(error::bad_header(NAME, "must be a number of bytes")),
    }
}

/// Returns the address for the pieces of an upload, with the host name that the client uses.
fn address(call: &WarehouseCall, path: &str, id: &str) -> String {
    let base_url = &call.moment.site.snapshot.config.base_url;
    let scheme = base_url.split_once("://").map_or("http", |(scheme, _)| scheme);
    let host = call.headers.get("host");
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme =
        if model::url::host(base_url).eq_ignore_ascii_case(host) { scheme } else { "http" };
    let below = call.moment.site.snapshot.config.base_path();
    format!("{scheme}://{host}{below}{path}?uploadType=resumable&upload_id={id}")
}

/// The state of an upload after a piece.
enum PieceResult {
    /// The upload is incomplete. The value is the number of bytes that have arrived.
    More(u64),
    Whole,
}

pub async fn take(call: WarehouseCall, body: BodyStream, id: &str) -> Result<Response, ApiError> {
    let range = call.headers.get("content-range");
    let range = range.map(|range| range.to_str().unwrap_or_default());
    let piece_range = UploadRange::parse(range).ok_or_else(|| {
        error::bad_header("Content-Range", "must be written like bytes 0-524287/2000000")
    })?;
    let own = call.project()?;
    let (stored, session) = StoredUpload::find(&call.jobs, id, &call.key.id, own.as_str())?;
    if session.is_done {
        return start_job(call, &stored, &session).await;
    }
    let file = stored.open()?;
    let (session, taken) = receive(&stored, session, &file, piece_range, body).await?;
    match taken {
        PieceResult::More(length) => Ok(incomplete_response(length)),
        PieceResult::Whole => start_job(call, &stored, &session).await,
    }
}

/// Writes the new bytes of a piece.
async fn receive(
    stored: &StoredUpload,
    mut session: UploadSession,
    file: &File,
    piece_range: UploadRange,
    mut body: BodyStream,
) -> Result<(UploadSession, PieceResult), ApiError> {
    let had = file.metadata().map_err(ApiError::failed)?.len();
    session.record_total(stored, piece_range.total(), had)?;
    let most = session.total.unwrap_or(MAX_SIZE);
    let (first, after) = match piece_range {
        UploadRange::All => (0, None),
        UploadRange::Some(first, after, _) => (first, Some(after)),
        UploadRange::Nothing(_) => (had, Some(had)),
    };
    // Earlier bytes are missing. The client gets the offset from which to continue.
    if first > had {
        return Ok((session, PieceResult::More(had)));
    }
    let mut at = first;
    while let Some(bytes) = spool::next(&mut body).await? {
        let end = at + bytes.len() as u64;
        if after.is_some_and(|after| end > after) || end > most {
            file.set_len(had).map_err(ApiError::failed)?;
            return Err(ApiError::bad("the body has more bytes than the request announced"));
        }
        let known = usize::try_from(had.saturating_sub(at)).unwrap_or(usize::MAX);
        let new = bytes.get(known..).unwrap_or_default();
        (&*file).write_all(new).map_err(ApiError::failed)?;
        at = end;
    }
    let has = at.max(had);
    if piece_range == UploadRange::All {
        session.record_total(stored, Some(has), has)?;
    }
    let is_whole = session.total == Some(has);
    Ok((session, if is_whole { PieceResult::Whole } else { PieceResult::More(has) }))
}

impl UploadSession {
    /// Records the total number of bytes. Returns an error if the total contradicts an earlier
    /// total, or if it is smaller than the number of bytes that have arrived.
    fn record_total(
        &mut self,
        stored: &StoredUpload,
        total: Option<u64>,
        had: u64,
    ) -> Result<(), ApiError> {
        let Some(total) = total.filter(|total| self.total != Some(*total)) else {
            return Ok(());
        };
        if let Some(known) = self.total {
            let message =
                format!("the total must be {known} bytes, as announced before, not {total}");
            return Err(error::bad_header("Content-Range", message));
        }
        if total < had {
            let message = format!("{had} bytes have already arrived, which is more than {total}");
            return Err(error::bad_header("Content-Range", message));
        }
        if total > MAX_SIZE {
            return Err(too_long());
        }
        self.total = Some(total);
        stored.save(self)
    }
}

/// Creates the 308 response with the number of bytes that have arrived.
fn incomplete_response(length: u64) -> Response {
    let mut response = http::bytes(StatusCode::PERMANENT_REDIRECT, "text/plain; charset=utf-8", "");
    set(&mut response, CONTENT_LENGTH, "0");
    if let Some(last) = length.checked_sub(1) {
        set(&mut response, RANGE, &format!("bytes=0-{last}"));
    }
    response
}

/// Starts the job of a complete upload only once, and returns the job as the response.
async fn start_job(
    call: WarehouseCall,
    stored: &StoredUpload,
    session: &UploadSession,
) -> Result<Response, ApiError> {
    let (stored, mut session) = (stored.clone(), session.clone());
    blocking(FAILED, move || {
        let job = match existing_job(&call, &stored, &session)? {
            Some(job) => job,
            None => {
                let started = jobs::start(&call, &session.job, Some(stored.data()));
                // A job that fails to start now would also fail later, so the upload is removed.
                started.inspect_err(|_| stored.remove_metadata())?
            }
        };
        if !session.is_done {
            session.is_done = true;
            stored.save(&session)?;
        }
        let shape = format_of(&call.parameters)?;
        let reply = Reply::json(jobs::resource(&call, &job));
        Ok(response(&shape, &call, false, reply))
    })
    .await?
}

/// Returns the job that an earlier request started with this upload, if there is one.
fn existing_job(
    call: &WarehouseCall,
    stored: &StoredUpload,
    session: &UploadSession,
) -> Result<Option<Job>, ApiError> {
    let id = session.job["jobReference"]["jobId"].as_str().unwrap_or_default();
    let name = stored.data_name();
    let found = call.jobs.get(&call.app, &session.project, id).ok();
    match found.filter(|job| job.details.data.as_deref() == Some(name.as_str())) {
        Some(job) => Ok(Some(job)),
        None if session.is_done => {
            Err(ApiError::not_found("the job of this upload no longer exists"))
        }
        None => Ok(None),
    }
}

pub async fn cancel(call: WarehouseCall, id: &str) -> Result<Response, ApiError> {
    let own = call.project()?;
    let (stored, session) = StoredUpload::find(&call.jobs, id, &call.key.id, own.as_str())?;
    if session.is_done {
        stored.remove_metadata()
    } else {
        stored.remove()
    }
    Ok(http::bytes(StatusCode::NO_CONTENT, "text/plain; charset=utf-8", ""))
}
