//! Evaluates expressions in a site's JavaScript files without running the files. Supported are
//! expressions that content files typically use: conditions on front matter, dates and paths. Any
//! other expression has an unknown value.

mod known;
mod methods;
mod modules;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use serde_json::Value;
use tree_sitter::Node;

use known::TRUTHY;
pub use known::{AbstractValue, UNKNOWN};
pub use modules::{Library, of_data};

use super::syntax::{
    Script, children, declaration, field, is_function, nodes, parameters, without_parentheses,
};

/// A function with the variables of its enclosing scopes.
#[derive(Debug)]
pub struct Closure<'t> {
    frame: Frame<'t>,
    pub node: Node<'t>,
}

/// The values of variables at a position in a script.
#[derive(Debug, Clone)]
pub struct Frame<'t> {
    pub library: &'t Library,
    pub script: &'t Script,
    names: HashMap<usize, AbstractValue<'t>>,
}

impl<'t> Closure<'t> {
    pub fn call(&self, arguments: &[AbstractValue<'t>]) -> AbstractValue<'t> {
        let mut inner = self.frame.clone();
        let is_generator = self.node.kind().starts_with("generator");
        let Some(body) = field(self.node, "body").filter(|_| !is_generator) else {
            return UNKNOWN;
        };
        for (at, parameter) in parameters(self.node).into_iter().enumerate() {
            let value = match parameter.kind() {
                "rest_pattern" => UNKNOWN,
                _ => arguments.get(at).cloned().unwrap_or(AbstractValue::Undefined),
            };
            inner.bind(parameter, value);
        }
        let run = || match body.kind() {
            "statement_block" => inner.run(&[body]).unwrap_or(AbstractValue::Undefined),
            _ => inner.value(body),
        };
        inner.library.limited(run).unwrap_or(UNKNOWN)
    }

    pub fn script(&self) -> &'t Script {
        self.frame.script
    }
}

impl<'t> Frame<'t> {
    pub fn new(library: &'t Library, script: &'t Script) -> Self {
        Self { library, script, names: HashMap::new() }
    }

