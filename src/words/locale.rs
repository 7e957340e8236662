//! Data about a language from CLDR.

use std::collections::HashMap;

use super::{ENGLISH, chain, plural};

const CLDR: &str = include_str!("cldr.txt");

/// Keys whose values are lists: month names starting in January, weekday names starting on Sunday.
const NAMES: [&str; 8] = ["MMM", "MMMM", "LLL", "LLLL", "EEE", "EEEE", "ccc", "cccc"];

/// Formats for dates, numbers and units in a language.
#[derive(Debug)]
pub(super) struct Locale {
    facts: HashMap<&'static str, &'static str>,
    /// Names of months and weekdays.
    names: HashMap<&'static str, Vec<&'static str>>,
    /// Digits from 0 to 9.
    pub(super) digits: Vec<char>,
}

impl Locale {
    pub(super) fn of(language: &str) -> Self {
        let mut names = chain(language);
        // A region inherits missing data only from its language, not from another region among its
        // fallbacks.
        if let [region, .., language] = &names[..]
            && block(region).is_some()
        {
            names = vec![region.clone(), language.clone()];
        }
        if !names.iter().any(|name| block(name).is_some()) {
            names = vec![ENGLISH.to_owned()];
        }
        let blocks = names.iter().rev().filter_map(|name| block(name));
        let lines = blocks.flat_map(str::lines);
        let facts: HashMap<_, _> = lines.filter_map(|line| line.split_once('\t')).collect();
        let digits = facts.get("digits").copied().unwrap_or("0123456789");
        Self {
            names: NAMES
                .into_iter()
                .filter_map(|key| Some((key, facts.get(key)?.split('|').collect())))
                .collect(),
            digits: digits.chars().collect(),
            facts,
        }
    }

    /// Returns the value of a key, or an empty string if CLDR has none.
    pub(super) fn fact(&self, key: &str) -> &'static str {
        self.facts.get(key).copied().unwrap_or_default()
    }

    /// Returns a name from a list, such as a month or a weekday, by its index.
    pub(super) fn name(&self, key: &str, at: usize) -> &'static str {
        let names = self.names.get(key);
        names.and_then(|names| names.get(at).copied()).unwrap_or_default()
    }

    /// Returns the plural category of a whole number.
    pub(super) fn category(&self, n: u64) -> &'static str {
        plural::category(self.fact("plurals"), &n.to_string())
    }

    /// Returns the plural category of a number in ASCII digits, such as `4.2`.
    pub(super) fn category_of(&self, number: &str) -> &'static str {
        plural::category(self.fact("plurals"), number)
    }

    /// Returns the form of a unit for a number in ASCII digits.
    pub(super) fn unit(&self, key: &str, number: &str) -> &'static str {
        let forms = self.fact(key);
        let form = |category: &str| {
            let mut forms = forms.split('|');
            forms.find_map(|form| form.strip_prefix(category)?.strip_prefix('='))
        };
        form(self.category_of(number)).or_else(|| form("other")).unwrap_or(forms)
    }
}

/// Returns the lines of a language in `cldr.txt`.
fn block(name: &str) -> Option<&'static str> {
    let start = CLDR.find(&format!("\n[{name}]\n"))?;
    let lines = CLDR[start + 1..].split_once('\n')?.1;
    Some(lines.split("\n[").next().unwrap_or(lines))
}
