//! Paths inside a site.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use super::ContentFolder;

/// A path from the site's root with `/` between its parts. The path cannot leave the site: no part
/// is empty, `.` or `..`.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
pub struct SitePath(String);

impl SitePath {
    /// Converts `path` to a path relative to `root`. Returns None if `path` is not below `root`, or
    /// is not valid Unicode.
    pub fn below(root: &Path, path: &Path) -> Option<Self> {
        let plain = path.to_str().zip(root.to_str());
        if let Some((path, root)) = plain
            && let Some(inner) = path.strip_prefix(root)
            && let Some(inner) = inner.strip_prefix('/')
            && let Some(plain) = Self::parse(inner)
        {
            return Some(plain);
        }
        let mut parts = Vec::new();
        for part in path.strip_prefix(root).ok()?.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_str()?),
                _ => return None,
            }
        }
        (!parts.is_empty()).then(|| Self(parts.join("/")))
    }

    /// Parses a path relative to the site's root, with `/` between its parts.
    pub fn parse(text: &str) -> Option<Self> {
        Self::is_valid(text).then(|| Self(text.to_owned()))
    }

    /// Parses a path like [`parse`](Self::parse), but without copying the string.
    pub fn new(text: String) -> Option<Self> {
        Self::is_valid(&text).then_some(Self(text))
    }

    /// Returns whether a string is a path below the site's root.
    pub fn is_valid(text: &str) -> bool {
        !text.is_empty()
            && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
            && !text.contains(['\0', '\\'])
    }

    /// Resolves `reference`, which may contain `.` and `..`, from this file's folder. Returns None
    /// if the reference leaves the site.
    pub fn resolve(&self, reference: &str) -> Option<Self> {
        let mut parts: Vec<&str> =
            self.parent().map_or_else(Vec::new, |folder| folder.split('/').collect());
        for part in reference.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        Self::parse(&parts.join("/"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path of the folder that contains this path, relative to the site's root. Returns
    /// None for a file in the root itself.
    pub fn parent(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }

    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.0.as_str(), |(_, name)| name)
    }

    /// Returns the file name without its last extension.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the path of a content file without its extension, or the path of its folder if the
    /// file is `index`.
    pub fn page_path(&self) -> &str {
        let path = self.0.rsplit_once('.').map_or(&*self.0, |(path, _)| path);
        path.strip_suffix("/index").unwrap_or(path)
    }

    /// Returns the last part of [`page_path`](Self::page_path).
    pub fn name(&self) -> &str {
        let path = self.page_path();
        path.rsplit('/').next().unwrap_or(path)
    }

    /// Returns the folder of the section that this file describes: `content/items/notes` for
    /// `content/items/notes/section.md` and `section.de.md`. Returns None for all other files.
    pub fn section_folder(&self) -> Option<&str> {
        section_folder(&self.0)
    }

    /// Returns the extension in lower case, without the dot. The result is empty if there is no
    /// extension.
    pub fn extension(&self) -> String {
        self.file_name()
            .rsplit_once('.')
            .map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase())
    }

    /// Returns the path on disk.
    pub fn on_disk(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }
}

/// Does the same as [`SitePath::section_folder`] for a path that is a string.
pub fn section_folder(path: &str) -> Option<&str> {
    let (folder, name) = path.strip_suffix(".md")?.rsplit_once('/')?;
    let language = name.strip_prefix("section")?;
    let has_form = language.is_empty()
        || language.strip_prefix('.').is_some_and(|tag| {
            let primary = tag.split('-').next().unwrap_or_default();
            matches!(primary.len(), 2 | 3)
                && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
    (has_form && ContentFolder::inner("items", path).is_some_and(|inner| inner.contains('/')))
        .then_some(folder)
}

impl fmt::Display for SitePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_from_the_file_folder_and_stay_in_the_site() {
        let item = SitePath::parse("content/items/a/index.md").unwrap();
        assert_eq!(item.resolve("x.mp3").unwrap().as_str(), "content/items/a/x.mp3");
        assert_eq!(item.resolve("../b/./y.md").unwrap().as_str(), "content/items/b/y.md");
        assert_eq!(item.resolve("../../../../etc/passwd"), None);
        assert_eq!(item.resolve("..\\..\\x"), None);
        assert_eq!(SitePath::parse("a//b"), None);
    }
}
