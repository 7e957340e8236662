//! The folders of shows.

use std::fs;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use model::content_folder::ITEMS;
use model::{ContentFolder, SitePath};

/// Settings of a show, in its folder.
pub const SHOW_FILE: &str = "show.toml";

/// Returns the path of the settings of a site or show: `site.toml`, or `show.toml` in its folder.
pub fn settings_file(content: &ContentFolder) -> Option<SitePath> {
    match content.show() {
        None => SitePath::parse("site.toml"),
        Some(_) => SitePath::new(content.join(SHOW_FILE)),
    }
}

/// Returns the folders of the shows: the folders of `shows/` with a channel, settings or a file of
/// an item.
pub fn show_folders(root: &Path) -> Vec<ContentFolder> {
    let folder = root.join(ContentFolder::SHOWS);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_show = |name: &String| {
        let own = folder.join(name);
        let has_file =
            || ["channel.md", "channel.html", SHOW_FILE].iter().any(|file| own.join(file).exists());
        !name.starts_with('.') && (has_file() || has_files(&own.join(ITEMS)))
    };
    let mut shows: Vec<ContentFolder> =
        names.filter(is_show).map(|name| ContentFolder::of_show(&name)).collect();
    shows.sort();
    shows
}

/// Returns whether a folder or one of its folders has a file that is not hidden.
fn has_files(folder: &Path) -> bool {
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(folder).follow_links(true).into_iter();
    let mut entries = entries.filter_entry(|entry| !is_hidden(entry)).flatten();
    entries.any(|entry| entry.file_type().is_file())
}
