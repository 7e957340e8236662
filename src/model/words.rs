//! Custom words of the site's interface, defined by authors and themes.

use std::collections::BTreeMap;

/// A word or sentence of the site's interface.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Word {
    Text(String),
    /// A form for each plural category (CLDR) of the language: `one`, `few`, `other`.
    Counted(BTreeMap<String, String>),
}

pub type WordTable = BTreeMap<String, Word>;

/// `[words]` of `site.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct CustomWords {
    /// Whether pages address visitors formally, in languages that have a formal form of address.
    pub formal: bool,
    /// Words in the language of the site.
    pub site: WordTable,
    /// Words in other languages: `[words.<language>]`, by BCP 47 tag.
    pub languages: BTreeMap<String, WordTable>,
}
