//! A site may be anyone's, its repository too: nothing that the repository's own configuration names is run.

use std::process::Command;

use serde_json::{Value, json};

use crate::editor::documents::person;
use crate::support::git::git_at;
use crate::support::program;
use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};

/// Keys of a repository's configuration that name programs; `%` stands for one that leaves a mark.
const KEYS: [&str; 34] = [
    "filter.evil.clean=%", "filter.evil.smudge=%", "filter.evil.process=%",
    "filter.evil.required=true", "diff.external=%", "diff.evil.command=%", "diff.evil.textconv=%",
    "merge.evil.driver=%", "core.fsmonitor=%", "core.hooksPath=hooks", "core.pager=%",
    "pager.log=%", "pager.diff=%", "core.editor=%", "sequence.editor=%", "core.askPass=%",
    "core.sshCommand=%", "core.gitProxy=%", "core.alternateRefsCommand=%", "credential.helper=!%",
    "gpg.program=%", "gpg.ssh.program=%", "gpg.ssh.defaultKeyCommand=%", "log.showSignature=true",
    "alias.log=!%", "alias.ls-tree=!%", "alias.diff=!%", "remote.origin.url=ext::%",
    "remote.origin.promisor=true", "remote.origin.uploadpack=%", "remote.origin.vcs=evil",
    "extensions.partialClone=origin", "protocol.ext.allow=always", "trailer.evil.command=%",
];

/// The programs that git runs by their own when they are there.
const HOOKS: [&str; 4] =
    ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"];

const EVENT: &str = "+++\nid = \"a\"\nstart = 2026-11-20\n+++\n";

/// A committed site with a calendar, of which every file has every attribute that names a program.
fn committed() -> SmallSite {
    let site = site()
        .with(".gitignore", "public\n.feedwright\nran*\n")
        .with(".gitattributes", "* filter=evil diff=evil merge=evil\n")
        .with("content/calendars/shows/a.md", EVENT)
        .with("content/calendars/shows/b.md", EVENT.replace("\"a\"", "\"b\""));
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "-A"]);
    git_at(site.root(), "", &["commit", "-qm", "All"]);
    site
}

