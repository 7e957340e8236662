//! Literal values in the JavaScript of an Eleventy site. The code is not run.

use std::collections::HashMap;

use regex::Regex;

use crate::import::folder::tree::{Tree, joined, split};

/// Files that a program may consist of.
const MOST_PARTS: usize = 50;

/// Source code without comments.
#[derive(Debug, Default, Clone)]
pub struct Program {
    pub path: String,
    pub code: String,
}

const LITERAL: &str = r#"(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`)"#;

impl Program {
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            code: without_comments(text),
        }
    }

    /// The literal arguments of calls of a function, and whether another call has a different argument.
    pub fn arguments(&self, function: &str) -> (Vec<String>, bool) {
        let mut texts = Vec::new();
        let mut is_known = true;
        let Ok(calls) = Regex::new(&format!(
            r"\b{}\s*\(\s*",
            function.replace('.', r"\s*\.\s*")
        )) else {
            return (texts, false);
        };
        for call in calls.find_iter(&self.code) {
            match self.value(&self.code[call.end()..]) {
                Some(mut found) => texts.append(&mut found),
                None => is_known = false,
            }
        }
        (texts, is_known)
    }

    /// Returns the texts of a property, or of the variable that it names. None if the code has no such name; an error
    /// if the value is not a literal.
    pub fn property(&self, name: &str) -> Option<Result<Vec<String>, ()>> {
        let pattern = format!(r#"(?:^|[{{,\s])["']?{name}["']?\s*:\s*"#);
        let found = Regex::new(&pattern).ok()?.find(&self.code);
        match found {
            Some(found) => Some(self.value(&self.code[found.end()..]).ok_or(())),
            // `{ input }` names a variable.
            None => {
                let short =
                    Regex::new(&format!(r"\bdir\s*[:=]\s*\{{[^}}]*\b{name}\s*[,}}]")).ok()?;
                short
                    .is_match(&self.code)
                    .then(|| self.variable(name).ok_or(()))
            }
        }
    }

    /// The value at the start of code: a text, a list of texts, or a variable with either.
    fn value(&self, code: &str) -> Option<Vec<String>> {
        let literal = |text: &str| -> Option<(String, usize)> {
            let found = Regex::new(&format!("^{LITERAL}")).ok()?.captures(text)?;
            let inner = (1..4).find_map(|at| found.get(at))?;
            Some((inner.as_str().to_owned(), found.get(0)?.end()))
        };
        let mut rest = code.trim_start();
        if let Some((text, _)) = literal(rest) {
            return Some(vec![text]);
        }
        if let Some(list) = rest.strip_prefix('[') {
            let mut texts = Vec::new();
            rest = list.trim_start();
            while let Some((text, end)) = literal(rest) {
                texts.push(text);
                rest = rest[end..]
                    .trim_start()
                    .trim_start_matches(',')
                    .trim_start();
            }
            return rest.starts_with(']').then_some(texts);
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
            .unwrap_or(rest.len());
        match &rest[..end] {
            "" => None,
            "true" | "false" => Some(vec![rest[..end].to_owned()]),
            name => self.variable(name),
        }
    }

    fn variable(&self, name: &str) -> Option<Vec<String>> {
        let name = regex::escape(name);
        let pattern = format!(r"\b(?:const|let|var)\s+{name}\s*=\s*{LITERAL}");
        let found = Regex::new(&pattern).ok()?.captures(&self.code)?;
        let text = (1..4).find_map(|at| found.get(at))?;
        Some(vec![text.as_str().to_owned()])
    }

    /// The code of the values that a key gets: `permalink: …`, `permalink(…) {…}`, `"permalink", …`, `{ permalink }`.
    pub fn values_of(&self, key: &str) -> Vec<String> {
        let pattern = format!(r#"\b{key}["'`]?\s*(?:[:(,=]|=>)\s*"#);
        let (Ok(pattern), Ok(short)) = (
            Regex::new(&pattern),
            Regex::new(&format!(r"[{{,]\s*{key}\s*[,}}]")),
        ) else {
            return Vec::new();
        };
        let found = pattern.find_iter(&self.code);
        let mut values: Vec<String> = found
            .filter(|found| !self.code[..found.start()].ends_with("data."))
            .map(|found| {
                let value = expression(&self.code[found.end()..], true);
                // The parameters and the body of a method.
                match found.as_str().trim_end().ends_with('(') {
                    true => format!("function({value}"),
                    false => value.to_owned(),
                }
            })
            .collect();
        values.extend(short.is_match(&self.code).then(|| key.to_owned()));
        values
    }

    /// Adds the code of the site's files that the program imports.
    pub fn add_own_parts(&mut self, tree: &mut Tree) {
        let Ok(pattern) = Regex::new(
            r#"(?:\brequire\s*\(|\bfrom\b|\bimport\b\s*\(?)\s*["'](\.{1,2}/[^"'\n]+)["']"#,
        ) else {
            return;
        };
        let mut seen = vec![self.path.clone()];
        let mut open = vec![(self.path.clone(), self.code.clone())];
        while let Some((path, code)) = open.pop() {
            for found in pattern.captures_iter(&code) {
                let Some(bare) = joined(split(&path).0, &found[1]) else {
                    continue;
                };
                let names = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js"];
                let part = names
                    .iter()
                    .map(|ending| format!("{bare}{ending}"))
                    .find(|path| tree.has(path));
                let Some(part) =
                    part.filter(|part| !seen.contains(part) && seen.len() < MOST_PARTS)
                else {
                    continue;
                };
                let text = tree.text(&part).unwrap_or_default();
                let text = without_comments(&text);
                self.code.push('\n');
                self.code.push_str(&text);
                seen.push(part.clone());
                open.push((part, text));
            }
        }
    }

    /// The texts that calls of a function may be given where the argument is no literal: those of the list that a loop around
    /// it goes through, and of the variables in it.
    pub fn computed_arguments(&self, function: &str) -> Vec<String> {
        let call = Regex::new(&format!(
            r"\b{}\s*\(\s*",
            function.replace('.', r"\s*\.\s*")
        ));
        let (Ok(call), Ok(name)) = (call, Regex::new(r"[A-Za-z_$][\w$]*")) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for call in call.find_iter(&self.code) {
            let argument = expression(&self.code[call.end()..], true);
            if self.value(argument).is_some() {
                continue;
            }
            let above = &self.code[..call.start()];
            let above = &above[above.rfind(';').map_or(0, |at| at + 1)..];
            // The line with the beginning of the loop, and what follows.
            let line = above
                .rfind("for")
                .map(|at| above[..at].rfind('\n').map_or(0, |at| at + 1));
            let around = format!("{}{argument}", line.map_or("", |line| &above[line..]));
            let mut texts = literals(&around);
            for name in name.find_iter(&around) {
                let declared = Regex::new(&format!(
                    r"\b(?:const|let|var)\s+{}\s*=\s*",
                    regex::escape(name.as_str())
                ));
                let declared = declared.ok().and_then(|pattern| pattern.find(&self.code));
                texts.extend(
                    declared.into_iter().flat_map(|declared| {
                        literals(expression(&self.code[declared.end()..], true))
                    }),
                );
            }
            match argument
                .trim()
                .strip_prefix('`')
                .and_then(|template| template.strip_suffix('`'))
            {
                Some(template) => found.extend(texts.iter().map(|text| filled(template, text))),
                None => found.append(&mut texts),
            }
        }
        found
    }

    /// The functions that decide which Markdown files are read.
    pub fn preprocessors(&self) -> Vec<&str> {
        let Ok(pattern) = Regex::new(&format!(r"^\s*{LITERAL}\s*,\s*{LITERAL}\s*,\s*")) else {
            return Vec::new();
        };
        let calls = self.calls_of("addPreprocessor").into_iter();
        let functions = calls.filter_map(|call| {
            let Some(found) = pattern.captures(call) else {
                return Some(call);
            };
            let kinds = (4..7).find_map(|at| found.get(at))?.as_str();
            let reads = kinds
                .split(',')
                .any(|kind| matches!(kind.trim(), "*" | "md"));
            reads.then(|| &call[found.get(0).map_or(0, |whole| whole.end())..])
        });
        functions.collect()
    }

    /// The paired shortcodes that do not show the text between their tags, and those that may leave it out.
    pub fn paired_shortcodes(&self) -> (Vec<String>, Vec<String>) {
        let (mut silent, mut deciding) = (Vec::new(), Vec::new());
        let Ok(pattern) = Regex::new(&format!(
            r"^\s*{LITERAL}\s*,\s*(?:async\s+)?(?:function\s*\w*\s*)?\(?\s*(\w*)"
        )) else {
            return (silent, deciding);
        };
        let calls = [
            "",
            "Async",
            "Liquid",
            "Nunjucks",
            "NunjucksAsync",
            "Handlebars",
        ]
        .iter()
        .flat_map(|engine| self.calls_of(&format!("addPaired{engine}Shortcode")));
        for call in calls {
            let Some(found) = pattern.captures(call) else {
                continue;
            };
            let Some(name) = (1..4).find_map(|at| found.get(at)) else {
                continue;
            };
            let (text, behind) = (
                &found[4],
                &call[found.get(0).map_or(0, |whole| whole.end())..],
            );
            let body = Self {
                path: String::new(),
                code: behind.to_owned(),
            };
            let has_body = behind.contains(['{', '=']);
            let may_be_empty = ["\"\"", "''", "``", "return;", "null"]
                .iter()
                .any(|empty| behind.contains(empty));
            if has_body && (text.is_empty() || !body.names(text)) {
                silent.push(name.as_str().to_owned());
            } else if may_be_empty {
                deciding.push(name.as_str().to_owned());
            }
        }
        (silent, deciding)
    }

    /// The code of the arguments in calls of a function.
    pub fn calls_of<'p>(&'p self, function: &str) -> Vec<&'p str> {
        let Ok(pattern) = Regex::new(&format!(r"\b{function}\s*\(")) else {
            return Vec::new();
        };
        let found = pattern.find_iter(&self.code);
        found
            .map(|found| expression(&self.code[found.end()..], false))
            .collect()
    }

    pub fn names(&self, word: &str) -> bool {
        let pattern = Regex::new(&format!(r"\b{}\b", regex::escape(word)));
        pattern.is_ok_and(|pattern| pattern.is_match(&self.code))
    }

    /// Pairs of literal arguments in calls of a function.
    pub fn pairs(&self, function: &str) -> HashMap<String, String> {
        let pattern = format!(r"\b{function}\s*\(\s*{LITERAL}\s*,\s*{LITERAL}");
        let Ok(pattern) = Regex::new(&pattern) else {
            return HashMap::new();
        };
        let pairs = pattern.captures_iter(&self.code).filter_map(|found| {
            let text = |range: std::ops::Range<usize>| {
                let mut groups = range.into_iter();
                Some(groups.find_map(|at| found.get(at))?.as_str().to_owned())
            };
            Some((text(1..4)?, text(4..7)?))
        });
        pairs.collect()
    }
}

