//! Time of a preview's steps after a save: `cargo bench --bench serve [-- ITEMS]`.
//!
//! Generates a site with items of about 4 KB, keeps its library in memory, and prints the median
//! time of each step between a saved file and the page that shows the change.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use feedwright::model::{SitePath, Visibility};
use feedwright::project::Site;
use feedwright::render::PathAnswer;
use feedwright::site::{Previous, gather};
use feedwright::source::library::Library;
use feedwright::source::load::load_config;
use feedwright::source::sources::Sources;
use feedwright::theme::Theme;

const RUNS: usize = 21;

/// Wait after writing the site. Long enough for the modification time to distinguish an edited file
/// from the previous version.
const SETTLE: Duration = Duration::from_millis(150);

fn main() {
    let items =
        std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let root = place.join(format!("feedwright-bench-serve-{}", std::process::id()));
    corpus::make(&root, items);
    std::thread::sleep(SETTLE);
    println!("{items} items, median of {RUNS} runs");
    let mut preview = Preview::start(&root);
    print("start to the first page", &mut [preview.started]);
    preview.measure_edit("a body changed", |text, run| format!("{text}\nChange {run}.\n"));
    preview.measure_edit("a title changed", |text, run| {
        text.replace("title = \"", &format!("title = \"{run} "))
    });
    preview.measure_edit("a date and a tag changed", |text, run| {
        let century = format!("date_published = \"{}", 19 + run % 2);
        text.replace("tags = [", &format!("tags = [\"new {run}\", "))
            .replace("date_published = \"20", &century)
    });
    std::thread::sleep(SETTLE);
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            assert!(!preview.library.rescan());
            start.elapsed()
        })
        .collect();
    print("looking at every file, nothing changed", &mut times);
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let (site, _) = preview.gather(None);
            let start = Instant::now();
            let _ = site.routes();
            start.elapsed()
        })
        .collect();
    print("listing every path", &mut times);
    let _ = fs::remove_dir_all(&root);
}

/// A site whose library stays in memory, with its latest snapshot.
struct Preview {
    library: Library,
    theme: Arc<Theme>,
    shown: Site,
    /// Sources of the site in `shown`.
    sources: Sources,
    started: Duration,
}

impl Preview {
    fn start(root: &Path) -> Self {
        let start = Instant::now();
        let (config, _) = load_config(root);
        let theme = Arc::new(Theme::load(root, &config.theme).expect("the theme can be read"));
        let library = Library::read(root, config, &|| ());
        let (shown, sources) = snapshot(&library, &theme, root, None);
        let _ = shown.renderer().render(&document(&shown, "/"));
        Self { library, theme, shown, sources, started: start.elapsed() }
    }

    fn gather(&self, previous: Option<Previous<'_>>) -> (Site, Sources) {
        snapshot(&self.library, &self.theme, Path::new("."), previous)
    }

    /// Edits one item repeatedly and renders its page after each edit.
    fn measure_edit(&mut self, name: &str, change: impl Fn(&str, usize) -> String) {
        let path = SitePath::parse("content/items/0/item-5.md").expect("a path");
        let root = self.library.root().to_path_buf();
        let original = fs::read_to_string(path.on_disk(&root)).expect("the corpus was written");
        let (mut whole, mut refresh, mut gather, mut first, mut second) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for run in 1..=RUNS {
            fs::write(path.on_disk(&root), change(&original, run))
                .expect("the corpus can be changed");
            let start = Instant::now();
            assert!(self.library.refresh(std::slice::from_ref(&path)));
            refresh.push(start.elapsed());
            let (shown, sources) = self.gather(Some(Previous {
                snapshot: &self.shown.snapshot,
                sources: &self.sources,
                shows: None,
            }));
            gather.push(start.elapsed() - refresh[run - 1]);
            let page =
                format!("/i/{}/", shown.snapshot.find("b0000000005").expect("the item").segment);
            let before = Instant::now();
            shown.renderer().render(&document(&shown, &page)).expect("the page can be rendered");
            first.push(before.elapsed());
            whole.push(start.elapsed());
            let before = Instant::now();
            shown.renderer().render(&document(&shown, &page)).expect("the page can be rendered");
            second.push(before.elapsed());
            (self.shown, self.sources) = (shown, sources);
        }
        print(&format!("{name}: from the event to the page"), &mut whole);
        print("  read again", &mut refresh);
        print("  new snapshot", &mut gather);
        print("  first page", &mut first);
        print("  the same page again", &mut second);
    }
}

fn snapshot(
    library: &Library,
    theme: &Arc<Theme>,
    root: &Path,
    previous: Option<Previous<'_>>,
) -> (Site, Sources) {
    let (sources, _) = library.sources();
    let visibility = Visibility {
        now: "2030-01-01T00:00:00Z".parse().expect("a date"),
        drafts: false,
        future: false,
    };
    let (snapshot, report) =
        gather(root, library.config().clone(), sources.clone(), visibility, previous);
    assert!(!report.has_errors());
    (Site::new(snapshot, Arc::clone(theme)), sources)
}

fn document(site: &Site, path: &str) -> feedwright::render::Document {
    match site.find(path) {
        Some(PathAnswer::Document(document)) => document,
        found => panic!("{path}: {found:?}"),
    }
}

fn print(name: &str, times: &mut [Duration]) {
    times.sort();
    println!(
        "{name}: {:.2} ms ({:.2}–{:.2})",
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[0].as_secs_f64() * 1e3,
        times[times.len() - 1].as_secs_f64() * 1e3
    );
}
