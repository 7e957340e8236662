//! Converts footnotes: a list whose entries link back to their references in the text.

use std::collections::HashMap;

use crate::tokens::{Tag, Token};

/// Placeholder before and after a footnote's index.
const NUMBER_PLACEHOLDER: char = '\u{e00a}';

/// Extracts the footnotes. Returns the text with placeholders for the references, and the
/// footnotes. Returns `None` if there are no footnotes, or if a footnote has no reference.
pub fn take_footnotes(tokens: &[Token]) -> Option<(Vec<Token>, Vec<Vec<Token>>)> {
    let (range, items) = lists(tokens)
        .find_map(|(start, end)| Some((start..end, notes(&tokens[start + 1..end - 1])?)))?;
    let ids = items.iter().enumerate().map(|(at, (id, _))| (*id, at));
    let ids: HashMap<&str, usize> = ids.collect();
    let mut text = Vec::with_capacity(tokens.len());
    let mut is_referenced = vec![false; items.len()];
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if at == range.start {
            at = range.end;
            continue;
        }
        // A reference is a link with a number, often inside `<sup>`.
        let outer = usize::from(token.is_start("sup"));
        let inner = at + outer;
        let number = reference(&tokens[inner..], &ids);
        let is_whole = outer == 0 || tokens.get(inner + 3).is_some_and(|token| token.is_end("sup"));
        match number.filter(|_| is_whole) {
            Some(number) => {
                is_referenced[number] = true;
                crate::tokens::push_text(&mut text, &placeholder(number));
                at = inner + 3 + outer;
            }
            None => {
                text.push(token.clone());
                at += 1;
            }
        }
    }
    let notes = items.into_iter().map(|(_, note)| note).collect();
    is_referenced.iter().all(|is| *is).then(|| (remove_rule(text), notes))
}

/// Replaces the placeholders with Markdown references, and appends the footnotes to the text.
pub fn insert_footnotes(text: &str, notes: &[String]) -> String {
    let parts = text.split(NUMBER_PLACEHOLDER).enumerate().map(|(at, part)| {
        let number = part.parse().ok().filter(|number| at % 2 == 1 && *number < notes.len());
        number.map_or_else(|| part.to_owned(), mark)
    });
    let mut out: String = parts.collect();
    for (number, note) in notes.iter().enumerate() {
        let note = note.replace('\n', "\n    ").replace("\n    \n", "\n\n");
        out += &format!("\n\n{}: {note}", mark(number));
    }
    out
}

/// Returns whether the renderer recognized all footnotes, so that no `[^` remains in the rendered
/// text.
pub fn are_rendered(rendered: &[Token]) -> bool {
    let is_literal = |token: &Token| matches!(token, Token::Text(text) if text.contains("[^"));
    !rendered.iter().any(is_literal)
}

fn placeholder(number: usize) -> String {
    format!("{NUMBER_PLACEHOLDER}{number}{NUMBER_PLACEHOLDER}")
}

fn mark(number: usize) -> String {
    format!("[^{}]", number + 1)
}

/// Returns the start and end index of each ordered list, the last list first.
fn lists(tokens: &[Token]) -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..tokens.len()).rev().filter(|at| tokens[*at].is_start("ol"));
    starts.filter_map(|start| Some((start, element_end(tokens, start)?)))
}

/// Returns the index after the end of the element that starts at `start`.
fn element_end(tokens: &[Token], start: usize) -> Option<usize> {
    let Token::Start(Tag { name, .. }) = &tokens[start] else {
        return None;
    };
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Start(tag) if tag.name == *name => depth += 1,
            Token::End(own) if own == name => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Returns the id and content of each footnote in a list. Returns `None` if the list contains
/// anything other than footnotes.
fn notes(list: &[Token]) -> Option<Vec<(&str, Vec<Token>)>> {
    let (mut notes, mut at) = (Vec::new(), 0);
    while let Some(token) = list.get(at) {
        match token {
            token if token.is_blank() => at += 1,
            Token::Start(tag) if tag.name == "li" => {
                let end = element_end(list, at)?;
                let note = remove_backlinks(&list[at + 1..end - 1])?;
                notes.push((tag.attribute("id").filter(|id| !id.is_empty())?, note));
                at = end;
            }
            _ => return None,
        }
    }
    (!notes.is_empty()).then_some(notes)
}

/// Removes the links from a footnote back to its references. Returns `None` if there are no such
/// links.
fn remove_backlinks(note: &[Token]) -> Option<Vec<Token>> {
    let (mut out, mut has_link, mut at) = (Vec::with_capacity(note.len()), false, 0);
    while let Some(token) = note.get(at) {
        let is_back = match note.get(at..at + 3) {
            Some([Token::Start(tag), Token::Text(text), Token::End(_)]) => {
                let leads_here = tag.attribute("href").is_some_and(|href| href.starts_with('#'));
                tag.name == "a" && leads_here && text.contains(['↩', '↑', '⏎', '^'])
            }
            _ => false,
        };
        has_link |= is_back;
        if !is_back {
            out.push(token.clone());
            at += 1;
            continue;
        }
        if let Some(Token::Text(text)) = out.last_mut() {
            text.truncate(text.trim_end().len());
        }
        at += 3;
    }
    has_link.then_some(out)
}

/// Returns the index of the footnote that the link at the start of `tokens` points to.
fn reference(tokens: &[Token], ids: &HashMap<&str, usize>) -> Option<usize> {
    let [Token::Start(tag), Token::Text(text), Token::End(_), ..] = tokens else {
        return None;
    };
    let is_number = text.trim().trim_matches(['[', ']']).chars().count() <= 4;
    let href = tag.attribute("href").filter(|_| tag.name == "a" && is_number)?;
    let id = href.strip_prefix('#')?;
    ids.get(id).copied()
}

/// Removes the horizontal rule that preceded the footnotes, at the end of the text.
fn remove_rule(mut text: Vec<Token>) -> Vec<Token> {
    let is_empty = |token: &Token| match token {
        Token::Start(tag) => matches!(&*tag.name, "div" | "section" | "aside" | "footer"),
        Token::End(_) => true,
        Token::Text(text) => text.trim().is_empty(),
    };
    let last = text.iter().rposition(|token| !is_empty(token));
    if let Some(at) = last.filter(|at| text[*at].is_start("hr")) {
        text.remove(at);
    }
    text
}
