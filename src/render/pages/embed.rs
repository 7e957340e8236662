//! Embedding of items in other sites: the HTML of the `<iframe>`, and oEmbed 1.0, which provides
//! that HTML to programs.

use serde_json::{Map, Value};

use crate::inputs::Shared;
use model::push_attribute;
use model::{Category, Image};
use site::{ItemEntry, paths};

/// Width of the `<iframe>` in CSS pixels, if the surrounding page is wide enough.
const FRAME_WIDTH: u32 = 600;
/// Height of an audio player in CSS pixels.
const AUDIO_HEIGHT: u32 = 176;
const CARD_HEIGHT: u32 = 160;
/// Height of the area below a video, in CSS pixels.
const VIDEO_FOOTER_HEIGHT: u32 = 56;

fn category(entry: &ItemEntry) -> Option<Category> {
    entry.item.attachment.as_ref().map(|one| one.category)
}

fn height(entry: &ItemEntry) -> u32 {
    let dimensions = entry.item.attachment.as_ref().and_then(|one| one.dimensions);
    match category(entry) {
        Some(Category::Audio) => AUDIO_HEIGHT,
        Some(Category::Video) => {
            let (width, height) = dimensions.map_or((16, 9), |(w, h)| (u64::from(w), u64::from(h)));
            // The maximum keeps upright videos smaller than a screen.
            let scaled = u64::from(FRAME_WIDTH) * height / width.max(1);
            u32::try_from(scaled.clamp(200, 800)).unwrap_or(AUDIO_HEIGHT) + VIDEO_FOOTER_HEIGHT
        }
        _ => CARD_HEIGHT,
    }
}

/// Returns the item's title, or its first words.
pub fn title(shared: &Shared<'_>, entry: &ItemEntry) -> String {
    if !entry.item.title.is_empty() {
        return entry.item.title.clone();
    }
    let words = entry.item.content.name(60);
    if words.is_empty() { shared.title().to_owned() } else { words }
}

/// Returns the HTML that embeds an item in another page.
pub fn code(shared: &Shared<'_>, entry: &ItemEntry) -> String {
    let height = height(entry);
    let mut out = String::from("<iframe src=\"");
    push_attribute(&mut out, &shared.config.url(&paths::embed(entry)));
    out.push_str("\" title=\"");
    push_attribute(&mut out, &title(shared, entry));
    let shape = match category(entry) {
        Some(Category::Video) => format!(";height:auto;aspect-ratio:{FRAME_WIDTH}/{height}"),
        _ => String::new(),
    };
    out.push_str(&format!(
        "\" width=\"{FRAME_WIDTH}\" height=\"{height}\" style=\"border:0;width:100%;max-width:{FRAME_WIDTH}px{shape}\" \
         loading=\"lazy\" allow=\"autoplay; fullscreen; picture-in-picture\"></iframe>"
    ));
    out
}

/// Writes the oEmbed document of an item (sections 2.3.4 and 2.3.4.2 to 2.3.4.4).
pub fn oembed(shared: &Shared<'_>, entry: &ItemEntry) -> Vec<u8> {
    let config = shared.config;
    let kind = match category(entry) {
        Some(Category::Video) => "video",
        _ => "rich",
    };
    let mut object = Map::new();
    let mut add = |key: &str, value: Value| object.insert(key.to_owned(), value);
    add("version", "1.0".into());
    add("type", kind.into());
    add("title", title(shared, entry).into());
    let authors = match entry.item.authors.as_slice() {
        [] => &shared.channel.authors,
        own => own,
    };
    if let Some(author) = authors.first() {
        add("author_name", author.name.clone().into());
        if let Some(url) = &author.url {
            add("author_url", url.clone().into());
        }
    }
    add("provider_name", shared.title().into());
    add("provider_url", config.url("/").into());
    // oEmbed requires the dimensions of a thumbnail.
    let sized = |image: &&Image| image.dimensions().is_some();
    let pictures = [entry.item.image.as_ref(), shared.channel.icon.as_ref()];
    let picture = pictures.into_iter().flatten().find(sized);
    if let Some((image, (width, height))) = picture.and_then(|one| Some((one, one.dimensions()?))) {
        add("thumbnail_url", image.url.clone().into());
        add("thumbnail_width", width.into());
        add("thumbnail_height", height.into());
    }
    add("html", code(shared, entry).into());
    add("width", FRAME_WIDTH.into());
    add("height", height(entry).into());
    let mut out = serde_json::to_vec(&object).unwrap_or_default();
    out.push(b'\n');
    out
}
