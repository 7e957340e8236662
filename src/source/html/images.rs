//! Replacement of the pictures that HTML shows.

use std::ops::Range;

use super::addresses::{next_tag, raw_text};
use super::start_tags;

/// An `<img>` tag as written.
pub struct ImageTag<'h> {
    pub written: &'h str,
    /// The address, unescaped.
    pub src: String,
    /// The byte range of the address in the tag, including the quotes.
    pub place: Range<usize>,
    /// Whether the author already specified sizes: the tag has a `srcset` or is inside a
    /// `<picture>`.
    pub has_sizes: bool,
    /// Whether the tag has the attributes `width`, `height` and `loading`.
    pub has: [bool; 3],
}

/// Replaces the `<img>` tags of HTML. `replace` returns the new tag, or `None` to keep the old tag.
/// Returns `None` if all tags are kept.
pub fn replace_images(
    html: &str,
    mut replace: impl FnMut(&ImageTag<'_>) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let (mut copied, mut at, mut in_picture) = (0, 0, false);
    while let Some(tag) = next_tag(html, at) {
        let written = &html[tag.clone()];
        // `next_tag` returns only start tags, so the end tag is searched for in the text before it.
        in_picture = match html[at..tag.start].contains("</picture") {
            true => is(written, "picture"),
            false => in_picture || is(written, "picture"),
        };
        at = tag.end + raw_text(written, &html[tag.end..]);
        let Some(image) = image(written, in_picture) else {
            continue;
        };
        if let Some(new) = replace(&image) {
            out.push_str(&html[copied..tag.start]);
            out.push_str(&new);
            copied = tag.end;
        }
    }
    (copied > 0).then(|| {
        out.push_str(&html[copied..]);
        out
    })
}

/// Returns whether a start tag has this name.
fn is(tag: &str, name: &str) -> bool {
    let rest = tag[1..].get(..name.len());
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(name))
        && tag[1 + name.len()..].starts_with(|c: char| c.is_ascii_whitespace() || "/>".contains(c))
}

fn image(written: &str, in_picture: bool) -> Option<ImageTag<'_>> {
    if !is(written, "img") {
        return None;
    }
    let tag = start_tags(written).next()?;
    let src = tag.attributes.get(b"src".as_slice())?;
    let (start, end) = super::references::value_range(written, src)?;
    let has = |name: &str| tag.attributes.contains_key(name.as_bytes());
    Some(ImageTag {
        written,
        src: String::from_utf8_lossy(&src.value).trim().to_owned(),
        place: start..end,
        has_sizes: in_picture || has("srcset"),
        has: ["width", "height", "loading"].map(has),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn images_are_found_in_all_elements() {
        let html = "<p><img src=\"a.jpg\" alt=\"<x>\"><IMG alt=x src='b&amp;c.png'/></p><!-- <img src=\"no\"> -->\
            <script>'<img src=\"no\">'</script><picture><source srcset=\"x\"><img src=\"own.jpg\"></picture>\
            <img src=d.webp><img srcset=\"e 2x\" src=\"f\"><image src=\"no\"><img alt=\"none\">";
        let mut found = Vec::new();
        let all = replace_images(html, |image| {
            found.push((image.src.clone(), image.has_sizes));
            (image.src == "d.webp").then(|| format!("[{}]", &image.written[image.place.clone()]))
        });
        let expected = [
            ("a.jpg", false),
            ("b&c.png", false),
            ("own.jpg", true),
            ("d.webp", false),
            ("f", true),
        ];
        assert_eq!(found, expected.map(|(src, own)| (src.to_owned(), own)));
        assert_eq!(all.unwrap(), html.replace("<img src=d.webp>", "[d.webp]"));
        assert_eq!(replace_images("<p>none</p>", |_| None), None);
    }
}
