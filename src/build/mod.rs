//! The build: read, gather, render, write.
//!
//! Everything that can be wrong with a site is found before the first byte is written, so that a
//! build that fails leaves the output of an earlier one as it was.

mod addresses;
mod folders;
mod links;
mod manifest;
mod moved;
mod progress;
mod renderings;
mod unchanged;
mod whole;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rayon::prelude::*;

pub use addresses::{Addresses, Marks};
pub use progress::{Progress, Silent};
pub use renderings::Renderings;
use unchanged::Inputs;
use writer::Writer;

use crate::model::{Access, Config, Diagnostic, Report, SitePath, Visibility};
use crate::render::{Common, Document, Found, Lookup, Renderer, Routes, names, site_file};
use crate::site::{Snapshot, gather};
use crate::source::config::address_of_an_example;
use crate::source::library::Library;
use crate::source::load::load_config;
use crate::theme::Theme;

/// What to build.
#[derive(Debug, Clone)]
pub struct Options {
    /// The site's root.
    pub root: PathBuf,
    /// The output folder, in place of `[output] dir`.
    pub out: Option<PathBuf>,
    /// The base URL, in place of `base_url`.
    pub base_url: Option<String>,
    /// What is shown beside what is public now.
    pub visibility: Visibility,
    /// Whether files in the output folder that no build wrote may be replaced.
    pub overwrite: bool,
}

impl Options {
    /// Builds what is public now into the site's own output folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            out: None,
            base_url: None,
            visibility: Visibility {
                now: Timestamp::now(),
                drafts: false,
                future: false,
            },
            overwrite: false,
        }
    }

    /// [`new`](Self::new), where the present is `SOURCE_DATE_EPOCH` (seconds since 1970,
    /// reproducible-builds.org) if that is set.
    ///
    /// # Errors
    ///
    /// When it is set and is no such number: a build that took another time would not be reproducible.
    pub fn of_environment(root: impl Into<PathBuf>) -> Result<Self, String> {
        const EPOCH: &str = "SOURCE_DATE_EPOCH";
        let mut options = Self::new(root);
        if let Some(text) = std::env::var_os(EPOCH) {
            let seconds = text.to_str().and_then(|text| text.parse().ok());
            let now = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
            options.visibility.now = now.ok_or_else(|| {
                format!("{EPOCH} cannot be {text:?}: write seconds since 1970, or unset it")
            })?;
        }
        Ok(options)
    }
}

/// What a build did.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Items with a page.
    pub items: usize,
    /// Pages.
    pub pages: usize,
    /// Items and Pages left out because they are unpublished.
    pub drafts: usize,
    /// Items and Pages left out because their date has not come.
    pub waiting: usize,
    /// Documents and media of the output.
    pub files: usize,
    /// Files that were written.
    pub written: usize,
    /// Files of an earlier build that were removed.
    pub removed: usize,
    /// The output folder.
    pub out: PathBuf,
    /// What is doubtful about the site.
    pub warnings: Vec<Diagnostic>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A site that was read.
#[derive(Debug)]
pub struct Site {
    /// Its snapshot.
    pub snapshot: Snapshot,
    /// Its theme.
    pub theme: Arc<Theme>,
    common: Common,
    /// What content asked for outside its own folders, whether it was there or not. Kept by who reads
    /// a site to build it.
    elsewhere: Vec<SitePath>,
}

impl Site {
    /// Puts a snapshot and a theme together, which costs nothing: what documents and paths need
    /// beside them is made when it is first needed, and kept.
    pub fn new(snapshot: Snapshot, theme: Arc<Theme>) -> Self {
        Self {
            snapshot,
            theme,
            common: Common::default(),
            elsewhere: Vec::new(),
        }
    }

