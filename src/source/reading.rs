//! Reads one file of the site: an item, a Page, the channel, a Site File, the redirects.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::disk::{Asked, Disk};
use super::fields::Reader;
use super::listing::below;
use super::load::{channel_file_on, decoded, leads_out};
use super::{channel, item, page, redirects};
use crate::model::{
    Channel, Config, Diagnostic, Item, MediaFile, Page, Redirect, Severity, SiteFile, SitePath,
    Source,
};

/// What one file was read into. It depends on that file and on what else was asked of the disk alone.
#[derive(Debug)]
pub struct Reading<T> {
    /// What the file is, and a fingerprint that changes when it does. None where it cannot be read.
    pub value: Option<(T, u64)>,
    /// What is wrong with it.
    pub found: Vec<Diagnostic>,
    /// The files that were looked for, found or not, this one among them.
    pub asked: Vec<Asked>,
}

impl<T> Reading<T> {
    fn failed(disk: &Disk<'_>, error: Diagnostic) -> Self {
        Self {
            value: None,
            found: vec![error],
            asked: disk.take_asked(),
        }
    }
}

/// Something a content file is, which names files of the site.
pub trait Content: Sized {
    /// Reads it. None where it cannot be one.
    fn read(reader: &Reader<'_>) -> Option<Self>;

    /// Keeps the files it names.
    fn set_media(&mut self, media: Vec<MediaFile>);
}

impl Content for Item {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        item::read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

impl Content for Page {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        page::read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

/// Reads an item or a Page.
pub fn content<T: Content>(root: &Path, config: &Config, path: &SitePath) -> Reading<T> {
    let disk = Disk::new(root);
    let text = match decoded(path, disk.read(path)) {
        Ok(text) => text,
        Err(error) => return Reading::failed(&disk, error),
    };
    let reader = Reader::on(disk, Source { path, text: &text }, config);
    let value = T::read(&reader);
    let fingerprint = xxh3_64_with_seed(text.as_bytes(), reader.fingerprint());
    let asked = reader.take_asked();
    let (found, media) = reader.finish();
    let value = value.map(|mut value| {
        value.set_media(media);
        (value, fingerprint)
    });
    Reading {
        value,
        found,
        asked,
    }
}

/// Reads the channel. A site without one has an empty one.
pub fn channel(root: &Path, config: &Config) -> Reading<Channel> {
    let disk = Disk::new(root);
    let Some(path) = channel_file_on(&disk) else {
        let warning =
            Diagnostic::warning("the site has no channel: it has no title and no description")
                .file("content/channel.md")
                .help("make the file: +++, title = \"…\", +++, and a description below");
        return Reading {
            value: Some((Channel::default(), 0)),
            found: vec![warning],
            asked: disk.take_asked(),
        };
    };
    if !disk.is_inside(&path) {
        return Reading::failed(&disk, leads_out(path.to_string()));
    }
    let text = match decoded(&path, disk.read(&path)) {
        Ok(text) => text,
        Err(error) => return Reading::failed(&disk, error),
    };
    let source = Source {
        path: &path,
        text: &text,
    };
    let reader = Reader::on(disk, source, config);
    let read = channel::read(&reader);
    let asked = reader.take_asked();
    let (mut found, media) = reader.finish();
    let wrong = found.iter().any(|d| d.severity == Severity::Error);
    if read.as_ref().is_none_or(|read| read.title.is_empty()) && !wrong {
        found.push(
            Diagnostic::warning("the channel has no `title`")
                .file(path.as_str())
                .help("add `title`: feeds and pages show it"),
        );
    }
    Reading {
        value: read.map(|read| (Channel { media, ..read }, 0)),
        found,
        asked,
    }
}

/// Reads a Site File's template.
pub fn site_file(root: &Path, path: &SitePath) -> Reading<SiteFile> {
    let disk = Disk::new(root);
    match read_site_file(&disk, path) {
        Ok(file) => Reading {
            value: Some((file, 0)),
            found: Vec::new(),
            asked: disk.take_asked(),
        },
        Err(error) => Reading::failed(&disk, error),
    }
}

fn read_site_file(disk: &Disk<'_>, path: &SitePath) -> Result<SiteFile, Diagnostic> {
    let name = path.as_str();
    let name = below(name, SiteFile::FOLDER).unwrap_or(name);
    let (filename, is_draft) = match name.strip_suffix(SiteFile::DRAFT) {
        Some(filename) => (filename, true),
        None => (name, false),
    };
    // What is wrong with a draft stops nothing: it is not published.
    let wrong = match is_draft {
        true => Diagnostic::warning,
        false => Diagnostic::error,
    };
    let content_type = SiteFile::check_name(filename).map_err(|why: String| {
        wrong(why)
            .file(path.as_str())
            .help("rename the file in site-files/, which has no folders")
    })?;
    let template = decoded(path, disk.read(path))?;
    if template.len() > SiteFile::MAX_BYTES {
        return Err(wrong("this Site File is larger than 256 KiB".into())
            .file(path.as_str())
            .help("shorten it"));
    }
    Ok(SiteFile {
        source: path.clone(),
        filename: filename.to_owned(),
        content_type,
        template,
        is_draft,
    })
}

/// Reads `content/redirects.toml`. A site without one has no redirects of its own.
pub fn redirects(root: &Path, config: &Config) -> Reading<Vec<Redirect>> {
    let disk = Disk::new(root);
    let path = SitePath::parse(redirects::FILE).filter(|path| disk.is_file(path));
    let Some(path) = path else {
        return Reading {
            value: Some((Vec::new(), 0)),
            found: Vec::new(),
            asked: disk.take_asked(),
        };
    };
    if !disk.is_inside(&path) {
        return Reading::failed(&disk, leads_out(path.to_string()));
    }
    let text = match decoded(&path, disk.read(&path)) {
        Ok(text) => text,
        Err(error) => return Reading::failed(&disk, error),
    };
    let source = Source {
        path: &path,
        text: &text,
    };
    let reader = Reader::on(disk, source, config);
    let read = redirects::read(&reader);
    let asked = reader.take_asked();
    let (found, _) = reader.finish();
    let is_good = found.is_empty();
    Reading {
        value: is_good.then_some((read, 0)),
        found,
        asked,
    }
}