    /// Assigns a value to the variables in a pattern.
    pub fn bind(&mut self, pattern: Node<'t>, value: AbstractValue<'t>) {
        match pattern.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                let value = if self.script.is_changed(pattern) { UNKNOWN } else { value };
                self.names.insert(pattern.id(), value);
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                if let (Some(left), Some(right)) = (field(pattern, "left"), field(pattern, "right"))
                {
                    let value = match value {
                        AbstractValue::Undefined => self.value(right),
                        AbstractValue::Vague(..) => self.value(right).or(value),
                        value => value,
                    };
                    self.bind(left, value);
                }
            }
            "object_pattern" => {
                for part in children(pattern) {
                    let key = match part.kind() {
                        "rest_pattern" => None,
                        "pair_pattern" => self.script.key(part),
                        _ => Some(self.script.text(field(part, "left").unwrap_or(part)).to_owned()),
                    };
                    let value = key.map_or(UNKNOWN, |key| self.member_of(&value, &key));
                    self.bind(field(part, "value").unwrap_or(part), value);
                }
            }
            "array_pattern" => {
                // The syntax tree has no node for a hole, as in `[a, , b]`, so the positions of the
                // other elements are unknown.
                let has_hole = self.script.text(pattern).replace(' ', "").contains(",,");
                for (at, part) in children(pattern).enumerate() {
                    let is_plain = part.kind() != "rest_pattern" && !has_hole;
                    self.bind(part, if is_plain { value.member(&at.to_string()) } else { UNKNOWN });
                }
            }
            _ => {
                let names = nodes(pattern).filter(|one| self.script.binding(*one) == Some(*one));
                let names: Vec<_> = names.map(|name| (name.id(), UNKNOWN)).collect();
                self.names.extend(names);
            }
        }
    }

    /// Evaluates statements in order. Returns the value of the first `return` statement that is
    /// executed, or `None` without such a statement.
    fn run(&self, statements: &[Node<'t>]) -> Option<AbstractValue<'t>> {
        for (at, statement) in statements.iter().enumerate() {
            match statement.kind() {
                "return_statement" => {
                    let value = children(*statement).next();
                    return Some(value.map_or(AbstractValue::Undefined, |value| self.value(value)));
                }
                // A statement that cannot return is skipped: variables that it reassigns count as
                // unknown anyway.
                _ if !may_return(*statement) => {}
                _ if self.library.is_limit_reached() => return Some(UNKNOWN),
                "statement_block" | "else_clause" => {
                    let inner = children(*statement).chain(statements[at + 1..].iter().copied());
                    return self.run(&inner.collect::<Vec<_>>());
                }
                "if_statement" => {
                    let branch = |name: &str| {
                        let branch = field(*statement, name).into_iter();
                        self.run(
                            &branch.chain(statements[at + 1..].iter().copied()).collect::<Vec<_>>(),
                        )
                    };
                    return match self.field(*statement, "condition").truth() {
                        Some(true) => branch("consequence"),
                        Some(false) => branch("alternative"),
                        None => {
                            let branches = [branch("consequence"), branch("alternative")];
                            let [one, other] =
                                branches.map(|branch| branch.unwrap_or(AbstractValue::Undefined));
                            Some(one.or(other))
                        }
                    };
                }
                _ => return Some(UNKNOWN),
            }
        }
        None
    }

    pub fn value(&self, node: Node<'t>) -> AbstractValue<'t> {
        self.library.limited(|| self.any(node)).unwrap_or(UNKNOWN)
    }

    pub fn field(&self, node: Node<'t>, name: &str) -> AbstractValue<'t> {
        field(node, name).map_or(UNKNOWN, |node| self.value(node))
    }

    fn any(&self, node: Node<'t>) -> AbstractValue<'t> {
        match node.kind() {
            "parenthesized_expression" | "sequence_expression" | "await_expression" => {
                children(node).last().map_or(UNKNOWN, |inner| self.value(inner))
            }
            "string" => {
                self.script.literal(node).map_or(UNKNOWN, |text| AbstractValue::Is(text.into()))
            }
            "template_string" => self.template(node),
            "number" => methods::number(self.script.text(node)),
            "true" | "false" => AbstractValue::Is((node.kind() == "true").into()),
            "null" => AbstractValue::Is(Value::Null),
            "undefined" => AbstractValue::Undefined,
            "regex" | "class" | "class_declaration" => TRUTHY,
            "identifier" | "shorthand_property_identifier" => self.named(node),
            "member_expression" | "subscript_expression" => self.member(node),
            "object" => self.object(node),
            "array" => self.list(node).map_or(TRUTHY, |list| AbstractValue::List(list.into())),
            "ternary_expression" => match self.field(node, "condition").truth() {
                Some(true) => self.field(node, "consequence"),
                Some(false) => self.field(node, "alternative"),
                None => self.field(node, "consequence").or(self.field(node, "alternative")),
            },
            "unary_expression" if self.script.text(node).starts_with('!') => {
                methods::negated(&self.field(node, "argument"))
            }
            "binary_expression" => {
                let operator = field(node, "operator").map_or("", |one| one.kind());
                methods::binary_result(operator, self.field(node, "left"), &|| {
                    self.field(node, "right")
                })
            }
            "assignment_expression" => self.field(node, "right"),
            "call_expression" => self.call_result(node).unwrap_or(UNKNOWN),
            "new_expression" => {
                let name = field(node, "constructor").map(|one| self.script.text(one));
                let arguments =
                    field(node, "arguments").map_or(Some(Vec::new()), |list| self.list(list));
                match (name, arguments.as_deref()) {
                    (Some("Date"), Some([])) => methods::now(),
                    (Some("Date"), Some([one])) => methods::date(one),
                    (Some("Set"), Some([list @ AbstractValue::List(_)])) => list.clone(),
                    _ => TRUTHY,
                }
            }
            _ if is_function(&node) => self.closure(node),
            _ => UNKNOWN,
        }
    }

    fn closure(&self, node: Node<'t>) -> AbstractValue<'t> {
        AbstractValue::Function(Rc::new(Closure { frame: self.clone(), node }))
    }

    fn template(&self, node: Node<'t>) -> AbstractValue<'t> {
        let (mut text, mut is_whole) = (String::new(), true);
        for part in children(node) {
            let value = match part.kind() {
                "template_substitution" => {
                    let inner = children(part).last();
                    inner.and_then(|inner| methods::to_text(&self.value(inner)))
                }
                _ => self.script.fragment(part),
            };
            is_whole &= value.is_some();
            text += &value.unwrap_or_default();
        }
        match is_whole {
            true => AbstractValue::Is(text.into()),
            false => AbstractValue::Vague((!text.is_empty()).then_some(true), true),
        }
    }

    /// Evaluates the elements of a list, or the arguments of a call. Returns `None` if an unknown
    /// list is spread into them.
    pub fn list(&self, node: Node<'t>) -> Option<Vec<AbstractValue<'t>>> {
        let mut found = Vec::new();
        for part in children(node) {
            if part.kind() != "spread_element" {
                found.push(self.value(part));
                continue;
            }
            match children(part).next().map(|inner| self.value(inner))? {
                AbstractValue::List(list) => found.extend(list.iter().cloned()),
                _ => return None,
            }
        }
        Some(found)
    }

    fn object(&self, node: Node<'t>) -> AbstractValue<'t> {
        let mut fields = BTreeMap::new();
        let mut is_complete = true;
        for part in children(node) {
            let word = part.child(0).map_or("", |word| word.kind());
            let value = match part.kind() {
                "spread_element" => {
                    children(part).next().map_or(UNKNOWN, |inner| self.value(inner))
                }
                "pair" => self.field(part, "value"),
                "method_definition" if word == "set" => continue,
                "method_definition" if word == "get" => self.closure(part).called(&[]),
                "method_definition" => self.closure(part),
                _ => self.value(part),
            };
            let key = match part.kind() {
                "shorthand_property_identifier" => Some(self.script.text(part).to_owned()),
                "spread_element" => None,
                _ => self.script.key(part).or_else(|| {
                    let key = field(part, "key").or(field(part, "name"));
                    let computed = key.filter(|key| key.kind() == "computed_property_name")?;
                    methods::to_text(&self.value(children(computed).next()?))
                }),
            };
            match (key, value) {
                (Some(key), value) => drop(fields.insert(key, value)),
                (None, AbstractValue::Object(inner))
                    if part.kind() == "spread_element" && inner.is_complete =>
                {
                    fields.extend(inner.fields.clone());
                }
                (None, AbstractValue::Undefined | AbstractValue::Is(_))
                    if part.kind() == "spread_element" => {}
                _ => {
                    is_complete = false;
                    fields.values_mut().for_each(|value| *value = UNKNOWN);
                }
            }
        }
        AbstractValue::object(fields, is_complete)
    }

    /// Returns the property key of a member expression or a subscript expression.
    pub fn key(&self, node: Node<'t>) -> Option<String> {
        let key = self.script.key(node);
        key.or_else(|| methods::to_text(&self.field(node, "index")))
    }

    fn member(&self, node: Node<'t>) -> AbstractValue<'t> {
        let (Some(of), Some(key)) =
            (field(node, "object").map(without_parentheses), self.key(node))
        else {
            return UNKNOWN;
        };
        if key == "env" && self.script.text(of) == "process" && self.script.binding(of).is_none() {
            let mode = |key: &str, value: &str| (key.to_owned(), AbstractValue::Is(value.into()));
            return AbstractValue::object(
                [mode("ELEVENTY_RUN_MODE", "build"), mode("ELEVENTY_SOURCE", "cli")],
                false,
            );
        }
        self.member_of(&self.value(of), &key)
    }

    fn member_of(&self, of: &AbstractValue<'t>, key: &str) -> AbstractValue<'t> {
        match of {
            AbstractValue::Object(_) if self.script.all_changes.has(key) => UNKNOWN,
            _ => self.after_changes(of.member(key)),
        }
    }

    /// Adjusts a value for changes that scripts may have made to it after it was created.
    fn after_changes(&self, value: AbstractValue<'t>) -> AbstractValue<'t> {
        match value {
            AbstractValue::List(_) if self.script.all_changes.any_list => TRUTHY,
            value => value,
        }
    }

    fn call_result(&self, node: Node<'t>) -> Option<AbstractValue<'t>> {
        let arguments = self.list(field(node, "arguments")?)?;
        let callee = without_parentheses(field(node, "function")?);
        let is_own = self.script.binding(callee).is_some();
        match (self.script.text(callee), arguments.first()) {
            ("require" | "import", Some(one)) => {
                Some(self.library.required_value(&self.script.path, one.text()?))
            }
            ("Boolean", Some(one)) if !is_own => Some(methods::negated(&methods::negated(one))),
            _ if matches!(callee.kind(), "member_expression" | "subscript_expression") => {
                let (of, method) =
                    (without_parentheses(field(callee, "object")?), self.key(callee)?);
                if of.kind() == "identifier" && self.script.binding(of).is_none() {
                    return Some(methods::global_method_result(
                        self.script.text(of),
                        &method,
                        &arguments,
                    ));
                }
                let of = self.value(of);
                Some(match self.member_of(&of, &method) {
                    AbstractValue::Function(function) => function.call(&arguments),
                    _ => methods::of(&of, &method, &arguments),
                })
            }
            _ => match self.value(callee) {
                AbstractValue::Function(function) => Some(function.call(&arguments)),
                _ => None,
            },
        }
    }

    /// Returns the value of a variable.
    pub fn named(&self, node: Node<'t>) -> AbstractValue<'t> {
        let binding = self.script.binding(node).filter(|binding| !self.script.is_changed(*binding));
        let Some(binding) = binding else {
            return UNKNOWN;
        };
        let known = self.names.get(&binding.id()).cloned();
        self.after_changes(known.or_else(|| self.declared_value(binding)).unwrap_or(UNKNOWN))
    }

    fn declared_value(&self, binding: Node<'t>) -> Option<AbstractValue<'t>> {
        let (whole, holder) = declaration(binding)?;
        match holder.kind() {
            "variable_declarator" => {
                let value = field(holder, "value");
                let mut inner = self.clone();
                inner
                    .bind(whole, value.map_or(AbstractValue::Undefined, |value| self.value(value)));
                inner.names.remove(&binding.id())
            }
            "import_specifier" | "import_clause" | "namespace_import" => {
                let mut above = std::iter::successors(Some(holder), Node::parent);
                let source = above.find_map(|node| field(node, "source"))?;
                let name = match holder.kind() {
                    "import_specifier" => self.script.text(field(holder, "name")?),
                    "import_clause" => "default",
                    _ => "*",
                };
                let source = self.script.literal(source)?;
                Some(self.library.imported_value(&self.script.path, &source, name))
            }
            _ => (field(holder, "name") == Some(whole)).then(|| self.value(holder)),
        }
    }
}

/// Returns whether a statement can return or throw.
fn may_return(statement: Node<'_>) -> bool {
    let mut open = vec![statement];
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "return_statement" | "throw_statement") {
            return true;
        }
        open.extend(children(node).filter(|node| !is_function(node)));
    }
    false
}
