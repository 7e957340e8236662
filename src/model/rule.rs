//! The rules of `feedwright check`. Each warning belongs to a rule. Authors silence warnings by the
//! name of the rule.
//!
//! Each rule has a page in feedwright's own site, `content/pages/rules/<name>.md`. The page says
//! why the rule matters and how to fix a violation. The program contains these pages.

use super::shape::{Kind, Written};
use std::io::{self, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! rules {
    ($($variant:ident $name:literal,)*) => {
        /// A rule of `feedwright check`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $name] $variant,)*
        }

        impl Rule {
            /// All rules, sorted by name.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name of the rule in front matter and in `site.toml`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the page about the rule: front matter and Markdown.
            pub fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../../content/pages/rules/", $name, ".md")),)*
                }
            }
        }
    };
}

rules! {
    AiPreferences "ai-preferences",
    Album "album",
    Alias "alias",
    AltText "alt-text",
    Artwork "artwork",
    Author "author",
    Category "category",
    ChangedEnclosure "changed-enclosure",
    ChangedId "changed-id",
    ChannelTitle "channel-title",
    ChapterTime "chapter-time",
    Contrast "contrast",
    DeadAnchor "dead-anchor",
    DeadLink "dead-link",
    Deploy "deploy",
    DerivedId "derived-id",
    Description "description",
    Duration "duration",
    Enclosure "enclosure",
    EpisodeDate "episode-date",
    EpisodeNumber "episode-number",
    Event "event",
    EventTime "event-time",
    ExampleAddress "example-address",
    Explicit "explicit",
    ExternalLink "external-link",
    ForeignSyntax "foreign-syntax",
    Formula "formula",
    FormerPath "former-path",
    Guid "guid",
    HeavyFont "heavy-font",
    ItemDate "item-date",
    Language "language",
    LargePicture "large-picture",
    LinkToHidden "link-to-hidden",
    LiveFeed "live-feed",
    LiveHeaders "live-headers",
    LiveMedia "live-media",
    LiveRedirect "live-redirect",
    LiveServer "live-server",
    LiveShow "live-show",
    LongText "long-text",
    Loudness "loudness",
    Markup "markup",
    Media "media",
    MissingCaptions "missing-captions",
    MissingTranscript "missing-transcript",
    MovedAddress "moved-address",
    NameCase "name-case",
    OwnerEmail "owner-email",
    PaymentAddress "payment-address",
    PictureSizes "picture-sizes",
    Playlist "playlist",
    PodcastGuid "podcast-guid",
    RecordingDefect "recording-defect",
    RecordingFormat "recording-format",
    Season "season",
    SharedSecret "shared-secret",
    SiteFile "site-file",
    SocialImage "social-image",
    Soundbite "soundbite",
    StrayFile "stray-file",
    Tag "tag",
    TemplateName "template-name",
    ThemePackage "theme-package",
    Transcript "transcript",
    Translation "translation",
    UnknownKey "unknown-key",
    UnknownRule "unknown-rule",
    UnreviewedTranscript "unreviewed-transcript",
    UnusedMedia "unused-media",
    Vanished "vanished",
    Vocabulary "vocabulary",
}

/// The [`Kind`] of a key whose value is a list of rules.
pub const RULES: Kind = Kind::Own("list of [rules](rules.md)", &[Written::OneOf(Rule::names)]);

impl Rule {
    /// Returns the names of all rules.
    pub fn names() -> Vec<String> {
        Self::ALL.iter().map(|rule| rule.name().to_owned()).collect()
    }

    /// Returns the number and title of the clause of EN 301 549 that the rule checks.
    pub fn clause(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::AltText => ("9.1.1.1", "Non-text content"),
            Self::MissingTranscript => ("9.1.2.1", "Audio-only and video-only (pre-recorded)"),
            Self::MissingCaptions => ("9.1.2.2", "Captions (pre-recorded)"),
            Self::Language => ("9.3.1.1", "Language of page"),
            _ => return None,
        })
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name: String = Deserialize::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| de::Error::custom("no rule"))
    }
}

// A rule is stored by name, since an older version of the program may have written the cache.
impl BorshSerialize for Rule {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        BorshSerialize::serialize(self.name(), writer)
    }
}

impl BorshDeserialize for Rule {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let name = String::deserialize_reader(reader)?;
        Self::parse(&name).ok_or_else(|| io::Error::other("no rule"))
    }
}
