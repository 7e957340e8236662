//! Reads a whole site: finds the files, then reads them in parallel.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::fields::Reader;
use super::value::Value;
use super::{channel, config, front_matter, item, page, reference};
use crate::model::{
    Channel, Config, Diagnostic, Item, MediaFile, Page, Report, Severity, SiteFile, SitePath,
    Source,
};

/// The files of a site, read.
#[derive(Debug, Default)]
pub struct Sources {
    /// The channel.
    pub channel: Channel,
    /// Items in the order of their paths, each with a fingerprint of its file.
    pub items: Vec<(Item, u64)>,
    /// Pages in the order of their paths, each with a fingerprint of its file.
    pub pages: Vec<(Page, u64)>,
    /// The author's Site Files.
    pub site_files: Vec<SiteFile>,
    /// Every file of `content/media/`.
    pub media: Vec<MediaFile>,
}

/// Reads `site.toml`.
pub fn load_config(root: &Path) -> (Config, Report) {
    let mut report = Report::default();
    let Some(path) = SitePath::parse("site.toml") else {
        return (Config::default(), report);
    };
    match read_inside(root, &path) {
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
    let mut report = Report::default();
    let mut sources = Sources {
        channel: load_channel(root, config, &mut report),
        ..Sources::default()
    };

    let items = content_files(walk(root, "content/items", &mut report), &mut report);
    let read: Vec<_> = items
        .par_iter()
        .map(|path| read_one(root, config, path, tick, read_item))
        .collect();
    for (item, found) in read {
        sources.items.extend(item);
        report.extend(found);
    }
    let pages = content_files(walk(root, "content/pages", &mut report), &mut report);
    let read: Vec<_> = pages
        .par_iter()
        .map(|path| read_one(root, config, path, tick, read_page))
        .collect();
    for (page, found) in read {
        sources.pages.extend(page);
        report.extend(found);
    }
    sources.media = walk(root, "content/media", &mut report)
        .into_iter()
        .map(reference::publish)
        .collect();
    for path in walk(root, "site-files", &mut report) {
        match read_site_file(root, path) {
            Ok(file) => sources.site_files.push(file),
            Err(error) => report.push(error),
        }
    }
    (sources, report)
}

/// The channel's file, where there is one.
pub fn channel_file(root: &Path) -> Option<SitePath> {
    ["content/channel.md", "content/channel.html"]
        .into_iter()
        .filter_map(SitePath::parse)
        .find(|path| path.on_disk(root).is_file())
}

fn load_channel(root: &Path, config: &Config, report: &mut Report) -> Channel {
    let Some(path) = channel_file(root) else {
        report.push(
            Diagnostic::warning("the site has no channel: it has no title and no description")
                .file("content/channel.md")
                .help("make the file: +++, title = \"…\", +++, and a description below"),
        );
        return Channel::default();
    };
    let text = match read_inside(root, &path) {
        Ok(text) => text,
        Err(error) => {
            report.push(error);
            return Channel::default();
        }
    };
    let reader = Reader::new(
        Source {
            path: &path,
            text: &text,
        },
        config,
        root,
    );
    let channel = channel::read(&reader);
    let (found, media) = reader.finish();
    let wrong = found.iter().any(|d| d.severity == Severity::Error);
    report.extend(found);
    let channel = Channel {
        media,
        ..channel.unwrap_or_default()
    };
    if channel.title.is_empty() && !wrong {
        report.push(
            Diagnostic::warning("the channel has no `title`")
                .file(path.as_str())
                .help("add `title`: feeds and pages show it"),
        );
    }
    channel
}

/// Items and Pages: what `read_one` reads.
type ReadOne<T> = fn(&Reader<'_>) -> Option<T>;

fn read_item(reader: &Reader<'_>) -> Option<Item> {
    item::read(reader)
}

fn read_page(reader: &Reader<'_>) -> Option<Page> {
    page::read(reader)
}

/// Something a content file is, which names files of the site.
trait NamesMedia {
    fn set_media(&mut self, media: Vec<MediaFile>);
}

impl NamesMedia for Item {
    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

impl NamesMedia for Page {
    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

fn read_one<T: NamesMedia>(
    root: &Path,
    config: &Config,
    path: &SitePath,
    tick: &(dyn Fn() + Sync),
    read: ReadOne<T>,
) -> (Option<(T, u64)>, Vec<Diagnostic>) {
    let text = match read_text(root, path) {
        Ok(text) => text,
        Err(error) => return (None, vec![error]),
    };
    let reader = Reader::new(Source { path, text: &text }, config, root);
    let value = read(&reader);
    let fingerprint = xxh3_64_with_seed(text.as_bytes(), reader.fingerprint());
    let (found, media) = reader.finish();
    tick();
    let value = value.map(|mut value| {
        value.set_media(media);
        (value, fingerprint)
    });
    (value, found)
}

fn read_site_file(root: &Path, path: SitePath) -> Result<SiteFile, Diagnostic> {
    let filename = path
        .as_str()
        .strip_prefix("site-files/")
        .unwrap_or(path.as_str())
        .to_owned();
    let content_type = SiteFile::check_name(&filename).map_err(|why| {
        Diagnostic::error(why)
            .file(path.as_str())
            .help("rename the file in site-files/, which has no folders")
    })?;
    let template = read_text(root, &path)?;
    if template.len() > SiteFile::MAX_BYTES {
        return Err(Diagnostic::error("this Site File is larger than 256 KiB")
            .file(path.as_str())
            .help("shorten it"));
    }
    Ok(SiteFile {
        source: path,
        filename,
        content_type,
        template,
    })
}

/// The text of a file that may be a link, which may not lead out of the site.
fn read_inside(root: &Path, path: &SitePath) -> Result<String, Diagnostic> {
    if path.on_disk(root).exists() && !reference::is_inside(root, path) {
        return Err(leads_out(path.to_string()));
    }
    read_text(root, path)
}

fn leads_out(file: String) -> Diagnostic {
    Diagnostic::error("this symbolic link leads out of the site")
        .file(file)
        .help("copy what it leads to into the site, or remove the link")
}

/// A file's text, which has to be UTF-8.
pub fn read_text(root: &Path, path: &SitePath) -> Result<String, Diagnostic> {
    let bytes = std::fs::read(path.on_disk(root)).map_err(|error| {
        Diagnostic::error(format!("this file cannot be read: {error}"))
            .file(path.as_str())
            .help("check that it exists and its permissions")
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
        front_matter::parse_toml(source).ok()
    } else {
        front_matter::parse(source).ok().map(|front| front.table)
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

/// Every file below a folder of the site, in the order of their paths: no hidden files, no editors'
/// backups, and nothing that a symbolic link leads to outside the site.
fn walk(root: &Path, folder: &str, report: &mut Report) -> Vec<SitePath> {
    let start = root.join(folder);
    if !start.exists() {
        return Vec::new();
    }
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    // A link above this folder, `content` for example, is not an entry of it.
    if !start
        .canonicalize()
        .is_ok_and(|real| real.starts_with(&real_root))
    {
        report.push(leads_out(folder.to_owned()));
        return Vec::new();
    }
    let mut outside: Vec<PathBuf> = Vec::new();
    let mut found = Vec::new();
    let entries = WalkDir::new(&start)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            let hidden = entry.depth() > 0
                && (name.starts_with('.')
                    || name.ends_with('~')
                    || (name.starts_with('#') && name.ends_with('#')));
            if hidden {
                return false;
            }
            let leads_out = entry.path_is_symlink()
                && !entry
                    .path()
                    .canonicalize()
                    .is_ok_and(|real| real.starts_with(&real_root));
            if leads_out {
                outside.push(entry.path().to_path_buf());
            }
            !leads_out
        });
    for entry in entries {
        match entry {
            Ok(entry) if entry.file_type().is_file() => match SitePath::below(root, entry.path()) {
                Some(path) => found.push(path),
                None => report.push(
                    Diagnostic::error("this file's name is not Unicode")
                        .file(
                            entry
                                .path()
                                .strip_prefix(root)
                                .unwrap_or(entry.path())
                                .to_string_lossy(),
                        )
                        .help("rename it"),
                ),
            },
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(&start);
                let message = match error.loop_ancestor() {
                    Some(_) => "this symbolic link leads in a circle".to_owned(),
                    None if path.is_symlink() => "this symbolic link leads nowhere".to_owned(),
                    None => format!(
                        "this cannot be read: {}",
                        error
                            .io_error()
                            .map_or_else(|| error.to_string(), ToString::to_string)
                    ),
                };
                let file = path
                    .strip_prefix(root)
                    .unwrap_or(path)
                    .to_string_lossy()
                    .into_owned();
                report.push(
                    Diagnostic::error(message)
                        .file(file)
                        .help("mend or remove it"),
                );
            }
        }
    }
    for path in outside {
        let file = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        report.push(leads_out(file));
    }
    found
}

/// The files that are content: Markdown, and HTML that is not a medium of an item's own folder.
fn content_files(files: Vec<SitePath>, report: &mut Report) -> Vec<SitePath> {
    let folders: std::collections::HashSet<String> = files
        .iter()
        .filter(|path| matches!(path.file_name(), "index.md" | "index.html"))
        .filter_map(|path| path.parent().map(str::to_owned))
        .collect();
    let mut content = Vec::new();
    for path in files {
        let extension = path.extension();
        let medium = extension == "html"
            && path.file_name() != "index.html"
            && path.parent().is_some_and(|folder| {
                let ends = folder.match_indices('/').map(|(end, _)| end);
                ends.chain([folder.len()])
                    .any(|end| folders.contains(&folder[..end]))
            });
        if matches!(extension.as_str(), "markdown" | "mdown" | "mkd" | "mdx") {
            report.push(
                Diagnostic::warning(format!("a file that ends in .{extension} is not read"))
                    .file(path.as_str())
                    .help("rename it to end in .md or .html"),
            );
        }
        if (extension != "md" && extension != "html") || medium {
            continue;
        }
        if path.file_name() == "_index.md" {
            report.push(
                Diagnostic::warning("a section page of another generator is not published")
                    .file(path.as_str())
                    .help("make it a Page in content/pages/, or remove it"),
            );
            continue;
        }
        content.push(path);
    }
    content
}
