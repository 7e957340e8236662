//! What a function in one of Eleventy's programs returns for a text, as far as that shows without running it: conditions on the
//! text's own values, dates and paths, in the part of JavaScript that such functions are written in.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::syntax::{Binding, Expression, Function, Statement, parse};

/// Calls within calls.
const DEEPEST: usize = 20;

/// A value, or what is known of it.
#[derive(Debug, Clone)]
pub enum Known {
    Is(Value),
    Undefined,
    /// Anything but false, null and the like.
    Truthy,
    Function(Rc<Function>),
    Unknown,
}

/// Whether a value in a program is `false` for a text with these data. None if that does not show.
pub fn is_false(value: &str, program: &str, data: &Value) -> Option<bool> {
    let scope = Scope {
        program,
        names: HashMap::new(),
        depth: 0,
    };
    let mut result = scope.value(&parse(value)?);
    // A function may return the function that decides.
    for _ in 0..3 {
        let Known::Function(function) = &result else {
            break;
        };
        result = scope.call(function, vec![Known::Is(data.clone()), Known::Truthy]);
    }
    match result {
        Known::Is(Value::Bool(value)) => Some(!value),
        Known::Is(Value::Object(table)) => table
            .get("build")
            .map(|build| build == &Value::Bool(false))
            .or(Some(false)),
        Known::Unknown | Known::Function(_) => None,
        _ => Some(false),
    }
}

#[derive(Clone)]
struct Scope<'s> {
    program: &'s str,
    names: HashMap<String, Known>,
    depth: usize,
}

impl Known {
    fn truth(&self) -> Option<bool> {
        Some(match self {
            Self::Unknown => return None,
            Self::Undefined => false,
            Self::Truthy | Self::Function(_) => true,
            Self::Is(Value::Null) => false,
            Self::Is(Value::Bool(value)) => *value,
            Self::Is(Value::Number(number)) => number.as_f64() != Some(0.0),
            Self::Is(Value::String(text)) => !text.is_empty(),
            Self::Is(_) => true,
        })
    }

    /// What is known of a value that is either of two.
    fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Is(a), Self::Is(b)) if a == b => self,
            (Self::Undefined, Self::Undefined) => self,
            _ if self.truth() == Some(true) && other.truth() == Some(true) => Self::Truthy,
            _ => Self::Unknown,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Is(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Is(Value::Number(number)) => number.as_f64(),
            Self::Is(Value::String(text)) => {
                let at = crate::import::folder::dates::instant(text, &jiff::tz::TimeZone::UTC)?;
                // Milliseconds since 1970 are far below what a number holds.
                #[allow(clippy::cast_precision_loss)]
                Some(at.as_millisecond() as f64)
            }
            _ => None,
        }
    }
}

