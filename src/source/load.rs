//! Reads a whole site, and the texts of its files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use front_matter::Value;

use super::calendar::CalendarFile;
use super::config;
use super::disk::{Disk, MAX_TEXT, read_within};
use super::history::History;
use super::library::Library;
use crate::model::{
    Channel, Config, Diagnostic, Item, MediaFile, Page, Redirect, Report, SiteFile, SitePath,
    Source,
};

/// What to do about a text that is too large.
pub(super) const SHORTEN: &str = "split it into several, or leave out what is not text";

/// The files of a site, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    /// The channel.
    pub channel: Arc<Channel>,
    /// Items in the order of their paths, each with a fingerprint of its file.
    pub items: Vec<(Arc<Item>, u64)>,
    /// Pages in the order of their paths, each with a fingerprint of its file.
    pub pages: Vec<(Arc<Page>, u64)>,
    /// The author's Site Files and their drafts.
    pub site_files: Vec<Arc<SiteFile>>,
    /// What `content/redirects.toml` says.
    pub redirects: Arc<Vec<Redirect>>,
    /// Every file of `content/calendars/` in the order of their paths, each with a fingerprint.
    pub calendars: Vec<(Arc<CalendarFile>, u64)>,
    /// What the repository's history tells of them.
    pub history: Arc<History>,
    /// Every file of `content/media/`.
    pub media: Arc<Vec<MediaFile>>,
}

/// Reads `site.toml`.
pub fn load_config(root: &Path) -> (Config, Report) {
    let mut report = Report::default();
    let Some(path) = SitePath::parse("site.toml") else {
        return (Config::default(), report);
    };
    let disk = Disk::new(root);
    let text = match path.on_disk(root).exists() && !disk.is_inside(&path) {
        true => Err(leads_out(path.to_string())),
        false => read_text(root, &path),
    };
    match text {
        Ok(text) => {
            let (config, found) = config::read(root, &text);
            report.extend(found);
            (config, report)
        }
        Err(error) => {
            report.push(error);
            (Config::default(), report)
        }
    }
}

/// Reads everything else. `tick` is called after each content file, from any thread.
pub fn load(root: &Path, config: &Config, tick: &(dyn Fn() + Sync)) -> (Sources, Report) {
    Library::read(root, config.clone(), tick).sources()
}

/// The channel's file, where there is one.
pub fn channel_file(root: &Path) -> Option<SitePath> {
    channel_file_on(&Disk::new(root))
}

pub(super) fn channel_file_on(disk: &Disk<'_>) -> Option<SitePath> {
    ["content/channel.md", "content/channel.html"]
        .into_iter()
        .filter_map(SitePath::parse)
        .find(|path| disk.is_file(path))
}

pub(super) fn leads_out(file: String) -> Diagnostic {
    Diagnostic::error("this symbolic link leads out of the site")
        .file(file)
        .help("copy what it leads to into the site, or remove the link")
}

/// A file's text, which has to be UTF-8 and [`MAX_TEXT`] at most.
pub fn read_text(root: &Path, path: &SitePath) -> Result<String, Diagnostic> {
    let bytes = read_within(&path.on_disk(root), MAX_TEXT).map_err(|error| {
        let (message, help) = match error.kind() {
            io::ErrorKind::FileTooLarge => ("this file is larger than 16 MiB".to_owned(), SHORTEN),
            _ => (
                format!("this file cannot be read: {error}"),
                "check that it exists and its permissions",
            ),
        };
        Diagnostic::error(message).file(path.as_str()).help(help)
    })?;
    String::from_utf8(bytes)
        .map_err(|error| not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// The error of a file that is not UTF-8: where the first wrong byte is.
pub fn not_utf8(path: &SitePath, bytes: &[u8], valid: usize) -> Diagnostic {
    let (message, help) = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => (
            "this file is UTF-16, and has to be UTF-8",
            "save it as UTF-8: editors have it under Save As or Encoding",
        ),
        _ => (
            "this file is not UTF-8",
            "save it as UTF-8; the caret shows where the first byte that is not stands",
        ),
    };
    let good = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
    let (line, column, start) = Source { path, text: good }.locate(good.len());
    let rest = bytes[valid..].split(|byte| *byte == b'\n').next();
    let rest = String::from_utf8_lossy(rest.unwrap_or_default());
    Diagnostic::error(message)
        .file(path.as_str())
        .position(
            line,
            column,
            format!("{start}{}", rest.trim_end_matches('\r')),
        )
        .help(help)
}

/// The place of a front matter key, read again from the file: for errors that only the whole site shows.
/// In a list it is the element that reads `value`.
pub fn place_of(
    root: &Path,
    path: &SitePath,
    key: &str,
    value: &str,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let table = if path.extension() == "toml" {
        source.toml().ok()
    } else {
        source.front_matter().ok().map(|front| front.table)
    };
    let at = table.and_then(|table| {
        let node = table.get(key)?;
        let element = match &node.value {
            Value::List(list) => list.iter().find(
                |node| matches!(&node.value, Value::String(text) | Value::Plain(_, text) if text.trim_matches('/') == value),
            ),
            _ => None,
        };
        Some(element.unwrap_or(node).span.start)
    });
    diagnostic.at(source, at.unwrap_or(0))
}

/// The place of a key in a table of a file that is all TOML: for errors that only a run shows.
pub fn place_in_table(
    root: &Path,
    path: &SitePath,
    [table, key]: [&str; 2],
    diagnostic: Diagnostic,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let at = source.toml().ok().and_then(|all| {
        let Value::Table(inner) = &all.get(table)?.value else {
            return None;
        };
        let entry = inner.entries.iter().find(|entry| entry.key == key)?;
        Some(entry.key_span.start)
    });
    diagnostic.at(source, at.unwrap_or(0))
}
