//! What each import has to keep, and what is said of one that does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::boundaries::Boundaries;
use crate::cycles;
use crate::imports::{Import, imports, module_of};
use crate::tokens::tokens;

/// The text of each file, by its path from the repository's root.
pub type Tree = BTreeMap<String, String>;

/// A source file and the paths of its own crate that it uses.
pub struct File {
    pub path: String,
    pub module: Vec<String>,
    pub imports: Vec<Import>,
}

/// A rule that is broken.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// File, line and import.
    pub place: String,
    pub rule: String,
    pub remedy: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, rule, remedy } = self;
        write!(f, "{place}\n  rule: {rule}\n  remedy: {remedy}")
    }
}

/// Reads the imports of every file in a package's source folder, such as `src/model/`.
pub fn files(tree: &Tree, root: &str) -> Vec<File> {
    let inner = packages(tree);
    let inner: Vec<_> = inner.iter().filter(|one| *one != root && one.starts_with(root)).collect();
    let is_own = |path: &str| !inner.iter().any(|inner| path.starts_with(*inner));
    let sources = || {
        let sources = tree.iter().filter(|(path, _)| path.ends_with(".rs") && is_own(path));
        sources.filter_map(|(path, text)| Some((path, path.strip_prefix(root)?, text)))
    };
    let modules: BTreeSet<Vec<String>> =
        sources().map(|(_, inside, _)| module_of(inside)).collect();
    sources()
        .map(|(path, inside, text)| File {
            path: path.clone(),
            module: module_of(inside),
            imports: imports(inside, text, &modules),
        })
        .collect()
}

/// The packages of a tree: the folders in which their sources lie, such as `src/model/` and `crates/feeds/src/`.
fn packages(tree: &Tree) -> BTreeSet<String> {
    let folders = tree.keys().filter_map(|path| path.strip_suffix("Cargo.toml"));
    let sources = |folder: &str| match folder.starts_with("crates/") {
        true => format!("{folder}src/"),
        false => folder.to_owned(),
    };
    folders.map(sources).collect()
}

/// All that breaks a rule.
pub fn check(tree: &Tree, boundaries: &Boundaries) -> Vec<Violation> {
    let mut found = Vec::new();
    for root in packages(tree) {
        found.extend(cycles::check(&root, &files(tree, &root)));
    }
    found.extend(server_violations(tree, boundaries));
    found.extend(reserved(tree, boundaries));
    found.sort();
    found
}

/// The server has no word and no file that names an API.
fn server_violations(tree: &Tree, boundaries: &Boundaries) -> Vec<Violation> {
    let mut found = Vec::new();
    let in_server = tree.iter().filter(|(path, _)| path.starts_with("src/server/"));
    for (path, text) in in_server.filter(|(path, _)| path.ends_with(".rs")) {
        let mut add_violation = |place: String, name: &str| {
            found.push(Violation {
                place,
                rule: format!("the server knows no API by name, and here stands `{name}`"),
                remedy: "hand it over from `src/api/` through the server's trait".to_owned(),
            });
        };
        let module = module_of(path.trim_start_matches("src/"));
        let is_api =
            |name: &str| name == "api" || boundaries.apis.iter().any(|api| api.name == name);
        // The trait through which an API is handed to the server has a file.
        let is_of_trait = path == "src/server/api.rs";
        let mut names = module.iter().skip(1);
        if let Some(name) = names.find(|name| is_api(name) && !is_of_trait) {
            add_violation(path.clone(), name);
            continue;
        }
        for token in tokens(text) {
            let mut apis = boundaries.apis.iter().filter(|api| api.is_own_word);
            if apis.any(|api| token.is(api.name)) {
                add_violation(format!("{path}:{}", token.line), &token.text);
            }
        }
    }
    found
}

/// Reserved types stand only in the files that may name them.
fn reserved(tree: &Tree, boundaries: &Boundaries) -> Vec<Violation> {
    let mut found = Vec::new();
    for reserved in boundaries.reserved {
        let may_name = |file: &str| {
            let mut files = reserved.files.iter();
            files.any(|may| file == *may || (may.ends_with('/') && file.starts_with(may)))
        };
        for (path, text) in tree {
            let Some(file) = path.strip_prefix(reserved.folder) else {
                continue;
            };
            if !path.ends_with(".rs") || may_name(file) {
                continue;
            }
            let named = tokens(text).into_iter();
            found.extend(named.filter(|token| token.is(reserved.name)).map(|token| Violation {
                place: format!("{path}:{}", token.line),
                rule: format!(
                    "in {} only {} name `{}`",
                    reserved.folder,
                    reserved.files.join(", "),
                    reserved.name
                ),
                remedy: reserved.remedy.to_owned(),
            }));
        }
    }
    found
}
