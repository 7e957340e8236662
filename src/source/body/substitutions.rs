//! Placeholders for characters that the parser would misread. A placeholder is a character that the
//! body does not contain, such as a control character. Placeholders replace the misread characters
//! before parsing, and the author's characters are restored after parsing. A placeholder is as long
//! as the replaced character, so byte offsets stay the same.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag};

use super::cjk::{self, Substitutes};
use super::math::price_signs;
use super::syntax::options;
use model::MarkdownConfig;

/// The control characters used as placeholders, each with the character that it replaces.
const PLACEHOLDERS: [(char, &str); 2] = [('\u{1a}', "$"), ('\u{1c}', ":")];

fn is_placeholder(c: char) -> bool {
    PLACEHOLDERS.iter().any(|(placeholder_image, _)| *placeholder_image == c)
}

/// Replaces the characters at the given offsets with placeholders. The offsets must be in ascending
/// order.
fn put_placeholders(body: &str, places: &[usize]) -> String {
    let mut out = String::with_capacity(body.len());
    let mut copied = 0;
    for at in places {
        let found = PLACEHOLDERS.iter().find(|(_, sign)| body[*at..].starts_with(sign));
        if let Some((placeholder_image, sign)) = found {
            out.push_str(&body[copied..*at]);
            out.push(*placeholder_image);
            copied = at + sign.len();
        }
    }
    out.push_str(&body[copied..]);
    out
}

/// The replacements in a body. Most bodies have none.
#[derive(Debug, Default)]
pub struct Substitutions {
    has_signs: bool,
    /// The replaced neighbours of emphasis delimiters: each substitute with its original character,
    /// sorted.
    neighbours: Vec<(char, char)>,
}

impl Substitutions {
    pub fn is_empty(&self) -> bool {
        !self.has_signs && self.neighbours.is_empty()
    }

    fn neighbour(&self, c: char) -> Option<char> {
        let at = self.neighbours.binary_search_by_key(&c, |(substitute, _)| *substitute);
        at.ok().map(|at| self.neighbours[at].1)
    }

    /// Restores the author's characters in a string.
    pub fn written<'t>(&self, text: CowStr<'t>) -> CowStr<'t> {
        let is_changed =
            |c: char| self.has_signs && is_placeholder(c) || self.neighbour(c).is_some();
        if self.is_empty() || !text.contains(is_changed) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            let sign = PLACEHOLDERS
                .iter()
                .find(|(placeholder_image, _)| self.has_signs && *placeholder_image == c);
            match sign {
                Some((_, sign)) => out.push_str(sign),
                None => out.push(self.neighbour(c).unwrap_or(c)),
            }
        }
        out.into()
    }

    /// Restores the author's characters in an event.
    pub fn restore_event<'t>(&self, event: Event<'t>) -> Event<'t> {
        if self.is_empty() {
            return event;
        }
        match event {
            Event::Text(text) => Event::Text(self.written(text)),
            Event::Code(text) => Event::Code(self.written(text)),
            Event::InlineMath(text) => Event::InlineMath(self.written(text)),
            Event::DisplayMath(text) => Event::DisplayMath(self.written(text)),
            Event::Html(text) => Event::Html(self.written(text)),
            Event::InlineHtml(text) => Event::InlineHtml(self.written(text)),
            Event::FootnoteReference(name) => Event::FootnoteReference(self.written(name)),
            Event::Start(tag) => Event::Start(match tag {
                Tag::FootnoteDefinition(name) => Tag::FootnoteDefinition(self.written(name)),
                Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                    Tag::CodeBlock(CodeBlockKind::Fenced(self.written(info)))
                }
                Tag::Link { link_type, dest_url, title, id } => Tag::Link {
                    link_type,
                    dest_url: self.written(dest_url),
                    title: self.written(title),
                    id: self.written(id),
                },
                Tag::Image { link_type, dest_url, title, id } => Tag::Image {
                    link_type,
                    dest_url: self.written(dest_url),
                    title: self.written(title),
                    id: self.written(id),
                },
                tag => tag,
            }),
            event => event,
        }
    }
}

/// Returns the offsets of colons that begin a line and are not followed by a space. The parser
/// would read such a line, for example `:tada:`, as a definition.
fn colons(body: &str) -> Vec<usize> {
    let bytes = body.as_bytes();
    let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|end| end + 1));
    let mut places = Vec::new();
    for line in lines {
        // Only the beginning of a long line is searched.
        let begun = bytes[line..].iter().position(|byte| !b" \t>".contains(byte));
        let colon = begun.map(|length| line + length).filter(|at| bytes[*at] == b':');
        let follows = |at: usize| bytes.get(at + 1).is_some_and(|byte| b" \t".contains(byte));
        places.extend(colon.filter(|at| !follows(*at)));
    }
    places
}

/// A body prepared for the parser. Placeholders prevent the parser from finding false definitions
/// and formulas. Substitutes enable it to recognize emphasis next to CJK text.
pub struct Parsed<'b> {
    pub text: Cow<'b, str>,
    pub signs: Substitutions,
}

impl<'b> Parsed<'b> {
    pub fn of(body: &'b str, config: &MarkdownConfig) -> Self {
        let mut text = with_signs(body, config);
        let mut signs =
            Substitutions { has_signs: matches!(text, Cow::Owned(_)), neighbours: Vec::new() };
        let neighbours = cjk::neighbours(&text);
        if !neighbours.is_empty() {
            let mut substitutes = Substitutes::for_text(&text);
            let mut out = String::with_capacity(text.len());
            for (at, like) in neighbours {
                out.push_str(&text[out.len()..at]);
                let own = text[at..].chars().next();
                out.extend(own.map(|own| substitutes.of(own, like).unwrap_or(own)));
            }
            out.push_str(&text[out.len()..]);
            text = out.into();
            signs.neighbours = substitutes.pairs().collect();
            signs.neighbours.sort_unstable();
        }
        Self { text, signs }
    }
}

