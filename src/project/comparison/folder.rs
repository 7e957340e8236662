//! Reads a built folder: the paths of its pages, and its feed.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use super::{Published, feed};

/// Paths of feeds, as feedwright and other generators write them. Only the first existing feed is
/// read.
const FEEDS: [&str; 6] =
    ["rss.xml", "feed.json", "feed.xml", "index.xml", "atom.xml", "feed/index.xml"];

pub(super) fn read(folder: &Path) -> Result<Published, String> {
    let mut published = Published::default();
    let first = FEEDS.iter().find(|name| folder.join(name).is_file());
    if let Some(first) = first {
        let get = |name: &str| {
            let file = folder.join(part_file(folder, name));
            let bytes = fs::read(&file)
                .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
            Ok((bytes, None))
        };
        feed::read_all(first, &get, &mut published)?;
    }
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| error.to_string())?;
        let below = entry.path().strip_prefix(folder).ok();
        let Some(path) = below.filter(|_| entry.file_type().is_file()).and_then(Path::to_str)
        else {
            continue;
        };
        let path = path.replace('\\', "/");
        // Only pages are listed, because the names of other files may contain a hash of their
        // content.
        let page = match path.strip_suffix("index.html") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
            _ if path.ends_with(".html") && path != "404.html" => &path,
            _ => continue,
        };
        published.addresses.push(format!("/{page}"));
    }
    if published.addresses.is_empty() && published.items.is_empty() {
        return Err(format!(
            "{} contains neither pages nor feeds: pass the output folder of a build",
            folder.display()
        ));
    }
    Ok(published)
}

/// Returns the path of the file with a further part of a feed. `name` is the address of the part,
/// as written in the feed.
fn part_file(folder: &Path, name: &str) -> String {
    let path = name
        .split_once("://")
        .map_or(name, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let path = path.trim_matches('/');
    let files = [path.to_owned(), format!("{path}/index.xml"), format!("{path}/index.json")];
    let found = files.iter().find(|file| folder.join(file).is_file());
    found.unwrap_or(&files[0]).clone()
}
