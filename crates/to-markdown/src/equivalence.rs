//! Compares the content of two HTML fragments.

use crate::addresses::is_url_of_text;
use crate::clean::language;
use crate::tokens::{Tag, Token, is_block, is_void, push_text};

/// Returns whether rendered HTML has the same content as the source. The renderer is allowed to add
/// ids to headings, sizes to pictures, a `div` around a table, colours to code, and links to plain
/// URLs.
pub fn is_same(source: &[Token], rendered: &[Token]) -> bool {
    let (source, rendered) = (canonicalize(source), canonicalize(rendered));
    let (mut own, mut other) = (Cursor::of(&source), Cursor::of(&rendered));
    let mut in_added_link = false;
    loop {
        match (own.token(), other.token()) {
            (None, None) => return true,
            (source, Some(Token::Start(tag)))
                if tag.name == "a"
                    && !source.is_some_and(|own| own.is_start("a"))
                    && is_whole_address(&rendered, other.at) =>
            {
                in_added_link = true;
                other.next();
            }
            (_, Some(Token::End(name))) if in_added_link && name == "a" => {
                in_added_link = false;
                other.next();
            }
            (Some(Token::Text(one)), Some(Token::Text(two))) => {
                let (one, two) = (&one.as_bytes()[own.byte..], &two.as_bytes()[other.byte..]);
                let length = one.len().min(two.len());
                if one[..length] != two[..length] {
                    return false;
                }
                own.advance(length);
                other.advance(length);
            }
            (Some(Token::Start(one)), Some(Token::Start(two))) if is_same_tag(one, two) => {
                own.next();
                other.next();
            }
            (Some(Token::End(one)), Some(Token::End(two))) if one == two => {
                own.next();
                other.next();
            }
            _ => return false,
        }
    }
}

/// A position in a list of tokens: the index of a token, and a byte offset in that token's text.
struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
    byte: usize,
}

impl<'t> Cursor<'t> {
    fn of(tokens: &'t [Token]) -> Self {
        Self { tokens, at: 0, byte: 0 }
    }

    fn token(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) {
        (self.at, self.byte) = (self.at + 1, 0);
    }

    /// Advances within a text token, or to the next token at the text's end.
    fn advance(&mut self, bytes: usize) {
        self.byte += bytes;
        if matches!(self.token(), Some(Token::Text(text)) if text.len() == self.byte) {
            self.next();
        }
    }
}

/// Returns whether the tokens at `at` are a link that the renderer added for a plain URL, and the
/// link contains the complete URL.
fn is_whole_address(tokens: &[Token], at: usize) -> bool {
    let Some([Token::Start(tag), Token::Text(text), Token::End(_)]) = tokens.get(at..at + 3) else {
        return false;
    };
    let goes_on = |c: char| c.is_alphanumeric() || "/_-+@=&%#~\\".contains(c);
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_cut = |text: &str, c: Option<char>| !text.is_empty() && c.is_some_and(goes_on);
    let starts_late =
        matches!(before, Some(Token::Text(text)) if is_cut(text, text.chars().next_back()));
    let ends_early =
        matches!(tokens.get(at + 3), Some(Token::Text(text)) if is_cut(text, text.chars().next()));
    let href = tag.attribute("href").unwrap_or_default();
    let schemes = ["", "http://", "mailto:"];
    let mut rests = schemes.iter().filter_map(|scheme| href.strip_prefix(scheme));
    tag.attributes.len() == 1
        && !starts_late
        && !ends_early
        && rests.any(|rest| is_url_of_text(rest, text))
}

fn is_same_tag(source: &Tag, rendered: &Tag) -> bool {
    let is_kept = |(name, value): &(String, String)| {
        let own = rendered.attribute(name);
        // For code, compares only the language in the class, and ignores other class names.
        let by_language = |class: &str| language(class).map(str::to_owned);
        match (name.as_str(), source.name.as_str()) {
            ("class", "code" | "pre") => {
                language(value).is_none() || own.and_then(by_language) == by_language(value)
            }
            _ => own == Some(value),
        }
    };
    let may_be_added = |(name, _): &(String, String)| match source.name.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => name == "id",
        "img" => {
            matches!(name.as_str(), "loading" | "width" | "height" | "decoding" | "alt" | "title")
        }
        "pre" | "code" | "picture-box" => true,
        // The renderer adds these attributes to pictures and galleries.
        "div" | "figure" => matches!(name.as_str(), "data-ratio" | "data-more"),
        _ => false,
    };
    source.name == rendered.name
        && source.attributes.iter().all(is_kept)
        && rendered
            .attributes
            .iter()
            .filter(|(name, _)| source.attribute(name).is_none())
            .all(may_be_added)
}

