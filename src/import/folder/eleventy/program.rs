//! The settings file of an Eleventy site, together with the files that it imports: the method calls
//! in these files, and the returned options.

use tree_sitter::Node;

use super::script::{AbstractValue, Closure, Frame, Library, UNKNOWN};
use super::syntax::{
    Changes, Script, children, declaration, field, is_function, nodes, parameters,
    without_parentheses,
};

/// Methods of the configuration object that decide what is published, and where.
const METHODS: &str = "ignores addPreprocessor addGlobalData addTransform addExtension setLibrary addLayoutAlias \
    setInputDirectory setIncludesDirectory setLayoutsDirectory setDataDirectory setOutputDirectory setTemplateFormats \
    addTemplateFormats setDataFileSuffixes setDataFileBaseName setUseGitIgnore addTemplate addPairedShortcode \
    addPairedAsyncShortcode addPairedLiquidShortcode addPairedNunjucksShortcode addPairedNunjucksAsyncShortcode \
    addPairedHandlebarsShortcode";
const CONDITIONS: &str = "if_statement ternary_expression binary_expression switch_statement for_statement for_in_statement \
    while_statement do_statement try_statement catch_clause";
/// Maximum number of iterations of all loops around a call.
const MAX_ITERATIONS: usize = 1000;

#[derive(Debug)]
pub struct Settings<'t> {
    pub library: &'t Library,
    pub path: String,
    scripts: Vec<&'t Script>,
    changes: Option<&'t Changes>,
    /// The options that the settings function returns, and the exported options.
    options: [AbstractValue<'t>; 2],
    calls: Vec<Call<'t>>,
    /// Reasons why some calls may be unknown.
    pub uncertainties: Vec<String>,
}

#[derive(Debug)]
pub struct Call<'t> {
    name: String,
    pub arguments: Vec<AbstractValue<'t>>,
    pub place: String,
    /// Whether the call certainly runs: it is not inside a condition or an inner function.
    is_sure: bool,
}

impl<'t> Settings<'t> {
    pub fn of(library: &'t Library, path: &str) -> Self {
        let exports = library.exports(path);
        let named = exports
            .as_ref()
            .map_or(AbstractValue::Undefined, |exports| exports.named.member("config"));
        let default =
            exports.and_then(|exports| exports.default).unwrap_or(AbstractValue::Undefined);
        let mut settings = Self {
            library,
            path: path.to_owned(),
            scripts: library.parts(path),
            changes: library.script(path).map(|script| &script.all_changes),
            options: [AbstractValue::Undefined, AbstractValue::Undefined],
            calls: Vec::new(),
            uncertainties: library.uncertainty(path).into_iter().collect(),
        };
        settings.options =
            [default.called(&[UNKNOWN]), named].map(|options| settings.with_changes(options));
        for script in settings.scripts.clone() {
            nodes(script.root()).for_each(|node| settings.read(script, node));
        }
        settings
    }

    /// Returns a value, adjusted for changes that the settings file may make to it.
    pub fn with_changes(&self, value: AbstractValue<'t>) -> AbstractValue<'t> {
        match self.changes {
            Some(changes) => value.after(changes),
            None => value,
        }
    }

    /// Returns the value of the option at a path such as `dir.input`.
    pub fn option(&self, path: &str) -> AbstractValue<'t> {
        let mut found = self.options.iter().map(|from| {
            let keys = path.split('.');
            keys.fold(from.clone(), |from, key| from.member(key))
        });
        found.find(|value| !value.is_undefined()).unwrap_or(AbstractValue::Undefined)
    }

