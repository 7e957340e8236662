//! Lookups of pictures that are published in several sizes.

use super::Snapshot;
use model::artwork::sizes;
use model::pictures::{SIZES, path_of};
use model::{ImageInfo, MediaFile, Size};

impl Snapshot {
    /// Returns the picture at a public path, if it is published in several sizes. The path is not
    /// percent-encoded.
    pub fn picture(&self, path: &str) -> Option<(&MediaFile, &ImageInfo)> {
        let at = self.media.binary_search_by(|file| file.path.as_str().cmp(path));
        let file = &self.media[at.ok()?];
        let still = file.still.as_ref()?;
        (!sizes(file, &self.config.images).is_empty()).then_some((file, still))
    }

    /// Returns whether a media file is published under its own name. A picture that only bodies
    /// show is not published under its own name if resized versions replace it.
    pub fn publishes(&self, file: &MediaFile) -> bool {
        !file.is_only_shown || self.picture(&file.path).is_none()
    }
}

/// Returns the index of the picture that has a resized version at this path below [`SIZES`], and
/// the size of that version.
pub fn picture_size_at(snapshot: &Snapshot, path: &str) -> Option<(usize, Size)> {
    let below = path.strip_prefix(SIZES)?;
    let (stem, rest) = below.rsplit_once('-')?;
    let width: u32 = rest.split('.').next()?.parse().ok()?;
    let start = format!("/media/{stem}.");
    let media = &snapshot.media;
    let first = media.partition_point(|file| file.path.as_str() < start.as_str());
    let near = media.iter().enumerate().skip(first);
    let mut near = near.take_while(|(_, file)| file.path.starts_with(&start));
    near.find_map(|(at, file)| {
        let (_, still) = snapshot.picture(&file.path)?;
        let mut sizes = sizes(file, &snapshot.config.images).into_iter();
        let size = sizes.find(|size| size.width == width && path_of(file, still, *size) == path)?;
        Some((at, size))
    })
}
