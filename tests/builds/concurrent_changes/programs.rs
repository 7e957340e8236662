//! Builds of other programs: at once, killed, and by someone who may not do everything.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::{EVENTS, ITEM, assert_correct_build, first_build, round_count, site_with_events};
use crate::builds::incremental_builds::site::assert_same;
use crate::support::needs::missing;
use crate::support::program;
use crate::support::small_site::{SmallSite, tree};
use crate::support::wait;

/// The built program, building.
fn program(site: &Path) -> Command {
    let mut command = program::command();
    command.args(["build", "--site"]).arg(site);
    command.env("SOURCE_DATE_EPOCH", "1780315200");
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn succeed(children: impl IntoIterator<Item = Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn concurrent_builds_of_one_site_are_both_correct() {
    let site = site_with_events();
    let aside = tempfile::tempdir().unwrap();
    let aside = aside.path().join("aside");
    for round in 0..round_count(6) {
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
        assert_correct_build(&site, "undone");
    }
}

/// One builds what is published, the other drafts as well, into the same folder, while the sources change.
#[test]
fn different_builds_into_one_folder_leave_one_complete_result() {
    let site = site_with_events();
    site.write("content/items/draft.md", "+++\nid = \"draft\"\ndraft = true\n+++\nDraft.\n");
    for round in 0..round_count(6) {
        let published = program(site.root()).spawn().unwrap();
        let with_drafts = program(site.root()).arg("--drafts").spawn().unwrap();
        let (_, happen, undo) = EVENTS[[0, 2, 5, 9][round % 4]];
        happen(&site);
        succeed([published, with_drafts]);
        assert_correct_build(&site, "afterwards");
        undo(&site);
        assert_correct_build(&site, "undone");
    }
}

/// How often a build is killed: more often where `FEEDWRIGHT_KILLS` says so.
fn kill_count() -> u32 {
    let chosen = std::env::var("FEEDWRIGHT_KILLS").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(14)
}

#[test]
fn the_build_after_a_killed_build_is_correct() {
    let site = site_with_events();
    let start = Instant::now();
    site.write("content/items/z.md", "+++\nid = \"z\"\n+++\nBefore.\n");
    succeed([program(site.root()).spawn().unwrap()]);
    let whole = start.elapsed();
    let mut killed = 0;
    for at in 0..kill_count() {
        let (name, happen, undo) = EVENTS[[0, 2, 3, 5, 6, 8, 9, 10][at as usize % 8]];
        happen(&site);
        if at % 4 == 3 {
            site.remove("public");
        }
        let mut child = program(site.root()).spawn().unwrap();
        wait::pause(whole * (at * 7 % kill_count()) / kill_count());
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        // It goes on from there, or all is as it was before.
        if at % 2 == 0 {
            undo(&site);
        }
        assert_correct_build(&site, name);
        undo(&site);
        assert_correct_build(&site, name);
    }
    assert!(killed > 0, "no build was killed before it ended");
}

/// A build by someone who may not write, or not read, here or there. What root may do, root does as nobody.
#[cfg(unix)]
mod permissions {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Lets everybody read and write everything of a site.
    fn allow_everyone(site: &SmallSite) {
        for entry in walkdir::WalkDir::new(site.root()) {
            let entry = entry.unwrap();
            set_mode(entry.path(), if entry.file_type().is_dir() { 0o777 } else { 0o666 });
        }
    }

    /// Builds: whether it went well, and what was said. None where nobody may run the program.
    fn build_as_unprivileged_user(site: &SmallSite) -> Option<(bool, String)> {
        let mut command = program(site.root());
        if site.root().metadata().unwrap().uid() == 0 {
            command.uid(65_534).gid(65_534);
        }
        let Ok(output) = command.stderr(Stdio::piped()).output() else {
            missing("a program that nobody may run");
            return None;
        };
        let error_text = String::from_utf8_lossy(&output.stderr).into_owned();
        Some((output.status.success(), error_text))
    }

    #[test]
    fn a_folder_without_create_permission_is_an_error() {
        let site = site_with_events();
        site.remove("public");
        allow_everyone(&site);
        set_mode(site.root(), 0o555);
        let Some((went_well, error_text)) = build_as_unprivileged_user(&site) else {
            return;
        };
        set_mode(site.root(), 0o755);
        assert!(!went_well);
        assert!(error_text.contains("public cannot be written"), "{error_text}");
    }

    #[test]
    fn missing_permissions_are_errors_and_never_wrong_pages() {
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
            let site = site_with_events();
            let before = site.output();
            (EVENTS[0].1)(&site);
            (EVENTS[5].1)(&site);
            (EVENTS[8].1)(&site);
            allow_everyone(&site);
            set_mode(&site.path(path), mode);
            let Some((went_well, error_text)) = build_as_unprivileged_user(&site) else {
                return;
            };
            allow_everyone(&site);
            if went_well {
                assert_same(&site.output(), &first_build(&site.options()).unwrap());
            } else {
                let name = path.rsplit('/').next().unwrap();
                assert!(
                    error_text.contains(name) && error_text.contains("help"),
                    "{path}: {error_text}"
                );
                if is_whole {
                    assert_same(&site.output(), &before);
                }
            }
            assert_correct_build(&site, path);
        }
    }
}
