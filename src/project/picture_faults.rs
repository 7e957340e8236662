//! Finds artwork that podcast directories refuse, and pictures in formats that feedwright cannot
//! resize.
//!
//! These faults do not prevent a build, so only `check` looks for them.

use std::path::Path;

use super::Site;
use model::artwork::{MAX_ARTWORK, MIN_ARTWORK};
use model::{Diagnostic, Image, ImageInfo, MediaFile, Rule, SitePath};
use source::channel_file::channel_file;
use source::place::place_of;

pub(super) fn picture_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    refused_artwork(root, site).into_iter().chain(without_sizes(site)).collect()
}

/// Warns about the first picture in a format that feedwright cannot resize. The warning contains
/// the number of such pictures.
fn without_sizes(site: &Site) -> Option<Diagnostic> {
    let snapshot = &site.snapshot;
    let is_one = |file: &&MediaFile| matches!(&*file.source.extension(), "avif" | "heic" | "heif");
    let count = snapshot.media.iter().filter(is_one).count();
    let first = snapshot.media.iter().find(is_one)?;
    let message = match count {
        1 => "feedwright cannot make smaller versions of this picture".to_owned(),
        _ => {
            format!(
                "feedwright cannot make smaller versions of this picture and of {} more",
                count - 1
            )
        }
    };
    let help = "save it as JPEG, PNG or WebP, so that phones load a smaller version";
    let warning =
        Diagnostic::warning(Rule::PictureSizes, message).file(first.source.as_str()).help(help);
    snapshot.config.images.enabled.then_some(warning)
}

/// Warns if directories refuse the pictures of episodes, or the icon of a channel that has episodes.
fn refused_artwork(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let items = snapshot.published.iter().map(|entry| &entry.item);
    let episodes: Vec<_> = items.filter(|item| item.is_episode()).collect();
    let config = &snapshot.config;
    if !config.feed.rss || episodes.is_empty() {
        return Vec::new();
    }
    let warning = |source: &SitePath, key, image: &Image, media: &[MediaFile]| {
        let medium = config.medium(media, &image.url);
        let still = medium.and_then(|file| file.still.as_ref());
        let message = format!(
            "podcast directories reject this artwork: {}",
            refused(image, still, config.images.enabled)?
        );
        let help = format!(
            "use a square JPEG or PNG of {MIN_ARTWORK} to {MAX_ARTWORK} pixels a side; with `images.enabled`, feedwright scales larger ones down"
        );
        let warning = Diagnostic::warning(Rule::Artwork, message).help(help);
        Some(place_of(root, source, key, "", warning))
    };
    let channel = &snapshot.channel;
    let icon = channel_file(root, &snapshot.config.content).zip(channel.icon.as_ref());
    let icon = icon.and_then(|(file, icon)| warning(&file, "icon", icon, &channel.media));
    let covers = episodes
        .into_iter()
        .filter_map(|item| warning(&item.source, "image", item.image.as_ref()?, &item.media));
    icon.into_iter().chain(covers).collect()
}

/// Returns why directories refuse a picture, or `None` if the picture meets their known
/// requirements.
fn refused(icon: &Image, still: Option<&ImageInfo>, is_made_fit: bool) -> Option<String> {
    let kind = icon.mime_type.as_deref()?;
    let is_read = matches!(kind, "image/jpeg" | "image/png" | "image/webp");
    match icon.dimensions() {
        _ if !is_read => Some(format!("its type is {kind}")),
        Some((width, height)) if width != height || width < MIN_ARTWORK => {
            Some(format!("it has {width} × {height} pixels"))
        }
        // If `is_made_fit`, feedwright makes a JPEG that directories accept.
        Some((width, height)) if !is_made_fit && width > MAX_ARTWORK => Some(format!(
            "it has {width} × {height} pixels, and feedwright makes no smaller version"
        )),
        _ if !is_made_fit && still.is_some_and(|still| !still.is_plain) => {
            Some("it is not an RGB JPEG or PNG without transparency".to_owned())
        }
        _ => None,
    }
}
