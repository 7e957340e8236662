//! Readers of one file of the site: an item, a page, the channel, a site file or the redirects.

use borsh::{BorshDeserialize, BorshSerialize};
use front_matter::Table;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::body_reader::BodyReader;
use super::disk::{Disk, MAX_TEXT, is_saving, read_within};
use super::fields::Reader;
use super::listing::below;
use super::stamp::{Lookup, Stamp};
use super::stored_media::{self, StoredMedia};
use super::text::{read_inside, read_text};
use super::{channel, channel_file, item, page, planet, redirects};
use model::{
    Bodies, Channel, Config, Diagnostic, Item, MediaFile, Page, Planet, Redirect, Rule, Severity,
    SiteFile, SitePath, Source,
};

/// The result of reading one file. It depends only on that file and on the other files that were
/// looked up.
#[derive(Debug)]
pub struct FileReading<T> {
    /// The content, and a fingerprint that changes with it. `None` if the file cannot be read.
    pub value: Option<(T, u64)>,
    /// The errors and warnings about the file.
    pub found: Vec<Diagnostic>,
    /// The file's stamp when it was read.
    pub stamp: Stamp,
    /// The hash of the file's bytes, if it is a content file and could be read.
    pub hash: Option<u64>,
    /// The other files that were looked up, whether they exist or not.
    pub looked_up: Vec<Lookup>,
    /// How complete the file was when it was read.
    pub extent: Extent,
}

/// How complete a file is. Some programs empty a file before saving it, and write its content in
/// several steps.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Only whitespace.
    Blank,
    /// Text without front matter.
    Headless,
    /// Text with front matter, or a kind of file that has no front matter.
    Whole,
}

impl Extent {
    fn of(text: &str) -> Self {
        match text.trim_start() {
            "" => Self::Blank,
            text if text.starts_with("+++") || text.starts_with("---") || text.starts_with('{') => {
                Self::Whole
            }
            _ => Self::Headless,
        }
    }
}

/// Returns whether a file was written so recently that it may still be incomplete.
pub fn is_young(root: &Path, path: &SitePath) -> bool {
    let facts = path.on_disk(root).metadata();
    facts.is_ok_and(|facts| is_saving(&facts))
}

impl<T> FileReading<T> {
    /// Creates the reading of a file that may be missing. The file counts as one of the files that
    /// were looked up.
    fn of_optional_file(value: Option<T>, found: Vec<Diagnostic>, looked_up: Vec<Lookup>) -> Self {
        Self {
            value: value.map(|value| (value, 0)),
            found,
            stamp: Stamp::Missing,
            hash: None,
            looked_up,
            extent: Extent::Whole,
        }
    }

    fn of_single_file(stamp: Stamp, read: Result<T, Diagnostic>) -> Self {
        let (value, found) = match read {
            Ok(value) => (Some((value, 0)), Vec::new()),
            Err(error) => (None, vec![error]),
        };
        Self { value, found, stamp, hash: None, looked_up: Vec::new(), extent: Extent::Whole }
    }
}

