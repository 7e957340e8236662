//! What builds keep in `.feedwright/`: it goes wherever the site goes, and where it is damaged the build is right all
//! the same.

mod damaged;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use feedwright::builder::{self, Silent};
use feedwright::project::Options;
use tempfile::TempDir;

use crate::builds::incremental_builds::site::{assert_same, copy_sources};
use crate::builds::output::full_site;
use crate::support::program;
use crate::support::served::serve_with;
use crate::support::small_site::{SmallSite, site, tree};

type Tree = BTreeMap<String, Vec<u8>>;

/// The present of these builds, in seconds since 1970: 1 June 2026, 12:00 UTC.
const NOW: i64 = 1_780_315_200;

/// A folder with a site in `site/` that was built with these arguments.
struct TestFolder {
    folder: TempDir,
    arguments: &'static [&'static str],
}

impl TestFolder {
    fn new(arguments: &'static [&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_sources(full_site().root(), &folder.path().join("site"));
        let place = Self { folder, arguments };
        place.run("site");
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Builds as a person in a folder does: how many files were written. `<place>` in the arguments is its path.
    fn run(&self, working_folder: &str) -> u64 {
        let output = self.build(working_folder);
        let report_json = String::from_utf8(output.stdout).unwrap();
        let report_json: serde_json::Value = serde_json::from_str(&report_json).unwrap();
        assert!(output.status.success(), "{report_json:#}");
        report_json["written"].as_u64().unwrap()
    }

    fn build(&self, working_folder: &str) -> Output {
        let place = self.folder.path().to_str().unwrap();
        let arguments = self.arguments.iter();
        program::command()
            .current_dir(self.path(working_folder))
            .args(["build", "--json"])
            .args(arguments.map(|argument| argument.replace("<place>", place)))
            .env("SOURCE_DATE_EPOCH", NOW.to_string())
            .output()
            .unwrap()
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
    builder::run(&options, &Silent).unwrap();
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
    fs::write(item("e"), "+++\nid = \"e\"\ndate = 2026-04-01\n+++\nFive.\n").unwrap();
}

/// How many files are new or hold something else.
fn count_changed_files(before: &Tree, after: &Tree) -> u64 {
    let is_other = |(name, bytes): &(&String, &Vec<u8>)| before.get(*name) != Some(*bytes);
    after.iter().filter(is_other).count() as u64
}

/// At a new place a build goes on where it left off: it writes nothing while nothing changed, and then what changed.
fn assert_incremental_build(place: &TestFolder, working_folder: &str, site: &str, out: &str) {
    let before = tree(&place.path(out));
    assert_eq!(place.run(working_folder), 0, "nothing changed");
    change(&place.path(site));
    let written = place.run(working_folder);
    let after = tree(&place.path(out));
    assert_same(&after, &place.first_build(site));
    assert_eq!(written, count_changed_files(&before, &after));
}

/// `cp -r`, or `cp -a` where the times are kept.
fn copy(place: &TestFolder, from: &str, to: &str, how: &str) {
    let (from, to) = (place.path(from), place.path(to));
    let status = Command::new("cp").arg(how).arg(from).arg(to).status();
    assert!(status.unwrap().success());
}

#[test]
fn a_moved_site_builds_incrementally() {
    let place = TestFolder::new(&[]);
    fs::rename(place.path("site"), place.path("moved")).unwrap();
    assert_incremental_build(&place, "moved", "moved", "moved/public");
}

#[test]
fn a_site_copied_with_times_builds_incrementally() {
    let place = TestFolder::new(&[]);
    copy(&place, "site", "copy", "-a");
    assert_incremental_build(&place, "copy", "copy", "copy/public");
}

#[test]
fn a_copied_site_builds_incrementally() {
    let place = TestFolder::new(&[]);
    copy(&place, "site", "copy", "-r");
    fs::remove_dir_all(place.path("site")).unwrap();
    assert_incremental_build(&place, "copy", "copy", "copy/public");
}

/// As it is in CI: the sources are cloned, the rest comes from a cache.
#[test]
fn a_fresh_checkout_with_cached_output_builds_incrementally() {
    let place = TestFolder::new(&[]);
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
    assert_incremental_build(&place, "clone", "clone", "clone/public");
}

#[test]
fn an_absolute_output_path_moves_with_the_site() {
    let place = TestFolder::new(&["--out", "<place>/site/public"]);
    fs::rename(place.path("site"), place.path("moved")).unwrap();
    let place = TestFolder { arguments: &["--out", "<place>/moved/public"], ..place };
    assert_incremental_build(&place, "moved", "moved", "moved/public");
}

/// The output of this site has always lain beside it, and both moved together.
#[test]
fn a_sibling_output_folder_moves_with_the_site() {
    let place = TestFolder::new(&["--out", "../www"]);
    fs::create_dir(place.path("new")).unwrap();
    for part in ["site", "www"] {
        fs::rename(place.path(part), place.path("new").join(part)).unwrap();
    }
    assert_incremental_build(&place, "new/site", "new/site", "new/www");
}

/// Whether the folder is there or not when a build begins, it is known by the same list.
#[test]
fn a_removed_sibling_output_folder_is_rebuilt() {
    let place = TestFolder::new(&["--out", "../www"]);
    for text in ["Seven", "Eight"] {
        fs::remove_dir_all(place.path("www")).unwrap();
        place.run("site");
        let new = item(&place.path("site"), text);
        for body in [text, "More"] {
            fs::write(&new, format!("+++\nid = \"{text}\"\n+++\n{body}\n")).unwrap();
            place.run("site");
        }
        assert_same(&tree(&place.path("www")), &place.first_build("site"));
    }
    let state = fs::read_dir(place.path("site/.feedwright")).unwrap();
    let locks = state.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("lock-")
    });
    assert_eq!(locks.count(), 1, "one folder, one lock");
}

