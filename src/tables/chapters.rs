//! `site.chapters`: every chapter of every item.

use warehouse::Type;

use super::column::{
    Column, boolean, column, fields, float, number, optional_text, required, text,
};
use super::{Live, SiteTables};
use model::Item;
use model::chapter::{Chapter, ChapterLocation};

pub(super) const TABLE: Live = Live {
    name: "chapters",
    about: "Every chapter of every item, in playing order.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

struct Row<'a> {
    item: &'a Item,
    at: usize,
    chapter: &'a Chapter,
}

impl Row<'_> {
    /// Returns the end in seconds: the chapter's end time, else the start of the next listed
    /// chapter, else the duration of the media.
    fn end(&self) -> Option<f64> {
        let later = &self.item.podcast.chapters[self.at + 1..];
        let next = later.iter().find(|chapter| chapter.toc != Some(false));
        let medium = self.item.attachment.as_ref();
        self.chapter
            .end_time
            .or(next.map(|next| next.start_time))
            .or(medium.and_then(|medium| medium.duration_in_seconds))
            .filter(|end| *end >= self.chapter.start_time)
    }

    fn location<'r>(&'r self, of: fn(&'r ChapterLocation) -> Option<&'r str>) -> Option<&'r str> {
        self.chapter.location.as_ref().and_then(of)
    }
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let items = site.snapshot.entries.iter().map(|entry| &*entry.item);
    items.flat_map(|item| {
        let chapters = item.podcast.chapters.iter().enumerate();
        chapters.map(move |(at, chapter)| Row { item, at, chapter })
    })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Float, Integer, String};
    vec![
        required("item_id", String, "Id of the chapter's item.", |row: &Row<'_>| {
            text(row.item.id.as_str())
        }),
        required("number", Integer, "Number of the chapter, from 1.", |row| {
            number(Some(row.at + 1))
        }),
        required("start_seconds", Float, "Start time in seconds.", |row| {
            float(Some(row.chapter.start_time))
        }),
        column(
            "end_seconds",
            Float,
            "End time in seconds; by default, the start of the next chapter or the end of the medium.",
            |row| float(row.end()),
        ),
        column("title", String, "Title.", |row| optional_text(row.chapter.title.as_deref())),
        column("url", String, "Page about the topic of the chapter.", |row| {
            optional_text(row.chapter.url.as_deref())
        }),
        column("img", String, "Address of the chapter's picture.", |row| {
            optional_text(row.chapter.img.as_deref())
        }),
        required("toc", Boolean, "Whether the table of contents lists the chapter.", |row| {
            boolean(row.chapter.toc != Some(false))
        }),
        column("location_name", String, "Name of the place that the chapter is about.", |row| {
            optional_text(row.location(|location| Some(&location.name)))
        }),
        column("location_geo", String, "Place as a geo URI (RFC 5870).", |row| {
            optional_text(row.location(|location| Some(&location.geo)))
        }),
        column("location_osm", String, "Place as an OpenStreetMap object.", |row| {
            optional_text(row.location(|location| location.osm.as_deref()))
        }),
    ]
}
