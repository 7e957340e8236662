//! Media files at a separate destination. Reads their list, `content/media.json`, and updates it
//! after a deploy.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::local::hash;
use super::record::MAX_FORMER;
use super::{Fault, LocalFile, Plan, Put, Stage, Stored};
use media_facts::MediaFacts;
use model::{Diagnostic, Rule, SitePath};
use programs::git_ignore;
use source::disk::{Disk, integrity, waveform};
use source::playlists::{self, is_playlist};
use source::stored_media::{FILE, StoredFile, StoredMedia};

/// The start of a Git LFS pointer file (Git LFS specification). Pointer files are smaller than
/// [`MAX_POINTER`] bytes.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const MAX_POINTER: u64 = 1024;

#[derive(Debug, Clone, Copy, Default)]
pub struct Noted {
    /// The number of new entries.
    pub new: usize,
    /// Whether the site is outside of a git repository, so that it is unknown which files git
    /// ignores.
    pub is_without_git: bool,
}

impl Noted {
    /// Returns the warning about media that were not added to the list, if there are any.
    pub fn warning(self) -> Option<Diagnostic> {
        let message =
            format!("new media were not added to {FILE}: the site is not in a git repository");
        let help = "keep the site in a git repository, so that machines without the media files can build it";
        let warning = || Diagnostic::warning(Rule::Deploy, message).help(help);
        self.is_without_git.then(warning)
    }
}

/// Reads the list of a site. Returns an empty list if the site has none.
pub fn read_list(root: &Path) -> StoredMedia {
    let bytes = fs::read(root.join(FILE)).unwrap_or_default();
    // An invalid list is treated as empty here, because a site with an invalid list is never
    // deployed.
    StoredMedia::parse(&bytes).unwrap_or_default()
}

/// Returns the listed files that are missing on this machine. The paths of the files are relative
/// to `/media/`.
pub fn stored_elsewhere(list: &StoredMedia, output_files: &[LocalFile]) -> Stored {
    let output_files: HashSet<&str> = output_files.iter().map(|file| file.path.as_str()).collect();
    let files = list.files.iter();
    files
        .filter_map(|(path, file)| Some((path.strip_prefix("/media/")?, file.length)))
        .filter(|(path, _)| !output_files.contains(path))
        .map(|(path, length)| (path.to_owned(), length))
        .collect()
}

/// Returns an error if a media file is only a Git LFS pointer.
pub fn refuse_pointers(output_files: &[LocalFile]) -> Result<(), Fault> {
    let is_pointer = |file: &&LocalFile| {
        file.stage == Stage::Media
            && file.length < MAX_POINTER
            && fs::read(&file.on_disk).is_ok_and(|bytes| bytes.starts_with(POINTER))
    };
    match output_files.iter().find(is_pointer) {
        Some(file) => Err(Fault::pointer(&file.path)),
        None => Ok(()),
    }
}

/// Returns an error if a file to upload is an older version of a file in the list, according to the
/// list or the deploy record. `folder` is the prefix of media paths.
pub fn refuse_outdated(
    root: &Path,
    list: &StoredMedia,
    plan: &Plan<'_>,
    folder: &str,
) -> Result<(), Fault> {
    for Put { file, .. } in &plan.put {
        let Some(path) = file.path.strip_prefix(folder) else {
            continue;
        };
        let Some(named) = list.files.get(&format!("/media/{path}")) else {
            continue;
        };
        let was_published = plan.outdated.contains(&file.path);
        if !was_published && named.former.is_empty() {
            continue;
        }
        let source = source_of(root, path).map(|source| source.on_disk(root));
        let own = match source.filter(|_| is_audio(&named.media_type)) {
            Some(source) => hash(&source).ok(),
            None => None,
        };
        let own = own.as_deref().unwrap_or(&file.hash);
        let is_former = was_published || named.former.iter().any(|former| former == own);
        if is_former && own != named.own_hash() {
            return Err(Fault::outdated(path));
        }
    }
    Ok(())
}

/// Returns whether published files of this type can differ from the author's files by their tags.
fn is_audio(media_type: &str) -> bool {
    media_type.starts_with("audio/")
}

/// Returns the author's file that is published at a path below `/media/`.
fn source_of(root: &Path, path: &str) -> Option<SitePath> {
    let folders = ["content/media/", "content/", "shows/"].into_iter();
    let mut sources = folders.filter_map(|folder| SitePath::parse(&format!("{folder}{path}")));
    sources.find(|source| source.on_disk(root).is_file())
}

/// Adds deployed media files that git ignores to the list. Files that git tracks are not added,
/// because they exist on every machine.
pub fn note(
    root: &Path,
    mut list: StoredMedia,
    output_files: &[LocalFile],
) -> Result<Noted, Fault> {
    let sources = output_files.iter().filter_map(|file| Some((file, source_of(root, &file.path)?)));
    let sources: Vec<(&LocalFile, SitePath)> = sources.collect();
    let disk = Disk::new(root);
    let playlists = sources.iter().filter(|(_, source)| is_playlist(source));
    let of_playlists: HashSet<String> = playlists
        .flat_map(|(_, source)| playlists::read(&disk, source).files)
        .map(|file| file.path)
        .collect();
    let ignored = git_ignore::ignored(root, sources.iter().map(|(_, source)| source));
    let mut new = 0;
    for (file, source) in sources {
        let public = format!("/media/{}", file.path);
        let known = list.files.get(&public);
        if known.is_some_and(|known| known.hash == file.hash) {
            continue;
        }
        if known.is_none() && !ignored.contains(&source) {
            continue;
        }
        let on_disk = source.on_disk(root);
        let facts = media_facts::read(&on_disk);
        let facts = facts.map_err(|error| Fault::cannot_read(&source, &error.source))?;
        let own = is_audio(&facts.media_type).then(|| hash(&on_disk)).transpose();
        let own = own.map_err(|error| Fault::cannot_read(&source, &error))?;
        let own = own.filter(|own| *own != file.hash);
        let waveform = waveform(&on_disk, &facts);
        let is_recording = matches!(facts.media_type.split_once('/'), Some(("audio" | "video", _)));
        // The hash of a recording with tags is unknown, and no feed states it.
        let integrity = (is_recording && own.is_none()).then(|| integrity(&on_disk)).transpose();
        let integrity = integrity.map_err(|error| Fault::cannot_read(&source, &error))?;
        let facts = match is_playlist(&source) {
            true => playlists::read(&disk, &source).facts(&facts),
            false => facts,
        };
        let facts = MediaFacts { bytes: file.length, waveform, integrity, ..facts };
        let mut new_entry = StoredFile::of(facts, file.hash.clone(), own);
        new_entry.is_of_playlist = of_playlists.contains(&public);
        new_entry.former = former(known, new_entry.own_hash());
        list.files.insert(public, new_entry);
        new += 1;
    }
    if new > 0 {
        edit::keep(&root.join(FILE), list.text().as_bytes())
            .map_err(|error| Fault::cannot_write(FILE, &error))?;
    }
    Ok(Noted { new, is_without_git: !output_files.is_empty() && !git_ignore::is_asked(root) })
}

/// Returns the hashes of earlier versions of the author's file.
fn former(known: Option<&StoredFile>, own: &str) -> Vec<String> {
    let mut former = known.map_or_else(Vec::new, |known| known.former.clone());
    former.extend(known.map(|known| known.own_hash().to_owned()));
    former.retain(|hash| hash != own);
    former.drain(..former.len().saturating_sub(MAX_FORMER));
    former
}
