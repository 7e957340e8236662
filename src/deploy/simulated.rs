//! Tests of deploys that are interrupted at any step. The destination is in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use tempfile::TempDir;

use super::run::{deploy, make_plan, mark_announced};
use super::*;
use ::local::store::TEMPORARY;
use builder::Silent;
use model::Config;

/// A destination that fails after a number of steps, as if the program had been killed.
#[derive(Default)]
struct SimulatedPlace {
    files: BTreeMap<String, (Vec<u8>, u64)>,
    steps: u64,
    killed_after: Option<u64>,
}

impl SimulatedPlace {
    fn step(&mut self) -> Result<u64, Fault> {
        if self.killed_after == Some(0) {
            return Err(Fault::permanent("killed", ""));
        }
        self.killed_after = self.killed_after.map(|left| left - 1);
        self.steps += 1;
        Ok(self.steps)
    }

    /// Returns the files of the site, without the record.
    fn texts(&self) -> BTreeMap<&str, &[u8]> {
        let files = self.files.iter().filter(|(path, _)| *path != RECORD);
        files.map(|(path, (bytes, _))| (path.as_str(), bytes.as_slice())).collect()
    }

    /// Returns the files that are missing although the published feed lists them.
    fn missing(&self) -> Vec<String> {
        let Some((feed, _)) = self.files.get("rss.xml") else {
            return Vec::new();
        };
        let names = std::str::from_utf8(feed).unwrap().lines();
        names.filter(|name| !self.files.contains_key(*name)).map(str::to_owned).collect()
    }
}

impl Target for SimulatedPlace {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        let files = self.files.iter().map(|(path, (bytes, tag))| RemoteFile {
            path: path.clone(),
            length: bytes.len() as u64,
            tag: tag.to_string(),
        });
        Ok(files.collect())
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.files.get(path).map(|(bytes, _)| bytes.clone()))
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        let mut tags = Vec::new();
        for file in files {
            let bytes = fs::read(&file.on_disk).unwrap();
            // An interrupted upload leaves half of the file under its temporary name.
            let half = format!("{}{TEMPORARY}", file.path);
            self.step()?;
            self.files.insert(half.clone(), (bytes[..bytes.len() / 2].to_vec(), 0));
            let tag = self.step()?;
            self.files.remove(&half);
            self.files.insert(file.path.clone(), (bytes, tag));
            tags.push(tag.to_string());
            sent(file.length);
        }
        Ok(tags)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let tag = self.step()?;
        self.files.insert(path.to_owned(), (bytes.to_vec(), tag));
        Ok(())
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        for path in paths {
            self.step()?;
            self.files.remove(*path);
        }
        Ok(())
    }
}

/// Builds one version of a site: a few files, and a feed that lists all of them.
fn build(versions: &[Option<u8>]) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let mut feed = String::new();
    for (at, version) in versions.iter().enumerate() {
        let Some(version) = version else { continue };
        let name = match at % 3 {
            0 => format!("media/{at}.mp3"),
            1 => format!("i/{at}/index.html"),
            _ => format!("assets/{at}.css"),
        };
        // All versions have the same length, so that changes cannot be detected by the length.
        write(out.path(), &name, &format!("the file {at} in version {version:03}"));
        feed.push_str(&name);
        feed.push('\n');
    }
    write(out.path(), "rss.xml", &feed);
    out
}