/// Removes everything that does not affect the content, such as whitespace between blocks, `div`
/// elements around tables, and colours of code.
fn canonicalize(tokens: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut in_pre = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Start(tag) => {
                let is_box = tag.name == "div" && tag.attribute("class") == Some("table");
                let is_colour = in_pre > 0 && tag.name == "span";
                let is_picture = is_picture_box(tag, &tokens[at + 1..]);
                if !is_void(&tag.name) {
                    open.push((
                        if is_picture { "picture-box" } else { &tag.name },
                        !is_box && !is_colour,
                    ));
                    in_pre += usize::from(tag.name == "pre");
                }
                if is_box || is_colour {
                    continue;
                }
                let mut tag = tag.clone();
                if is_picture {
                    tag.name = "picture-box".to_owned();
                }
                if is_block(&tag.name) || tag.name == "br" {
                    trim_end(&mut out);
                }
                out.push(Token::Start(tag));
            }
            Token::End(name) => {
                in_pre -= usize::from(name == "pre" && in_pre > 0);
                if let Some((name, true)) = open.pop() {
                    if name == "pre" || name == "code" && in_pre > 0 {
                        trim_line(&mut out);
                    } else if is_block(name) {
                        trim_end(&mut out);
                    }
                    let ends_spaced = in_pre == 0 && !is_block(name) && trim_end(&mut out);
                    out.push(Token::End(name.to_owned()));
                    if ends_spaced {
                        push_text(&mut out, " ");
                    }
                }
            }
            Token::Text(text) if in_pre > 0 => push_text(&mut out, text),
            Token::Text(text) => push_collapsed(&mut out, text),
        }
    }
    trim_end(&mut out);
    out
}

/// Returns whether an element is a paragraph or figure that contains only one picture. Both look
/// the same, so they are treated as equal.
fn is_picture_box(tag: &Tag, after: &[Token]) -> bool {
    let is_box = matches!(tag.name.as_str(), "p" | "figure");
    let mut after = after.iter().filter(|token| !token.is_blank());
    let is_picture = after.next().is_some_and(|token| token.is_start("img"));
    is_box && is_picture && after.next().is_some_and(|token| token.is_end(&tag.name))
}

/// Adds text with each run of whitespace reduced to one space, and without a space at the start of
/// a block.
fn push_collapsed(out: &mut Vec<Token>, text: &str) {
    let is_start = match out.last() {
        None => true,
        Some(Token::Start(tag)) => is_block(&tag.name) || tag.name == "br",
        Some(Token::End(name)) => is_block(name),
        Some(Token::Text(before)) => before.ends_with(' '),
    };
    let mut collapsed = String::with_capacity(text.len());
    let mut is_spaced = is_start;
    for c in text.chars() {
        let is_space = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        if !(is_space && is_spaced) {
            collapsed.push(if is_space { ' ' } else { c });
        }
        is_spaced = is_space;
    }
    // Moves a leading space out of emphasis and links.
    let is_inline = |token: &Token| token.is_start_of(|name| !is_block(name) && !is_void(name));
    if collapsed.starts_with(' ') && out.last().is_some_and(is_inline) {
        let from = out.iter().rposition(|token| !is_inline(token)).map_or(0, |at| at + 1);
        let inner = out.split_off(from);
        push_collapsed(out, " ");
        out.extend(inner);
        collapsed.remove(0);
    }
    if !collapsed.is_empty() {
        push_text(out, &collapsed);
    }
}

/// Removes trailing spaces. Returns whether there were any spaces.
fn trim_end(out: &mut Vec<Token>) -> bool {
    let Some(Token::Text(text)) = out.last_mut() else {
        return false;
    };
    let length = text.len();
    text.truncate(text.trim_end_matches(' ').len());
    let was_spaced = text.len() < length;
    if text.is_empty() {
        out.pop();
    }
    was_spaced
}

/// Removes line breaks at the end of code, which are insignificant.
fn trim_line(out: &mut Vec<Token>) {
    if let Some(Token::Text(text)) = out.last_mut() {
        text.truncate(text.trim_end_matches('\n').len());
        if text.is_empty() {
            out.pop();
        }
    }
}
