//! Full builds by feedwright and its peers (the other generators), compared with baselines: copying
//! the output and a bare loop.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bare_loop;
use super::generators::{Generator, Kind};
use super::machine::folder_size;
use super::measured::{Runs, copy, try_measure};
use super::table::{group_digits, mebibytes, megabytes, print, ratio, seconds};
use super::{Bench, corpus};

/// A case with its measured builds and measured copies of its output.
struct Row {
    name: String,
    site: PathBuf,
    work: Work,
    runs: Runs,
    copies: Runs,
    /// Number of files and bytes in the output.
    size: (u64, u64),
    has_failed: bool,
}

enum Work {
    Build(Generator),
    BareLoop,
}

impl Row {
    fn new(name: &str, site: PathBuf, work: Work) -> Self {
        Self {
            name: name.to_owned(),
            site,
            work,
            runs: Runs::default(),
            copies: Runs::default(),
            size: (0, 0),
            has_failed: false,
        }
    }

    fn run(&mut self) {
        let out = self.site.join("public");
        let command = match &self.work {
            Work::Build(generator) => {
                generator.clean(&self.site);
                generator.build(&self.site)
            }
            Work::BareLoop => {
                let _ = fs::remove_dir_all(&out);
                fs::create_dir(&out).expect("a folder can be made");
                let mut command =
                    Command::new(std::env::current_exe().expect("this program has a file"));
                command.arg(bare_loop::CHILD).arg(self.site.join("content/items")).arg(&out);
                command
            }
        };
        match (try_measure(&command), &self.work) {
            (Ok(measured), _) => self.runs.push(measured),
            // Some peers fail to build this many items.
            (Err(errors), Work::Build(other)) if other.kind != Kind::Feedwright => {
                eprintln!("{} does not build the site: {errors}", self.name);
                self.has_failed = true;
                return;
            }
            (Err(errors), _) => panic!("{command:?}: {errors}"),
        }
        self.size = folder_size(&out);
        self.copies.push(copy(&out));
        // Keeps one output at a time: for 100,000 items it takes gigabytes.
        fs::remove_dir_all(out).expect("the output can be removed");
    }
}

/// Prints the table of full builds.
pub fn run(bench: &Bench) {
    let mut rows = rows(bench);
    for _ in 0..bench.runs {
        for row in &mut rows {
            if !row.has_failed && row.runs.total() <= bench.time_limit {
                row.run();
            }
        }
    }
    let (_, corpus) = folder_size(&rows[0].site.join("content"));
    println!("\nFull builds, {} of Markdown", megabytes(corpus));
    // The time that the bare loop and the peers are compared with.
    let equal = rows[EQUAL_WORK_ROW].runs.wall();
    let cells = |row: &Row| {
        let wall = row.runs.wall();
        vec![
            row.name.clone(),
            seconds(wall),
            seconds(row.runs.cpu()),
            mebibytes(row.runs.peak()),
            group_digits(row.size.0),
            megabytes(row.size.1),
            ratio(wall, row.copies.wall()),
            ratio(equal, wall),
        ]
    };
    let built = rows.iter().filter(|row| !row.runs.is_empty());
    let cells: Vec<_> = built.map(cells).collect();
    print(
        &["full build", "wall", "CPU", "peak", "files", "bytes", "to `cp -r`", "equal work to it"],
        &cells,
    );
    let _ = fs::remove_dir_all(&bench.place);
}

/// Index of the row "feedwright, equal work".
const EQUAL_WORK_ROW: usize = 1;

fn rows(bench: &Bench) -> Vec<Row> {
    let place = |name: &str| bench.place.join(name);
    let own = &bench.generators[0];
    assert!(own.kind == Kind::Feedwright, "feedwright is there");
    corpus::make(&place("default"), bench.items);
    own.make_site(&place("equal"), bench.items);
    let toml = place("equal").join("site.toml");
    let equal = fs::read_to_string(&toml).expect("the site was made");
    fs::write(&toml, equal.replace("theme = \"plain\"\n", "")).expect("the site can be changed");
    let mut rows = vec![
        Row::new("feedwright, default output", place("default"), Work::Build(own.clone())),
        Row::new("feedwright, equal work", place("equal"), Work::Build(own.clone())),
    ];
    for generator in &bench.generators {
        let site = place(generator.name());
        generator.make_site(&site, bench.items);
        let name = match generator.kind {
            Kind::Feedwright => "feedwright, equal work, templates as its peers",
            _ => generator.name(),
        };
        rows.push(Row::new(name, site, Work::Build(generator.clone())));
    }
    let site = copy_bare_site(&place("default"), &place("bare-loop"));
    rows.push(Row::new("bare loop", site, Work::BareLoop));
    rows
}

/// Copies the content to a separate folder, where the bare loop writes its output.
fn copy_bare_site(from: &Path, to: &Path) -> PathBuf {
    fs::create_dir_all(to).expect("a folder can be made");
    let status = Command::new("cp").arg("-r").arg(from.join("content")).arg(to).status();
    assert!(status.is_ok_and(|status| status.success()), "the content can be copied");
    to.to_path_buf()
}