/// Makes a program that leaves a mark in the site when it runs.
#[cfg(unix)]
fn program(site: &SmallSite, path: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let mark = site.root().join("ran");
    site.write(path, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\nexec cat\n", mark.display()));
    let path = site.root().join(path);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[cfg(unix)]
fn configure_hostile_programs(site: &SmallSite) {
    let evil = program(site, ".git/evil");
    for hook in HOOKS {
        program(site, &format!(".git/hooks/{hook}"));
        program(site, &format!("hooks/{hook}"));
    }
    for key in KEYS {
        let (key, value) = key.split_once('=').unwrap();
        git_at(site.root(), "", &["config", key, &value.replace('%', &evil)]);
    }
    // One was saved since, one has another time alone: git has to look into both.
    site.write("content/calendars/shows/a.md", EVENT.replace("20\n", "21\n"));
    site.write("content/calendars/shows/b.md", EVENT.replace("\"a\"", "\"b\""));
}

#[cfg(unix)]
#[test]
fn programs_configured_by_a_repository_are_not_run() {
    let site = committed();
    configure_hostile_programs(&site);
    let ran = || std::fs::read_to_string(site.root().join("ran")).unwrap_or_default();
    // The trap works: whoever looks at the work tree as usual is caught.
    let _ = Command::new("git")
        .current_dir(site.root())
        .args(["diff", "--name-only", "HEAD"])
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output();
    assert!(ran().contains("evil"), "{}", ran());
    std::fs::remove_file(site.root().join("ran")).unwrap();
    for command in ["check", "build"] {
        program::command().args([command, "--site"]).arg(site.root()).output().unwrap();
        assert_eq!(ran(), "", "{command}");
    }
    // Objects that a partial clone lacks are not fetched either.
    let objects = site.root().join(".git/objects");
    for folder in std::fs::read_dir(&objects).unwrap() {
        let folder = folder.unwrap().path();
        if folder.file_name().unwrap().len() == 2 {
            std::fs::rename(&folder, folder.with_extension("gone")).unwrap();
        }
    }
    program::command().args(["check", "--site"]).arg(site.root()).output().unwrap();
    assert_eq!(ran(), "", "a partial clone");
    let root = site.root().to_owned();
    let served = serve(site);
    assert_eq!(served.get("/calendar.ics").status, 200);
    let mark = std::fs::read_to_string(root.join("ran")).unwrap_or_default();
    assert_eq!(mark, "", "serve");
}

/// Opens *Publish*, and answers the paths that it lists.
#[cfg(unix)]
fn listed_paths(served: &Served) -> Vec<String> {
    let standing = person(served).ask("publish", &json!({})).ok();
    let files = standing["commit"]["files"].as_array().cloned();
    let files = files.unwrap_or_else(|| panic!("{standing}"));
    let path = |file: &Value| file["path"].as_str().unwrap().to_owned();
    files.iter().map(path).collect()
}

#[cfg(unix)]
#[test]
fn opening_publish_runs_no_configured_program() {
    let changed = ["content/calendars/shows/a.md", "content/items/new.md", "hooks/"];
    // In the repository's own configuration, in a file that it includes, and in that of a work tree.
    for place in ["config", "included", "config.worktree"] {
        let site = committed();
        configure_hostile_programs(&site);
        site.write("content/items/new.md", "+++\nid = \"new\"\n+++\nNew.\n");
        let config = site.root().join(".git/config");
        let all = std::fs::read_to_string(&config).unwrap();
        let (usual, evil) = all.split_at(all.find("[filter").unwrap());
        let usual = match place {
            "included" => format!("{usual}[include]\n\tpath = included\n"),
            "config.worktree" => format!("{usual}[extensions]\n\tworktreeConfig = true\n"),
            _ => String::new(),
        };
        if !usual.is_empty() {
            std::fs::write(site.root().join(".git").join(place), evil).unwrap();
            std::fs::write(&config, usual).unwrap();
        }
        let served = serve(site);
        let listed = listed_paths(&served);
        for path in changed {
            assert!(listed.iter().any(|one| one.starts_with(path)), "{place}: {listed:?}");
        }
        let mark = std::fs::read_to_string(served.site.root().join("ran"));
        assert_eq!(mark.unwrap_or_default(), "", "{place}");
    }
}

#[cfg(unix)]
#[test]
fn a_filter_that_cannot_be_disabled_is_reported() {
    let site = committed();
    let evil = program(&site, ".git/evil");
    git_at(site.root(), "", &["config", "filter.evil=x.clean", &evil]);
    let served = serve(site);
    let standing = person(&served).ask("publish", &json!({})).ok();
    // The command line of git could not name it.
    assert!(standing["commit"]["trouble"]["message"].as_str().unwrap().contains("filter"));
    let mark = std::fs::read_to_string(served.site.root().join("ran"));
    assert_eq!(mark.unwrap_or_default(), "");
}

/// When an event was last changed, as the calendar's document tells it.
fn changed(site: &SmallSite) -> String {
    site.built();
    let text = site.read("public/calendar.ics");
    let line = text.lines().find(|line| line.starts_with("LAST-MODIFIED:"));
    line.unwrap().to_owned()
}

#[test]
fn line_endings_and_times_do_not_make_a_file_modified() {
    let site = site()
        .with(".gitignore", "public\n.feedwright\n")
        .with("content/calendars/shows/a.md", EVENT);
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "-A"]);
    let at = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    let made = Command::new("git")
        .current_dir(site.root())
        .args(at)
        .args(["commit", "-qm", "All"])
        .env("GIT_COMMITTER_DATE", "2026-02-01T00:00:00Z")
        .env_remove("GIT_DIR")
        .output();
    assert!(made.unwrap().status.success());
    let committed = "LAST-MODIFIED:20260201T000000Z";
    assert_eq!(changed(&site), committed);
    site.write("content/calendars/shows/a.md", EVENT);
    assert_eq!(changed(&site), committed, "written again");
    site.write("content/calendars/shows/a.md", EVENT.replace('\n', "\r\n"));
    assert_eq!(changed(&site), committed, "other line ends");
    site.write("content/calendars/shows/a.md", EVENT.replace("20\n", "21\n"));
    assert_ne!(changed(&site), committed, "another day");
}