fn write(out: &Path, name: &str, text: &str) {
    let path = out.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn texts(files: &[LocalFile]) -> BTreeMap<&str, Vec<u8>> {
    let text = |file: &LocalFile| fs::read(&file.on_disk).unwrap();
    files.iter().map(|file| (file.path.as_str(), text(file))).collect()
}

fn publish(place: &mut SimulatedPlace, out: &Path, now: Timestamp) -> Result<Deployed, Fault> {
    publish_as(place, out, &terms(now, &Stored::new()))
}

fn publish_as(
    place: &mut SimulatedPlace,
    out: &Path,
    terms: &Terms<'_>,
) -> Result<Deployed, Fault> {
    let output_files = local_files(out, &Config::default())?;
    let plan = make_plan(place, &output_files, terms)?;
    deploy(place, plan, true, &Silent)
}

fn terms(now: Timestamp, stored: &Stored) -> Terms<'_> {
    Terms {
        site: "https://walks.example",
        stored,
        separate: Vec::new(),
        now,
        keep_days: 7,
        takes_over: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No matter how often deploys are interrupted, the next complete deploy finishes the work.
    /// Until then, the feed lists only existing files.
    #[test]
    fn a_killed_deploy_is_finished_by_the_next(
        versions in prop::collection::vec((prop::collection::vec(prop::option::of(0u8..3), 9), 0u64..60, 0i64..10), 1..7),
        last in prop::collection::vec(prop::option::of(0u8..3), 9),
        tampered in prop::option::of(0usize..9),
    ) {
        let mut place = SimulatedPlace::default();
        place.files.insert("verification.html".into(), (b"of another program".to_vec(), 0));
        let mut now: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
        for (version, killed_after, days) in versions {
            let out = build(&version);
            place.killed_after = Some(killed_after);
            let _ = publish(&mut place, out.path(), now);
            prop_assert_eq!(place.missing(), Vec::<String>::new());
            now += SignedDuration::from_hours(24 * days);
        }
        place.killed_after = None;
        // Someone changes a file at the destination manually.
        let known: Vec<String> = place.texts().into_keys().map(str::to_owned).filter(|path| path != "verification.html").collect();
        if let Some(path) = tampered.and_then(|at| known.get(at)) {
            let length = place.files[path].0.len();
            place.files.insert(path.clone(), (vec![b'x'; length], u64::MAX));
        }
        let out = build(&last);
        let untold = publish(&mut place, out.path(), now).unwrap().untold;
        mark_announced(&mut place, &untold).unwrap();
        let output_files = local_files(out.path(), &Config::default()).unwrap();
        let wanted = texts(&output_files);
        let remote = place.texts();
        for (path, text) in &wanted {
            prop_assert_eq!(remote.get(path), Some(&text.as_slice()), "{}", path);
        }
        prop_assert!(remote.contains_key("verification.html"));
        // A further deploy has nothing to do, so it performs no steps.
        let steps = place.steps;
        let again = publish(&mut place, out.path(), now).unwrap();
        prop_assert_eq!((again.put.len(), place.steps), (0, steps));
        // After the grace period, only the site and files that no deploy uploaded remain.
        publish(&mut place, out.path(), now + SignedDuration::from_hours(24 * 7)).unwrap();
        let mut remote = place.texts();
        remote.remove("verification.html");
        let wanted: BTreeMap<&str, &[u8]> = wanted.iter().map(|(path, text)| (*path, text.as_slice())).collect();
        prop_assert_eq!(remote, wanted);
    }
}

#[test]
fn a_file_and_a_folder_of_the_same_name_replace_each_other() {
    let now: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
    let mut place = SimulatedPlace::default();
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(before.path(), "a", "file");
    write(before.path(), "b/c.html", "file");
    write(after.path(), "a/c.html", "file");
    write(after.path(), "b", "file");
    publish(&mut place, before.path(), now).unwrap();
    publish(&mut place, after.path(), now).unwrap();
    let remote: Vec<&str> = place.texts().into_keys().collect();
    assert_eq!(remote, ["a/c.html", "b"]);
}

#[test]
fn concurrent_deploys_are_an_error() {
    let (one, other) = (build(&[Some(1)]), build(&[Some(2), Some(2)]));
    let files = |out: &TempDir| local_files(out.path(), &Config::default()).unwrap();
    let (one, other) = (files(&one), files(&other));
    let stored = Stored::new();
    let terms = terms(Timestamp::UNIX_EPOCH, &stored);
    let mut place = SimulatedPlace::default();
    let plan = make_plan(&mut place, &one, &terms).unwrap();
    // A complete deploy runs between the planning and the execution of another deploy.
    let late = make_plan(&mut place, &other, &terms).unwrap();
    deploy(&mut place, plan, false, &Silent).unwrap();
    let before = place.files.clone();
    let fault = deploy(&mut place, late, false, &Silent).unwrap_err();
    let message = model::Diagnostic::from(fault).to_string();
    assert!(message.contains("another deploy"), "{message}");
    assert_eq!(place.files, before);
}

#[test]
fn files_of_an_interrupted_concurrent_deploy_are_recorded() {
    /// A destination at which a concurrent deploy writes its record before the third read.
    struct ConcurrentPlace(SimulatedPlace, u64);
    impl Target for ConcurrentPlace {
        fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
            self.0.list()
        }
        fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
            self.1 += 1;
            if self.1 == 3 {
                let other = Record { deploy: "another".into(), ..Record::default() };
                self.0.write(path, &other.bytes())?;
            }
            self.0.read(path)
        }
        fn put(
            &mut self,
            files: &[&LocalFile],
            sent: ProgressCallback<'_>,
        ) -> Result<Vec<String>, Fault> {
            self.0.put(files, sent)
        }
        fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
            self.0.write(path, bytes)
        }
        fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
            self.0.delete(paths)
        }
    }
    let out = build(&[Some(1)]);
    let output_files = local_files(out.path(), &Config::default()).unwrap();
    let stored = Stored::new();
    let mut place = ConcurrentPlace(SimulatedPlace::default(), 0);
    let plan =
        make_plan(&mut place, &output_files, &terms(Timestamp::UNIX_EPOCH, &stored)).unwrap();
    assert!(deploy(&mut place, plan, false, &Silent).is_err());
    let noted = Record::parse(&place.0.files[RECORD].0).unwrap();
    assert_eq!(noted.deploy, "another");
    assert!(noted.files.contains_key("media/0.mp3"), "{noted:?}");
}

