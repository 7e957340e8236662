//! A revision in git: its files are put into a folder of their own, and read as a site.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::super::addresses::Addresses;
use super::super::{Options, read_snapshot};
use super::{Published, PublishedItem, guid};
use crate::model::{SitePath, Status};
use crate::site::{PageEntry, Snapshot, paths};
use crate::source::git;

/// Of larger files only the length is looked at, as episodes are large and nothing else of them is asked for.
const LARGEST: u64 = 1024 * 1024;

pub(super) fn read(options: &Options, revision: &str) -> Result<Published, String> {
    let root = &options.root;
    let commit = git::commit(root, revision).ok_or_else(|| {
        format!("{revision:?} is no address, no file or folder, and no revision that git knows")
    })?;
    let folder =
        Folder::make().map_err(|error| format!("no folder can be made for {revision}: {error}"))?;
    let failed = |what: &str| format!("{revision} cannot be read: {what}");
    let blobs = git::blobs(root, &commit).ok_or_else(|| failed("git does not list its files"))?;
    let wanted = blobs.into_iter().filter(|blob| is_of_site(&blob.path));
    let (small, large): (Vec<_>, Vec<_>) = wanted.partition(|blob| blob.length <= LARGEST);
    for blob in &large {
        let file = made(&folder.0, &blob.path).and_then(File::create);
        let sized = file.and_then(|file| file.set_len(blob.length));
        sized.map_err(|error| failed(&error.to_string()))?;
    }
    git::contents(root, &small, |path, bytes| {
        made(&folder.0, path).and_then(|file| fs::write(file, bytes))
    })
    .map_err(|error| failed(&error.to_string()))?;
    let snapshot = read_snapshot(&Options {
        root: folder.0.clone(),
        ..options.clone()
    });
    Ok(of_snapshot(&snapshot))
}

fn is_of_site(path: &SitePath) -> bool {
    let path = path.as_str();
    path == "site.toml"
        || ["content/", "site-files/", "themes/"]
            .iter()
            .any(|part| path.starts_with(part))
}

fn of_snapshot(snapshot: &Snapshot) -> Published {
    let items = snapshot.entries.iter().filter(|entry| entry.is_public());
    let items = items.map(|entry| {
        let file = entry.item.attachment.as_ref();
        PublishedItem {
            guid: guid(&entry.item).to_owned(),
            address: Some(paths::item(&entry.segment)),
            title: entry.item.title.clone(),
            enclosure: file.map(|file| (file.url.clone(), file.size_in_bytes)),
        }
    });
    let pages = snapshot.pages.iter();
    let pages = pages.filter(|entry| entry.status != Status::Unpublished);
    let page = |entry: &PageEntry| {
        let path = paths::page(entry.page.slug.as_str());
        (entry.page.id.clone(), path)
    };
    Published {
        base: Some(snapshot.config.base_url.clone()),
        items: items.collect(),
        pages: pages.map(page).collect(),
        addresses: Vec::new(),
        files: Addresses::of(snapshot),
    }
}

/// The file at a path, with the folders above it.
fn made(folder: &Path, path: &SitePath) -> std::io::Result<PathBuf> {
    let file = path.on_disk(folder);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    Ok(file)
}

/// A folder that goes with the run.
struct Folder(PathBuf);

impl Folder {
    fn make() -> std::io::Result<Self> {
        let name = |number: usize| format!("feedwright-{}-{number}", std::process::id());
        for number in 0.. {
            let folder = std::env::temp_dir().join(name(number));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(folder)),
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
