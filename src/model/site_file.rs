//! Site files: text files at the site's root, made from templates.

use super::{ItemId, SitePath};

/// Site files that exist without a template by the author.
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

    /// Returns the kind with this file name.
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

/// Settings in `[site_files."<name>"]` of `site.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SiteFileConfig {
    /// Media type, if it differs from the media type of the extension.
    pub content_type: Option<&'static str>,
    pub enabled: bool,
}

impl Default for SiteFileConfig {
    fn default() -> Self {
        Self { content_type: None, enabled: true }
    }
}

/// A site file by the author: a template in `site-files/`, or the draft of a template in the same
/// folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SiteFile {
    pub source: SitePath,
    /// Name of the published file, at the site's root.
    pub filename: String,
    pub content_type: &'static str,
    pub template: String,
    /// Whether this is a draft, which is never published.
    pub is_draft: bool,
}

impl SiteFile {
    /// Names that a site file cannot have, because other documents use them.
    pub const RESERVED_NAMES: [&str; 3] = ["favicon.ico", "openapi.json", "openapi.yaml"];

    pub const FOLDER: &str = "site-files";

    /// Suffix of a draft's file name, after the name of the published file.
    pub const DRAFT: &str = ".draft";

    /// Media types that a site file can have.
    pub const CONTENT_TYPES: [&str; 9] = [
        "application/json", "application/manifest+json", "application/rss+xml", "application/xml",
        "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml",
    ];

    /// Maximum length of a name, in bytes.
    pub const MAX_NAME: usize = 128;

    /// Maximum size of a template and of its output, in bytes: 256 KiB.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// Returns the id of the site file with this name. The id depends only on the name.
    pub fn id(filename: &str) -> String {
        match GeneratedKind::of(filename) {
            Some(kind) => format!("system-{}", kind.as_str()),
            None => ItemId::derive(&format!("{}/{filename}", Self::FOLDER)).to_string(),
        }
    }

    /// Returns the media type for the extension of a file name. Returns None if a site file cannot
    /// have the extension.
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

    /// Parses a media type. Returns None if site files cannot have this type.
    pub fn parse_content_type(text: &str) -> Option<&'static str> {
        Self::CONTENT_TYPES.into_iter().find(|known| *known == text)
    }

    /// Returns the name under which the file at a path is published. Returns None if the file is
    /// not a template or a draft of a template.
    pub fn name_at(path: &SitePath) -> Option<&str> {
        let name = path.as_str().strip_prefix(Self::FOLDER)?.strip_prefix('/')?;
        let name = name.strip_suffix(Self::DRAFT).unwrap_or(name);
        Self::check_name(name).ok().map(|_| name)
    }

    /// Validates the name of a site file, and returns its media type. The error says why the name
    /// is not valid.
    pub fn check_name(filename: &str) -> Result<&'static str, String> {
        let safe = !filename.starts_with('.')
            && filename.len() <= Self::MAX_NAME
            && filename.bytes().all(|b| {
                b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'_')
            });
        if !safe {
            return Err(format!(
                "{filename:?} is not a valid site file name: use a–z, 0–9, `.`, `-` and `_`, at most {} characters, not starting with a dot",
                Self::MAX_NAME
            ));
        }
        if Self::RESERVED_NAMES.contains(&filename) {
            return Err(format!("{filename:?} is a reserved name"));
        }
        Self::content_type_of(filename).ok_or_else(|| format!("{filename:?} does not end in txt, xml, json, webmanifest, csv, css, yaml, yml, md, atom or rss"))
    }
}
