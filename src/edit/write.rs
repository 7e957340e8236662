//! Durable writes.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

const TEMPORARY: &str = ".feedwright-new";

/// What became of a replacement that was to happen only if nobody else had written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The file holds the new bytes.
    Done,
    /// Somebody else wrote the file, or removed it, first; it is as they left it.
    Changed,
}

/// Replaces a file by a temporary one beside it, flushed and renamed; its permissions stay. Of a link, the
/// file it leads to is replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let new = Temporary::write(&path, bytes)?;
    fs::rename(&new.path, &path)?;
    sync_folder(&new.folder)
}

/// Replaces a file that holds `old`, in the way of [`replace`]. Where the system can exchange two files in
/// one step, what another program writes at the same time is put back and never lost; elsewhere the
/// file is compared right before it is replaced.
pub fn replace_if(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Replaced> {
    // An exchange that is undone can be seen for a moment; nobody who edits through here may build on it.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
        path => path?,
    };
    let _other_processes = lock(folder_of(&path));
    match fs::read(&path) {
        Ok(held) if held == old => {}
        Ok(_) => return Ok(Replaced::Changed),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
        Err(error) => return Err(error),
    }
    let temporary = Temporary::write(&path, new)?;
    match exchange(&temporary.path, &path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
        Err(_) if fs::read(&path)? != old => return Ok(Replaced::Changed),
        Err(_) => {
            fs::rename(&temporary.path, &path)?;
            sync_folder(&temporary.folder)?;
            return Ok(Replaced::Done);
        }
    }
    let mut exchanged = Exchanged {
        out: &temporary.path,
        path: &path,
        held_out: old.to_vec(),
        held_at: new.to_vec(),
        replaced: Replaced::Done,
    };
    exchanged.settle()?;
    sync_folder(&temporary.folder)?;
    // One that had opened the file just before the exchange may write only now.
    let replaced = exchanged.replaced;
    exchanged.settle()?;
    if exchanged.replaced != replaced {
        sync_folder(&temporary.folder)?;
    }
    Ok(exchanged.replaced)
}

/// Two files that were exchanged, and what they held then.
struct Exchanged<'a> {
    out: &'a Path,
    path: &'a Path,
    held_out: Vec<u8>,
    held_at: Vec<u8>,
    replaced: Replaced,
}

impl Exchanged<'_> {
    /// Whatever else was written into the file that is out goes back, and so does what was written
    /// while that happened.
    fn settle(&mut self) -> io::Result<()> {
        loop {
            let came = fs::read(self.out)?;
            if came == self.held_out {
                return Ok(());
            }
            self.replaced = Replaced::Changed;
            match exchange(self.out, self.path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                exchanged => exchanged?,
            }
            self.held_out = std::mem::replace(&mut self.held_at, came);
        }
    }
}

/// Gives a file another name in its folder, durably. One that is there is an error
/// ([`io::ErrorKind::AlreadyExists`]).
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    move_to_free(from, to)?;
    sync_folder(folder_of(to))
}

/// Writes a file that is not there yet, and the folders above it; nobody sees half of it. One that is
/// there is an error ([`io::ErrorKind::AlreadyExists`]).
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_folders(folder_of(path))?;
    let new = Temporary::write(path, bytes)?;
    rename(&new.path, path)
}

/// Removes what writes that were cut short by a crash left behind: temporary files of more than an hour
/// ago beside `site.toml`, in `content/` and in `site-files/`. Answers how many there were.
pub fn sweep(root: &Path) -> usize {
    let long_ago = SystemTime::now() - Duration::from_secs(60 * 60);
    let files = [
        (root.to_owned(), 1),
        (root.join("content"), usize::MAX),
        (root.join("site-files"), usize::MAX),
    ]
    .into_iter()
    .flat_map(|(folder, depth)| WalkDir::new(folder).max_depth(depth));
    files
        .filter_map(Result::ok)
        .filter(|file| file.file_type().is_file())
        .filter(|file| {
            let name = file.file_name().to_string_lossy();
            name.starts_with('.') && name.ends_with(TEMPORARY)
        })
        .filter(|file| {
            let written = file.metadata().ok().and_then(|facts| facts.modified().ok());
            written.is_some_and(|written| written < long_ago)
        })
        .filter(|file| fs::remove_file(file.path()).is_ok())
        .count()
}

/// A flushed file beside the one it is to replace. It is removed when it is still there in the end.
struct Temporary {
    path: PathBuf,
    folder: PathBuf,
}

impl Temporary {
    fn write(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        let old = fs::metadata(target).ok().map(|facts| facts.permissions());
        let folder = folder_of(target);
        let stem = target.file_name().unwrap_or_default().to_string_lossy();
        let stem: String = stem.chars().take(40).collect();
        let (mut file, path) = Self::open(folder, &stem, old.as_ref())?;
        let new = Self {
            path,
            folder: folder.to_owned(),
        };
        if let Some(old) = old {
            file.set_permissions(old)?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(new)
    }

    /// Makes a file of a name that none has: a crash of a process with the same number may have left
    /// one. From the first moment no more people can read it than those who may read the `old` one.
    fn open(folder: &Path, stem: &str, old: Option<&Permissions>) -> io::Result<(File, PathBuf)> {
        static WRITES: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(old) = old {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            options.mode(old.mode() & 0o777);
        }
        #[cfg(not(unix))]
        let _ = old;
        let process = std::process::id();
        loop {
            let write = WRITES.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{stem}.{process}-{write}{TEMPORARY}"));
            match options.open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                opened => return Ok((opened?, path)),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Moves a file to a name that none has. Where the system cannot refuse by itself, what is there is
/// looked for right before.
pub(super) fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match rename_to_free(from, to) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::Unsupported | ErrorKind::InvalidInput
            ) =>
        {
            match to.symlink_metadata() {
                Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                Err(_) => fs::rename(from, to),
            }
        }
        moved => moved,
    }
}

#[cfg(target_os = "linux")]
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(target_os = "linux"))]
fn rename_to_free(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

pub(super) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Keeps other processes from replacing in a folder as long as the file is open. File systems that know no
/// locks do without.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

/// Makes a folder and those above it, each of which lasts through a power cut.
pub(super) fn make_folders(folder: &Path) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(folder)?;
    missing
        .into_iter()
        .try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// A rename lasts through a power cut only when its folder is flushed too.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}
