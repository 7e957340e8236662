//! Findings about the published site.

use fetch::Url;
use model::{Rule, SitePath};

/// The kind of a problem, which determines the rule and the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// The server answers.
    Reach,
    /// The response is complete, fast enough and not too large.
    Answer,
    /// The server answers with the right status.
    Status,
    /// The certificate is valid, and the connection is encrypted.
    Certificate,
    /// A missing page has status 404.
    NotFound,
    /// There is at most one redirect, to an encrypted address.
    Redirect,
    /// `base_url` does not redirect.
    BaseUrl,
    /// The media type is right.
    MediaType,
    /// Players on other sites may read the file.
    Cors,
    /// The file is cached for the right time.
    Caching,
    /// Text is compressed, and correctly.
    Compression,
    /// The server answers 304 if nothing changed.
    Validators,
    /// HEAD and GET agree.
    Head,
    /// Byte ranges.
    Ranges,
    /// The recording is the one that the feed describes.
    Recording,
    /// The artwork meets the requirements of directories.
    Artwork,
    /// The published feed is the feed of this site.
    Feed,
    /// The feed is not too large.
    Size,
    /// `robots.txt` lets directories read feeds and media.
    Robots,
    /// The WebSub hub answers.
    Hub,
}

impl Need {
    /// Returns the rule that a problem of this kind breaks.
    pub fn rule(self) -> Rule {
        match self {
            Self::Reach | Self::Answer | Self::Status | Self::Certificate | Self::NotFound => {
                Rule::LiveServer
            }
            Self::Redirect | Self::BaseUrl => Rule::LiveRedirect,
            Self::MediaType
            | Self::Cors
            | Self::Caching
            | Self::Compression
            | Self::Validators
            | Self::Head => Rule::LiveHeaders,
            Self::Ranges | Self::Recording | Self::Artwork => Rule::LiveMedia,
            Self::Feed | Self::Size | Self::Robots | Self::Hub => Rule::LiveFeed,
        }
    }
}

/// A problem of an address.
#[derive(Debug, Clone)]
pub struct Finding {
    pub need: Need,
    pub url: String,
    /// The problem, such as `has no ETag`. It follows the address.
    pub problem: String,
    /// Name of the server software, from its responses.
    pub software: Option<String>,
    /// The item that the address belongs to.
    pub source: Option<SitePath>,
}

impl Finding {
    pub fn new(need: Need, url: impl Into<String>, problem: impl Into<String>) -> Self {
        let (url, problem) = (url.into(), problem.into());
        Self { need, url, problem, software: None, source: None }
    }

    /// Returns the host of the address.
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.url).ok()?.host_str().map(str::to_owned)
    }
}
