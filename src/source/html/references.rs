//! The references to files and pages in HTML that authors write.

use html5gum::Spanned;

use model::push_attribute;

use super::{rewrite_srcset, start_tags};

/// Attributes that contain a reference, by element.
const REFERENCES: [(&str, &str); 14] = [
    ("a", "href"),
    ("area", "href"),
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("input", "src"),
    ("object", "data"),
    ("source", "src"),
    ("source", "srcset"),
    ("track", "src"),
    ("video", "src"),
    ("video", "poster"),
];

/// The purpose of a reference in HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Link,
    /// A media file that is embedded in the page.
    Embed,
    /// A picture that is embedded in the page, in any size.
    Picture,
}

/// Replaces the references in HTML, as [`references`] finds them. No other byte changes.
pub fn rewrite(html: &str, resolve: impl FnMut(Role, &str, usize) -> Option<String>) -> String {
    replaced(html, &references(html, resolve))
}

/// Returns HTML with each byte range in `found` replaced by its new text.
pub fn replaced(html: &str, found: &[(usize, usize, String)]) -> String {
    let mut out = String::with_capacity(html.len() + 64);
    let mut copied = 0;
    for (start, end, new) in found {
        out.push_str(&html[copied..*start]);
        out.push_str(new);
        copied = *end;
    }
    out.push_str(&html[copied..]);
    out
}

/// Returns the byte ranges of the changed references in HTML, in order, and their new text in
/// quotes. `resolve` receives each reference with its role and its byte offset. `resolve` returns
/// the replacement, or `None` to keep the reference.
pub fn references(
    html: &str,
    mut resolve: impl FnMut(Role, &str, usize) -> Option<String>,
) -> Vec<(usize, usize, String)> {
    let mut all: Vec<(usize, usize, String)> = Vec::new();
    for tag in start_tags(html) {
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for (element, attribute) in REFERENCES {
            if *tag.name == *element.as_bytes()
                && let Some(value) = tag.attributes.get(attribute.as_bytes())
                && let Ok(text) = std::str::from_utf8(&value.value)
                && let Some((start, end)) = value_range(html, value)
            {
                let role = match (element, attribute) {
                    (_, "href") => Role::Link,
                    ("img", "src") if !tag.attributes.contains_key(b"srcset".as_slice()) => {
                        Role::Picture
                    }
                    _ => Role::Embed,
                };
                let new = if attribute == "srcset" {
                    rewrite_srcset(text, |reference| resolve(role, reference, start))
                } else {
                    resolve(role, text.trim(), start)
                };
                found.extend(new.map(|new| (start, end, quoted(&new))));
            }
        }
        found.sort();
        all.append(&mut found);
    }
    all
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    push_attribute(&mut out, text);
    out.push('"');
    out
}

/// Returns the byte range of an attribute's value, including its quotes. The span of `value` starts
/// at the attribute's name.
pub(super) fn value_range<T>(html: &str, value: &Spanned<T, usize>) -> Option<(usize, usize)> {
    let rest = html.get(value.span.start..)?;
    let equals = rest.find('=')?;
    if rest[..equals].contains(['>', '"', '\'']) {
        return None;
    }
    let after = &rest[equals + 1..];
    let start = equals + 1 + (after.len() - after.trim_start().len());
    let quoted = &rest[start..];
    let length = match quoted.chars().next()? {
        quote @ ('"' | '\'') => quoted[1..].find(quote)? + 2,
        _ => quoted.find(|c: char| c.is_ascii_whitespace() || c == '>')?,
    };
    Some((value.span.start + start, value.span.start + start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uppercase_references(html: &str) -> String {
        rewrite(html, |role, reference, _| {
            (!reference.starts_with("https:")).then(|| {
                format!(
                    "{}{}",
                    if role == Role::Link { "L:" } else { "E:" },
                    reference.to_uppercase()
                )
            })
        })
    }

    #[test]
    fn only_references_are_replaced() {
        for (html, expected) in [
            (r#"<p>a<img src="x.png" alt='q'> b</p>"#, r#"<p>a<img src="E:X.PNG" alt='q'> b</p>"#),
            ("<a class=x href = y.html>z</a>", r#"<a class=x href = "L:Y.HTML">z</a>"#),
            (r#"<a href="https://a/?b&amp;c">z</a>"#, r#"<a href="https://a/?b&amp;c">z</a>"#),
            (r#"<a href='a&amp;b"c'>z</a>"#, r#"<a href="L:A&amp;B&quot;C">z</a>"#),
            (
                r#"<img srcset="a.png 1x, b.png 2x" src=c.png>"#,
                r#"<img srcset="E:A.PNG 1x, E:B.PNG 2x" src="E:C.PNG">"#,
            ),
            ("<script>'<img src=\"x\">'</script>", "<script>'<img src=\"x\">'</script>"),
            ("<!-- <img src=x> --> <b>", "<!-- <img src=x> --> <b>"),
            ("<img src", "<img src"),
            ("<img src>", "<img src>"),
        ] {
            assert_eq!(uppercase_references(html), expected, "{html}");
        }
    }
}
