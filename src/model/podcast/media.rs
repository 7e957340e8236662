//! Files beside the enclosure: transcripts, other versions, trailers, pictures.

use borsh::{BorshDeserialize, BorshSerialize};
use std::hash::{Hash, Hasher};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

/// `podcast:transcript`: a transcript or closed captions.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
pub struct Transcript {
    /// Its absolute URL.
    pub url: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// A language tag (RFC 5646); the channel's language where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// `captions` where the file has times, whatever its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rel: Option<String>,
}

/// RSS's `enclosure` of a live item: the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Enclosure {
    /// Its absolute URL.
    pub url: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Its size in bytes; 0 for a stream.
    pub length: u64,
}

/// `podcast:alternateEnclosure`: another version of the enclosure, or a companion of it.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Serialize, JsonSchema,
)]
pub struct AlternateEnclosure {
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Its average bit rate, in bits a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bitrate: Option<f64>,
    /// A video's height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// A language tag (BCP 47).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// A name for people, best within 32 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What groups media of the same content, best within 32 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rel: Option<String>,
    /// The codecs (RFC 6381).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codecs: Option<String>,
    /// Whether it is the same as the enclosure and to be preferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
    /// `podcast:source`: where it lies; at least one.
    pub sources: Vec<EnclosureSource>,
    /// `podcast:integrity`: how to verify it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrity: Option<Integrity>,
}

impl Hash for AlternateEnclosure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            media_type,
            length,
            bitrate,
            height,
            lang,
            title,
            rel,
            codecs,
            default,
            sources,
            integrity,
        } = self;
        (
            media_type,
            length,
            bitrate.map(f64::to_bits),
            height,
            lang,
            title,
            rel,
            codecs,
            default,
            sources,
            integrity,
        )
            .hash(state);
    }
}

/// `podcast:source`: a place an [`AlternateEnclosure`] can be fetched from.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct EnclosureSource {
    /// Its URI, of any scheme.
    pub uri: String,
    /// The media type of what is fetched, where it differs (a torrent's).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
}

/// `podcast:integrity`: how to verify an [`AlternateEnclosure`].
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema,
)]
pub struct Integrity {
    /// How the value is made.
    #[serde(rename = "type")]
    pub kind: IntegrityKind,
    /// The hash or signature.
    pub value: String,
}

/// The two kinds of [`Integrity`].
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum IntegrityKind {
    /// W3C Subresource Integrity: `sha384-…`.
    Sri,
    /// A PGP signature in base64.
    PgpSignature,
}

impl IntegrityKind {
    /// The names an author can write.
    pub const NAMES: [&str; 2] = ["sri", "pgp-signature"];

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "sri" => Some(Self::Sri),
            "pgp-signature" => Some(Self::PgpSignature),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sri => "sri",
            Self::PgpSignature => "pgp-signature",
        }
    }
}

/// `podcast:trailer`: a trailer of the podcast or of a season.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Trailer {
    /// Its title, 1 to 128 characters.
    pub title: String,
    /// Its absolute URL.
    pub url: String,
    /// When it was published.
    #[serde(serialize_with = "super::time")]
    #[schemars(with = "String")]
    pub pubdate: Timestamp,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Its media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The number of the season it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<i64>,
}

/// `podcast:image`: a picture for some use.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
pub struct PodcastImage {
    /// Its absolute URL.
    pub href: String,
    /// What it shows, for those who do not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// What it is for: words apart by spaces, at most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Its shape as CSS writes it: `16/9`.
    #[serde(rename = "aspect-ratio", skip_serializing_if = "Option::is_none")]
    pub aspect_ratio: Option<String>,
    /// Its width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u64>,
    /// Its height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// Its media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

/// One picture of the deprecated `podcast:images` and its `srcset`.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
pub struct SrcsetEntry {
    /// Its absolute URL.
    pub url: String,
    /// Its width or density as HTML writes it: `1500w`, `2x`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptor: Option<String>,
}
