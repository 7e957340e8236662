//! An item as a client sends it.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::input::{Patch, also_named};
use crate::shared_inputs::{SeoInput, StatusInput};
use model::chapter::Chapter;
use model::podcast::{ItemPodcast, License, Person, Transcript};
use model::sent::{Sent, add_declared};
use model::{ATTACHMENT, Author, Category, EpisodeType, ITEM, ItemItunes};

/// What an item is created from, or what is to change of one. Unknown keys are ignored. In an update
/// a field that is left out stays as it is.
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
    /// The id of a new item: 1 to 64 of `A–Z a–z 0–9 _ -`. One is made where it is left out, empty, or
    /// anything else, as another service's id is. In an update it can only be the item's own, or empty.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub id: Patch<String>,
    /// The id that feed readers see; the item's id where it is left out.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub guid: Patch<String>,
    /// The title.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    /// The body as HTML.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_html: Patch<String>,
    /// The body as Markdown (CommonMark), in place of `content_html`.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_markdown: Patch<String>,
    /// Who sees it; `published` where it is left out.
    #[schemars(with = "StatusInput")]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub status: Patch<StatusInput>,
    /// When it was or will be published (RFC 3339).
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
    /// The page elsewhere that the item is about. Null or empty: the item's own page again.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub url: Patch<String>,
    /// A language tag (RFC 5646).
    #[schemars(length(max = 64), regex(pattern = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub language: Patch<String>,
    /// Tags.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub tags: Patch<Vec<String>>,
    /// The main attachment: at most one. Null or an empty list takes it away.
    #[schemars(length(max = 1))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub attachments: Patch<Vec<AttachmentInput>>,
    /// The same as `attachments`, without the list.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub attachment: Patch<AttachmentInput>,
    /// What JSON Feed has no field for.
    #[serde(rename = "_service", skip_serializing_if = "Patch::is_omitted")]
    pub service: Patch<ItemExtensionInput>,
}

/// An item's main medium.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ATTACHMENT, ""))]
#[schemars(transform = |schema: &mut Schema| also_named(schema, "size_in_bytes", "size_in_byte"))]
pub struct AttachmentInput {
    /// What it is; told from the media type where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Its URL, or a path of this site.
    #[schemars(length(min = 1))]
    pub url: String,
    /// Its media type; told from the file or the URL where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes; read from the file where it is one of this site.
    #[serde(default, alias = "size_in_byte", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    pub size_in_bytes: Option<u64>,
    /// Its length in seconds; read from the file where it is one of this site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub duration_in_seconds: Option<f64>,
}

/// What JSON Feed has no field for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ItemItunes::SHAPE, "itunes:"))]
pub struct ItemExtensionInput {
    /// The segment of the item's public path: Unicode letters, digits and hyphens (NFC). The former
    /// one redirects. Null or empty: the title's words and the id again.
    #[schemars(length(max = 200), regex(pattern = r"^[^\x00-,./:-@\[-`{-\x7f]*$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub slug: Patch<String>,
    /// Who made it. Null or an empty list: the channel's authors.
    #[schemars(length(max = 50))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub authors: Patch<Vec<Sent<Author>>>,
    /// For search engines and social networks. Null clears all of it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub seo: Patch<SeoInput>,
    /// Podcasting 2.0. Null clears all of it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub podcast: Patch<ItemPodcastInput>,
    #[serde(rename = "itunes:title", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_title: Patch<String>,
    #[serde(rename = "itunes:block", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_block: Patch<bool>,
    #[serde(rename = "itunes:explicit", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_explicit: Patch<bool>,
    /// The season's number.
    #[serde(rename = "itunes:season", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_season: Patch<u32>,
    /// The episode's number.
    #[serde(rename = "itunes:episode", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_episode: Patch<u32>,
    #[serde(rename = "itunes:episodeType", skip_serializing_if = "Patch::is_omitted")]
    pub itunes_episode_type: Patch<EpisodeType>,
}

/// Podcasting 2.0. A list that is sent replaces the whole list; null clears it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ItemPodcast::SHAPE, ""))]
pub struct ItemPodcastInput {
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub transcripts: Patch<Vec<Sent<Transcript>>>,
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub chapters: Patch<Vec<Sent<Chapter>>>,
    /// `podcast:person`; where it is empty the channel's take part.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub people: Patch<Vec<Sent<Person>>>,
    /// `podcast:license`; where it is cleared the channel's holds.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub license: Patch<Sent<License>>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is stored of a creation with an `Idempotency-Key`: a later version has to write the same.
    #[test]
    fn what_was_sent_is_written_and_nothing_else() -> Result<(), serde_json::Error> {
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
