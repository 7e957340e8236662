//! `build`: reads a site, renders its documents and writes the changed ones into the output folder.
//!
//! [`run`] checks whether anything changed since the last build (`last_build`), reads and validates
//! the site through [`project`], writes the changed files (`writer`) and records them in a manifest
//! (`manifest`). A missing output folder is built under a temporary name and renamed at the end
//! (`output_folder`).
//!
//! A build finds every error in a site before it writes the first byte, so a failed build leaves
//! the existing output unchanged.

mod known_output;
mod last_build;
mod manifest;
mod missing_folders;
mod out_dir;
mod output_folder;
mod progress;
mod search_files;
mod writer;

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use known_output::KnownOutput;
use last_build::Inputs;
use manifest::Manifest;
pub use out_dir::{holds_sources, out_dir, resolved};
pub use progress::{Progress, Silent};
use search_files::SearchFiles;
pub use writer::is_copy_of;
use writer::{OutputWriter, Publishing, Written};

#[cfg(feature = "network")]
use live::live_faults;
use local::restrict_to_owner;
use model::{Access, Diagnostic, Report, Rule, Severity};
use project::accessibility_faults;
#[cfg(feature = "network")]
use project::external_links;
use project::pictures::PictureFolder;
use project::{
    Addresses, Live, Options, Renderings, Site, add_publishing_faults, changes, faults,
    filter_silenced, published, read_config, read_surveyed, recording_faults, recover,
};
use render::Document;
use source::survey::Survey;

#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Number of items with a public HTML page.
    pub items: usize,
    pub pages: usize,
    /// Number of items and pages left out because they are unpublished.
    pub drafts: usize,
    /// Number of items and pages left out because their date is in the future.
    pub waiting: usize,
    /// Number of documents and media files in the output.
    pub files: usize,
    /// Number of documents rendered, for validation or for writing.
    pub rendered: usize,
    /// Number of files written.
    pub written: usize,
    /// Number of files of an earlier build that were removed.
    pub removed: usize,
    pub out: PathBuf,
    /// Warnings about the site.
    pub warnings: Vec<Diagnostic>,
    pub elapsed: Duration,
}

impl Outcome {
    fn of(site: &Site, out: PathBuf, written: &Written) -> Self {
        let (drafts, waiting) = site.snapshot.count_unpublished();
        let is_offline = site.snapshot.config.access == Access::Offline;
        let items = site.snapshot.entries.iter();
        let routes = &site.routes().routes;
        let pages = routes.iter();
        Self {
            drafts,
            waiting,
            items: items.filter(|entry| entry.is_public() && !is_offline).count(),
            pages: pages.filter(|route| matches!(route.document, Document::Page(_))).count(),
            files: routes.len() + written.shards,
            rendered: site.renderer().rendered(),
            written: written.written,
            removed: written.removed,
            out,
            ..Self::default()
        }
    }
}

/// Maximum number of attempts to build. A build starts again if a file changed while it ran.
const ATTEMPTS: usize = 3;

/// Builds a site. An `Err` contains every error. Nothing was written unless
/// [`Report::partly_written`] is set.
pub fn run(options: &Options, progress: &dyn Progress) -> Result<Outcome, Report> {
    let start = Instant::now();
    let _lock = lock(options);
    recover(&options.root)?;
    let mut attempt = 1;
    loop {
        let mut is_outdated = false;
        let built = run_once(options, progress, start, &mut is_outdated);
        if built.is_ok() || !is_outdated || attempt == ATTEMPTS {
            return built;
        }
        attempt += 1;
    }
}

/// Locks the output folder and waits while another build holds the lock. Without the lock, an older
/// state of the site could overwrite a newer one. Returns None if `site.toml` is missing, if the
/// output folder would contain the site's sources, or if the lock fails.
pub fn lock(options: &Options) -> Option<File> {
    let root = &options.root;
    if !root.join("site.toml").is_file() {
        return None;
    }
    restrict_to_owner(root);
    let out = out_dir(options, &read_config(options).0);
    (!holds_sources(root, &out)).then(|| Manifest::lock(root, &out))?
}

