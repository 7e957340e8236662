//! The path of the channel's file.

use std::path::Path;

use super::disk::Disk;
use model::SitePath;

/// The possible paths of the channel's file.
const FILES: [&str; 2] = ["content/channel.md", "content/channel.html"];

/// Returns whether `file` is a possible path of the channel's file.
pub fn is_channel(file: &str) -> bool {
    FILES.contains(&file)
}

/// Returns the path of the channel's file, or `None` if the site has no channel.
pub fn channel_file(root: &Path) -> Option<SitePath> {
    channel_file_on(&Disk::new(root))
}

pub(super) fn channel_file_on(disk: &Disk<'_>) -> Option<SitePath> {
    FILES.into_iter().filter_map(SitePath::parse).find(|path| disk.is_file(path))
}
