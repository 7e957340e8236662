//! Normalizes galleries, captioned pictures and widgets, because their HTML differs between
//! services.

use std::ops::Range;

use crate::tokens::{MORE_ELEMENT, Tag, Token, contains_word, is_void};

/// Normalizes galleries and figures, and removes widgets. Must run before classes are removed.
pub fn normalize_shapes(tokens: &[Token]) -> Vec<Token> {
    let end_indexes = end_indexes(tokens);
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let Token::Start(tag) = &tokens[at] else {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let end = end_indexes[at];
        let inner = &tokens[at..=end];
        if is_widget(tag, inner) {
            at = end + 1;
            continue;
        }
        if tag.name == "a" && tag.attribute("name") == Some("more") && inner.len() <= 3 {
            // Replaces Blogger's jump break with the element for `<!--more-->`.
            let is_apart =
                !matches!(out.last(), Some(Token::Text(text)) if !text.trim().is_empty());
            out.extend(is_apart.then(|| Token::start(MORE_ELEMENT)));
            at = end + 1;
            continue;
        }
        let shape = match tag.name.as_str() {
            _ if is_gallery(tag) => gallery(inner),
            "figure" => figure(inner),
            _ => None,
        };
        match shape {
            Some(shape) => {
                out.extend(shape);
                at = end + 1;
            }
            None => {
                out.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Returns, for the index of each start tag, the index of the matching end tag.
fn end_indexes(tokens: &[Token]) -> Vec<usize> {
    let mut end_indexes: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Start(tag) if !is_void(&tag.name) => open.push(at),
            Token::End(_) => {
                if let Some(start) = open.pop() {
                    end_indexes[start] = at;
                }
            }
            _ => {}
        }
    }
    end_indexes
}

fn classes(tag: &Tag) -> impl Iterator<Item = &str> {
    tag.attribute("class").unwrap_or_default().split_ascii_whitespace()
}

/// Returns whether an element is a subscription form, a subscribe or share button, or an icon over
/// a picture.
fn is_widget(tag: &Tag, inner: &[Token]) -> bool {
    let is_form =
        |class: &str| class.starts_with("subscription-widget") || class == "image-link-expand";
    if classes(tag).any(is_form) {
        return true;
    }
    let leads_to_service = |token: &Token| match token {
        Token::Start(tag) => tag.attribute("href").is_some_and(|href| {
            let path = href.split(['?', '#']).next().unwrap_or_default();
            path.ends_with("/subscribe") || href.contains("action=share") || href.starts_with("%%")
        }),
        _ => false,
    };
    classes(tag).any(|class| class == "button-wrapper") && inner.iter().any(leads_to_service)
}

fn is_gallery(tag: &Tag) -> bool {
    const GALLERY_CLASSES: &str = "gallery wp-block-gallery blocks-gallery-grid kg-gallery-card \
        kg-gallery-container tiled-gallery image-gallery-embed wp-block-jetpack-tiled-gallery";
    classes(tag).any(|class| contains_word(GALLERY_CLASSES, class))
}

/// A picture with its link and caption.
#[derive(Default)]
struct Picture {
    link: Option<Tag>,
    image: Option<Tag>,
    caption: Vec<Token>,
}

/// Elements that only group pictures.
const PICTURE_WRAPPERS: &str = "figure div ul ol li dl dt dd p span picture source br section";

/// Returns the pictures in an element, and the caption that they share. Returns `None` if the
/// element contains anything else.
fn pictures(inner: &[Token]) -> Option<(Vec<Picture>, Vec<Token>)> {
    let (mut pictures, mut whole): (Vec<Picture>, Vec<Token>) = (Vec::new(), Vec::new());
    let mut link: Option<Tag> = None;
    // The current depth, and the depth at which the current caption started.
    let (mut depth, mut caption) = (0_usize, None);
    let mut held = Vec::new();
    for token in inner {
        match token {
            Token::Start(tag) => {
                let is_caption = tag.name == "figcaption"
                    || classes(tag)
                        .any(|class| class.contains("caption-text") || class == "gallery-caption");
                if caption.is_some() {
                    held.push(token.clone());
                } else if is_caption {
                    caption = Some(depth);
                } else {
                    match tag.name.as_str() {
                        "img" => pictures.push(Picture {
                            link: link.clone(),
                            image: Some(tag.clone()),
                            ..Picture::default()
                        }),
                        "a" => link = Some(tag.clone()),
                        name if contains_word(PICTURE_WRAPPERS, name) => {}
                        _ => return None,
                    }
                }
                depth += usize::from(!is_void(&tag.name));
            }
            Token::End(name) => {
                depth -= 1;
                match caption {
                    Some(from) if from == depth => {
                        caption = None;
                        let text = std::mem::take(&mut held);
                        // A shared caption is next to several pictures, instead of within one
                        // picture's element.
                        let is_whole = depth <= 1 && pictures.len() != 1;
                        match pictures.last_mut().filter(|_| !is_whole) {
                            Some(last) => last.caption = text,
                            None => whole = text,
                        }
                    }
                    Some(_) => held.push(token.clone()),
                    None if name == "a" => link = None,
                    None => {}
                }
            }
            Token::Text(_) if caption.is_some() => held.push(token.clone()),
            Token::Text(text) if text.trim().is_empty() => {}
            Token::Text(_) => return None,
        }
    }
    Some((pictures, whole))
}

/// Returns the text of a caption without its formatting. Returns `None` if the caption contains
/// links, pictures or other elements that plain text cannot represent.
fn plain_caption(caption: &[Token]) -> Option<String> {
    let mut text = String::new();
    for token in caption {
        match token {
            Token::Text(part) => text += part,
            Token::Start(tag) if contains_word("a img br code p ul ol math", &tag.name) => {
                return None;
            }
            _ => {}
        }
    }
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Wraps inline tokens in a paragraph.
fn paragraph(inner: impl IntoIterator<Item = Token>) -> impl Iterator<Item = Token> {
    [Token::start("p")].into_iter().chain(inner).chain([Token::end("p")])
}

impl Picture {
    /// Returns the tokens of the picture and the link around it.
    fn image(self) -> Vec<Token> {
        let has_link = self.link.is_some();
        let mut out: Vec<Token> = self.link.into_iter().map(Token::Start).collect();
        out.extend(self.image.map(Token::Start));
        out.extend(has_link.then(|| Token::end("a")));
        out
    }

    /// Returns the tokens of a figure with the picture and a caption.
    fn figure(self, caption: &str) -> Vec<Token> {
        let mut out = vec![Token::start("figure")];
        out.extend(self.image());
        if !caption.is_empty() {
            let text = Token::Text(caption.to_owned());
            out.extend([Token::start("figcaption"), text, Token::end("figcaption")]);
        }
        out.push(Token::end("figure"));
        out
    }
}

fn gallery(inner: &[Token]) -> Option<Vec<Token>> {
    let (pictures, whole) = pictures(inner)?;
    if pictures.len() < 2 {
        return None;
    }
    let mut out = vec![Token::Start(Tag::with("div", "class", "gallery"))];
    for picture in pictures {
        let caption = plain_caption(&picture.caption)?;
        out.extend(picture.figure(&caption));
    }
    out.push(Token::end("div"));
    if !whole.is_empty() {
        out.extend(paragraph(whole));
    }
    Some(out)
}

/// Normalizes a figure with one picture, and removes a figure around content that does not need
/// one. Returns `None` if the figure should stay unchanged.
fn figure(inner: &[Token]) -> Option<Vec<Token>> {
    if let Some((mut pictures, whole)) = pictures(inner)
        && pictures.len() == 1
    {
        let mut picture = pictures.pop()?;
        let caption = match picture.caption.is_empty() {
            true => whole,
            false => std::mem::take(&mut picture.caption),
        };
        if let Some(caption) = plain_caption(&caption) {
            return Some(picture.figure(&caption));
        }
        // A caption with links becomes a paragraph.
        return Some(paragraph(picture.image()).chain(paragraph(caption)).collect());
    }
    let start = |name: &str| inner.iter().position(|token| token.is_start(name));
    let caption = start("figcaption");
    let (Some(caption), Some(link)) = (caption, start("a")) else {
        // Without a caption, a table, a quotation or a player does not need a figure.
        return caption.is_none().then(|| inner[1..inner.len() - 1].to_vec());
    };
    // With a caption, accepts only a single link, which has replaced an embedded page.
    let [Token::Start(_), Token::Text(text), Token::End(_)] = inner.get(link..link + 3)? else {
        return None;
    };
    let is_alone = text.starts_with("http")
        && inner[..caption].iter().enumerate().all(|(at, token)| match token {
            Token::Text(other) => at == link + 1 || other.trim().is_empty(),
            _ => true,
        });
    let last = inner.iter().rposition(|token| token.is_end("figcaption"))?;
    let part = |range: Range<usize>| paragraph(inner[range].to_vec());
    is_alone.then(|| part(link..link + 3).chain(part(caption + 1..last)).collect())
}
