//! Findings about the published site, and their conversion to diagnostics.

use std::collections::BTreeMap;
use std::path::Path;

use fetch::Url;

use super::Place;
use super::remedy::{Host, remedy};
use model::{Config, Diagnostic, Rule, SitePath};
use source::place::place_of;

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
    fn rule(self) -> Rule {
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

    fn host(&self) -> Option<String> {
        Url::parse(&self.url).ok()?.host_str().map(str::to_owned)
    }
}

/// Converts findings to warnings. Merges equal problems of a host.
pub fn diagnostics(
    root: &Path,
    config: &Config,
    place: &Place,
    found: Vec<Finding>,
) -> Vec<Diagnostic> {
    let mut merged: BTreeMap<_, (Finding, usize)> = BTreeMap::new();
    for one in found {
        let key = (one.need, one.host(), one.problem.clone());
        merged.entry(key).and_modify(|(_, others)| *others += 1).or_insert((one, 0));
    }
    let all = merged.into_values();
    all.map(|(one, others)| {
        let more = match others {
            0 => String::new(),
            1 => " (and 1 other address)".to_owned(),
            others => format!(" (and {others} other addresses)"),
        };
        let message = format!("{} {}{more}", one.url, one.problem);
        let host = Host::of(config, place, &one);
        let warning = Diagnostic::warning(one.need.rule(), message).help(remedy(one.need, host));
        positioned(root, &one, warning)
    })
    .collect()
}

/// Adds the position of the value that causes a finding, if a file of the site contains it.
fn positioned(root: &Path, one: &Finding, warning: Diagnostic) -> Diagnostic {
    let site = SitePath::parse("site.toml").filter(|_| one.source.is_none());
    match (&one.source, site, one.need) {
        (Some(source), ..) => place_of(root, source, "attachment", "", warning),
        (None, Some(site), Need::BaseUrl) => place_of(root, &site, "base_url", "", warning),
        (None, Some(site), Need::Hub) => place_of(root, &site, "deploy", "", warning),
        _ => warning,
    }
}
