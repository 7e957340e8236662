//! The listings of items and pages in the search index: the data that a page of results shows.

use search::static_index::{DocumentKind, Listing, TranscriptFormat, TranscriptListing};
use transcripts::Format;

use crate::inputs::Shared;
use crate::transcript_files::{LocalTranscript, local_transcripts};
use crate::view;
use model::{Attachment, Category, Content, Item};
use site::{ItemEntry, PageEntry, paths};
use theme::SearchDestination;

/// Maximum length in characters of the text that replaces a missing title.
const MAX_TITLE_LENGTH: usize = 60;

/// Returns the listing of an item.
pub fn item(shared: &Shared<'_>, entry: &ItemEntry) -> Listing {
    let (config, item) = (shared.config, entry.item.as_ref());
    let transcripts = searchable_transcripts(shared, entry);
    Listing {
        title: title(&item.title, &item.content),
        path: relative(shared, &entry.path.clone()),
        kind: kind(item),
        date: date(shared, item.date_published),
        text: (config.output.item_json).then(|| relative(shared, &paths::item_json(entry))),
        to: destination(shared, item),
        transcripts: transcripts
            .iter()
            .map(|own| TranscriptListing {
                address: local(shared, &own.transcript.url),
                format: transcript_format(own.format),
            })
            .collect(),
    }
}

/// Returns the listing of a page.
pub fn page(shared: &Shared<'_>, entry: &PageEntry) -> Listing {
    let page = entry.page.as_ref();
    Listing {
        title: title(&page.title, &page.content),
        path: relative(shared, &paths::page(page.slug.as_str())),
        kind: DocumentKind::Page,
        date: date(shared, page.date_published),
        ..Listing::default()
    }
}

/// Returns the strings that count as an item's content in addition to the body.
pub fn additional_texts(item: &Item) -> Vec<&str> {
    let season = item.podcast.season.as_ref();
    let episode = item.podcast.episode.as_ref();
    let names = [
        season.and_then(|season| season.name.as_deref()),
        episode.and_then(|episode| episode.display.as_deref()),
    ];
    let tags = item.tags.iter().map(String::as_str);
    let authors = item.authors.iter().map(|author| author.name.as_str());
    let names = names.into_iter().flatten();
    tags.chain(authors).chain(names).collect()
}

fn transcript_format(format: Format) -> TranscriptFormat {
    match format {
        Format::Vtt => TranscriptFormat::Vtt,
        Format::Srt => TranscriptFormat::Srt,
        Format::Json => TranscriptFormat::Json,
        Format::Html => TranscriptFormat::Html,
        Format::Plain => TranscriptFormat::Text,
    }
}

fn title(own: &str, content: &Content) -> String {
    match own {
        "" => content.name(MAX_TITLE_LENGTH),
        own => own.to_owned(),
    }
}

fn kind(item: &Item) -> DocumentKind {
    if view::link(item).is_some() {
        return DocumentKind::Link;
    }
    match item.attachment.as_ref().map(|attachment| attachment.category) {
        Some(Category::Audio) => DocumentKind::Audio,
        Some(Category::Video) => DocumentKind::Video,
        Some(Category::Image) => DocumentKind::Picture,
        Some(Category::Document) => DocumentKind::Document,
        Some(Category::ExternalUrl) => DocumentKind::Link,
        None => DocumentKind::Post,
    }
}

fn date(shared: &Shared<'_>, date: Option<jiff::Timestamp>) -> Option<String> {
    let date = date?.to_zoned(shared.config.timezone.clone());
    Some(date.strftime("%Y-%m-%d").to_string())
}

/// Returns the address that a result links to in this theme, if it is not the address of the item's
/// page.
fn destination(shared: &Shared<'_>, item: &Item) -> Option<String> {
    let attachment = item.attachment.as_ref();
    let to = match shared.theme.manifest.search_destination {
        SearchDestination::Web => None,
        SearchDestination::Url => view::external_url(item),
        SearchDestination::Attachment => attachment.map(|Attachment { url, .. }| url.as_str()),
    };
    to.map(|to| local(shared, to))
}

/// Returns the transcripts that the search index contains. A result can link to a passage only on
/// this site.
pub fn searchable_transcripts<'a>(
    shared: &Shared<'_>,
    entry: &'a ItemEntry,
) -> Vec<LocalTranscript<'a>> {
    match entry.path.starts_with('/') {
        true => local_transcripts(shared.config, &entry.item),
        false => Vec::new(),
    }
}

/// Returns a public path relative to the site's base, percent-encoded. An absolute address stays
/// absolute.
fn relative(shared: &Shared<'_>, path: &str) -> String {
    let own = shared.config.path(path);
    let base = shared.config.path("");
    own.strip_prefix(&base).unwrap_or(&own).trim_start_matches('/').to_owned()
}

/// Returns an address on the site itself as a path, and any other address unchanged.
fn local(shared: &Shared<'_>, address: &str) -> String {
    let path = shared.config.local_path(address);
    path.map_or_else(|| address.to_owned(), |path| path.into_owned())
}