impl Scope<'_> {
    fn call(&self, function: &Function, arguments: Vec<Known>) -> Known {
        if self.depth > DEEPEST {
            return Known::Unknown;
        }
        let mut inner = self.clone();
        inner.depth += 1;
        let arguments = arguments
            .into_iter()
            .chain(std::iter::repeat(Known::Undefined));
        for (binding, value) in function.parameters.iter().zip(arguments) {
            inner.bind(binding, &value);
        }
        inner.run(&function.body).unwrap_or(Known::Undefined)
    }

    fn bind(&mut self, binding: &Binding, value: &Known) {
        match binding {
            Binding::Name(name) => drop(self.names.insert(name.clone(), value.clone())),
            Binding::Fields(fields) => {
                for (key, name) in fields {
                    let value = member(value, key);
                    self.names.insert(name.clone(), value);
                }
            }
        }
    }

    /// Runs statements. Returns what they return, if they do.
    fn run(&mut self, statements: &[Statement]) -> Option<Known> {
        for (at, statement) in statements.iter().enumerate() {
            match statement {
                Statement::Return(value) => {
                    return Some(
                        value
                            .as_ref()
                            .map_or(Known::Undefined, |value| self.value(value)),
                    );
                }
                Statement::Declare(binding, value) => {
                    let value = self.value(value);
                    self.bind(binding, &value);
                }
                Statement::If(condition, then, otherwise) => match self.value(condition).truth() {
                    Some(is_true) => {
                        let chosen = if is_true { then } else { otherwise };
                        if let Some(value) = self.run(chosen) {
                            return Some(value);
                        }
                    }
                    None => {
                        let rest = &statements[at + 1..];
                        let ways = [then, otherwise].map(|way| {
                            let mut inner = self.clone();
                            let value = inner.run(way).or_else(|| inner.run(rest));
                            value.unwrap_or(Known::Undefined)
                        });
                        let [first, second] = ways;
                        return Some(first.or(second));
                    }
                },
                Statement::Call => {}
                Statement::Other => return Some(Known::Unknown),
            }
        }
        None
    }

    fn value(&self, expression: &Expression) -> Known {
        match expression {
            Expression::Literal(value) => Known::Is(value.clone()),
            Expression::Truthy => Known::Truthy,
            Expression::Other => Known::Unknown,
            Expression::Function(function) => Known::Function(Rc::clone(function)),
            Expression::Name(name) => self.named(name),
            Expression::Member(of, key) => match (&**of, &**key) {
                // A build for publication sets no variables for drafts.
                (Expression::Name(process), "env") if process == "process" => {
                    Known::Is(serde_json::json!({
                        "ELEVENTY_RUN_MODE": "build", "NODE_ENV": "production", "ELEVENTY_ENV": "production", "CONTEXT": "production",
                    }))
                }
                _ => member(&self.value(of), key),
            },
            Expression::Object(fields) => {
                let values = fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.value(value)));
                let known = values.filter_map(|(key, value)| match value {
                    Known::Is(value) => Some((key, value)),
                    _ => None,
                });
                Known::Is(Value::Object(known.collect()))
            }
            Expression::Not(inner) => match self.value(inner).truth() {
                Some(truth) => Known::Is((!truth).into()),
                None => Known::Unknown,
            },
            Expression::Choice(condition, then, otherwise) => match self.value(condition).truth() {
                Some(true) => self.value(then),
                Some(false) => self.value(otherwise),
                None => self.value(then).or(self.value(otherwise)),
            },
            Expression::Two(operator, left, right) => self.two(operator, left, right),
            Expression::New(name, arguments) => match (&**name, &arguments[..]) {
                ("Date", []) => now(),
                ("Date", [one]) => self.value(one).number().map_or(Known::Unknown, from_number),
                _ => Known::Truthy,
            },
            Expression::Call(function, arguments) => self.called(function, arguments),
        }
    }

    fn two(&self, operator: &str, left: &Expression, right: &Expression) -> Known {
        let left = self.value(left);
        let both = |left: &Known| (left.clone(), self.value(right));
        match (operator, left.truth()) {
            ("&&", Some(false)) | ("||", Some(true)) => return left,
            ("&&", Some(true)) | ("||", Some(false)) => return self.value(right),
            ("&&" | "||", None) => return left.or(self.value(right)),
            ("??", _) => {
                return match left {
                    Known::Undefined | Known::Is(Value::Null) => self.value(right),
                    Known::Unknown => Known::Unknown,
                    left => left,
                };
            }
            _ => {}
        }
        let (left, right) = both(&left);
        let is = |truth: bool| Known::Is(truth.into());
        let equal = || match (&left, &right) {
            (Known::Is(left), Known::Is(right)) => Some(left == right),
            (Known::Undefined, Known::Undefined) => Some(true),
            (Known::Undefined, Known::Is(Value::Null))
            | (Known::Is(Value::Null), Known::Undefined) => Some(operator.len() == 2),
            (Known::Undefined, Known::Is(_)) | (Known::Is(_), Known::Undefined) => Some(false),
            _ => None,
        };
        let order = || left.number()?.partial_cmp(&right.number()?);
        let truth = match operator {
            "==" | "===" => equal(),
            "!=" | "!==" => equal().map(|equal| !equal),
            ">" => order().map(std::cmp::Ordering::is_gt),
            "<" => order().map(std::cmp::Ordering::is_lt),
            ">=" => order().map(std::cmp::Ordering::is_ge),
            "<=" => order().map(std::cmp::Ordering::is_le),
            _ => None,
        };
        truth.map_or(Known::Unknown, is)
    }

    fn called(&self, function: &Expression, arguments: &[Expression]) -> Known {
        let values = || {
            arguments
                .iter()
                .map(|argument| self.value(argument))
                .collect()
        };
        if let Expression::Member(of, method) = function {
            if matches!((&**of, &**method), (Expression::Name(date), "now") if date == "Date") {
                return now();
            }
            let arguments: Vec<Known> = values();
            return method_of(&self.value(of), method, &arguments);
        }
        match (function, &self.value(function)) {
            (_, Known::Function(function)) => self.call(function, values()),
            (Expression::Name(name), _) if name == "Boolean" => {
                let truth = arguments
                    .first()
                    .and_then(|argument| self.value(argument).truth());
                truth.map_or(Known::Unknown, |truth| Known::Is(truth.into()))
            }
            _ => Known::Unknown,
        }
    }

    /// The value of a name: of a parameter, or of a declaration anywhere in the program.
    fn named(&self, name: &str) -> Known {
        match name {
            "undefined" => return Known::Undefined,
            "true" => return Known::Is(true.into()),
            "false" => return Known::Is(false.into()),
            "null" => return Known::Is(Value::Null),
            _ => {}
        }
        if let Some(value) = self.names.get(name) {
            return value.clone();
        }
        if self.depth > DEEPEST {
            return Known::Unknown;
        }
        let declared = declaration(self.program, name).and_then(parse);
        let inner = Scope {
            names: HashMap::new(),
            depth: self.depth + 1,
            ..self.clone()
        };
        declared.map_or(Known::Unknown, |value| inner.value(&value))
    }
}

