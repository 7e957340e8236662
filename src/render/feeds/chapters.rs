//! Chapters as a document (Podcasting 2.0 JSON chapters 1.2.0, `application/json+chapters`) and in
//! RSS (Podlove Simple Chapters 1.2).

use serde::Serialize;

use super::xml::Xml;
use crate::text::play_time;
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

/// Writes the chapters in Podlove Simple Chapters. Writes nothing if no chapter is listed.
pub(super) fn simple_chapters(xml: &mut Xml<'_>, chapters: &[Chapter]) {
    let mut listed = titled(chapters).peekable();
    if listed.peek().is_none() {
        return;
    }
    xml.element("psc:chapters")
        .attr("xmlns:psc", "http://podlove.org/simple-chapters")
        .attr("version", "1.2")
        .children(|xml| {
            for (chapter, title) in listed {
                xml.element("psc:chapter")
                    .attr("start", &play_time(chapter.start_time))
                    .attr("title", title)
                    .optional("href", chapter.url.as_deref())
                    .optional("image", chapter.img.as_deref())
                    .empty();
            }
        });
}

/// Returns the chapters in a table of contents, with their titles. The other chapters are silent, or
/// have no title, which Simple Chapters requires.
pub(super) fn titled(chapters: &[Chapter]) -> impl DoubleEndedIterator<Item = (&Chapter, &str)> {
    let listed = chapters.iter().filter(|chapter| chapter.toc != Some(false));
    listed.filter_map(|chapter| {
        let title = chapter.title.as_deref().unwrap_or_default().trim();
        (!title.is_empty()).then_some((chapter, title))
    })
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
