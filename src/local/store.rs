//! The common file format of the caches in `.feedwright/`. A cache may be deleted: the next run
//! creates its content again.
//!
//! A file consists of a header and frames. The header names the cache and its version, and holds a
//! hash of the content's inputs. A frame is a part of the content, preceded by its length and
//! checksum. Most files have one frame. A file that is damaged, truncated, too large or of another
//! version counts as missing.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::{FOLDER, make_folders};

/// The suffix of a temporary file's name. The name begins with a dot.
pub const TEMPORARY: &str = ".feedwright-new";

/// A kind of cache in `.feedwright/`.
#[derive(Debug, Clone, Copy)]
pub struct Cache {
    /// The name of the cache's file, or of the folder that holds its files.
    pub name: &'static str,
    version: u32,
    limit: u64,
    is_flushed: bool,
}

/// Size of the length and the checksum before a frame's content, in bytes.
pub(super) const FRAME_HEAD: usize = 4 + 8;

impl Cache {
    /// Defines a cache. Increase its version whenever the format of its content changes. A file
    /// larger than `limit` bytes is neither written nor read.
    pub const fn new(name: &'static str, version: u32, limit: u64) -> Self {
        Self { name, version, limit, is_flushed: false }
    }

    /// Returns the same cache with its files flushed to the disk. After a power cut, a flushed file
    /// has either the old or the new content.
    pub const fn flushed(self) -> Self {
        Self { is_flushed: true, ..self }
    }

    /// Returns the path of the cache's file or folder in the site at `root`.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(FOLDER).join(self.name)
    }

    /// Returns the content of a file, if its input hash is `made_of`.
    pub fn load(&self, path: &Path, made_of: u64) -> Option<Vec<u8>> {
        let (found, content) = self.load_any(path)?;
        (found == made_of).then_some(content)
    }

    /// Returns the input hash and the content of a file that has exactly one frame.
    pub fn load_any(&self, path: &Path) -> Option<(u64, Vec<u8>)> {
        let (made_of, mut bytes) = self.read(path)?;
        let (found, is_whole) = frames(&bytes);
        let [frame] = found[..] else { return None };
        frame.content().filter(|_| is_whole)?;
        bytes.drain(..FRAME_HEAD);
        Some((made_of, bytes))
    }

    /// Returns the input hash of a file, and its frames as bytes whose checksums are not verified
    /// yet.
    pub fn read(&self, path: &Path) -> Option<(u64, Vec<u8>)> {
        let mut file = File::open(path).ok()?;
        if file.metadata().ok()?.len() > self.limit {
            return None;
        }
        let expected = self.head(0);
        let mut head = vec![0; expected.len()];
        file.read_exact(&mut head).ok()?;
        let (name, made_of) = head.split_last_chunk()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        expected.starts_with(name).then_some((u64::from_le_bytes(*made_of), bytes))
    }

    /// Replaces a file with one that contains this content in a single frame.
    pub fn save(&self, path: &Path, made_of: u64, content: &[u8]) -> io::Result<()> {
        self.save_frames(path, made_of, &[&frame_head(content)?, content])
    }

    /// Replaces a file with one that contains these frames. A frame may be split into several
    /// slices.
    pub fn save_frames(&self, path: &Path, made_of: u64, frames: &[&[u8]]) -> io::Result<()> {
        let head = self.head(made_of);
        let parts = [&[head.as_slice()], frames].concat();
        if parts.iter().map(|part| part.len() as u64).sum::<u64>() > self.limit {
            return Err(ErrorKind::FileTooLarge.into());
        }
        // If the content is unchanged, nothing is written, because flushing takes longer than
        // reading.
        if self.is_flushed && fs::read(path).is_ok_and(|kept| kept == parts.concat()) {
            return Ok(());
        }
        replace(path, &parts, self.is_flushed)
    }

    fn head(&self, made_of: u64) -> Vec<u8> {
        let mut head = format!("feedwright {} {}\n", self.name, self.version).into_bytes();
        head.extend(made_of.to_le_bytes());
        head
    }
}

/// A frame of a file, whose checksum is not verified yet.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'b> {
    content: &'b [u8],
    checksum: u64,
}

impl<'b> Frame<'b> {
    /// Returns the frame's content, or `None` if it is damaged.
    pub fn content(&self) -> Option<&'b [u8]> {
        (xxh3_64(self.content) == self.checksum).then_some(self.content)
    }
}