fn with_signs<'b>(body: &'b str, config: &MarkdownConfig) -> Cow<'b, str> {
    // Maximum number of passes. When a false formula is hidden, its closing `$` may begin another
    // formula.
    const MAX_ROUNDS: usize = 20;
    let options = options(config);
    // People do not write these control characters. A body that contains one of them is left
    // unchanged.
    let [one, other] = PLACEHOLDERS.map(|(placeholder_image, _)| placeholder_image as u8);
    if memchr::memchr2(one, other, body.as_bytes()).is_some() {
        return body.into();
    }
    let mut body = Cow::Borrowed(body);
    if config.definition_lists {
        replace_signs(&mut body, &colons);
    }
    if config.math
        && (0..MAX_ROUNDS).all(|_| replace_signs(&mut body, &|body| price_signs(body, options)))
    {
        replace_signs(&mut body, &|body| memchr::memchr_iter(b'$', body.as_bytes()).collect());
    }
    body
}

/// Replaces the characters at the offsets that `places` returns with placeholders. Returns whether
/// any character was replaced.
fn replace_signs(body: &mut Cow<'_, str>, places: &dyn Fn(&str) -> Vec<usize>) -> bool {
    let places = places(body);
    if !places.is_empty() {
        *body = put_placeholders(body, &places).into();
    }
    !places.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Options, Parser, html};

    use super::*;

    const OPTIONS: Options = Options::ENABLE_STRIKETHROUGH;

    fn shown(body: &str) -> String {
        let parsed = Parsed::of(body, &MarkdownConfig::default());
        let events =
            Parser::new_ext(&parsed.text, OPTIONS).map(|event| parsed.signs.restore_event(event));
        let mut out = String::new();
        html::push_html(&mut out, events);
        out.trim().trim_start_matches("<p>").trim_end_matches("</p>").to_owned()
    }

    #[test]
    fn emphasis_next_to_cjk_punctuation_is_parsed() {
        for (body, html) in [
            ("**太字「重要」**です。", "<strong>太字「重要」</strong>です。"),
            ("これは**強調（かっこ）**テスト。", "これは<strong>強調（かっこ）</strong>テスト。"),
            (
                "この**「強調」**は*「斜体」*か",
                "この<strong>「強調」</strong>は<em>「斜体」</em>か",
            ),
            ("我可以强调**这个`code`**吗", "我可以强调<strong>这个<code>code</code></strong>吗"),
            ("**이 용어(This term)**를 강조", "<strong>이 용어(This term)</strong>를 강조"),
            ("は**[リンク](a)**です", "は<strong><a href=\"a\">リンク</a></strong>です"),
            ("**。**あ。~~終わり。~~次", "<strong>。</strong>あ。<del>終わり。</del>次"),
            ("𠮷**(a)**𠮷", "𠮷<strong>(a)</strong>𠮷"),
            ("葛\u{E0100}**(a)**葛", "葛\u{E0100}<strong>(a)</strong>葛"),
            ("Rust**「言語」**Rust", "Rust<strong>「言語」</strong>Rust"),
            // The amendments do not affect these examples.
            ("これは\\*\\*強調（かっこ）\\*\\*テスト", "これは**強調（かっこ）**テスト"),
            ("`**「a」**b`", "<code>**「a」**b</code>"),
            ("あ ** い ** う", "あ ** い ** う"),
            ("a_「b」_c", "a_「b」_c"),
            (
                "[あ](</「**」い> \"題「**」い\")",
                "<a href=\"/%E3%80%8C**%E3%80%8D%E3%81%84\" title=\"題「**」い\">あ</a>",
            ),
        ] {
            assert_eq!(shown(body), html, "{body}");
        }
    }

    proptest! {
        #[test]
        fn substitutions_are_reversed_after_parsing(text in "([a「」。あ漢가(\\)`*~_ ！\n\\\\“\u{E0100}𠮷😀\\[\\]]{0,6}(\\*|\\*\\*|~~)){0,12}") {
            let parsed = Parsed::of(&text, &MarkdownConfig::default());
            prop_assert_eq!(parsed.text.len(), text.len());
            prop_assert_eq!(parsed.signs.written((&*parsed.text).into()).into_string(), text.clone());
            // The output has the same text, whether emphasized or not.
            let plain = |events: Vec<Event<'_>>| {
                let texts = events.into_iter().filter_map(|event| match event {
                    Event::Text(text) | Event::Code(text) => Some(text.into_string()),
                    _ => None,
                });
                texts.collect::<String>().replace(['*', '~', '_'], "")
            };
            let given = Parser::new_ext(&parsed.text, OPTIONS).map(|event| parsed.signs.restore_event(event)).collect();
            prop_assert_eq!(plain(given), plain(Parser::new_ext(&text, OPTIONS).collect()));
        }

        #[test]
        fn a_text_without_cjk_is_plain_commonmark(text in "([aé(\\)`*~_ !\n\\\\“”—😀\\[\\]я]{0,6}(\\*|\\*\\*|~~)){0,12}") {
            let parsed = Parsed::of(&text, &MarkdownConfig::default());
            prop_assert_eq!(&*parsed.text, &*text);
        }
    }
}
