//! What is compared, hashed or stored is written out on purpose: a change of a derive must not change it.

use crate::rules::{Tree, Violation};
use crate::tokens::blank_comments;

/// What makes a number, a key or a record of a text.
const IDENTITY_WORDS: [&str; 14] = [
    "xxh3", "Xxh3", "Sha256", "digest(", "hash(", "Hmac", "as_bytes()", "into_bytes()",
    "extend_from_slice(", "depends_on(", "reserve(", "fingerprint", "payload", "etag",
];

/// Finds Debug output that goes into one of [`IDENTITY_WORDS`]: in the same statement, or by a name that the
/// function gives it.
pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    let is_code = |path: &str| path.starts_with("src/") || path.contains("/src/");
    for (path, text) in tree.iter().filter(|(path, _)| is_code(path) && path.ends_with(".rs")) {
        for (line, statement) in find_identities(text) {
            found.push(Violation {
                place: format!("{path}:{line}: {statement}"),
                rule: "identity is never Debug output: a change of a derive would change it"
                    .to_owned(),
                remedy: "hash the value itself (`Hash`), or write it out as JSON or bytes"
                    .to_owned(),
            });
        }
    }
    found
}

fn find_identities(text: &str) -> Vec<(usize, String)> {
    let code = blank_comments(text);
    let statements = statements(&code);
    let is_identity = |text: &str| IDENTITY_WORDS.iter().any(|word| text.contains(word));
    let mut found = Vec::new();
    for (at, (line, statement)) in statements.iter().enumerate() {
        if !prints_debug(statement) || is_message(statement) {
            continue;
        }
        let same_function = || {
            let behind = statements[at + 1..].iter().map(|(_, text)| text);
            behind.take_while(|text| !is_function(text))
        };
        let later = |name: &str| same_function().any(|text| flows_into_identity(text, name));
        if is_identity(statement) || bound_name(statement).is_some_and(later) {
            found.push((*line, statement.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    found
}

fn is_not_word_char(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

fn is_function(text: &str) -> bool {
    text.split(is_not_word_char).any(|word| word == "fn")
}

fn prints_debug(text: &str) -> bool {
    let is_debug = |(at, _): (usize, &str)| {
        let rest = text[at + 1..]
            .trim_start_matches(['#', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.']);
        rest.starts_with("?}")
    };
    text.match_indices(':').any(is_debug)
}

/// What people read: errors, warnings, and what tests say.
fn is_message(text: &str) -> bool {
    [
        "assert", "panic!", "Err(", "Error", "error", "warning", "message", "wrong", "refuse",
        "Fault", "fail",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Whether a statement makes an identity of what has this name. What else becomes bytes in it says nothing.
fn flows_into_identity(statement: &str, name: &str) -> bool {
    let has_name = |text: &str| text.split(is_not_word_char).any(|word| word == name);
    let mut bytes = IDENTITY_WORDS.iter().filter(|word| word.ends_with("bytes()"));
    let mut others = IDENTITY_WORDS.iter().filter(|word| !word.ends_with("bytes()"));
    bytes.any(|word| statement.contains(&format!("{name}.{word}")))
        || (others.any(|word| statement.contains(word)) && has_name(statement))
}

/// The name that a statement gives to what it prints, or of the text that it adds it to.
fn bound_name(statement: &str) -> Option<&str> {
    let written = ["let mut ", "let ", "write!(", "writeln!("];
    let rest = written
        .iter()
        .find_map(|start| statement.split_once(start).map(|(_, rest)| rest))
        .or_else(|| statement.contains(".push_str(").then_some(statement))?
        .trim_start_matches("&mut ");
    let end = rest.find(is_not_word_char).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

/// The code's statements and arms of a `match`, each with its line. Signs in texts divide nothing.
fn statements(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut line, mut start, mut depth) = (1, 1, 0_usize);
    let mut current = String::new();
    let (mut is_text, mut is_escaped) = (false, false);
    for c in code.chars() {
        let ends = match c {
            _ if is_text => false,
            ';' | '{' | '}' => true,
            ',' => depth == 0,
            _ => false,
        };
        match c {
            '"' if !is_escaped => is_text = !is_text,
            '(' | '[' if !is_text => depth += 1,
            ')' | ']' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_escaped = is_text && c == '\\' && !is_escaped;
        if ends {
            found.push((start, std::mem::take(&mut current)));
            depth = 0;
        } else {
            if current.is_empty() {
                start = line;
            }
            if !current.is_empty() || !c.is_whitespace() {
                current.push(c);
            }
        }
        line += usize::from(c == '\n');
    }
    found.push((start, current));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_in_an_identity_is_a_violation() {
        for code in [
            r#"fn f() { made_of.extend_from_slice(format!("{document:?}").as_bytes()); }"#,
            r#"fn f() { let described = format!("{} {:?}", a, b); xxh3_64(described.as_bytes()) }"#,
            r#"fn f() { let payload = format!("{input:#?}"); state.reserve(key, &payload) }"#,
            "fn f() {\n    around.push_str(&format!(\"{path} {length:?}\\n\"));\n    around.into_bytes()\n}",
            r#"fn f() { let name = format!("{:?}", kind); let key = format!("{:x}", xxh3_64(name.as_bytes())); }"#,
        ] {
            assert_eq!(find_identities(code).len(), 1, "{code}");
        }
    }

    #[test]
    fn messages_and_other_functions_are_allowed() {
        for code in [
            r#"fn f() { let message = format!("{text:?} is no id"); Err(message) }"#,
            r#"fn f() { format!("{number:?}") }  fn g() { xxh3_64(text.as_bytes()) }"#,
            r#"fn f() { let shown = format!("{shown:?}"); say(shown) } fn g() { let shown = x; digest(shown) }"#,
            r#"fn f() { tell(format!("{text:?}")); xxh3_64(other.as_bytes()) }"#,
            r#"/// `{:?}` of xxh3"#,
        ] {
            assert_eq!(find_identities(code), [], "{code}");
        }
    }
}
