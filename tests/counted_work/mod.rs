//! What a build costs, in things that can be counted: files, documents, calls of the system, instructions. Seconds
//! differ from machine to machine and from run to run; these do not, so that a build which begins to do more than
//! it has to is seen in the commit that makes it so.
//!
//! The numbers are held to those in `calls.txt` and `instructions.txt`. Where a change is meant, record them anew:
//! `UPDATE=1 cargo nextest run -E 'test(/^counted_work::/)'`.
#![cfg(target_os = "linux")]

#[path = "../../benches/corpus/change.rs"]
mod change;
#[path = "../../benches/corpus/mod.rs"]
mod corpus;
mod instructions;
mod record;
mod system_calls;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::SystemTime;

use crate::support::needs::missing;
use crate::support::small_site::{self, SmallSite};
use crate::support::wait;
use change::Change;

/// Only what other generators write too.
const EQUAL_WORK: &str = "base_url = \"https://bench.example\"\n[feed]\narchive = false\n[output]\nitem_json = false\n\
    item_rss = false\nsearch = false\n[hosting]\ntargets = [\"netlify\"]\n[social]\ncards = false\n";

/// Brings a site of so many items to the start of each case, and calls `count`, which has to build it.
fn for_each_case(items: usize, mut count: impl FnMut(&'static str, &SmallSite)) {
    let site = small_site::bare();
    corpus::make(site.root(), items);
    change::add_theme(site.root());
    wait::settled(site.root());
    count("full build, default output", &site);
    count("nothing changed", &site);
    save_during_build(&site);
    wait::settled(site.root());
    count("nothing changed, right after a save", &site);
    for change in Change::ALL {
        change.make(site.root(), 1);
        wait::settled(site.root());
        count(change.name(), &site);
    }
    fs::remove_dir_all(site.path("public")).unwrap();
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.write("site.toml", EQUAL_WORK);
    wait::settled(site.root());
    count("full build, equal work", &site);
}

/// A build that cannot trust the times of an item: it is saved as long as the build runs.
fn save_during_build(site: &SmallSite) {
    let file = corpus::item_file(site.root(), change::CHANGED_ITEM);
    let file = fs::File::options().write(true).open(file).unwrap();
    let is_built = AtomicBool::new(false);
    scope(|scope| {
        scope.spawn(|| {
            wait::until(|| {
                file.set_modified(SystemTime::now()).unwrap();
                is_built.load(Ordering::Relaxed)
            });
        });
        run(build(&mut program(), site.root()));
        is_built.store(true, Ordering::Relaxed);
    });
}

/// The program itself, or what runs it, with nothing of this environment but where programs are.
fn command(name: &str) -> Command {
    let mut command = Command::new(name);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        // Two threads would race each other to what both need.
        .env("RAYON_NUM_THREADS", "1")
        .env("SOURCE_DATE_EPOCH", "1775044800");
    command
}

fn program() -> Command {
    command(env!("CARGO_BIN_EXE_feedwright"))
}

fn build<'c>(command: &'c mut Command, site: &Path) -> &'c mut Command {
    command.args(["build", "--json", "--site"]).arg(site)
}

/// What a command that succeeds prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether a command works here. It has to in CI, and to record numbers.
fn is_usable(command: &mut Command, what: &str) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    if quiet.status().is_ok_and(|status| status.success()) {
        return true;
    }
    let needs = command.get_program().display().to_string();
    let is_recorded = std::env::var_os("UPDATE").is_some();
    assert!(!is_recorded, "{what} cannot be counted without {needs}");
    missing(&needs);
    false
}
