//! The folders that contain the texts of a site: `content/`, and a folder of `shows/` for each show.

use std::fmt;

/// The folders of a [`ContentFolder`].
pub const ITEMS: &str = "items";
pub const PAGES: &str = "pages";
pub const CALENDARS: &str = "calendars";
pub const MEDIA: &str = "media";

/// A folder with a channel, items, pages, calendars and media: `content`, or `shows/<name>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentFolder(String);

impl ContentFolder {
    /// Folder of the shows.
    pub const SHOWS: &str = "shows";

    /// Returns the folder of a show.
    pub fn of_show(name: &str) -> Self {
        Self(format!("{}/{name}", Self::SHOWS))
    }

    /// Returns the content folder of a file.
    pub fn of(path: &str) -> Self {
        Self::split(path).map_or_else(Self::default, |(folder, _)| Self(folder.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the show whose folder this is.
    pub fn show(&self) -> Option<&str> {
        self.0.strip_prefix("shows/")
    }

    /// Returns the path of a file or folder in this folder: `content/items` for `items`.
    pub fn join(&self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }

    /// Returns the path of a file below one of the folders of this folder: `notes/a.md` for
    /// `content/items/notes/a.md` in `items`.
    pub fn below<'p>(&self, name: &str, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&*self.0)?.strip_prefix('/')?.strip_prefix(name)?.strip_prefix('/')
    }

    /// Splits a path into the path of its content folder and the path below it: `shows/walks` and
    /// `items/a.md`. Returns None for a path outside such folders.
    pub fn split(path: &str) -> Option<(&str, &str)> {
        if let Some(inner) = path.strip_prefix("content/") {
            return Some(("content", inner));
        }
        let (name, inner) = path.strip_prefix("shows/")?.split_once('/')?;
        Some((&path[.."shows/".len() + name.len()], inner))
    }

    /// Returns the path of a file below a folder of any content folder: `notes/a.md` for
    /// `shows/walks/items/notes/a.md` in `items`.
    pub fn inner<'p>(name: &str, path: &'p str) -> Option<&'p str> {
        let (_, inner) = Self::split(path)?;
        inner.strip_prefix(name)?.strip_prefix('/')
    }
}

impl Default for ContentFolder {
    fn default() -> Self {
        Self("content".to_owned())
    }
}

impl fmt::Display for ContentFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_at_its_content_folder() {
        let split = |path| ContentFolder::split(path);
        assert_eq!(split("content/items/a.md"), Some(("content", "items/a.md")));
        assert_eq!(split("shows/walks/items/a.md"), Some(("shows/walks", "items/a.md")));
        assert_eq!(split("shows/walks"), None);
        assert_eq!(split("themes/own/theme.json"), None);
        assert_eq!(ContentFolder::inner("items", "shows/walks/items/n/a.md"), Some("n/a.md"));
        let walks = ContentFolder::of_show("walks");
        assert_eq!(walks.below("items", "shows/walks/items/a.md"), Some("a.md"));
        assert_eq!(walks.below("items", "shows/tides/items/a.md"), None);
        assert_eq!(
            (walks.show(), walks.join("items")),
            (Some("walks"), "shows/walks/items".into())
        );
    }
}