/// The folder of the output is a link to one beside the site.
#[cfg(unix)]
#[test]
fn a_symlinked_output_folder_moves_with_the_site() {
    let place = TestFolder::new(&[]);
    fs::rename(place.path("site/public"), place.path("www")).unwrap();
    std::os::unix::fs::symlink("../www", place.path("site/public")).unwrap();
    place.run("site");
    fs::create_dir(place.path("new")).unwrap();
    for part in ["site", "www"] {
        fs::rename(place.path(part), place.path("new").join(part)).unwrap();
    }
    assert_incremental_build(&place, "new/site", "new/site", "new/www");
}

/// Each move is known by what the one before left, and after the way back nothing is taken for what it was then.
#[test]
fn a_sibling_output_folder_moves_repeatedly() {
    let place = TestFolder::new(&["--out", "../www"]);
    let go = |from: &str, to: &str| {
        fs::create_dir_all(place.path(to)).unwrap();
        for part in ["site", "www"] {
            fs::rename(place.path(from).join(part), place.path(to).join(part)).unwrap();
        }
        assert_eq!(place.run(&format!("{to}/site")), 0, "from {from} to {to}");
    };
    let is_right = |at: &str| {
        place.run(&format!("{at}/site"));
        let first = place.first_build(&format!("{at}/site"));
        assert_same(&tree(&place.path(at).join("www")), &first);
    };
    let c = |text: &str| format!("+++\nid = \"c\"\n+++\n{text}\n");
    let write = |at: &str, text: &str| {
        fs::write(item(&place.path(at).join("site"), "c"), c(text)).unwrap();
    };
    write(".", "Seven");
    is_right(".");
    go(".", "second");
    go("second", "third");
    write("third", "Eight");
    is_right("third");
    go("third", ".");
    write(".", "Seven");
    is_right(".");
}

/// What lies at the same place beside the site after a move is the author's, unless it is what builds wrote, all of it.
#[test]
fn a_foreign_sibling_folder_is_not_changed() {
    let other: [fn(&Path); 4] = [
        |folder| fs::remove_dir_all(folder.join("i")).unwrap(),
        |folder| {
            let page = folder.join("index.html");
            let text = fs::read_to_string(&page).unwrap();
            fs::write(page, text.replacen("<p>", "<b>", 1)).unwrap();
        },
        |folder| fs::write(folder.join("index.html"), "Mine").unwrap(),
        |folder| {
            fs::remove_dir_all(folder).unwrap();
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("index.html"), "Mine").unwrap();
        },
    ];
    for (at, change_it) in other.iter().enumerate() {
        let place = TestFolder::new(&["--out", "../www"]);
        fs::create_dir(place.path("new")).unwrap();
        copy(&place, "www", "new/www", "-r");
        fs::rename(place.path("site"), place.path("new/site")).unwrap();
        let theirs = place.path("new/www");
        change_it(&theirs);
        change(&place.path("new/site"));
        let before = tree(&theirs);
        let output = place.build("new/site");
        assert!(!output.status.success(), "{at}: {output:?}");
        assert_same(&tree(&theirs), &before);
    }
}

