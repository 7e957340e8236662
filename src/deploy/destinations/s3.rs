//! Deploys to a bucket of S3-compatible storage.
//!
//! An object is either complete or missing. It keeps the HTTP header fields of its upload. A
//! listing contains the entity tag of each object, which shows whether the object is still the
//! uploaded version.

mod fault;
mod http;
mod listing;

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, BackoffConfig, ObjectStore, ObjectStoreExt, PutMultipartOptions,
    PutOptions, RetryConfig, WriteMultipart,
};
use tokio::runtime::{Builder, Runtime};

use super::{ProgressCallback, RemoteFile, Target};
use crate::{Fault, LocalFile};
use http::{Connector, IDLE_TIMEOUT};
use model::{Bucket, url};

/// Maximum number of small files that are uploaded in parallel.
const MAX_PARALLEL_FILES: usize = 8;

/// Files larger than this many bytes are uploaded one at a time, so that some of the files complete
/// even on a slow connection.
const MAX_PARALLEL_SIZE: u64 = 1024 * 1024;

/// Files larger than this many bytes are uploaded in parts of at least this size. Except for the
/// last part, services reject parts below 5 MiB.
const MIN_PART: usize = 8 * 1024 * 1024;

/// Maximum number of parts of a file.
const MAX_PARTS: u64 = 10_000;

/// Maximum number of parts of a file that are uploaded in parallel.
const MAX_PARALLEL_PARTS: usize = 2;

/// A bucket, or the objects in a bucket whose keys start with a prefix.
pub struct S3 {
    bucket: Bucket,
    store: AmazonS3,
    runtime: Runtime,
}

impl S3 {
    /// Opens a bucket with the keys from the environment. Sends no request.
    pub fn open(bucket: &Bucket) -> Result<Self, Fault> {
        let runtime = Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(|error| Fault::cannot_read("the clock", &error))?;
        let mut builder = with_keys(bucket)?
            .with_bucket_name(&bucket.name)
            .with_http_connector(Connector)
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: 5,
                // A service that has not responded for this long is not expected to respond to
                // another attempt.
                retry_timeout: IDLE_TIMEOUT,
            });
        if let Some(region) = &bucket.region {
            builder = builder.with_region(region);
        }
        if let Some(endpoint) = &bucket.endpoint {
            builder = builder.with_endpoint(endpoint).with_allow_http(!url::is_https(endpoint));
        }
        let store = builder.build().map_err(|error| fault::of(bucket, &error))?;
        Ok(Self { bucket: bucket.clone(), store, runtime })
    }

    fn key(&self, path: &str) -> Result<Path, Fault> {
        let key = format!("{}{path}", self.bucket.prefix);
        Path::parse(key).map_err(|error| self.fault(&error.into()))
    }

    fn fault(&self, error: &object_store::Error) -> Fault {
        fault::of(&self.bucket, error)
    }

    async fn put_one(&self, file: &LocalFile, sent: ProgressCallback<'_>) -> Result<String, Fault> {
        let key = self.key(&file.path)?;
        let attributes = Attributes::from_iter([
            (Attribute::ContentType, file.sent_as.media_type.clone()),
            (Attribute::CacheControl, file.sent_as.cache_control.to_owned()),
        ]);
        let cannot_read = |error: io::Error| Fault::cannot_read(file.on_disk.display(), &error);
        if file.length > MIN_PART as u64 {
            return self.put_parts(&key, file, attributes, sent).await;
        }
        let bytes = fs::read(&file.on_disk).map_err(cannot_read)?;
        let options = PutOptions::from(attributes);
        let put = self.store.put_opts(&key, bytes.into(), options).await;
        sent(file.length);
        put.map(|put| tag(put.e_tag)).map_err(|error| self.fault(&error))
    }

    async fn put_parts(
        &self,
        key: &Path,
        file: &LocalFile,
        attributes: Attributes,
        sent: ProgressCallback<'_>,
    ) -> Result<String, Fault> {
        let cannot_read = |error: io::Error| Fault::cannot_read(file.on_disk.display(), &error);
        let options = PutMultipartOptions::from(attributes);
        let upload = self.store.put_multipart_opts(key, options).await;
        let upload = upload.map_err(|error| self.fault(&error))?;
        let part = MIN_PART.max(usize::try_from(file.length / MAX_PARTS + 1).unwrap_or(MIN_PART));
        let mut write = WriteMultipart::new_with_chunk_size(upload, part);
        let mut source = File::open(&file.on_disk).map_err(cannot_read)?;
        let mut bytes = vec![0; 1024 * 1024];
        loop {
            let read = match source.read(&mut bytes) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => {
                    let _ = write.abort().await;
                    return Err(cannot_read(error));
                }
            };
            if let Err(error) = write.wait_for_capacity(MAX_PARALLEL_PARTS).await {
                let _ = write.abort().await;
                return Err(self.fault(&error));
            }
            write.write(&bytes[..read]);
            sent(read as u64);
        }
        let put = write.finish().await;
        put.map(|put| tag(put.e_tag)).map_err(|error| self.fault(&error))
    }
}

