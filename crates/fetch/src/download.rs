//! Downloads that continue after an interruption.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::bounds::{Bounds, Pace};
use crate::client::{Client, Request};
use crate::fault::{Fault, Kind};
use crate::response::FetchResponse;

/// Number of bytes per read.
const CHUNK_BYTES: usize = 128 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    /// Length in bytes.
    pub length: u64,
    /// Media type from the server, in lower case and without parameters.
    pub media_type: Option<String>,
    /// URL of the file, after all redirects.
    pub url: String,
}

impl Client {
    /// Downloads a URL to a file in an existing folder. Continues an earlier, partial download if
    /// the server supports ranges and its file is unchanged. To detect changes, the `ETag` or
    /// `Last-Modified` header is stored next to the file, with the suffix `.version`. Calls
    /// `progress` repeatedly with the number of bytes written so far.
    ///
    /// # Errors
    ///
    /// Returns an error if the download is incomplete. The file can then contain a part of the
    /// data, so use it only if the download succeeds.
    pub fn download(
        &self,
        url: &str,
        file: &Path,
        progress: &dyn Fn(u64),
    ) -> Result<Downloaded, Fault> {
        self.retry(|| self.resume(url, file, progress))
    }

    fn resume(&self, url: &str, file: &Path, progress: &dyn Fn(u64)) -> Result<Downloaded, Fault> {
        let known = Validator::for_file(file);
        let there = fs::metadata(file).map_or(0, |facts| facts.len());
        let validator = known.read().filter(|_| there > 0);
        let range = format!("bytes={there}-");
        let with_range: Vec<(&str, &str)> = match &validator {
            Some(validator) => vec![("range", &range), ("if-range", validator)],
            None => Vec::new(),
        };
        let response = self.send(&Request { headers: &with_range, ..Request::get(url) })?;
        let begins_at = match response.status {
            206 => range_start(&response).filter(|at| *at == there),
            200 => Some(0),
            // The local file is already complete, or the server's file has changed.
            416 => None,
            _ => return Err(response.refusal()),
        };
        let Some(begins_at) = begins_at else {
            known.remove();
            let _ = fs::remove_file(file);
            let message =
                format!("{} returned a different part of the file than requested", response.url);
            return Err(Fault::new(Kind::Length, message));
        };
        known.write(&response).map_err(|error| failed(file, &error))?;
        let expected = response.length().map(|length| begins_at + length);
        let done = Downloaded {
            length: 0,
            media_type: response.media_type(),
            url: response.url.to_string(),
        };
        if expected.is_some_and(|expected| expected > self.bounds().max_download_bytes) {
            return Err(too_large(url, self.bounds()));
        }
        let length = write(response, file, begins_at, progress, self.bounds())?;
        if expected.is_some_and(|expected| expected != length) {
            let message = format!(
                "{url} is incomplete: {length} of {} bytes received",
                expected.unwrap_or_default()
            );
            return Err(Fault::new(Kind::Length, message));
        }
        known.remove();
        Ok(Downloaded { length, ..done })
    }
}

fn write(
    response: FetchResponse,
    file: &Path,
    begins_at: u64,
    progress: &dyn Fn(u64),
    bounds: &Bounds,
) -> Result<u64, Fault> {
    let url = response.url.to_string();
    let disk = |error: io::Error| failed(file, &error);
    let mut out = OpenOptions::new().create(true).append(true).open(file).map_err(disk)?;
    out.set_len(begins_at).map_err(disk)?;
    let mut reader = response.reader();
    let mut part = vec![0; CHUNK_BYTES];
    let mut length = begins_at;
    let mut pace = Pace::new(bounds, bounds.download, length);
    loop {
        let count = match reader.read(&mut part) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let _ = out.flush();
                let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
                let message = match inner {
                    Some(ureq::Error::Timeout(_)) => {
                        format!("{url} timed out after {length} bytes")
                    }
                    _ => format!("the download of {url} stopped after {length} bytes: {error}"),
                };
                return Err(Fault::new(Kind::Stalled, message));
            }
        };
        out.write_all(&part[..count]).map_err(disk)?;
        length += count as u64;
        progress(length);
        if length > bounds.max_download_bytes {
            return Err(too_large(&url, bounds));
        }
        pace.check(&url, length)?;
    }
    out.sync_data().map_err(disk)?;
    Ok(length)
}

fn too_large(url: &str, bounds: &Bounds) -> Fault {
    let message =
        format!("{url} is larger than {} bytes and was not downloaded", bounds.max_download_bytes);
    Fault::new(Kind::Large, message)
}

/// Returns the start of the range in the response (RFC 9110, section 14.4).
fn range_start(response: &FetchResponse) -> Option<u64> {
    let range = response.header("content-range")?.trim();
    let (first, _) = range.strip_prefix("bytes ")?.split_once('-')?;
    first.trim().parse().ok()
}

fn failed(file: &Path, error: &io::Error) -> Fault {
    let message = format!("{} cannot be written: {error}", file.display());
    Fault::new(Kind::Disk, message)
}

/// A file with the validator of a partial download: the `ETag` or `Last-Modified` of the server's
/// file.
struct Validator(PathBuf);

impl Validator {
    fn for_file(file: &Path) -> Self {
        let mut name = file.as_os_str().to_owned();
        name.push(".version");
        Self(PathBuf::from(name))
    }

    fn read(&self) -> Option<String> {
        fs::read_to_string(&self.0).ok()
    }

    /// Stores the response's validator, or removes the stored validator if the response has none. A
    /// weak `ETag` is ignored, because it does not guarantee identical bytes (RFC 9110, section
    /// 13.1.5).
    fn write(&self, response: &FetchResponse) -> io::Result<()> {
        let tag = response.header("etag").filter(|tag| !tag.trim_start().starts_with("W/"));
        match tag.or_else(|| response.header("last-modified")) {
            Some(validator) => File::create(&self.0)?.write_all(validator.as_bytes()),
            None => {
                self.remove();
                Ok(())
            }
        }
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}
