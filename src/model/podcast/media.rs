//! Files beside the enclosure: transcripts, other versions, trailers, pictures.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use crate::declare::{keys, records};
use crate::named::words;

records! {
    /// `podcast:transcript`: a transcript or closed captions.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Transcript = "podcast:transcript" {
        /// Its absolute URL.
        Required url: String = "url", Address, alone;
        /// Its media type.
        Filled media_type: String = "type", Text(255), example("\"text/vtt\"");
        /// A language tag (RFC 5646); the channel's language where it is missing.
        Optional language: Option<String> = "language", Text(64), example("\"en\"");
        /// `captions` where the file has times, whatever its type.
        Optional rel: Option<String> = "rel", Known(64, "the specification", || vec!["captions"]);
    }

    /// RSS's `enclosure` of a live item: the stream.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Enclosure = "enclosure" first ["url", "length"] {
        /// Its absolute URL.
        Required url: String = "url", Address, alone;
        /// Its media type.
        Filled media_type: String = "type", Text(255), example("\"audio/mpeg\"");
        /// Its size in bytes; 0 for a stream.
        Filled length: u64 = "length", Count;
    }

    /// `podcast:alternateEnclosure`: another version of the enclosure, or a companion of it.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    AlternateEnclosure = "podcast:alternateEnclosure" {
        /// Its media type.
        Filled media_type: String = "type", Text(255), example("\"audio/mpeg\"");
        /// Its size in bytes.
        Optional length: Option<u64> = "length", Count;
        /// Its average bit rate, in bits a second.
        Optional bitrate: Option<f64> = "bitrate", Number;
        /// A video's height in pixels.
        Optional height: Option<u64> = "height", Count;
        /// A language tag (BCP 47).
        Optional lang: Option<String> = "lang", Text(64), example("\"de\"");
        /// A name for people, best within 32 characters.
        Optional title: Option<String> = "title", Short(32);
        /// What groups media of the same content, best within 32 characters.
        Optional rel: Option<String> = "rel", Short(32);
        /// The codecs (RFC 6381).
        Optional codecs: Option<String> = "codecs", Text(255);
        /// Whether it is the same as the enclosure and to be preferred.
        Optional default: Option<bool> = "default", Flag;
        /// `podcast:source`: where it lies; at least one.
        Required sources: Vec<EnclosureSource> = "sources" or "source", Records;
        /// `podcast:integrity`: how to verify it.
        Optional integrity: Option<Integrity> = "integrity", Records;
    }

    /// `podcast:source`: a place an [`AlternateEnclosure`] can be fetched from.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    EnclosureSource = "podcast:source" {
        /// Its URI, of any scheme.
        Required uri: String = "uri", Address, alone;
        /// The media type of what is fetched, where it differs (a torrent's).
        Optional content_type: Option<String> = "contentType", Text(255), example("\"audio/mpeg\"");
    }

    /// `podcast:integrity`: how to verify an [`AlternateEnclosure`].
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq)]
    Integrity = "podcast:integrity" {
        /// How the value is made.
        Filled kind: IntegrityKind = "type", Word(IntegrityKind::NAMES);
        /// The hash or signature.
        Required value: String = "value", Text(100_000), example("\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"");
    }

    /// `podcast:trailer`: a trailer of the podcast or of a season.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Trailer = "podcast:trailer" first ["pubdate"] {
        /// Its title, 1 to 128 characters.
        Required title: String = "title", Text(128), content;
        /// Its absolute URL.
        Required url: String = "url", Address;
        /// When it was published.
        Required pubdate: Timestamp = "pubdate", Time;
        /// Its size in bytes.
        Optional length: Option<u64> = "length", Count;
        /// Its media type.
        Optional media_type: Option<String> = "type", Text(255), example("\"audio/mpeg\"");
        /// The number of the season it is for.
        Optional season: Option<i64> = "season", Between(0, i64::MAX);
    }

    /// `podcast:image`: a picture for some use.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    PodcastImage = "podcast:image" also SRCSET {
        /// Its absolute URL.
        Required href: String = "href", Address, alone;
        /// What it shows, for those who do not see it.
        Optional alt: Option<String> = "alt", Text(2000);
        /// What it is for: words apart by spaces, at most 128 characters.
        Optional purpose: Option<String> = "purpose", Text(128);
        /// Its shape as CSS writes it: `16/9`.
        Optional aspect_ratio: Option<String> = "aspect-ratio" or "aspectRatio", Own("ratio, as `16/9`", &[Plain, Numeric]), example("\"16/9\"");
        /// Its width in pixels.
        Optional width: Option<u64> = "width", Count;
        /// Its height in pixels.
        Optional height: Option<u64> = "height", Count;
        /// Its media type.
        Optional media_type: Option<String> = "type", Text(255), example("\"audio/mpeg\"");
    }

    /// One picture of the deprecated `podcast:images` and its `srcset`.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    SrcsetEntry {
        /// Its absolute URL.
        Required url: String = "url", Address;
        /// Its width or density as HTML writes it: `1500w`, `2x`.
        Optional descriptor: Option<String> = "descriptor", Text(32);
    }
}

keys! {
    /// What makes a picture the deprecated tag.
    SRCSET {
        /// `podcast:images`, the deprecated form: addresses with their descriptors, as in HTML.
        Instead "srcset", Own("text", &[Plain, Keys(SrcsetEntry::SHAPE)]), listed;
    }
}

words! {
    /// The two kinds of [`Integrity`].
    #[derive(BorshDeserialize, BorshSerialize)]
    IntegrityKind {
        /// W3C Subresource Integrity: `sha384-…`.
        Sri = "sri",
        /// A PGP signature in base64.
        PgpSignature = "pgp-signature",
    }
}
