//! What others do while a build runs: sources that change, go or cannot be read, another build, a kill. A build
//! ends with a clear error or a right output, and the next one is right whatever the last one saw.

mod programs;

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use feedwright::builder::{self, Outcome, Progress, Silent};
use feedwright::model::Report;
use feedwright::project::Options;

use crate::builds::incremental_builds::site::{assert_same, copy_sources, folder};
use crate::builds::output::full_site;
use crate::support::small_site::{SmallSite, tree};
use crate::support::wait;

/// How often what happens by chance is tried: more often where `FEEDWRIGHT_CASES` says so.
fn round_count(usual: usize) -> usize {
    let chosen = std::env::var("FEEDWRIGHT_CASES").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What a first build of a copy gives; None where it cannot be built.
fn first_build(options: &Options) -> Option<BTreeMap<String, Vec<u8>>> {
    let copy = folder();
    copy_sources(&options.root, copy.path());
    let out = copy.path().join("public");
    let options =
        Options { root: copy.path().to_path_buf(), out: Some(out.clone()), ..options.clone() };
    builder::run(&options, &Silent).ok().map(|_| tree(&out))
}

/// Builds, and asserts that the output is what a first build gives, or that neither is built.
#[track_caller]
fn assert_correct_build(site: &SmallSite, why: &str) {
    let built = site.build();
    match (built, first_build(&site.options())) {
        (Ok(_), Some(right)) => {
            println!("{why}");
            assert_same(&site.output(), &right);
        }
        (Err(_), None) => {}
        (built, right) => panic!("{why}: {built:?}, {}", right.is_some()),
    }
}

/// Something that happens to a site's files, and what it takes to undo it.
type Event = (&'static str, fn(&SmallSite), fn(&SmallSite));

const ITEM: &str = "content/items/a.md";
const FIRST: &str = "+++\nid = \"a\"\ntitle = \"One\"\ntags = [\"x\"]\n+++\nFirst words.\n";

fn save(site: &SmallSite, path: &str, text: &str) {
    site.write(path, text);
}

fn replace(site: &SmallSite, path: &str, text: &str) {
    site.write(".beside", text);
    fs::create_dir_all(site.path(path).parent().unwrap()).unwrap();
    fs::rename(site.path(".beside"), site.path(path)).unwrap();
}

fn remove(site: &SmallSite, path: &str) {
    let _ = fs::remove_file(site.path(path));
}

const EVENTS: [Event; 12] = [
    (
        "an item of the same length",
        |site| save(site, ITEM, &FIRST.replace("First", "Other")),
        |site| save(site, ITEM, FIRST),
    ),
    (
        "an item that grows",
        |site| save(site, ITEM, &FIRST.replace("First", &"Many ".repeat(5000))),
        |site| save(site, ITEM, FIRST),
    ),
    (
        "an item that is replaced",
        |site| replace(site, ITEM, &FIRST.replace("One", "Two")),
        |site| replace(site, ITEM, FIRST),
    ),
    ("an item that goes", |site| remove(site, ITEM), |site| save(site, ITEM, FIRST)),
    (
        "an item that cannot be read",
        |site| {
            remove(site, ITEM);
            fs::create_dir(site.path(ITEM)).unwrap();
        },
        |site| {
            site.remove(ITEM);
            save(site, ITEM, FIRST);
        },
    ),
    (
        "an item that comes",
        |site| save(site, "content/items/z.md", "+++\nid = \"z\"\ntags = [\"x\"]\n+++\n"),
        |site| remove(site, "content/items/z.md"),
    ),
    (
        "an attachment",
        |site| save(site, "content/items/b/b.bin", "9876543210"),
        |site| save(site, "content/items/b/b.bin", "0123456789"),
    ),
    (
        "a medium that goes",
        |site| remove(site, "content/media/cover.bin"),
        |site| save(site, "content/media/cover.bin", "cover"),
    ),
    (
        "a medium that grows",
        |site| save(site, "content/media/cover.bin", &"cover".repeat(50_000)),
        |site| save(site, "content/media/cover.bin", "cover"),
    ),
    (
        "a Page in the navigation",
        |site| {
            save(
                site,
                "content/pages/about.md",
                "+++\ntitle = \"We\"\nshow_in_navigation = true\n+++\n",
            )
        },
        |site| {
            save(
                site,
                "content/pages/about.md",
                "+++\ntitle = \"Us\"\nshow_in_navigation = true\n+++\n",
            )
        },
    ),
    (
        "the channel",
        |site| save(site, "content/channel.md", "+++\ntitle = \"B small site\"\n+++\n"),
        |site| save(site, "content/channel.md", "+++\ntitle = \"A small site\"\n+++\n"),
    ),
    (
        "a Site File",
        |site| save(site, "site-files/humans.txt", "{{#items}}{{id}}\n{{/items}}"),
        |site| save(site, "site-files/humans.txt", "{{#items}}{{url}}\n{{/items}}"),
    ),
];

/// A site to which these events can happen, built.
fn site_with_events() -> SmallSite {
    let site = full_site();
    EVENTS.iter().for_each(|(_, _, undo)| undo(&site));
    wait::settled(site.root());
    site.built();
    site
}

/// Lets things happen at moments of a build.
struct ProgressEvents<'a> {
    events: &'a [(usize, &'a (dyn Fn() + Sync))],
    now: AtomicUsize,
}