#[test]
fn files_of_an_interrupted_deploy_are_announced_later() {
    let mut place = SimulatedPlace::default();
    let now = Timestamp::UNIX_EPOCH;
    let out = build(&[None, Some(1), None, None, Some(1)]);
    // The steps are: write the record, upload two pages, write the record again, and upload half of
    // the feed.
    place.killed_after = Some(7);
    publish(&mut place, out.path(), now).unwrap_err();
    place.killed_after = None;
    let all = ["i/1/index.html", "i/4/index.html", "rss.xml"];
    for _ in 0..2 {
        assert_eq!(publish(&mut place, out.path(), now).unwrap().untold, all);
    }
    mark_announced(&mut place, &all.map(str::to_owned)).unwrap();
    let none = Vec::<String>::new();
    assert_eq!(publish(&mut place, out.path(), now).unwrap().untold, none);
}

#[test]
fn a_nested_destination_is_not_changed() {
    let (before, after) = (build(&[Some(1)]), build(&[]));
    let stored = Stored::new();
    let now = Timestamp::UNIX_EPOCH;
    let mut place = SimulatedPlace::default();
    publish(&mut place, before.path(), now).unwrap();
    let separate = |days| Terms {
        separate: vec!["media".into()],
        ..terms(now + SignedDuration::from_hours(24 * i64::from(days)), &stored)
    };
    for days in [0, 100] {
        publish_as(&mut place, after.path(), &separate(days)).unwrap();
    }
    assert!(place.files.contains_key("media/0.mp3"));
    let noted = Record::parse(&place.files[RECORD].0).unwrap();
    assert!(!noted.files.contains_key("media/0.mp3"));
    assert!(publish_as(&mut place, before.path(), &separate(0)).is_err());
}

#[test]
fn another_site_does_not_replace_a_destination() {
    let out = build(&[Some(1)]);
    let stored = Stored::new();
    let mut place = SimulatedPlace::default();
    publish(&mut place, out.path(), Timestamp::UNIX_EPOCH).unwrap();
    let mut other = terms(Timestamp::UNIX_EPOCH, &stored);
    other.site = "https://moved.example";
    let fault = publish_as(&mut place, out.path(), &other).unwrap_err();
    let said = model::Diagnostic::from(fault).to_string();
    assert!(said.contains("--take-over") && said.contains("walks.example"), "{said}");
    other.takes_over = true;
    publish_as(&mut place, out.path(), &other).unwrap();
    other.takes_over = false;
    publish_as(&mut place, out.path(), &other).unwrap();
}

#[test]
fn a_former_version_is_recognized() {
    let stored = Stored::new();
    let terms = terms(Timestamp::UNIX_EPOCH, &stored);
    let mut place = SimulatedPlace::default();
    for version in 0..3 {
        publish(&mut place, build(&[Some(version)]).path(), terms.now).unwrap();
    }
    for (version, is_former) in [(0, true), (1, true), (2, false), (3, false)] {
        let out = build(&[Some(version)]);
        let output_files = local_files(out.path(), &Config::default()).unwrap();
        let plan = make_plan(&mut place, &output_files, &terms).unwrap();
        assert_eq!(plan.outdated.contains("media/0.mp3"), is_former, "{version}");
    }
}

#[test]
fn a_newer_record_is_not_changed_and_a_damaged_one_is_ignored() {
    assert!(Record::parse(br#"{"version":2,"deploy":"x","files":{}}"#).is_err());
    assert!(Record::parse(br#"{"version":2,"files":["another","shape"]}"#).is_err());
    assert_eq!(Record::parse(b"{\"version\":1,\"fil").unwrap(), Record::default());
}

#[test]
fn files_of_another_deploy_stay_unannounced() {
    let mut place = SimulatedPlace::default();
    let now = Timestamp::UNIX_EPOCH;
    let first = publish(&mut place, build(&[None, Some(1)]).path(), now).unwrap();
    // A second deploy runs while the first one is being announced.
    let second = build(&[None, Some(1), None, None, Some(1)]);
    publish(&mut place, second.path(), now).unwrap();
    mark_announced(&mut place, &first.untold).unwrap();
    let left = publish(&mut place, second.path(), now).unwrap().untold;
    assert_eq!(left, ["i/4/index.html"]);
}

#[test]
fn a_folder_with_a_record_is_a_separate_destination() {
    let (before, after) = (build(&[Some(1)]), build(&[]));
    let now = Timestamp::UNIX_EPOCH;
    let mut place = SimulatedPlace::default();
    publish(&mut place, before.path(), now).unwrap();
    let noted = format!("media/{RECORD}");
    place.files.insert(noted.clone(), (b"{}".to_vec(), 0));
    for days in [0, 100] {
        let now = now + SignedDuration::from_hours(24 * days);
        publish(&mut place, after.path(), now).unwrap();
    }
    assert!(place.files.contains_key("media/0.mp3") && place.files.contains_key(&noted));
    assert!(publish(&mut place, before.path(), now).is_err());
}
