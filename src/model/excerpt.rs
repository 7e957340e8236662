//! Excerpts: the first sentences of an item or page. Lists, search results, descriptions, feeds and
//! social cards use the same excerpts.

use std::borrow::Cow;

/// Returns the first whole paragraphs of `text`, at most `max` characters. If too little text would
/// remain, the first paragraph that does not fit is cut after a sentence, or after a word with an
/// ellipsis. A blank line ends a paragraph.
pub fn excerpt(text: &str, max: usize) -> String {
    let paragraphs = paragraphs(text).map(|paragraph| joined_words(paragraph, max));
    excerpt_of_paragraphs(paragraphs.map(Cow::Owned), max)
}

/// Returns an [excerpt] of normalized paragraphs. Each paragraph is one line without superfluous
/// spaces, and blank lines separate them.
pub fn excerpt_of_lines(lines: &str, max: usize) -> String {
    let paragraphs = lines.split("\n\n").filter(|line| !line.is_empty());
    excerpt_of_paragraphs(paragraphs.map(Cow::Borrowed), max)
}

fn excerpt_of_paragraphs<'p>(paragraphs: impl Iterator<Item = Cow<'p, str>>, max: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for paragraph in paragraphs {
        let separator = match out.chars().next_back() {
            None => "",
            Some(last) if last.is_alphanumeric() => " · ",
            Some(_) => " ",
        };
        let length = paragraph.chars().count();
        let before = count + separator.chars().count();
        if before + length <= max {
            out.push_str(separator);
            out.push_str(&paragraph);
            count = before + length;
            continue;
        }
        // Cuts this paragraph only if the paragraphs so far fill less than half of `max`.
        if count * 2 < max {
            let part = shortened(&paragraph, max.saturating_sub(before)).trim_end();
            if out.is_empty() || !part.is_empty() {
                out.push_str(separator);
                out.push_str(part);
                if !part.ends_with(is_terminator) {
                    out.push('…');
                }
            }
        }
        break;
    }
    out
}

/// Splits plain text into paragraphs, and skips empty ones.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        let (paragraph, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(paragraph)
    })
}

/// Joins the words of a paragraph with single spaces, up to slightly more than `max` characters.
fn joined_words(paragraph: &str, max: usize) -> String {
    let mut out = String::with_capacity(paragraph.len().min(4 * max + 8));
    let mut count = 0;
    for word in paragraph.split_whitespace() {
        if count > max {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
            count += 1;
        }
        for c in word.chars().take(max + 2) {
            out.push(c);
            count += 1;
        }
    }
    out
}

/// Shortens a paragraph of more than `max` characters. Keeps whole sentences if they fill half of
/// `max`. Otherwise keeps whole words, with room for an ellipsis.
fn shortened(paragraph: &str, max: usize) -> &str {
    let mut sentence = None;
    let mut word = None;
    let mut end = 0;
    let mut rest = paragraph.char_indices().peekable();
    for number in 0..max {
        let Some((at, c)) = rest.next() else {
            return paragraph;
        };
        let after = at + c.len_utf8();
        let next = rest.peek().map(|(_, next)| *next);
        if number + 1 < max {
            if next == Some(' ') {
                word = Some(after);
            }
            end = after;
        }
        if number * 2 >= max
            && is_terminator(c)
            && ends_sentence(&paragraph[..after], &paragraph[after..])
        {
            sentence = Some(after);
        }
    }
    &paragraph[..sentence.or(word).unwrap_or(end)]
}

/// Punctuation marks that end a sentence in scripts without spaces.
const FULL_WIDTH_TERMINATORS: [char; 4] = ['。', '！', '？', '｡'];

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '।' | '॥' | '؟' | '۔' | '։' | '።')
        || FULL_WIDTH_TERMINATORS.contains(&c)
        || is_closing(c)
}

/// Returns whether a character is a quotation mark or bracket that belongs to the sentence before
/// it.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '›' | '」' | '』' | '）')
}

