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
mod scope;
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
use scope::Scope;
use search_files::SearchFiles;
pub use writer::{Changed, is_copy_of};
use writer::{OutputWriter, Publishing, Written};

#[cfg(feature = "network")]
use live::live_faults;
use local::restrict_to_owner;
use model::{Access, ContentFolder, Diagnostic, Report, Rule, Severity};
use project::accessibility_faults;
#[cfg(feature = "network")]
use project::external_links;
use project::pictures::PictureFolder;
use project::{
    Addresses, Live, Options, Renderings, Site, add_publishing_faults, changes, faults,
    filter_silenced, published, read_config, read_surveyed, recording_faults, recover,
    shows_with_own_address,
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
    /// Recordings that replaced published recordings, because their tags or their audio changed.
    pub recordings: Changed,
    /// Number of files of an earlier build that were removed.
    pub removed: usize,
    pub out: PathBuf,
    /// Warnings about the site.
    pub warnings: Vec<Diagnostic>,
    pub elapsed: Duration,
}

impl Outcome {
    fn of(site: &Site, scope: &Scope<'_>, out: PathBuf, written: &Written) -> Self {
        let (drafts, waiting) = scope.snapshot.count_unpublished();
        let is_offline = site.snapshot.config.access == Access::Offline;
        let items = scope.snapshot.entries.iter();
        let routes = &scope.routes.routes;
        let pages = routes.iter();
        Self {
            drafts,
            waiting,
            items: items.filter(|entry| entry.is_public() && !is_offline).count(),
            pages: pages
                .filter(|route| matches!(route.document.inner(), Document::Page(_)))
                .count(),
            files: routes.len() + written.shards,
            rendered: site.renderer().rendered(),
            written: written.written,
            recordings: written.recordings,
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
    let is_whole = options.show.is_none();
    let inputs = || {
        let survey = match &options.show {
            Some(show) => Survey::of_show(root, show),
            None => Survey::of(root),
        };
        (is_whole.then(|| Inputs::of(&survey, options)).flatten(), survey)
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
    let Examined { mut site, mut report, published, moved, renderings, .. } = examined?;
    report.extend(moved);
    report.retain(|one| options.reports(one));
    let mut report = Report::from(filter_silenced(root, &site.snapshot.config.check, report).0);
    let out = out_dir(options, &site.snapshot.config);
    if out != known.out {
        // `site.toml` changed since the output folder was determined.
        known = KnownOutput::of(root, out.clone());
        known.verify();
    }
    let manifest = known.manifest;
    let unsaved = std::mem::take(&mut site.content.unsaved);
    let scope = Scope::of(options, &site);
    if !scope.is_whole() && manifest.is_damaged() {
        let error = Diagnostic::error("the record of the files in the output folder is damaged");
        report.push(error.help("build the whole site once, without --show"));
    }
    let opened = OutputWriter::open(options, &out, manifest, &scope, &site.renderer(), &renderings);
    let writer = match opened {
        Ok(writer) if !report.has_errors() => writer,
        opened => {
            report.extend(opened.err().into_iter().flatten());
            return Err(report);
        }
    };
    let renderer = site.renderer();
    progress.phase("writing", scope.routes.routes.len());
    let outdated = || site.outdated();
    let search = SearchFiles::all(&options.root, &out, &site, &scope);
    let publishing = Publishing {
        routes: &scope.routes,
        renderer: &renderer,
        renderings: &renderings,
        search: &search,
        outdated: &outdated,
        progress,
    };
    let save_readings = || {
        for unsaved in unsaved {
            // If saving fails, the next build reads more files.
            let _ = unsaved.save();
        }
    };
    // Saving starts first, so that the next build has the readings even if this one is killed.
    let ((), written) = rayon::join(save_readings, || writer.write(&publishing));
    let written = written.inspect_err(|_| *is_outdated = outdated().is_some())?;
    for bodies in &site.content.bodies {
        // If saving fails, the next build highlights this code again.
        let _ = bodies.code().save();
    }
    renderings.cache_rendered();
    if is_whole {
        // A failure to write the note is ignored, because the build itself succeeded. Only the next
        // build's check for missing folders depends on the note.
        let _ = missing_folders::note(root);
    }
    progress.finish();
    let outcome = Outcome {
        warnings: report.sorted(),
        elapsed: start.elapsed(),
        ..Outcome::of(&site, &scope, out, &written)
    };
    let save_state = || {
        let inputs = inputs.as_ref();
        inputs.map(|inputs| inputs.save_state(options, &site, written.manifest, &outcome))
    };
    // The note about one show would not have the addresses of the rest of the site.
    let save_addresses = || published.save(root, &site.snapshot.config.content);
    rayon::join(|| scope.is_whole().then(save_addresses), save_state);
    drop((search, scope));
    // Dropping a large site takes a while, so a background thread does it.
    rayon::spawn(move || drop(site));
    Ok(outcome)
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
/// external links, or checks accessibility. Shows that are published as separate sites are checked
/// too, without comparisons and requests.
pub fn check_with(options: &Options, extra: &ExtraChecks, progress: &dyn Progress) -> Checked {
    let mut checked = check_site(options, extra, progress);
    if options.show.is_some() {
        return checked;
    }
    let extra = ExtraChecks { accessibility: extra.accessibility, ..ExtraChecks::default() };
    for show in shows_with_own_address(options) {
        let options = Options { show: Some(show), ..options.clone() };
        let own = check_site(&options, &extra, progress).report;
        let is_new = |one: &Diagnostic| checked.report.iter().all(|known| known != one);
        let new: Vec<Diagnostic> = own.into_iter().filter(is_new).collect();
        checked.report.extend(new);
    }
    checked
}

fn check_site(options: &Options, extra: &ExtraChecks, progress: &dyn Progress) -> Checked {
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
            report.retain(|one| options.reports(one));
            // A problem of the server usually belongs to no file.
            #[cfg(feature = "network")]
            if let Some(live) = &extra.live {
                report.extend(request_published(options, &site, live, progress));
            }
            let (reported, silenced) = if extra.accessibility {
                let found = accessibility_faults(root, &site);
                report.extend(found.into_iter().filter(|one| options.reports(one)));
                report.retain(|one| {
                    one.severity == Severity::Error || one.rule.and_then(Rule::clause).is_some()
                });
                // A warning that the author silenced is a gap too.
                (report, 0)
            } else {
                let begin = |count| progress.phase("measuring recordings", count);
                let found = recording_faults(root, &site, begin, &|| progress.tick());
                report.extend(found.into_iter().filter(|one| options.reports(one)));
                let rules = &site.snapshot.config.check;
                let (reported, silenced) = filter_silenced(root, rules, report);
                (reported.into(), silenced)
            };
            let show = site.show(options).map(|at| &site.snapshot.editions[at].snapshot);
            let (drafts, waiting) = show.unwrap_or(&site.snapshot).count_unpublished();
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
    /// The addresses to compare with in the next build.
    published: Addresses,
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
    let is_there = |show: &ContentFolder| {
        site.snapshot.config.content == *show || site.show(options).is_some()
    };
    if let Some(show) = options.show.as_ref().filter(|show| !is_there(show)) {
        let error = Diagnostic::error("this folder is not a show").file(show.as_str());
        report.push(error.help("create a channel.md in this folder"));
    }
    if is_built && !options.stops(&report) {
        let folder = PictureFolder::of(&options.root);
        let begin = |count| progress.phase("resizing pictures", count);
        report.extend(folder.make_all(&site.snapshot, begin, &|| progress.tick()));
        site.make_pictures();
        site.remove_old_cards();
    }
    site.make_recordings();
    let renderer = site.renderer();
    let renderings = Renderings::of(options, &site.snapshot);
    let renderings = match is_built {
        true => renderings,
        false => renderings.without_cache_writes(),
    };
    let fault = |document: &Document| renderings.fault(&renderer, document);
    let compare_addresses = || {
        let addresses = Addresses::of(&site.snapshot).of_show(options);
        let known = Addresses::load(&options.root, &site.snapshot.config.content);
        let (moved, published) = known.of_show(options).moved(&options.root, &site, &addresses);
        (addresses, moved, published)
    };
    let faults = || faults(options, &site, &report, &fault);
    let (found, (addresses, moved, published)) = rayon::join(faults, compare_addresses);
    report.extend(found);
    if is_built {
        site.remove_old_recordings();
    }
    Ok(Examined { site, report, addresses, moved, published, renderings })
}
