//! What others do while a build runs: sources that change, go or cannot be read, another build, a kill. A build
//! ends with a clear error or a right output, and the next one is right whatever the last one saw.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use feedwright::build::{self, Outcome, Progress, Silent};
use feedwright::model::Report;
use feedwright::project::Options;

use crate::any_builds::site::{assert_same, copy_sources};
use crate::output::full;
use crate::small_site::{SmallSite, tree};

/// Longer than it takes until a file's times tell it from a later version.
const SETTLE: Duration = Duration::from_millis(120);

/// How often what happens by chance is tried: more often where `FEEDWRIGHT_CASES` says so.
fn rounds(usual: usize) -> usize {
    let chosen = std::env::var("FEEDWRIGHT_CASES").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What a first build of a copy gives; None where it cannot be built.
fn first_build(options: &Options) -> Option<BTreeMap<String, Vec<u8>>> {
    let copy = tempfile::tempdir().unwrap();
    copy_sources(&options.root, copy.path());
    let out = copy.path().join("public");
    let options = Options {
        root: copy.path().to_path_buf(),
        out: Some(out.clone()),
        ..options.clone()
    };
    build::run(&options, &Silent).ok().map(|_| tree(&out))
}

/// Builds, and asserts that the output is what a first build gives, or that neither is built.
#[track_caller]
fn is_right(site: &SmallSite, why: &str) {
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
    (
        "an item that goes",
        |site| remove(site, ITEM),
        |site| save(site, ITEM, FIRST),
    ),
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
        |site| {
            save(
                site,
                "content/items/z.md",
                "+++\nid = \"z\"\ntags = [\"x\"]\n+++\n",
            )
        },
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
        |site| {
            save(
                site,
                "content/channel.md",
                "+++\ntitle = \"B small site\"\n+++\n",
            )
        },
        |site| {
            save(
                site,
                "content/channel.md",
                "+++\ntitle = \"A small site\"\n+++\n",
            )
        },
    ),
    (
        "a Site File",
        |site| {
            save(
                site,
                "site-files/humans.txt",
                "{{#items}}{{id}}\n{{/items}}",
            )
        },
        |site| {
            save(
                site,
                "site-files/humans.txt",
                "{{#items}}{{url}}\n{{/items}}",
            )
        },
    ),
];

/// A site to which these events can happen, built.
fn eventful() -> SmallSite {
    let site = full();
    EVENTS.iter().for_each(|(_, _, undo)| undo(&site));
    thread::sleep(SETTLE);
    site.built();
    site
}

/// Lets something happen at one moment of a build.
struct At<'a> {
    moment: usize,
    now: AtomicUsize,
    happen: &'a (dyn Fn() + Sync),
}

impl<'a> At<'a> {
    fn new(moment: usize, happen: &'a (dyn Fn() + Sync)) -> Self {
        Self {
            moment,
            now: AtomicUsize::new(0),
            happen,
        }
    }

    fn run(self, options: &Options) -> (Result<Outcome, Report>, usize) {
        let built = build::run(options, &self);
        (built, self.now.into_inner())
    }
}

impl Progress for At<'_> {
    fn phase(&self, _: &'static str, _: usize) {
        self.tick();
    }

    fn tick(&self) {
        if self.now.fetch_add(1, Ordering::SeqCst) == self.moment {
            (self.happen)();
        }
    }

    fn finish(&self) {
        self.tick();
    }
}

/// How many moments a build of this site has.
fn moments() -> usize {
    let site = eventful();
    site.remove(".feedwright");
    site.remove("public");
    let (built, moments) = At::new(usize::MAX, &|| {}).run(&site.options());
    built.unwrap();
    moments
}

/// Builds while something happens at a moment, then once more, and a third time after it is undone. Where files
/// `settle`, their times tell that they changed.
fn happens_at(site: &SmallSite, (name, happen, undo): Event, moment: usize, settle: bool) {
    let why = format!("{name} at moment {moment}");
    // Something else is new, so that there is a build at all.
    let round = format!("+++\nid = \"round\"\n+++\n{moment} {name}\n");
    site.write("content/items/round.md", round);
    let (built, _) = At::new(moment, &|| happen(site)).run(&site.options());
    if let Err(report) = built {
        assert!(
            report
                .sorted()
                .iter()
                .all(|found| !found.message.is_empty()),
            "{why}"
        );
    }
    happened(site, happen);
    for (what, step) in [("", None), (", undone", Some(undo))] {
        if let Some(step) = step {
            step(site);
        }
        if settle {
            thread::sleep(SETTLE);
        }
        is_right(site, &format!("{why}{what}"));
    }
}

/// Lets it happen where the build was over before.
fn happened(site: &SmallSite, happen: fn(&SmallSite)) {
    if !site.path(ITEM).is_dir() {
        happen(site);
    }
}

#[test]
fn what_happens_at_any_moment_of_a_build_is_in_the_next() {
    let moments = moments();
    let site = eventful();
    let every = (moments * EVENTS.len() / rounds(60)).max(1);
    for at in (0..moments * EVENTS.len()).step_by(every) {
        happens_at(&site, EVENTS[at % EVENTS.len()], at / EVENTS.len(), false);
    }
}

/// A build that read the old text and looked at the new file may not take the one for the other later.
#[test]
fn what_happened_in_a_build_is_seen_when_all_files_are_old() {
    let moments = moments();
    thread::scope(|scope| {
        for (number, event) in EVENTS.into_iter().enumerate() {
            scope.spawn(move || {
                let site = eventful();
                let every = (moments / rounds(4)).max(1);
                for moment in (number % every..moments).step_by(every) {
                    happens_at(&site, event, moment, true);
                }
            });
        }
    });
}

