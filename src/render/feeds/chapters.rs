//! The chapters document: Podcasting 2.0 JSON chapters 1.2.0, `application/json+chapters`.

use serde::Serialize;

use model::chapter::Chapter;
use model::{Author, Channel, Item};

/// A chapters document. Fields without a value are omitted from the JSON.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChaptersDocument<'a> {
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    podcast_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_name: Option<&'a str>,
    chapters: &'a [Chapter],
}

impl<'a> ChaptersDocument<'a> {
    /// Makes the chapters document of an item. Returns None if feedwright publishes no chapters for
    /// the item.
    pub fn of(channel: &'a Channel, item: &'a Item) -> Option<Self> {
        let chapters = item.podcast.chapters.as_slice();
        if chapters.is_empty() {
            return None;
        }
        let authors = if item.authors.is_empty() { &channel.authors } else { &item.authors };
        Some(Self {
            version: "1.2.0",
            author: names(authors),
            title: &item.title,
            podcast_name: &channel.title,
            file_name: item.attachment.as_ref().and_then(|file| file_name(&file.url)),
            chapters,
        })
    }

    /// Writes the document. If `pretty` is set, the JSON is indented.
    pub fn write(&self, pretty: bool, out: &mut Vec<u8>) {
        let written = if pretty {
            serde_json::to_writer_pretty(&mut *out, self)
        } else {
            serde_json::to_writer(&mut *out, self)
        };
        // Writing to memory cannot fail, every key is a string, and serde_json writes any number.
        debug_assert!(written.is_ok());
        out.push(b'\n');
    }
}

/// Joins the authors' names on one line. Returns None for an empty list.
pub(super) fn names(authors: &[Author]) -> Option<String> {
    let names: Vec<&str> = authors.iter().map(|author| author.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Returns the last part of a URL's path.
fn file_name(url: &str) -> Option<&str> {
    let path = model::url::split_suffix(url).0;
    let name = path.rsplit('/').next()?;
    (!name.is_empty()).then_some(name)
}