    /// What renders its documents.
    pub fn renderer(&self) -> Renderer<'_> {
        Renderer::new(&self.snapshot, &self.theme, &self.common)
    }

    /// What answers a request for a path, percent-decoded. It needs no route table.
    pub fn find(&self, path: &str) -> Option<Found> {
        Lookup::new(&self.snapshot, &self.theme, &self.common).find(path)
    }

    /// Every public path. Large sites take tens of milliseconds to list them for the first time.
    pub fn routes(&self) -> &Routes {
        &self.renderer().table().0
    }

    /// What is wrong with its paths, which needs the table too.
    pub fn path_report(&self) -> &Report {
        &self.renderer().table().1
    }
}

/// Builds a site. Err holds everything that is wrong with it; then nothing was written.
pub fn run(options: &Options, progress: &dyn Progress) -> Result<Outcome, Report> {
    let start = Instant::now();
    let inputs = Inputs::look(options);
    if let Some(outcome) = inputs.as_ref().and_then(|inputs| inputs.recall(options)) {
        return Ok(Outcome {
            elapsed: start.elapsed(),
            ..outcome
        });
    }
    let (site, mut report) = read(options, progress);
    report.extend(folders::missing(&options.root));
    let Some(site) = site else {
        return Err(report);
    };
    let renderer = site.renderer();
    let renderings = Renderings::of(options, &site.snapshot);
    let fault = |document: &Document| renderings.fault(&renderer, document);
    report.extend(faults(options, &site, &report, &fault));
    let addresses = Addresses::of(&site.snapshot);
    let moved = Addresses::load(&options.root).moved(&options.root, &site, &addresses);
    let out = out_dir(options, &site.snapshot.config);
    let writer = match Writer::open(&options.root, &out, &renderer, options.overwrite) {
        Ok(writer) if !report.has_errors() => writer,
        opened => {
            report.extend(moved);
            report.extend(opened.err().into_iter().flatten());
            return Err(report);
        }
    };
    progress.phase("writing", site.routes().routes.len());
    let written = writer.write(site.routes(), &renderer, &renderings, progress)?;
    // A note that cannot be written costs a warning of a later build, and this one is done.
    let _ = folders::note(&options.root);
    progress.finish();
    let (drafts, waiting) = site.snapshot.left_out();
    let offline = site.snapshot.config.access == Access::Offline;
    let outcome = Outcome {
        drafts,
        waiting,
        items: site
            .snapshot
            .entries
            .iter()
            .filter(|entry| entry.is_public() && !offline)
            .count(),
        pages: site
            .routes()
            .routes
            .iter()
            .filter(|route| matches!(route.document, Document::Page(_)))
            .count(),
        files: site.routes().routes.len(),
        written: written.written,
        removed: written.removed,
        out,
        warnings: report.sorted(),
        elapsed: start.elapsed(),
    };
    addresses.save(&options.root);
    if let Some(inputs) = inputs {
        inputs.keep(options, &site, &outcome);
    }
    // Said by the build that moves them: after it, readers have the new addresses.
    let mut report = Report::default();
    report.extend(outcome.warnings);
    report.extend(moved);
    Ok(Outcome {
        warnings: report.sorted(),
        ..outcome
    })
}

/// Finds everything that is wrong with a site, without writing.
pub fn check(options: &Options, progress: &dyn Progress) -> Report {
    let (site, mut report) = read(options, progress);
    report.extend(folders::missing(&options.root));
    if let Some(site) = site {
        let renderer = site.renderer();
        let renderings = Renderings::of(options, &site.snapshot);
        let fault = |document: &Document| renderings.fault(&renderer, document);
        report.extend(faults(options, &site, &report, &fault));
        let now = Addresses::of(&site.snapshot);
        report.extend(Addresses::load(&options.root).moved(&options.root, &site, &now));
    }
    progress.finish();
    report
}

