//! Parses front matter by the rules of each generator.

use std::borrow::Cow;

use front_matter::FrontMatter;
use serde_json::Value;

use super::data::{self, Data};

/// The delimiter lines before and after front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fences {
    #[default]
    Plain,
    /// Jekyll's YAML can also end with `...`.
    Dots,
    /// In Eleventy, the first line can name the language of the front matter, as in `---json`.
    Named,
}

/// The front matter of a content file.
#[derive(Debug, Default)]
pub struct Front {
    pub fields: Data,
    /// Keys without a value.
    pub empty: Vec<String>,
    /// Byte offset of the body.
    pub body: usize,
}

/// The reason why front matter cannot be read.
pub enum Fault {
    /// A syntax error: its message and line number.
    Unreadable(String, usize),
    /// The front matter is code in this programming language.
    Program(String),
}

/// Parses the front matter of a content file.
pub fn read(whole: &str, fences: Fences) -> Result<Front, Fault> {
    if fences == Fences::Named
        && let Some(language) = whole.strip_prefix("---")
    {
        let language = language.lines().next().unwrap_or_default().trim();
        let is_name = language.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_name && !matches!(language, "yaml" | "yml") {
            return named(whole, language);
        }
    }
    let whole = match fences {
        Fences::Plain => Cow::Borrowed(whole),
        Fences::Dots => normalized_end(whole),
        Fences::Named => Cow::Owned(normalized_start(whole)),
    };
    let front = front_matter::parse(&whole).map_err(|faults| unreadable(&whole, faults))?;
    Ok(of(&front))
}

fn of(front: &FrontMatter) -> Front {
    let entries = front.table.entries.iter();
    let empty = entries.filter(|entry| entry.node.value == front_matter::Value::Null);
    Front {
        fields: data::of_table(&front.table),
        empty: empty.map(|entry| entry.key.clone()).collect(),
        body: front.body,
    }
}

fn unreadable(whole: &str, faults: Vec<front_matter::Fault>) -> Fault {
    let fault = faults.into_iter().next();
    let at = fault.as_ref().map_or(0, |fault| fault.at.min(whole.len()));
    let line = whole.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let message = fault.map(|fault| format!("{} ({})", fault.message, fault.help));
    Fault::Unreadable(message.unwrap_or_default(), line)
}

/// Replaces `...` at the end of YAML front matter with `---`. The length stays the same.
fn normalized_end(whole: &str) -> Cow<'_, str> {
    let mut lines = whole.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if first.trim_end() != "---" {
        return Cow::Borrowed(whole);
    }
    let mut at = first.len();
    for line in lines {
        match line.trim_end() {
            "---" => break,
            "..." => {
                return Cow::Owned(format!("{}---{}", &whole[..at], &whole[at + 3..]));
            }
            _ => at += line.len(),
        }
    }
    Cow::Borrowed(whole)
}

/// Replaces a first line such as `---yaml` with `---` and spaces. The length stays the same.
fn normalized_start(whole: &str) -> String {
    for name in ["---yaml", "---yml"] {
        let rest = whole.strip_prefix(name);
        if let Some(rest) = rest.filter(|rest| rest.starts_with(char::is_whitespace)) {
            return format!("---{}{rest}", " ".repeat(name.len() - 3));
        }
    }
    whole.to_owned()
}

fn named(whole: &str, language: &str) -> Result<Front, Fault> {
    let start = whole.find('\n').map_or(whole.len(), |at| at + 1);
    let end = whole[start..].find("\n---").map(|at| start + at);
    let end = end.ok_or_else(|| Fault::Unreadable("the closing `---` is missing".to_owned(), 1))?;
    let inner = &whole[start..end];
    let fields = match language {
        "json" => match serde_json::from_str(inner) {
            Ok(Value::Object(fields)) => fields,
            _ => return Err(Fault::Unreadable("it is not a valid JSON object".to_owned(), 1)),
        },
        "toml" => match front_matter::parse_toml(inner) {
            Ok(table) => data::of_table(&table),
            Err(faults) => return Err(unreadable(inner, faults)),
        },
        other => return Err(Fault::Program(other.to_owned())),
    };
    let after = &whole[end + 1..];
    let body = after.find('\n').map_or(whole.len(), |at| end + at + 2);
    Ok(Front { fields, empty: Vec::new(), body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str, fences: Fences) -> String {
        match read(text, fences) {
            Ok(front) => format!("{} | {}", Value::Object(front.fields), &text[front.body..]),
            Err(Fault::Unreadable(message, line)) => format!("{line}: {message}"),
            Err(Fault::Program(language)) => language,
        }
    }

    #[test]
    fn front_matter_fences_of_each_generator_are_read() {
        for (text, fences, expected) in [
            ("---\na: b\n...\nBody\n", Fences::Dots, "{\"a\":\"b\"} | Body\n"),
            ("---\na: b\n---\n...\n", Fences::Dots, "{\"a\":\"b\"} | ...\n"),
            ("---json\n{\"a\": 1}\n---\nBody", Fences::Named, "{\"a\":1} | Body"),
            ("---toml\na = 1\n---\nBody", Fences::Named, "{\"a\":1} | Body"),
            ("---yaml\na: b\n---\nBody", Fences::Named, "{\"a\":\"b\"} | Body"),
            ("---js\n{ a: 1 }\n---\nBody", Fences::Named, "js"),
            ("---json\n{\"a\": }\n---\nBody", Fences::Named, "1: it is not a valid JSON object"),
            ("---\na: b\n---\nBody", Fences::Named, "{\"a\":\"b\"} | Body"),
        ] {
            assert_eq!(outcome(text, fences), expected, "{text}");
        }
    }
}