/// A template with a text in the place of each value.
fn filled(template: &str, text: &str) -> String {
    let mut parts = template.split("${");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += text;
        out += part.split_once('}').map_or("", |(_, after)| after);
    }
    out
}

/// The literals in an expression.
pub fn literals(code: &str) -> Vec<String> {
    let Ok(pattern) = Regex::new(LITERAL) else {
        return Vec::new();
    };
    let found = pattern.captures_iter(code);
    let texts =
        found.filter_map(|found| Some((1..4).find_map(|at| found.get(at))?.as_str().to_owned()));
    texts.collect()
}

/// An expression up to the bracket that ends it, or up to the comma if only one expression is wanted.
fn expression(code: &str, is_one: bool) -> &str {
    let mut open = 0_usize;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => open += 1,
            (None, ')' | ']' | '}') if open == 0 => {
                // The parameters of a method end here, and its body follows.
                let rest = code[at + 1..].trim_start();
                if c == ')' && (rest.starts_with('{') || rest.starts_with("=>")) {
                    continue;
                }
                return &code[..at];
            }
            (None, ')' | ']' | '}') => open -= 1,
            (None, ',' | ';') if open == 0 && is_one => return &code[..at],
            _ => {}
        }
    }
    code
}

/// Code with spaces in place of comments.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match (quote, c) {
            (Some(_), '\\') => {
                length += rest[length..].chars().next().map_or(0, char::len_utf8);
            }
            (Some(mark), c) if c == mark || (c == '\n' && mark != '`') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '/') if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            (None, '/') if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
                rest = &rest[end..];
                out.push(' ');
                continue;
            }
            _ => {}
        }
        out += &rest[..length];
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_program_are_read() {
        let program = Program::new(
            "eleventy.config.js",
            r#"
            // eleventyConfig.ignores.add("no.md"); /* nor this
            const source = "src";
            export default function (eleventyConfig) {
                eleventyConfig.ignores.add("a.md"); /* eleventyConfig.ignores.add("b.md") */
                eleventyConfig.ignores.add('c/**'); eleventyConfig.ignores.add(`d`);
                eleventyConfig.ignores.add(process.env.X);
                eleventyConfig.addLayoutAlias('post', "layouts/post.njk");
                return { templateFormats: ["njk", 'html'], dir: { input: source, output: "http://x//y" } };
            }"#,
        );
        assert_eq!(
            program.arguments("ignores.add"),
            (vec!["a.md".into(), "c/**".into(), "d".into()], false)
        );
        assert_eq!(program.property("input"), Some(Ok(vec!["src".into()])));
        assert_eq!(
            program.property("output"),
            Some(Ok(vec!["http://x//y".into()]))
        );
        assert_eq!(
            program.property("templateFormats"),
            Some(Ok(vec!["njk".into(), "html".into()]))
        );
        assert_eq!(program.property("data"), None);
        assert_eq!(program.pairs("addLayoutAlias")["post"], "layouts/post.njk");
    }

    #[test]
    fn values_of_keys_are_found_whole() {
        for (code, value) in [
            ("module.exports = { permalink: false };", "false"),
            (
                "export default { eleventyComputed: { permalink: (data) => data.draft ? false : data.permalink } }",
                "(data) => data.draft ? false : data.permalink",
            ),
            (
                "module.exports = { permalink(data) { return data.draft ? false : x; }, layout: 'a' }",
                "function(data) { return data.draft ? false : x; }",
            ),
            (
                "c.addGlobalData(\"eleventyComputed.permalink\", () => (data) => { if (data.private) return false; });",
                "() => (data) => { if (data.private) return false; }",
            ),
        ] {
            let program = Program::new("x", code);
            let values = program.values_of("permalink");
            let values: Vec<&str> = values.iter().map(|value| value.trim()).collect();
            assert_eq!(values, [value], "{code}");
        }
    }
}
