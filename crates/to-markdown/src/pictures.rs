//! Converts figures and galleries to pictures with their captions as titles, because Markdown has
//! no figures.

use crate::marks::LINE_PLACEHOLDER;
use crate::tokens::Token;

/// Converts a figure to a paragraph with one picture. The caption becomes the picture's title.
pub fn figure_to_paragraph(figure: &[Token]) -> Option<Vec<Token>> {
    Some([vec![Token::start("p")], picture(figure)?, vec![Token::end("p")]].concat())
}

/// Converts the figures of a gallery to a paragraph of pictures.
pub fn gallery(figures: &[Token]) -> Option<Vec<Token>> {
    let mut out = vec![Token::start("p")];
    let mut rest = figures;
    while let Some(from) = rest.iter().position(|token| token.is_start("figure")) {
        let to = rest.iter().position(|token| token.is_end("figure")).filter(|to| *to > from)?;
        if out.len() > 1 {
            // Each picture is on a separate line.
            out.push(Token::Text(LINE_PLACEHOLDER.to_owned()));
        }
        out.extend(picture(&rest[from + 1..to])?);
        rest = &rest[to + 1..];
    }
    out.push(Token::end("p"));
    (out.len() > 2).then_some(out)
}

/// Returns the picture of a figure, including a link around it. The caption becomes the picture's
/// title.
fn picture(figure: &[Token]) -> Option<Vec<Token>> {
    let seen: Vec<Token> = figure.iter().filter(|token| !token.is_blank()).cloned().collect();
    let caption = seen.iter().position(|token| token.is_start("figcaption"));
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
