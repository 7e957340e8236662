//! What `content/media.json` says of the place of media, and what a deploy notes there.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::{Fault, LocalFile, Stored};
use crate::edit;
use crate::model::SitePath;
use crate::source::git;
use crate::source::stored_media::{FILE, StoredFile, StoredMedia};

/// The list of a site; an empty one if it has none.
pub fn read_list(root: &Path) -> StoredMedia {
    let bytes = fs::read(root.join(FILE)).unwrap_or_default();
    // Nothing is deployed of a site whose list is wrong.
    StoredMedia::parse(&bytes).unwrap_or_default()
}

/// The files of the list that are not here. The paths of media are those below `/media/`.
pub fn lying_there(list: &StoredMedia, here: &[LocalFile]) -> Stored {
    let here: HashSet<&str> = here.iter().map(|file| file.path.as_str()).collect();
    let files = list.files.iter();
    files
        .filter_map(|(path, file)| Some((path.strip_prefix("/media/")?, file.length)))
        .filter(|(path, _)| !here.contains(path))
        .map(|(path, length)| (path.to_owned(), length))
        .collect()
}

/// Notes the media that lie there now and that git leaves out, and answers how many lines are new. What git has is on every
/// machine.
pub fn note(root: &Path, mut list: StoredMedia, here: &[LocalFile]) -> Result<usize, Fault> {
    let sources = here.iter().filter_map(|file| {
        let folders = ["content/media/", "content/"].into_iter();
        let mut sources =
            folders.filter_map(|folder| SitePath::parse(&format!("{folder}{}", file.path)));
        Some((file, sources.find(|source| source.on_disk(root).is_file())?))
    });
    let sources: Vec<(&LocalFile, SitePath)> = sources.collect();
    let ignored = git::ignored(root, sources.iter().map(|(_, source)| source));
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
        let facts = media_facts::read(&source.on_disk(root));
        let facts = facts.map_err(|error| Fault::unread(&source, &error.source))?;
        list.files
            .insert(public, StoredFile::of(facts, file.hash.clone()));
        new += 1;
    }
    if new > 0 {
        edit::keep(&root.join(FILE), list.text().as_bytes())
            .map_err(|error| Fault::unwritten(FILE, &error))?;
    }
    Ok(new)
}
