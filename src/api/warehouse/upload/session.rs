//! The stored state of a resumable upload. The upload has two files in the spool folder: its
//! metadata, and the bytes that have arrived. It survives a restart of the server.

use crate::error::api_error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::spool::random_name;
use crate::scheduler::{Scheduler, SpooledFile};
use api_shared::ApiError;
use local::store::put;

/// Maximum duration of an upload: one week.
const WINDOW: SignedDuration = SignedDuration::from_hours(24 * 7);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UploadSession {
    /// The id of the key that began the upload. Only this key can continue it.
    pub owner: String,
    /// The project in the request's path.
    pub project: String,
    /// The Job resource to start, including its id.
    pub job: Value,
    /// The total number of bytes, if known.
    pub total: Option<u64>,
    pub created: Timestamp,
    /// Whether the job was started.
    #[serde(default)]
    pub is_done: bool,
}

/// The files of an upload.
#[derive(Debug, Clone)]
pub struct StoredUpload {
    pub id: String,
    folder: PathBuf,
}

impl StoredUpload {
    pub fn new(jobs: &Scheduler) -> Result<Self, ApiError> {
        Ok(Self { id: random_name()?, folder: jobs.spool().map_err(api_error)? })
    }

    /// Returns the upload with this id, if this key began it in this project less than a week ago.
    pub fn find(
        jobs: &Scheduler,
        id: &str,
        owner: &str,
        project: &str,
    ) -> Result<(Self, UploadSession), ApiError> {
        let missing = || {
            ApiError::not_found(
                "upload not found: it has ended, is older than a week or belongs to another key; start it again",
            )
        };
        let is_id = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            return Err(missing());
        }
        let stored = Self { id: id.to_owned(), folder: jobs.spool().map_err(api_error)? };
        let text = fs::read(stored.metadata_path()).map_err(|_| missing())?;
        let session: UploadSession = serde_json::from_slice(&text).map_err(ApiError::failed)?;
        if Timestamp::now().duration_since(session.created) > WINDOW {
            stored.remove();
            return Err(missing());
        }
        if session.owner == owner && session.project == project {
            Ok((stored, session))
        } else {
            Err(missing())
        }
    }

    fn metadata_path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.id))
    }

    fn file(&self) -> PathBuf {
        self.folder.join(self.data_name())
    }

    /// Returns the name of the file in the spool folder that contains the received bytes.
    pub fn data_name(&self) -> String {
        format!("{}.data", self.id)
    }

    pub fn save(&self, session: &UploadSession) -> Result<(), ApiError> {
        let text = serde_json::to_vec(session).map_err(ApiError::failed)?;
        put(&self.metadata_path(), &text).map_err(ApiError::failed)
    }

    /// Opens and locks the file that contains the received bytes. Returns an error if another
    /// request has locked the file.
    pub fn open(&self) -> Result<File, ApiError> {
        let file = File::options()
            .create(true)
            .append(true)
            .open(self.file())
            .map_err(ApiError::failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(_) => Err(ApiError::busy(
                "another request is sending data to this upload: try again later",
            )),
        }
    }

    /// Returns the received bytes as the data of a job.
    pub fn data(&self) -> SpooledFile {
        SpooledFile::new(self.file())
    }

    pub fn remove(&self) {
        for file in [self.metadata_path(), self.file()] {
            let _ = fs::remove_file(file);
        }
    }

    /// Removes the metadata. The received bytes then belong only to the job.
    pub fn remove_metadata(&self) {
        let _ = fs::remove_file::<&Path>(self.metadata_path().as_ref());
    }
}
