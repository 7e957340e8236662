//! Conversion of the `podcast` table of front matter to Podcasting 2.0 tags.
//!
//! Keys are the specification's names in camelCase, in the plural if a tag can be repeated. The
//! singular is accepted too, and a single value counts as a list of one value. Missing values are
//! read from local files where possible.

mod channel_tags;
mod chapters;
mod images;
mod item_tags;
mod links_and_texts;
pub mod media;
mod people;
mod rrule;
mod value;

use super::fields::Fields;
use super::records::{one, read_records, record};
use super::shapes;
use front_matter::Value;
use model::Rule;
use model::podcast::{ChannelPodcast, Enclosure, ItemPodcast, SharedPodcast};
use model::shape::{Field, Shape};

/// Reads the channel's `podcast` table.
pub fn channel_podcast(fields: &Fields<'_, '_>) -> ChannelPodcast {
    misplaced(fields, ItemPodcast::SHAPE, "an item", "the items that it describes");
    ChannelPodcast { shared: shared(fields, &["image", "images"]), ..channel_tags::read(fields) }
}

/// Reads an item's `podcast` table.
pub fn item_podcast(fields: &Fields<'_, '_>) -> ItemPodcast {
    misplaced(
        fields,
        ChannelPodcast::SHAPE,
        "the channel",
        "content/channel.md, where it applies to every item",
    );
    item_tags(fields, &["image", "images"])
}

/// Reads the tags of a live item: its page, its stream and the tags of an item.
pub fn live_show(fields: &Fields<'_, '_>) -> (Option<String>, Option<Enclosure>, ItemPodcast) {
    let link = shapes::address(fields, "link").map(|found| found.url().to_owned());
    (link, one(fields, "enclosure"), item_tags(fields, &["images"]))
}

/// Reads the tags that items and live items have. `image_keys` are the keys for `podcast:image`. In
/// a live item's table, `image` has another meaning: the live item's picture.
fn item_tags(fields: &Fields<'_, '_>, image_keys: &[&'static str]) -> ItemPodcast {
    let chapters = chapters::read(fields);
    ItemPodcast {
        shared: shared(fields, image_keys),
        transcripts: read_records(fields, "transcripts"),
        chapters: chapters.list,
        chapters_link: chapters.link,
        without_chapters: chapters.none,
        are_embedded: false,
        soundbites: read_records(fields, "soundbites"),
        season: item_tags::season(fields),
        episode: item_tags::episode(fields),
        alternate_enclosures: media::alternate_enclosures(fields),
        without_versions: matches!(
            fields.node("alternateEnclosures").map(|node| &node.value),
            Some(Value::List(list)) if list.is_empty()
        ),
        content_links: read_records(fields, "contentLinks"),
    }
}

fn shared(fields: &Fields<'_, '_>, image_keys: &[&'static str]) -> SharedPodcast {
    let (images, srcset) = images::images(fields, image_keys);
    SharedPodcast {
        people: read_records(fields, "people"),
        license: one(fields, "license"),
        locations: read_records(fields, "locations"),
        funding: read_records(fields, "funding"),
        value: read_records(fields, "value"),
        images,
        srcset,
        social_interact: links_and_texts::social_interact(fields),
        chat: fields.node("chat").and_then(|node| record(fields, "chat", node)),
        txt: read_records(fields, "txt"),
    }
}

/// Warns about the tags of `shape`, which belong to `owner` and are ignored in this table.
fn misplaced(fields: &Fields<'_, '_>, shape: &'static Shape, owner: &str, target: &str) {
    for key in shape.fields.iter().flat_map(Field::keys) {
        if let Some(node) = fields.misplaced(key) {
            fields.reader.warning(
                Rule::UnknownKey,
                &node.span,
                format!("`{}` is a tag of {owner}, and is ignored here", fields.name(key)),
                format!("move it to {target}"),
            );
        }
    }
}
