//! Handles links that fill a whole block, and plain URLs in text.

use crate::addresses::{addresses, is_url_of_text};
use crate::tokens::{Tag, Token};

/// Returns the link and its content if the tokens contain only one link.
pub fn only_link(tokens: &[Token]) -> Option<(&Tag, &[Token])> {
    let is_link = |token: &Token| token.is_start("a");
    let start = tokens.iter().position(is_link)?;
    let end = tokens.iter().rposition(|token| token.is_end("a"))?;
    let label = tokens.get(start + 1..end)?;
    let says_nothing = |token: &Token| match token {
        Token::Text(text) => text.trim().is_empty(),
        Token::Start(tag) => {
            matches!(&*tag.name, "p" | "div" | "figure" | "figcaption" | "audio" | "video")
        }
        Token::End(_) => true,
    };
    let mut around = tokens[..start].iter().chain(&tokens[end + 1..]);
    let Token::Start(tag) = &tokens[start] else {
        return None;
    };
    (!label.iter().any(is_link) && around.all(says_nothing)).then_some((tag, label))
}

/// Returns whether the HTML rendered for a URL only links to that URL or plays its media, without
/// other text or pictures.
pub fn links_only_to(shown: &[Token], address: &str) -> bool {
    let leads = shown.iter().any(|token| match token {
        Token::Start(tag) => match tag.name.as_str() {
            "a" => tag.attribute("href").is_some_and(|href| is_url_of_text(href, address)),
            "audio" | "video" => {
                tag.attribute("src").is_some_and(|src| is_url_of_text(src, address))
            }
            _ => false,
        },
        _ => false,
    });
    let says_more = |token: &Token| match token {
        Token::Text(text) => !["", address].contains(&text.trim()),
        Token::Start(tag) => tag.name == "img",
        Token::End(_) => false,
    };
    leads && !shown.iter().any(says_more)
}

/// Placeholder before and after a URL's index.
const URL_PLACEHOLDER: char = '\u{e009}';

/// Replaces each plain URL in a block with its index between two placeholders. Returns the block
/// and the URLs.
pub fn extract_urls(block: &[Token]) -> (Vec<Token>, Vec<String>) {
    let mut found = Vec::new();
    let mut within = 0_usize;
    let is_other = |name: &str| matches!(name, "code" | "pre" | "a");
    let block = block.iter().map(|token| {
        match token {
            Token::Start(tag) => within += usize::from(is_other(&tag.name)),
            Token::End(name) => within = within.saturating_sub(usize::from(is_other(name))),
            Token::Text(text) if within == 0 && text.contains("://") => {
                let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
                for range in addresses(text) {
                    out += &text[copied..range.start];
                    out += &format!("{URL_PLACEHOLDER}{}{URL_PLACEHOLDER}", found.len());
                    found.push(text[range.clone()].to_owned());
                    copied = range.end;
                }
                out += &text[copied..];
                return Token::Text(out);
            }
            Token::Text(_) => {}
        }
        token.clone()
    });
    (block.collect(), found)
}

pub fn restore_urls(text: &str, found: &[String], [before, behind]: [&str; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split(URL_PLACEHOLDER).enumerate() {
        let address = part.parse().ok().and_then(|number: usize| found.get(number));
        match address.filter(|_| at % 2 == 1) {
            Some(address) => out.extend([before, address, behind]),
            None => out.push_str(part),
        }
    }
    out
}
