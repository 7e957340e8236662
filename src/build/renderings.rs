//! The last valid rendering of each Site File: what is published while its template does not render.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Options;
use crate::edit;
use crate::model::{Diagnostic, Severity};
use crate::render::{Body, Document, Renderer};
use crate::site::Snapshot;

/// The renderings that are kept of a site's Site Files, in `.feedwright/site-files/`.
pub struct Renderings<'a> {
    folder: PathBuf,
    snapshot: &'a Snapshot,
}

impl<'a> Renderings<'a> {
    /// Those of a site as it is read with these options: a preview's hold its own address, and may
    /// hold what is not public, and so are never published by a build.
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
        }
    }

    /// Renders a document. A Site File that does not render is what it was when it last did, together
    /// with a warning that says why.
    pub fn render(
        &self,
        renderer: &Renderer<'_>,
        document: &Document,
    ) -> Result<(Body, Option<Diagnostic>), Diagnostic> {
        let error = match renderer.render(document) {
            Ok(body) => return Ok((body, None)),
            Err(error) => error,
        };
        let kept = self.file(document).map(std::fs::read);
        let Some(Ok(kept)) = kept else {
            return Err(error);
        };
        let help = error.help.as_deref().unwrap_or("mend the template");
        let warning = Diagnostic {
            severity: Severity::Warning,
            help: Some(format!("{help}; until then it stays as it last was")),
            ..error
        };
        Ok((Body::Bytes(kept), Some(warning)))
    }

    /// Keeps a valid rendering. What cannot be kept cannot stand in later, and stops nothing now.
    pub fn keep(&self, document: &Document, rendering: &[u8]) {
        let Some(file) = self.file(document) else {
            return;
        };
        if !std::fs::read(&file).is_ok_and(|kept| kept == rendering) {
            let _ = write(&file, rendering);
        }
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

fn write(file: &Path, rendering: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    edit::replace(file, rendering)
}
