//! The sizes that a picture is published in, and where.

use std::hash::Hash;

use ::pictures::{Format, VERSION, height_at};
use xxhash_rust::xxh3::Xxh3Default;

use super::Snapshot;
use crate::model::{ImageConfig, ImageFormat, MediaFile, Size, Still};

/// The folder of all sizes.
pub(crate) const FOLDER: &str = "/media/sizes/";

impl Snapshot {
    /// The picture at a public path, which is not percent-encoded, if it is published in sizes.
    pub(crate) fn picture(&self, path: &str) -> Option<(&MediaFile, &Still)> {
        let images = &self.config.images;
        let at = self
            .media
            .binary_search_by(|file| file.path.as_str().cmp(path));
        let file = &self.media[at.ok()?];
        let still = file.still.as_ref()?;
        (images.enabled && !widths(still, images).is_empty()).then_some((file, still))
    }

    /// Whether a medium is published under its own name: not a picture that texts only show, which its sizes stand for.
    pub(crate) fn publishes(&self, file: &MediaFile) -> bool {
        !file.is_only_shown || self.picture(&file.path).is_none()
    }
}

/// The widths in which a picture is published, ascending, in pixels: those that are asked for and that it has, and its
/// own where it is no wider than the widest of them. None for one that is small as it is.
pub(crate) fn widths(still: &Still, images: &ImageConfig) -> Vec<u32> {
    let (Some(least), Some(most)) = (images.widths.first(), images.widths.last()) else {
        return Vec::new();
    };
    if still.width <= *least {
        return Vec::new();
    }
    let asked = images.widths.iter().copied();
    let mut widths: Vec<u32> = asked.filter(|width| *width < still.width).collect();
    if still.width <= *most {
        widths.push(still.width);
    }
    widths
}

/// What the sizes of a picture are written as, the format that browsers choose if they can first.
pub(crate) fn formats(still: &Still, images: &ImageConfig) -> impl Iterator<Item = Format> {
    let (quality, is_graphic) = (images.quality, still.is_graphic);
    let formats = images.formats.iter();
    formats.map(move |format| match format {
        ImageFormat::WebP => Format::WebP {
            quality,
            is_graphic,
        },
        ImageFormat::Jpeg if is_graphic => Format::Png,
        ImageFormat::Jpeg => Format::Jpeg { quality },
    })
}

/// All sizes of a picture.
pub(crate) fn sizes(still: &Still, images: &ImageConfig) -> Vec<Size> {
    let widths = widths(still, images);
    let formats = formats(still, images);
    let sizes = formats.flat_map(|format| widths.iter().map(move |width| (*width, format)));
    sizes
        .map(|(width, format)| Size { width, format })
        .collect()
}

/// The ending of a format's files.
pub(crate) fn ending(format: Format) -> &'static str {
    match format {
        Format::Jpeg { .. } => "jpg",
        Format::Png => "png",
        Format::WebP { .. } => "webp",
    }
}

/// Another name for each picture and each way to write it: its address may be kept for ever.
pub(crate) fn name_of(still: &Still, size: Size) -> String {
    let mut made_of = Xxh3Default::new();
    let how = match size.format {
        Format::Jpeg { quality } => (0_u8, quality, false),
        Format::Png => (1, 0, false),
        Format::WebP {
            quality,
            is_graphic,
        } => (2, quality, is_graphic),
    };
    (VERSION, still.hash, how).hash(&mut made_of);
    let (width, hash) = (size.width, made_of.digest() & 0xff_ffff_ffff);
    format!("{width}.{hash:010x}.{}", ending(size.format))
}

/// The public path of a size: `/media/sizes/walk/harbour-960.3fa92c81d0.webp`.
pub(crate) fn path_of(file: &MediaFile, still: &Still, size: Size) -> String {
    let below = file.path.strip_prefix("/media/").unwrap_or(&file.path);
    let name = below.rsplit('/').next().unwrap_or(below);
    let ending = name
        .rsplit_once('.')
        .map_or(0, |(_, ending)| ending.len() + 1);
    let stem = &below[..below.len() - ending];
    format!("{FOLDER}{stem}-{}", name_of(still, size))
}

/// The media whose sizes may lie at a path of [`FOLDER`], by their indexes.
pub(crate) fn found_at(snapshot: &Snapshot, path: &str) -> Option<(usize, Size)> {
    let below = path.strip_prefix(FOLDER)?;
    let (stem, rest) = below.rsplit_once('-')?;
    let width: u32 = rest.split('.').next()?.parse().ok()?;
    let start = format!("/media/{stem}.");
    let media = &snapshot.media;
    let first = media.partition_point(|file| file.path.as_str() < start.as_str());
    let near = media.iter().enumerate().skip(first);
    let mut near = near.take_while(|(_, file)| file.path.starts_with(&start));
    near.find_map(|(at, file)| {
        let (_, still) = snapshot.picture(&file.path)?;
        let mut sizes = sizes(still, &snapshot.config.images).into_iter();
        let size = sizes.find(|size| size.width == width && path_of(file, still, *size) == path)?;
        Some((at, size))
    })
}

/// The height of a picture that is so wide, in pixels.
pub(crate) fn height_of(still: &Still, width: u32) -> u32 {
    height_at(width, still.width, still.height)
}