/// A site on a server: it is checked out somewhere else each time, and its output stays where it is.
#[test]
fn a_fixed_output_folder_is_recognized_from_every_checkout() {
    let place = TestFolder::new(&["--out", "<place>/www"]);
    copy(&place, "site", "copy", "-r");
    fs::remove_dir_all(place.path("site")).unwrap();
    assert_incremental_build(&place, "copy", "copy", "www");
}

#[cfg(unix)]
#[test]
fn a_symlinked_site_is_recognized_by_every_path() {
    for (arguments, working_folder) in [
        (&["--site", "../link"] as &'static [&'static str], "site"),
        (&["--site", "<place>/link"], "."),
        (&["--site", "site"], "."),
        (&["--site", "."], "link"),
        (&["--out", "public"], "link"),
        (&["--out", "<place>/link/public"], "site"),
        (&["--out", "../link/public", "--site", "<place>/site"], "site"),
        (&[], "site/content/items"),
    ] {
        let mut place = TestFolder::new(&[]);
        std::os::unix::fs::symlink("site", place.path("link")).unwrap();
        place.arguments = arguments;
        assert_incremental_build(&place, working_folder, "site", "site/public");
    }
}

/// What a site.toml names is another folder than before, and back.
#[test]
fn each_output_folder_has_its_own_state() {
    let site = full_site();
    let config = site.read("site.toml");
    for dir in ["public", "docs", "public", "docs/site"] {
        let text = format!("{config}\n[output]\ndir = \"{dir}\"\n");
        site.write("site.toml", text);
        site.built();
        assert_eq!(site.built().written, 0, "{dir}");
        site.write("content/items/new.md", format!("+++\nid = \"n\"\ntitle = \"{dir}\"\n+++\n"));
    }
}

/// Two caches that were not saved by the same build: what is published is older than what is known of it.
#[test]
fn an_output_older_than_its_state_is_rebuilt() {
    let site = full_site();
    let item = |text| site.write("content/items/c.md", format!("+++\nid = \"c\"\n+++\n{text}\n"));
    item("Three");
    site.built();
    let older = site.output();
    item("Seven");
    site.built();
    restore(&site.path("public"), &older);
    site.built();
    assert_same(&site.output(), &first_build(site.root()));
}

/// Makes a folder what it was.
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

/// The text that was rendered before is known to be valid.
#[test]
fn a_site_file_with_unchanged_data_is_not_rendered_again() {
    let rendered = |site: SmallSite| {
        site.built();
        site.write("content/items/c.md", "+++\nid = \"c\"\ndate = 2026-03-01\n+++\nOther text.\n");
        site.built().rendered
    };
    let with = |template: &str| full_site().with("site-files/own.json", template);
    let without = rendered(full_site());
    assert_eq!(rendered(with("{ \"title\": \"{{{title}}}\" }")), without);
    // Nor twice, to look for faults and to be written.
    let json_feed = "[{{#items}}\"{{id}}\", \"{{{_site.web_url}}}\", {{/items}}{}]";
    assert_eq!(rendered(with(json_feed)), without + 1);
}

/// What is kept of a file that was broken when the preview ended is not taken for what it was before.
#[test]
fn a_file_broken_at_the_end_of_a_preview_is_reread() {
    let text = format!("+++\nid = \"a\"\ntitle = \"A\"\n+++\n{}\n", "Text. ".repeat(50));
    let site = site().with("content/items/a.md", text);
    let mut options = site.options();
    // Always at the same address, so that the next preview finds what this one has read.
    options.base_url = Some("https://example.org".into());
    let served = serve_with(site, options.clone());
    served.get("/").text();
    served.site.write("content/items/a.md", "+++\nid = \n\u{1f600}");
    served.get("/").text();
    let served = served.restarted_with(options);
    assert_eq!(served.get("/").status, 200);
    assert!(served.get("/i/a/").status < 500);
    assert!(served.get("/feed.json").status < 500);
}
