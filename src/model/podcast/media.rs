//! Podcast tags for files in addition to the enclosure: transcripts, alternate versions, trailers,
//! pictures.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use crate::attachment::{Category, is_playlist};
use crate::declare::{keys, records};
use crate::named::words;

records! {
    /// `podcast:transcript`: a transcript or closed captions.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Transcript = "podcast:transcript" {
        /// Absolute URL.
        Required url: String = "url", Address, alone;
        /// Media type.
        Filled media_type: String = "type", Text(255), example("\"text/vtt\"");
        /// Language tag (RFC 5646); the channel's language when left out.
        Optional language: Option<String> = "language", Text(64), example("\"en\"");
        /// `captions` marks the file as closed captions, regardless of its media type.
        Optional rel: Option<String> = "rel", Known(64, "the specification", || vec!["captions"]);
    }

    /// `enclosure` of RSS in a live item: the stream.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Enclosure = "enclosure" first ["url", "length"] {
        /// Absolute URL.
        Required url: String = "url", Address, alone;
        /// Media type.
        Filled media_type: String = "type", Text(255), example("\"audio/mpeg\"");
        /// Size in bytes; 0 for a stream.
        Filled length: u64 = "length", Count;
    }

    /// `podcast:alternateEnclosure`: another version of the enclosure, or a companion file.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    AlternateEnclosure = "podcast:alternateEnclosure" {
        /// Media type.
        Filled media_type: String = "type", Text(255), example("\"audio/mpeg\"");
        /// Size in bytes.
        Optional length: Option<u64> = "length", Count;
        /// Average bit rate in bits per second.
        Optional bitrate: Option<f64> = "bitrate", Number;
        /// Height of a video in pixels.
        Optional height: Option<u64> = "height", Count;
        /// Language tag (BCP 47).
        Optional lang: Option<String> = "lang", Text(64), example("\"de\"");
        /// Name for people, preferably at most 32 characters.
        Optional title: Option<String> = "title", Short(32);
        /// Name of a group of media with the same content, preferably at most 32 characters.
        Optional rel: Option<String> = "rel", Short(32);
        /// Codecs (RFC 6381).
        Optional codecs: Option<String> = "codecs", Text(255);
        /// Whether this version is the same as the enclosure and apps should prefer it.
        Optional default: Option<bool> = "default", Flag;
        /// `podcast:source`: addresses of the file, at least one.
        Required sources: Vec<EnclosureSource> = "sources" or "source", Records;
        /// `podcast:integrity`: how to verify the file.
        Optional integrity: Option<Integrity> = "integrity", Records;
    }

    /// `podcast:source`: an address from which an [`AlternateEnclosure`] can be fetched.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    EnclosureSource = "podcast:source" {
        /// URI of any scheme.
        Required uri: String = "uri", Address, alone;
        /// Media type of the file at this address, if it differs from the enclosure's, as for a
        /// torrent.
        Optional content_type: Option<String> = "contentType", Text(255), example("\"audio/mpeg\"");
    }

    /// `podcast:integrity`: how to verify an [`AlternateEnclosure`].
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq)]
    Integrity = "podcast:integrity" {
        /// Type of the value.
        Filled kind: IntegrityKind = "type", Word(IntegrityKind::NAMES);
        /// Hash or signature.
        Required value: String = "value", Text(100_000), example("\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"");
    }

    /// `podcast:trailer`: a trailer of the podcast or of a season.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Trailer = "podcast:trailer" first ["pubdate"] {
        /// Title, 1 to 128 characters.
        Required title: String = "title", Text(128), content;
        /// Absolute URL.
        Required url: String = "url", Address;
        /// Time of publication.
        Required pubdate: Timestamp = "pubdate", Time;
        /// Size in bytes.
        Optional length: Option<u64> = "length", Count;
        /// Media type.
        Optional media_type: Option<String> = "type", Text(255), example("\"audio/mpeg\"");
        /// Number of the season that the trailer announces.
        Optional season: Option<i64> = "season", Between(0, i64::MAX);
    }

    /// `podcast:image`: a picture for a certain purpose.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    PodcastImage = "podcast:image" also SRCSET {
        /// Absolute URL.
        Required href: String = "href", Address, alone;
        /// Alternative text: a description for people who cannot see the picture.
        Optional alt: Option<String> = "alt", Text(2000);
        /// Purposes of the picture: words separated by spaces, at most 128 characters.
        Optional purpose: Option<String> = "purpose", Text(128);
        /// Aspect ratio, as in CSS: `16/9`.
        Optional aspect_ratio: Option<String> = "aspect-ratio" or "aspectRatio", Own("ratio, as `16/9`", &[Plain, Numeric]), example("\"16/9\"");
        /// Width in pixels.
        Optional width: Option<u64> = "width", Count;
        /// Height in pixels.
        Optional height: Option<u64> = "height", Count;
        /// Media type.
        Optional media_type: Option<String> = "type", Text(255), example("\"audio/mpeg\"");
    }

    /// One picture of the deprecated `podcast:images` and its `srcset`.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    SrcsetEntry {
        /// Absolute URL.
        Required url: String = "url", Address;
        /// Width or density, as in HTML: `1500w`, `2x`.
        Optional descriptor: Option<String> = "descriptor", Text(32);
    }
}

keys! {
    /// Key of the deprecated tag `podcast:images`, used instead of the keys that describe a picture.
    SRCSET {
        /// `podcast:images`, the deprecated form: addresses with their descriptors, as in HTML.
        Instead "srcset", Own("text", &[Plain, Keys(SrcsetEntry::SHAPE)]), listed;
    }
}

impl AlternateEnclosure {
    /// Returns the kind of the version. A stream without a video codec is audio.
    pub fn category(&self) -> Category {
        let is_audio = |codec: &str| {
            let name = codec.trim().to_ascii_lowercase();
            ["mp4a", "opus", "flac", "ac-3", "ec-3"].iter().any(|known| name.starts_with(known))
        };
        match &self.codecs {
            Some(codecs) if is_playlist(&self.media_type) && codecs.split(',').all(is_audio) => {
                Category::Audio
            }
            _ => Category::of_media_type(&self.media_type),
        }
    }
}

words! {
    /// Type of an [`Integrity`] value.
    #[derive(BorshDeserialize, BorshSerialize)]
    IntegrityKind {
        /// W3C Subresource Integrity: `sha384-…`.
        Sri = "sri",
        /// A PGP signature in base64.
        PgpSignature = "pgp-signature",
    }
}
