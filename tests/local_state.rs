//! What builds keep in `.feedwright/`: it goes wherever the site goes, and where it is damaged the build is right all
//! the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use feedwright::build::{self, Silent};
use feedwright::project::Options;
use tempfile::TempDir;

use crate::any_builds::site::{assert_same, copy_sources};
use crate::output::full;
use crate::small_site::tree;

type Tree = BTreeMap<String, Vec<u8>>;

/// The present of these builds, in seconds since 1970: 1 June 2026, 12:00 UTC.
const NOW: i64 = 1_780_315_200;

/// A folder with a site in `site/` that was built with these arguments.
struct Place {
    folder: TempDir,
    arguments: &'static [&'static str],
}

impl Place {
    fn new(arguments: &'static [&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_sources(full().root(), &folder.path().join("site"));
        let place = Self { folder, arguments };
        place.run("site");
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Builds as a person in a folder does: how many files were written. `<place>` in the arguments is its path.
    fn run(&self, working_folder: &str) -> u64 {
        let place = self.folder.path().to_str().unwrap();
        let arguments = self.arguments.iter();
        let output = Command::new(env!("CARGO_BIN_EXE_feedwright"))
            .current_dir(self.path(working_folder))
            .args(["build", "--json"])
            .args(arguments.map(|argument| argument.replace("<place>", place)))
            .env("SOURCE_DATE_EPOCH", NOW.to_string())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert!(output.status.success(), "{said:#}");
        said["written"].as_u64().unwrap()
    }

    /// What a first build of a copy gives.
    fn first_build(&self, site: &str) -> Tree {
        first_build(&self.path(site))
    }
}

fn options(root: &Path) -> Options {
    let mut options = Options::new(root);
    options.visibility.now = jiff::Timestamp::from_second(NOW).unwrap();
    options
}

fn first_build(root: &Path) -> Tree {
    let copy = tempfile::tempdir().unwrap();
    copy_sources(root, copy.path());
    let out = copy.path().join("public");
    let mut options = options(copy.path());
    options.out = Some(out.clone());
    build::run(&options, &Silent).unwrap();
    tree(&out)
}

fn item(root: &Path, name: &str) -> PathBuf {
    root.join(format!("content/items/{name}.md"))
}

/// An item says something else, one goes, and one comes.
fn change(root: &Path) {
    let item = |name: &str| item(root, name);
    fs::write(
        item("a"),
        "+++\nid = \"a\"\ntitle = \"Changed\"\ntags = [\"x\"]\n+++\nOther text.\n",
    )
    .unwrap();
    fs::remove_file(item("d")).unwrap();
    fs::write(
        item("e"),
        "+++\nid = \"e\"\ndate = 2026-04-01\n+++\nFive.\n",
    )
    .unwrap();
}

/// How many files are new or hold something else.
fn differing(before: &Tree, after: &Tree) -> u64 {
    let is_other = |(name, bytes): &(&String, &Vec<u8>)| before.get(*name) != Some(*bytes);
    after.iter().filter(is_other).count() as u64
}

/// At a new place a build goes on where it left off: it writes nothing while nothing changed, and then what changed.
fn goes_on(place: &Place, working_folder: &str, site: &str, out: &str) {
    let before = tree(&place.path(out));
    assert_eq!(place.run(working_folder), 0, "nothing changed");
    change(&place.path(site));
    let written = place.run(working_folder);
    let after = tree(&place.path(out));
    assert_same(&after, &place.first_build(site));
    assert_eq!(written, differing(&before, &after));
}

/// `cp -r`, or `cp -a` where the times are kept.
fn copy(place: &Place, from: &str, to: &str, how: &str) {
    let (from, to) = (place.path(from), place.path(to));
    let status = Command::new("cp").arg(how).arg(from).arg(to).status();
    assert!(status.unwrap().success());
}

#[test]
fn a_site_that_is_moved_goes_on() {
    let place = Place::new(&[]);
    fs::rename(place.path("site"), place.path("moved")).unwrap();
    goes_on(&place, "moved", "moved", "moved/public");
}

#[test]
#[ignore = "known fault: media that only have another time are copied again"]
fn a_site_that_is_copied_with_its_times_goes_on() {
    let place = Place::new(&[]);
    copy(&place, "site", "copy", "-a");
    goes_on(&place, "copy", "copy", "copy/public");
}

#[test]
#[ignore = "known fault: media that only have another time are copied again"]
fn a_site_that_is_copied_goes_on() {
    let place = Place::new(&[]);
    copy(&place, "site", "copy", "-r");
    fs::remove_dir_all(place.path("site")).unwrap();
    goes_on(&place, "copy", "copy", "copy/public");
}

/// As it is in CI: the sources are cloned, the rest comes from a cache.
#[test]
#[ignore = "known fault: media that only have another time are copied again"]
fn a_site_that_is_checked_out_again_goes_on_with_a_cached_output() {
    let place = Place::new(&[]);
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .current_dir(place.path("site"))
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    fs::write(place.path("site/.gitignore"), "/public\n/.feedwright\n").unwrap();
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "Site"]);
    git(&["clone", "-q", ".", "../clone"]);
    for (folder, how) in [("public", "-r"), (".feedwright", "-a")] {
        copy(&place, &format!("site/{folder}"), "clone", how);
    }
    fs::rename(place.path("site"), place.path("gone")).unwrap();
    goes_on(&place, "clone", "clone", "clone/public");
}

