//! Lists the files that a build wrote, with their HTTP header fields.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3Default;

use super::{Fault, RECORD};
use builder::is_copy_of;
use local::store::TEMPORARY;
use model::Config;
use render::hosting::{GZIP_EXTENSION, HttpFields, is_text, sent_as};
use site::paths;
use source::stamp::FileFacts;

/// A file to be published.
#[derive(Debug, Clone)]
pub struct LocalFile {
    /// The path relative to the output folder, separated by slashes.
    pub path: String,
    pub on_disk: PathBuf,
    /// The size in bytes.
    pub length: u64,
    /// The hash of the file's bytes, in hexadecimal.
    pub hash: String,
    pub stage: Stage,
    pub sent_as: HttpFields,
    /// The [version](FileFacts::version) of the file that was read.
    version: u64,
}

/// The stage in which a file is uploaded. A file is uploaded after the files that it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    Media,
    /// Files that browsers need to display pages.
    Assets,
    Pages,
    /// Files that link to pages: lists, feeds, sitemaps, and the rules of hosts.
    Feeds,
}

impl Stage {
    pub const ALL: [Self; 4] = [Self::Media, Self::Assets, Self::Pages, Self::Feeds];

    /// Returns the stage of a file with this path. A compressed copy has the same stage as its
    /// original.
    pub fn of(path: &str) -> Self {
        let path = path.strip_suffix(GZIP_EXTENSION).unwrap_or(path);
        let is_below = |folder: &str| path.starts_with(folder.trim_start_matches('/'));
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        // Files in the folder of an item belong to the page of the item.
        if is_below("media/") {
            Self::Media
        } else if is_below("assets/")
            || is_below(paths::SEARCH_SHARDS)
            || matches!(ending, "css" | "js" | "xsl")
        {
            Self::Assets
        } else if is_below("i/") || ending == "html" && !is_list(path) {
            Self::Pages
        } else {
            Self::Feeds
        }
    }

    /// Returns the label of the stage for progress messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Media => "sending media",
            Self::Assets => "sending assets",
            Self::Pages => "sending pages",
            Self::Feeds => "sending feeds",
        }
    }
}

/// Whether a page is a list of other pages.
fn is_list(path: &str) -> bool {
    const FOLDERS: [&str; 5] = ["archive/", "author/", "page/", "season/", "tags/"];
    path == "index.html" || FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Lists the files of an output folder in the order of their upload. This includes files that the
/// author added. Files left by operating systems and interrupted builds are skipped.
pub fn local_files(out: &Path, config: &Config) -> Result<Vec<LocalFile>, Fault> {
    let mut files = Vec::new();
    for entry in WalkDir::new(out)
        .follow_links(true)
        .into_iter()
        .filter_entry(|entry| !is_hidden(&entry.file_name().to_string_lossy()))
    {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(out).display().to_string();
            let error = error.into_io_error().unwrap_or_else(|| {
                io::Error::other("a symlink points to a folder that contains it")
            });
            Fault::cannot_read(path, &error)
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path().strip_prefix(out).unwrap_or(entry.path());
        let Some(path) = path.to_str() else {
            return Err(Fault::permanent(
                format!("the file name {} is not UTF-8", entry.path().display()),
                "rename the file",
            ));
        };
        files.push((path.replace('\\', "/"), entry.into_path()));
    }
    let read = files.into_par_iter().map(|(path, on_disk)| {
        read(&path, &on_disk, config).map_err(|error| Fault::cannot_read(on_disk.display(), &error))
    });
    let mut files: Vec<LocalFile> = read.collect::<Result<_, _>>()?;
    files.sort_by(|a, b| (a.stage, &a.path).cmp(&(b.stage, &b.path)));
    Ok(files)
}

/// Whether a file or folder with this name is not part of the site.
fn is_hidden(name: &str) -> bool {
    name.ends_with(TEMPORARY) || matches!(name, RECORD | ".git" | ".DS_Store" | "Thumbs.db")
}

fn read(path: &str, on_disk: &Path, config: &Config) -> io::Result<LocalFile> {
    let before = FileFacts::of(&fs::metadata(on_disk)?);
    Ok(LocalFile {
        path: path.to_owned(),
        length: before.length,
        hash: hash(on_disk)?,
        stage: Stage::of(path),
        sent_as: sent_as(config, path, start(on_disk)?.as_bytes()),
        version: before.version(),
        on_disk: on_disk.to_path_buf(),
    })
}

/// Returns the ASCII characters at the start of a file, up to 64.
fn start(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(64).read_to_end(&mut bytes)?;
    let text = bytes.into_iter().take_while(u8::is_ascii);
    Ok(text.map(char::from).collect())
}

/// Returns a hash of the file's bytes. The hash only detects changes, and is not cryptographically
/// secure.
pub fn hash(file: &Path) -> io::Result<String> {
    let mut file = File::open(file)?;
    let mut hash = Xxh3Default::new();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(format!("{:032x}", hash.digest128())),
            read => hash.update(&bytes[..read]),
        }
    }
}

/// Removes the compressed copies of text files, for destinations that compress files themselves or
/// never serve the copies. A file that the author added under the name of a copy stays.
pub fn without_copies(files: &mut Vec<LocalFile>) {
    let texts: HashMap<String, PathBuf> = files
        .iter()
        .filter(|file| is_text(&file.path))
        .map(|file| (format!("{}{GZIP_EXTENSION}", file.path), file.on_disk.clone()))
        .collect();
    files.retain(|file| {
        let text = texts.get(&file.path);
        !text.is_some_and(|text| is_copy_of(&file.on_disk, text).unwrap_or(false))
    });
}

impl LocalFile {
    pub fn is_recording(&self) -> bool {
        self.stage == Stage::Media && self.sent_as.media_type.starts_with("audio/")
    }

    /// Whether the file has not changed since it was read.
    pub fn is_unchanged(&self) -> bool {
        fs::metadata(&self.on_disk)
            .is_ok_and(|facts| FileFacts::of(&facts).version() == self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referring_files_come_after_their_targets() {
        for (path, stage) in [
            ("media/show.mp3", Stage::Media),
            ("media/index.html", Stage::Media),
            ("assets/1f/style.css", Stage::Assets),
            ("search/index/shards/ab.bin", Stage::Assets),
            ("search/index/entry.bin", Stage::Feeds),
            ("i/walk/index.html", Stage::Pages),
            ("i/walk/chapters.json", Stage::Pages),
            ("i/walk/item.rss", Stage::Pages),
            ("about/index.html", Stage::Pages),
            ("404.html", Stage::Pages),
            ("rss.xsl", Stage::Assets),
            ("search/open.js", Stage::Assets),
            ("search/index.html", Stage::Pages),
            ("tags/sea/index.html", Stage::Feeds),
            ("tags/sea/rss.xml", Stage::Feeds),
            ("index.html", Stage::Feeds),
            ("page/2/index.html", Stage::Feeds),
            ("rss.xml", Stage::Feeds),
            ("feed.json", Stage::Feeds),
            ("sitemap.xml", Stage::Feeds),
            ("_redirects", Stage::Feeds),
            ("i/walk/index.html.gz", Stage::Pages),
            ("assets/1f/style.css.gz", Stage::Assets),
        ] {
            assert_eq!(Stage::of(path), stage, "{path}");
        }
    }
}
