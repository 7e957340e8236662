//! `site.site_files`: every site file, including generated ones.

use std::collections::BTreeSet;

use warehouse::Type;

use super::column::{Column, boolean, column, fields, formatted, optional_text, required, text};
use super::{Live, SiteTables};
use model::{Config, GeneratedKind, SiteFile};

pub(super) const TABLE: Live = Live {
    name: "site_files",
    about: "Every site file, including generated files, in order of name.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

struct Row<'a> {
    config: &'a Config,
    filename: &'a str,
    published: Option<&'a SiteFile>,
    draft: Option<&'a SiteFile>,
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let snapshot = site.snapshot;
    let (published, drafts) = (&snapshot.site_files, &snapshot.site_file_drafts);
    let own = published.iter().chain(drafts).map(|file| file.filename.as_str());
    let generated = GeneratedKind::ALL.map(GeneratedKind::filename);
    let names: BTreeSet<&str> = own.chain(generated).collect();
    names.into_iter().map(move |filename| {
        let named = |file: &&std::sync::Arc<SiteFile>| file.filename == filename;
        Row {
            config: &snapshot.config,
            filename,
            published: published.iter().find(named).map(|file| &**file),
            draft: drafts.iter().find(named).map(|file| &**file),
        }
    })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Boolean, String};
    vec![
        required("id", String, "Id, derived from the name.", |row: &Row<'_>| {
            formatted(SiteFile::id(row.filename))
        }),
        required("filename", String, "Name at the site root.", |row| text(row.filename)),
        required("url", String, "Public address.", |row| {
            formatted(row.config.url(&format!("/{}", row.filename)))
        }),
        required("content_type", String, "Media type.", |row| {
            let usual = SiteFile::content_type_of(row.filename).unwrap_or("text/plain");
            let own = row.config.site_file(row.filename).content_type;
            text(own.unwrap_or(usual))
        }),
        required("enabled", Boolean, "Whether site.toml enables the file.", |row| {
            boolean(row.config.site_file(row.filename).enabled)
        }),
        required("mode", String, "generated, or override if a template defines the file.", |row| {
            let is_generated = GeneratedKind::of(row.filename).is_some() && row.published.is_none();
            text(if is_generated { "generated" } else { "override" })
        }),
        column(
            "generator",
            String,
            "Built-in generator (robots, llms or sitemap), which a template can override.",
            |row| optional_text(GeneratedKind::of(row.filename).map(GeneratedKind::as_str)),
        ),
        required("is_draft", Boolean, "Whether the file has a draft.", |row| {
            boolean(row.draft.is_some())
        }),
        column("published_content", String, "Published template.", |row| {
            optional_text(row.published.map(|file| file.template.as_str()))
        }),
        column("draft_content", String, "Draft of the template.", |row| {
            optional_text(row.draft.map(|file| file.template.as_str()))
        }),
        column("file", String, "Path of the published template.", |row| {
            optional_text(row.published.map(|file| file.source.as_str()))
        }),
        column("draft_file", String, "Path of the draft.", |row| {
            optional_text(row.draft.map(|file| file.source.as_str()))
        }),
    ]
}
