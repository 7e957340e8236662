//! An item as sent by a client.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::input::{Patch, add_alias};
use crate::shared_inputs::{SeoInput, StatusInput};
use model::chapter::Chapter;
use model::podcast::{ItemPodcast, License, Person, Transcript};
use model::sent::{Sent, add_declared};
use model::{ATTACHMENT, Author, Category, EpisodeType, ITEM, ItemItunes, Series};

/// Fields to create or update an item. Unknown keys are ignored. In an update, an omitted field
/// keeps its value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ITEM, ""))]
#[schemars(extend("examples" = [{
    "title": "A walk by the harbour",
    "content_markdown": "The ferry was **late**.",
    "status": "published",
    "tags": ["sea"],
    "_service": { "slug": "harbour-walk", "itunes:episode": 3 },
}]))]
pub struct ItemInput {
    /// Id of a new item: 1 to 64 characters of `A–Z a–z 0–9 _ -`. If the id is omitted, empty or
    /// invalid, the server generates an id. In an update, it must be the item's id or empty.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub id: Patch<String>,
    /// Id that feed readers see. Defaults to the item's id.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub guid: Patch<String>,
    /// Title.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    /// Body as HTML.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_html: Patch<String>,
    /// Body as Markdown (CommonMark), in place of `content_html`.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_markdown: Patch<String>,
    /// Visibility of the item. Defaults to `published` for a new item.
    #[schemars(with = "StatusInput")]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub status: Patch<StatusInput>,
    /// Time when the item was or will be published (RFC 3339).
    #[schemars(extend("format" = "date-time"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub date_published: Patch<String>,
    /// The same time as `date_published`, in Unix milliseconds.
    #[schemars(range(min = -62_135_596_800_000_i64, max = 253_402_207_200_000_i64))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub date_published_ms: Patch<i64>,
    /// Cover art: the URL of a picture, or a path of this site.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub image: Patch<String>,
    /// URL of the external page that the item is about. Null or empty restores the item's page on
    /// this site.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub url: Patch<String>,
    /// Language tag (RFC 5646).
    #[schemars(length(max = 64), regex(pattern = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub language: Patch<String>,
    /// Tags.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub tags: Patch<Vec<String>>,
    /// Main attachment, as a list of at most one element. Null or an empty list removes it.
    #[schemars(length(max = 1))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub attachments: Patch<Vec<AttachmentInput>>,
    /// Main attachment, as in `attachments`, but without the list.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub attachment: Patch<AttachmentInput>,
    /// Fields that JSON Feed does not define.
    #[serde(rename = "_service", skip_serializing_if = "Patch::is_omitted")]
    pub service: Patch<ItemExtensionInput>,
}

/// Main media file of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ATTACHMENT, ""))]
#[schemars(transform = |schema: &mut Schema| add_alias(schema, "size_in_bytes", "size_in_byte"))]
pub struct AttachmentInput {
    /// Category of the file. Derived from the media type if it is omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// URL of the file, or a path of this site.
    #[schemars(length(min = 1))]
    pub url: String,
    /// Media type. Derived from the file or the URL if it is omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Size in bytes. Read from the file if the file is on this site.
    #[serde(default, alias = "size_in_byte", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    pub size_in_bytes: Option<u64>,
    /// Duration in seconds. Read from the file if the file is on this site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub duration_in_seconds: Option<f64>,
}

/// Fields of an item that JSON Feed does not define.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ItemItunes::SHAPE, "itunes:"))]
pub struct ItemExtensionInput {
    /// Segment of the item's public path: Unicode letters, digits and hyphens (NFC). The former
    /// segment redirects. Null or empty restores the default, which consists of the title's words
    /// and the id.
    #[schemars(length(max = 200), regex(pattern = r"^[^\x00-,./:-@\[-`{-\x7f]*$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub slug: Patch<String>,
    /// Id or slug of the item that a new item translates into its `language`. The file of the new
    /// item gets the same name. Invalid in an update.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub translation_of: Patch<String>,
    /// Authors of the item. Null or an empty list restores the channel's authors.
    #[schemars(length(max = 50))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub authors: Patch<Vec<Sent<Author>>>,
    /// Series that the item is part of. Null removes the item from its series.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub series: Patch<Sent<Series>>,
    /// Metadata for search engines and social networks. Null clears all of it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub seo: Patch<SeoInput>,
    /// Podcasting 2.0 tags. Null clears all of them.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub podcast: Patch<ItemPodcastInput>,
    #[serde(rename = "itunes:title", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_title: Patch<String>,
    #[serde(rename = "itunes:block", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_block: Patch<bool>,
    #[serde(rename = "itunes:explicit", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_explicit: Patch<bool>,
    /// Season number.
    #[serde(rename = "itunes:season", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_season: Patch<u32>,
    /// Episode number.
    #[serde(rename = "itunes:episode", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_episode: Patch<u32>,
    #[serde(rename = "itunes:episodeType", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_episode_type: Patch<EpisodeType>,
}

/// Podcasting 2.0 tags. A sent list replaces the whole list, and null clears it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ItemPodcast::SHAPE, ""))]
pub struct ItemPodcastInput {
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub transcripts: Patch<Vec<Sent<Transcript>>>,
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub chapters: Patch<Vec<Sent<Chapter>>>,
    /// People for `podcast:person`. If the list is empty, the channel's people apply.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub people: Patch<Vec<Sent<Person>>>,
    /// License for `podcast:license`. If it is cleared, the channel's license applies.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub license: Patch<Sent<License>>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The stored form of a creation with an `Idempotency-Key`. A later version must write the same
    /// form.
    #[test]
    fn only_sent_fields_are_stored() -> Result<(), serde_json::Error> {
        let sent = json!({
            "title": "One", "tags": [], "image": null, "status": "unlisted",
            "attachments": [{ "url": "a.mp3", "size_in_bytes": 5, "duration_in_seconds": 1.5 }],
            "_service": {
                "slug": "one", "seo": { "title": null }, "itunes:episode": 3,
                "podcast": { "chapters": [{ "startTime": 0.5 }] },
            },
        });
        let input: ItemInput = serde_json::from_value(sent.clone())?;
        assert_eq!(serde_json::to_value(&input)?, sent);
        let empty = json!({ "_service": { "seo": {}, "podcast": {} } });
        let input: ItemInput = serde_json::from_value(empty.clone())?;
        assert_eq!(serde_json::to_value(&input)?, empty);
        Ok(())
    }
}
