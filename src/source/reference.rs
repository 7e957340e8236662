//! The targets of paths and URLs in content files.

use std::path::Path;
use std::sync::Arc;

use media_facts::MediaFacts;
use percent_encoding::percent_decode_str;

use super::channel_file::is_channel;
use super::disk::Disk;
use super::listing::below;
use super::show_folders::SHOW_FILE;
use model::content_folder::{CALENDARS, ITEMS, PAGES};
use model::{ArtworkRoles, Config, ContentFolder, ImageInfo, MediaFile, SiteFile, SitePath, url};

/// The target of a reference.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// An external address, or a public path of this site, as an absolute URL.
    Remote(String),
    /// A file of this site.
    Local(Local),
    /// A media file that is missing from the site's folder but listed in `content/media.json`.
    Stored { url: String, facts: Arc<MediaFacts> },
}

/// A file of this site that content refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// The file and the path at which it is published.
    pub file: MediaFile,
    pub url: String,
    pub facts: Arc<MediaFacts>,
}

impl Reference {
    pub fn url(&self) -> &str {
        match self {
            Self::Remote(url) | Self::Stored { url, .. } => url,
            Self::Local(local) => &local.url,
        }
    }

    /// Returns the facts about the file, if the target is a file of this site.
    pub fn facts(&self) -> Option<&MediaFacts> {
        match self {
            Self::Remote(_) => None,
            Self::Local(local) => Some(&local.facts),
            Self::Stored { facts, .. } => Some(facts),
        }
    }

    /// Returns the media type of the target: the file's type, or the type for the address's file
    /// extension.
    pub fn media_type(&self) -> String {
        match self {
            Self::Remote(address) => {
                // The end of a host name (`.com`) is not a file extension.
                let path = url::split_suffix(address).0;
                let path = path
                    .split_once("://")
                    .map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
                media_facts::media_type(Path::new(path))
            }
            Self::Local(local) => local.facts.media_type.clone(),
            Self::Stored { facts, .. } => facts.media_type.clone(),
        }
    }
}

/// The reason why a reference is broken, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub help: String,
    /// The intended file, if only its spelling differs.
    pub found: Option<SitePath>,
    /// Whether the reference would harm readers or publish a source file of the site.
    pub is_harmful: bool,
}

/// Resolves a reference in the file `from`. A URL is unchanged, `/path` is a public path of the
/// site, and anything else is a file relative to the folder of `from`.
pub fn resolve(
    disk: &Disk<'_>,
    from: &SitePath,
    text: &str,
    config: &Config,
) -> Result<Reference, Problem> {
    if let Some(problem) = harmful_scheme(text)
        && !is_file_with_colon(disk, from, text)
    {
        return Err(problem);
    }
    if url::is_absolute(text) && !is_file_with_colon(disk, from, text) {
        return Ok(Reference::Remote(match text.strip_prefix("//") {
            Some(rest) => url::encode_absolute(&format!("https://{rest}")),
            None => url::encode_absolute(text),
        }));
    }
    if let Some(path) = text.strip_prefix("/media/") {
        return match published_at(disk, path) {
            Some(source) => local(disk, source, config),
            // Media that another host serves need not be in the site's folder.
            None if config.media_base_url.is_some() => {
                let path = percent_decode_str(path).decode_utf8_lossy();
                let source = SitePath::parse(&format!("content/media/{path}"));
                let stored = source.and_then(|source| stored(disk, source, config));
                let url = || Reference::Remote(config.media_url(&format!("/media/{path}")));
                Ok(stored.unwrap_or_else(url))
            }
            None => {
                let meant = SitePath::parse(&format!("content/media/{path}"));
                let found = meant.and_then(|meant| disk.find_respelled(&meant));
                Err(Problem {
                    message: format!("no file of the site is published as {text}"),
                    help: match &found {
                        Some(found) => spelling_help(found),
                        None => format!("put it at content/media/{path}, or correct the path"),
                    },
                    found,
                    is_harmful: false,
                })
            }
        };
    }
    if let Some(path) = text.strip_prefix('/') {
        return Ok(Reference::Remote(format!(
            "{}/{}",
            config.base_url,
            url::encode_reference(path)
        )));
    }
    match locate(disk, from, text) {
        Ok(source) => local(disk, source, config),
        Err(problem) => stored_elsewhere(disk, from, text, config).ok_or(problem),
    }
}

