//! The last valid output of each site file. This text is published while the file's template fails
//! to render.
//!
//! While a template renders, its text is cached in local state. When it starts to fail, the last
//! text is saved in the site, in `site-files/.last/`, so that machines without this local state can
//! publish it too.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Options;
use local::store::Cache;
use model::{Diagnostic, Rule, Severity, SiteFile};
use render::{Body, Document, Renderer};
use site::Snapshot;

const CACHE: Cache = Cache::new("site-files", 2, 1 << 30).flushed();

/// The folder in `site-files/` for the last valid texts of site files. Its name begins with a dot,
/// so that its files are not read as site files.
const LAST_FOLDER: &str = ".last";

/// Cached texts of the site files of one snapshot, in `.feedwright/site-files/`. A damaged or
/// truncated text counts as missing: a template that fails is then an error, as if it had never
/// rendered.
pub struct Renderings {
    /// Cache file of each site file, in the order of the snapshot.
    files: Vec<PathBuf>,
    /// The files with the last valid texts of failing templates, in the order of the snapshot.
    saved: Vec<PathBuf>,
    /// Whether the texts are published, and therefore saved in the site. False for a preview, and
    /// for another base URL than the configured one.
    is_public: bool,
    /// Hash of the options, to separate these texts from texts for other options.
    key: u64,
    /// Whether new texts are written to the cache.
    keeps: bool,
    /// Texts that were rendered to find faults and are not published yet.
    rendered: Mutex<HashMap<usize, Rendering>>,
}

/// A valid text of a site file.
struct Rendering {
    /// Fingerprint of the inputs of the text.
    fingerprint: u64,
    text: Vec<u8>,
}

impl Renderings {
    /// Returns the cached texts for these options. A preview has separate texts: they contain the
    /// preview's address and may contain drafts, so a build never publishes them.
    pub fn of(options: &Options, snapshot: &Snapshot) -> Self {
        let visibility = &options.visibility;
        let shown =
            format!("{} {} {}", snapshot.config.base_url, visibility.drafts, visibility.future);
        let key = xxh3_64(shown.as_bytes());
        let folder = CACHE.path(&options.root).join(format!("{key:016x}"));
        let in_folder = |folder: &Path| {
            let files = snapshot.site_files.iter();
            files.map(|file| folder.join(&file.filename)).collect()
        };
        let is_public = options.base_url.is_none() && !visibility.drafts && !visibility.future;
        let saved = options.root.join(SiteFile::FOLDER).join(LAST_FOLDER);
        Self {
            files: in_folder(&folder),
            saved: in_folder(&saved),
            is_public,
            key,
            keeps: true,
            rendered: Mutex::default(),
        }
    }

    /// Makes the cached texts read-only.
    #[must_use]
    pub fn without_cache_writes(self) -> Self {
        Self { keeps: false, ..self }
    }

    /// Returns the fingerprint of a published site file, from the fingerprint of its inputs. It
    /// depends on the options too, because the text that replaces a failing template differs
    /// between options.
    pub fn fingerprint(&self, made_of: u64) -> u64 {
        xxh3_64_with_seed(&made_of.to_le_bytes(), self.key)
    }

    /// Returns the published form of a document. A valid site file is cached. If a site file fails
    /// to render, its last valid text is returned.
    pub fn publish(
        &self,
        renderer: &Renderer<'_>,
        document: &Document,
    ) -> Result<Body, Diagnostic> {
        let Some(at) = self.site_file(document) else {
            return renderer.render(document);
        };
        let rendered = lock_ignoring_poison(&self.rendered).remove(&at);
        let rendering = rendered.map_or_else(|| self.current(renderer, document, at), Ok);
        if let Ok(rendering) = &rendering {
            self.keep(at, rendering);
        }
        self.or_last_valid(at, rendering)
    }

    /// Returns the form in which a document would be published, without caching anything.
    pub fn render_uncached(
        &self,
        renderer: &Renderer<'_>,
        document: &Document,
    ) -> Result<Body, Diagnostic> {
        match self.site_file(document) {
            Some(at) => self.or_last_valid(at, self.current(renderer, document, at)),
            None => renderer.render(document),
        }
    }

