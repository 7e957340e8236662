//! Files below `content/` that feedwright does not read. Their authors may expect such files to be
//! published.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use percent_encoding::percent_decode_str;

use super::disk::is_special;
use super::fields::nearest;
use super::listing::{Listing, is_hidden, special};
use super::show_folders::show_folders;
use model::{ContentFolder, Diagnostic, FileReport, Rule, Severity, SitePath, folded};

/// The folders and files in `content/` that feedwright reads.
const CONTENT: [&str; 9] = [
    "items", "pages", "media", "calendars", "channel.md", "channel.html", "redirects.toml",
    "media.json", "show.toml",
];

/// Returns the files below `shows/` that belong to no show.
fn strays_of_no_show(root: &Path) -> Vec<SitePath> {
    let folder = root.join(ContentFolder::SHOWS);
    let shows = show_folders(root);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(|name| !is_hidden(name));
    let paths = names.map(|name| ContentFolder::of_show(&name));
    let mut others: Vec<ContentFolder> = paths.filter(|path| !shows.contains(path)).collect();
    others.sort();
    others.iter().flat_map(|other| files_at(root, other.as_str())).collect()
}

/// Returns the file at a path, or the files in the folder at the path.
fn files_at(root: &Path, path: &str) -> Vec<SitePath> {
    if root.join(path).is_dir() {
        Listing::walk(root, path).files
    } else if root.join(path).is_file() {
        SitePath::parse(path).into_iter().collect()
    } else {
        Vec::new()
    }
}

/// Returns the files below `content/` that are outside the paths in `CONTENT`.
pub fn strays(root: &Path, folder: &ContentFolder) -> Vec<SitePath> {
    let content = root.join(folder.as_str());
    // If `content` is a link to a folder outside the site, another check reports an error, and the
    // files there are not listed.
    let is_inside = match (root.canonicalize(), content.canonicalize()) {
        (Ok(root), Ok(content)) => content.starts_with(root),
        _ => false,
    };
    if !is_inside {
        return Vec::new();
    }
    let entries = fs::read_dir(content).into_iter().flatten();
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| !is_hidden(name) && !CONTENT.contains(&name.as_str())).collect();
    names.sort_unstable();
    let own = names.into_iter().flat_map(|name| files_at(root, &folder.join(&name)));
    let of_shows = match folder.show() {
        None => strays_of_no_show(root),
        Some(_) => Vec::new(),
    };
    own.chain(of_shows).collect()
}

/// Returns the errors for named pipes, sockets and devices directly in `content/`.
pub fn special_files(root: &Path, folder: &ContentFolder) -> Vec<Diagnostic> {
    let entries = fs::read_dir(root.join(folder.as_str())).into_iter().flatten();
    let names = entries
        .flatten()
        .filter(|entry| fs::metadata(entry.path()).is_ok_and(|facts| is_special(&facts)))
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !is_hidden(name)).collect();
    names.sort_unstable();
    let errors = names.into_iter();
    errors.map(|name| special(folder.join(&name))).collect()
}

/// Returns whether a touched path may be a stray file, or a folder with one.
pub fn may_be_stray(path: &SitePath) -> bool {
    match ContentFolder::split(path.as_str()) {
        Some((_, inner)) => {
            let top = inner.split('/').next().unwrap_or(inner);
            !CONTENT.contains(&top)
        }
        None => path.as_str() == "content" || path.as_str().starts_with(ContentFolder::SHOWS),
    }
}

/// Returns whether a file's name is typical of files that editors, operating systems and version
/// control leave behind.
fn is_temporary(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "thumbs.db" | "desktop.ini" | "icon\r")
        || [".bak", ".orig", ".rej", ".tmp", ".swp", ".lock"]
            .iter()
            .any(|ending| lower.ends_with(ending))
}

/// Returns the files of a content folder that are not content. Files in a folder with an `index`
/// file are left out, because the folder may contain anything that belongs to its content. Files
/// about which [`content_files`](super::content_files::content_files) warns are left out too.
pub fn files_beside_content(files: &[SitePath]) -> Vec<SitePath> {
    let is_read =
        |extension: &str| matches!(extension, "md" | "html" | "markdown" | "mdown" | "mkd" | "mdx");
    let index = |path: &&SitePath| matches!(path.file_name(), "index.md" | "index.html");
    let index_folders: HashSet<&str> =
        files.iter().filter(index).filter_map(SitePath::parent).collect();
    let is_next_to_index = |path: &SitePath| {
        path.parent().is_some_and(|folder| {
            let ends = folder.match_indices('/').map(|(end, _)| end);
            ends.chain([folder.len()]).any(|end| index_folders.contains(&folder[..end]))
        })
    };
    let beside = files.iter().filter(|path| !is_read(&path.extension()) && !is_next_to_index(path));
    beside.cloned().collect()
}

