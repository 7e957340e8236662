//! `build`: reads a site, renders its documents and writes those that changed into the output folder.
//!
//! [`run`] looks whether anything changed (`last_build`), reads and examines the site through
//! [`project`], and writes what changed (`writer`) with a note of what it wrote
//! (`manifest`). An output folder that does not exist yet is built under another name and renamed at the end
//! (`output_folder`).
//!
//! Everything that can be wrong with a site is found before the first byte is written, so that a
//! build that fails leaves the output of an earlier one as it was.

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
pub use out_dir::{holds_sources, out_dir, real};
pub use progress::{Progress, Silent};
use search_files::SearchFiles;
pub use writer::is_copy_of;
use writer::{OutputWriter, Publishing, Written};

use local::close_to_others;
use model::{Access, Diagnostic, Report};
#[cfg(feature = "network")]
use project::external_links;
use project::pictures::PictureFolder;
use project::{
    Addresses, Options, Renderings, Site, add_publishing_faults, changes, faults, published,
    read_config, read_surveyed, recover, without_silenced,
};
use render::Document;
use source::survey::Survey;

#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Items with a page.
    pub items: usize,
    pub pages: usize,
    /// Items and Pages left out because they are unpublished.
    pub drafts: usize,
    /// Items and Pages left out because their date has not come.
    pub waiting: usize,
    /// Documents and media of the output.
    pub files: usize,
    /// Documents that were rendered, to look for faults or to be written.
    pub rendered: usize,
    /// Files that were written.
    pub written: usize,
    /// Files of an earlier build that were removed.
    pub removed: usize,
    pub out: PathBuf,
    /// What may be wrong with the site.
    pub warnings: Vec<Diagnostic>,
    pub elapsed: Duration,
}

