//! The JavaScript files of a site, with their exports and imports. No file is executed.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::Value;
use tree_sitter::Node;

use super::Frame;
use super::known::{AbstractValue, UNKNOWN};
use crate::folder::data;
use crate::folder::eleventy::syntax::{Changes, Script, children, field, nodes};
use crate::folder::tree::{Tree, ending, joined, split};

/// Maximum number of files to read.
const MAX_FILES: usize = 500;
/// Maximum depth of nested expressions and calls.
const MAX_DEPTH: u32 = 80;
/// Maximum number of expressions evaluated for one value.
const MAX_STEPS: u32 = 20_000;

#[derive(Debug, Default)]
pub struct Library {
    scripts: BTreeMap<String, Script>,
    data: BTreeMap<String, Value>,
    /// Files that cannot be parsed, or that import a file missing from the folder.
    unreadable: Vec<String>,
    /// Number of expressions evaluated so far for the current value. `depth` is the current nesting
    /// depth.
    steps: Cell<u32>,
    depth: Cell<u32>,
}

/// The exports of a file.
#[derive(Debug)]
pub struct Exports<'t> {
    /// The default export, or `module.exports`.
    pub default: Option<AbstractValue<'t>>,
    pub named: AbstractValue<'t>,
    is_module: bool,
}

impl Library {
    /// Parses a file, and all files of the site that it imports.
    pub fn load(&mut self, tree: &mut Tree, path: &str) {
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop() {
            if self.scripts.contains_key(&path) || self.data.contains_key(&path) {
                continue;
            }
            let text = tree.text(&path).unwrap_or_default();
            if ending(&path).1 == "json" {
                let value = serde_json::from_str(&text).unwrap_or_default();
                self.data.insert(path, value);
                continue;
            }
            let Some(script) = Script::parse(&path, text) else {
                self.unreadable.push(path);
                continue;
            };
            for specifier in &script.imports {
                let found =
                    specifier.as_ref().map(|name| resolved(&path, name, &|path| tree.has(path)));
                match found {
                    Some(Ok(Some(part))) if self.scripts.len() < MAX_FILES => open.push(part),
                    Some(Ok(None)) => {}
                    _ => self.unreadable.push(path.clone()),
                }
            }
            self.scripts.insert(path, script);
        }
        self.join_changes();
    }

    /// Combines the changes made by files that import one another.
    fn join_changes(&mut self) {
        let mut joined: BTreeMap<String, Changes> = BTreeMap::new();
        for path in self.scripts.keys() {
            let parts = self.parts(path);
            let mut all = Changes::default();
            parts.iter().for_each(|part| all.add(&part.changes));
            for part in parts {
                joined.entry(part.path.clone()).or_default().add(&all);
            }
        }
        for (path, changes) in joined {
            self.scripts.entry(path).and_modify(|script| script.all_changes = changes);
        }
    }

    /// Calls `evaluate` within the limits. Returns `None` if a limit is reached.
    pub fn limited<T>(&self, evaluate: impl FnOnce() -> T) -> Option<T> {
        let depth = self.depth.get();
        self.steps.set(if depth == 0 { 0 } else { self.steps.get() + 1 });
        if self.is_limit_reached() || depth > MAX_DEPTH {
            return None;
        }
        self.depth.set(depth + 1);
        let found = evaluate();
        self.depth.set(depth);
        Some(found)
    }

    pub fn is_limit_reached(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    pub fn script(&self, path: &str) -> Option<&Script> {
        self.scripts.get(path)
    }

    /// Returns a file, and all files that it imports directly or indirectly.
    pub fn parts(&self, path: &str) -> Vec<&Script> {
        let mut found: Vec<&Script> = self.script(path).into_iter().collect();
        let mut at = 0;
        while let Some(script) = found.get(at) {
            let imports = script.imports.iter().flatten();
            let paths = imports.filter_map(|name| self.find(&script.path, name));
            let new: Vec<&Script> = paths.filter_map(|path| self.script(&path)).collect();
            for script in new {
                if !found.iter().any(|known| known.path == script.path) {
                    found.push(script);
                }
            }
            at += 1;
        }
        found
    }

    /// Returns the reason why a script and its imports are not completely known.
    pub fn uncertainty(&self, path: &str) -> Option<String> {
        let parts = self.parts(path);
        let broken = parts.iter().find(|script| script.root().has_error());
        if let Some(script) = broken {
            return Some(format!("{} cannot be parsed as JavaScript", script.path));
        }
        let unreadable = parts.iter().find(|script| self.unreadable.contains(&script.path));
        unreadable.map(|script| format!("{} imports a file that cannot be read", script.path))
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        let has = |path: &str| self.scripts.contains_key(path) || self.data.contains_key(path);
        resolved(from, name, &has).ok().flatten()
    }

    /// Returns the value of a `require` call: the exports or the namespace of a module.
    pub fn required_value<'t>(&'t self, from: &str, name: &str) -> AbstractValue<'t> {
        let Some(path) = self.find(from, name) else {
            return UNKNOWN;
        };
        if let Some(value) = self.data.get(&path) {
            return AbstractValue::of(value);
        }
        self.exports(&path).map_or(UNKNOWN, Exports::value)
    }

    /// Returns the value that an `import` statement assigns to a name. The name `*` refers to the
    /// namespace of the module.
    pub fn imported_value<'t>(&'t self, from: &str, source: &str, name: &str) -> AbstractValue<'t> {
        let path = self.find(from, source);
        let exports = path.as_ref().and_then(|path| self.exports(path));
        match (name, exports) {
            ("default", Some(exports)) => exports.default.unwrap_or(exports.named),
            ("default", None) => self.required_value(from, source),
            ("*", Some(exports)) => exports.value(),
            (name, Some(exports)) if exports.is_module => exports.named.member(name),
            (name, Some(exports)) => exports.value().member(name),
            (_, None) => UNKNOWN,
        }
    }

    /// Returns the exports of a file, or `None` if the file was not read.
    pub fn exports(&self, path: &str) -> Option<Exports<'_>> {
        let script = self.script(path)?;
        let frame = Frame::new(self, script);
        let mut exports =
            Exports { default: None, named: AbstractValue::object([], true), is_module: false };
        if script.root().has_error() || script.has_odd_exports {
            (exports.default, exports.named) = (Some(UNKNOWN), UNKNOWN);
            return Some(exports);
        }
        for node in children(script.root()) {
            match node.kind() {
                "export_statement" => {
                    exports.is_module = true;
                    read_export(node, &frame, &mut exports);
                }
                "expression_statement" => read_assignment(node, &frame, &mut exports),
                _ => {}
            }
        }
        exports.default = exports.default.map(|value| value.after(&script.all_changes));
        exports.named = exports.named.after(&script.all_changes);
        Some(exports)
    }
}