/// Returns the target file of a relative reference, if the file is missing from the site's folder
/// but listed in `content/media.json`.
pub fn stored_elsewhere(
    disk: &Disk<'_>,
    from: &SitePath,
    text: &str,
    config: &Config,
) -> Option<Reference> {
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    [text, &decoded].into_iter().find_map(|text| {
        let source = from.resolve(text).filter(|source| !disk.is_file(source))?;
        stored(disk, source, config)
    })
}

fn stored(disk: &Disk<'_>, source: SitePath, config: &Config) -> Option<Reference> {
    config.media_base_url.as_ref()?;
    let path = publish(source).path;
    let facts = disk.stored(&path)?;
    let url = config.media_url(&path);
    Some(Reference::Stored { url, facts })
}

/// Returns the reason to reject an address whose scheme could harm a reader. Returns `None` if the
/// address is accepted.
pub fn harmful_scheme(text: &str) -> Option<Problem> {
    let scheme = url::refused_scheme(text)?;
    Some(Problem {
        message: format!("an address cannot start with {scheme}: {text:?}"),
        help: "write the full URL, starting with https:// or http://, or a path of this site"
            .into(),
        found: None,
        is_harmful: true,
    })
}

/// Returns whether a name that looks like a URL, such as `part1: intro.mp3`, is a file.
fn is_file_with_colon(disk: &Disk<'_>, from: &SitePath, text: &str) -> bool {
    let is_web_address = text.split_once(':').is_none_or(|(_, rest)| rest.starts_with("//"));
    !is_web_address && from.resolve(text).is_some_and(|source| disk.is_file(&source))
}

/// Returns the file whose public path is `/media/` followed by `path`.
pub fn published_at(disk: &Disk<'_>, path: &str) -> Option<SitePath> {
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    ["content/media/", "content/", "shows/"]
        .into_iter()
        .filter_map(|folder| SitePath::parse(&format!("{folder}{decoded}")))
        .find(|source| disk.is_file(source) && !is_hidden(source) && disk.is_inside(source))
}

/// Returns an error if a file must not be published as a media file, because the site is built from
/// it. The file may contain a draft, a private event or a setting. A symbolic link to such a file
/// is rejected like the file itself.
pub fn check_publishable(disk: &Disk<'_>, source: &SitePath) -> Result<(), Problem> {
    let real = disk.real(source);
    let linked = real.as_ref().filter(|real| *real != source);
    let harmful_scheme = |path: &SitePath| {
        let what = site_role(disk, path)?;
        Some(Problem {
            message: format!("{source} is {what}, and is not published as a file"),
            help: "write the path of a media file, such as a picture or a recording".into(),
            found: None,
            is_harmful: true,
        })
    };
    let problem = [Some(source), linked].into_iter().flatten().find_map(harmful_scheme);
    problem.map_or(Ok(()), Err)
}