#[test]
fn sources_that_never_rest_are_built_right_once_they_do() {
    let site = eventful();
    for round in 0..rounds(12) {
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
        is_right(&site, "at rest");
    }
}

/// The built program, building.
fn program(site: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_feedwright"));
    command.args(["build", "--site"]).arg(site);
    command.env("SOURCE_DATE_EPOCH", "1780315200");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn succeed(children: impl IntoIterator<Item = Child>) {
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn two_programs_that_build_one_site_at_once_are_both_right() {
    let site = eventful();
    let aside = tempfile::tempdir().unwrap();
    let aside = aside.path().join("aside");
    for round in 0..rounds(6) {
        let (_, happen, undo) = EVENTS[[0, 2, 5][round % 3]];
        happen(&site);
        let mut one = program(site.root());
        let mut other = program(site.root());
        if round % 2 == 0 {
            other.arg("--out").arg(&aside);
        }
        succeed([one.spawn().unwrap(), other.spawn().unwrap()]);
        let right = first_build(&site.options()).unwrap();
        assert_same(&site.output(), &right);
        if round % 2 == 0 {
            assert_same(&tree(&aside), &right);
        }
        undo(&site);
        is_right(&site, "undone");
    }
}

/// One builds what is published, the other drafts as well, into the same folder, while the sources change.
#[test]
fn programs_that_build_other_things_into_one_folder_leave_one_of_them() {
    let site = eventful();
    site.write(
        "content/items/draft.md",
        "+++\nid = \"draft\"\ndraft = true\n+++\nDraft.\n",
    );
    for round in 0..rounds(6) {
        let published = program(site.root()).spawn().unwrap();
        let with_drafts = program(site.root()).arg("--drafts").spawn().unwrap();
        let (_, happen, undo) = EVENTS[[0, 2, 5, 9][round % 4]];
        happen(&site);
        succeed([published, with_drafts]);
        is_right(&site, "afterwards");
        undo(&site);
        is_right(&site, "undone");
    }
}

/// How often a build is killed: more often where `FEEDWRIGHT_KILLS` says so.
fn kills() -> u32 {
    let chosen = std::env::var("FEEDWRIGHT_KILLS").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(14)
}

#[test]
fn after_a_build_was_killed_the_next_one_is_right() {
    let site = eventful();
    let start = Instant::now();
    site.write("content/items/z.md", "+++\nid = \"z\"\n+++\nBefore.\n");
    succeed([program(site.root()).spawn().unwrap()]);
    let whole = start.elapsed();
    for at in 0..kills() {
        let (name, happen, undo) = EVENTS[[0, 2, 3, 5, 6, 8, 9, 10][at as usize % 8]];
        happen(&site);
        if at % 4 == 3 {
            site.remove("public");
        }
        let mut child = program(site.root()).spawn().unwrap();
        thread::sleep(whole * (at * 7 % kills()) / kills());
        child.kill().unwrap();
        child.wait().unwrap();
        // It goes on from there, or all is as it was before.
        if at % 2 == 0 {
            undo(&site);
        }
        is_right(&site, name);
        undo(&site);
        is_right(&site, name);
    }
}

/// A build by someone who may not write, or not read, here or there. What root may do, root does as nobody.
#[cfg(unix)]
mod permissions {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    use super::*;

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Lets everybody read and write everything of a site.
    fn open(site: &SmallSite) {
        for entry in walkdir::WalkDir::new(site.root()) {
            let entry = entry.unwrap();
            set(
                entry.path(),
                if entry.file_type().is_dir() {
                    0o777
                } else {
                    0o666
                },
            );
        }
    }

    /// Builds: whether it went well, and what was said. None where nobody may run the program.
    fn build_as_nobody(site: &SmallSite) -> Option<(bool, String)> {
        let mut command = program(site.root());
        if site.root().metadata().unwrap().uid() == 0 {
            command.uid(65_534).gid(65_534);
        }
        let output = command.stderr(Stdio::piped()).output().ok()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Some((output.status.success(), said))
    }

    #[test]
    fn what_may_not_be_read_or_written_is_an_error_and_never_a_wrong_page() {
        for (path, mode, is_whole) in [
            ("public", 0o555, false),
            ("public/i", 0o555, false),
            ("public/i/one-a", 0o555, false),
            (".feedwright", 0o555, true),
            (ITEM, 0o000, true),
            ("content/items/b/b.bin", 0o000, true),
            ("content/media/cover.bin", 0o000, false),
            ("content/items", 0o000, true),
            ("content/channel.md", 0o000, true),
            ("site.toml", 0o000, true),
            ("site-files", 0o000, true),
        ] {
            let site = eventful();
            let before = site.output();
            (EVENTS[0].1)(&site);
            (EVENTS[5].1)(&site);
            (EVENTS[8].1)(&site);
            open(&site);
            set(&site.path(path), mode);
            let Some((went_well, said)) = build_as_nobody(&site) else {
                return;
            };
            open(&site);
            if went_well {
                assert_same(&site.output(), &first_build(&site.options()).unwrap());
            } else {
                let name = path.rsplit('/').next().unwrap();
                assert!(
                    said.contains(name) && said.contains("help"),
                    "{path}: {said}"
                );
                if is_whole {
                    assert_same(&site.output(), &before);
                }
            }
            is_right(&site, path);
        }
    }
}
