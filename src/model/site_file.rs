//! A Site File: a text at the site's root, made from a template.

use super::{ItemId, SitePath};

/// The Site Files that exist without a template of the author's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GeneratedKind {
    /// `robots.txt` (RFC 9309).
    Robots,
    /// `llms.txt`.
    Llms,
    /// `sitemap.xml` (sitemaps.org protocol 0.9).
    Sitemap,
}

impl GeneratedKind {
    pub const ALL: [Self; 3] = [Self::Robots, Self::Llms, Self::Sitemap];

    pub fn filename(self) -> &'static str {
        match self {
            Self::Robots => "robots.txt",
            Self::Llms => "llms.txt",
            Self::Sitemap => "sitemap.xml",
        }
    }

    /// Which of them has this name.
    pub fn of(filename: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.filename() == filename)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Robots => "robots",
            Self::Llms => "llms",
            Self::Sitemap => "sitemap",
        }
    }
}

/// `[site_files."<name>"]` of `site.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SiteFileConfig {
    /// Its media type, where it is not that of its extension.
    pub content_type: Option<&'static str>,
    pub enabled: bool,
}

impl Default for SiteFileConfig {
    fn default() -> Self {
        Self { content_type: None, enabled: true }
    }
}

/// A Site File of the author's: a template in `site-files/`, or a draft of one beside it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SiteFile {
    pub source: SitePath,
    /// The name it is published under, at the site's root.
    pub filename: String,
    pub content_type: &'static str,
    pub template: String,
    /// Whether it is a draft: it is not published, whatever it says.
    pub is_draft: bool,
}

impl SiteFile {
    /// Names a Site File cannot have, because something else is there.
    pub const TAKEN: [&str; 3] = ["favicon.ico", "openapi.json", "openapi.yaml"];

    pub const FOLDER: &str = "site-files";

    /// What ends the name of a draft's file, after the name it is to be published under.
    pub const DRAFT: &str = ".draft";

    /// The media types a Site File can have.
    pub const CONTENT_TYPES: [&str; 9] = [
        "application/json", "application/manifest+json", "application/rss+xml", "application/xml",
        "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml",
    ];

    /// The longest name, in bytes.
    pub const MAX_NAME: usize = 128;

    /// The largest template and the largest rendering, in bytes: 256 KiB.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// The id of the one with this name, which comes from the name.
    pub fn id(filename: &str) -> String {
        match GeneratedKind::of(filename) {
            Some(kind) => format!("system-{}", kind.as_str()),
            None => ItemId::derive(&format!("{}/{filename}", Self::FOLDER)).to_string(),
        }
    }

    /// The media type of a file name's extension, or none where a Site File cannot have it.
    pub fn content_type_of(filename: &str) -> Option<&'static str> {
        Some(match filename.rsplit_once('.')?.1 {
            "txt" => "text/plain",
            "xml" => "application/xml",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "csv" => "text/csv",
            "css" => "text/css",
            "yaml" | "yml" => "text/yaml",
            "md" => "text/markdown",
            "atom" => "application/xml",
            "rss" => "application/rss+xml",
            _ => return None,
        })
    }

    /// Reads a media type that a Site File can have.
    pub fn parse_content_type(text: &str) -> Option<&'static str> {
        Self::CONTENT_TYPES.into_iter().find(|known| *known == text)
    }

    /// The name under which the file at a path is published. None for what is no template and no draft of one.
    pub fn name_at(path: &SitePath) -> Option<&str> {
        let name = path.as_str().strip_prefix(Self::FOLDER)?.strip_prefix('/')?;
        let name = name.strip_suffix(Self::DRAFT).unwrap_or(name);
        Self::check_name(name).ok().map(|_| name)
    }

    /// Why a name is no Site File's.
    pub fn check_name(filename: &str) -> Result<&'static str, String> {
        let safe = !filename.starts_with('.')
            && filename.len() <= Self::MAX_NAME
            && filename.bytes().all(|b| {
                b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'_')
            });
        if !safe {
            return Err(format!(
                "{filename:?} is no Site File name: use a–z, 0–9, `.`, `-` and `_`, at most {} characters, not starting with a dot",
                Self::MAX_NAME
            ));
        }
        if Self::TAKEN.contains(&filename) {
            return Err(format!("{filename:?} is taken"));
        }
        Self::content_type_of(filename).ok_or_else(|| format!("{filename:?} does not end in txt, xml, json, webmanifest, csv, css, yaml, yml, md, atom or rss"))
    }
}