    pub fn calls<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Call<'t>> {
        self.calls.iter().filter(move |call| call.name == name)
    }

    /// Returns the first argument of the last call to a method. If there is no call, returns the
    /// value of an option.
    pub fn setting(&self, method: &str, option: &str) -> AbstractValue<'t> {
        match self.calls(method).last() {
            Some(call) if call.is_sure => call.arguments.first().cloned().unwrap_or(UNKNOWN),
            Some(_) => UNKNOWN,
            None => self.option(option),
        }
    }

    /// Returns all string values of a key, no matter which object contains the key.
    pub fn texts_at(&self, key: &str) -> Vec<String> {
        let scripts = self.scripts.iter();
        let pairs = scripts.flat_map(|script| {
            let all = nodes(script.root()).filter(|node| node.kind() == "pair");
            let pairs = all.filter(|pair| script.key(*pair).as_deref() == Some(key));
            pairs.map(|pair| Frame::new(self.library, script).field(pair, "value"))
        });
        pairs.filter_map(|value| Some(value.text()?.to_owned())).collect()
    }

    /// Records a call to a method in [`METHODS`]. Any other use of such a method is recorded as an
    /// uncertainty.
    fn read(&mut self, script: &'t Script, node: Node<'t>) {
        let mut name = match node.kind() {
            "property_identifier" | "shorthand_property_identifier_pattern" => {
                script.text(node).to_owned()
            }
            "string" => script.literal(node).unwrap_or_default(),
            "subscript_expression" if script.key(node).is_none() => {
                return self.read_computed(script, node);
            }
            _ => return,
        };
        let parent = node.parent();
        let is_key = parent.is_some_and(|one| matches!(one.kind(), "pair" | "method_definition"));
        if is_key || !is_among(METHODS, &name) {
            return;
        }
        let mut member = parent.filter(|one| field(*one, "object").is_some());
        if name == "ignores" {
            member =
                member.and_then(|one| one.parent()).filter(|one| one.kind() == "member_expression");
            name += &member
                .map_or(String::new(), |one| format!(".{}", script.key(one).unwrap_or_default()));
        }
        match member.and_then(|one| Some((one, one.parent()?))) {
            Some((one, call)) if field(call, "function") == Some(one) => {
                self.add(&name, script, call)
            }
            _ => self
                .uncertainties
                .push(format!("{} uses `{name}` in an unsupported way", script.place(node))),
        }
    }

    /// Records an uncertainty for `eleventyConfig[name](…)` if the name may be in [`METHODS`].
    fn read_computed(&mut self, script: &'t Script, node: Node<'t>) {
        let is_called = node.parent().is_some_and(|call| field(call, "function") == Some(node));
        let of = field(node, "object").and_then(|of| declaration(script.binding(of)?));
        let is_parameter = of.is_some_and(|(_, holder)| {
            holder.kind() == "formal_parameters" || holder.kind() == "arrow_function"
        });
        let mut names = self.frames(script, node).into_iter().map(|frame| frame.key(node));
        if is_called
            && is_parameter
            && names.any(|name| name.is_none_or(|name| is_among(METHODS, &name)))
        {
            self.uncertainties
                .push(format!("the method that {} calls cannot be determined", script.place(node)));
        }
    }

    fn add(&mut self, name: &str, script: &'t Script, call: Node<'t>) {
        let mut above = std::iter::successors(call.parent(), Node::parent);
        let functions = above.clone().filter(is_function).count();
        let is_sure = functions < 2 && !above.any(|node| is_among(CONDITIONS, node.kind()));
        let place = script.place(call);
        for frame in self.frames(script, call) {
            let Some(arguments) = field(call, "arguments").and_then(|list| frame.list(list)) else {
                self.uncertainties.push(format!("the arguments at {place} cannot be determined"));
                return;
            };
            let (name, place) = (name.to_owned(), place.clone());
            self.calls.push(Call { name, arguments, place, is_sure });
        }
    }

    /// Returns the variable bindings at a node: one frame for each iteration of the enclosing
    /// loops.
    fn frames(&self, script: &'t Script, node: Node<'t>) -> Vec<Frame<'t>> {
        let above: Vec<Node<'t>> = std::iter::successors(node.parent(), Node::parent).collect();
        let mut frames = vec![Frame::new(self.library, script)];
        for (list, name) in above.into_iter().rev().filter_map(|node| loop_parts(script, node)) {
            let turns = frames.iter().flat_map(|frame| match frame.value(list) {
                AbstractValue::List(list) => {
                    let turns = list.iter().map(|one| {
                        let mut inner = frame.clone();
                        inner.bind(name, one.clone());
                        inner
                    });
                    turns.collect()
                }
                _ => vec![frame.clone()],
            });
            let turns: Vec<Frame<'t>> = turns.take(MAX_ITERATIONS).collect();
            // With too many iterations, the loop variables stay unknown.
            if turns.len() < MAX_ITERATIONS {
                frames = turns;
            }
        }
        frames
    }
}

