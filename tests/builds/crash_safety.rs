//! Builds that are cut off, and disks that are full: under its final name every file is whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::small_site::{SmallSite, site, tree};
use crate::support::wait;
use crate::support::{media_fixture, program};

/// How many items the site has.
const ITEMS: usize = 60;

fn item(at: usize, text: &str) -> String {
    let body = format!("{text} ").repeat(300);
    format!("+++\nid = \"item{at}\"\nslug = \"item-{at}\"\ntags = [\"t{at}\"]\n+++\n{body}\n")
}

/// An item with a recording, whose published form has this title.
fn walk(text: &str) -> String {
    format!("+++\nid = \"walk\"\ntitle = \"{text}\"\nattachment = \"walk.mp3\"\n+++\n")
}

/// A recording of 200 kB.
fn recording() -> Vec<u8> {
    let mp3 = fs::read(media_fixture("cbr-bare.mp3")).unwrap();
    mp3.repeat(200_000 / mp3.len() + 1)
}

fn site_with_items(text: &str) -> SmallSite {
    let site = site().with("content/media/sound.bin", vec![b'x'; 300_000]);
    let site = site.with("content/items/walk.md", walk(text));
    site.write("content/items/walk.mp3", recording());
    (0..ITEMS).for_each(|at| site.write(&format!("content/items/{at}.md"), item(at, text)));
    site
}

/// Other bytes in each file, and files that were not there.
fn change(site: &SmallSite, text: &str) {
    for at in ITEMS / 2..ITEMS + ITEMS / 2 {
        site.write(&format!("content/items/{at}.md"), item(at, text));
    }
    site.write("content/items/walk.md", walk(text));
    for name in ["sound", "more"] {
        let bytes = text.as_bytes().repeat(200_000);
        site.write(&format!("content/media/{name}.bin"), bytes);
    }
}

fn build(site: &SmallSite) -> Command {
    let mut command = program::command();
    command.args(["build", "--site"]).arg(site.root());
    command.env("SOURCE_DATE_EPOCH", "1780315200");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn build_successfully(site: &SmallSite) {
    assert!(build(site).status().unwrap().success());
}

/// What a build of the site writes into a folder that was not there.
fn clean_build(site: &SmallSite) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let status = build(site).arg("--out").arg(&out).status().unwrap();
    assert!(status.success());
    tree(&out)
}

/// Every file under a final name has the bytes of one of the builds, and no file that all builds have is missing.
fn assert_complete_files(out: &Path, builds: &[&BTreeMap<String, Vec<u8>>]) {
    let found = tree(out);
    for (name, bytes) in &found {
        if name.ends_with('/') || name.ends_with(".feedwright-new") || name.is_empty() {
            continue;
        }
        let is_whole = builds.iter().any(|build| build.get(name) == Some(bytes));
        assert!(is_whole, "{name} has {} bytes", bytes.len());
    }
    let Some((first, others)) = builds.split_first() else {
        return;
    };
    for name in first.keys() {
        let is_in_all = others.iter().all(|build| build.contains_key(name));
        assert!(!is_in_all || found.contains_key(name), "{name} is missing");
    }
}

/// What a cut-off build left is gone: beside the output, and in it.
fn assert_no_temporary_files(site: &SmallSite) {
    let remaining_files: Vec<String> =
        tree(site.root()).into_keys().filter(|name| name.contains("feedwright-new")).collect();
    assert_eq!(remaining_files, Vec::<String>::new());
}

/// Starts a build again and again, and kills it a little later each time; more often where
/// `FEEDWRIGHT_KILLS` says so. At least one build must have been killed before it ended.
fn kill_repeatedly(site: &SmallSite, whole: Duration, again: impl Fn(), look: impl Fn()) {
    let kills = std::env::var("FEEDWRIGHT_KILLS").ok();
    let kills: u32 = kills.and_then(|text| text.parse().ok()).unwrap_or(5);
    let mut killed = 0;
    for at in 0..kills {
        again();
        let mut child = build(site).spawn().unwrap();
        wait::pause(whole * at / kills);
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        look();
    }
    assert!(killed > 0, "no build of {kills} was killed before it ended");
}

