//! How a Site File stands: what is published of it, its draft, and what `site.toml` says.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::shared::{ApiError, Times};
use crate::model::{GeneratedKind, SiteFile, SiteFileConfig, SitePath};
use crate::render::text;
use crate::site::Snapshot;

/// A Site File, custom or generated.
pub struct FileState<'s> {
    snapshot: &'s Snapshot,
    pub filename: String,
    /// Which of the generated ones it is, if any.
    pub kind: Option<GeneratedKind>,
    /// The template that is published, if there is one.
    pub published: Option<&'s Arc<SiteFile>>,
    /// The draft, if there is one.
    pub draft: Option<&'s Arc<SiteFile>>,
    /// What `site.toml` says of it.
    pub config: SiteFileConfig,
}

impl<'s> FileState<'s> {
    /// All of a site, by name.
    pub fn all(snapshot: &'s Snapshot) -> Vec<Self> {
        let files = snapshot.site_files.iter().chain(&snapshot.site_file_drafts);
        let own = files.map(|file| file.filename.as_str());
        let names: BTreeSet<&str> = own
            .chain(GeneratedKind::ALL.map(GeneratedKind::filename))
            .collect();
        names
            .into_iter()
            .map(|name| Self::of(snapshot, name))
            .collect()
    }

    pub fn find(snapshot: &'s Snapshot, id: &str) -> Result<Self, ApiError> {
        let all = Self::all(snapshot).into_iter();
        all.into_iter()
            .find(|file| file.id() == id)
            .ok_or_else(|| ApiError::not_found(format!("there is no Site File {id:?}")))
    }

    /// The one of a name, which may be nothing yet.
    pub fn of(snapshot: &'s Snapshot, filename: &str) -> Self {
        let named =
            |files: &'s [Arc<SiteFile>]| files.iter().find(|file| file.filename == filename);
        Self {
            snapshot,
            filename: filename.to_owned(),
            kind: GeneratedKind::of(filename),
            published: named(&snapshot.site_files),
            draft: named(&snapshot.site_file_drafts),
            config: snapshot.config.site_file(filename),
        }
    }

    /// Its id, which comes from its name.
    pub fn id(&self) -> String {
        SiteFile::id(&self.filename)
    }

    /// Whether there is anything of it.
    pub fn exists(&self) -> bool {
        self.kind.is_some() || self.published.is_some() || self.draft.is_some()
    }

    /// The file of its published template, be it there or not.
    pub fn published_path(&self) -> Result<SitePath, ApiError> {
        SitePath::parse(&format!("{}/{}", SiteFile::FOLDER, self.filename))
            .ok_or_else(|| ApiError::bad("filename: it cannot be a file's"))
    }

    /// The file of its draft, be it there or not.
    pub fn draft_path(&self) -> Result<SitePath, ApiError> {
        let name = format!("{}/{}{}", SiteFile::FOLDER, self.filename, SiteFile::DRAFT);
        SitePath::parse(&name).ok_or_else(|| ApiError::bad("filename: it cannot be a file's"))
    }

    /// The media type of its extension.
    pub fn usual_type(&self) -> &'static str {
        SiteFile::content_type_of(&self.filename).unwrap_or("text/plain")
    }

    /// Its media type.
    pub fn content_type(&self) -> &'static str {
        self.config.content_type.unwrap_or(self.usual_type())
    }

    /// What the draft is where there is none: what is published, and nothing for a generated one. None
    /// where a draft is all there is.
    pub fn base(&self) -> Option<&str> {
        match (self.published, self.kind) {
            (Some(file), _) => Some(&file.template),
            (None, Some(_)) => Some(""),
            (None, None) => None,
        }
    }

    /// A template as this Site File.
    pub fn with_template(
        &self,
        content_type: &'static str,
        template: &str,
    ) -> Result<SiteFile, ApiError> {
        Ok(SiteFile {
            source: self.draft_path()?,
            filename: self.filename.clone(),
            content_type,
            template: template.to_owned(),
            is_draft: true,
        })
    }

    /// The Site File as the API shows it.
    pub fn output(&self, root: &Path) -> SiteFileOutput {
        let file = |file: &Arc<SiteFile>| file.source.on_disk(root);
        let files = [self.published, self.draft].into_iter().flatten();
        let times = Times::of_all(root, files.map(file));
        let published = self.published.and_then(|own| Times::of(&file(own)));
        let is_generated = self.kind.is_some() && self.published.is_none();
        SiteFileOutput {
            id: self.id(),
            content_type: self.content_type(),
            draft_content: match self.draft {
                Some(draft) => draft.template.clone(),
                None => self.base().unwrap_or_default().to_owned(),
            },
            published_content: self.published.map(|file| file.template.clone()),
            enabled: self.config.enabled,
            system: self.kind.is_some(),
            generator: self.kind.map(GeneratedKind::as_str),
            mode: if is_generated {
                "generated"
            } else {
                "override"
            },
            url: self.snapshot.config.url(&format!("/{}", self.filename)),
            date_created: text::rfc3339(times.created),
            date_modified: text::rfc3339(times.modified),
            date_published: published.map(|times| text::rfc3339(times.modified)),
            filename: self.filename.clone(),
        }
    }
}

/// A Site File.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteFileOutput {
    /// Its id.
    id: String,
    /// Its name at the site's root.
    filename: String,
    /// Its media type.
    content_type: &'static str,
    /// The draft's template; where there is no draft, what is published. Empty where it is generated.
    draft_content: String,
    /// The template that is published; none before it is, and where it is generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    published_content: Option<String>,
    /// Whether it is published.
    enabled: bool,
    /// Whether it is one of those that are generated until overridden.
    system: bool,
    /// What generates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["robots", "llms", "sitemap"]))]
    generator: Option<&'static str>,
    /// Whether it is generated now, or made from a template.
    #[schemars(extend("enum" = ["generated", "override"]))]
    mode: &'static str,
    /// Its public address.
    url: String,
    /// When its file was made (RFC 3339).
    date_created: String,
    /// When its template or draft was last changed (RFC 3339).
    date_modified: String,
    /// When its template was last published (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
}
