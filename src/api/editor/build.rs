//! Embeds the editor's page from the folder `app` as three files: the HTML, the style sheets as one,
//! and the scripts as one. That is smaller when it is compressed, and quicker to load.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs, io};

const STYLES: &str = "editor.css";
const MAIN: &str = "main.js";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=app");
    let mut sources = BTreeMap::new();
    for entry in fs::read_dir("app")? {
        let entry = entry?;
        let text = shorten(&fs::read_to_string(entry.path())?);
        sources.insert(entry.file_name().to_string_lossy().into_owned(), text);
    }
    let files = [
        ("index.html", sources["index.html"].clone()),
        (STYLES, join_styles(&sources)),
        (MAIN, join_scripts(&sources)),
    ];
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("files.rs"), format!("&{files:?}"))
}

/// Removes indentation, empty lines, and comments that fill whole lines. A string in the files must
/// not span lines.
fn shorten(text: &str) -> String {
    let mut is_comment = false;
    let mut short = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            short.push_str(line);
            short.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    short
}

/// Joins the style sheets. The common rules come first.
fn join_styles(sources: &BTreeMap<String, String>) -> String {
    let others = sources.iter().filter(|(name, _)| name.ends_with(".css") && *name != STYLES);
    others.fold(sources[STYLES].clone(), |all, (_, text)| all + text)
}

/// Joins the scripts: each module becomes a function that returns its exports, after the modules
/// that it imports.
fn join_scripts(sources: &BTreeMap<String, String>) -> String {
    let mut scripts =
        Scripts { sources, open: Vec::new(), joined: Vec::new(), text: String::new() };
    scripts.add(MAIN);
    for name in sources.keys().filter(|name| name.ends_with(".js")) {
        assert!(
            scripts.joined.contains(name),
            "{name} is imported by no script: import or delete it"
        );
    }
    scripts.text
}

struct Scripts<'a> {
    sources: &'a BTreeMap<String, String>,
    /// The modules whose imports are being added.
    open: Vec<String>,
    joined: Vec<String>,
    text: String,
}

impl Scripts<'_> {
    fn add(&mut self, name: &str) {
        if self.joined.iter().any(|joined| joined == name) {
            return;
        }
        assert!(!self.open.iter().any(|open| open == name), "{:?} import each other", self.open);
        self.open.push(name.to_owned());
        let source = self.sources.get(name).unwrap_or_else(|| panic!("{:?}: no {name}", self.open));
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in source.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let (names, from) = import
                    .strip_suffix("';")
                    .and_then(|import| import.split_once(" from './"))
                    .unwrap_or_else(|| panic!("{name}: write an import in one line: {line}"));
                self.add(from);
                body += &format!("const {} = {};\n", names.replace(" as ", ": "), variable(from));
            } else if let Some(declaration) = line.strip_prefix("export ") {
                exports.push(declared(declaration));
                body += &format!("{declaration}\n");
            } else {
                body += &format!("{line}\n");
            }
        }
        self.open.pop();
        self.joined.push(name.to_owned());
        let exports = exports.join(", ");
        self.text += &format!(
            "const {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n",
            variable(name)
        );
    }
}

/// Returns the variable that has the exports of a module.
fn variable(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js"))
}

/// Returns the name in a declaration such as `async function save(text) {`.
fn declared(declaration: &str) -> &str {
    let name = declaration
        .trim_start_matches("async ")
        .trim_start_matches("function ")
        .trim_start_matches("class ")
        .trim_start_matches("const ");
    name.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or(name)
}
