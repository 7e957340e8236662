//! Finds the errors that only rendering shows. It runs after a moment is published, so that no page
//! waits for it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::live::Live;
use super::moment::Moment;
use super::serve_event::ServeEvent;
use model::{Diagnostic, Report, Severity};
use project::{self, Addresses};
use render::Document;

/// How long after a change the examination starts: a page that was waiting for the change is shown by then.
const PAUSE: Duration = Duration::from_millis(100);

/// Examines each new moment until the server ends.
pub async fn run(live: Arc<Live>) {
    let mut changes = live.changes();
    let mut known = Arc::new(HashSet::new());
    let threads = Arc::new(threads());
    // If there was no build, the addresses at the start count as known to readers.
    let first = Arc::new(Addresses::of(&live.now().site.snapshot));
    loop {
        changes.mark_unchanged();
        let start = Instant::now();
        let (own, first) = (Arc::clone(&live), Arc::clone(&first));
        let (threads, before) = (Arc::clone(&threads), Arc::clone(&known));
        let examined = tokio::task::spawn_blocking(move || {
            let examine = || tell_all(&own, &first, &before);
            match threads.as_ref() {
                Some(threads) => threads.install(examine),
                None => examine(),
            }
        });
        // The terminal shows a panic. The next moment may work.
        if let Ok(told) = examined.await {
            known = Arc::new(told);
        }
        // However fast changes come, half of the time is left for other work.
        tokio::time::sleep(start.elapsed()).await;
        if changes.changed().await.is_err() {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Half of the cores: the other half is for requests. None if there can be no more threads.
fn threads() -> Option<ThreadPool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = ThreadPoolBuilder::new().num_threads(cores.div_ceil(2));
    threads.build().ok()
}

/// Tells what is wrong with the newest moment: first what a build says, which the page that is looked at waits for, then
/// what `check` says. Returns what the terminal was told by now.
fn tell_all(live: &Live, first: &Addresses, known: &HashSet<String>) -> HashSet<String> {
    let moment = live.now();
    let found = Found::in_moment(live, &moment, first);
    let faults = found.by_a_build(live, &moment);
    let known = tell(live, &faults, known);
    live.found(faults);
    live.checked(found.by_check(live, &moment));
    known
}

/// All that `check` says of a moment, found now.
pub fn found(live: &Live, moment: &Moment) -> Vec<Diagnostic> {
    let first = Addresses::of(&moment.site.snapshot);
    Found::in_moment(live, moment, &first).by_check(live, moment)
}

/// What is wrong with a moment, before the author's rules say what of it is told.
struct Found {
    report: Report,
    addresses: Addresses,
    /// Addresses that are not what readers know.
    moved: Vec<Diagnostic>,
}

impl Found {
    fn in_moment(live: &Live, moment: &Moment, first: &Addresses) -> Self {
        let site = &moment.site;
        let renderer = site.renderer();
        let renderings = live.renderings(&site.snapshot);
        let mut report = Report::default();
        report.extend(moment.faults.iter().cloned());
        report.extend(site.path_report().clone());
        // The author is there to mend it, so a document that has a stand-in is an error too.
        let fault = |document: &Document| renderings.error(&renderer, document);
        report.extend(project::faults(live.options(), site, &report, &fault));
        // They stand in when their templates break.
        renderings.keep_rendered();
        let known = Addresses::load(live.root()).or(first);
        let addresses = Addresses::of(&site.snapshot);
        let moved = known.moved(live.root(), site, &addresses);
        Self { report, addresses, moved }
    }

    fn by_a_build(&self, live: &Live, moment: &Moment) -> Vec<Diagnostic> {
        let mut report = self.report.clone();
        report.extend(self.moved.iter().cloned());
        told(live, moment, report).sorted()
    }

    fn by_check(self, live: &Live, moment: &Moment) -> Vec<Diagnostic> {
        let Self { mut report, addresses, moved } = self;
        let site = &moment.site;
        let options = live.options();
        project::add_publishing_faults(options, site, &addresses, vec![moved], &mut report);
        let mut all = told(live, moment, report);
        // The server's own address is not where the site is published.
        if !all.has_errors() {
            let rules = || site.snapshot.config.check.clone();
            all.extend(project::example_address(live.root(), rules));
        }
        all.sorted()
    }
}

/// What the author's rules say is told.
fn told(live: &Live, moment: &Moment, report: Report) -> Report {
    let rules = &moment.site.snapshot.config.check;
    let (told, _) = project::without_silenced(live.root(), rules, report);
    told.into()
}

/// Reports the errors and warnings that are not in `known`. Returns all of the present ones.
fn tell(live: &Live, faults: &[Diagnostic], known: &HashSet<String>) -> HashSet<String> {
    let is_error = |fault: &&Diagnostic| fault.severity == Severity::Error;
    let had_errors = live.faults().borrow().iter().any(|fault| is_error(&fault));
    let texts: HashSet<String> = faults.iter().map(ToString::to_string).collect();
    let new: Vec<Diagnostic> =
        faults.iter().filter(|fault| !known.contains(&fault.to_string())).cloned().collect();
    if !new.is_empty() {
        live.tell(ServeEvent::Faults(new));
    }
    if had_errors && !faults.iter().any(|fault| is_error(&fault)) {
        live.tell(ServeEvent::Mended);
    }
    texts
}
