//! Builds of a site that was built before, after no edit or one edit.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::change::Change;
use super::generators::Kind;
use super::measured::{Runs, measure, try_measure};
use super::table::{mebibytes, print, ratio, seconds};
use super::{Bench, change, corpus};

/// Wait before an edit. Long enough for the modification time to distinguish the edited file from
/// the previous version.
const SETTLE: Duration = Duration::from_millis(400);

/// Prints the table of builds after an edit.
pub fn run(bench: &Bench) {
    let own = &bench.generators[0];
    let site = bench.place.join("default");
    corpus::make(&site, bench.items);
    change::add_theme(&site);
    sleep(SETTLE);
    let build = || measure(&own.build(&site));
    let mut full = Runs::default();
    full.push(build());
    let names = ["nothing changed", "nothing changed, right after a save"];
    let names = names.into_iter().chain(Change::ALL.map(Change::name));
    let mut cases: Vec<(&str, Runs)> = names.map(|name| (name, Runs::default())).collect();
    for round in 1..=bench.runs {
        own.clean(&site);
        full.push(build());
        sleep(SETTLE);
        build();
        cases[0].1.push(build());
        Change::Text.make(&site, round);
        build();
        cases[1].1.push(build());
        for (case, change) in cases[2..].iter_mut().zip(Change::ALL) {
            sleep(SETTLE);
            change.make(&site, bench.runs + round);
            case.1.push(build());
        }
    }
    println!("\nThe same site again, default output");
    let cells = |(name, runs): &(&str, Runs)| {
        let wall = runs.wall();
        vec![
            (*name).to_owned(),
            seconds(wall),
            seconds(runs.cpu()),
            mebibytes(runs.peak()),
            ratio(wall, full.wall()),
        ]
    };
    let mut rows: Vec<_> = cases.iter().map(cells).collect();
    let _ = fs::remove_dir_all(&site);
    for (name, runs) in measure_peers(bench) {
        let mut row = cells(&(name, runs));
        row[0] = format!("{name}: one item changed in its text");
        "–".clone_into(&mut row[4]);
        rows.push(row);
    }
    print(&["built again", "wall", "CPU", "peak", "to a full build"], &rows);
}

/// Measures builds by the peers after one item's text changed.
fn measure_peers(bench: &Bench) -> Vec<(&'static str, Runs)> {
    let mut all = Vec::new();
    for generator in bench.generators.iter().filter(|other| other.kind != Kind::Feedwright) {
        let site = bench.place.join(generator.name());
        generator.make_site(&site, bench.items);
        if try_measure(&generator.build(&site)).is_err() {
            continue;
        }
        let mut runs = Runs::default();
        for round in 1..=bench.runs {
            if runs.total() <= bench.time_limit {
                sleep(SETTLE);
                generator.change(&site, round);
                runs.push(measure(&generator.build(&site)));
            }
        }
        all.push((generator.name(), runs));
        let _ = fs::remove_dir_all(&site);
    }
    all
}
