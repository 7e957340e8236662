//! The rooms' imports as a map.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::circles::{self, Graph, Index};
use crate::house::House;
use crate::rules::{Tree, files};

/// A room's place in the order, and its name.
type Room<'r> = (usize, &'r str);

/// What each room uses, with the number of imports; `!` stands before what runs back. Then the files
/// that stand in circles between rooms.
pub fn of(tree: &Tree, house: &House) -> String {
    let files = files(tree, "src/");
    let index = Index::of(&files);
    let mut uses: BTreeMap<Room<'_>, BTreeMap<Room<'_>, usize>> = BTreeMap::new();
    let mut graph = Graph::new();
    let rooms: BTreeSet<&String> = files.iter().filter_map(|file| file.module.first()).collect();
    for file in &files {
        let Some(from) = file.module.first() else {
            continue;
        };
        for import in &file.imports {
            let to = import.path.first();
            if let Some(to) = to.filter(|to| *to != from && rooms.contains(to)) {
                *uses
                    .entry(place(house, from))
                    .or_default()
                    .entry(place(house, to))
                    .or_default() += 1;
            }
            if let Some(to) = index.target(&import.path) {
                let of_file = graph.entry(file.path.clone()).or_default();
                of_file.entry(to.path.clone()).or_insert((file, import.line));
            }
        }
    }
    let mut text = String::new();
    for (from, all) in &uses {
        let listed = all.iter().map(|(to, count)| {
            let back = if to.0 > from.0 { "!" } else { "" };
            format!("{back}{} {count}", to.1)
        });
        let _ = writeln!(text, "{} → {}", from.1, listed.collect::<Vec<_>>().join(", "));
    }
    let room = |path: &String| path.split('/').nth(1).map(str::to_owned);
    for set in circles::sets(&graph) {
        let between: BTreeSet<_> = set.iter().filter_map(room).collect();
        if between.len() > 1 {
            let names: Vec<_> = between.into_iter().collect();
            let _ =
                writeln!(text, "{} files in one circle between {}", set.len(), names.join(", "));
        }
    }
    text
}

fn place<'r>(house: &House, room: &'r str) -> Room<'r> {
    let listed = house.rooms.iter().position(|known| *known == room);
    (listed.unwrap_or(house.rooms.len()), room)
}