/// Reads a site and gathers its parts. The site is there when its theme is, even when something
/// else is wrong, so that one run finds everything.
pub fn read(options: &Options, progress: &dyn Progress) -> (Option<Site>, Report) {
    let (config, mut report) = read_config(options);
    let theme = match read_theme(&options.root, &config) {
        Ok(theme) => {
            report.extend(theme.manifest.warnings.clone());
            Some(theme)
        }
        Err(found) => {
            // The rest of the site is checked with the theme that is always there.
            report.extend(found);
            Theme::built_in().ok()
        }
    };
    progress.phase("reading", 0);
    let library = Library::read(&options.root, config.clone(), &|| progress.tick());
    let (sources, found) = library.sources();
    report.extend(found);
    let elsewhere = library
        .asked()
        .filter(|path| !path.as_str().starts_with("content/"));
    let elsewhere = elsewhere.cloned().collect();
    // What it shares would have to be copied to be changed.
    drop(library);
    let (snapshot, found) = gather(&options.root, config, sources, options.visibility, None);
    report.extend(found);
    let Some(theme) = theme else {
        return (None, report);
    };
    let site = Site {
        elsewhere,
        ..Site::new(snapshot, Arc::new(theme))
    };
    report.extend(site.path_report().clone());
    (Some(site), report)
}

/// Reads `site.toml`, with the address that a run gives the site.
pub fn read_config(options: &Options) -> (Config, Report) {
    let (mut config, report) = load_config(&options.root);
    if let Some(base_url) = &options.base_url {
        config.base_url.clone_from(base_url);
    }
    (config, report)
}

/// What is to be done before a site that is right otherwise is published: its address is still that
/// of an example, and the run gives it no other.
pub fn before_publishing(options: &Options) -> Option<Diagnostic> {
    match options.base_url {
        Some(_) => None,
        None => address_of_an_example(&options.root),
    }
}

/// Reads a site's theme, whatever namespace the site's own templates are written in.
pub fn read_theme(root: &Path, config: &Config) -> Result<Theme, Vec<Diagnostic>> {
    let mut theme = Theme::load(root, &config.theme)?;
    theme.rename_namespace(&config.namespace, "service");
    Ok(theme)
}

/// What only a site as a whole shows: documents that cannot be rendered, for which `fault` says why,
/// and links that lead nowhere. `known` is what is wrong with its files: what follows from that is
/// not said as well.
pub fn faults(
    options: &Options,
    site: &Site,
    known: &Report,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let mut found = try_fallible(site, fault);
    found.extend(unknown_names(site));
    found.extend(links::broken(&options.root, site, &known.faulty_files()));
    found
}

/// Names in templates that no template can read.
fn unknown_names(site: &Site) -> Vec<Diagnostic> {
    let config = &site.snapshot.config;
    let folder = format!("themes/{}", config.theme);
    let mut found = names::unknown_in(&site.theme, &folder, &config.namespace);
    for file in &site.snapshot.site_files {
        // One that cannot be read is an error of its own.
        if let Ok(template) = site_file::parse(file) {
            let path = file.source.as_str();
            found.extend(names::unknown(&template, path, &config.namespace));
        }
    }
    found
}

/// Renders what may fail without writing it: the author's Site Files, and every document of a theme
/// whose partials may include one another without end.
fn try_fallible(
    site: &Site,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let recursive = site.theme.has_recursive_partials();
    let fallible = site.routes().routes.par_iter().filter(|route| {
        recursive
            || matches!(
                route.document,
                Document::SiteFile(_) | Document::RssStylesheet
            )
    });
    fallible
        .filter_map(|route| fault(&route.document))
        .collect()
}

fn out_dir(options: &Options, config: &Config) -> PathBuf {
    match &options.out {
        Some(out) => std::path::absolute(out).unwrap_or_else(|_| out.clone()),
        None => options.root.join(&config.output.dir),
    }
}

/// A path with the links on its way followed, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.ancestors()
        .find_map(|there| {
            let rest = path.strip_prefix(there).ok()?;
            Some(there.canonicalize().ok()?.join(rest))
        })
        .unwrap_or(path)
}

/// Whether a folder holds the site's own sources, or lies in them: nothing may be built there.
fn holds_sources(root: &Path, out: &Path) -> bool {
    let (root, out) = (real(root), real(out));
    root.starts_with(&out)
        || ["content", "site-files", "themes", ".feedwright", ".git"]
            .iter()
            .any(|folder| out.starts_with(root.join(folder)))
}
