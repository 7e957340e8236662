//! `site.items`: every item.

use serde_json::{Value, json};
use warehouse::Type;

use super::column::{
    Cell, Column, NULL, boolean, column, fields, float, formatted, instant, list, number,
    optional_text, required, structs, text, texts, word_count,
};
use super::{Live, SiteTables};
use model::{Attachment, Category, Config, Item};
use render::PublishedRecordings;
use site::ItemEntry;

pub(super) const TABLE: Live = Live {
    name: "items",
    about: "Every item of the site, in feed order.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

struct Row<'a> {
    config: &'a Config,
    recordings: PublishedRecordings<'a>,
    entry: &'a ItemEntry,
}

impl Row<'_> {
    fn item(&self) -> &Item {
        &self.entry.item
    }

    fn web_url(&self) -> Cell<'static> {
        formatted(self.config.url(&self.entry.path))
    }

    fn attachment<'r>(&'r self, of: fn(&'r Attachment) -> Cell<'r>) -> Cell<'r> {
        self.item().attachment.as_ref().map_or(NULL, of)
    }

    /// Returns the external page that the item is about, as JSON Feed defines `external_url`.
    fn external_url(&self) -> Option<&str> {
        let item = self.item();
        let attachment = item.attachment.as_ref();
        let outside = attachment.filter(|one| one.category == Category::ExternalUrl);
        item.url.as_deref().or(outside.map(|one| one.url.as_str()))
    }
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let config = &site.snapshot.config;
    let recordings = PublishedRecordings::of(site.snapshot);
    let entries = site.snapshot.entries.iter();
    entries.map(move |entry| Row { config, recordings, entry })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut columns = fact_columns();
    columns.extend(body_columns());
    columns.extend(media());
    columns.extend(podcast());
    columns
}

fn fact_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Integer, String, Timestamp};
    vec![
        required("id", String, "Permanent id.", |row: &Row<'_>| text(row.item().id.as_str())),
        required("title", String, "Title; empty if the item has none.", |row| {
            text(&row.item().title)
        }),
        required(
            "status",
            String,
            "Status in the file: published, unlisted or unpublished.",
            |row| text(row.item().status.as_str()),
        ),
        required(
            "is_public",
            Boolean,
            "Whether the item has a page now; false for drafts and future dates.",
            |row| boolean(row.entry.is_public()),
        ),
        column("date_published", Timestamp, "When the item was or will be published.", |row| {
            instant(row.item().date_published)
        }),
        column("date_modified", Timestamp, "When the item was last changed.", |row| {
            instant(row.item().date_modified)
        }),
        column("date_created", Timestamp, "When the item was created.", |row| {
            instant(row.item().date_created)
        }),
        column("summary", String, "Summary as plain text.", |row| {
            optional_text(row.item().summary.as_deref())
        }),
        column("language", String, "Language (RFC 5646), if the site states one.", |row| {
            optional_text(row.config.languages.of_text(row.item().language.as_deref()))
        }),
        column("tags", texts(), "Tags.", |row| {
            list(row.item().tags.iter().map(|one| one.as_str()))
        }),
        column("series", String, "Name of the series that the item is part of.", |row| {
            optional_text(row.item().series.as_ref().map(|series| &*series.name))
        }),
        column("series_part", Integer, "Part number, if the file sets one.", |row| {
            number(row.item().series.as_ref().and_then(|series| series.part).map(u64::from))
        }),
        column(
            "authors",
            structs([("name", String), ("url", String), ("type", String)]),
            "Authors, if the file lists them; type is Person or Organization.",
            |row| {
                list(row.item().authors.iter().map(|author| {
                json!({"name": author.name, "url": author.url, "type": author.kind.as_str()})
            }))
            },
        ),
        required("slug", String, "Last segment of the item's public path.", |row| {
            text(&row.entry.segment)
        }),
        column(
            "aliases",
            texts(),
            "Former segments, which redirect to the current segment.",
            |row| list(row.item().aliases.iter().map(|alias| alias.as_str())),
        ),
        required("path", String, "Public path.", |row| formatted(row.entry.path.clone())),
        required("web_url", String, "Address of the item's page.", |row| row.web_url()),
        required("url", String, "Address of the item's page, or of the external page.", |row| {
            row.item().url.as_deref().map_or_else(|| row.web_url(), text)
        }),
        column("external_url", String, "External page that the item is about.", |row| {
            optional_text(row.external_url())
        }),
        required("guid", String, "Id in feeds.", |row| {
            let item = row.item();
            text(item.guid.as_deref().unwrap_or(item.id.as_str()))
        }),
        required("file", String, "Path in the site folder.", |row| {
            text(row.item().source.as_str())
        }),
    ]
}

