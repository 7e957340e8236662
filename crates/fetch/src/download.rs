//! Downloads that continue after an interruption.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::answer::Answer;
use crate::bounds::{Bounds, Pace};
use crate::client::{Client, Request};
use crate::fault::{Fault, Kind};

/// Number of bytes per read.
const PART: usize = 128 * 1024;

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
    /// the server supports ranges and its file is unchanged. The version of the server's file is
    /// stored in a second file, named like the first with the suffix `.version`. Calls `progress`
    /// repeatedly with the number of bytes written so far.
    ///
    /// # Errors
    ///
    /// Returns an error if the download is incomplete. The file then keeps the received bytes, so
    /// use it only after success.
    pub fn download(
        &self,
        url: &str,
        file: &Path,
        progress: &dyn Fn(u64),
    ) -> Result<Downloaded, Fault> {
        self.again(|| self.go_on(url, file, progress))
    }

    fn go_on(&self, url: &str, file: &Path, progress: &dyn Fn(u64)) -> Result<Downloaded, Fault> {
        let known = Validator::beside(file);
        let there = fs::metadata(file).map_or(0, |facts| facts.len());
        let validator = known.read().filter(|_| there > 0);
        let range = format!("bytes={there}-");
        let with_range: Vec<(&str, &str)> = match &validator {
            Some(validator) => vec![("range", &range), ("if-range", validator)],
            None => Vec::new(),
        };
        let answer = self.send(&Request { headers: &with_range, ..Request::get(url) })?;
        let begins_at = match answer.status {
            206 => part_of(&answer).filter(|at| *at == there),
            200 => Some(0),
            // The local file is already complete, or the server's file has changed.
            416 => None,
            _ => return Err(answer.refusal()),
        };
        let Some(begins_at) = begins_at else {
            known.forget();
            let _ = fs::remove_file(file);
            let message =
                format!("{} returned another part of the file than requested", answer.url);
            return Err(Fault::new(Kind::Length, message));
        };
        known.write(&answer).map_err(|error| failed(file, &error))?;
        let expected = answer.length().map(|length| begins_at + length);
        let done =
            Downloaded { length: 0, media_type: answer.media_type(), url: answer.url.to_string() };
        if expected.is_some_and(|expected| expected > self.bounds().largest_download) {
            return Err(too_large(url, self.bounds()));
        }
        let length = write(answer, file, begins_at, progress, self.bounds())?;
        if expected.is_some_and(|expected| expected != length) {
            let message = format!(
                "{url} is incomplete: {length} of {} bytes received",
                expected.unwrap_or_default()
            );
            return Err(Fault::new(Kind::Length, message));
        }
        known.forget();
        Ok(Downloaded { length, ..done })
    }
}

fn write(
    answer: Answer,
    file: &Path,
    begins_at: u64,
    progress: &dyn Fn(u64),
    bounds: &Bounds,
) -> Result<u64, Fault> {
    let url = answer.url.to_string();
    let disk = |error: io::Error| failed(file, &error);
    let mut out = OpenOptions::new().create(true).append(true).open(file).map_err(disk)?;
    out.set_len(begins_at).map_err(disk)?;
    let mut reader = answer.reader();
    let mut part = vec![0; PART];
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
                    _ => format!("{url} was interrupted after {length} bytes: {error}"),
                };
                return Err(Fault::new(Kind::Stalled, message));
            }
        };
        out.write_all(&part[..count]).map_err(disk)?;
        length += count as u64;
        progress(length);
        if length > bounds.largest_download {
            return Err(too_large(&url, bounds));
        }
        pace.check(&url, length)?;
    }
    out.sync_data().map_err(disk)?;
    Ok(length)
}

fn too_large(url: &str, bounds: &Bounds) -> Fault {
    let message =
        format!("{url} is larger than {} bytes and was not downloaded", bounds.largest_download);
    Fault::new(Kind::Large, message)
}

/// Returns the start of the range in the response (RFC 9110, section 14.4).
fn part_of(answer: &Answer) -> Option<u64> {
    let range = answer.header("content-range")?.trim();
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
    fn beside(file: &Path) -> Self {
        let mut name = file.as_os_str().to_owned();
        name.push(".version");
        Self(PathBuf::from(name))
    }

    fn read(&self) -> Option<String> {
        fs::read_to_string(&self.0).ok()
    }

    /// Stores the response's validator, or removes the stored one if there is none. A weak `ETag` is
    /// ignored, because its bytes may differ (RFC 9110, section 13.1.5).
    fn write(&self, answer: &Answer) -> io::Result<()> {
        let tag = answer.header("etag").filter(|tag| !tag.trim_start().starts_with("W/"));
        match tag.or_else(|| answer.header("last-modified")) {
            Some(validator) => File::create(&self.0)?.write_all(validator.as_bytes()),
            None => {
                self.forget();
                Ok(())
            }
        }
    }

    fn forget(&self) {
        let _ = fs::remove_file(&self.0);
    }
}
