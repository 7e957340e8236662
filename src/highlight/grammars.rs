//! Highlighting with the grammars of Sublime Text, line by line, for languages without a lexer.
//!
//! A grammar takes about a thousand times as long as a lexer, and even longer on its first use, so
//! its results are cached.

use std::str::FromStr;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::Class;
use crate::code_cache::Pieces;

/// Size in bytes above which a block is not highlighted, since highlighting time grows faster than
/// size.
pub const MAX_BLOCK: usize = 32 * 1024;
/// Maximum length of a line, in bytes. A block with a longer line is not highlighted.
pub const MAX_LINE: usize = 1024;

/// Class number of a piece without a class.
const NO_CLASS: u8 = u8::MAX;

static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// Class of each scope prefix; more specific prefixes come before shorter ones.
const SCOPES: [(&str, Option<Class>); 34] = [
    ("punctuation.definition.comment", Some(Class::Comment)),
    ("punctuation.definition.string", Some(Class::String)),
    ("punctuation.section.interpolation", None),
    ("punctuation.section.embedded", None),
    ("comment", Some(Class::Comment)),
    ("string", Some(Class::String)),
    ("constant.character", Some(Class::String)),
    ("constant", Some(Class::Number)),
    ("keyword.operator.word", Some(Class::Keyword)),
    ("keyword.operator", None),
    ("keyword", Some(Class::Keyword)),
    ("storage", Some(Class::Keyword)),
    ("entity.name.function", Some(Class::Function)),
    ("entity.name.tag", Some(Class::Keyword)),
    ("entity.name.section", Some(Class::Keyword)),
    ("entity.name", Some(Class::Type)),
    ("entity.other.attribute-name", Some(Class::Type)),
    ("entity.other.inherited-class", Some(Class::Type)),
    ("support.function", Some(Class::Function)),
    ("support.macro", Some(Class::Function)),
    ("support.constant", Some(Class::Number)),
    ("support", Some(Class::Type)),
    ("variable.function", Some(Class::Function)),
    ("variable.annotation", Some(Class::Function)),
    ("variable.language", Some(Class::Keyword)),
    ("variable.other.constant", Some(Class::Number)),
    ("variable.parameter", Some(Class::Type)),
    ("variable.other.php", Some(Class::Type)),
    ("markup.heading", Some(Class::Keyword)),
    ("markup.inserted", Some(Class::Inserted)),
    ("markup.deleted", Some(Class::Deleted)),
    ("markup.raw", Some(Class::String)),
    ("meta.interpolation", None),
    ("source", None),
];

static CLASSES: LazyLock<Vec<(Scope, Option<Class>)>> = LazyLock::new(|| {
    let scopes = SCOPES.iter();
    let parsed = scopes.filter_map(|(name, class)| Some((Scope::from_str(name).ok()?, *class)));
    parsed.collect()
});

/// Returns whether a grammar has this name.
#[cfg(test)]
pub fn is_known(name: &str) -> bool {
    GRAMMARS.find_syntax_by_name(name).is_some()
}

/// Splits code into adjacent pieces that cover all of it. Returns `None` if the grammar is missing
/// or fails.
pub fn pieces(grammar: &str, code: &str) -> Option<Pieces> {
    let grammar = GRAMMARS.find_syntax_by_name(grammar)?;
    let mut state = ParseState::new(grammar);
    let mut scopes = ScopeStack::new();
    let mut found = Pieces::new();
    let mut push = |class: Option<Class>, length: usize| {
        let class = class.map_or(NO_CLASS, |class| class as u8);
        let length = u32::try_from(length).unwrap_or_default();
        match found.last_mut() {
            _ if length == 0 => {}
            Some((last, before)) if *last == class => *before += length,
            _ => found.push((class, length)),
        }
    };
    for line in code.split_inclusive('\n') {
        let changes = state.parse_line(line, &GRAMMARS).ok()?;
        let mut at = 0;
        for (place, change) in changes {
            let place = line.floor_char_boundary(place.max(at));
            push(class(&scopes), place - at);
            at = place;
            scopes.apply(&change).ok()?;
        }
        push(class(&scopes), line.len() - at);
    }
    Some(found)
}

/// Returns the class of the innermost scope that has an entry in [`SCOPES`].
fn class(scopes: &ScopeStack) -> Option<Class> {
    let mut inner = scopes.as_slice().iter().rev();
    let meaning = |scope: &Scope| {
        let known = CLASSES.iter();
        let mut known = known.filter(|(known, _)| known.is_prefix_of(*scope));
        known.next().map(|(_, class)| *class)
    };
    inner.find_map(meaning).flatten()
}
