//! The info string of a fenced code block: its language, and how its lines are shown.

use std::ops::RangeInclusive;

/// Maximum number of marked line ranges in one block.
const MAX_RANGES: usize = 100;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Fence<'i> {
    pub language: &'i str,
    pub title: Option<&'i str>,
    /// Whether lines are numbered, or `None` if the fence has no such option.
    pub numbers: Option<bool>,
    /// Number of the first line.
    pub first: Option<usize>,
    /// Ranges of marked lines, counted from 1.
    pub marked: Vec<RangeInclusive<usize>>,
}

impl<'i> Fence<'i> {
    /// Parses the info string of a fence. feedwright's spelling is `rust {3-5} title="src/main.rs"
    /// linenos=10`; the spellings of other generators are accepted too. Unknown parts are skipped
    /// without an error.
    pub fn of(info: &'i str) -> Self {
        let info = info.trim_start();
        let is_end = |c: char| c.is_whitespace() || ",{:;".contains(c);
        let language = &info[..info.find(is_end).unwrap_or(info.len())];
        let mut fence = Self { language, ..Self::default() };
        let mut rest = &info[language.len()..];
        let mut are_lines = false;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;:}".contains(c));
            if let Some(inner) = rest.strip_prefix('{') {
                let end = inner.find('}').unwrap_or(inner.len());
                rest = if fence.mark(&inner[..end]) { &inner[end..] } else { inner };
                continue;
            }
            let Some(first) = rest.chars().next() else {
                return fence;
            };
            let is_end = |c: char| c.is_whitespace() || "=,;{}".contains(c);
            let key = rest.find(is_end).unwrap_or(rest.len());
            // If no key starts here, skips one character.
            let (key, after) = rest.split_at(key.max(first.len_utf8()));
            let (value, after) = match after.strip_prefix('=') {
                Some(after) => value(after),
                None => ("", after),
            };
            rest = after;
            // In `hl_lines=1 3-5`, the list continues after the space.
            are_lines = (are_lines && fence.mark(key)) || fence.set(key, value);
        }
    }

    /// Sets the value of a key. Returns whether the key was `hl_lines` or `mark`.
    fn set(&mut self, key: &str, value: &'i str) -> bool {
        let number = value.parse().ok();
        match key.to_ascii_lowercase().as_str() {
            "title" | "filename" | "name" if !value.is_empty() => self.title = Some(value),
            "hl_lines" | "mark" => {
                self.mark(value);
                return true;
            }
            "linenostart" | "startline" => self.first = number,
            "linenos" | "line-numbers" | "line_numbers" | "showlinenumbers" | "numberlines" => {
                self.numbers = Some(value != "false");
                self.first = number.or(self.first);
            }
            "nolinenos" | "no-line-numbers" => self.numbers = Some(false),
            _ => {}
        }
        false
    }

    /// Marks the lines of a list such as `3-5,8`. Returns false if `list` is not such a list.
    fn mark(&mut self, list: &str) -> bool {
        let is_list = |c: char| c.is_ascii_digit() || "-, \"".contains(c);
        if !list.starts_with(|c: char| c.is_ascii_digit() || c == '"') || !list.chars().all(is_list)
        {
            return false;
        }
        for range in list.split([',', ' ', '"']) {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            if let (Ok(from), Ok(to)) = (from.parse(), to.parse())
                && self.marked.len() < MAX_RANGES
            {
                self.marked.push(from..=to);
            }
        }
        true
    }

    pub fn is_marked(&self, line: usize) -> bool {
        self.marked.iter().any(|range| range.contains(&line))
    }
}

/// Splits text after an equals sign into the value and the rest. The value is quoted, in brackets,
/// or ends at whitespace or a separator.
fn value(text: &str) -> (&str, &str) {
    let close = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => quote,
        Some('[') => ']',
        _ => {
            let is_end = |c: char| c.is_whitespace() || ",;}".contains(c);
            return text.split_at(text.find(is_end).unwrap_or(text.len()));
        }
    };
    let inner = &text[1..];
    match inner.split_once(close) {
        Some((value, after)) => (value, after),
        None => (inner, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fence_options_of_other_generators_are_read() {
        for (info, title, numbers, first, marked) in [
            ("rust", None, None, None, ""),
            ("rust,ignore", None, None, None, ""),
            ("rust title=\"src/main.rs\"", Some("src/main.rs"), None, None, ""),
            ("rust title='a b' linenos", Some("a b"), Some(true), None, ""),
            ("rust {3-5,8}", None, None, None, "3-5 8-8"),
            ("js{1,4-6} title=a.js showLineNumbers", Some("a.js"), Some(true), None, "1-1 4-6"),
            ("rust linenos=10", None, Some(true), Some(10), ""),
            ("rust linenos=false", None, Some(false), None, ""),
            (
                "rust,linenos,linenostart=5,hl_lines=1 3-5 7,name=a",
                Some("a"),
                Some(true),
                Some(5),
                "1-1 3-5 7-7",
            ),
            (
                "go {linenos=true,hl_lines=[2,\"4-6\"],linenostart=199}",
                None,
                Some(true),
                Some(199),
                "2-2 4-6",
            ),
            ("rust {.class #id numberLines startLine=3}", None, Some(true), Some(3), ""),
            ("ts:line-numbers {1}", None, Some(true), None, "1-1"),
            ("rust title=\"open", Some("open"), None, None, ""),
            ("rust {9-3} {x} = \"\" '' [ {", None, None, None, "9-3"),
            ("rust title=", None, None, None, ""),
        ] {
            let fence = Fence::of(info);
            let ranges =
                fence.marked.iter().map(|range| format!("{}-{}", range.start(), range.end()));
            let found =
                (fence.title, fence.numbers, fence.first, ranges.collect::<Vec<_>>().join(" "));
            assert_eq!(found, (title, numbers, first, marked.to_owned()), "{info}");
        }
    }
}
