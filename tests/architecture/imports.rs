//! What a file uses of its crate.

use std::collections::BTreeSet;

use crate::tokens::{Token, tokens};

/// A path in the package, from its root: `feeds::rss::Rss`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub line: usize,
    pub path: Vec<String>,
}

/// The module in a file, by the file's path in its package's source folder: `feeds::rss` for
/// `feeds/rss.rs`.
pub fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// All that a file names of its crate, in `use` and by path. `modules` are the crate's.
pub fn imports(path: &str, text: &str, modules: &BTreeSet<Vec<String>>) -> Vec<Import> {
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    // Modules inside the file: `super` in one is the file's own.
    let mut module = module_of(path);
    let mut inner: Vec<usize> = Vec::new();
    let (mut depth, mut at) = (0, 0);
    while let Some(token) = tokens.get(at) {
        let mut named = Vec::new();
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inner.last() == Some(&depth) {
                    inner.pop();
                    module.pop();
                }
            }
            "mod" if tokens.get(at + 2).is_some_and(|next| next.is("{")) => {
                module.push(tokens[at + 1].text.clone());
                inner.push(depth);
            }
            // Not `impl Trait + use<'a>`.
            "use" if !before.is_some_and(|before| before.is("+")) => {
                at += 1;
                parse_use_tree(&tokens, &mut at, &[], &mut named);
            }
            "crate" | "super" | "self" if is_path_start(&tokens, at, before) => {
                named.push((token.line, path_from(&tokens, at)));
            }
            _ => {}
        }
        for (line, raw) in named {
            if let Some(path) = resolve_from_root(&raw, &module, modules) {
                found.insert(Import { line, path });
            }
        }
        at += 1;
    }
    found.into_iter().collect()
}

/// Whether a path begins here. `pub(in crate::x)` uses nothing.
fn is_path_start(tokens: &[Token], at: usize, before: Option<&Token>) -> bool {
    let is_path = tokens.get(at + 1).is_some_and(|next| next.is("::"));
    is_path && !before.is_some_and(|before| before.is("::") || before.is("in"))
}

fn path_from(tokens: &[Token], at: usize) -> Vec<String> {
    let mut path = vec![tokens[at].text.clone()];
    let rest = tokens[at + 1..].chunks_exact(2);
    let rest = rest.take_while(|pair| pair[0].is("::") && pair[1].is_word());
    path.extend(rest.map(|pair| pair[1].text.clone()));
    path
}

/// Reads a tree of `use` from `at` on, up to the sign behind it.
fn parse_use_tree(
    tokens: &[Token],
    at: &mut usize,
    prefix: &[String],
    found: &mut Vec<(usize, Vec<String>)>,
) {
    let mut path = prefix.to_vec();
    let mut line = None;
    while let Some(token) = tokens.get(*at) {
        match token.text.as_str() {
            "{" => {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| !token.is("}") && !token.is(";")) {
                    parse_use_tree(tokens, at, &path, found);
                    if tokens.get(*at).is_some_and(|token| token.is(",")) {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "," | "}" | ";" => break,
            "as" => *at += 1,
            "::" => {}
            _ => {
                line.get_or_insert(token.line);
                path.push(token.text.clone());
            }
        }
        *at += 1;
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    found.push((line.unwrap_or_default(), path));
}

/// A path as it is from the root. None where it leads out of the crate.
fn resolve_from_root(
    raw: &[String],
    module: &[String],
    modules: &BTreeSet<Vec<String>>,
) -> Option<Vec<String>> {
    let mut path = match raw.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        first => {
            let mut child = module.to_vec();
            child.push(first.to_owned());
            return modules.contains(&child).then(|| [module, raw].concat());
        }
    };
    for name in raw {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(path.pop()),
            name => path.push(name.to_owned()),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Vec<String> {
        let modules = BTreeSet::from([module_of("a/b/inner.rs")]);
        imports(path, text, &modules)
            .iter()
            .map(|import| format!("{} {}", import.line, import.path.join("::")))
            .collect()
    }

    #[test]
    fn use_trees_are_expanded_completely() {
        let text = "use crate::{\n    x::{self, Y as Z, deep::*},\n    w,\n};\nuse std::fs;";
        let found = ["2 x", "2 x::Y", "2 x::deep::*", "3 w"];
        assert_eq!(read("a/b.rs", text), found);
    }

    #[test]
    fn super_is_resolved_from_the_current_module() {
        let text = "use super::c::D;\nmod tests {\n    use super::super::e;\n    use super::F;\n}\nuse super::super::g::H;";
        let found = ["1 a::c::D", "3 a::e", "4 a::b::F", "6 g::H"];
        assert_eq!(read("a/b.rs", text), found);
        assert_eq!(read("a/b/mod.rs", "use super::c;"), ["1 a::c"]);
    }

    #[test]
    fn paths_in_code_are_imports_and_comments_are_not() {
        let text = "/// [`crate::no::No`]\nfn f(x: crate::x::X<crate::y::Y>) { super::z::run(\"crate::no\") } // crate::no\npub(in crate::no) fn g() {}\nuse inner::Own;";
        let found = ["2 a::z::run", "2 x::X", "2 y::Y", "4 a::b::inner::Own"];
        assert_eq!(read("a/b.rs", text), found);
    }
}