#[test]
fn an_output_that_was_named_by_its_whole_path_goes_with_the_site() {
    let place = Place::new(&["--out", "<place>/site/public"]);
    fs::rename(place.path("site"), place.path("moved")).unwrap();
    let place = Place {
        arguments: &["--out", "<place>/moved/public"],
        ..place
    };
    goes_on(&place, "moved", "moved", "moved/public");
}

/// The output of this site has always lain beside it, and both moved together.
#[test]
#[ignore = "known fault: an output outside the site is known by its absolute path, and is in the way after a move"]
fn an_output_beside_the_site_goes_with_it() {
    let mut place = Place::new(&["--out", "../www"]);
    place.arguments = &["--out", "../www"];
    fs::create_dir(place.path("new")).unwrap();
    for part in ["site", "www"] {
        fs::rename(place.path(part), place.path("new").join(part)).unwrap();
    }
    goes_on(&place, "new/site", "new/site", "new/www");
}

/// The folder of the output is a link to one beside the site.
#[cfg(unix)]
#[test]
#[ignore = "known fault: an output outside the site is known by its absolute path, and is in the way after a move"]
fn an_output_behind_a_link_goes_with_the_site() {
    let place = Place::new(&[]);
    fs::rename(place.path("site/public"), place.path("www")).unwrap();
    std::os::unix::fs::symlink("../www", place.path("site/public")).unwrap();
    place.run("site");
    fs::create_dir(place.path("new")).unwrap();
    for part in ["site", "www"] {
        fs::rename(place.path(part), place.path("new").join(part)).unwrap();
    }
    goes_on(&place, "new/site", "new/site", "new/www");
}

/// A site on a server: it is checked out somewhere else each time, and its output stays where it is.
#[test]
#[ignore = "known fault: media that only have another time are copied again"]
fn an_output_that_stays_where_it_is_is_known_from_every_checkout() {
    let place = Place::new(&["--out", "<place>/www"]);
    copy(&place, "site", "copy", "-r");
    fs::remove_dir_all(place.path("site")).unwrap();
    goes_on(&place, "copy", "copy", "www");
}

#[cfg(unix)]
#[test]
fn a_site_behind_a_link_is_the_same_by_every_name() {
    for (arguments, working_folder) in [
        (&["--site", "../link"] as &'static [&'static str], "site"),
        (&["--site", "<place>/link"], "."),
        (&["--site", "site"], "."),
        (&["--site", "."], "link"),
        (&["--out", "public"], "link"),
        (&["--out", "<place>/link/public"], "site"),
        (
            &["--out", "../link/public", "--site", "<place>/site"],
            "site",
        ),
        (&[], "site/content/items"),
    ] {
        let mut place = Place::new(&[]);
        std::os::unix::fs::symlink("site", place.path("link")).unwrap();
        place.arguments = arguments;
        goes_on(&place, working_folder, "site", "site/public");
    }
}

/// What a site.toml names is another folder than before, and back.
#[test]
fn each_output_folder_is_known_by_itself() {
    let site = full();
    let config = site.read("site.toml");
    for dir in ["public", "docs", "public", "docs/site"] {
        let text = format!("{config}\n[output]\ndir = \"{dir}\"\n");
        site.write("site.toml", text);
        site.built();
        assert_eq!(site.built().written, 0, "{dir}");
        site.write(
            "content/items/new.md",
            format!("+++\nid = \"n\"\ntitle = \"{dir}\"\n+++\n"),
        );
    }
}

