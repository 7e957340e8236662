//! The forms of items, as their authors think of them: episodes, posts and photos.

use model::{Category, Config, ContentFolder, EpisodeNumber, Item, MediaFile};
use site::Snapshot;

/// Number of the newest items that decide what a site is about.
const NEWEST: usize = 20;

/// The kind of an item, as its author sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Episode,
    Photo,
    Post,
}

impl Form {
    /// Returns what most of the newest items are. The theme decides for a site without items.
    pub fn of_site(snapshot: &Snapshot) -> Self {
        let items = snapshot.entries.iter().map(|entry| &*entry.item);
        let newest: Vec<Self> = items.filter_map(Self::of).take(NEWEST).collect();
        let count = |form: &Self| newest.iter().filter(|own| *own == form).count();
        let most = [Self::Post, Self::Photo, Self::Episode].into_iter().max_by_key(count);
        match (newest.is_empty(), &*snapshot.config.theme) {
            (true, "podcast") => Self::Episode,
            (true, "photos") => Self::Photo,
            (true, _) => Self::Post,
            (false, _) => most.unwrap_or(Self::Post),
        }
    }

    /// Returns the form of an item. A draft that waits for its recording or photo has the form of
    /// the site.
    pub fn in_site(item: &Item, subject: Self) -> Self {
        Self::of(item).unwrap_or(subject)
    }

    /// Returns the form of an item, or None if the item may still get an attachment.
    fn of(item: &Item) -> Option<Self> {
        let is_in_folder = item.source.stem() == "index";
        match item.attachment.as_ref().map(|file| file.category) {
            Some(Category::Audio | Category::Video) => Some(Self::Episode),
            Some(Category::Image) => Some(Self::Photo),
            Some(_) => Some(Self::Post),
            None if item.episode().is_some() => Some(Self::Episode),
            None if is_in_folder && item.status == model::Status::Unpublished => None,
            None => Some(Self::Post),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Episode => "episode",
            Self::Photo => "photo",
            Self::Post => "post",
        }
    }
}

/// Returns the picture of an item in lists: the cover, the photo, or else its first picture. Returns
/// None if the picture is not a file of the site.
pub fn picture<'i>(item: &'i Item, config: &Config) -> Option<&'i MediaFile> {
    let photo = item.attachment.as_ref().filter(|file| file.category == Category::Image);
    let covers =
        [&item.image, &item.banner_image].map(|image| image.as_ref().map(|image| &image.url));
    let addresses = [covers[0], photo.map(|file| &file.url), covers[1]];
    let named = addresses.into_iter().flatten().next();
    match named {
        Some(address) => config.medium(&item.media, address),
        None => item.media.iter().find(|file| file.still.is_some()),
    }
}

/// Returns the numbers of the next episode. The numbers of shows continue separately.
pub fn next_number(snapshot: &Snapshot) -> Option<EpisodeNumber> {
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let content = &snapshot.config.content;
    EpisodeNumber::after(items.filter(|item| ContentFolder::of(item.source.as_str()) == *content))
}

/// Returns the front matter of the numbers of an episode.
pub fn numbers_toml(number: EpisodeNumber) -> String {
    let season = number.season.map_or(String::new(), |season| format!("season = {season}\n"));
    format!("\n[podcast]\n{season}episode = {}\n", number.episode)
}
