//! Reads a git revision: writes its files to a temporary folder, and reads them as a site.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::super::addresses::Addresses;
use super::super::{Options, read_snapshot};
use super::{Published, PublishedItem, guid, without_ends};
use model::{SitePath, Status};
use programs::git::{self, Blob};
use render::PublishedRecordings;
use site::{PageEntry, Snapshot};

/// Size in bytes above which only the length of a file is used. Large files are episodes, and their
/// content is not compared.
const MAX_READ_SIZE: u64 = 1024 * 1024;

/// How much of a file is extracted from the revision.
enum Extraction {
    Whole,
    /// Only the length: the extracted file has the same length but contains only zeros.
    Length,
    Nothing,
}

pub(super) fn read(options: &Options, revision: &str) -> Result<Published, String> {
    let snapshot = read_part(options, revision, |blob| match is_site_file(&blob.path) {
        true if blob.length <= MAX_READ_SIZE => Extraction::Whole,
        true => Extraction::Length,
        false => Extraction::Nothing,
    })?;
    Ok(published_state(&snapshot))
}

/// Returns the published addresses of a revision, for the items and pages in the files `texts`.
pub fn addresses_of(
    options: &Options,
    revision: &str,
    texts: &HashSet<SitePath>,
) -> Result<Addresses, String> {
    let snapshot = read_part(options, revision, |blob| {
        let is_text = matches!(blob.path.extension().as_str(), "md" | "html");
        match is_site_file(&blob.path) {
            true if blob.path.as_str() == "site.toml" || texts.contains(&blob.path) => {
                Extraction::Whole
            }
            // Content files may refer to this file.
            true if !is_text => Extraction::Length,
            _ => Extraction::Nothing,
        }
    })?;
    Ok(Addresses::of(&snapshot))
}

/// Reads the site of a revision. `extraction` decides how much of each file is extracted.
fn read_part(
    options: &Options,
    revision: &str,
    extraction: impl Fn(&Blob) -> Extraction,
) -> Result<Snapshot, String> {
    let root = &options.root;
    let commit = git::commit(root, revision)
        .ok_or_else(|| format!("{revision:?} is not an address, file, folder or git revision"))?;
    let folder = TemporaryFolder::create_temporary()
        .map_err(|error| format!("a temporary folder for {revision} cannot be created: {error}"))?;
    let failed = |what: &str| format!("{revision} cannot be read: {what}");
    let blobs = git::blobs(root, &commit)
        .ok_or_else(|| failed("git cannot list the files in this revision"))?;
    let mut whole = Vec::new();
    for blob in blobs {
        match extraction(&blob) {
            Extraction::Whole => whole.push(blob),
            Extraction::Length => {
                let file = create_parents(&folder.0, &blob.path).and_then(File::create);
                let sized = file.and_then(|file| file.set_len(blob.length));
                sized.map_err(|error| failed(&error.to_string()))?;
            }
            Extraction::Nothing => {}
        }
    }
    git::contents(root, &whole, |path, bytes| {
        create_parents(&folder.0, path).and_then(|file| fs::write(file, bytes))
    })
    .map_err(|error| failed(&error.to_string()))?;
    Ok(read_snapshot(&Options { root: folder.0.clone(), ..options.clone() }))
}

fn is_site_file(path: &SitePath) -> bool {
    let path = path.as_str();
    path == "site.toml"
        || ["content/", "shows/", "site-files/", "themes/"]
            .iter()
            .any(|part| path.starts_with(part))
}

fn published_state(snapshot: &Snapshot) -> Published {
    let recordings = PublishedRecordings::of(snapshot);
    let items = snapshot.entries.iter().filter(|entry| entry.is_public());
    let items = items.map(|entry| {
        let file = entry.item.attachment.as_ref();
        PublishedItem {
            guid: guid(&entry.item).to_owned(),
            address: Some(entry.path.clone()),
            title: entry.item.title.clone(),
            enclosure: file.map(|file| (file.url.clone(), file.size_in_bytes)),
            tags: recordings.tags(entry).map(|own| Box::new(without_ends(own.tags))),
        }
    });
    let pages = snapshot.pages.iter();
    let pages = pages.filter(|entry| entry.status != Status::Unpublished);
    let page = |entry: &PageEntry| {
        let path = entry.path();
        (entry.page.id.clone(), path)
    };
    Published {
        base: Some(snapshot.config.base_url.clone()),
        items: items.collect(),
        pages: pages.map(page).collect(),
        addresses: Vec::new(),
        is_untagged: true,
        files: Addresses::of(snapshot),
    }
}

/// Creates the folders above a file, and returns the path of the file.
fn create_parents(folder: &Path, path: &SitePath) -> std::io::Result<PathBuf> {
    let file = path.on_disk(folder);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    Ok(file)
}

/// A temporary folder, removed when dropped.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn create_temporary() -> std::io::Result<Self> {
        let name = |number: usize| format!("feedwright-{}-{number}", std::process::id());
        for number in 0.. {
            let folder = std::env::temp_dir().join(name(number));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                create_parents => return create_parents.map(|()| Self(folder)),
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
