//! Removes scripts, and the parts of a page that belong to the former site's design.

use crate::tokens::{Tag, Token, contains_word, is_void, push_text};

/// Removes scripts. If `removes_design` is true, also removes the parts that belong to the former
/// site's design.
pub fn clean(tokens: Vec<Token>, removes_design: bool) -> Vec<Token> {
    let tokens = remove_scripts(tokens);
    if !removes_design {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    // For each open element, the name for its end tag, or `None` if the element was removed.
    let mut open = Vec::new();
    for token in tokens {
        match token {
            // Drops the list of resized versions of a picture, because they are on the former site.
            Token::Start(tag) if tag.name == "source" && tag.attribute("srcset").is_some() => {}
            Token::Start(tag) => {
                let tag = normalize_tag(tag);
                let is_wrapper = tag.attributes.is_empty() && is_wrapper(&tag.name);
                if !is_void(&tag.name) {
                    open.push((!is_wrapper).then(|| tag.name.clone()));
                }
                if !is_wrapper {
                    out.push(Token::Start(tag));
                } else if is_block_wrapper(&tag.name) {
                    push_text(&mut out, "\n\n");
                }
            }
            Token::End(name) => match open.pop().flatten() {
                Some(name) => out.push(Token::End(name)),
                None if is_block_wrapper(&name) => push_text(&mut out, "\n\n"),
                None => {}
            },
            Token::Text(text) => push_text(&mut out, &text),
        }
    }
    remove_empty(wrap_pre_in_code(out))
}

/// Removes scripts, templates and event handlers.
fn remove_scripts(tokens: Vec<Token>) -> Vec<Token> {
    let mut depth = 0_usize;
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let is_program = |name: &str| matches!(name, "script" | "template");
        match &token {
            Token::Start(tag) if is_program(&tag.name) => depth += 1,
            Token::End(name) if is_program(name) => depth = depth.saturating_sub(1),
            Token::Text(text) if depth == 0 => push_text(&mut out, text),
            Token::Start(tag) if depth == 0 => {
                let mut tag = tag.clone();
                tag.attributes.retain(|(name, _)| !name.starts_with("on"));
                out.push(Token::Start(tag));
            }
            _ if depth == 0 => out.push(token),
            _ => {}
        }
    }
    out
}

fn is_wrapper(name: &str) -> bool {
    is_block_wrapper(name) || matches!(name, "span" | "font" | "picture")
}

fn is_block_wrapper(name: &str) -> bool {
    matches!(name, "div" | "section" | "article" | "main" | "header" | "footer")
}

/// Replaces the tag's name with the usual synonym, such as `strong` for `b`, and removes attributes
/// that affect only the design.
fn normalize_tag(mut tag: Tag) -> Tag {
    let name = match tag.name.as_str() {
        "b" => "strong",
        "i" => "em",
        "s" | "strike" => "del",
        "tt" => "code",
        name => name,
    };
    tag.name = name.to_owned();
    if tag.name == "img" {
        restore_lazy_source(&mut tag);
    }
    let name = tag.name.clone();
    tag.attributes.retain(|(key, value)| !is_design(&name, key, value));
    tag
}

/// Restores the `src` of a picture, which plugins for lazy loading move to another attribute.
fn restore_lazy_source(tag: &mut Tag) {
    let is_stand_in = tag.attribute("src").is_none_or(|src| src.starts_with("data:"));
    let later = ["data-src", "data-lazy-src", "data-original", "data-orig-file"];
    let Some(later) = later.iter().find_map(|name| tag.attribute(name)).map(str::to_owned) else {
        return;
    };
    if is_stand_in {
        tag.attributes.retain(|(name, _)| name != "src");
        tag.attributes.insert(0, ("src".to_owned(), later));
    }
}

fn is_design(element: &str, attribute: &str, value: &str) -> bool {
    let value = value.trim();
    match attribute {
        // Keeps classes that specify the language of code, because the language is part of the
        // content.
        "class" => {
            let is_code = matches!(element, "code" | "pre") && language(value).is_some();
            let is_gallery = element == "div" && value == "gallery";
            !(is_code || is_gallery)
        }
        "style" => is_plain_style(value),
        "width" | "height" | "srcset" | "sizes" | "loading" | "decoding" | "fetchpriority"
        | "border" | "align" | "hspace" | "vspace" => element == "img",
        "target" | "rel" => element == "a",
        "dir" => matches!(value, "ltr" | "auto"),
        "title" | "alt" if value.is_empty() => attribute == "title",
        "role" | "tabindex" | "itemprop" | "itemscope" | "itemtype" | "bis_size" => true,
        _ => attribute.starts_with("data-") || attribute.starts_with("aria-"),
    }
}

/// Returns whether a style contains only properties that editors add to pasted text.
fn is_plain_style(style: &str) -> bool {
    style.split(';').all(|rule| {
        let (name, value) = rule.split_once(':').unwrap_or((rule, ""));
        match (name.trim(), value.trim()) {
            ("", _) | ("font-weight", "400" | "normal") | ("text-align", "left" | "start") => true,
            (
                "font-family" | "font-size" | "line-height" | "background-color" | "letter-spacing"
                | "box-sizing" | "outline",
                _,
            ) => true,
            (name, _) => {
                name.starts_with("margin") || name.starts_with("padding") || name.starts_with("--")
            }
        }
    })
}

/// Returns the language from the class of a code element, such as `rust` from `language-rust`.
pub fn language(class: &str) -> Option<&str> {
    let mut classes = class.split_ascii_whitespace();
    classes.find_map(|class| class.strip_prefix("language-").or(class.strip_prefix("lang-")))
}

/// Wraps the text of a `pre` element in `code`, because Markdown renders a code block as both
/// elements.
fn wrap_pre_in_code(tokens: Vec<Token>) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_pre =
            matches!(&token, Token::Start(tag) if tag.name == "pre" && tag.attributes.is_empty());
        out.push(token);
        if !is_pre || !matches!(tokens.peek(), Some(Token::Text(_))) {
            continue;
        }
        let Some(text) = tokens.next() else { break };
        if matches!(tokens.peek(), Some(Token::End(_))) {
            out.extend([Token::start("code"), text, Token::end("code")]);
        } else {
            out.push(text);
        }
    }
    out
}

/// Removes empty paragraphs and empty emphasis, which editors insert as spacing.
fn remove_empty(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let Token::End(name) = &token else {
            out.push(token);
            continue;
        };
        let may_go = contains_word("p strong em del span h1 h2 h3 h4 h5 h6 li", name);
        let blank = |text: &str| {
            text.chars().all(|c| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}'))
        };
        let is_start = |token: Option<&Token>| matches!(token, Some(Token::Start(tag)) if tag.name == *name && tag.attributes.is_empty());
        match out.as_slice() {
            [.., start] if may_go && is_start(Some(start)) => drop(out.pop()),
            [.., start, Token::Text(text)] if may_go && blank(text) && is_start(Some(start)) => {
                out.truncate(out.len() - 2);
                push_text(&mut out, " ");
            }
            _ => out.push(token),
        }
    }
    out
}
