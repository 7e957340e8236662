//! Words that authors and themes bring along.

use std::collections::BTreeMap;

/// A word or a sentence of the site's furniture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Word {
    Text(String),
    /// A text for each plural category of CLDR that the language has: `one`, `few`, `other`.
    Counted(BTreeMap<String, String>),
}

pub type WordTable = BTreeMap<String, Word>;

/// `[words]` of site.toml.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct OwnWords {
    /// Of the site's language.
    pub site: WordTable,
    /// `[words.<language>]`, by BCP 47 names.
    pub languages: BTreeMap<String, WordTable>,
}
