//! Artwork in the size that each kind of feed reader requires, or the original picture if there is
//! no such size.

use std::borrow::Cow;

use super::shown::ShownPicture;
use crate::inputs::Shared;
use model::artwork::{APP_SIZES, RSS, directory_size, square};
use model::podcast::PodcastImage;
use model::{Image, MediaFile};
use site::ItemEntry;

/// The channel's icon for RSS.
#[derive(Debug, Clone)]
pub struct RssArtwork {
    /// The address of the icon in the size that RSS allows.
    pub small: String,
    /// The address of the icon in the size that podcast directories require.
    pub whole: String,
    /// Artwork sizes for apps, largest first.
    pub for_apps: Vec<PodcastImage>,
}

impl RssArtwork {
    /// Returns the artwork of the document's channel, if it has an icon.
    pub fn of(shared: &Shared<'_>) -> Option<Self> {
        let channel = shared.channel;
        let icon = channel.icon.as_ref()?;
        let whole = whole(shared, &channel.media, icon);
        let small = squared(shared, icon, RSS).url.clone();
        let mut for_apps = Vec::new();
        let own = &channel.podcast.shared;
        if own.images.is_empty() && own.srcset.is_empty() {
            let smaller = APP_SIZES.into_iter();
            for_apps.extend(smaller.filter_map(|side| smaller_version(shared, icon, side)));
        }
        if !for_apps.is_empty() {
            for_apps.insert(0, whole.clone());
        }
        Some(Self {
            small,
            whole: whole.url,
            for_apps: for_apps.into_iter().map(for_app).collect(),
        })
    }
}

fn for_app(image: Image) -> PodcastImage {
    PodcastImage {
        href: image.url,
        alt: image.alt,
        purpose: Some("artwork".into()),
        aspect_ratio: Some("1/1".into()),
        width: image.width.map(u64::from),
        height: image.height.map(u64::from),
        media_type: image.mime_type,
    }
}

/// Returns the address of an item's picture: its own picture, or its show's picture in a network. For an
/// episode, the picture has the size that podcast directories require.
pub fn cover(shared: &Shared<'_>, entry: &ItemEntry) -> Option<String> {
    let (image, media) = entry.cover()?;
    Some(match entry.item.is_episode() {
        true => whole(shared, media, image).url,
        false => image.url.clone(),
    })
}

/// Returns the channel's icon or favicon as a square with this side, in pixels.
pub fn squared<'a>(shared: &Shared<'_>, icon: &'a Image, side: u32) -> Cow<'a, Image> {
    smaller_version(shared, icon, side).map_or(Cow::Borrowed(icon), Cow::Owned)
}

fn smaller_version(shared: &Shared<'_>, icon: &Image, side: u32) -> Option<Image> {
    let picture = ShownPicture::of(shared, &shared.channel.media, &icon.url)?;
    let size = square(picture.still, &shared.config.images, side)?;
    Some(picture.in_size(size, icon))
}

fn whole(shared: &Shared<'_>, media: &[MediaFile], image: &Image) -> Image {
    let made = || {
        let picture = ShownPicture::of(shared, media, &image.url)?;
        let size = directory_size(picture.still, &shared.config.images)?;
        Some(picture.in_size(size, image))
    };
    made().unwrap_or_else(|| image.clone())
}