/// Two caches that were not saved by the same build: what is published is older than what is known of it.
#[test]
#[ignore = "known fault: an output file is known by its length alone, so one of an earlier build stays"]
fn an_output_that_is_older_than_the_state_is_built_again() {
    let site = full();
    let item = |text| {
        site.write(
            "content/items/c.md",
            format!("+++\nid = \"c\"\n+++\n{text}\n"),
        )
    };
    item("Three");
    site.built();
    let older = site.output();
    item("Seven");
    site.built();
    restore(&site.path("public"), &older);
    site.built();
    assert_same(&site.output(), &first_build(site.root()));
}

/// A site that was built, and its output and local state as they were then.
struct Damaged {
    folder: TempDir,
    output: Tree,
    state: Tree,
}

impl Damaged {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_sources(full().root(), folder.path());
        // What a build knows of files that were just written it does not trust.
        std::thread::sleep(std::time::Duration::from_millis(120));
        let damaged = Self {
            folder,
            output: Tree::new(),
            state: Tree::new(),
        };
        damaged.build(NOW).unwrap();
        Self {
            output: tree(&damaged.path("public")),
            state: tree(&damaged.path(".feedwright")),
            ..damaged
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path(".feedwright").join(name)
    }

    /// The files that hold something.
    fn files(&self) -> impl Iterator<Item = (&String, &Vec<u8>)> {
        self.state.iter().filter(|(_, bytes)| !bytes.is_empty())
    }

    fn build(&self, now: i64) -> Result<(), Vec<String>> {
        let mut options = options(self.folder.path());
        options.visibility.now = jiff::Timestamp::from_second(now).unwrap();
        let report = build::run(&options, &Silent).err();
        match report {
            None => Ok(()),
            Some(report) => Err(report.sorted().iter().map(ToString::to_string).collect()),
        }
    }

    /// The output and the local state are as they were again.
    fn restore(&self) {
        restore(&self.path("public"), &self.output);
        restore(&self.path(".feedwright"), &self.state);
    }

    /// With damaged state an unchanged site is built as ever, and its state is whole again after that.
    #[track_caller]
    fn is_right(&self, why: &str) {
        if let Err(found) = self.build(NOW) {
            panic!("{why}: {found:?}");
        }
        assert!(tree(&self.path("public")) == self.output, "{why}");
        assert!(self.build(NOW).is_ok(), "{why}, again");
        assert!(tree(&self.path("public")) == self.output, "{why}, again");
        self.restore();
    }
}