/// Reads the keys from the environment variables that `site.toml` specifies. With the default
/// variables, other standard AWS settings also apply, such as the role of a CI job.
fn with_keys(bucket: &Bucket) -> Result<AmazonS3Builder, Fault> {
    const ROLES: [&str; 3] = [
        "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    ];
    let value = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
    let (key, secret) = (&bucket.key_env, &bucket.secret_env);
    let is_usual = key == "AWS_ACCESS_KEY_ID";
    let builder = if is_usual { AmazonS3Builder::from_env() } else { AmazonS3Builder::new() };
    match (value(key), value(secret)) {
        (Some(key), Some(secret)) => {
            Ok(builder.with_access_key_id(key.trim()).with_secret_access_key(secret.trim()))
        }
        (None, None) if is_usual && ROLES.iter().any(|name| value(name).is_some()) => Ok(builder),
        (found, _) => {
            let missing = if found.is_some() { secret } else { key };
            Err(Fault::permanent(
                format!("the environment variable {missing} is not set"),
                format!(
                    "set {key} to the id of an access key for the bucket {}, and {secret} to the key's secret",
                    bucket.name
                ),
            ))
        }
    }
}

/// Removes the quotation marks around an entity tag, because only some services send them.
fn tag(entity_tag: Option<String>) -> String {
    entity_tag.unwrap_or_default().trim_matches('"').to_owned()
}

impl Target for S3 {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        let prefix = Path::parse(&self.bucket.prefix).map_err(|error| self.fault(&error.into()))?;
        let is_whole = self.bucket.prefix.is_empty();
        let listed = self.store.list((!is_whole).then_some(&prefix));
        let objects = self.runtime.block_on(listed.try_collect::<Vec<_>>());
        let objects = objects.map_err(|error| self.fault(&error))?;
        let files = objects.into_iter().filter_map(|object| {
            let path = object.location.as_ref().strip_prefix(&self.bucket.prefix)?;
            Some(RemoteFile { path: path.to_owned(), length: object.size, tag: tag(object.e_tag) })
        });
        Ok(files.collect())
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        let key = self.key(path)?;
        let read = self.runtime.block_on(async {
            let object = self.store.get(&key).await?;
            object.bytes().await
        });
        match read {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(error) if fault::is_missing_object(&error) => Ok(None),
            Err(error) => Err(self.fault(&error)),
        }
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        let this = &*self;
        let mut tags = Vec::new();
        for some in
            files.chunk_by(|a, b| a.length <= MAX_PARALLEL_SIZE && b.length <= MAX_PARALLEL_SIZE)
        {
            let put = stream::iter(some).map(|file| async move { this.put_one(file, sent).await });
            let put = put.buffered(MAX_PARALLEL_FILES).try_collect::<Vec<_>>();
            tags.extend(self.runtime.block_on(put)?);
        }
        Ok(tags)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let key = self.key(path)?;
        let attributes = Attributes::from_iter([
            (Attribute::ContentType, "application/json"),
            (Attribute::CacheControl, "no-store"),
        ]);
        let put = self.store.put_opts(&key, bytes.to_vec().into(), PutOptions::from(attributes));
        self.runtime.block_on(put).map(drop).map_err(|error| self.fault(&error))
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        let keys: Vec<_> = paths.iter().map(|path| self.key(path)).collect::<Result<_, _>>()?;
        let keys = stream::iter(keys.into_iter().map(Ok)).boxed();
        let deleted = self.store.delete_stream(keys).filter(|deleted| {
            let is_gone = matches!(deleted, Err(object_store::Error::NotFound { .. }));
            std::future::ready(!is_gone)
        });
        let deleted = self.runtime.block_on(deleted.try_collect::<Vec<_>>());
        deleted.map(drop).map_err(|error| self.fault(&error))
    }

    fn has_folders(&self) -> bool {
        false
    }

    fn stores_headers(&self) -> bool {
        true
    }
}
