//! Links in Markdown text.

use super::{LinkTarget, LinkUrl, resolve_links};

/// Appends `(address "title")`, the end of an inline link or picture (CommonMark 0.31, section
/// 6.3).
pub fn push_link_end(out: &mut String, address: &str, title: &str) {
    out.push('(');
    push_address(out, address);
    if !title.is_empty() {
        out.push_str(" \"");
        push_escaped(out, title, &['"']);
        out.push('"');
    }
    out.push(')');
}

/// Appends the address of a link. A placeholder is written between `<` and `>`, so that its end is
/// known when it is replaced.
fn push_address(out: &mut String, address: &str) {
    let needs_brackets =
        |c: char| matches!(c, '(' | ')' | '<' | '>') || c.is_whitespace() || c.is_control();
    if address.contains(needs_brackets) || address.starts_with(LinkTarget::SCHEME) {
        out.push('<');
        push_escaped(out, &address.replace('\n', " "), &['<', '>']);
        out.push('>');
    } else {
        push_escaped(out, address, &[]);
    }
}

/// Appends a text in which Markdown would otherwise read escapes, entities such as `&copy;`, and the
/// `signs`.
fn push_escaped(out: &mut String, text: &str, signs: &[char]) {
    for (at, character) in text.char_indices() {
        match character {
            '&' if starts_entity(&text[at + 1..]) => out.push_str("&amp;"),
            '\\' => out.push_str("\\\\"),
            _ if signs.contains(&character) => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
}

/// Returns whether the text after `&` can be the rest of an entity.
fn starts_entity(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    end.is_some_and(|end| end > 0 && text[end..].starts_with(';'))
}

/// Reverses [`push_escaped`].
fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut out = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        out.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    out.replace("&amp;", "&")
}

/// Resolves links to content files in Markdown, as [`resolve_links`] does in HTML. `targets` must
/// be sorted by placeholder. A broken link is replaced with its text.
pub fn resolve_markdown_links(markdown: &str, targets: &[LinkUrl]) -> String {
    let start = ["](<", LinkTarget::SCHEME].concat();
    let mut out = String::with_capacity(markdown.len() + 32 * targets.len());
    let mut rest = markdown;
    while let Some(at) = rest.find(&start) {
        out.push_str(&rest[..at]);
        let after = &rest[at + start.len()..];
        let end = after.find(['>', '\n']).unwrap_or(after.len());
        let path = &after[..after[..end].find(['?', '#']).unwrap_or(end)];
        let found = targets.binary_search_by(|(placeholder, _)| placeholder.as_str().cmp(path));
        match found.ok().and_then(|at| targets[at].1.as_deref()) {
            Some(url) => {
                out.push_str("](");
                push_address(&mut out, &format!("{url}{}", unescaped(&after[path.len()..end])));
                rest = after[end..].strip_prefix('>').unwrap_or(&after[end..]);
            }
            None => {
                remove_link_start(&mut out);
                rest = after_link(&after[end..]);
            }
        }
    }
    out.push_str(rest);
    if out.contains(LinkTarget::SCHEME) { resolve_links(&out, targets) } else { out }
}

/// Removes the bracket that starts the link whose text ends `out`.
fn remove_link_start(out: &mut String) {
    let mut depth = 1;
    let bytes = out.as_bytes();
    let start = (0..bytes.len()).rev().find(|at| {
        let is_escaped = *at > 0 && bytes[at - 1] == b'\\';
        match bytes[*at] {
            b']' if !is_escaped => depth += 1,
            b'[' if !is_escaped => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    if let Some(start) = start {
        out.remove(start);
    }
}

/// Returns the text after a link. `text` begins after the link's address.
fn after_link(text: &str) -> &str {
    let text = text.strip_prefix('>').unwrap_or(text);
    let Some(title) = text.strip_prefix(" \"") else {
        return text.strip_prefix(')').unwrap_or(text);
    };
    let mut is_escaped = false;
    let end = title.find(|c: char| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    let after = &title[end.map_or(title.len(), |end| end + 1)..];
    after.strip_prefix(')').unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_addresses_and_broken_links_become_text() {
        let targets = [
            ("content/items/a.md".to_owned(), Some("https://example.com/i/a/".to_owned())),
            ("content/items/b.md".to_owned(), None),
            ("content/items/c.md".to_owned(), Some("https://example.com/i/(c)/".to_owned())),
        ];
        for (markdown, resolved) in [
            (
                "See [*A*](<feedwright-content:content/items/a.md#part> \"T\").",
                "See [*A*](https://example.com/i/a/#part \"T\").",
            ),
            ("[a [b] \\]](<feedwright-content:content/items/b.md> \"a \\\") b\") c", "a [b] \\] c"),
            ("[](<feedwright-content:content/items/b.md>)", ""),
            ("[c](<feedwright-content:content/items/c.md>)", "[c](<https://example.com/i/(c)/>)"),
            (
                "<a href=\"feedwright-content:content/items/a.md\">a</a>",
                "<a href=\"https://example.com/i/a/\">a</a>",
            ),
        ] {
            assert_eq!(resolve_markdown_links(markdown, &targets), resolved);
        }
    }

    #[test]
    fn entities_and_escapes_are_not_read_in_addresses() {
        for (address, title, expected) in [
            ("/a?b=1&copy=2&c", "", "(/a?b=1&copy=2&c)"),
            (
                "/a?b&copy;=1&#38;",
                "R&amp;D \"a\\\"",
                "(/a?b&amp;copy;=1&amp;#38; \"R&amp;amp;D \\\"a\\\\\\\"\")",
            ),
            ("/a\\_b", "", "(/a\\\\_b)"),
            ("/(a)&lt;", "", "(</(a)&amp;lt;>)"),
        ] {
            let mut out = String::new();
            push_link_end(&mut out, address, title);
            assert_eq!(out, expected);
        }
        let target = format!("{}content/items/a.md", LinkTarget::SCHEME);
        let targets = [("content/items/a.md".to_owned(), Some("/i/a/".to_owned()))];
        let mut link = "[a]".to_owned();
        push_link_end(&mut link, &format!("{target}?b&copy;#c\\_d&amp;"), "");
        let resolved = resolve_markdown_links(&link, &targets);
        assert_eq!(resolved, "[a](/i/a/?b&amp;copy;#c\\\\_d&amp;amp;)");
    }
}
