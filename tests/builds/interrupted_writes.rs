//! What a killed program left half done is completed or removed by the next command, whichever it is.

use std::fs;
use std::process::Command;

use feedwright::builder;
use feedwright::state::{FileStep, JournalEntry, State};
use jiff::Timestamp;

use crate::support::program;
use crate::support::small_site::{SmallSite, feedwright, site};

const TEXT: &str = "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"A walk\"\n+++\n\nText.\n";

/// A site with an item that was being converted when the program was killed: the new file is there, and the former one, too.
fn half_converted_site() -> SmallSite {
    let site = site().with("content/items/walk.md", TEXT).with("content/items/walk.html", TEXT);
    let state = State::open(site.root()).unwrap();
    let entry = JournalEntry {
        operation: "updateItem".into(),
        subject: "walk".into(),
        time: Timestamp::now(),
        path: None,
        key_id: "key".into(),
        causation: None,
        correlation: None,
    };
    let steps = [
        FileStep { path: "content/items/walk.html".into(), before: None, text: None },
        FileStep {
            path: "content/items/walk.md".into(),
            before: Some(FileStep::hash(TEXT.as_bytes())),
            text: None,
        },
    ];
    // A note that is dropped without an end is what a killed program leaves.
    drop(state.record_write(&entry, &steps, None).unwrap());
    site
}

fn assert_converted(site: &SmallSite) {
    assert!(!site.exists("content/items/walk.md"));
    assert!(site.exists("content/items/walk.html"));
    let state = State::open(site.root()).unwrap();
    assert!(state.unfinished_writes().unwrap().is_empty());
    assert_eq!(fs::read_dir(site.path(".feedwright/unfinished")).unwrap().count(), 0);
}

#[test]
fn a_build_completes_an_interrupted_conversion() {
    let site = half_converted_site();
    assert_eq!(site.built().items, 1);
    assert_converted(&site);
}

#[test]
fn a_check_completes_an_interrupted_conversion() {
    let site = half_converted_site();
    let (code, _, messages) = feedwright(&site, &["check"]);
    assert_eq!(code, 0, "{messages}");
    assert_converted(&site);
}

#[test]
fn an_unstarted_write_is_rolled_back_and_author_saves_are_kept() {
    let site = half_converted_site();
    site.remove("content/items/walk.html");
    site.built();
    assert_eq!(site.read("content/items/walk.md"), TEXT);
    let site = half_converted_site();
    let saved = TEXT.replace("Text.", "What I wrote since.");
    site.write("content/items/walk.md", &saved);
    let _ = site.build();
    assert_eq!(site.read("content/items/walk.md"), saved);
}

#[test]
fn temporary_files_of_dead_processes_are_removed() {
    let mut child = program::command();
    let mut child = child.arg("--version").stdout(std::process::Stdio::null()).spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let own = std::process::id();
    let site = site()
        .with(format!("content/items/.a.md.{dead}-1.feedwright-new").as_str(), "half")
        .with(format!(".site.toml.{dead}-2.feedwright-new").as_str(), "half")
        .with(format!("content/items/.b.md.{own}-1.feedwright-new").as_str(), "half")
        .with("content/items/.mine.feedwright-new", "mine");
    builder::run(&site.options(), &builder::Silent).unwrap();
    assert!(!site.exists(&format!("content/items/.a.md.{dead}-1.feedwright-new")));
    assert!(!site.exists(&format!(".site.toml.{dead}-2.feedwright-new")));
    assert!(site.exists(&format!("content/items/.b.md.{own}-1.feedwright-new")));
    assert!(site.exists("content/items/.mine.feedwright-new"));
}

#[test]
fn git_ignores_the_temporary_files_of_a_new_site() {
    let folder = tempfile::tempdir().unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).current_dir(folder.path()).args(arguments).output();
        let output = output.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    run("git", &["init", "-q"]);
    run(env!("CARGO_BIN_EXE_feedwright"), &["init", "."]);
    for path in ["content/items/.walk.md.12-1.feedwright-new", ".public.feedwright-new/index.html"]
    {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "half").unwrap();
    }
    let status = run("git", &["status", "--porcelain", "-uall"]);
    assert!(status.contains("content/"), "{status}");
    assert!(!status.contains("feedwright-new"), "{status}");
}

#[test]
fn two_formats_of_one_text_never_get_different_ids() {
    for (first, second) in [
        ("content/items/walk.md", "content/items/walk.html"),
        ("content/items/walk.md", "content/items/walk/index.html"),
        ("content/pages/walk.md", "content/pages/walk.html"),
    ] {
        let report = site().with(first, TEXT).with(second, TEXT).report();
        assert!(report.contains("the same content in different formats"), "{report}");
    }
}