/// Returns the length and the checksum that are written before the content of a frame.
pub fn frame_head(content: &[u8]) -> io::Result<[u8; FRAME_HEAD]> {
    let length = u32::try_from(content.len()).map_err(|_| ErrorKind::FileTooLarge)?;
    let mut head = [0; FRAME_HEAD];
    head[..4].copy_from_slice(&length.to_le_bytes());
    head[4..].copy_from_slice(&xxh3_64(content).to_le_bytes());
    Ok(head)
}

/// Returns all complete frames, and whether the file ends after the last complete frame.
pub fn frames(mut rest: &[u8]) -> (Vec<Frame<'_>>, bool) {
    let mut frames = Vec::new();
    while let Some((frame, after)) = first_frame(rest) {
        frames.push(frame);
        rest = after;
    }
    (frames, rest.is_empty())
}

fn first_frame(bytes: &[u8]) -> Option<(Frame<'_>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (content, rest) = rest.split_at_checked(length)?;
    let checksum = u64::from_le_bytes(*checksum);
    Some((Frame { content, checksum }, rest))
}

/// Replaces a file in one step. Creates missing parent folders.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, &[bytes], false)
}

/// Writes a temporary file and renames it. If two processes replace the same file at the same time,
/// the last rename wins.
fn replace(path: &Path, parts: &[&[u8]], is_flushed: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let temporary = temporary(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        parts.iter().try_for_each(|part| file.write_all(part))?;
        if is_flushed {
            file.sync_all()?;
        }
        fs::rename(&temporary, path)
    };
    let written = match write() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_folders(folder).and_then(|()| write())
        }
        written => written,
    };
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    } else if is_flushed && cfg!(unix) {
        // A rename survives a power cut only if its folder is flushed too.
        File::open(folder)?.sync_all()?;
    }
    written
}

/// Returns a name for a temporary file in the same folder. The name contains the process id, so
/// that `edit::sweep` can remove the files of processes that have ended.
pub fn temporary(path: &Path) -> PathBuf {
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let stem: String = stem.chars().take(40).collect();
    let write = WRITES.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{stem}.{}-{write}{TEMPORARY}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CACHE: Cache = Cache::new("words", 2, 100).flushed();

    #[test]
    fn only_intact_files_of_the_same_version_and_input_are_loaded() {
        let site = tempfile::tempdir().unwrap();
        let path = CACHE.path(site.path());
        CACHE.save(&path, 7, b"content").unwrap();
        assert_eq!(CACHE.load(&path, 7).unwrap(), b"content");
        assert_eq!(CACHE.load(&path, 8), None);
        let next = Cache { version: 3, ..CACHE };
        assert_eq!(next.load(&path, 7), None);
        let small = Cache { limit: 20, ..CACHE };
        assert_eq!(small.load(&path, 7), None);
        let too_large = CACHE.save(&path, 7, &[0; 100]).unwrap_err();
        assert_eq!(too_large.kind(), ErrorKind::FileTooLarge);

        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(CACHE.load(&path, 7), None, "cut off at {at}");
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(CACHE.load(&path, 7), None, "damaged at {at}");
        }
        let left = fs::read_dir(site.path().join(FOLDER)).unwrap().count();
        assert_eq!(left, 1, "no temporary file is left");
    }

    #[test]
    fn a_file_with_the_same_content_is_not_written_again() {
        let site = tempfile::tempdir().unwrap();
        let path = CACHE.path(site.path());
        CACHE.save(&path, 7, b"one").unwrap();
        let first = fs::metadata(&path).unwrap().modified().unwrap();
        CACHE.save(&path, 7, b"one").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first);
        CACHE.save(&path, 7, b"two").unwrap();
        assert_eq!(CACHE.load(&path, 7).unwrap(), b"two");
    }

    #[test]
    fn frames_before_a_cut_are_read() {
        let framed = |content: &[u8]| [&frame_head(content).unwrap(), content].concat();
        let bytes = [framed(b"one"), framed(b"two")].concat();
        let (all, is_whole) = frames(&bytes);
        assert_eq!((all.len(), is_whole), (2, true));
        let (some, is_whole) = frames(&bytes[..bytes.len() - 1]);
        assert_eq!((some[0].content(), is_whole), (Some(b"one".as_slice()), false));
    }
}
