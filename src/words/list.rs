//! Formats labels with their values, and lists.

use super::Words;

impl Words {
    /// Returns a label with its value: `License: CC BY 4.0`.
    pub fn labelled(&self, label: &str, value: &str) -> String {
        self.fill_placeholders("labelled", &[("label", label), ("value", value)])
    }

    /// Returns the separator between a label and its value: `: `.
    pub fn colon(&self) -> &str {
        between(self.text("labelled"), "{label}", "{value}").unwrap_or(": ")
    }

    /// Joins two values in the style of the language: `MP3, 4.2 MB`.
    pub fn joined(&self, first: &str, second: &str) -> String {
        self.fill_placeholders("joined", &[("first", first), ("second", second)])
    }

    /// Returns the separator between two joined values: `, `.
    pub fn comma(&self) -> &str {
        between(self.text("joined"), "{first}", "{second}").unwrap_or(", ")
    }

    /// Returns the strings before and after the names of `count` authors, such as `By ` and an
    /// empty string. If a pattern lacks `{names}`, the whole pattern precedes the names.
    pub fn around_authors(&self, count: usize) -> (String, String) {
        let pattern = self.form("by", count as u64);
        match pattern.split_once("{names}") {
            Some((before, after)) => (before.to_owned(), after.to_owned()),
            None => (format!("{pattern} "), String::new()),
        }
    }

    /// Returns the separator after the name at index `at` in a list of `count` names: `, ` or ` and
    /// `. In most languages, it is empty after the last name.
    pub fn after_name(&self, at: usize, count: usize) -> &str {
        let mut patterns = self.locale.fact("list").split('|');
        let (two, last, middle) = (patterns.next(), patterns.next(), patterns.next());
        let pattern = match count {
            2 => two,
            _ if at + 2 >= count => last,
            _ => middle,
        };
        let pattern = pattern.filter(|_| count > 1).unwrap_or_default();
        if at + 1 < count {
            between(pattern, "{0}", "{1}").unwrap_or(", ")
        } else {
            pattern.split_once("{1}").map_or("", |(_, after)| after)
        }
    }
}

fn between<'a>(pattern: &'a str, first: &str, second: &str) -> Option<&'a str> {
    let (_, after) = pattern.split_once(first)?;
    Some(after.split_once(second)?.0)
}
