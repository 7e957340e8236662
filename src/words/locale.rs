//! What CLDR says of a language.

use std::collections::HashMap;

use super::{ENGLISH, chain, plural};

const CLDR: &str = include_str!("cldr.txt");

/// The facts that are lists: months from January on, weekdays from Sunday on.
const NAMES: [&str; 8] = ["MMM", "MMMM", "LLL", "LLLL", "EEE", "EEEE", "ccc", "cccc"];

/// How a language writes dates, numbers and units.
#[derive(Debug)]
pub(super) struct Locale {
    facts: HashMap<&'static str, &'static str>,
    /// The names of months and weekdays.
    names: HashMap<&'static str, Vec<&'static str>>,
    /// The digits from 0 to 9.
    pub(super) digits: Vec<char>,
}

impl Locale {
    pub(super) fn of(language: &str) -> Self {
        let mut names = chain(language);
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

    /// A fact, empty where CLDR says nothing.
    pub(super) fn fact(&self, key: &str) -> &'static str {
        self.facts.get(key).copied().unwrap_or_default()
    }

    /// One of the names that stand under a key: of a month, of a weekday.
    pub(super) fn name(&self, key: &str, at: usize) -> &'static str {
        let names = self.names.get(key);
        names.and_then(|names| names.get(at).copied()).unwrap_or_default()
    }

    /// The plural category of a whole number.
    pub(super) fn category(&self, n: u64) -> &'static str {
        plural::category(self.fact("plurals"), &n.to_string())
    }

    /// The plural category of a number in ASCII digits, `4.2`.
    pub(super) fn category_of(&self, number: &str) -> &'static str {
        plural::category(self.fact("plurals"), number)
    }

    /// The form of a unit for a number in ASCII digits.
    pub(super) fn unit(&self, key: &str, number: &str) -> &'static str {
        let forms = self.fact(key);
        let form = |category: &str| {
            let mut forms = forms.split('|');
            forms.find_map(|form| form.strip_prefix(category)?.strip_prefix('='))
        };
        form(self.category_of(number)).or_else(|| form("other")).unwrap_or(forms)
    }
}

/// The lines of a language.
fn block(name: &str) -> Option<&'static str> {
    let start = CLDR.find(&format!("\n[{name}]\n"))?;
    let lines = CLDR[start + 1..].split_once('\n')?.1;
    Some(lines.split("\n[").next().unwrap_or(lines))
}
