//! Local state that is damaged, cut off, of another version or of another site.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use feedwright::builder::{self, Silent};
use tempfile::TempDir;

use super::{NOW, Tree, change, first_build, item, options, restore};
use crate::builds::incremental_builds::site::{assert_same, copy_sources};
use crate::builds::output::full_site;
use crate::support::small_site::{SmallSite, tree};
use crate::support::wait;

/// A site whose Site File is not valid any more: its last valid text is published.
fn site_with_fallback() -> SmallSite {
    let site = full_site().with("site-files/data.json", "{ \"title\": \"{{{title}}}\" }");
    site.built();
    site.write("site-files/data.json", "{ \"title\": {{{title}}} }");
    site.built();
    site
}

/// The local state but the last valid texts, which cannot be made again.
fn remove_caches(site: &SmallSite) {
    for name in tree(&site.path(".feedwright")).into_keys() {
        if !name.starts_with("site-files/") {
            site.remove(&format!(".feedwright/{name}"));
        }
    }
}

#[test]
fn a_fallback_text_is_found_without_the_output_list() {
    let site = site_with_fallback();
    let before = site.output();
    remove_caches(&site);
    site.built();
    assert_same(&site.output(), &before);
}

#[test]
fn a_truncated_text_is_never_a_fallback() {
    let site = site_with_fallback();
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
struct DamagedSite {
    folder: TempDir,
    output: Tree,
    state: Tree,
}

impl DamagedSite {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_sources(full_site().root(), folder.path());
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

    /// The files that are not empty. Files in one folder are all of one kind, so only the first is
    /// included.
    fn files(&self) -> impl Iterator<Item = (&String, &Vec<u8>)> {
        let mut folders = BTreeSet::new();
        let filled = self.state.iter().filter(|(_, bytes)| !bytes.is_empty());
        filled.filter(move |(name, _)| {
            name.rsplit_once('/').is_none_or(|(folder, _)| folders.insert(folder))
        })
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
    fn assert_correct(&self, why: &str) {
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
fn sample_offsets(length: usize) -> impl Iterator<Item = usize> {
    let chosen = std::env::var("FEEDWRIGHT_CASES").ok();
    let many = chosen.and_then(|text| text.parse().ok()).unwrap_or(24);
    let step = (length / many).max(1);
    (0..length).step_by(step)
}

#[test]
fn truncated_state_is_harmless() {
    let site = DamagedSite::new();
    for (name, bytes) in site.files() {
        for at in sample_offsets(bytes.len()) {
            fs::write(site.file(name), &bytes[..at]).unwrap();
            site.assert_correct(&format!("{name} is cut off at {at}"));
        }
    }
}

#[test]
fn corrupted_state_is_harmless() {
    let site = DamagedSite::new();
    for (name, bytes) in site.files() {
        for at in sample_offsets(bytes.len()) {
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            fs::write(site.file(name), other).unwrap();
            site.assert_correct(&format!("another bit at {at} of {name}"));
        }
    }
}

#[test]
fn state_of_another_version_is_harmless() {
    let site = DamagedSite::new();
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
            site.assert_correct(&format!("{name}, {at}"));
        }
    }
}

#[test]
fn missing_state_is_harmless() {
    let site = DamagedSite::new();
    for (name, _) in site.files() {
        fs::remove_file(site.file(name)).unwrap();
        site.assert_correct(name);
    }
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.assert_correct("everything");
}

/// Files that hold what another of them should: a cache that mixed them up.
#[test]
fn swapped_state_files_are_harmless() {
    let site = DamagedSite::new();
    let files: Vec<_> = site.files().collect();
    for (name, _) in &files {
        for (other, bytes) in files.iter().filter(|(other, _)| other != name) {
            fs::write(site.file(name), bytes).unwrap();
            site.assert_correct(&format!("{name} holds {other}"));
        }
    }
}

/// A folder, or something that nobody can read, in place of a file: the build says what is in its way, or does
/// without.
#[cfg(unix)]
#[test]
fn unreadable_state_is_an_error_or_harmless() {
    let site = DamagedSite::new();
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
fn assert_never_wrong(site: &DamagedSite, right: &Tree, why: &str) {
    let root = site.folder.path();
    let before = ["a", "d"].map(|name| fs::read(item(root, name)).unwrap());
    change(root);
    match site.build(NOW) {
        Ok(()) => assert!(tree(&site.path("public")) == *right, "{why}"),
        Err(found) => {
            assert!(
                found
                    .iter()
                    .any(|line| line.contains("block the build")
                        || line.contains("was not written by")),
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
fn a_change_with_damaged_state_never_builds_a_wrong_page() {
    let site = DamagedSite::new();
    let changed = tempfile::tempdir().unwrap();
    copy_sources(site.folder.path(), changed.path());
    change(changed.path());
    let right = first_build(changed.path());
    for (name, bytes) in site.files() {
        for at in sample_offsets(bytes.len()) {
            fs::write(site.file(name), &bytes[..at]).unwrap();
            assert_never_wrong(&site, &right, &format!("{name} is cut off at {at}"));
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            fs::write(site.file(name), other).unwrap();
            assert_never_wrong(&site, &right, &format!("another bit at {at} of {name}"));
        }
    }
}

/// Damaged state that was believed would show what was right at another time.
#[test]
fn damaged_state_does_not_delay_scheduled_items() {
    let site = DamagedSite::new();
    let day = 24 * 60 * 60;
    let item = site.path("content/items/later.md");
    fs::write(item, "+++\nid = \"later\"\ndate = 2026-06-02\n+++\nLater.\n").unwrap();
    wait::settled(site.folder.path());
    site.build(NOW).unwrap();
    let site = DamagedSite {
        output: tree(&site.path("public")),
        state: tree(&site.path(".feedwright")),
        ..site
    };
    let mut wrong = Vec::new();
    for (name, bytes) in site.files() {
        for at in sample_offsets(bytes.len()) {
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