fn restore(folder: &Path, to: &Tree) {
    fs::remove_dir_all(folder).unwrap();
    for (name, bytes) in to {
        let path = folder.join(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

/// So many places spread over a length; many more where `FEEDWRIGHT_CASES` says so.
fn places(length: usize) -> impl Iterator<Item = usize> {
    let chosen = std::env::var("FEEDWRIGHT_CASES").ok();
    let many = chosen.and_then(|text| text.parse().ok()).unwrap_or(24);
    let step = (length / many).max(1);
    (0..length).step_by(step)
}

#[test]
fn state_that_is_cut_off_is_of_no_harm() {
    let site = Damaged::new();
    for (name, bytes) in site.files() {
        for at in places(bytes.len()) {
            fs::write(site.file(name), &bytes[..at]).unwrap();
            site.is_right(&format!("{name} is cut off at {at}"));
        }
    }
}

#[test]
fn state_with_other_bits_is_of_no_harm() {
    let site = Damaged::new();
    for (name, bytes) in site.files() {
        for at in places(bytes.len()) {
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            fs::write(site.file(name), other).unwrap();
            site.is_right(&format!("another bit at {at} of {name}"));
        }
    }
}

#[test]
fn state_of_another_version_is_of_no_harm() {
    let site = Damaged::new();
    for (name, bytes) in site.files() {
        let first = bytes.iter().position(u8::is_ascii_digit).unwrap_or(0);
        let mut next = bytes.clone();
        next[first] = next[first].wrapping_add(1);
        let mut swapped = bytes.clone();
        swapped.chunks_exact_mut(8).for_each(<[u8]>::reverse);
        let others = [
            next,
            swapped,
            [bytes.as_slice(), b"more\n"].concat(),
            [b"\xff\xfe\0".as_slice(), bytes].concat(),
            vec![0; bytes.len()],
            vec![0xff; 3],
        ];
        for (at, other) in others.iter().enumerate() {
            fs::write(site.file(name), other).unwrap();
            site.is_right(&format!("{name}, {at}"));
        }
    }
}

#[test]
fn state_that_is_gone_is_of_no_harm() {
    let site = Damaged::new();
    for (name, _) in site.files() {
        fs::remove_file(site.file(name)).unwrap();
        site.is_right(name);
    }
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.is_right("everything");
}

/// Files that hold what another of them should: a cache that mixed them up.
#[test]
fn state_that_is_another_s_is_of_no_harm() {
    let site = Damaged::new();
    let files: Vec<_> = site.files().collect();
    for (name, _) in &files {
        for (other, bytes) in files.iter().filter(|(other, _)| other != name) {
            fs::write(site.file(name), bytes).unwrap();
            site.is_right(&format!("{name} holds {other}"));
        }
    }
}

/// A folder, or something that nobody can read, in place of a file: the build says what is in its way, or does
/// without.
#[cfg(unix)]
#[test]
fn state_that_cannot_be_read_is_an_error_or_of_no_harm() {
    let site = Damaged::new();
    let files: Vec<String> = site.state.keys().cloned().collect();
    for name in files.iter().filter(|name| !name.ends_with('/')) {
        for kind in ["a folder", "a full folder", "a link to itself"] {
            fs::remove_file(site.file(name)).unwrap();
            match kind {
                "a folder" => fs::create_dir(site.file(name)).unwrap(),
                "a full folder" => fs::create_dir_all(site.file(name).join("x/y")).unwrap(),
                _ => std::os::unix::fs::symlink(site.file(name), site.file(name)).unwrap(),
            }
            if let Err(found) = site.build(NOW) {
                assert!(
                    found[0].contains(".feedwright"),
                    "{name}, {kind}: {found:?}"
                );
            }
            assert!(tree(&site.path("public")) == site.output, "{name}, {kind}");
            site.restore();
        }
    }
}

/// Something changed as well: the result is right, or nothing was written. What a build did not know any more it
/// may not leave to be published for ever.
fn is_never_wrong(site: &Damaged, why: &str) {
    let root = site.folder.path();
    let before = ["a", "d"].map(|name| fs::read(item(root, name)).unwrap());
    change(root);
    let right = first_build(root);
    match site.build(NOW) {
        Ok(()) => assert!(tree(&site.path("public")) == right, "{why}"),
        Err(found) => {
            assert!(
                found
                    .iter()
                    .any(|line| line.contains("in the way") || line.contains("file of yours")),
                "{why}: {found:?}"
            );
            assert!(
                tree(&site.path("public")) == site.output,
                "{why}: untouched"
            );
        }
    }
    site.restore();
    for (name, bytes) in ["a", "d"].iter().zip(before) {
        fs::write(item(root, name), bytes).unwrap();
    }
    fs::remove_file(item(root, "e")).unwrap();
}

#[test]
#[ignore = "known fault: a list of outputs that is cut off is believed, and what it lacks stays published"]
fn damaged_state_and_a_change_never_give_a_wrong_page() {
    let site = Damaged::new();
    for (name, bytes) in site.files() {
        for at in places(bytes.len()) {
            fs::write(site.file(name), &bytes[..at]).unwrap();
            is_never_wrong(&site, &format!("{name} is cut off at {at}"));
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            fs::write(site.file(name), other).unwrap();
            is_never_wrong(&site, &format!("another bit at {at} of {name}"));
        }
    }
}

/// Damaged state that was believed would show what was right at another time.
#[test]
fn damaged_state_does_not_hold_back_what_time_brings() {
    let site = Damaged::new();
    let day = 24 * 60 * 60;
    let item = site.path("content/items/later.md");
    fs::write(
        item,
        "+++\nid = \"later\"\ndate = 2026-06-02\n+++\nLater.\n",
    )
    .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(120));
    site.build(NOW).unwrap();
    let site = Damaged {
        output: tree(&site.path("public")),
        state: tree(&site.path(".feedwright")),
        ..site
    };
    let mut wrong = Vec::new();
    for (name, bytes) in site.files() {
        for at in places(bytes.len()) {
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 4);
            fs::write(site.file(name), other).unwrap();
            let built = site.build(NOW + day);
            if built.is_ok()
                && !site.path("public/i/later-later/index.html").exists()
                && !site.path("public/i/later/index.html").exists()
            {
                wrong.push(format!("{name} {at}"));
            }
            site.restore();
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