impl Outcome {
    fn of(site: &Site, out: PathBuf, written: &Written) -> Self {
        let (drafts, waiting) = site.snapshot.left_out();
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

/// How often a build starts again because a file changed while it ran.
const ATTEMPTS: usize = 3;

/// Builds a site. Err holds everything that is wrong; unless the report says `partly_written`, nothing was written.
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

/// Waits until no other build writes into the output folder: of two builds the one that reads last writes last.
/// None where there is no site.
pub fn lock(options: &Options) -> Option<File> {
    let root = &options.root;
    if !root.join("site.toml").is_file() {
        return None;
    }
    close_to_others(root);
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
        inputs_before.and_then(|inputs| inputs.recall(&survey, options, &mut known))
    {
        return Ok(Outcome { elapsed: start.elapsed(), ..outcome });
    }
    let (examined, ()) = rayon::join(|| examine(options, survey, progress, true), || known.look());
    let Examined { mut site, report, addresses, moved, renderings } = examined?;
    let rules = &site.snapshot.config.check;
    let mut report = Report::from(without_silenced(root, rules, report).0);
    let (moved, _) = without_silenced(root, rules, moved);
    let out = out_dir(options, &site.snapshot.config);
    if out != known.out {
        // `site.toml` was changed in between.
        known = KnownOutput::of(root, out.clone());
        known.look();
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
        // Where it cannot be saved, the next build reads more.
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
        // Where it cannot be saved, the next build finds it again.
        let _ = bodies.code().save();
    }
    renderings.keep_rendered();
    // If the note cannot be written, only a later build's check is lost; this build is done.
    let _ = missing_folders::note(&options.root);
    progress.finish();
    let outcome = Outcome {
        warnings: report.sorted(),
        elapsed: start.elapsed(),
        ..Outcome::of(&site, out, &written)
    };
    let keep = || {
        let inputs = inputs.as_ref();
        inputs.map(|inputs| inputs.keep(options, &site, written.manifest, &outcome))
    };
    rayon::join(|| addresses.save(&options.root), keep);
    drop(search);
    // A large site takes a while to be dropped: nobody need wait for that.
    rayon::spawn(move || drop(site));
    // Only this build reports moved addresses: after it the new ones are the published ones.
    let mut report = Report::default();
    report.extend(outcome.warnings);
    report.extend(moved);
    Ok(Outcome { warnings: report.sorted(), ..outcome })
}

/// What [`check`] found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong, but for what the author silenced.
    pub report: Report,
    /// How many warnings were silenced.
    pub silenced: usize,
    /// Items and Pages that nobody sees because they are unpublished.
    pub drafts: usize,
    /// Items and Pages that nobody sees because their date has not come.
    pub waiting: usize,
}

/// What [`check_with`] looks at beside the site's own files.
#[derive(Debug, Clone, Default)]
pub struct Elsewhere {
    /// What is published: an address, a file or folder, or a revision.
    pub against: Option<String>,
    /// Whether servers that texts link to are asked. It needs the feature `network`.
    pub links: bool,
    /// Whether those of the local network are asked too.
    pub local: bool,
}

/// Finds all errors and warnings of a site. The only files it changes belong to writes that a crash interrupted.
pub fn check(options: &Options, progress: &dyn Progress) -> Checked {
    check_with(options, &Elsewhere::default(), progress)
}

/// [`check`], with what is elsewhere.
pub fn check_with(options: &Options, elsewhere: &Elsewhere, progress: &dyn Progress) -> Checked {
    let root = &options.root;
    let examined = recover(root).map_err(Report::from);
    let checked = match examined.and_then(|()| examine(options, Survey::of(root), progress, false))
    {
        Ok(Examined { site, mut report, moved, addresses, .. }) => {
            progress.phase("checking", 0);
            // What is published may be what was built last: each change is told once.
            let elsewhere = look_elsewhere(options, &site, elsewhere, progress);
            let changed = vec![elsewhere, moved];
            add_publishing_faults(options, &site, &addresses, changed, &mut report);
            let (told, silenced) = without_silenced(root, &site.snapshot.config.check, report);
            let (drafts, waiting) = site.snapshot.left_out();
            Checked { report: told.into(), silenced, drafts, waiting }
        }
        Err(report) => Checked { report, ..Checked::default() },
    };
    progress.finish();
    checked
}

/// What is wrong with a site in comparison with what is elsewhere.
fn look_elsewhere(
    options: &Options,
    site: &Site,
    elsewhere: &Elsewhere,
    progress: &dyn Progress,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(what) = &elsewhere.against {
        progress.phase("comparing", 0);
        match published(options, what) {
            Ok(published) => found.extend(changes(&options.root, site, &published)),
            Err(why) => found.push(Diagnostic::error(why).help(
                "name the address of a feed or sitemap, a file or a folder that was built, or a revision of git",
            )),
        }
    }
    #[cfg(not(feature = "network"))]
    if elsewhere.links {
        let error =
            Diagnostic::error("this program was built without the network, and asks nobody");
        found.push(error.help("leave out --links, or take another program"));
    }
    #[cfg(feature = "network")]
    if elsewhere.links {
        let begin = |count| progress.phase("asking other sites", count);
        let tick = || progress.tick();
        let links = external_links(&options.root, site, elsewhere.local, &begin, &tick);
        found.extend(links);
    }
    found
}

/// A site that was read, and what is wrong with it.
struct Examined {
    site: Site,
    report: Report,
    addresses: Addresses,
    /// Warnings of changed addresses and ids.
    moved: Vec<Diagnostic>,
    renderings: Renderings,
}

/// Reads a site, and finds everything that is wrong with it. Where it `is_built`, the sizes of its pictures are made.
/// Err if its theme cannot be read.
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
        let begin = |count| progress.phase("making pictures smaller", count);
        report.extend(folder.make_all(&site.snapshot, begin, &|| progress.tick()));
        site.make_pictures();
    }
    let renderer = site.renderer();
    let renderings = Renderings::of(options, &site.snapshot);
    let renderings = match is_built {
        true => renderings,
        false => renderings.unchanged(),
    };
    let fault = |document: &Document| renderings.fault(&renderer, document);
    report.extend(faults(options, &site, &report, &fault));
    let addresses = Addresses::of(&site.snapshot);
    let moved = Addresses::load(&options.root).moved(&options.root, &site, &addresses);
    Ok(Examined { site, report, addresses, moved, renderings })
}