fn run_once(
    options: &Options,
    progress: &dyn Progress,
    start: Instant,
    is_outdated: &mut bool,
) -> Result<Outcome, Report> {
    let root = &options.root;
    let inputs = || {
        let survey = Survey::of(root);
        (Inputs::of(&survey, options), survey)
    };
    let known = || KnownOutput::of(root, out_dir(options, &read_config(options).0));
    let ((inputs, survey), mut known) = rayon::join(inputs, known);
    let inputs_before = inputs.as_ref();
    if let Some(outcome) =
        inputs_before.and_then(|inputs| inputs.unchanged_outcome(&survey, options, &mut known))
    {
        return Ok(Outcome { elapsed: start.elapsed(), ..outcome });
    }
    let (examined, ()) =
        rayon::join(|| examine(options, survey, progress, true), || known.verify());
    let Examined { mut site, report, addresses, moved, renderings } = examined?;
    let rules = &site.snapshot.config.check;
    let mut report = Report::from(filter_silenced(root, rules, report).0);
    let (moved, _) = filter_silenced(root, rules, moved);
    let out = out_dir(options, &site.snapshot.config);
    if out != known.out {
        // `site.toml` changed since the output folder was determined.
        known = KnownOutput::of(root, out.clone());
        known.verify();
    }
    let manifest = known.manifest;
    let opened = OutputWriter::open(options, &out, manifest, &site.renderer(), &renderings);
    let writer = match opened {
        Ok(writer) if !report.has_errors() => writer,
        opened => {
            report.extend(moved);
            report.extend(opened.err().into_iter().flatten());
            return Err(report);
        }
    };
    if let Some(unsaved) = site.unsaved.take() {
        // If saving fails, the next build reads more files.
        let _ = unsaved.save();
    }
    let renderer = site.renderer();
    progress.phase("writing", site.routes().routes.len());
    let outdated = || site.outdated();
    let search = SearchFiles::of(&options.root, &out, &site);
    let publishing = Publishing {
        routes: site.routes(),
        renderer: &renderer,
        renderings: &renderings,
        search: search.as_ref(),
        outdated: &outdated,
        progress,
    };
    let written = writer.write(&publishing).inspect_err(|_| *is_outdated = outdated().is_some())?;
    if let Some(bodies) = &site.bodies {
        // If saving fails, the next build highlights this code again.
        let _ = bodies.code().save();
    }
    renderings.cache_rendered();
    // A failure to write the note is ignored, because the build itself succeeded. Only the next
    // build's check for missing folders depends on the note.
    let _ = missing_folders::note(&options.root);
    progress.finish();
    let outcome = Outcome {
        warnings: report.sorted(),
        elapsed: start.elapsed(),
        ..Outcome::of(&site, out, &written)
    };
    let save_state = || {
        let inputs = inputs.as_ref();
        inputs.map(|inputs| inputs.save_state(options, &site, written.manifest, &outcome))
    };
    rayon::join(|| addresses.save(&options.root), save_state);
    drop(search);
    // Dropping a large site takes a while, so a background thread does it.
    rayon::spawn(move || drop(site));
    // Only this build reports moved addresses, because the next build compares with the addresses
    // saved now.
    let mut report = Report::default();
    report.extend(outcome.warnings);
    report.extend(moved);
    Ok(Outcome { warnings: report.sorted(), ..outcome })
}

/// The result of [`check`].
#[derive(Debug, Default)]
pub struct Checked {
    /// Errors and warnings, without the ones that the author silenced.
    pub report: Report,
    /// Number of silenced warnings.
    pub silenced: usize,
    /// Number of items and pages that are hidden because they are unpublished.
    pub drafts: usize,
    /// Number of items and pages that are hidden because their date is in the future.
    pub waiting: usize,
}

/// The checks of [`check_with`] that run only on request.
#[derive(Debug, Clone, Default)]
pub struct ExtraChecks {
    /// The published site to compare with: an address, a file, a folder or a git revision.
    pub against: Option<String>,
    /// Whether to request external links. Needs the feature `network`.
    pub links: bool,
    /// The check of the published site. Needs the feature `network`.
    pub live: Option<Live>,
    /// Whether to request external links to servers in the local network too.
    pub local: bool,
    /// Whether to report only what the standard EN 301 549 requires, and errors.
    pub accessibility: bool,
}

/// Finds all errors and warnings for a site. Changes no files, except to complete writes that a
/// crash interrupted.
pub fn check(options: &Options, progress: &dyn Progress) -> Checked {
    check_with(options, &ExtraChecks::default(), progress)
}

