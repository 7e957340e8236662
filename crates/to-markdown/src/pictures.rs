//! Converts figures and galleries to their form in Markdown: pictures with captions as titles.

use crate::marks::LINE;
use crate::tokens::{Tag, Token};

/// Converts a figure to a paragraph of one picture, with the caption as its title.
pub fn captioned(figure: &[Token]) -> Option<Vec<Token>> {
    Some([vec![start("p")], picture(figure)?, vec![Token::End("p".to_owned())]].concat())
}

/// Converts the figures of a gallery to a paragraph of pictures.
pub fn gallery(figures: &[Token]) -> Option<Vec<Token>> {
    let mut out = vec![start("p")];
    let is_start = |token: &Token| matches!(token, Token::Start(tag) if tag.name == "figure");
    let is_end = |token: &Token| matches!(token, Token::End(name) if name == "figure");
    let mut rest = figures;
    while let Some(from) = rest.iter().position(is_start) {
        let to = rest.iter().position(is_end).filter(|to| *to > from)?;
        if out.len() > 1 {
            // Each picture is on a separate line.
            out.push(Token::Text(LINE.to_owned()));
        }
        out.extend(picture(&rest[from + 1..to])?);
        rest = &rest[to + 1..];
    }
    out.push(Token::End("p".to_owned()));
    (out.len() > 2).then_some(out)
}

fn start(name: &str) -> Token {
    Token::Start(Tag { name: name.to_owned(), ..Tag::default() })
}

/// The picture of a figure with its link, and its caption as its title.
fn picture(figure: &[Token]) -> Option<Vec<Token>> {
    let is_seen = |token: &&Token| !matches!(token, Token::Text(text) if text.trim().is_empty());
    let seen: Vec<Token> = figure.iter().filter(is_seen).cloned().collect();
    let caption = seen
        .iter()
        .position(|token| matches!(token, Token::Start(tag) if tag.name == "figcaption"));
    let (pictured, caption) = seen.split_at(caption.unwrap_or(seen.len()));
    let title = match caption {
        [] => None,
        [_, Token::Text(text), Token::End(_)] => Some(text.trim().to_owned()),
        _ => return None,
    };
    let mut pictured = pictured.to_vec();
    let image = match pictured.as_mut_slice() {
        [Token::Start(image)] => image,
        [Token::Start(link), Token::Start(image), Token::End(_)] if link.name == "a" => image,
        _ => return None,
    };
    if image.name != "img" {
        return None;
    }
    image.attributes.extend(title.map(|title| ("title".to_owned(), title)));
    Some(pictured)
}