/// Abbreviations of at least three letters that do not end a sentence.
const ABBREVIATIONS: [&str; 12] = [
    "Mrs.", "Prof.", "Rev.", "Gen.", "Sen.", "Gov.", "Capt.", "Hon.", "vgl.", "bzw.", "Mme.",
    "Sra.",
];

/// Returns whether a sentence ends between `text` and `rest`.
fn ends_sentence(text: &str, rest: &str) -> bool {
    let next = rest.chars().next();
    let inner = text.trim_end_matches(is_closing);
    let Some(last) = inner.chars().next_back() else {
        return false;
    };
    if FULL_WIDTH_TERMINATORS.contains(&last) {
        return next.is_none_or(|next| !is_closing(next) && !is_terminator(next));
    }
    if !is_terminator(last) || is_closing(last) || next.is_some_and(|next| next != ' ') {
        return false;
    }
    // `Dr.`, `e.g.`, `3.` and `A.` do not end a sentence.
    let word = inner.rsplit(' ').next().unwrap_or(inner);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_word = letters > 2 && word.matches('.').count() == 1 && !ABBREVIATIONS.contains(&word);
    // A digit or lower-case letter continues the sentence, as in `Jan. 5` and `approx. half`.
    // Georgian has only lower-case letters, so a Georgian letter can begin a sentence.
    let is_small = |c: char| c.is_lowercase() && !('\u{10d0}'..='\u{10ff}').contains(&c);
    let goes_on = rest.trim_start().starts_with(|c: char| c.is_numeric() || is_small(c));
    last != '.' || is_word && !goes_on
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_excerpt_ends_after_a_paragraph_a_sentence_or_a_word() {
        for (text, max, shown) in [
            ("one  two\nthree", 20, "one two three"),
            ("one  two\r\n\r\nthree", 20, "one two · three"),
            ("One. Two.\n\nThree.", 20, "One. Two. Three."),
            ("one two three", 9, "one two…"),
            ("日本語の長い文章", 4, "日本語…"),
            ("今日は晴れです。明日は雨が降るでしょう。", 12, "今日は晴れです。"),
            ("First of all. Then the second sentence.", 20, "First of all."),
            (
                "He came home on a late train in Nov. 2024 and slept.",
                42,
                "He came home on a late train in Nov. 2024…",
            ),
            (
                "We went there to see Prof. Brown in town.",
                36,
                "We went there to see Prof. Brown in…",
            ),
            ("Mr. Brown went to town. He came back.", 30, "Mr. Brown went to town."),
            ("He said: “Come along.” And so we went.", 25, "He said: “Come along.”"),
            ("A paragraph of text.\n\nAnother one that is long.", 30, "A paragraph of text."),
            ("Short.\n\nA paragraph that is much longer.", 30, "Short. A paragraph that is…"),
            ("", 10, ""),
            ("word", 4, "word"),
        ] {
            assert_eq!(excerpt(text, max), shown, "{text:?} {max}");
            let lines: Vec<String> =
                paragraphs(text).map(|paragraph| joined_words(paragraph, text.len())).collect();
            assert_eq!(excerpt_of_lines(&lines.join("\n\n"), max), shown, "{text:?} {max}");
        }
    }

    proptest! {
        #[test]
        fn an_excerpt_is_short_and_part_of_the_text(
            text in "([a-zé日。.!]{0,12}[ \n\u{a0}]{0,2}){0,60}",
            max in 1_usize..=500,
        ) {
            let shown = excerpt(&text, max);
            prop_assert!(shown.chars().count() <= max, "{:?}", shown);
            let words = |text: &str| text.replace(['…', '·'], " ").split_whitespace().collect::<String>();
            prop_assert!(words(&text).starts_with(&words(&shown)));
            prop_assert_eq!(shown.is_empty(), text.trim().is_empty());
        }
    }
}
