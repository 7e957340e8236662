//! Where the channel stands.

use std::path::Path;

use super::disk::Disk;
use model::SitePath;

/// Where the channel may stand.
const FILES: [&str; 2] = ["content/channel.md", "content/channel.html"];

/// Whether a file is the channel's.
pub fn is_channel(file: &str) -> bool {
    FILES.contains(&file)
}

/// The channel's file, where there is one.
pub fn channel_file(root: &Path) -> Option<SitePath> {
    channel_file_on(&Disk::new(root))
}

pub(super) fn channel_file_on(disk: &Disk<'_>) -> Option<SitePath> {
    FILES.into_iter().filter_map(SitePath::parse).find(|path| disk.is_file(path))
}
