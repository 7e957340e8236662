//! Parses the subset of JSONPath that the warehouse's SQL supports, such as `$.a.b[0]`. Names with
//! special characters are written as `."a b"` or `['a b']`.

use crate::sql::functions::json_text::Json;

/// The path from a JSON value to a nested value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Element(usize),
}

impl Path {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let error = || format!("Invalid JSONPath: {text:?}");
        let mut rest = text.strip_prefix('$').ok_or_else(error)?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = step(rest).ok_or_else(error)?;
            steps.push(step);
            rest = after;
        }
        Ok(Self(steps))
    }

    /// Returns the value at this path.
    pub(super) fn find<'v, 'a>(&self, value: &'v Json<'a>) -> Option<&'v Json<'a>> {
        self.0.iter().try_fold(value, |value, step| match step {
            Step::Member(name) => value.member(name),
            Step::Element(at) => match value {
                Json::Array(elements) => elements.get(*at),
                _ => None,
            },
        })
    }
}

fn step(text: &str) -> Option<(Step, &str)> {
    if let Some(rest) = text.strip_prefix('.') {
        if let Some((name, rest)) = quoted(rest, '"') {
            return Some((Step::Member(name), rest));
        }
        let end = rest.find(['.', '[', ']', '"', '\'']).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        return (!name.is_empty()).then(|| (Step::Member(name.to_owned()), rest));
    }
    let rest = text.strip_prefix('[')?;
    if let Some((name, rest)) = quoted(rest, '\'').or_else(|| quoted(rest, '"')) {
        return Some((Step::Member(name), rest.strip_prefix(']')?));
    }
    let (digits, rest) = rest.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let at = is_number.then(|| digits.parse().unwrap_or(usize::MAX))?;
    Some((Step::Element(at), rest))
}

/// Parses a quoted string, in which a backslash escapes the next character. Returns the string and
/// the rest of the input.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let inside = text.strip_prefix(quote)?;
    let mut name = String::new();
    let mut characters = inside.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.push(characters.next()?.1),
            end if end == quote => return Some((name, &inside[at + quote.len_utf8()..])),
            character => name.push(character),
        }
    }
    None
}
