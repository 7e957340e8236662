//! Finds faults that only rendering reveals. The examination runs after a new state of the site (a
//! [`Moment`]) is published, so that no page waits for it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::live::Live;
use super::moment::Moment;
use super::serve_event::ServeEvent;
use model::{ContentFolder, Diagnostic, Report, Severity};
use project::{self, Addresses};
use render::Document;

/// The delay between a change and its examination, so that the preview shows the changed page
/// first.
const EXAMINATION_DELAY: Duration = Duration::from_millis(100);

/// Examines the site after each change, until the server stops.
pub async fn run(live: Arc<Live>) {
    let mut changes = live.changes();
    let mut known = Arc::new(HashSet::new());
    let threads = Arc::new(threads());
    // If there was no earlier build, the addresses at startup count as known to readers.
    let first = Arc::new(Addresses::of(&live.now().site.snapshot));
    loop {
        changes.mark_unchanged();
        let start = Instant::now();
        let (own, first) = (Arc::clone(&live), Arc::clone(&first));
        let (threads, before) = (Arc::clone(&threads), Arc::clone(&known));
        let examined = tokio::task::spawn_blocking(move || {
            let examine = || report_faults(&own, &first, &before);
            match threads.as_ref() {
                Some(threads) => threads.install(examine),
                None => examine(),
            }
        });
        // A panic is already printed to the terminal. The next examination may succeed.
        if let Ok(reported) = examined.await {
            known = Arc::new(reported);
        }
        // Pause for as long as the examination took. Even if changes are frequent, half of the time
        // is left for other work.
        tokio::time::sleep(start.elapsed()).await;
        if changes.changed().await.is_err() {
            return;
        }
        tokio::time::sleep(EXAMINATION_DELAY).await;
    }
}

/// Creates a thread pool for half of the cores, and leaves the other half for requests. Returns
/// `None` if no threads can be created.
fn threads() -> Option<ThreadPool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = ThreadPoolBuilder::new().num_threads(cores.div_ceil(2));
    threads.build().ok()
}

/// Finds and reports the faults of the newest [`Moment`]. First reports the faults that a build
/// would report, because the open page shows them, and then the results of `check`. Returns the
/// messages of the build faults.
fn report_faults(live: &Live, first: &Addresses, known: &HashSet<String>) -> HashSet<String> {
    let moment = live.now();
    let found = MomentFaults::of_moment(live, &moment, first);
    let faults = found.build_faults(live, &moment);
    let known = announce(live, &faults, known);
    live.found(faults);
    live.checked(found.check_faults(live, &moment));
    known
}

/// Returns the results of `check` for a moment.
pub fn found(live: &Live, moment: &Moment) -> Vec<Diagnostic> {
    let first = Addresses::of(&moment.site.snapshot);
    MomentFaults::of_moment(live, moment, &first).check_faults(live, moment)
}

/// The faults of a moment, including faults that the author's rules silence.
struct MomentFaults {
    report: Report,
    addresses: Addresses,
    /// Warnings about published addresses that have changed.
    moved: Vec<Diagnostic>,
}

impl MomentFaults {
    fn of_moment(live: &Live, moment: &Moment, first: &Addresses) -> Self {
        let site = &moment.site;
        let renderer = site.renderer();
        let renderings = live.renderings(&site.snapshot);
        let mut report = Report::default();
        report.extend(moment.faults.iter().cloned());
        report.extend(site.path_report().clone());
        // A document counts as faulty even if its last good rendering replaces it, because the
        // author can fix the fault.
        let fault = |document: &Document| renderings.error(&renderer, document);
        report.extend(project::faults(live.options(), site, &report, &fault));
        // Cache these renderings. They replace the documents if the templates break later.
        renderings.cache_rendered();
        let known = Addresses::load(live.root(), &ContentFolder::default()).merged_with(first);
        let addresses = Addresses::of(&site.snapshot);
        let (moved, _) = known.moved(live.root(), site, &addresses);
        Self { report, addresses, moved }
    }

    fn build_faults(&self, live: &Live, moment: &Moment) -> Vec<Diagnostic> {
        let mut report = self.report.clone();
        report.extend(self.moved.iter().cloned());
        remove_silenced(live, moment, report).sorted()
    }

    fn check_faults(self, live: &Live, moment: &Moment) -> Vec<Diagnostic> {
        let Self { mut report, addresses, moved } = self;
        let site = &moment.site;
        let options = live.options();
        project::add_publishing_faults(options, site, &addresses, vec![moved], &mut report);
        let mut all = remove_silenced(live, moment, report);
        // The preview's base URL is the server's own address, so the published address in
        // `site.toml` is checked separately.
        if !all.has_errors() {
            let rules = || site.snapshot.config.check.clone();
            all.extend(project::warn_example_address(live.root(), rules));
        }
        all.sorted()
    }
}

/// Removes the faults that the author's rules silence.
fn remove_silenced(live: &Live, moment: &Moment, report: Report) -> Report {
    let rules = &moment.site.snapshot.config.check;
    let (remove_silenced, _) = project::filter_silenced(live.root(), rules, report);
    remove_silenced.into()
}

/// Reports the errors and warnings that are not in `known`. Returns the messages of all current
/// errors and warnings.
fn announce(live: &Live, faults: &[Diagnostic], known: &HashSet<String>) -> HashSet<String> {
    let is_error = |fault: &&Diagnostic| fault.severity == Severity::Error;
    let had_errors = live.faults().borrow().iter().any(|fault| is_error(&fault));
    let texts: HashSet<String> = faults.iter().map(ToString::to_string).collect();
    let new: Vec<Diagnostic> =
        faults.iter().filter(|fault| !known.contains(&fault.to_string())).cloned().collect();
    if !new.is_empty() {
        live.announce(ServeEvent::Faults(new));
    }
    if had_errors && !faults.iter().any(|fault| is_error(&fault)) {
        live.announce(ServeEvent::ErrorsFixed);
    }
    texts
}
