//! The syntax tree of a JavaScript file, with the scopes of its variables, and the values that the
//! file changes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Parser, Tree};

/// Methods that change the list or set that they are called on.
const LIST_METHODS: [&str; 6] = ["push", "unshift", "pop", "shift", "splice", "fill"];
const SET_METHODS: [&str; 3] = ["add", "delete", "clear"];
/// Functions that change their first argument.
const ARGUMENT_MUTATORS: &str =
    "Object.assign Object.defineProperty Object.defineProperties Object.setPrototypeOf Reflect.set";

#[derive(Debug)]
pub struct Script {
    pub path: String,
    text: String,
    tree: Rc<Tree>,
    /// Location of each declaration, by scope and name. The flag is true if the variable may be
    /// reassigned, or if its object or list may be changed.
    bindings: HashMap<(usize, String), (Range<usize>, bool)>,
    /// Specifiers of the imported modules. `None` means that a specifier is computed.
    pub imports: Vec<Option<String>>,
    pub changes: Changes,
    /// Changes by this file, by the files that it imports, and by the files that import it.
    pub all_changes: Changes,
    /// Whether the exports are changed inside a function or a condition.
    pub has_odd_exports: bool,
}

/// Changes to properties and lists that cannot be attributed to a declared variable.
#[derive(Debug, Default, Clone)]
pub struct Changes {
    pub keys: HashSet<String>,
    pub any_key: bool,
    pub any_list: bool,
}

impl Changes {
    pub fn add(&mut self, other: &Self) {
        self.keys.extend(other.keys.iter().cloned());
        self.any_key |= other.any_key;
        self.any_list |= other.any_list;
    }

    pub fn is_unchanged(&self) -> bool {
        self.keys.is_empty() && !self.any_key && !self.any_list
    }

    pub fn has(&self, key: &str) -> bool {
        self.any_key || self.keys.contains(key)
    }
}

