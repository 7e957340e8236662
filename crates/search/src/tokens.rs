//! The tokens that SQLite indexes: title words, content words, prefixes of content words, and
//! spellings. Tokens of different kinds are never equal. They are written to a string, each
//! followed by a space.
//!
//! - A token belongs to one field. Looking up a word in titles therefore does not scan documents
//!   with that word in the content, as FTS5 columns would.
//! - A run of dense-script characters is split into pairs of neighbouring characters. A substring
//!   of the run is then a phrase, and a single character is the prefix of a token.
//! - The first one, two and three letters of each content word are tokens, once per document.
//!   FTS5's own prefix index stores them once per word. It is several times as large, and takes
//!   several times as long to create.
//! - Words joined by an apostrophe or a dot also produce one joined token: `don't` becomes `don`,
//!   `t` and `dont`.
//! - A spelling that differs from its folded form is a token, once per document. So is a folded
//!   word that the document has only in other spellings. Few words need either token.

use std::collections::{HashMap, HashSet};

use super::pairs::{mark, push_run};
use super::query::Field;
use super::scripts::is_dense;
use super::text::{Run, compose, fold_word, joined, runs, spelling};

/// Maximum number of letters in a prefix.
pub(super) const MAX_PREFIX_LETTERS: usize = 3;

/// Mark at the start of the token for a prefix. Like the mark of title tokens, it never occurs in a
/// word. The tokenizer treats all characters beyond ASCII as letters, so it does not remove the
/// mark.
pub(super) const PREFIX_MARK: char = '\u{81}';

/// Mark at the start of the token for a word's exact spelling, if it differs from the folded form.
pub(super) const SPELLING_MARK: char = '\u{82}';

/// Mark at the start of the token for a folded word that a document has only in other spellings.
pub(super) const OTHER_SPELLING_MARK: char = '\u{83}';

/// Returns the tokens of a field's text: folded words and, for a run of dense-script characters,
/// its [pairs](super::pairs). If no word follows a run, its last character alone is a token too.
/// `spellings` collects the spellings that folding loses.
pub(super) fn tokens(text: &str, field: Field, spellings: &mut Spellings) -> String {
    let text = compose(text);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut push_word = |word: &str, out: &mut String| {
        out.push_str(mark(field));
        let begin = out.len();
        fold_word(word, out);
        if !word.is_ascii() {
            spellings.add(word, &out[begin..]);
        }
        out.push(' ');
    };
    for (at, run) in runs(&text) {
        match run {
            Run::Word(word) => push_word(word, &mut out),
            Run::Dense(run) => {
                push_run(&text, at, run, field, &mut out);
            }
        }
    }
    // Joined words come last, so that adjacent words stay adjacent.
    for range in joined(&text) {
        push_word(&text[range], &mut out);
    }
    out
}

/// The words of a document whose spellings differ from their folded forms.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    exact: HashSet<String>,
    /// For each folded word, the number of times it occurs in another spelling.
    other_spellings: HashMap<String, isize>,
}

impl Spellings {
    fn add(&mut self, word: &str, folded: &str) {
        if let Some(exact) = spelling(word, folded).filter(|_| !folded.is_empty()) {
            self.exact.insert(exact);
            match self.other_spellings.get_mut(folded) {
                Some(count) => *count += 1,
                None => drop(self.other_spellings.insert(folded.to_owned(), 1)),
            }
        }
    }

    /// Appends the tokens for a document's spellings. `title` and `content` are the tokens of the
    /// document's title and content.
    pub fn push_tokens(mut self, title: &str, content: &str, out: &mut String) {
        if self.exact.is_empty() {
            return;
        }
        let title = title.split_ascii_whitespace();
        let title = title.filter_map(|token| token.strip_prefix(mark(Field::Title)));
        for word in content.split_ascii_whitespace().chain(title) {
            if let Some(left) = self.other_spellings.get_mut(word) {
                *left -= 1;
            }
        }
        let nowhere_else = self.other_spellings.iter().filter(|(_, left)| **left == 0);
        for (mark, token) in self
            .exact
            .iter()
            .map(|exact| (SPELLING_MARK, exact))
            .chain(nowhere_else.map(|(folded, _)| (OTHER_SPELLING_MARK, folded)))
        {
            out.push(mark);
            out.push_str(token);
            out.push(' ');
        }
    }
}

/// Returns the prefixes of `tokens`, the tokens of a document's content, without duplicates. The
/// prefix of a pair is its first character.
pub(super) fn prefixes(tokens: &str) -> String {
    let mut known = HashSet::new();
    let mut out = String::new();
    for token in tokens.split_ascii_whitespace() {
        let most = if token.starts_with(is_dense) { 1 } else { MAX_PREFIX_LETTERS };
        for (at, letter) in token.char_indices().take(most) {
            let beginning = &token[..at + letter.len_utf8()];
            if known.insert(beginning) {
                out.push(PREFIX_MARK);
                out.push_str(beginning);
                out.push(' ');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_and_pairs() {
        for (text, expected) in [
            ("Don't panic, Émile!", "don t panic emile dont "),
            ("हिन्दी e\u{301}te\u{301}", "हिन्दी ete "),
            ("Rust言語を学ぶ!", "rust 言t 言語 語を を学 学ぶ ぶ "),
            ("東É 京", "東é e 京 "),
            ("か\u{3099}ら", "がら ら "),
            ("—…!", ""),
        ] {
            let mut spellings = Spellings::default();
            assert_eq!(tokens(text, Field::Content, &mut spellings), expected, "{text}");
        }
        assert_eq!(
            tokens("a 東京", Field::Title, &mut Spellings::default()),
            "\u{80}a \u{80}東京 \u{80}京 "
        );
    }

    #[test]
    fn spellings_lost_by_folding_are_tokens() {
        for (title, content, expected) in [
            ("Plain", "words, что и как", ""),
            ("Café", "Coffee", "\u{82}café \u{83}cafe"),
            ("Cafe\u{301}", "cafe", "\u{82}café"),
            ("CAFE", "café Café straße", "\u{82}café \u{82}straße \u{83}strasse"),
        ] {
            let mut spellings = Spellings::default();
            let title = tokens(title, Field::Title, &mut spellings);
            let content = tokens(content, Field::Content, &mut spellings);
            let mut out = String::new();
            spellings.push_tokens(&title, &content, &mut out);
            let mut pushed: Vec<&str> = out.split_whitespace().collect();
            pushed.sort_unstable();
            assert_eq!(pushed.join(" "), expected, "{title} {content}");
        }
    }

    #[test]
    fn prefixes_are_short_and_unique() {
        let marked = prefixes("word worm wo 東京 京a été ");
        let marked: Vec<_> = marked.split_whitespace().collect();
        let expected = ["w", "wo", "wor", "東", "京", "é", "ét", "été"];
        assert_eq!(marked, expected.map(|beginning| format!("\u{81}{beginning}")));
    }
}
