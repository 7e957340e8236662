//! Prepared uploads. The address of an upload accepts one file, only once, without a key.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, named_params};

use super::database::{millis, optional, parsed, time};
use super::in_flight::Claim;
use super::secret::digest;
use super::{Secret, State, StateError};
use model::{Category, ItemId, SitePath};

/// A prepared upload of a media file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The path where the file will be stored.
    pub path: SitePath,
    /// The category of the file.
    pub category: Category,
    /// The item that the file is for.
    pub item_id: Option<ItemId>,
    /// The size in bytes, if the client stated it.
    pub size: Option<u64>,
    /// The media type, if the client stated it.
    pub media_type: Option<String>,
    /// The time by which the upload must have begun.
    pub expires: Timestamp,
}

/// An upload in progress. If this value is dropped before [`Transfer::complete`], the client may
/// try again until the upload expires.
pub struct Transfer {
    state: State,
    claim: Claim,
    upload: Upload,
}

impl State {
    /// Prepares an upload. Returns the token, which is not stored; the database contains only its
    /// hash.
    pub fn prepare_upload(&self, upload: &Upload, now: Timestamp) -> Result<Secret, StateError> {
        let token = Secret::random()?;
        self.write(|state| {
            state.execute("DELETE FROM uploads WHERE expires <= ?1", [millis(now)])?;
            state.execute(
                "INSERT INTO uploads (token, path, category, item_id, size, media_type, expires)
                 VALUES (:token, :path, :category, :item_id, :size, :media_type, :expires)",
                named_params! {
                    ":token": token.digest(),
                    ":path": upload.path.as_str(),
                    ":category": upload.category.as_str(),
                    ":item_id": upload.item_id.as_ref().map(ItemId::as_str),
                    ":size": upload.size.map(|size| i64::try_from(size).unwrap_or(i64::MAX)),
                    ":media_type": upload.media_type,
                    ":expires": millis(upload.expires),
                },
            )?;
            Ok(())
        })?;
        Ok(token)
    }

    /// Begins an upload. Returns `None` if the token is unknown, used, expired or in use.
    pub fn take_upload(&self, token: &str, now: Timestamp) -> Result<Option<Transfer>, StateError> {
        let Some(claim) = self.uploads.claim(digest(token)) else {
            return Ok(None);
        };
        let found = self.read(|state| {
            let found = state.query_row(
                "SELECT * FROM uploads WHERE token = ?1 AND expires > ?2",
                (claim.operation_id(), millis(now)),
                upload,
            );
            Ok(found.optional()?)
        })?;
        Ok(found.map(|upload| Transfer { state: self.clone(), claim, upload }))
    }
}

impl Transfer {
    pub fn upload(&self) -> &Upload {
        &self.upload
    }

    /// Completes the upload. Its token cannot be used again.
    pub fn complete(self) -> Result<(), StateError> {
        self.state.write(|state| {
            state.execute("DELETE FROM uploads WHERE token = ?1", [self.claim.operation_id()])?;
            Ok(())
        })
    }
}

fn upload(row: &Row<'_>) -> rusqlite::Result<Upload> {
    Ok(Upload {
        path: parsed(row, "path", |path: String| {
            SitePath::parse(&path).ok_or("this is not a path within a site")
        })?,
        category: parsed(row, "category", |name: String| {
            Category::parse(&name).ok_or("this is not a category")
        })?,
        item_id: optional(row, "item_id", |row, column| {
            parsed(row, column, |id: String| ItemId::parse(&id))
        })?,
        size: optional(row, "size", |row, column| {
            parsed(row, column, |size: i64| u64::try_from(size))
        })?,
        media_type: row.get("media_type")?,
        expires: time(row, "expires")?,
    })
}