/// The code of `function name`, or after `const name =`. Other variables may get another value later.
fn declaration<'p>(program: &'p str, name: &str) -> Option<&'p str> {
    let name = regex::escape(name);
    let pattern = format!(r"\bconst\s+{name}\s*=\s*|\bfunction\s+{name}\s*\(");
    let found = regex::Regex::new(&pattern).ok()?.find(program)?;
    match found.as_str().starts_with("function") {
        true => Some(&program[found.start()..]),
        false => Some(&program[found.end()..]),
    }
}

fn from_number(number: f64) -> Known {
    serde_json::Number::from_f64(number).map_or(Known::Unknown, |number| Known::Is(number.into()))
}

fn now() -> Known {
    // Milliseconds since 1970 are far below what a number holds.
    #[allow(clippy::cast_precision_loss)]
    from_number(jiff::Timestamp::now().as_millisecond() as f64)
}

fn member(of: &Known, key: &str) -> Known {
    match of {
        Known::Is(Value::Object(table)) => table
            .get(key)
            .map_or(Known::Undefined, |value| Known::Is(value.clone())),
        Known::Is(Value::Array(list)) if key == "length" => Known::Is(list.len().into()),
        Known::Is(Value::String(text)) if key == "length" => Known::Is(text.chars().count().into()),
        Known::Undefined => Known::Undefined,
        _ => Known::Unknown,
    }
}

fn method_of(of: &Known, method: &str, arguments: &[Known]) -> Known {
    let is = |truth: bool| Known::Is(truth.into());
    let first = arguments.first();
    match (of, method) {
        (Known::Is(Value::Array(list)), "includes") => match first {
            Some(Known::Is(value)) => is(list.contains(value)),
            _ => Known::Unknown,
        },
        // A call on a value that is absent is an error, unless it is written as `?.`.
        (Known::Undefined, _) => Known::Undefined,
        (Known::Is(Value::Number(_)), "getTime" | "valueOf") => of.clone(),
        (of, "getTime" | "valueOf") => of.number().map_or(Known::Unknown, from_number),
        (Known::Is(Value::String(text)), method) => match (method, first.and_then(Known::text)) {
            ("includes", Some(part)) => is(text.contains(part)),
            ("startsWith", Some(part)) => is(text.starts_with(part)),
            ("endsWith", Some(part)) => is(text.ends_with(part)),
            ("toLowerCase", _) => Known::Is(text.to_lowercase().into()),
            ("toUpperCase", _) => Known::Is(text.to_uppercase().into()),
            ("trim", _) => Known::Is(text.trim().into()),
            _ => Known::Unknown,
        },
        _ => Known::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conditions_on_what_is_known_of_a_text_are_decided() {
        let data = json!({ "stage": "idea", "tags": ["posts", "private"], "ready": true, "title": "A",
            "page": { "inputPath": "./posts/private/a.md", "date": 1_700_000_000_000_i64 } });
        for (code, expected) in [
            ("false", Some(true)),
            ("\"/a/\"", Some(false)),
            ("() => false", Some(true)),
            ("(data) => data.draft ? false : data.permalink", Some(false)),
            (
                "data => data.stage === 'idea' ? false : `/x/${data.slug}/`",
                Some(true),
            ),
            ("(data) => data.stage !== 'done' && false", Some(true)),
            (
                "function (data) { if (!data.ready) { return false; } return data.permalink; }",
                Some(false),
            ),
            (
                "function(data) { return data.ready ? '/a/' : false; }",
                Some(false),
            ),
            (
                "({ stage, page }) => (stage == 'idea' ? false : page.url)",
                Some(true),
            ),
            (
                "() => (data) => { if (data.tags?.includes('private')) return false; }",
                Some(true),
            ),
            (
                "(data) => { const path = data.page.inputPath; return path.includes('/private/') ? false : undefined; }",
                Some(true),
            ),
            (
                "(data) => new Date(data.page.date).getTime() > Date.now() ? false : 'x'",
                Some(false),
            ),
            (
                "(data) => data.page.date < new Date('2024-01-01') ? false : 'x'",
                Some(true),
            ),
            ("(data) => isDraft(data) ? false : 'x'", Some(true)),
            (
                "(data) => { if (process.env.ELEVENTY_RUN_MODE === 'serve') { return false; } else { return 'x'; } }",
                Some(false),
            ),
            (
                "(data) => (data.stage && elsewhere(data) ? false : 'x')",
                None,
            ),
            (
                "(data) => (data.missing && elsewhere(data) ? false : 'x')",
                Some(false),
            ),
            (
                "(data) => { for (const tag of data.tags) { if (tag) return false; } }",
                None,
            ),
            ("{ build: false }", Some(true)),
            ("(data) => /x/.test(data.title) ? false : 'x'", None),
        ] {
            let program = format!("const isDraft = (d) => d.stage == 'idea';\nx = {code}");
            assert_eq!(is_false(code, &program, &data), expected, "{code}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_code_is_read(code in "[(){}\\[\\]a-c=>?:!&|.,;'`$\\\\/ \n0-9]{0,80}") {
            is_false(&code, &code, &Value::Null);
        }

        #[test]
        fn deep_code_is_read(open in "[(!{\\[]", count in 0_usize..5000) {
            is_false(&open.repeat(count), "", &Value::Null);
        }
    }
}