/// Returns the role of a file from which the site is built, or `None` for a file that is only
/// published.
fn site_role(disk: &Disk<'_>, path: &SitePath) -> Option<&'static str> {
    let text = path.as_str();
    let is_in = |folder: &str| below(text, folder).is_some();
    let is_in_content = |folder: &str| ContentFolder::inner(folder, text).is_some();
    let is_list = |text: &str| {
        let names = ["redirects.toml", "media.json", SHOW_FILE];
        ContentFolder::split(text).is_some_and(|(_, name)| names.contains(&name))
    };
    let extension = path.extension();
    let is_text = || {
        let is_written =
            matches!(extension.as_str(), "md" | "html" | "markdown" | "mdown" | "mkd" | "mdx");
        is_written && !disk.is_next_to_index(path)
    };
    let is_settings = matches!(extension.as_str(), "toml" | "yaml" | "yml");
    if is_hidden(path) {
        Some("a hidden file")
    } else if text == "site.toml" {
        Some("the configuration of the site")
    } else if is_channel(text) {
        Some("the channel's text")
    } else if is_list(text) {
        Some("a list that feedwright reads")
    } else if is_in(SiteFile::FOLDER) {
        Some("the template of a site file")
    } else if is_in("themes") {
        Some("a file of a theme")
    } else if is_in_content(CALENDARS) && (is_settings || is_text()) {
        Some("a file of a calendar")
    } else if is_in_content(ITEMS) && is_text() {
        Some("the text of an item")
    } else if is_in_content(PAGES) && is_text() {
        Some("the text of a page")
    } else {
        None
    }
}

fn is_hidden(source: &SitePath) -> bool {
    source.as_str().split('/').any(|part| part.starts_with('.'))
}

fn local(disk: &Disk<'_>, source: SitePath, config: &Config) -> Result<Reference, Problem> {
    check_publishable(disk, &source)?;
    let facts = disk.media(&source).map_err(|error| Problem {
        message: format!("{source} cannot be read: {error}"),
        help: "check that it is a readable file".into(),
        found: None,
        is_harmful: false,
    })?;
    let still = facts.picture.map(|picture| ImageInfo {
        width: picture.width,
        height: picture.height,
        hash: picture.hash,
        is_graphic: picture.is_graphic,
        is_plain: picture.is_plain,
    });
    let file = MediaFile { still, bare: facts.bare.map(|bare| bare.hash), ..publish(source) };
    let url = config.media_url(&file.path);
    Ok(Reference::Local(Local { file, url, facts }))
}

/// Returns the target file of a relative reference. The file must exist and be inside the site.
pub fn locate(disk: &Disk<'_>, from: &SitePath, text: &str) -> Result<SitePath, Problem> {
    let outside = || Problem {
        message: format!("{text:?} points outside the site"),
        help: format!("put the file next to {} or in content/media/", from.file_name()),
        found: None,
        is_harmful: true,
    };
    if text.contains('\\') {
        return Err(Problem {
            message: format!("{text:?} contains a backslash"),
            help: "use / to separate the parts of a path, on every system".into(),
            found: None,
            is_harmful: false,
        });
    }
    let missing = |source: &SitePath| {
        let found = disk.find_respelled(source);
        Problem {
            message: format!("{source} does not exist"),
            help: match &found {
                Some(found) => spelling_help(found),
                None => format!(
                    "put the file there, correct the path (relative to {}), or write an https:// address",
                    from.parent().unwrap_or("the site's root")
                ),
            },
            found,
            is_harmful: false,
        }
    };
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    let as_written = from.resolve(text).ok_or_else(outside)?;
    let decoded = from.resolve(&decoded);
    let source = [Some(as_written.clone()), decoded.clone()]
        .into_iter()
        .flatten()
        .find(|source| disk.is_file(source));
    let source = match source {
        Some(source) => source,
        None if decoded.is_none() => return Err(outside()),
        None if disk.is_dir(&as_written) => {
            return Err(Problem {
                message: format!("{as_written} is a folder"),
                help: "write the path of a file in that folder".into(),
                found: None,
                is_harmful: false,
            });
        }
        None => return Err(missing(&as_written)),
    };
    if is_hidden(&source) {
        return Err(Problem {
            message: format!("{source} is hidden, and hidden files are not published"),
            help: "use a path in which no name starts with a dot".into(),
            found: None,
            is_harmful: true,
        });
    }
    if disk.is_inside(&source) { Ok(source) } else { Err(outside()) }
}

/// Returns the help for a name that differs from a file's name only in spelling.
pub fn spelling_help(found: &SitePath) -> String {
    format!("write {found}: names must match exactly, including case and accents")
}

/// Returns the media file for a file below `content/`. The public path is `/media/` followed by the
/// path below `content/`, or by the path below `content/media/` for files in that folder.
pub fn publish(source: SitePath) -> MediaFile {
    let path = source.as_str();
    let below = path
        .strip_prefix("content/media/")
        .or_else(|| path.strip_prefix("content/"))
        .or_else(|| path.strip_prefix("shows/"))
        .unwrap_or(path);
    MediaFile {
        path: format!("/media/{below}"),
        still: None,
        bare: None,
        is_only_shown: false,
        is_value: false,
        artwork_roles: ArtworkRoles::default(),
        source,
    }
}
