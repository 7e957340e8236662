//! A query: the parameters of a search, and the clauses of its text.

use super::document::{Kind, Status};
use super::scripts::is_dense;
use super::text::{Run, compose, fold_word, is_word, joined, literal, runs, spelling};

/// Maximum number of results on one page.
pub const MAX_LIMIT: usize = 100;
/// Maximum length of a query's text, in characters.
pub const MAX_TEXT_LENGTH: usize = 200;
/// Maximum length of a cursor, in bytes.
pub const MAX_CURSOR_LENGTH: usize = 2048;

/// A field of a document that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The [`title`](crate::Document::title).
    Title,
    /// The [`text`](crate::Document::text).
    Content,
}

/// A filter by a property that the index does not have.
#[derive(Clone, Copy)]
pub struct Filter<'a> {
    /// The property and its value. Cursors are bound to it.
    pub name: &'a str,
    /// Returns whether a document, given by kind and id, has the property.
    pub accepts: &'a dyn Fn(Kind, &str) -> bool,
}

impl std::fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Filter").field(&self.name).finish()
    }
}

/// The parameters of a search. If `types`, `fields` or `statuses` is empty, the search finds
/// nothing.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// Text that the reader typed, 1 to 200 characters.
    pub text: &'a str,
    /// Kinds of documents to find. Default: items only.
    pub types: Vec<Kind>,
    /// Fields to search. Default: title and content.
    pub fields: Vec<Field>,
    /// Statuses to find. Default: all.
    pub statuses: Vec<Status>,
    /// Maximum number of hits to return, 1 to 100. Default: 20.
    pub limit: usize,
    /// `next_cursor` of the previous page, 1 to 2048 bytes.
    pub cursor: Option<&'a str>,
    /// Only documents published strictly after this time, in Unix milliseconds, are found.
    pub published_after_ms: Option<i64>,
    /// Only documents published strictly before this time, in Unix milliseconds, are found.
    pub published_before_ms: Option<i64>,
    /// Only documents that this filter accepts are found.
    pub filter: Option<Filter<'a>>,
}

/// Error for a query parameter that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct QueryError {
    /// The invalid parameter: `q` (the text), `limit` or `next_cursor` (the cursor).
    pub field: &'static str,
    /// What is wrong with the parameter, and which values are allowed.
    pub message: String,
}

impl<'a> Query<'a> {
    /// Creates a query for `text`, with defaults for all other parameters.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            types: vec![Kind::Item],
            fields: vec![Field::Title, Field::Content],
            statuses: vec![Status::Published, Status::Unlisted, Status::Unpublished],
            limit: 20,
            cursor: None,
            published_after_ms: None,
            published_before_ms: None,
            filter: None,
        }
    }
}

/// A part of a query's text. A document must match every clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Clause {
    /// Consecutive words, folded. An unquoted term is usually one word; a term such as `e-mail` is
    /// several.
    Words {
        words: Vec<String>,
        /// For each word, its exact spelling, or `None` if that equals the folded form.
        spellings: Vec<Option<String>>,
        quoted: bool,
        /// Whether the last word may be the beginning of a longer word.
        prefix: bool,
    },
    /// Text with characters of a dense script, in literal form.
    Literal(String),
}

impl Clause {
    fn new(text: &str, quoted: bool) -> Option<Self> {
        if compose(text).contains(is_dense) {
            return Some(Self::Literal(literal(text.trim())));
        }
        let mut words: Vec<&str> = runs(text)
            .filter_map(|(_, run)| match run {
                Run::Word(word) => Some(word),
                Run::Dense(_) => None,
            })
            .collect();
        // `don't` also finds `dont`: if the whole term is one chain of joined words, it counts as
        // one word.
        let chain = joined(text).into_iter().max_by_key(ExactSizeIterator::len);
        if let Some(chain) = chain.filter(|_| !quoted)
            && runs(&text[chain.clone()]).count() == words.len()
        {
            words = vec![&text[chain]];
        }
        let typed = words.into_iter().map(|word| (folded(word), word));
        let typed = typed.filter(|(folded, _)| !folded.is_empty());
        let typed = typed.map(|(folded, word)| (spelling(word, &folded), folded));
        let (spellings, words): (Vec<Option<String>>, Vec<String>) = typed.unzip();
        (!words.is_empty()).then_some(Self::Words { words, spellings, quoted, prefix: false })
    }