impl Script {
    pub fn parse(path: &str, text: String) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_javascript::LANGUAGE.into()).ok()?;
        let tree = Rc::new(parser.parse(&text, None)?);
        let mut script = Self {
            path: path.to_owned(),
            tree: Rc::clone(&tree),
            text,
            bindings: HashMap::new(),
            imports: Vec::new(),
            changes: Changes::default(),
            all_changes: Changes::default(),
            has_odd_exports: false,
        };
        for node in nodes(tree.root_node()).filter(is_name) {
            if let Some(scope) = declaring_scope(node) {
                let key = (scope.id(), script.text(node).to_owned());
                let at = node.byte_range();
                let found = script.bindings.entry(key).or_insert((at.clone(), false));
                found.1 |= found.0 != at;
            }
        }
        nodes(tree.root_node()).for_each(|node| script.record_node(node));
        Some(script)
    }

    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Returns the location of a node, such as `posts.11tydata.js:3`.
    pub fn place(&self, node: Node<'_>) -> String {
        format!("{}:{}", self.path, node.start_position().row + 1)
    }

    /// Records the imports and changes that a node makes.
    fn record_node(&mut self, node: Node<'_>) {
        match node.kind() {
            "member_expression" | "subscript_expression" if is_target(node) => self.change(node),
            "unary_expression" if self.text(node).starts_with("delete") => {
                field(node, "argument").into_iter().for_each(|target| self.change(target));
            }
            "call_expression" => {
                if let (Some(callee), Some(all)) =
                    (field(node, "function"), field(node, "arguments"))
                {
                    self.record_call(callee, children(all).collect());
                }
            }
            "with_statement" => self.changes.any_key = true,
            // These functions execute code from strings.
            "identifier" if matches!(self.text(node), "eval" | "Function") => {
                self.changes.any_key = true;
            }
            "import_statement" | "export_statement" => {
                let source = field(node, "source").map(|source| self.literal(source));
                self.imports.extend(source);
            }
            _ if is_name(&node) && is_target(node) && declaring_scope(node).is_none() => {
                self.note_change(node);
            }
            _ => {}
        }
    }

    fn record_call(&mut self, callee: Node<'_>, arguments: Vec<Node<'_>>) {
        let whole = self.text(callee).to_owned();
        let first = arguments.first().copied();
        if whole == "require" || whole == "import" {
            self.imports.push(first.and_then(|first| self.literal(first)));
        } else if ARGUMENT_MUTATORS.split(' ').any(|name| name == whole) {
            let is_new =
                first.is_none_or(|first| first.kind() == "object" || self.change_declared(first));
            self.changes.any_key |= !is_new;
        } else {
            if let (Some(of), Some(method)) = (field(callee, "object"), field(callee, "property")) {
                let is_of_list = LIST_METHODS.contains(&self.text(method));
                let is_of_set = SET_METHODS.contains(&self.text(method));
                let is_own = (is_of_list || is_of_set) && self.change_declared(of);
                if is_of_list && !is_own {
                    match of.kind() {
                        "member_expression" => self.change(of),
                        "identifier" | "subscript_expression" => {
                            self.changes.any_list |= !self.is_accumulator(of)
                        }
                        _ => {}
                    }
                }
            }
            // An unknown function may change its arguments.
            let is_harmless = ["console", "JSON", "Object", "Array"]
                .contains(&whole.split('.').next().unwrap_or_default())
                || whole.ends_with(".addGlobalData")
                || self.binding(callee).is_some();
            for argument in arguments.into_iter().filter(|_| !is_harmless) {
                self.change_declared(argument);
            }
        }
    }

    /// Records an assignment to a property.
    fn change(&mut self, target: Node<'_>) {
        let target = without_parentheses(target);
        let Some(of) = field(target, "object").filter(|of| !self.change_declared(*of)) else {
            return;
        };
        if matches!(self.text(of), "module" | "exports" | "module.exports") {
            let mut above = std::iter::successors(target.parent(), Node::parent);
            let is_plain = above.all(|node| {
                matches!(node.kind(), "assignment_expression" | "expression_statement" | "program")
            });
            self.has_odd_exports |= !is_plain;
        } else if let Some(key) = self.key(target) {
            self.changes.keys.insert(key);
        } else {
            self.changes.any_key |= !self.is_accumulator(of);
        }
    }

    /// Returns whether an expression is the accumulator of a `reduce` call, or a part of the
    /// accumulator.
    fn is_accumulator(&self, node: Node<'_>) -> bool {
        let holder = self.binding(root(node)).and_then(declaration).map(|(_, holder)| holder);
        let call = holder.and_then(|holder| holder.parent()?.parent()?.parent());
        let callee = call.and_then(|call| field(call, "function"));
        callee.is_some_and(|callee| self.text(callee).ends_with(".reduce"))
    }

    /// Records a change to a variable that is declared with an object, a list or a `new`
    /// expression. Returns false for any other expression.
    fn change_declared(&mut self, node: Node<'_>) -> bool {
        let node = root(node);
        let value = self.binding(node).and_then(|found| field(found.parent()?, "value"));
        let is_own = value
            .is_some_and(|value| matches!(value.kind(), "object" | "array" | "new_expression"));
        if is_own {
            self.note_change(node);
        }
        is_own
    }

    fn note_change(&mut self, node: Node<'_>) {
        if let Some(key) = self.key_of(node) {
            self.bindings.entry(key).and_modify(|found| found.1 = true);
        }
    }

    /// Returns the key of a member, a subscript, a pair or a method, if the key is a literal.
    pub fn key(&self, node: Node<'_>) -> Option<String> {
        let key = ["property", "index", "key", "name"].iter().find_map(|name| field(node, name))?;
        match key.kind() {
            "property_identifier" | "private_property_identifier" | "number" => {
                Some(self.text(key).to_owned())
            }
            _ => self.literal(key),
        }
    }

    /// Returns the value of a string literal, or of a template literal without substitutions.
    pub fn literal(&self, node: Node<'_>) -> Option<String> {
        let is_text = matches!(node.kind(), "string" | "template_string");
        is_text.then(|| children(node).map(|part| self.fragment(part)).collect())?
    }

    /// Returns a part of a string literal, with escape sequences replaced.
    pub fn fragment(&self, part: Node<'_>) -> Option<String> {
        let text = self.text(part);
        match (part.kind(), text.strip_prefix('\\')) {
            ("string_fragment", _) => Some(text.to_owned()),
            ("escape_sequence", Some("n")) => Some("\n".to_owned()),
            ("escape_sequence", Some(code)) => match code.strip_prefix(['u', 'x']) {
                Some(digits) => {
                    let code = u32::from_str_radix(digits.trim_matches(['{', '}']), 16);
                    Some(char::from_u32(code.ok()?)?.to_string())
                }
                None => Some(code.to_owned()),
            },
            _ => None,
        }
    }

    /// Returns the scope that declares a variable, and the variable's name.
    fn key_of(&self, node: Node<'_>) -> Option<(usize, String)> {
        let name = self.text(node).to_owned();
        let scopes = std::iter::successors(Some(node), Node::parent);
        let mut keys = scopes.map(|scope| (scope.id(), name.clone()));
        keys.find(|key| self.bindings.contains_key(key))
    }

    /// Returns the node that declares a variable.
    pub fn binding(&self, node: Node<'_>) -> Option<Node<'_>> {
        let is_name = is_name(&node) || node.kind() == "shorthand_property_identifier";
        let (at, _) = self.bindings.get(&self.key_of(node).filter(|_| is_name)?)?;
        self.root().descendant_for_byte_range(at.start, at.end)
    }

    /// Returns whether a variable may be reassigned after its declaration.
    pub fn is_changed(&self, node: Node<'_>) -> bool {
        self.key_of(node).is_some_and(|key| self.bindings[&key].1)
    }
}

pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// Returns a node and all its descendants, in the order of the source code.
pub fn nodes(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = root.walk();
    let mut next = Some(root);
    std::iter::from_fn(move || {
        let node = next?;
        let mut goes_on = cursor.goto_first_child() || cursor.goto_next_sibling();
        while !goes_on && cursor.goto_parent() {
            goes_on = cursor.goto_next_sibling();
        }
        next = goes_on.then(|| cursor.node());
        Some(node)
    })
}

/// Returns the named children of a node, except comments.
pub fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let found: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
    found.into_iter().filter(|node| node.kind() != "comment")
}

/// Returns the parameters of a function.
pub fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    let one = field(function, "parameter").into_iter();
    one.chain(field(function, "parameters").into_iter().flat_map(children)).collect()
}

/// Returns an expression without the parentheses around it.
pub fn without_parentheses(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression"
        && let Some(inner) = children(node).last()
    {
        node = inner;
    }
    node
}

/// Returns the innermost object of a chain of members and subscripts: `a` for `a.b[c]`.
fn root(node: Node<'_>) -> Node<'_> {
    let parts = std::iter::successors(Some(without_parentheses(node)), |node| {
        field(*node, "object").map(without_parentheses)
    });
    parts.last().unwrap_or(node)
}

pub fn is_function(node: &Node<'_>) -> bool {
    let kinds =
        ["arrow_function", "function_expression", "function_declaration", "method_definition"];
    kinds.contains(&node.kind()) || node.kind().starts_with("generator_function")
}

fn is_name(node: &Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern")
}

/// Returns the whole pattern that declares or assigns a variable, and the parent node of the
/// pattern.
pub fn declaration(mut node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    loop {
        let parent = node.parent()?;
        let place = match parent.kind() {
            "array_pattern" | "object_pattern" | "rest_pattern" => Some(node),
            "pair_pattern" => field(parent, "value"),
            "assignment_pattern" | "object_assignment_pattern" => field(parent, "left"),
            _ => return Some((node, parent)),
        };
        node = place.filter(|place| *place == node).map(|_| parent)?;
    }
}

/// Returns whether an expression or a variable is the target of an assignment.
fn is_target(node: Node<'_>) -> bool {
    declaration(node).is_some_and(|(whole, parent)| match parent.kind() {
        "assignment_expression" | "augmented_assignment_expression" | "for_in_statement" => {
            field(parent, "left") == Some(whole)
        }
        "update_expression" => true,
        "parenthesized_expression" => is_target(parent),
        _ => false,
    })
}

/// Returns the scope in which a node declares a variable, or `None` if the node declares no
/// variable.
fn declaring_scope(node: Node<'_>) -> Option<Node<'_>> {
    const BLOCKS: [&str; 4] =
        ["statement_block", "for_statement", "for_in_statement", "switch_body"];
    let (whole, parent) = declaration(node)?;
    let is = |name: &str| field(parent, name) == Some(whole);
    let mut above = std::iter::successors(parent.parent(), Node::parent);
    match parent.kind() {
        "variable_declarator" if is("name") => {
            let is_var = parent.parent()?.kind() == "variable_declaration";
            above.find(|node| match node.kind() {
                "program" => true,
                kind => is_var && is_function(node) || !is_var && BLOCKS.contains(&kind),
            })
        }
        "function_declaration" | "generator_function_declaration" | "class_declaration"
            if is("name") =>
        {
            above.find(|node| node.kind() == "program" || BLOCKS.contains(&node.kind()))
        }
        "formal_parameters" => parent.parent(),
        "arrow_function" if is("parameter") => Some(parent),
        "function_expression" | "generator_function" | "class" if is("name") => Some(parent),
        "catch_clause" if is("parameter") => Some(parent),
        "for_in_statement" if is("left") && field(parent, "kind").is_some() => Some(parent),
        "import_specifier" if is("name") && field(parent, "alias").is_some() => None,
        "import_specifier" | "import_clause" | "namespace_import" => above.last(),
        _ => None,
    }
}
