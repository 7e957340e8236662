//! The path of the channel's file.

use std::path::Path;

use super::disk::Disk;
use model::{ContentFolder, SitePath};

/// The possible names of the channel's file.
const FILES: [&str; 2] = ["channel.md", "channel.html"];

/// Returns whether `file` is a possible path of the channel's file.
pub fn is_channel(file: &str) -> bool {
    ContentFolder::split(file).is_some_and(|(_, name)| FILES.contains(&name))
}

/// Returns the path of the channel's file, or `None` if it does not exist.
pub fn channel_file(root: &Path, content: &ContentFolder) -> Option<SitePath> {
    channel_file_on(&Disk::new(root), content)
}

/// Returns the path of the channel's file in another language, or `None` if it does not exist.
pub fn channel_file_in(root: &Path, content: &ContentFolder, language: &str) -> Option<SitePath> {
    channel_file_in_on(&Disk::new(root), content, language)
}

pub(super) fn channel_file_in_on(
    disk: &Disk<'_>,
    content: &ContentFolder,
    language: &str,
) -> Option<SitePath> {
    let names = [language.to_owned(), language.to_ascii_lowercase()];
    let files = names.into_iter().flat_map(|tag| {
        ["md", "html"].map(|extension| content.join(&format!("channel.{tag}.{extension}")))
    });
    files.filter_map(SitePath::new).find(|path| disk.is_file(path))
}

pub(super) fn channel_file_on(disk: &Disk<'_>, content: &ContentFolder) -> Option<SitePath> {
    let mut files = FILES.into_iter().filter_map(|name| SitePath::new(content.join(name)));
    files.find(|path| disk.is_file(path))
}
