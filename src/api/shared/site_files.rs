//! The state of a site file: its published template, its draft and its settings in `site.toml`.
//! This module also renders templates, and creates the steps that configure or remove a site file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use front_matter::Change;

use super::ApiError;
use super::steps::Step;
use model::{Diagnostic, GeneratedKind, SiteFile, SiteFileConfig, SitePath};
use project::Site;
use render::pages::site_file;
use render::{Body, Document, PathAnswer};
use server::Moment;
use site::Snapshot;
use source::config;

/// The table of `site.toml` that contains the settings of site files.
const TABLE: &str = "site_files";

/// A site file, custom or generated.
pub struct SiteFileState<'s> {
    pub filename: String,
    /// The kind of generated site file. None for a custom site file.
    pub kind: Option<GeneratedKind>,
    /// The published template, if there is one.
    pub published: Option<&'s Arc<SiteFile>>,
    /// The draft, if there is one.
    pub draft: Option<&'s Arc<SiteFile>>,
    /// The settings in `site.toml`.
    pub config: SiteFileConfig,
    is_configured: bool,
}

impl<'s> SiteFileState<'s> {
    /// Returns all site files of a site, sorted by name.
    pub fn all(snapshot: &'s Snapshot) -> Vec<Self> {
        let files = snapshot.site_files.iter().chain(&snapshot.site_file_drafts);
        let own = files.map(|file| file.filename.as_str());
        let names: BTreeSet<&str> =
            own.chain(GeneratedKind::ALL.map(GeneratedKind::filename)).collect();
        names.into_iter().map(|name| Self::of(snapshot, name)).collect()
    }

    pub fn find(snapshot: &'s Snapshot, id: &str) -> Result<Self, ApiError> {
        let all = Self::all(snapshot).into_iter();
        all.into_iter()
            .find(|file| file.id() == id)
            .ok_or_else(|| ApiError::not_found(format!("Site File not found: {id:?}")))
    }

    /// Returns the site file with this name, even if it does not exist yet.
    pub fn of(snapshot: &'s Snapshot, filename: &str) -> Self {
        let named =
            |files: &'s [Arc<SiteFile>]| files.iter().find(|file| file.filename == filename);
        Self {
            filename: filename.to_owned(),
            kind: GeneratedKind::of(filename),
            published: named(&snapshot.site_files),
            draft: named(&snapshot.site_file_drafts),
            config: snapshot.config.site_file(filename),
            is_configured: snapshot.config.site_files.contains_key(filename),
        }
    }

    /// Returns the id, which is derived from the name.
    pub fn id(&self) -> String {
        SiteFile::id(&self.filename)
    }

    /// Returns whether the site file is generated, published or a draft.
    pub fn exists(&self) -> bool {
        self.kind.is_some() || self.published.is_some() || self.draft.is_some()
    }

    /// Returns the path of the published template, whether or not the file exists.
    pub fn published_path(&self) -> Result<SitePath, ApiError> {
        SitePath::parse(&format!("{}/{}", SiteFile::FOLDER, self.filename))
            .ok_or_else(|| ApiError::bad("filename: invalid file name"))
    }

    /// Returns the path of the draft, whether or not the file exists.
    pub fn draft_path(&self) -> Result<SitePath, ApiError> {
        let name = format!("{}/{}{}", SiteFile::FOLDER, self.filename, SiteFile::DRAFT);
        SitePath::parse(&name).ok_or_else(|| ApiError::bad("filename: invalid file name"))
    }

