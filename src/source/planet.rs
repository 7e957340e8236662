//! Reader of `content/planet/`: the items of feeds from elsewhere, which `feedwright fetch` writes.

use std::path::Path;

use super::disk::Disk;
use super::fields::{Fields, Reader};
use super::realtime::tables;
use super::stamp::Lookup;
use super::text::read_inside;
use model::{
    Aggregate, Config, Diagnostic, PLANET_FILE, Planet, PlanetFile, PlanetItem, Severity, Source,
};

/// Reads the files of all feeds in `site.toml`. Also returns the problems found, and the files that
/// were looked up. Returns no planet if a file has errors.
pub fn read(root: &Path, config: &Config) -> (Option<Planet>, Vec<Diagnostic>, Vec<Lookup>) {
    let disk = Disk::new(root);
    let mut found = Vec::new();
    let mut feeds = Vec::new();
    for aggregate in &config.aggregate {
        let file = read_file(&disk, root, aggregate, config);
        let (file, problems) = file.map_or_else(Default::default, |(file, found)| (file, found));
        found.extend(problems);
        feeds.push((aggregate, file));
    }
    let has_errors = found.iter().any(|one: &Diagnostic| one.severity == Severity::Error);
    ((!has_errors).then(|| Planet::of(feeds)), found, disk.take_lookups())
}

/// Reads the file of a feed. Returns `None` if the feed has not been fetched yet, or if its file is
/// invalid.
pub fn fetched(root: &Path, aggregate: &Aggregate, config: &Config) -> Option<PlanetFile> {
    read_file(&Disk::new(root), root, aggregate, config)?.0
}

/// Returns `None` if the file does not exist.
fn read_file(
    disk: &Disk<'_>,
    root: &Path,
    aggregate: &Aggregate,
    config: &Config,
) -> Option<(Option<PlanetFile>, Vec<Diagnostic>)> {
    let path = &aggregate.file;
    if !disk.is_file(path) {
        return None;
    }
    let text = match read_inside(disk, root, path) {
        Ok(text) => text,
        Err(error) => return Some((None, vec![error])),
    };
    let reader = Reader::new(Source { path, text: &text }, config, root);
    let file = of_feed(&reader, aggregate);
    let (found, _) = reader.finish();
    let has_errors = found.iter().any(|one| one.severity == Severity::Error);
    Some((file.filter(|_| !has_errors), found))
}

/// Reads the file of a feed, and reports the errors to the reader.
pub fn of_feed(reader: &Reader<'_>, aggregate: &Aggregate) -> Option<PlanetFile> {
    match reader.source.toml() {
        Ok(table) => {
            let fields = Fields::of_file(reader, &table, PLANET_FILE);
            let file = file(&fields, aggregate);
            fields.finish();
            file
        }
        Err(errors) => {
            errors.into_iter().for_each(|error| reader.report(error));
            None
        }
    }
}

fn file(fields: &Fields<'_, '_>, aggregate: &Aggregate) -> Option<PlanetFile> {
    if fields.node("feed").is_none() {
        fields.missing("feed", &(0..0), "add `feed`, the address of the feed");
    }
    let feed = fields.http_url("feed");
    if let (Some(feed), Some(node)) = (&feed, fields.node("feed"))
        && *feed != aggregate.feed
    {
        let message = format!("this file belongs to the feed {}, not {feed}", aggregate.feed);
        fields.reader.error(&node.span, message, "run `feedwright fetch` to write it again");
    }
    let limit = fields.integer("limit").and_then(|limit| usize::try_from(limit).ok());
    Some(PlanetFile {
        title: fields.text("title"),
        link: fields.http_url("link"),
        limit,
        etag: fields.text("etag"),
        last_modified: fields.text("last_modified"),
        items: tables(fields, "items", |fields, node| {
            let id = fields.required_text("id", &node.span);
            let url = fields.http_url("url");
            let date = fields.date("date");
            for key in ["url", "date"] {
                if fields.node(key).is_none() {
                    fields.missing(key, &node.span, format!("add `{key}`"));
                }
            }
            let (title, author) = (fields.text("title"), fields.text("author"));
            let excerpt = fields.text("excerpt").unwrap_or_default();
            let title = title.unwrap_or_default();
            Some(PlanetItem { id: id?, url: url?, date: date?, title, author, excerpt })
        }),
        feed: feed?,
    })
}
