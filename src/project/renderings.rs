//! The last valid output of each site file, which is published while the file's template fails to
//! render.
//!
//! While the template renders, its output is cached in `.feedwright/`. If the template fails later,
//! the last output is saved in the folder `site-files/.last/` of the site, so that other machines
//! can publish it too.

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

/// The folder in `site-files/` for the last valid outputs. Files in a folder whose name begins with
/// a dot are not read as site files.
const LAST_FOLDER: &str = ".last";

/// The cached outputs of the site files of one snapshot, in `.feedwright/site-files/`. A damaged or
/// truncated output counts as missing. If the template fails, the error is then reported as if the
/// template had never rendered.
pub struct Renderings {
    /// The cache file of each site file, in the order of the snapshot.
    files: Vec<PathBuf>,
    /// The path of the saved output for each site file, in the order of the snapshot.
    saved: Vec<PathBuf>,
    /// Whether the outputs are published, and therefore saved in the site. False for a preview, and
    /// for a base URL other than the configured one.
    is_public: bool,
    /// A hash of the options. Outputs with different options are stored separately.
    key: u64,
    /// Whether new outputs are written to the cache.
    keeps: bool,
    /// Outputs that were rendered to find faults and are not published yet.
    rendered: Mutex<HashMap<usize, Rendering>>,
}

/// The valid output of a site file.
struct Rendering {
    /// Fingerprint of the inputs of the output.
    fingerprint: u64,
    text: Vec<u8>,
}

impl Renderings {
    /// Returns the cached outputs for these options. A preview has separate outputs, which contain
    /// the preview's address and possibly drafts. A build never publishes them.
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

    /// Disables writing to the cache.
    #[must_use]
    pub fn without_cache_writes(self) -> Self {
        Self { keeps: false, ..self }
    }

    /// Returns the fingerprint of a published site file. `made_of` is the fingerprint of its
    /// inputs. The result also depends on the options, because each set of options has a separate
    /// last valid output.
    pub fn fingerprint(&self, made_of: u64) -> u64 {
        xxh3_64_with_seed(&made_of.to_le_bytes(), self.key)
    }

    /// Returns the document to publish. Caches the output of a site file. If a site file fails to
    /// render, returns its last valid output.
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

    /// Like [`publish`](Self::publish), but caches nothing.
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

    /// Returns the diagnostic for a document that fails to render. It is a warning if the last
    /// valid output is published instead. Saves that output in the site.
    pub fn fault(&self, renderer: &Renderer<'_>, document: &Document) -> Option<Diagnostic> {
        let error = self.error(renderer, document)?;
        let last_valid = self.site_file(document).and_then(|at| Some((at, self.last_valid(at)?)));
        let Some((at, last_valid)) = last_valid else {
            return Some(error);
        };
        let help = self.save(at, &last_valid).map(|name| {
            let commit = format!(
                "commit {}/{LAST_FOLDER}/{name}, so that every machine publishes the last valid version until the template is fixed",
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

    /// Returns the error for a document that fails to render, even if its last valid output is
    /// published.
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

    /// Caches the outputs that were rendered to find faults, because the cache may contain older
    /// outputs or none.
    pub fn cache_rendered(&self) {
        for (at, rendering) in &*lock_ignoring_poison(&self.rendered) {
            self.keep(*at, rendering);
        }
    }

    /// Returns the current output of a site file. Renders the site file unless an output from the
    /// same inputs is cached.
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
            Body::File(_) | Body::Recording(_) | Body::SearchFile(_) => Vec::new(),
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

    /// Returns the last valid output, preferably the one saved in the site. A preview prefers the
    /// one in the cache, because it contains the preview's address and drafts.
    fn last_valid(&self, at: usize) -> Option<Vec<u8>> {
        let saved = || fs::read(self.saved.get(at)?).ok();
        let read_cached = || Some(self.read_cached(at)?.text);
        match self.is_public {
            true => saved().or_else(read_cached),
            false => read_cached().or_else(saved),
        }
    }

    /// Saves a last valid output in the site. Returns the name of its file, if the file exists.
    fn save(&self, at: usize, text: &[u8]) -> Option<String> {
        let file = self.saved.get(at).filter(|_| self.is_public)?;
        if self.keeps {
            edit::keep(file, text).ok()?;
        }
        let name = file.file_name()?.to_str()?;
        file.is_file().then(|| name.to_owned())
    }

    fn site_file(&self, document: &Document) -> Option<usize> {
        match document.inner() {
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
            // If the cache cannot be written, this run is not affected. A later run may have no
            // last valid output.
            let _ = CACHE.save(file, rendering.fingerprint, &rendering.text);
            if self.is_public
                && let Some(saved) = self.saved.get(at)
                && fs::remove_file(saved).is_ok()
                && let Some(folder) = saved.parent()
            {
                // Remove the folder if it is empty now.
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