/// A kind of content file.
pub trait ContentFile: Sized {
    /// Reads the file. Returns `None` if the file is invalid, and reports the errors to the reader.
    fn read(reader: &Reader<'_>) -> Option<Self>;

    /// Sets the files of the site that the content refers to.
    fn set_media(&mut self, media: Vec<MediaFile>);
}

impl ContentFile for Item {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        item::read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

impl ContentFile for Page {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        page::read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        self.media = media;
    }
}

/// Returns whether a file still contains the same bytes and every path in `looked_up` is unchanged.
/// Such a file need not be read again.
pub fn is_same(root: &Path, path: &SitePath, hash: u64, looked_up: &[Lookup]) -> bool {
    let text = read_within(&path.on_disk(root), MAX_TEXT);
    text.is_ok_and(|text| xxh3_64(&text) == hash)
        && looked_up.iter().all(|(path, stamp)| stamp.holds(&path.on_disk(root)))
}

/// Reads an item, a page or a file of a calendar. If `bodies` is given, it rereads the body later.
pub fn content<T: ContentFile>(
    root: &Path,
    config: &Config,
    path: &SitePath,
    bodies: Option<&Arc<BodyReader>>,
) -> FileReading<T> {
    let stamp = Stamp::of(&path.on_disk(root));
    let text = match read_text(root, path) {
        Ok(text) => text,
        Err(error) => return FileReading::of_single_file(stamp, Err(error)),
    };
    let hash = xxh3_64(text.as_bytes());
    let mut disk = Disk::new(root);
    if let Some(bodies) = bodies {
        disk = disk.with_caches(bodies.media(), bodies.code());
    }
    let mut reader = Reader::on(disk, Source { path, text: &text }, config);
    if let Some(bodies) = bodies {
        reader = reader.with_bodies(Arc::clone(bodies) as Arc<dyn Bodies>, hash);
    }
    let value = T::read(&reader);
    let fingerprint = xxh3_64_with_seed(&hash.to_le_bytes(), reader.fingerprint());
    let looked_up = reader.take_lookups();
    let (found, media) = reader.finish();
    let value = value.map(|mut value| {
        value.set_media(media);
        (value, fingerprint)
    });
    FileReading {
        value,
        found,
        stamp,
        // A calendar's file has no hash, because the reading also depends on the file's
        // modification time.
        hash: bodies.map(|_| hash),
        looked_up,
        extent: Extent::of(&text),
    }
}

/// Reads the channel. The channel's file may have either of two names, so it counts as one of the
/// files that were looked up. A site without a channel gets an empty channel.
pub fn channel(root: &Path, config: &Config) -> FileReading<Channel> {
    let disk = Disk::new(root);
    let Some(path) = channel_file::channel_file_on(&disk, &config.content) else {
        let file = config.content.join("channel.md");
        let warning = Diagnostic::warning(
            Rule::ChannelTitle,
            format!("{file} is missing: the site has no title and no description"),
        )
        .file(&*file)
        .help("create the file with the lines +++, title = \"…\" and +++, and a description below them");
        return FileReading::of_optional_file(
            Some(Channel::default()),
            vec![warning],
            disk.take_lookups(),
        );
    };
    let text = match read_inside(&disk, root, &path) {
        Ok(text) => text,
        Err(error) => return FileReading::of_optional_file(None, vec![error], disk.take_lookups()),
    };
    let source = Source { path: &path, text: &text };
    let reader = Reader::on(disk, source, config);
    let read = channel::read(&reader);
    let mut looked_up = reader.take_lookups();
    let front = reader.source.front_matter().map(|front| front.table).unwrap_or_default();
    let (mut found, mut media) = reader.finish();
    // If `title` is mistyped, the mistyped key was already reported.
    let is_title = |d: &Diagnostic| d.help.as_deref().is_some_and(|help| help.contains("`title`"));
    let is_reported = found.iter().any(|d| d.severity == Severity::Error || is_title(d));
    if read.as_ref().is_none_or(|read| read.title.is_empty()) && !is_reported {
        found.push(
            Diagnostic::warning(Rule::ChannelTitle, "the channel has no `title`")
                .file(path.as_str())
                .help("add `title`: feeds and pages show it"),
        );
    }
    let mut value = read;
    if let Some(channel) = &mut value {
        channel.language = channel.language.take().or_else(|| config.languages.default.clone());
        for language in &config.languages.others {
            let other = channel_in(language, (root, config), channel, &front);
            looked_up.extend(other.looked_up);
            found.extend(other.found);
            let (other, _) = other.value.unwrap_or_default();
            media.extend(other.media.iter().cloned());
            channel.in_languages.push(other);
        }
        channel.media = media.into_iter().map(MediaFile::named).collect();
    }
    FileReading::of_optional_file(value, found, looked_up)
}

/// Reads the channel in another language. `main` is the channel in the site's language, with its
/// front matter.
fn channel_in(
    language: &str,
    (root, config): (&Path, &Config),
    main: &Channel,
    front: &Table,
) -> FileReading<Channel> {
    let disk = Disk::new(root);
    let file = channel_file::channel_file_in_on(&disk, &config.content, language);
    let (path, text) = match file.map(|path| (read_inside(&disk, root, &path), path)) {
        None => (SitePath::new(config.content.join("channel.md")), "+++\n+++\n".to_owned()),
        Some((Ok(text), path)) => (Some(path), text),
        Some((Err(error), _)) => {
            return FileReading::of_optional_file(None, vec![error], disk.take_lookups());
        }
    };
    let Some(path) = path else { return FileReading::of_optional_file(None, vec![], vec![]) };
    let reader = Reader::on(disk, Source { path: &path, text: &text }, config);
    let mut read = channel::read_in_language(&reader, (language, front));
    let looked_up = reader.take_lookups();
    let (found, media) = reader.finish();
    if let Some(channel) = &mut read {
        if channel.description_text.is_empty() {
            channel.description_html.clone_from(&main.description_html);
            channel.description_text.clone_from(&main.description_text);
            channel.description_lead.clone_from(&main.description_lead);
            channel.links.clone_from(&main.links);
        }
        channel.language = Some(language.to_owned());
        channel.media = media;
    }
    FileReading::of_optional_file(read, found, looked_up)
}

/// Reads a site file's template.
pub fn site_file(root: &Path, path: &SitePath) -> FileReading<SiteFile> {
    let stamp = Stamp::of(&path.on_disk(root));
    let read = read_site_file(root, path);
    let is_blank = read.as_ref().is_ok_and(|file| file.template.is_empty());
    FileReading {
        extent: if is_blank { Extent::Blank } else { Extent::Whole },
        ..FileReading::of_single_file(stamp, read)
    }
}

fn read_site_file(root: &Path, path: &SitePath) -> Result<SiteFile, Diagnostic> {
    let name = path.as_str();
    let name = below(name, SiteFile::FOLDER).unwrap_or(name);
    let (filename, is_draft) = match name.strip_suffix(SiteFile::DRAFT) {
        Some(filename) => (filename, true),
        None => (name, false),
    };
    // Errors in a draft do not stop a build, because a draft is not published.
    let report_wrong_type = |message: String| match is_draft {
        true => Diagnostic::warning(Rule::SiteFile, message),
        false => Diagnostic::error(message),
    };
    let content_type = SiteFile::check_name(filename).map_err(|why: String| {
        report_wrong_type(why)
            .file(path.as_str())
            .help("rename the file; it must be directly in site-files/, not in a folder there")
    })?;
    let template = read_text(root, path)?;
    if template.len() > SiteFile::MAX_BYTES {
        return Err(report_wrong_type("this site file is larger than 256 KiB".into())
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

/// Reads the `redirects.toml` of a content folder. A site without this file has no custom redirects.
pub fn redirects(root: &Path, config: &Config) -> FileReading<Vec<Redirect>> {
    let disk = Disk::new(root);
    let path = SitePath::new(redirects::file(&config.content)).filter(|path| disk.is_file(path));
    let Some(path) = path else {
        return FileReading::of_optional_file(Some(Vec::new()), Vec::new(), disk.take_lookups());
    };
    let text = match read_inside(&disk, root, &path) {
        Ok(text) => text,
        Err(error) => return FileReading::of_optional_file(None, vec![error], disk.take_lookups()),
    };
    let source = Source { path: &path, text: &text };
    let reader = Reader::on(disk, source, config);
    let read = redirects::read(&reader);
    let looked_up = reader.take_lookups();
    let (found, _) = reader.finish();
    let is_good = found.is_empty();
    FileReading::of_optional_file(is_good.then_some(read), found, looked_up)
}

/// Reads the items of feeds from elsewhere.
pub fn planet(root: &Path, config: &Config) -> FileReading<Planet> {
    let (planet, found, looked_up) = planet::read(root, config);
    FileReading::of_optional_file(planet, found, looked_up)
}

/// Checks whether `content/media.json` can be read, if it exists.
pub fn stored_media(root: &Path) -> FileReading<()> {
    let disk = Disk::new(root);
    let path = SitePath::parse(stored_media::FILE).filter(|path| disk.is_file(path));
    let read = path.map(|path| {
        let text = read_inside(&disk, root, &path)?;
        StoredMedia::parse(text.as_bytes()).map_err(|error| {
            let line = text.lines().nth(error.line().saturating_sub(1));
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            Diagnostic::error(format!("invalid list of media: {why}"))
                .file(path.as_str())
                .position(error.line(), error.column(), line.unwrap_or_default())
                .help("restore the last committed version; `feedwright deploy` writes this file")
        })
    });
    let found = read.and_then(Result::err).into_iter().collect();
    FileReading::of_optional_file(Some(()), found, disk.take_lookups())
}
