//! `site.pages`: every page.

use warehouse::Type;

use super::column::{
    Cell, Column, boolean, column, fields, formatted, instant, list, number, optional_text,
    required, text, texts, word_count,
};
use super::{Live, SiteTables};
use model::{Config, Page, Status};
use site::PageEntry;

pub(super) const TABLE: Live = Live {
    name: "pages",
    about: "Every page of the site in navigation order, the 404 page last.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

struct Row<'a> {
    config: &'a Config,
    entry: &'a PageEntry,
}

impl Row<'_> {
    fn page(&self) -> &Page {
        &self.entry.page
    }

    fn url(&self) -> Cell<'static> {
        formatted(self.config.url(&self.entry.path()))
    }
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let config = &site.snapshot.config;
    site.snapshot.all_pages().map(move |entry| Row { config, entry })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut columns = fact_columns();
    columns.extend(text_columns());
    columns
}

fn fact_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, Integer, String, Timestamp};
    vec![
        required("id", String, "Permanent id.", |row: &Row<'_>| text(row.page().id.as_str())),
        required("title", String, "Title.", |row| text(&row.page().title)),
        required("slug", String, "Path, without slashes.", |row| text(row.page().slug.as_str())),
        column("aliases", texts(), "Former paths, which redirect to the current path.", |row| {
            list(row.page().aliases.iter().map(|alias| alias.as_str()))
        }),
        required("path", String, "Public path.", |row| formatted(row.entry.path())),
        required("url", String, "Address.", |row| row.url()),
        required(
            "status",
            String,
            "Status in the file: published, unlisted or unpublished.",
            |row| text(row.page().status.as_str()),
        ),
        required(
            "is_public",
            Boolean,
            "Whether the page is public now; false for drafts and future dates.",
            |row| boolean(row.entry.status != Status::Unpublished),
        ),
        required("is_not_found_page", Boolean, "Whether this is the 404 page.", |row| {
            boolean(row.page().is_not_found_page())
        }),
        required("show_in_navigation", Boolean, "Whether the navigation shows the page.", |row| {
            boolean(row.page().show_in_navigation && row.page().status != Status::Unlisted)
        }),
        column(
            "navigation_label",
            String,
            "Name in the navigation, if it is not the title.",
            |row| optional_text(row.page().navigation_label.as_deref()),
        ),
        column(
            "navigation_order",
            Integer,
            "Position in the navigation: lower numbers first, NULL last.",
            |row| number(row.page().navigation_order),
        ),
        column("navigation_group", String, "Group in the page tree.", |row| {
            optional_text(row.page().navigation_group.as_deref())
        }),
        column("date_published", Timestamp, "When the page was or will be published.", |row| {
            instant(row.page().date_published)
        }),
        column("date_modified", Timestamp, "When the page was last changed.", |row| {
            instant(row.page().date_modified)
        }),
        column("date_created", Timestamp, "When the page was created.", |row| {
            instant(row.page().date_created)
        }),
        column("language", String, "Language (RFC 5646), if the site states one.", |row| {
            optional_text(row.config.languages.of_text(row.page().language.as_deref()))
        }),
        column("file", String, "Path in the site folder; NULL for the built-in 404 page.", |row| {
            optional_text(row.page().source.as_ref().map(|file| file.as_str()))
        }),
    ]
}

fn text_columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Integer, String};
    vec![
        column("meta_description", String, "Description for search engines.", |row: &Row<'_>| {
            optional_text(row.page().meta_description.as_deref())
        }),
        required("content_html", String, "Body as HTML.", |row| {
            formatted(&row.page().content.body().html)
        }),
        required("content_text", String, "Body as plain text.", |row| {
            formatted(&row.page().content.body().text)
        }),
        required("word_count", Integer, "Number of words in the body.", |row| {
            word_count(&row.page().content.body().text)
        }),
    ]
}
