//! What each import has to keep, and what is said of one that does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::circles;
use crate::house::House;
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
pub struct Break {
    /// File, line and import.
    pub place: String,
    pub rule: String,
    pub remedy: String,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, rule, remedy } = self;
        write!(f, "{place}\n  rule: {rule}\n  remedy: {remedy}")
    }
}

/// Reads the imports of every file in a crate's source folder, such as `src/`.
pub fn files(tree: &Tree, root: &str) -> Vec<File> {
    let sources = || {
        let sources = tree.iter().filter(|(path, _)| path.ends_with(".rs"));
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

/// All that is against the order of the house.
pub fn check(tree: &Tree, house: &House) -> Vec<Break> {
    let program = files(tree, "src/");
    let mut found = folders(tree, house);
    for file in &program {
        for import in &file.imports {
            found.extend(order(file, import, house));
            found.extend(apart(file, import, house));
        }
    }
    found.extend(server(tree, house));
    found.extend(reserved(tree, house));
    found.extend(crates(tree, house));
    // The order of rooms excludes circles among the folders of `src/`.
    found.extend(circles::check("src/", &program, 1));
    for (name, _) in house.crates {
        let root = format!("crates/{name}/src/");
        found.extend(circles::check(&root, &files(tree, &root), 0));
    }
    found.sort();
    found
}

fn place(file: &File, import: &Import) -> String {
    format!("{}:{}: crate::{}", file.path, import.line, import.path.join("::"))
}

/// A room uses only rooms that stand before it.
fn order(file: &File, import: &Import, house: &House) -> Option<Break> {
    let stands = |name: &String| house.rooms.iter().position(|room| room == name);
    let (from, to) = (file.module.first()?, import.path.first()?);
    if stands(to)? <= stands(from)? {
        return None;
    }
    let remedy = match to.as_str() {
        "api" => "let the api hand it over through the server's trait".to_owned(),
        "cli" => "let `cli` pass it as an argument".to_owned(),
        _ => format!(
            "move what both need into `{from}` or a room before it, or pass it as an argument from a room behind `{to}`"
        ),
    };
    Some(Break {
        place: place(file, import),
        rule: format!("a room uses only rooms before it, and `{to}` stands behind `{from}`"),
        remedy,
    })
}

/// APIs do not use each other, and what they share uses none of them.
fn apart(file: &File, import: &Import, house: &House) -> Option<Break> {
    let api_of = |path: &[String]| {
        let name = path.get(1).filter(|_| path[0] == "api")?;
        house.apis.iter().map(|api| api.name).find(|api| api == name)
    };
    let to = api_of(&import.path)?;
    let is_in_api = file.module.first().is_some_and(|room| room == "api");
    let from = api_of(&file.module);
    if !is_in_api || from == Some(to) {
        return None;
    }
    Some(Break {
        place: place(file, import),
        rule: match from {
            Some(from) => format!("APIs do not use each other, and `{from}` uses `{to}`"),
            None => format!("what APIs share lies below them, and uses `{to}`"),
        },
        remedy: "move what both need into a file of `src/api/` that belongs to no API".to_owned(),
    })
}

/// The server has no word and no file that names an API.
fn server(tree: &Tree, house: &House) -> Vec<Break> {
    let mut found = Vec::new();
    let in_server = tree.iter().filter(|(path, _)| path.starts_with("src/server/"));
    for (path, text) in in_server.filter(|(path, _)| path.ends_with(".rs")) {
        let mut tell = |place: String, name: &str| {
            found.push(Break {
                place,
                rule: format!("the server knows no API by name, and here stands `{name}`"),
                remedy: "hand it over from `src/api/` through the server's trait".to_owned(),
            });
        };
        let module = module_of(path.trim_start_matches("src/"));
        let is_api = |name: &str| name == "api" || house.apis.iter().any(|api| api.name == name);
        // The trait through which an API is handed to the server has a file.
        let is_of_trait = path == "src/server/api.rs";
        let mut names = module.iter().skip(1);
        if let Some(name) = names.find(|name| is_api(name) && !is_of_trait) {
            tell(path.clone(), name);
            continue;
        }
        for token in tokens(text) {
            let mut apis = house.apis.iter().filter(|api| api.is_own_word);
            if apis.any(|api| token.is(api.name)) {
                tell(format!("{path}:{}", token.line), &token.text);
            }
        }
    }
    found
}

/// Reserved types stand only in the files that may name them.
fn reserved(tree: &Tree, house: &House) -> Vec<Break> {
    let mut found = Vec::new();
    for reserved in house.reserved {
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
            found.extend(named.filter(|token| token.is(reserved.name)).map(|token| Break {
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

/// Every room and crate has a folder, and every folder is on the list.
fn folders(tree: &Tree, house: &House) -> Vec<Break> {
    let crates: Vec<&str> = house.crates.iter().map(|(name, _)| *name).collect();
    let apis: Vec<&str> = house.apis.iter().map(|api| api.name).collect();
    let mut found = Vec::new();
    for (folder, listed) in
        [("src/", house.rooms.to_vec()), ("crates/", crates), ("src/api/", apis.clone())]
    {
        let there: BTreeSet<&str> = tree
            .keys()
            .filter_map(|path| path.strip_prefix(folder)?.split_once('/'))
            .map(|(name, _)| name)
            .collect();
        let mut tell = |name: &str, rule: &str, remedy: &str| {
            found.push(Break {
                place: format!("{folder}{name}/"),
                rule: rule.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        for name in listed.iter().filter(|name| !there.contains(*name)) {
            let remedy = "make it, or take it from tests/architecture/house.rs";
            tell(name, "what is on the list has a folder", remedy);
        }
        // What the APIs share may have folders.
        for name in there.iter().filter(|name| folder != "src/api/" && !listed.contains(name)) {
            let remedy = "move it into a room, or give it its place in tests/architecture/house.rs";
            tell(name, "every folder has its place in the order", remedy);
        }
    }
    let is_alone = |path: &&String| {
        let name = path.strip_prefix("src/").unwrap_or("/");
        !name.contains('/') && !matches!(name, "lib.rs" | "main.rs")
    };
    found.extend(tree.keys().filter(is_alone).map(|path| Break {
        place: path.clone(),
        rule: "every file of src/ is in a room".to_owned(),
        remedy: "move it into one".to_owned(),
    }));
    found
}

/// No crate uses the program, nor a crate that it may not.
fn crates(tree: &Tree, house: &House) -> Vec<Break> {
    let mut found = Vec::new();
    for (name, may_use) in house.crates {
        let path = format!("crates/{name}/Cargo.toml");
        for (line, dependency) in dependencies(tree.get(&path).map_or("", String::as_str)) {
            let mut tell = |rule: String, remedy: &str| {
                found.push(Break {
                    place: format!("{path}:{line}: {dependency}"),
                    rule,
                    remedy: remedy.to_owned(),
                });
            };
            let used = dependency.strip_prefix("feedwright-").unwrap_or(&dependency);
            if used == "feedwright" {
                let remedy = "pass what it needs as an argument, or move this part into src/";
                tell(format!("no crate uses the program, and `{name}` does"), remedy);
            } else if house.crates.iter().any(|(other, _)| *other == used && used != *name)
                && !may_use.contains(&used)
            {
                let remedy = "take it out, or let tests/architecture/house.rs allow it";
                tell(format!("`{name}` may not use `{used}`"), remedy);
            }
        }
    }
    found
}

/// The packages that a manifest depends on, each with its line: their own names, not those they are
/// given.
fn dependencies(manifest: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_in_table = false;
    for (at, line) in manifest.lines().map(str::trim).enumerate() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            is_in_table = table.ends_with("dependencies");
            if let Some((kind, name)) = table.rsplit_once('.')
                && kind.ends_with("dependencies")
            {
                found.push((at + 1, name.to_owned()));
            }
        } else if is_in_table && let Some((name, value)) = line.split_once('=') {
            let named = value.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
            let name = name.split('.').next().unwrap_or_default();
            let is_program = value.replace(' ', "").contains("path=\"../..\"");
            let name = if is_program { "feedwright" } else { named.unwrap_or(name) };
            found.push((at + 1, name.trim().trim_matches('"').to_owned()));
        }
    }
    found
}