/// Runs [`check`]. Depending on `extra`, also compares the site with a published site, requests
/// external links, or checks accessibility.
pub fn check_with(options: &Options, extra: &ExtraChecks, progress: &dyn Progress) -> Checked {
    let root = &options.root;
    let examined = recover(root).map_err(Report::from);
    let checked = match examined.and_then(|()| examine(options, Survey::of(root), progress, false))
    {
        Ok(Examined { site, mut report, moved, addresses, .. }) => {
            progress.phase("checking", 0);
            // The published site can be the output of the last build. Both comparisons then find
            // the same changes, and each change is reported only once.
            let external_checks = check_external(options, &site, extra, progress);
            let changed = vec![external_checks, moved];
            add_publishing_faults(options, &site, &addresses, changed, &mut report);
            let (reported, silenced) = if extra.accessibility {
                report.extend(accessibility_faults(root, &site));
                report.retain(|one| {
                    one.severity == Severity::Error || one.rule.and_then(Rule::clause).is_some()
                });
                // A warning that the author silenced is a gap too.
                (report, 0)
            } else {
                let begin = |count| progress.phase("measuring recordings", count);
                report.extend(recording_faults(root, &site, begin, &|| progress.tick()));
                let rules = &site.snapshot.config.check;
                let (reported, silenced) = filter_silenced(root, rules, report);
                (reported.into(), silenced)
            };
            let (drafts, waiting) = site.snapshot.count_unpublished();
            Checked { report: reported, silenced, drafts, waiting }
        }
        Err(report) => Checked { report, ..Checked::default() },
    };
    progress.finish();
    checked
}

/// Reports changes since the published site, and broken external links.
fn check_external(
    options: &Options,
    site: &Site,
    external_checks: &ExtraChecks,
    progress: &dyn Progress,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(what) = &external_checks.against {
        progress.phase("comparing", 0);
        match published(options, what) {
            Ok(published) => found.extend(changes(&options.root, site, &published)),
            Err(why) => found.push(Diagnostic::error(why).help(
                "pass the address of a feed or sitemap, a file, the output folder of a build, or a git revision",
            )),
        }
    }
    #[cfg(not(feature = "network"))]
    if external_checks.links || external_checks.live.is_some() {
        let error = Diagnostic::error(
            "servers cannot be checked: this feedwright was built without network support",
        );
        let help = "remove --links and --live, or use a feedwright with network support";
        found.push(error.help(help));
    }
    #[cfg(feature = "network")]
    if external_checks.links {
        let begin = |count| progress.phase("checking external links", count);
        let tick = || progress.tick();
        let links = external_links(&options.root, site, external_checks.local, &begin, &tick);
        found.extend(links);
    }
    #[cfg(feature = "network")]
    if let Some(live) = &external_checks.live {
        found.extend(request_published(options, site, live, progress));
    }
    found
}

#[cfg(feature = "network")]
fn request_published(
    options: &Options,
    site: &Site,
    live: &Live,
    progress: &dyn Progress,
) -> Vec<Diagnostic> {
    progress.phase("checking the published site", 0);
    let begin = |count| progress.phase("checking the published site", count);
    live_faults(options, site, live, &begin, &|| progress.tick())
}

/// Checks the published site after a deploy. Finds no other problems of the site.
#[cfg(feature = "network")]
pub fn check_live(options: &Options, live: &Live, progress: &dyn Progress) -> Report {
    let (site, report) = project::read(options, &|| progress.tick());
    let Some(site) = site.filter(|_| !report.has_errors()) else {
        return report;
    };
    let found = request_published(options, &site, live, progress);
    progress.finish();
    filter_silenced(&options.root, &site.snapshot.config.check, found).0.into()
}

/// A site that was read, with its errors and warnings.
struct Examined {
    site: Site,
    report: Report,
    addresses: Addresses,
    /// Warnings about changed addresses and ids.
    moved: Vec<Diagnostic>,
    renderings: Renderings,
}

/// Reads a site and finds all its errors and warnings. If `is_built`, also resizes the site's
/// pictures. Returns an `Err` if not even the built-in theme can be read.
fn examine(
    options: &Options,
    survey: Survey,
    progress: &dyn Progress,
    is_built: bool,
) -> Result<Examined, Report> {
    progress.phase("reading", 0);
    let (site, mut report) = read_surveyed(options, survey, &|| progress.tick());
    report.extend(missing_folders::errors(&options.root));
    let Some(mut site) = site else {
        return Err(report);
    };
    if is_built && !report.has_errors() {
        let folder = PictureFolder::of(&options.root);
        let begin = |count| progress.phase("resizing pictures", count);
        report.extend(folder.make_all(&site.snapshot, begin, &|| progress.tick()));
        site.make_pictures();
        site.make_recordings();
        site.remove_old_cards();
    }
    let renderer = site.renderer();
    let renderings = Renderings::of(options, &site.snapshot);
    let renderings = match is_built {
        true => renderings,
        false => renderings.without_cache_writes(),
    };
    let fault = |document: &Document| renderings.fault(&renderer, document);
    report.extend(faults(options, &site, &report, &fault));
    if is_built {
        site.remove_old_recordings();
    }
    let addresses = Addresses::of(&site.snapshot);
    let moved = Addresses::load(&options.root).moved(&options.root, &site, &addresses);
    Ok(Examined { site, report, addresses, moved, renderings })
}