    /// Returns the default media type of the name's extension.
    pub fn default_content_type(&self) -> &'static str {
        SiteFile::content_type_of(&self.filename).unwrap_or("text/plain")
    }

    pub fn content_type(&self) -> &'static str {
        self.config.content_type.unwrap_or(self.default_content_type())
    }

    /// Returns the text that a new draft starts with: the published template, or an empty string
    /// for a generated site file. Returns None if the site file is neither published nor generated.
    pub fn base(&self) -> Option<&str> {
        match (self.published, self.kind) {
            (Some(file), _) => Some(&file.template),
            (None, Some(_)) => Some(""),
            (None, None) => None,
        }
    }

    /// Creates a site file from a draft template without rendering it. Returns an error if the
    /// template is too large or cannot be parsed.
    pub fn with_template(
        &self,
        content_type: &'static str,
        template: &str,
    ) -> Result<SiteFile, Diagnostic> {
        let source =
            SitePath::parse(&format!("{}/{}{}", SiteFile::FOLDER, self.filename, SiteFile::DRAFT));
        let source = source.ok_or_else(|| Diagnostic::error("invalid file name"))?;
        if template.len() > SiteFile::MAX_BYTES {
            let message =
                format!("has {} bytes; the maximum is {}", template.len(), SiteFile::MAX_BYTES);
            return Err(Diagnostic::error(message).file(source.as_str()));
        }
        let file = SiteFile {
            source,
            filename: self.filename.clone(),
            content_type,
            template: template.to_owned(),
            is_draft: true,
        };
        site_file::parse(&file)?;
        Ok(file)
    }

    /// Returns the output that feedwright generates if no template replaces it. Returns None for a
    /// custom site file.
    pub fn generated(&self, moment: &Moment) -> Option<Result<String, Diagnostic>> {
        let document = Document::Generated(self.kind?).at_root(&moment.site.snapshot);
        let body = moment.site.renderer().render(&document);
        Some(body.map(|body| match body {
            Body::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Body::File(_) | Body::Recording(_) | Body::SearchFile(_) => String::new(),
        }))
    }

    /// Renders a template with the current public feed. The error contains the position of the
    /// problem in the template or its output.
    pub fn render(
        &self,
        moment: &Moment,
        content_type: &'static str,
        template: &str,
    ) -> Result<String, Diagnostic> {
        let file = self.with_template(content_type, template)?;
        moment.site.renderer().site_file(&file)
    }

    /// Returns the changes to `site.toml` that set `content_type` and `enabled` of the site file.
    /// None keeps the current setting.
    pub fn configuration(
        &self,
        content_type: Option<&'static str>,
        enabled: Option<bool>,
    ) -> Vec<Change> {
        let at = |key| [TABLE, self.filename.as_str(), key];
        let mut changes = Vec::new();
        if let Some(wanted) = content_type.filter(|wanted| *wanted != self.content_type()) {
            changes.push(match wanted == self.default_content_type() {
                true => Change::remove(&at("content_type")),
                false => Change::set(&at("content_type"), wanted),
            });
        }
        if let Some(wanted) = enabled.filter(|wanted| *wanted != self.config.enabled) {
            changes.push(match wanted {
                true => Change::remove(&at("enabled")),
                false => Change::set(&at("enabled"), false),
            });
        }
        changes
    }

    /// Returns the steps that move the template and the draft to the trash. A generated site file
    /// then has its default output again, and a custom site file no longer exists. The published
    /// template is removed first and the settings in `site.toml` last, so that the site file is not
    /// published again between the steps.
    pub fn removal_steps(&self) -> Vec<Step<'static>> {
        let own = [self.published, self.draft].into_iter().flatten();
        let mut steps: Vec<Step<'_>> = own.map(|own| Step::remove(&own.source)).collect();
        let said: &[&str] = match self.kind {
            Some(_) if self.config.content_type.is_some() => {
                &[TABLE, &self.filename, "content_type"]
            }
            None if self.is_configured => &[TABLE, &self.filename],
            _ => return steps,
        };
        steps.extend(configure(vec![Change::remove(said)]));
        steps
    }

    /// Returns an error if a new site file cannot have this name, because the site already has a
    /// file or document at its path.
    pub fn check_is_new(&self, root: &Path, site: &Site) -> Result<(), ApiError> {
        let on_disk = [self.draft_path()?, self.published_path()?];
        let stands = site.find(&format!("/{}", self.filename));
        if self.exists()
            || on_disk.iter().any(|path| path.on_disk(root).exists())
            || matches!(stands, Some(PathAnswer::Document(_)))
        {
            return Err(ApiError::conflict(format!("filename: {} already exists", self.filename)));
        }
        Ok(())
    }
}

/// Returns the step that changes `site.toml`, or None if there are no changes.
pub fn configure(changes: Vec<Change>) -> Option<Step<'static>> {
    let path = SitePath::parse("site.toml").filter(|_| !changes.is_empty())?;
    Some(Step::change_toml(&path, config::check, changes))
}
