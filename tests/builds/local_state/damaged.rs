//! Local state that is damaged, cut off, of another version or of another site.

use std::fs;
use std::path::PathBuf;

use feedwright::builder::{self, Silent};
use tempfile::TempDir;

use super::{NOW, Tree, change, first_build, item, options, restore};
use crate::builds::any_builds::site::{assert_same, copy_sources};
use crate::builds::output::full;
use crate::support::small_site::{SmallSite, tree};
use crate::support::wait;

/// A site whose Site File is not valid any more: its last valid text is published.
fn stood_in_for() -> SmallSite {
    let site = full().with("site-files/data.json", "{ \"title\": \"{{{title}}}\" }");
    site.built();
    site.write("site-files/data.json", "{ \"title\": {{{title}}} }");
    site.built();
    site
}

/// The local state but the last valid texts, which cannot be made again.
fn lose_what_can_be_made_again(site: &SmallSite) {
    for name in tree(&site.path(".feedwright")).into_keys() {
        if !name.starts_with("site-files/") {
            site.remove(&format!(".feedwright/{name}"));
        }
    }
}

#[test]
fn a_text_that_stands_in_is_known_without_the_list_of_outputs() {
    let site = stood_in_for();
    let before = site.output();
    lose_what_can_be_made_again(&site);
    site.built();
    assert_same(&site.output(), &before);
}

#[test]
fn half_of_a_text_never_stands_in() {
    let site = stood_in_for();
    let before = site.output();
    let kept = tree(&site.path(".feedwright"));
    let (name, bytes) = kept.iter().find(|(name, _)| name.ends_with("data.json")).unwrap();
    for at in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        site.write(&format!(".feedwright/{name}"), &bytes[..at]);
        site.write("content/items/c.md", format!("+++\nid = \"c\"\n+++\n{at}\n"));
        let _ = site.build();
        assert_eq!(site.output().get("data.json"), before.get("data.json"), "cut off at {at}");
    }
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
        wait::settled(folder.path());
        let damaged = Self { folder, output: Tree::new(), state: Tree::new() };
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
        let report = builder::run(&options, &Silent).err();
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
                assert!(found[0].contains(".feedwright"), "{name}, {kind}: {found:?}");
            }
            assert!(tree(&site.path("public")) == site.output, "{name}, {kind}");
            site.restore();
        }
    }
}

/// Something changed as well: the result is right, or nothing was written. What a build did not know any more it
/// may not leave to be published for ever.
fn is_never_wrong(site: &Damaged, right: &Tree, why: &str) {
    let root = site.folder.path();
    let before = ["a", "d"].map(|name| fs::read(item(root, name)).unwrap());
    change(root);
    match site.build(NOW) {
        Ok(()) => assert!(tree(&site.path("public")) == *right, "{why}"),
        Err(found) => {
            assert!(
                found
                    .iter()
                    .any(|line| line.contains("in the way") || line.contains("was not written by")),
                "{why}: {found:?}"
            );
            assert!(tree(&site.path("public")) == site.output, "{why}: untouched");
        }
    }
    site.restore();
    for (name, bytes) in ["a", "d"].iter().zip(before) {
        fs::write(item(root, name), bytes).unwrap();
    }
    fs::remove_file(item(root, "e")).unwrap();
}

#[test]
fn damaged_state_and_a_change_never_give_a_wrong_page() {
    let site = Damaged::new();
    let changed = tempfile::tempdir().unwrap();
    copy_sources(site.folder.path(), changed.path());
    change(changed.path());
    let right = first_build(changed.path());
    for (name, bytes) in site.files() {
        for at in places(bytes.len()) {
            fs::write(site.file(name), &bytes[..at]).unwrap();
            is_never_wrong(&site, &right, &format!("{name} is cut off at {at}"));
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            fs::write(site.file(name), other).unwrap();
            is_never_wrong(&site, &right, &format!("another bit at {at} of {name}"));
        }
    }
}

/// Damaged state that was believed would show what was right at another time.
#[test]
fn damaged_state_does_not_hold_back_what_time_brings() {
    let site = Damaged::new();
    let day = 24 * 60 * 60;
    let item = site.path("content/items/later.md");
    fs::write(item, "+++\nid = \"later\"\ndate = 2026-06-02\n+++\nLater.\n").unwrap();
    wait::settled(site.folder.path());
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
