//! Time that the search index adds to a build, and size of the index.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::change::Change;
use super::machine::folder_size;
use super::measured::{Runs, measure};
use super::site::{ITEMS_PER_TRANSCRIPT, Site, text_bytes};
use super::table::{group_digits, mebibytes, megabytes, print, seconds};
use super::{Bench, folder};

/// Wait before an edit. Long enough for the modification time to distinguish the edited file from
/// the previous version.
const SETTLE: Duration = Duration::from_millis(400);

/// Prints the tables of builds. Returns the site with its search index.
pub fn run(bench: &Bench) -> Site {
    let with = Site::make(&bench.place.join("with"), &bench.program, bench.items);
    let without = with.copy(&bench.place.join("without"));
    with.set_search(true);
    without.set_search(false);
    sleep(SETTLE);
    let full = build_alternately(bench.runs, &with, &without, |site, _| site.clean());
    let changed = build_alternately(bench.runs, &with, &without, |site, round| {
        sleep(SETTLE);
        Change::Text.make(&site.root, round);
    });
    // Keeps only one site at a time, because the built sites are large.
    let _ = fs::remove_dir_all(&without.root);
    let is_equal = has_clean_index(bench, &with);
    println!(
        "\nBuilds of {} items and {} transcripts of an hour, default output",
        group_digits(bench.items as u64),
        group_digits((bench.items / ITEMS_PER_TRANSCRIPT) as u64)
    );
    print(
        &["build", "with search", "without", "on top", "ratio", "aim", "peak with", "peak without"],
        &[row("full", &full, "0.25"), row("one item changed in its text", &changed, "0.1 s")],
    );
    size(bench, &with, is_equal);
    with
}

/// Builds both sites alternately and runs `prepare` before each build.
fn build_alternately(
    rounds: usize,
    with: &Site,
    without: &Site,
    prepare: impl Fn(&Site, usize),
) -> [Runs; 2] {
    let mut runs = [Runs::default(), Runs::default()];
    for round in 1..=rounds {
        for (site, runs) in [with, without].into_iter().zip(&mut runs) {
            prepare(site, round);
            runs.push(measure(&site.build()));
        }
    }
    runs
}

fn row(name: &str, [with, without]: &[Runs; 2], aim: &str) -> Vec<String> {
    let (one, other) = (with.wall().as_secs_f64(), without.wall().as_secs_f64());
    vec![
        name.to_owned(),
        seconds(with.wall()),
        seconds(without.wall()),
        format!("{:.3} s", one - other),
        format!("{:.2}", (one - other) / other),
        aim.to_owned(),
        mebibytes(with.peak()),
        mebibytes(without.peak()),
    ]
}

/// Checks whether the index after changes is identical to the index of a clean build.
fn has_clean_index(bench: &Bench, site: &Site) -> bool {
    let anew = site.copy(&bench.place.join("anew"));
    measure(&anew.build());
    let is_equal = files(&anew.index()) == files(&site.index());
    let _ = fs::remove_dir_all(&anew.root);
    is_equal
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|file| {
            let path = file.path();
            let inner = path.strip_prefix(folder).expect("below the folder");
            let bytes = fs::read(path).expect("the index can be read");
            (inner.to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

fn size(bench: &Bench, site: &Site, is_equal: bool) {
    let (files, bytes) = folder_size(&site.index());
    let text = text_bytes(bench.items);
    let row = |name: &str, value: String, aim: &str| vec![name.to_owned(), value, aim.to_owned()];
    let mut rows = vec![
        row(
            "after a change equal to a new one",
            if is_equal { "yes" } else { "no" }.to_owned(),
            "yes",
        ),
        row("files", group_digits(files), "600"),
        row("bytes", megabytes(bytes), ""),
        row("text", megabytes(text), ""),
        row("share of the text", format!("{:.3}", bytes as f64 / text as f64), "0.2"),
    ];
    for (kind, (files, bytes)) in folder::sizes(&site.index()) {
        let value = format!("{} files, {}", group_digits(files), megabytes(bytes));
        rows.push(row(&format!("– {}", kind.name()), value, ""));
    }
    print(&["index", "measured", "aim"], &rows);
}
