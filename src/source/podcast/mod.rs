//! The `podcast` table of front matter becomes Podcasting 2.0 tags.
//!
//! Keys are the specification's names in camelCase, plural where there can be several; the singular
//! is read too, and one value alone is a list of one. What can be read from a local file is filled in.

mod channel_tags;
mod chapters;
mod images;
mod item_tags;
mod links_and_texts;
mod media;
mod people;
mod rrule;
mod shapes;
mod value;

use super::fields::Fields;
use crate::model::Rule;
use crate::model::podcast::{ChannelPodcast, Enclosure, ItemPodcast, SharedPodcast};

/// Keys of the channel's table that an item's cannot have.
const CHANNEL_ONLY: [&str; 15] = [
    "guid",
    "medium",
    "locked",
    "block",
    "blocks",
    "trailer",
    "trailers",
    "updateFrequency",
    "podping",
    "publisher",
    "podroll",
    "remoteItem",
    "remoteItems",
    "liveItem",
    "liveItems",
];

/// Keys of an item's table that the channel's cannot have.
const ITEM_ONLY: [&str; 12] = [
    "transcript",
    "transcripts",
    "chapter",
    "chapters",
    "soundbite",
    "soundbites",
    "season",
    "episode",
    "alternateEnclosure",
    "alternateEnclosures",
    "contentLink",
    "contentLinks",
];

/// Reads the channel's `podcast` table.
pub fn channel_podcast(fields: &Fields<'_, '_>) -> ChannelPodcast {
    misplaced(fields, &ITEM_ONLY, "an item", "the items it is about");
    ChannelPodcast {
        shared: shared(fields, &["image", "images"]),
        ..channel_tags::read(fields)
    }
}

/// Reads an item's `podcast` table.
pub fn item_podcast(fields: &Fields<'_, '_>) -> ItemPodcast {
    misplaced(
        fields,
        &CHANNEL_ONLY,
        "the channel",
        "content/channel.md, where it counts for every item",
    );
    item_tags(fields, &["image", "images"])
}

/// The tags of a live item: its page, its stream and the tags of an item.
pub fn live_show(fields: &Fields<'_, '_>) -> (Option<String>, Option<Enclosure>, ItemPodcast) {
    let link = shapes::address(fields, "link").map(|found| found.url().to_owned());
    let enclosure = media::enclosure(fields);
    (link, enclosure, item_tags(fields, &["images"]))
}

/// What an item and a live item have. `image_keys` are those of `podcast:image`: a live item's table
/// holds its own `image` too.
fn item_tags(fields: &Fields<'_, '_>, image_keys: &[&'static str]) -> ItemPodcast {
    let chapters = chapters::read(fields);
    ItemPodcast {
        shared: shared(fields, image_keys),
        transcripts: media::transcripts(fields),
        chapters: chapters.list,
        chapters_link: chapters.link,
        without_chapters: chapters.none,
        soundbites: item_tags::soundbites(fields),
        season: item_tags::season(fields),
        episode: item_tags::episode(fields),
        alternate_enclosures: media::alternate_enclosures(fields),
        content_links: links_and_texts::content_links(fields),
    }
}

fn shared(fields: &Fields<'_, '_>, image_keys: &[&'static str]) -> SharedPodcast {
    let (images, srcset) = images::images(fields, image_keys);
    SharedPodcast {
        people: people::people(fields),
        license: people::license(fields),
        locations: people::locations(fields),
        funding: links_and_texts::funding(fields),
        value: value::values(fields),
        images,
        srcset,
        social_interact: links_and_texts::social_interact(fields),
        chat: links_and_texts::chat(fields),
        txt: links_and_texts::txt(fields),
    }
}

/// Warns of tags that stand where the specification does not place them.
fn misplaced(fields: &Fields<'_, '_>, keys: &[&'static str], owner: &str, target: &str) {
    for key in keys {
        if let Some(node) = fields.unwelcome(key) {
            fields.reader.warning(
                Rule::UnknownKey,
                &node.span,
                format!(
                    "`{}` is a tag of {owner}, and is left out",
                    fields.name(key)
                ),
                format!("move it to {target}"),
            );
        }
    }
}
