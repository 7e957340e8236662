//! The last valid text of each Site File. It is published while the file's template does not render.

use std::fs;
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64;

use super::Options;
use crate::edit;
use crate::model::{Diagnostic, Severity};
use crate::render::{Body, Document, Renderer};
use crate::site::Snapshot;

/// The kept texts of a site's Site Files, in `.feedwright/site-files/`.
pub struct Renderings<'a> {
    folder: PathBuf,
    snapshot: &'a Snapshot,
    /// Whether new ones are kept.
    keeps: bool,
}

impl<'a> Renderings<'a> {
    /// The kept texts for these options. A preview has texts of its own: they hold the preview's address and
    /// may hold drafts, so a build never publishes them.
    pub fn of(options: &Options, snapshot: &'a Snapshot) -> Self {
        let visibility = &options.visibility;
        let shown = format!(
            "{} {} {}",
            snapshot.config.base_url, visibility.drafts, visibility.future
        );
        let key = format!("{:016x}", xxh3_64(shown.as_bytes()));
        Self {
            folder: options.root.join(".feedwright/site-files").join(key),
            snapshot,
            keeps: true,
        }
    }

    /// The same texts, read only.
    #[must_use]
    pub fn unchanged(self) -> Self {
        Self {
            keeps: false,
            ..self
        }
    }

    /// Renders a document to be shown. A valid Site File is kept; for one that does not render, the kept
    /// text is used.
    pub fn publish(
        &self,
        renderer: &Renderer<'_>,
        document: &Document,
    ) -> Result<Body, Diagnostic> {
        let rendered = renderer.render(document);
        match (rendered, self.file(document)) {
            (Ok(Body::Bytes(bytes)), Some(file)) => {
                if self.keeps {
                    // A failure to keep it stops nothing now; there is only no text to fall back on later.
                    let _ = edit::keep(&file, &bytes);
                }
                Ok(Body::Bytes(bytes))
            }
            (Err(fault), Some(file)) => fs::read(file).map(Body::Bytes).map_err(|_| fault),
            (rendered, _) => rendered,
        }
    }

    /// Why a document cannot be rendered: a warning if a kept text is published in its place.
    pub fn fault(&self, renderer: &Renderer<'_>, document: &Document) -> Option<Diagnostic> {
        let fault = renderer.render(document).err()?;
        let stands_in = self.file(document).is_some_and(|file| file.is_file());
        if !stands_in {
            return Some(fault);
        }
        Some(Diagnostic {
            severity: Severity::Warning,
            message: format!("{}; what it last was is published", fault.message),
            ..fault
        })
    }

    fn file(&self, document: &Document) -> Option<PathBuf> {
        match document {
            Document::SiteFile(at) => {
                let file = self.snapshot.site_files.get(*at)?;
                Some(self.folder.join(&file.filename))
            }
            _ => None,
        }
    }
}
