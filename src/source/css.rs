//! Extraction of the addresses in CSS.

/// Returns the addresses of `url(…)`, `image-set(…)` and `@import`, each with its byte offset.
/// Comments and other strings are skipped.
pub fn css_addresses(css: &str) -> Vec<(usize, &str)> {
    let bytes = css.as_bytes();
    let mut found = Vec::new();
    let mut is_import = false;
    // Number of open parentheses since `image-set(`, including the parenthesis of `image-set(`.
    let mut in_images = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &css[at..];
        let starts = |word: &str| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |end| end + 4);
        } else if starts("url(") {
            let (start, end) = inside_url(rest);
            let address = rest[start..end].trim_end();
            found.extend((!address.is_empty()).then_some((at + start, address)));
            let is_quoted = rest[end..].starts_with(['"', '\'']);
            at += end.max(4) + usize::from(is_quoted);
            is_import = false;
            in_images += usize::from(in_images > 0);
        } else if rest.starts_with(['"', '\'']) {
            let end = end_of_string(rest);
            if is_import || in_images == 1 {
                found.push((at + 1, &rest[1..end.max(1)]));
            }
            at += end + 1;
            is_import = false;
        } else {
            let name = at.checked_sub("image-set".len());
            let name = name.and_then(|from| css.get(from..at));
            let is_set = name.is_some_and(|name| name.eq_ignore_ascii_case("image-set"));
            in_images = match bytes[at] {
                b'(' if in_images > 0 || is_set => in_images + 1,
                b')' => in_images.saturating_sub(1),
                _ => in_images,
            };
            is_import = starts("@import") || (is_import && rest.starts_with(char::is_whitespace));
            at += match starts("@import") {
                true => "@import".len(),
                false => rest.chars().next().map_or(1, char::len_utf8),
            };
        }
        while at < css.len() && !css.is_char_boundary(at) {
            at += 1;
        }
    }
    found
}

/// Returns the byte range of the address in CSS that starts with `url(`.
fn inside_url(text: &str) -> (usize, usize) {
    let start = text.len() - text[4..].trim_start().len();
    let inner = &text[start..];
    if inner.starts_with(['"', '\'']) {
        return (start + 1, start + end_of_string(inner));
    }
    (start, inner.find(')').map_or(text.len(), |end| start + end))
}

/// Returns the offset of the quote that ends a quoted string, or the length of `text` if it has no
/// end quote.
fn end_of_string(text: &str) -> usize {
    let quote = text.as_bytes().first();
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            byte if Some(&byte) == quote => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_found_outside_comments_and_strings() {
        for (css, expected) in [
            ("a{b:url(x.png)}", &["x.png"][..]),
            (
                "a{b:-webkit-image-set(\"a.png\" 1x, url(b.png) 2x, url('c') 3x, 'd' type('image/avif'));c:'no';d:f('no')}",
                &["a.png", "b.png", "c", "d"],
            ),
            ("a{b:URL( 'x y.png' ) , url(\"z\")}", &["x y.png", "z"]),
            (
                "@import 'a.css'; @import url(b.css) screen; @import\n\"c.css\";",
                &["a.css", "b.css", "c.css"],
            ),
            ("/* url(no) */ a::before{content:'url(no)'}", &[]),
            (
                "a{src:url(data:font/woff2;base64,AA==) format('woff2'),url(f.woff2)}",
                &["data:font/woff2;base64,AA==", "f.woff2"],
            ),
            ("@charset 'utf-8'; a{b:url()}", &[]),
        ] {
            let found = css_addresses(css);
            let texts: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
            assert_eq!(texts, expected, "{css}");
            assert!(found.iter().all(|(at, text)| css[*at..].starts_with(text)));
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(css in "([ -~]|url\\(|@import|/\\*|\\*/|['\"é])*") {
            css_addresses(&css);
        }
    }
}