    /// Returns whether a query with this clause may find misspelled titles. Only unquoted words and
    /// single characters tolerate typos.
    pub fn tolerates_typos(&self) -> bool {
        match self {
            Self::Words { quoted, .. } => !quoted,
            Self::Literal(text) => text.chars().nth(1).is_none(),
        }
    }
}

fn folded(word: &str) -> String {
    let mut out = String::new();
    fold_word(word, &mut out);
    out
}

/// Parses a query's text into clauses, without duplicates. Returns no clauses if the text has no
/// words.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut last_unquoted = None;
    for part in parts(text) {
        let (text, quoted) = match part {
            Part::Quoted(text) => (text, true),
            Part::Term(text) => (text, false),
        };
        let Some(clause) = Clause::new(text, quoted) else {
            continue;
        };
        if !quoted {
            last_unquoted = Some(clause.clone());
        }
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    for clause in &mut clauses {
        if Some(&*clause) == last_unquoted.as_ref()
            && let Clause::Words { prefix, .. } = clause
        {
            *prefix = true;
        }
    }
    clauses
}

#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Quoted(&'a str),
    Term(&'a str),
}

/// Splits a query at whitespace and quotes. An opening quote without a closing quote is ignored.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut term = 0;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let next = at + character.len_utf8();
        if let Some((inner, end)) = quoted(text, at) {
            parts.push(Part::Term(&text[term..at]));
            parts.push(Part::Quoted(inner));
            (term, at) = (end, end);
        } else if character.is_whitespace() {
            parts.push(Part::Term(&text[term..at]));
            (term, at) = (next, next);
        } else {
            at = next;
        }
    }
    parts.push(Part::Term(&text[term..]));
    parts
}

/// Returns the text between the quote at `at` and its closing quote, and the position after the
/// closing quote. A single quote directly after a word is not an opening quote, and a single quote
/// directly before a word is not a closing quote: these are apostrophes.
fn quoted(text: &str, at: usize) -> Option<(&str, usize)> {
    let opening = text[at..].chars().next()?;
    let family: &[char] = match opening {
        '"' | '“' | '”' | '„' => &['"', '“', '”', '„'],
        '\'' | '‘' | '’' => &['\'', '‘', '’'],
        _ => return None,
    };
    let single = family.contains(&'\'');
    if single && text[..at].ends_with(is_word) {
        return None;
    }
    let inner = &text[at + opening.len_utf8()..];
    inner
        .match_indices(family)
        .map(|(length, quote)| (length, length + quote.len()))
        .find(|&(_, end)| !(single && inner[end..].starts_with(is_word)))
        .map(|(length, end)| (&inner[..length], text.len() - inner.len() + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |clause| match clause {
            Clause::Literal(text) => format!("literal {text}"),
            Clause::Words { words, quoted, prefix, .. } => {
                let kind = if quoted { "phrase" } else { "term" };
                let star = if prefix { "*" } else { "" };
                format!("{kind} {}{star}", words.join(" "))
            }
        };
        clauses(text).into_iter().map(show).collect()
    }

    #[test]
    fn reads_terms_phrases_and_literals() {
        for (text, expected) in [
            ("Café au lait", vec!["term cafe", "term au", "term lait*"]),
            ("\"exact words\" here", vec!["phrase exact words", "term here*"]),
            ("'exact words' here", vec!["phrase exact words", "term here*"]),
            ("“exact words”", vec!["phrase exact words"]),
            ("one \"two three\"", vec!["term one*", "phrase two three"]),
            ("don't e-mail", vec!["term dont", "term e mail*"]),
            ("node.js www.a.example/b", vec!["term nodejs", "term www a example b*"]),
            ("don’t 'don’t stop'", vec!["term dont*", "phrase don t stop"]),
            ("the dogs' bowls'", vec!["term the", "term dogs", "term bowls*"]),
            ("'90s and '80s", vec!["term 90s", "term and", "term 80s*"]),
            ("27\" monitor", vec!["term 27", "term monitor*"]),
            ("\"unclosed phrase", vec!["term unclosed", "term phrase*"]),
            ("art art", vec!["term art*"]),
            ("Rust言語 漢", vec!["literal rust言語", "literal 漢"]),
            ("\"東京 Tower\"", vec!["literal 東京 tower"]),
            ("日本'東京'の", vec!["literal 日本", "literal 東京", "literal の"]),
            ("か\u{3099}\u{3000}x", vec!["literal が", "term x*"]),
            ("\" ' '' \"\" -*^:()", vec![]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