#[test]
fn a_killed_first_build_leaves_no_partial_files() {
    let site = site_with_items("first");
    let start = Instant::now();
    let new = clean_build(&site);
    let again = || {
        let _ = fs::remove_dir_all(site.path("public"));
    };
    kill_repeatedly(&site, start.elapsed(), again, || {
        assert_complete_files(&site.path("public"), &[&BTreeMap::new(), &new]);
    });
    build_successfully(&site);
    assert!(site.output() == new, "the next build completes it");
    assert_no_temporary_files(&site);
}

#[test]
fn a_killed_rebuild_leaves_old_or_new_files() {
    let site = site_with_items("old");
    build_successfully(&site);
    let start = Instant::now();
    change(&site, "one");
    let mut trees = vec![site.output(), clean_build(&site)];
    let whole = start.elapsed();
    let texts = ["two", "six"];
    let known: Vec<_> = texts
        .iter()
        .map(|text| {
            change(&site, text);
            clean_build(&site)
        })
        .collect();
    trees.extend(known.iter().cloned());
    let turn = std::cell::Cell::new(0);
    let again = || {
        turn.set(turn.get() + 1);
        change(&site, texts[turn.get() % 2]);
    };
    kill_repeatedly(&site, whole, again, || {
        // What an earlier one left that was killed, too, may be the old.
        assert_complete_files(&site.path("public"), &trees.iter().collect::<Vec<_>>());
    });
    build_successfully(&site);
    assert!(site.output() == known[turn.get() % 2], "completed");
    assert_no_temporary_files(&site);
}

/// A build that can write no more than so many KiB into one file, as on a disk that is full.
#[cfg(unix)]
fn build_on_a_full_disk(site: &SmallSite, kib: usize) -> (Option<i32>, String) {
    let output = Command::new("bash")
        .arg("-c")
        .arg(format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\""))
        .arg("bash")
        .arg(env!("CARGO_BIN_EXE_feedwright"))
        .args(["build", "--site"])
        .arg(site.root())
        .env("SOURCE_DATE_EPOCH", "1780315200")
        .output()
        .unwrap();
    let error_text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), error_text)
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_only_complete_files() {
    // A first build leaves nothing at all.
    let site = site_with_items("first");
    let (code, error_text) = build_on_a_full_disk(&site, 250);
    assert_eq!(code, Some(1), "{error_text}");
    assert!(error_text.contains("sound.bin cannot be written"), "{error_text}");
    assert!(error_text.contains("nothing was written"), "{error_text}");
    assert!(!site.exists("public"));
    assert_no_temporary_files(&site);
    build_successfully(&site);

    // A later one leaves each file as it was or as it is to be.
    let old = site.output();
    change(&site, "more");
    let new = clean_build(&site);
    let (code, error_text) = build_on_a_full_disk(&site, 250);
    assert_eq!(code, Some(1), "{error_text}");
    assert!(error_text.contains("incomplete until a build succeeds"), "{error_text}");
    assert_complete_files(&site.path("public"), &[&old, &new]);
    assert_no_temporary_files(&site);
    build_successfully(&site);
    assert!(site.output() == new, "completed");

    // A recording with new tags does not fit, but everything else does.
    let small = site_with_items("first");
    for name in ["sound", "more"] {
        small.write(&format!("content/media/{name}.bin"), "x");
    }
    build_successfully(&small);
    let old = small.output();
    assert!(old["media/items/walk.mp3"].starts_with(b"ID3"));
    small.write("content/items/walk.md", walk("other"));
    let new = clean_build(&small);
    assert!(new["media/items/walk.mp3"] != old["media/items/walk.mp3"]);
    let (code, error_text) = build_on_a_full_disk(&small, 190);
    assert_eq!(code, Some(1), "{error_text}");
    assert!(error_text.contains("walk.mp3 cannot be written"), "{error_text}");
    assert_complete_files(&small.path("public"), &[&old, &new]);
    assert_no_temporary_files(&small);
    build_successfully(&small);
    assert!(small.output() == new, "completed");

    // The build's own state does not fit.
    change(&site, "less");
    let old = site.output();
    let (code, error_text) = build_on_a_full_disk(&site, 4);
    assert_eq!(code, Some(1), "{error_text}");
    assert!(error_text.contains("nothing was written"), "{error_text}");
    assert!(site.output() == old, "untouched");
}