    /// Returns the diagnostic for a document that fails to render: a warning if its last valid text
    /// is published instead. A build saves that text in the site.
    pub fn fault(&self, renderer: &Renderer<'_>, document: &Document) -> Option<Diagnostic> {
        let error = self.error(renderer, document)?;
        let last_valid = self.site_file(document).and_then(|at| Some((at, self.last_valid(at)?)));
        let Some((at, last_valid)) = last_valid else {
            return Some(error);
        };
        let help = self.save(at, &last_valid).map(|name| {
            let commit = format!(
                "commit {}/{LAST_FOLDER}/{name}: every machine then publishes this text until the template is fixed",
                SiteFile::FOLDER
            );
            match &error.help {
                Some(help) => format!("{help}; {commit}"),
                None => commit,
            }
        });
        Some(Diagnostic {
            severity: Severity::Warning,
            rule: Some(Rule::SiteFile),
            message: format!("{}; the last valid version is published", error.message),
            help: help.or_else(|| error.help.clone()),
            ..error
        })
    }

    /// Returns the error of a document that fails to render, even if another text is published
    /// instead.
    pub fn error(&self, renderer: &Renderer<'_>, document: &Document) -> Option<Diagnostic> {
        let Some(at) = self.site_file(document) else {
            return renderer.render(document).err();
        };
        match self.current(renderer, document, at) {
            Ok(rendering) => {
                lock_ignoring_poison(&self.rendered).insert(at, rendering);
                None
            }
            Err(error) => Some(error),
        }
    }

    /// Caches the texts that were rendered to find faults but were not published: the texts in the
    /// cache may be older or missing.
    pub fn cache_rendered(&self) {
        for (at, rendering) in &*lock_ignoring_poison(&self.rendered) {
            self.keep(*at, rendering);
        }
    }

    /// Returns the current text of a site file. Renders the site file unless a text with the same
    /// inputs is cached.
    fn current(
        &self,
        renderer: &Renderer<'_>,
        document: &Document,
        at: usize,
    ) -> Result<Rendering, Diagnostic> {
        let fingerprint = renderer.fingerprint(document).unwrap_or_default();
        if let Some(cached) =
            self.read_cached(at).filter(|cached| cached.fingerprint == fingerprint)
        {
            return Ok(cached);
        }
        let text = match renderer.render(document)? {
            Body::Bytes(text) => text,
            Body::File(_) | Body::SearchFile(_) => Vec::new(),
        };
        Ok(Rendering { fingerprint, text })
    }

    fn or_last_valid(
        &self,
        at: usize,
        rendering: Result<Rendering, Diagnostic>,
    ) -> Result<Body, Diagnostic> {
        let text = rendering.map(|rendering| rendering.text);
        let text = text.or_else(|fault| self.last_valid(at).ok_or(fault))?;
        Ok(Body::Bytes(text))
    }

    /// Returns the last valid text, from the site or else from local state. For a preview, local
    /// state comes first, because the texts there contain the preview's address and drafts.
    fn last_valid(&self, at: usize) -> Option<Vec<u8>> {
        let saved = || fs::read(self.saved.get(at)?).ok();
        let read_cached = || Some(self.read_cached(at)?.text);
        match self.is_public {
            true => saved().or_else(read_cached),
            false => read_cached().or_else(saved),
        }
    }

    /// Saves a last valid text in the site. Returns the name of its file, if the file exists.
    fn save(&self, at: usize, text: &[u8]) -> Option<String> {
        let file = self.saved.get(at).filter(|_| self.is_public)?;
        if self.keeps {
            edit::keep(file, text).ok()?;
        }
        let name = file.file_name()?.to_str()?;
        file.is_file().then(|| name.to_owned())
    }

    fn site_file(&self, document: &Document) -> Option<usize> {
        match document {
            Document::SiteFile(at) if *at < self.files.len() => Some(*at),
            _ => None,
        }
    }

    fn read_cached(&self, at: usize) -> Option<Rendering> {
        let (fingerprint, text) = CACHE.load_any(self.files.get(at)?)?;
        Some(Rendering { fingerprint, text })
    }

    fn keep(&self, at: usize, rendering: &Rendering) {
        if let Some(file) = self.files.get(at).filter(|_| self.keeps) {
            // A failure to save has no effect on this run. Only a later run has no text to fall
            // back on.
            let _ = CACHE.save(file, rendering.fingerprint, &rendering.text);
            if self.is_public
                && let Some(saved) = self.saved.get(at)
                && fs::remove_file(saved).is_ok()
                && let Some(folder) = saved.parent()
            {
                // Removes the folder if it is empty now.
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