fn is_among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

/// Returns the list that a loop iterates over, and the loop variable.
fn loop_parts<'t>(script: &Script, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    if node.kind() == "for_in_statement" {
        let is_of = field(node, "operator").is_some_and(|word| word.kind() == "of");
        return Some((field(node, "right").filter(|_| is_of)?, field(node, "left")?));
    }
    let call = node.parent().filter(|_| is_function(&node))?.parent()?;
    let callee = field(call, "function")?;
    let is_loop = script.key(callee).is_some_and(|key| key == "forEach" || key == "map");
    let name = parameters(node).first().copied()?;
    Some((field(callee, "object").filter(|_| is_loop)?, name))
}

/// Returns whether a function's result contains its first argument, either unchanged or as part of
/// a longer string. Returns `None` if this is uncertain.
pub fn returns_argument(function: &Closure<'_>) -> Option<bool> {
    let (script, node) = (function.script(), function.node);
    let body = field(node, "body")?;
    let name = parameters(node).first().copied();
    let name = name.filter(|name| nodes(body).any(|one| script.binding(one) == Some(*name)));
    let Some(name) = name else {
        return (parameters(node).first().is_none_or(|name| name.kind() == "identifier"))
            .then_some(false);
    };
    let is_return = |one: &Node<'_>| one.kind() == "return_statement";
    let is_sure = match body.kind() {
        "statement_block" => {
            let mut returns = nodes(body).filter(is_return);
            returns.all(|one| contains_name(script, one, name))
                && children(body).last().is_some_and(|last| is_return(&last))
        }
        _ => contains_name(script, body, name),
    };
    is_sure.then_some(true)
}

/// Returns whether the result of an expression always contains the value of the variable `name`,
/// regardless of conditions.
fn contains_name(script: &Script, node: Node<'_>, name: Node<'_>) -> bool {
    let part = |key: &str| field(node, key).is_some_and(|inner| contains_name(script, inner, name));
    match node.kind() {
        "identifier" => script.binding(node).is_some_and(|found| {
            let value = declaration(found).and_then(|(_, holder)| field(holder, "value"));
            let is_it =
                found == name || value.is_some_and(|value| contains_name(script, value, name));
            is_it && !script.is_changed(found)
        }),
        "ternary_expression" => part("consequence") && part("alternative"),
        "binary_expression" => match field(node, "operator").map(|one| one.kind()) {
            Some("+") => part("left") || part("right"),
            Some("||" | "??") => part("left"),
            _ => false,
        },
        "call_expression" => {
            // A function defined in the site may ignore its arguments, so its result may lack the
            // variable's value.
            let own = field(node, "function")
                .and_then(|callee| script.binding(without_parentheses(callee)));
            let own = own
                .and_then(declaration)
                .map(|(_, holder)| field(holder, "value").unwrap_or(holder));
            !own.is_some_and(|own| is_function(&own)) && (part("function") || part("arguments"))
        }
        "member_expression" => script.key(node).is_none_or(|key| key != "length") && part("object"),
        "template_string"
        | "template_substitution"
        | "parenthesized_expression"
        | "await_expression"
        | "arguments"
        | "array"
        | "new_expression"
        | "return_statement" => children(node).any(|inner| contains_name(script, inner, name)),
        _ => false,
    }
}