impl<'a> ProgressEvents<'a> {
    fn new(events: &'a [(usize, &'a (dyn Fn() + Sync))]) -> Self {
        let now = AtomicUsize::new(0);
        Self { events, now }
    }

    /// Builds: what came of it, and how many moments there were.
    fn run(self, options: &Options) -> (Result<Outcome, Report>, usize) {
        let built = builder::run(options, &self);
        (built, self.now.into_inner())
    }
}

impl Progress for ProgressEvents<'_> {
    fn phase(&self, _: &'static str, _: usize) {
        self.tick();
    }

    fn tick(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst);
        for (_, happen) in self.events.iter().filter(|(moment, _)| *moment == now) {
            happen();
        }
    }

    fn finish(&self) {
        self.tick();
    }
}

/// How many moments a build of this site has.
fn moments() -> usize {
    let site = site_with_events();
    site.remove(".feedwright");
    site.remove("public");
    let (built, moments) = ProgressEvents::new(&[]).run(&site.options());
    built.unwrap();
    moments
}

/// Builds while something happens at a moment, then once more, and a third time after it is undone. Where files
/// `settle`, their times tell that they changed.
fn apply_event_at(site: &SmallSite, (name, happen, undo): Event, moment: usize, settle: bool) {
    let why = format!("{name} at moment {moment}");
    // Something else is new, so that there is a build at all.
    let round = format!("+++\nid = \"round\"\n+++\n{moment} {name}\n");
    site.write("content/items/round.md", round);
    let (built, _) = ProgressEvents::new(&[(moment, &|| happen(site))]).run(&site.options());
    if let Err(report) = built {
        assert!(report.sorted().iter().all(|found| !found.message.is_empty()), "{why}");
    }
    ensure_applied(site, happen);
    for (what, step) in [("", None), (", undone", Some(undo))] {
        if let Some(step) = step {
            step(site);
        }
        if settle {
            wait::settled(site.root());
        }
        assert_correct_build(site, &format!("{why}{what}"));
    }
}

/// Lets it happen where the build was over before.
fn ensure_applied(site: &SmallSite, happen: fn(&SmallSite)) {
    if !site.path(ITEM).is_dir() {
        happen(site);
    }
}

#[test]
fn changes_during_a_build_are_in_the_next_build() {
    let moments = moments();
    let site = site_with_events();
    let every = (moments * EVENTS.len() / round_count(40)).max(1);
    for at in (0..moments * EVENTS.len()).step_by(every) {
        apply_event_at(&site, EVENTS[at % EVENTS.len()], at / EVENTS.len(), false);
    }
}

