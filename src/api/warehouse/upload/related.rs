//! A configuration and data in one request: two parts of a `multipart/related` body (RFC 2387).

use serde_json::Value;

use super::boundary::Boundary;
use super::multipart::{Multipart, MultipartError, MultipartEvent};
use super::spool::{self, Spool};
use super::{MAX_CONFIGURATION, check};
use crate::answer::object;
use crate::call::{Reply, WarehouseCall};
use crate::error;
use crate::jobs;
use api_shared::{ApiError, FAILED, blocking};
use server::http::BodyStream;

/// Reads a configuration and data, and starts the job when both have arrived.
pub async fn take(
    call: WarehouseCall,
    mut body: BodyStream,
) -> Result<(WarehouseCall, Reply), ApiError> {
    call.access.require_start()?;
    let content_type = call.headers.get("content-type");
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let boundary = Boundary::of(content_type.unwrap_or_default())
        .map_err(|why| error::bad_header("Content-Type", why))?;
    let mut multipart = Multipart::new(&boundary);
    let mut parts = Parts {
        call: &call,
        spool: Spool::create(&call.jobs)?,
        configuration: Vec::new(),
        job: None,
        count: 0,
    };
    while let Some(bytes) = spool::next(&mut body).await? {
        multipart.read(&bytes, |found| parts.take(found))?;
    }
    multipart.finish()?;
    let (job, data) = parts.complete()?;
    blocking(FAILED, move || {
        let job = jobs::start(&call, &job, Some(data))?;
        let reply = Reply::json(jobs::resource(&call, &job));
        Ok((call, reply))
    })
    .await?
}

impl From<MultipartError> for ApiError {
    fn from(MultipartError(why): MultipartError) -> Self {
        Self::bad(why)
    }
}

/// The parts of a body that have arrived so far.
struct Parts<'a> {
    call: &'a WarehouseCall,
    spool: Spool,
    configuration: Vec<u8>,
    /// The Job resource in the first part.
    job: Option<Value>,
    /// Number of parts so far.
    count: usize,
}

impl Parts<'_> {
    fn take(&mut self, found: MultipartEvent<'_>) -> Result<(), ApiError> {
        match (found, self.count) {
            (MultipartEvent::Part(headers), 0) => {
                self.count = 1;
                check_headers(headers, true)
            }
            (MultipartEvent::Part(headers), 1) => {
                self.count = 2;
                self.read_job()?;
                check_headers(headers, false)
            }
            (MultipartEvent::Part(_), _) => Err(ApiError::bad(
                "the body has more than two parts: send only a configuration, then data",
            )),
            (MultipartEvent::SpooledFile(bytes), 1) => {
                self.configuration.extend_from_slice(bytes);
                if self.configuration.len() > MAX_CONFIGURATION {
                    Err(super::configuration_too_long())
                } else {
                    Ok(())
                }
            }
            (MultipartEvent::SpooledFile(bytes), _) => self.spool.write(bytes),
            (MultipartEvent::End, _) => Ok(()),
        }
    }

    /// Parses the first part before the data arrives, so that an invalid job is rejected early.
    fn read_job(&mut self) -> Result<(), ApiError> {
        let job = Value::Object(object(&self.configuration)?);
        check(self.call, &job)?;
        self.job = Some(job);
        Ok(())
    }

    fn complete(self) -> Result<(Value, crate::SpooledFile), ApiError> {
        match self.job {
            Some(job) => Ok((job, self.spool.data())),
            None => Err(ApiError::bad(
                "the body has only one part: send the data after the configuration",
            )),
        }
    }
}

/// Rejects parts with an unsupported transfer encoding, and a configuration that is not JSON.
fn check_headers(headers: &[u8], is_configuration: bool) -> Result<(), ApiError> {
    let text = std::str::from_utf8(headers)
        .map_err(|_| ApiError::bad("the headers of a part are not valid UTF-8"))?;
    for line in text.lines() {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match name.trim().to_ascii_lowercase().as_str() {
            "content-type" if is_configuration && essence != "application/json" => {
                return Err(ApiError::bad(format!(
                    "the first part must be the configuration, with the type application/json, not {essence:?}"
                )));
            }
            "content-transfer-encoding"
                if !matches!(essence.as_str(), "" | "binary" | "8bit" | "7bit") =>
            {
                return Err(ApiError::bad(format!(
                    "the transfer encoding {essence:?} is not supported: send the unencoded bytes"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}
