//! Circles: files that a reader can only understand together.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::rules::{File, Violation};

/// What a node uses, each with a place where it does.
pub type Graph<'f> = BTreeMap<String, BTreeMap<String, (&'f File, usize)>>;

/// Finds siblings in a package that use each other in a circle. What lies in a folder counts as the folder; that a
/// folder and what it holds use each other is no circle.
pub fn check(root: &str, files: &[File]) -> Vec<Violation> {
    let mut folders: BTreeMap<Vec<String>, Graph<'_>> = BTreeMap::new();
    let index = Index::of(files);
    for file in files {
        for import in &file.imports {
            let Some(to) = index.target(&import.path) else {
                continue;
            };
            let shared = file.module.iter().zip(&to.module);
            let depth = shared.take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (file.module.get(depth), to.module.get(depth)) {
                let graph = folders.entry(file.module[..depth].to_vec()).or_default();
                let uses = graph.entry(from.clone()).or_default();
                uses.entry(to.clone()).or_insert((file, import.line));
            }
        }
    }
    let found = folders.iter().flat_map(|(folder, graph)| {
        let cycles = cycles(graph).into_iter();
        cycles.map(|circle| describe_cycle(root, folder, graph, &circle))
    });
    found.collect()
}

/// The files by their modules.
pub struct Index<'f>(BTreeMap<&'f [String], &'f File>);

impl<'f> Index<'f> {
    pub fn of(files: &'f [File]) -> Self {
        Self(files.iter().map(|file| (&file.module[..], file)).collect())
    }

    /// The file of a path: the one of its longest part that is a module.
    pub fn target(&self, path: &[String]) -> Option<&'f File> {
        let mut lengths = (1..=path.len()).rev();
        lengths.find_map(|length| self.0.get(&path[..length]).copied())
    }
}

fn describe_cycle(
    root: &str,
    folder: &[String],
    graph: &Graph<'_>,
    circle: &[String],
) -> Violation {
    let folder: String = folder.iter().map(|name| format!("{name}/")).collect();
    let next = circle.iter().cycle().skip(1);
    let steps: Vec<String> = circle
        .iter()
        .zip(next)
        .map(|(from, to)| {
            let (file, line) = graph[from][to];
            format!("{}:{line} uses {to}", file.path)
        })
        .collect();
    Violation {
        place: format!("{root}{folder}: {}\n    {}", chain(circle), steps.join("\n    ")),
        rule: "no file uses, even by others, one that uses it".to_owned(),
        remedy:
            "move what both need into a file that uses neither, or what one needs into that one"
                .to_owned(),
    }
}

fn chain(circle: &[String]) -> String {
    let all = circle.iter().chain(circle.first());
    all.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

/// The shortest circle of each set of nodes that all reach each other.
pub fn cycles(graph: &Graph<'_>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for set in strongly_connected_sets(graph) {
        let shortest = set.iter().filter_map(|node| shortest_cycle_from(graph, node));
        found.extend(shortest.min_by_key(Vec::len));
    }
    found
}

/// The sets of nodes that all reach each other.
pub fn strongly_connected_sets(graph: &Graph<'_>) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|node| (node, reachable_nodes(graph, node))).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (node, all) in &reached {
        if all.contains(*node) && !seen.contains(*node) {
            let reaches_back =
                |other: &&String| reached.get(other).is_some_and(|r| r.contains(*node));
            let set: BTreeSet<String> = all.iter().filter(reaches_back).cloned().collect();
            seen.extend(set.iter().cloned());
            found.push(set);
        }
    }
    found
}

fn reachable_nodes(graph: &Graph<'_>, node: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(at) = open.pop() {
        for next in graph.get(at).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// The shortest way from a node back to it.
fn shortest_cycle_from(graph: &Graph<'_>, node: &str) -> Option<Vec<String>> {
    let mut predecessors: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = VecDeque::from([node]);
    while let Some(at) = open.pop_front() {
        for next in graph.get(at).into_iter().flat_map(BTreeMap::keys) {
            if next == node {
                let mut way = vec![at.to_owned()];
                let mut last = at;
                while let Some(before) = predecessors.get(last).filter(|_| last != node) {
                    way.push((*before).to_owned());
                    last = before;
                }
                way.reverse();
                return Some(way);
            }
            if !predecessors.contains_key(next.as_str()) {
                predecessors.insert(next, at);
                open.push_back(next);
            }
        }
    }
    None
}