fn body_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Integer, String};
    vec![
        required("content_html", String, "Body as HTML.", |row: &Row<'_>| {
            formatted(&row.item().content.body().html)
        }),
        required("content_text", String, "Body as plain text.", |row| {
            formatted(&row.item().content.body().text)
        }),
        required("word_count", Integer, "Number of words in the body.", |row| {
            word_count(&row.item().content.body().text)
        }),
        column("seo_title", String, "Title for search engines.", |row| {
            optional_text(row.item().seo.title.as_deref())
        }),
        column("seo_description", String, "Description for search engines.", |row| {
            optional_text(row.item().seo.description.as_deref())
        }),
    ]
}

fn media<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Float, Integer, String};
    vec![
        column("image", String, "Address of the item's picture.", |row: &Row<'_>| {
            optional_text(row.item().image.as_ref().map(|image| image.url.as_str()))
        }),
        column("banner_image", String, "Address of the item's wide picture.", |row| {
            optional_text(row.item().banner_image.as_ref().map(|image| image.url.as_str()))
        }),
        column(
            "attachment_category",
            String,
            "Kind of attachment: audio, video, document, image or external_url.",
            |row| row.attachment(|one| text(one.category.as_str())),
        ),
        column("attachment_url", String, "Address of the attachment, the RSS enclosure.", |row| {
            row.attachment(|one| text(&one.url))
        }),
        column("attachment_mime_type", String, "Media type.", |row| {
            row.attachment(|one| text(&one.mime_type))
        }),
        column("attachment_size_in_bytes", Integer, "Size in bytes.", |row| {
            number(row.recordings.size_in_bytes(row.entry))
        }),
        column("attachment_duration_in_seconds", Float, "Duration in seconds.", |row| {
            row.attachment(|one| float(one.duration_in_seconds))
        }),
        column("attachment_width", Integer, "Width in pixels.", |row| {
            row.attachment(|one| number(one.dimensions.map(|(width, _)| width)))
        }),
        column("attachment_height", Integer, "Height in pixels.", |row| {
            row.attachment(|one| number(one.dimensions.map(|(_, height)| height)))
        }),
    ]
}

fn podcast<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Float, Integer, String};
    let transcript = [("url", String), ("type", String), ("language", String), ("rel", String)];
    vec![
        column("season", Integer, "Number of the season.", |row: &Row<'_>| {
            number(row.item().season())
        }),
        column("season_name", String, "Name of the season.", |row| {
            let season = row.item().podcast.season.as_ref();
            optional_text(season.and_then(|season| season.name.as_deref()))
        }),
        column("episode", Float, "Episode number, which may have decimals.", |row| {
            float(row.item().episode())
        }),
        column("episode_display", String, "Text that apps show instead of the number.", |row| {
            let episode = row.item().podcast.episode.as_ref();
            optional_text(episode.and_then(|episode| episode.display.as_deref()))
        }),
        column("episode_type", String, "full, trailer or bonus, if set in the file.", |row| {
            optional_text(row.item().itunes.episode_type.map(|kind| kind.as_str()))
        }),
        column(
            "explicit",
            Boolean,
            "Whether the content is explicit, if set in the file.",
            |row| boolean(row.item().itunes.explicit),
        ),
        required("block", Boolean, "Whether directories should omit the item.", |row| {
            boolean(row.item().itunes.block)
        }),
        required("has_transcript", Boolean, "Whether the item has a transcript.", |row| {
            boolean(!row.item().podcast.transcripts.is_empty())
        }),
        column("transcripts", structs(transcript), "Transcripts and captions.", |row| {
            list(row.item().podcast.transcripts.iter().map(|one| -> Value {
                json!({"url": one.url, "type": one.media_type, "language": one.language, "rel": one.rel})
            }))
        }),
        required("chapter_count", Integer, "Number of chapters.", |row| {
            number(Some(row.item().podcast.chapters.len()))
        }),
    ]
}