impl<'t> Exports<'t> {
    /// Returns the exports as a single value, in the same way as Eleventy reads data files.
    pub fn value(self) -> AbstractValue<'t> {
        match (self.default, self.named) {
            (None, named) => named,
            (Some(default @ AbstractValue::Object(_)), named) if !self.is_module => {
                named.merged(&default)
            }
            (Some(default), AbstractValue::Object(named))
                if self.is_module && !named.fields.is_empty() =>
            {
                AbstractValue::Object(named).with("default", default)
            }
            (Some(_), AbstractValue::Vague(..)) => UNKNOWN,
            (Some(default), _) => default,
        }
    }
}

/// Adds the exports of an `export …` statement.
fn read_export<'t>(node: Node<'t>, frame: &Frame<'t>, exports: &mut Exports<'t>) {
    let script = frame.script;
    let source = field(node, "source").and_then(|source| script.literal(source));
    let is_default = node.child(1).is_some_and(|word| word.kind() == "default");
    let declaration = field(node, "declaration");
    if is_default {
        let value = declaration.or_else(|| field(node, "value"));
        exports.default = value.map(|value| frame.value(value));
        return;
    }
    let mut add = |name: &str, value: AbstractValue<'t>| {
        if name == "default" {
            exports.default = Some(value);
        } else {
            exports.named = exports.named.with(name, value);
        }
    };
    if let Some(declaration) = declaration {
        let own = field(declaration, "name");
        let declarators = children(declaration).filter(|_| own.is_none());
        let patterns = own.into_iter().chain(declarators.filter_map(|one| field(one, "name")));
        let names = patterns.flat_map(nodes).filter(|name| script.binding(*name) == Some(*name));
        names.for_each(|name| add(script.text(name), frame.named(name)));
        return;
    }
    let clause = children(node).find(|part| part.kind() == "export_clause");
    let Some(clause) = clause else {
        exports.named = UNKNOWN;
        return;
    };
    for part in children(clause) {
        let Some(name) = field(part, "name") else {
            continue;
        };
        let value = match &source {
            Some(source) => frame.library.imported_value(&script.path, source, script.text(name)),
            None => frame.named(name),
        };
        let alias = field(part, "alias").unwrap_or(name);
        add(script.text(alias), value);
    }
}

/// Adds the exports of an assignment, `module.exports = …` or `exports.name = …`.
fn read_assignment<'t>(node: Node<'t>, frame: &Frame<'t>, exports: &mut Exports<'t>) {
    let script = frame.script;
    let mut next = children(node).next();
    while let Some(assignment) = next.filter(|node| node.kind() == "assignment_expression") {
        next = field(assignment, "right");
        let Some((left, of)) =
            field(assignment, "left").and_then(|left| Some((left, field(left, "object")?)))
        else {
            continue;
        };
        match (script.text(of), script.key(left)) {
            ("module", Some(key)) if key == "exports" => {
                exports.default = Some(frame.field(assignment, "right"));
                exports.named = AbstractValue::object([], true);
            }
            ("exports" | "module.exports", Some(key)) => {
                exports.named = exports.named.with(&key, frame.field(assignment, "right"));
            }
            (of, _) if of.starts_with("module") || of.starts_with("exports") => {
                exports.named = UNKNOWN
            }
            _ => {}
        }
    }
}

/// Returns the path of an imported file, or `None` for a package. Returns an error if the file is
/// missing from the site.
fn resolved(from: &str, name: &str, has: &dyn Fn(&str) -> bool) -> Result<Option<String>, ()> {
    if !name.starts_with('.') {
        return match name.starts_with(['/', '#', '~']) || name.starts_with("@/") {
            true => Err(()),
            false => Ok(None),
        };
    }
    let without_parentheses = joined(split(from).0, name).ok_or(())?;
    let endings = ["", ".js", ".cjs", ".mjs", ".json", ".ts", "/index.js", "/index.cjs"];
    let mut paths = endings.iter().map(|ending| format!("{without_parentheses}{ending}"));
    paths.find(|path| has(path)).map(Some).ok_or(())
}

/// Parses a data file in JSON, YAML or TOML. Returns `None` if the file cannot be parsed.
pub fn of_data(tree: &mut Tree, path: &str) -> Option<AbstractValue<'static>> {
    let text = tree.text(path)?;
    match ending(path).1 {
        "json" => Some(AbstractValue::of(&serde_json::from_str(&text).ok()?)),
        _ => Some(AbstractValue::of(&data::of_file(path, &text)?.into())),
    }
}
