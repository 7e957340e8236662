//! The key `chapters`: tables, a file next to the item, or a link to a document.

use std::ops::Range;

use front_matter::{Node, Value};

use crate::chapters::{
    ChapterError, Format, OrderedChapters, ordered_chapters, out_of_order_help, parse,
};
use crate::fields::Fields;
use crate::records::{record, record_from_table};
use crate::shapes::{address, required_seconds, seconds, table};
use model::chapter::Chapter;
use model::podcast::ChaptersLink;
use model::{Severity, url};

/// The chapters that front matter declares.
#[derive(Default)]
pub struct Chapters {
    pub list: Vec<Chapter>,
    /// A link to a chapters document, instead of a list.
    pub link: Option<ChaptersLink>,
    /// Whether the author wrote an empty list. Then the item has no chapters, not even the chapters
    /// of the audio file.
    pub none: bool,
}

/// Reads `chapters`.
pub fn read(fields: &Fields<'_, '_>) -> Chapters {
    let Some(node) = fields.node("chapters") else {
        return Chapters::default();
    };
    match &node.value {
        Value::List(nodes) => Chapters {
            list: fields.reader.with_lenient_values(|| list(fields, nodes)),
            none: nodes.is_empty(),
            ..Chapters::default()
        },
        Value::Table(table) => {
            let link =
                fields.read_table_as(Some(ChaptersLink::SHAPE), "chapters", table, |fields| {
                    record_from_table(fields, node).map(|(link, _)| link)
                });
            Chapters { link, ..Chapters::default() }
        }
        _ => match fields.as_string("chapters", node) {
            Some(text) if text.trim().is_empty() => Chapters::default(),
            Some(text) => from_address(fields, node, text.trim()),
            None => Chapters::default(),
        },
    }
}

/// Reads the chapters at a URL or in a file of the site. The file is read immediately.
fn from_address(fields: &Fields<'_, '_>, node: &Node, text: &str) -> Chapters {
    let reader = fields.reader;
    if url::is_absolute(text) || text.starts_with('/') {
        return Chapters { link: record(fields, "chapters", node), ..Chapters::default() };
    }
    let Some((path, document)) = reader.read_relative_text(text, &node.span) else {
        return Chapters::default();
    };
    let report = |error: ChapterError, severity| {
        reader.report(error.report(severity, &path, &document));
    };
    let parsed = match parse(&document, Format::Auto) {
        Ok(parsed) => parsed,
        Err(error) => {
            report(error, Severity::Error);
            return Chapters::default();
        }
    };
    let none = parsed.chapters.is_empty() && parsed.faults.is_empty();
    for fault in parsed.faults {
        report(fault, Severity::Warning);
    }
    let mut list = parsed.chapters;
    for chapter in &mut list {
        let img = chapter.img.take();
        let img =
            img.and_then(|img| reader.with_lenient_values(|| reader.reference(&img, &node.span)));
        chapter.img = img.map(|found| found.url().to_owned());
    }
    Chapters { none, list, link: None }
}

/// The positions of a chapter's times in the file.
#[derive(Clone)]
struct ChapterPlace {
    /// The chapter's number in the list, counted from 0.
    index: usize,
    start: Range<usize>,
    end: Range<usize>,
}

fn list<'r>(fields: &Fields<'r, '_>, nodes: &'r [Node]) -> Vec<Chapter> {
    let read = nodes.iter().enumerate().filter_map(|(index, node)| {
        table(fields, "chapters", node, |chapter| chapter_of(chapter, index, node))
    });
    let read: Vec<(Chapter, ChapterPlace)> = read.collect();
    let OrderedChapters { ordered, faults } = ordered_chapters(read, |place| place.index);
    for (error, place) in faults {
        let place = match error.field {
            "endTime" => &place.end,
            _ => &place.start,
        };
        let message = format!("chapter {} {error}", error.index + 1);
        let help =
            out_of_order_help(error.fault).unwrap_or("write seconds from the start, such as 94.5");
        fields.reader.error(place, message, help);
    }
    ordered.into_iter().map(|(chapter, _)| chapter).collect()
}

fn chapter_of(
    fields: &Fields<'_, '_>,
    index: usize,
    node: &Node,
) -> Option<(Chapter, ChapterPlace)> {
    let span = |key| fields.node(key).map_or(node.span.clone(), |node| node.span.clone());
    let start_time = required_seconds(fields, "startTime", &node.span);
    let chapter = Chapter {
        start_time: start_time.unwrap_or_default(),
        title: fields.text("title"),
        img: address(fields, "img").map(|found| found.url().to_owned()),
        url: fields.http_url("url"),
        toc: fields.bool("toc"),
        end_time: seconds(fields, "endTime"),
        location: fields.node("location").and_then(|node| record(fields, "location", node)),
    };
    let place = ChapterPlace { index, start: span("startTime"), end: span("endTime") };
    start_time.map(|_| (chapter, place))
}