/// A build that read the old text and looked at the new file may not take the one for the other later.
#[test]
fn changes_during_a_build_are_found_in_settled_files() {
    let moments = moments();
    thread::scope(|scope| {
        for (number, event) in EVENTS.into_iter().enumerate() {
            scope.spawn(move || {
                let site = site_with_events();
                let every = (moments / round_count(3)).max(1);
                for moment in (number % every..moments).step_by(every) {
                    apply_event_at(&site, event, moment, true);
                }
            });
        }
    });
}

/// A file that was another one only while the build ran, and then is as it was read first.
#[test]
fn temporary_changes_during_a_build_do_not_persist() {
    let moments = moments();
    thread::scope(|scope| {
        for (name, happen, undo) in EVENTS {
            scope.spawn(move || {
                let site = site_with_events();
                let every = (moments / round_count(3)).max(1);
                for (round, moment) in (0..moments).step_by(every).enumerate() {
                    // All documents are made again.
                    let title =
                        format!("+++\nid = \"c\"\ntitle = \"{round}\"\ntags = [\"x\"]\n+++\n");
                    site.write("content/items/c.md", title);
                    if round % 2 == 0 {
                        site.remove("public");
                        site.remove(".feedwright");
                    }
                    let until = [moment + 1, moment + every, moments - 1][round % 3];
                    let _ = ProgressEvents::new(&[
                        (moment, &|| happen(&site)),
                        (until.max(moment + 1), &|| undo(&site)),
                    ])
                    .run(&site.options());
                    if site.path(ITEM).is_dir() {
                        undo(&site);
                    }
                    let why = format!("{name} from moment {moment} to {until}");
                    assert_correct_build(&site, &why);
                    undo(&site);
                    assert_correct_build(&site, &why);
                }
            });
        }
    });
}

/// Tells when all items are read and nothing is written yet.
struct AfterReading<'a> {
    /// How many items and Pages there are to read.
    files: usize,
    read: AtomicUsize,
    then: &'a (dyn Fn() + Sync),
}

impl Progress for AfterReading<'_> {
    fn phase(&self, _: &'static str, _: usize) {}

    fn tick(&self) {
        if self.read.fetch_add(1, Ordering::SeqCst) + 1 == self.files {
            (self.then)();
        }
    }

    fn finish(&self) {}
}

/// The build that began first has read the old text, and the other one has read the new: the new one stays.
#[test]
fn the_build_that_read_last_writes_last() {
    let site = site_with_events();
    let (_, happen, _) = EVENTS[0];
    site.write("content/items/c.md", "+++\nid = \"c\"\n+++\nNew.\n");
    let files = ["items", "pages"].map(|folder| {
        let files = tree(&site.path(&format!("content/{folder}"))).into_keys();
        files.filter(|name| name.ends_with(".md")).count()
    });
    thread::scope(|scope| {
        let then = || {
            happen(&site);
            let other = scope.spawn(|| site.build().unwrap());
            // It waits for the first. If it did not, it would end before the first goes on.
            wait::within(Duration::from_millis(500), || other.is_finished());
        };
        let first =
            AfterReading { files: files.iter().sum(), read: AtomicUsize::new(0), then: &then };
        builder::run(&site.options(), &first).unwrap();
    });
    let right = first_build(&site.options()).unwrap();
    assert_same(&site.output(), &right);
}

#[test]
fn constantly_changing_sources_build_correctly_once_stable() {
    let site = site_with_events();
    for round in 0..round_count(12) {
        let rest = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for at in (round..).take_while(|_| !rest.load(Ordering::Relaxed)) {
                    let (_, happen, undo) = EVENTS[at % EVENTS.len()];
                    let is_folder = site.path(ITEM).is_dir();
                    if !is_folder || at % EVENTS.len() == 4 {
                        happen(&site);
                        undo(&site);
                    }
                }
            });
            for _ in 0..3 {
                let _ = site.build();
            }
            rest.store(true, Ordering::Relaxed);
        });
        assert_correct_build(&site, "at rest");
    }
}
