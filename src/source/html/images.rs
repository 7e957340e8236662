//! The pictures that HTML shows.

use std::ops::Range;

use super::addresses::{next_tag, raw_text};
use super::start_tags;

/// An `<img>` as it is written.
pub struct ImageTag<'h> {
    pub written: &'h str,
    /// Its address, without what escapes it.
    pub src: String,
    /// The bytes of the tag that hold the address, with its quotes.
    pub place: Range<usize>,
    /// Whether its author chose sizes already: it has a `srcset`, or stands in a `<picture>`.
    pub has_sizes: bool,
    /// Which of these attributes it has: `width`, `height`, `loading`.
    pub has: [bool; 3],
}

/// Replaces the `<img>` tags of HTML, or leaves those for which there is nothing to write. None where all are left.
pub fn replace_images(
    html: &str,
    mut replace: impl FnMut(&ImageTag<'_>) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let (mut copied, mut at, mut in_picture) = (0, 0, false);
    while let Some(tag) = next_tag(html, at) {
        let written = &html[tag.clone()];
        // An end tag is none that is found.
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

/// Whether a start tag is one of this name.
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
    fn images_are_found_wherever_they_are_shown() {
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