/// The file names that occur in content files with errors. The content may refer to these files
/// once its errors are fixed, so they get no warning about unused files.
pub struct NamedInFaultyFiles(HashSet<String>);

impl NamedInFaultyFiles {
    pub fn from_texts(texts: impl Iterator<Item = String>) -> Self {
        let mut names = HashSet::new();
        for text in texts {
            let text = percent_decode_str(&text).decode_utf8_lossy();
            // A name may have spaces if other delimiters enclose it.
            let parts = text.split(|c: char| "\n\r\"'`/|<>()[]{},=".contains(c));
            for part in parts {
                let value = part.split_once(": ").map(|(_, value)| value);
                let words = part.split_whitespace().chain(value).chain([part]);
                let words = words.map(str::trim).filter(|word| word.contains('.'));
                names.extend(words.map(|word| folded(word).into_owned()));
            }
        }
        Self(names)
    }

    /// Returns whether a file has one of these names. Case is ignored.
    pub fn contains(&self, path: &SitePath) -> bool {
        self.0.contains(&*folded(path.file_name()))
    }
}

/// Warns about files below `content/` that feedwright does not read and that no content refers to.
/// A folder of `content/` in which nothing is read gets one warning.
pub fn warn_of_strays(
    content: &ContentFolder,
    strays: &[SitePath],
    beside: Vec<&SitePath>,
) -> Vec<Diagnostic> {
    const PLACES: &str =
        "put items in content/items/, pages in content/pages/, media in content/media/";
    let is_told = |path: &&SitePath| !is_temporary(path.file_name());
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for path in strays.iter().filter(is_told) {
        // A file below `shows/` that is in no show.
        let is_own = ContentFolder::of(path.as_str()) == *content;
        let above = if is_own { content.as_str() } else { ContentFolder::SHOWS };
        let inner = &path.as_str()[above.len() + 1..];
        let top = inner.split('/').next().unwrap_or(inner);
        *folders.entry(&path.as_str()[..above.len() + 1 + top.len()]).or_default() += 1;
    }
    let told = |(path, count): (&str, usize)| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let message = match (strays.iter().any(|stray| stray.as_str() == path), count) {
            (true, _) => "this file is ignored".to_owned(),
            (false, 1) => "this folder is ignored, with 1 file".to_owned(),
            (false, _) => format!("this folder is ignored, with {count} files"),
        };
        let of_language = name.strip_prefix("channel.").and_then(|rest| rest.strip_suffix(".md"));
        let help = match nearest(name, &CONTENT) {
            _ if of_language.is_some_and(|tag| !tag.contains('.')) => {
                let tag = of_language.unwrap_or_default();
                format!(
                    "add {tag:?} to `others` below [languages] in site.toml, or remove this file"
                )
            }
            _ if path.starts_with("shows/") && path.matches('/').count() == 1 => {
                "put the files of a show in a folder of shows/ with a channel.md".to_owned()
            }
            Some(near) => format!("did you mean {content}/{near}? Otherwise {PLACES}"),
            None => PLACES.to_owned(),
        };
        Diagnostic::warning(Rule::StrayFile, message).file(path).help(help)
    };
    let mut found: Vec<Diagnostic> = folders.into_iter().map(told).collect();
    let mut by_folder: BTreeMap<&str, FileReport> = BTreeMap::new();
    for path in beside.into_iter().filter(is_told) {
        let report = by_folder.entry(path.parent().unwrap_or_default()).or_default();
        report.add(Severity::Warning, || {
            Diagnostic::warning(Rule::StrayFile, "no content refers to this file, so it is not published")
                .file(path.as_str())
                .help("refer to it in a content file, move it to content/media/ or site-files/, or remove it")
        });
    }
    found.extend(by_folder.into_iter().flat_map(|(folder, report)| report.finish(folder)));
    found
}
