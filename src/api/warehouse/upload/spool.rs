//! Files in the spool folder for arriving data.

use crate::error::api_error;
use std::fs::File;
use std::io::Write;

use futures_util::StreamExt;

use super::super::scheduler::{Scheduler, SpooledFile};
use crate::error;
use api_shared::ApiError;
use server::http::{BodyError, BodyStream};

/// Maximum size of an upload for one job, in bytes: 1 TiB.
pub const MAX_SIZE: u64 = 1024 * 1024 * 1024 * 1024;

pub struct Spool {
    file: File,
    data: SpooledFile,
    length: u64,
}

impl Spool {
    /// Creates a file. Dropping this value removes the file.
    pub fn create(jobs: &Scheduler) -> Result<Self, ApiError> {
        let path = jobs.spool().map_err(api_error)?.join(format!("{}.data", random_name()?));
        let file = File::create_new(&path).map_err(ApiError::failed)?;
        Ok(Self { file, data: SpooledFile::new(path), length: 0 })
    }

    /// Appends bytes. Each call writes only a few kilobytes to the disk cache, so it does not block
    /// for long.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        self.length += bytes.len() as u64;
        if self.length > MAX_SIZE {
            return Err(too_long());
        }
        self.file.write_all(bytes).map_err(ApiError::failed)
    }

    /// Returns the received bytes as the data of a job.
    pub fn data(self) -> SpooledFile {
        self.data
    }
}

/// Returns the error for data that is too long.
pub fn too_long() -> ApiError {
    error::too_large(format!("the data of a job must be at most {MAX_SIZE} bytes"))
}

/// Returns a unique, unguessable name.
pub fn random_name() -> Result<String, ApiError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(ApiError::failed)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(random)))
}

/// Returns the next bytes of a body, or None at the end of the body.
pub async fn next(body: &mut BodyStream) -> Result<Option<bytes::Bytes>, ApiError> {
    let chunk = body.next().await.transpose();
    chunk.map_err(|error| match error {
        BodyError::Broken => ApiError::bad("the body is incomplete: no job was started"),
        other => other.into(),
    })
}
